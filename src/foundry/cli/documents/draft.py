"""``foundry draft list / show / verify / accept``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.failures import DONE, FAILED
from foundry.cli.input import by_option, confirm, identify_person, is_interactive
from foundry.cli.output import say, say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.table import align_facts, list_columns, show_table
from foundry.cli.workspace import open_project
from foundry.journeys.drafts import (
    DraftStatus,
    DraftVerification,
    accept_draft,
    get_draft,
    get_draft_status,
    list_drafts,
    verify_draft,
)
from foundry.messages import Message
from foundry.records import CheckedStatement, DraftState, Review, SectionSummary, find_gaps
from foundry.render.verification import render_statement, render_verification
from foundry.wire.documents import (
    DraftDetailsJson,
    DraftListJson,
    DraftStatusJson,
    DraftVerificationJson,
)


@click.group("draft", cls=DefaultGroup)
@common_options
def command() -> None:
    pass


@command.command("list")
@click.option("--feature", metavar="NAME")
@common_options
@pass_call
def list_(call: Call, *, feature: str | None) -> None:
    with open_project(call, read_only=True) as workspace:
        drafts = [get_draft_status(workspace, record) for record in list_drafts(workspace, feature)]
    if call.json:
        show_json(DraftListJson(drafts=drafts))
        return
    if not drafts:
        none = Message("draft-none-of", feature=feature) if feature else Message("draft-none")
        show(str(none))
        return
    show_table(
        list_columns("feature", "state", "coverage", "accepted", "stale", "path"),
        [_build_row(status) for status in drafts],
        elastic="column-path",
        numbers=("column-coverage", "column-stale"),
    )
    for status in drafts if not call.quiet else ():
        for reason in status.stale:
            say(str(Message("draft-out-of-date-at", path=status.record.path, reason=reason)))


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


@command.command("show")
@click.argument("draft")
@common_options
@pass_call
def show_(call: Call, draft: str) -> None:
    with open_project(call, read_only=True) as workspace:
        status = get_draft_status(workspace, get_draft(workspace, draft))
    if call.json:
        show_json(DraftDetailsJson.from_record(status))
    else:
        show(_render_status(status))


def _render_status(status: DraftStatus) -> str:
    record, review = status.record, status.record.review
    written = Message(
        "draft-written-by",
        time=f"{record.created.astimezone():%Y-%m-%d %H:%M}",
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
        printed = ", ".join(part for part in (used.revision, used.revision_date) if part)
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


@command.command("verify")
@click.argument("draft")
@common_options
@pass_call
def verify_(call: Call, draft: str) -> int:
    with open_project(call) as workspace, show_progress(call) as progress:
        result = verify_draft(workspace, draft, progress=progress)
    if call.json:
        show_json(DraftVerificationJson.from_record(result))
    else:
        notices = result.verification.notices if result.verification else ()
        stale = [Message("draft-out-of-date", reason=reason) for reason in result.stale]
        say_notices(call, (*notices, *stale))
        show(_render_verdict(result, verbose=call.verbosity > 0))
    return DONE if result.passed else FAILED


def _render_verdict(result: DraftVerification, *, verbose: bool) -> str:
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
        lines += [render_verification(result.verification, verbose=verbose)]
    path, state = result.record.path, _describe_state(result.state)
    if not result.passed:
        verdict = Message("draft-fails", number=len(result.failures()), path=path, state=state)
    elif result.stale:
        verdict = Message("draft-passes-but-stale", path=path, state=state)
    else:
        verdict = Message("draft-passes", path=path, state=state)
    return "\n".join([*lines, str(verdict)])


@command.command("accept")
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
