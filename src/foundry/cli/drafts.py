"""``foundry draft``: what became of a document that was written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.failures import DONE, FAILED
from foundry.cli.input import (
    by_option,
    confirm,
    identify_person,
    is_interactive,
)
from foundry.cli.output import say, say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.table import align_facts, list_columns, show_table
from foundry.cli.workspace import bind_project, open_project, shows
from foundry.clock import format_minute
from foundry.journeys.drafts import (
    DraftStatus,
    DraftVerification,
    accept_draft,
    get_draft_status,
)
from foundry.journeys.drafts.content import DraftSentence
from foundry.journeys.drafts.edits import DraftComparison, PlacedNote
from foundry.journeys.revisions import find_impact
from foundry.messages import Message
from foundry.operations import documents
from foundry.records import (
    CheckedStatement,
    DraftState,
    Impact,
    Review,
    SectionSummary,
    TracedQuote,
    find_gaps,
)
from foundry.render.places import format_revision
from foundry.render.verification import SIGNS, render_statement, render_verification
from foundry.wire.documents import (
    DraftStatusJson,
)
from foundry.workspace import Workspace


@click.group("draft", cls=DefaultGroup)
@common_options
def draft_command() -> None:
    pass


@draft_command.command("list")
@click.option("--feature", metavar="NAME")
@shows(documents.list_drafts_)
def list_(call: Call, drafts: Sequence[DraftStatus]) -> Message | None:
    if not drafts:
        feature = click.get_current_context().params["feature"]
        return Message("draft-none-of", feature=feature) if feature else Message("draft-none")
    show_table(
        list_columns("feature", "state", "coverage", "accepted", "stale", "path"),
        [_build_row(status) for status in drafts],
        elastic="column-path",
        numbers=("column-coverage", "column-stale"),
    )
    for status in drafts if not call.quiet else ():
        for reason in status.stale:
            say(Message("draft-out-of-date-at", path=status.record.path, reason=reason))
    return None


def _build_row(status: DraftStatus) -> tuple[object, ...]:
    record = status.record
    return (
        record.feature or record.agent or "-",
        _describe_state(status.state),
        _format_percent(record.attribution_coverage),
        _format_acceptance(status),
        len(status.stale) or None,
        record.path,
    )


def _describe_state(state: DraftState) -> Message:
    return Message(f"draft-state-{state.replace(' ', '-')}")


def _format_acceptance(status: DraftStatus) -> Message | None:
    """``2026-03-01 by Ann``, with a remark if the file has changed since; None if not accepted."""
    review = status.record.review
    if review is None:
        return None
    code = "draft-by-on" if status.accepted else "draft-by-on-edited"
    return Message(code, by=review.by, day=f"{review.time.astimezone():%Y-%m-%d}")


def _format_percent(share: float | None) -> str:
    return "" if share is None else f"{int(share * 100 + 1e-9)}%"


@draft_command.command("show")
@click.argument("path", metavar="DRAFT")
@shows(documents.show_draft)
def show_(_: Call, status: DraftStatus) -> str:
    record, review = status.record, status.record.review
    written = Message(
        "draft-written-by",
        time=format_minute(record.created),
        model=record.model,
        mode=record.mode,
    )
    verdict = Message(
        "draft-verdict-coverage",
        verdict=Message(f"draft-verdict-{record.verdict.replace('_', '-')}"),
        coverage=_format_percent(record.attribution_coverage) or "-",
        completeness=_format_percent(record.completeness) or "-",
    )
    lines = [
        record.path,
        *align_facts(
            (Message("draft-topic"), record.topic),
            (Message("draft-feature"), record.feature or Message("draft-no-feature")),
            (Message("draft-written"), written),
            (Message("draft-file"), _describe_state(status.state)),
            (Message("draft-verdict"), verdict),
            (Message("draft-accepted"), _format_acceptance(status) or Message("draft-not-yet")),
            (Message("draft-note"), review.note if review else None),
        ),
        *(_render_unchecked(review) if review else ()),
        *(f"  {Message('draft-out-of-date', reason=reason)}" for reason in status.stale),
        "",
        str(Message("draft-sections")),
    ]
    for section in record.sections:
        lines += _render_section(section)
    lines += [f"  {gap}" for gap in find_gaps(record.sections)]
    lines += ["", str(Message("draft-sources"))]
    for used in record.sources:
        printed = format_revision(used)
        lines.append(f"  {used.path}{f' ({printed})' if printed else ''}")
    return "\n".join(lines)


def _render_unchecked(review: Review) -> list[str]:
    said = [Message("draft-unchecked-by", by=review.by, statement=s) for s in review.unchecked]
    return [f"  {line}" for line in said]


def _render_section(section: SectionSummary) -> list[str]:
    if not section.sentences:
        reason = section.reason or Message("draft-verdict-no-evidence")
        empty = Message("draft-section-empty", title=section.title, reason=reason)
        return [f"  {empty}"]
    measured = Message(
        "draft-section",
        title=section.title,
        sentences=section.sentences,
        coverage=_format_percent(section.attribution_coverage) or "-",
    )
    lines = [f"  {measured}"]
    for conflict in section.conflicts:
        sides = zip(conflict.values, (conflict.a, conflict.b), strict=True)
        first, second = (f"{value} ({side.source})" for value, side in sides)
        found = Message("draft-conflict", first=first, second=second)
        lines.append(f"    {found}" + (f"; {conflict.rule}" if conflict.rule else ""))
    return lines


@draft_command.command("impact")
@click.argument("source_id", metavar="SOURCE")
@click.option("--all", "every", is_flag=True)
@bind_project(read_only=True)
def impact_(call: Call, workspace: Workspace, *, source_id: str, every: bool) -> int:
    impact = find_impact(workspace, source_id)
    found = [one for one in impact.quotes if one.kind != "kept"]
    if call.json:
        show_json(impact)
    else:
        for one in impact.quotes if every else found:
            show("\n".join([*_render_trace(one), ""]))
        show(_summarise_impact(impact))
        if impact.unread:
            show(Message("draft-impact-unread", paths=impact.unread))
    return FAILED if found else DONE


def _render_trace(one: TracedQuote) -> Iterator[str]:
    line = f":{one.line}" if one.line else ""
    yield f"{Message(f'draft-quote-{one.kind}')}  {one.where}{line}"
    if one.statement:
        yield f"  {one.statement}"
    yield f"  - {one.quote}"
    if one.now:
        yield f"  + {one.now.text}"


def _summarise_impact(impact: Impact) -> Message:
    kinds = Counter(one.kind for one in impact.quotes)
    counts = {kind: kinds[kind] for kind in ("changed", "lost", "kept")}
    return Message("draft-impact", path=impact.source, **counts)


@draft_command.command("notes")
@click.argument("path", metavar="DRAFT")
@shows(documents.list_notes)
def notes_(_: Call, notes: Sequence[PlacedNote]) -> str:
    path = click.get_current_context().params["path"]
    lines = [line for one in notes for line in (*_render_note(one), "")]
    return "\n".join(lines[:-1]) or str(Message("draft-no-notes", path=path))


def _render_note(placed: PlacedNote) -> Iterator[str]:
    note = placed.note
    state = "resolved" if note.resolved else "open"
    facts = {"time": format_minute(note.time), "by": note.by, "resolved": note.resolved}
    yield f"{Message('draft-note-by', state=state, **facts)} {note.text}"
    yield f"  “{note.sentence}”"
    if placed.now:
        yield f"  {Message('draft-note-moved', sentence=placed.now)}"
    elif placed.kind == "lost":
        yield f"  {Message('draft-note-lost')}"


@draft_command.command("diff")
@click.argument("path", metavar="DRAFT")
@click.argument("other", required=False, default="")
@shows(documents.compare)
def diff_(_: Call, found: DraftComparison) -> str:
    lines: list[str] = []
    for change in found.changes:
        sides = (("-", change.old), ("+", change.new))
        lines += [_render_side(sign, side) for sign, side in sides if side]
    kinds = Counter(one.kind for one in found.changes)
    counts = {kind: kinds[kind] for kind in ("changed", "removed", "added")}
    new, old = found.new.record.path, found.old.record.path
    names = {"new": new, "old": f"{old} ({found.old.content_hash[:12]})" if old == new else old}
    return "\n".join([*lines, str(Message("draft-differs", same=found.same, **counts, **names))])


def _render_side(sign: str, sentence: DraftSentence) -> str:
    """The sentence with the sign of its last check, if it had one."""
    verdict = f"{SIGNS[sentence.check.check.verdict]} " if sentence.check else ""
    return f"{sign} {verdict}{sentence.claimed.text}"


@draft_command.command("verify")
@click.argument("path", metavar="DRAFT")
@shows(documents.verify, read_only=False, failed=lambda result: not result.passed)
def verify_(call: Call, result: DraftVerification) -> str:
    notices = result.verification.notices if result.verification else ()
    stale = [Message("draft-out-of-date", reason=reason) for reason in result.stale]
    say_notices(call, (*notices, *stale))
    lines: list[str] = []
    for title, problems in (
        (Message("draft-headings"), result.headings),
        (Message("draft-footnotes"), result.footnotes),
        (Message("draft-quotes"), result.quotes),
    ):
        if problems:
            lines += [str(title)]
            for problem in problems:
                line, fix = str(problem.line), problem.fix
                lines += [
                    f"  {Message('draft-on-line', line=line, problem=problem.problem)}",
                    f"    {Message('draft-next', fix=fix)}",
                ]
            lines += [""]
    if result.verification:
        lines += [render_verification(result.verification, verbose=call.verbosity > 0)]
    path, state = result.record.path, _describe_state(result.state)
    if not result.passed:
        verdict = Message("draft-fails", number=len(result.failures()), path=path, state=state)
    elif result.stale:
        verdict = Message("draft-passes-but-stale", path=path, state=state)
    else:
        verdict = Message("draft-passes", path=path, state=state)
    return "\n".join([*lines, str(verdict)])


@draft_command.command("accept")
@click.argument("draft")
@by_option
@click.option("--note", default="")
@click.option("--yes", is_flag=True)
@common_options
@pass_call
def accept(call: Call, *, draft: str, by: str | None, note: str, yes: bool) -> None:
    def agree(statements: Sequence[CheckedStatement]) -> bool:
        if not yes and not is_interactive():
            return False
        say(Message("draft-unchecked-list", number=len(statements)))
        for statement in statements:
            say("\n".join(["", *render_statement(statement)]))
        return yes or confirm(Message("draft-accept-unchecked", number=len(statements)))

    with open_project(call) as workspace, show_progress(call) as progress:
        who = identify_person(call, by, workspace.root)
        record = accept_draft(workspace, draft, who, note, confirm=agree, progress=progress)
        status = get_draft_status(workspace, record)
    if call.json:
        show_json(DraftStatusJson.from_record(status))
    else:
        done = Message("draft-was-accepted", path=record.path, who=_format_acceptance(status))
        show(str(done))
        say_notices(call, status.gaps)
