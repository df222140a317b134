"""``foundry generate`` and ``foundry draft``: writing a document, and what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.failures import DONE, FAILED, NO_EVIDENCE
from foundry.cli.help import Command
from foundry.cli.input import (
    ask_overwrite,
    by_option,
    confirm,
    identify_person,
    is_interactive,
    read_question,
)
from foundry.cli.options import add_options, read_filters
from foundry.cli.output import say, say_notices, show, show_json
from foundry.cli.progress import pause_progress, show_progress
from foundry.cli.table import align_facts, list_columns, show_table
from foundry.cli.workspace import bind_project, open_project, shows
from foundry.clock import format_minute
from foundry.errors import UsageError
from foundry.journeys.agents import use_agent
from foundry.journeys.delivery import DraftFile, generate_file, resolve_output
from foundry.journeys.drafts import (
    DraftStatus,
    DraftVerification,
    accept_draft,
    get_draft_status,
)
from foundry.journeys.drafts.content import DraftSentence
from foundry.journeys.drafts.edits import DraftComparison, PlacedNote
from foundry.journeys.generate import DraftPlan, PlannedSection
from foundry.journeys.revisions import find_impact
from foundry.messages import Message
from foundry.operations import documents
from foundry.operations.table import Scope
from foundry.options import ScopeOptions
from foundry.records import (
    Budget,
    CheckedStatement,
    Conflict,
    Draft,
    DraftState,
    GateDecision,
    Hit,
    Impact,
    Review,
    Section,
    SectionSummary,
    TracedQuote,
    Usage,
    find_gaps,
)
from foundry.render.answer import NO_EVIDENCE as NOTHING_FOUND
from foundry.render.conflicts import render_conflicts
from foundry.render.places import (
    format_location,
    shorten_paths,
)
from foundry.render.verification import SIGNS, render_statement, render_verification
from foundry.wire.documents import (
    DraftJson,
    DraftPlanJson,
    DraftStatusJson,
)
from foundry.wire.requests import DraftRequest
from foundry.workspace import Workspace


@click.command("generate", cls=Command)
@click.option("--topic", required=True)
@click.option("--output", type=click.Path(path_type=Path), metavar="PATH")
@click.option("--feature", metavar="NAME")
@click.option("--agent", metavar="NAME")
@click.option("--dry-run", is_flag=True)
@click.option("--fresh", is_flag=True)
@click.option("--yes", is_flag=True)
@add_options(ScopeOptions)
@common_options
@pass_call
def generate_command(
    call: Call,
    /,
    *,
    topic: str,
    output: Path | None,
    feature: str | None,
    agent: str | None,
    dry_run: bool,
    fresh: bool,
    yes: bool,
    **scope: Any,
) -> int:
    text = read_question((topic,), "topic")
    with open_project(call) as opened:
        # First, so that a misspelt agent is not hidden behind what else is missing.
        workspace = use_agent(opened, agent, "document", text)
        if output is None and not dry_run:
            raise UsageError("generate-output-missing", where="--output")
        if output is None or dry_run:
            if output is not None:
                resolve_output(workspace, output)
            asked = documents.plan.fill(topic=text, feature=feature, **scope)
            return _show_plan(call, workspace, asked)
        with show_progress(call) as progress:
            result = generate_file(
                workspace,
                text,
                output,
                feature=feature,
                filters=read_filters(call, workspace, scope["filters"]),
                mode=scope["mode"],
                fresh=fresh,
                overwrite=yes or pause_progress(progress)(ask_overwrite),
                progress=progress,
                # In JSON conflicts and a tight budget are fields.
                announce=(lambda _plan: None) if call.json or call.quiet else announce_warnings,
            )
    return _show_result(call, result)


def _show_plan(call: Call, workspace: Workspace, asked: DraftRequest) -> int:
    read_filters(call, workspace, asked.filters)
    with show_progress(call) as progress:
        plan = documents.plan.perform(Scope(workspace, progress=progress), asked=asked)
    if call.json:
        show_json(DraftPlanJson.from_record(plan))
    else:
        if not call.quiet:
            show_warnings(plan)
        say_notices(call, plan.notices)
        show(render_plan(plan))
    return DONE


def _show_result(call: Call, result: DraftFile) -> int:
    draft = result.draft
    if result.edited_copy:
        say(str(Message("generate-kept-edited", name=result.edited_copy.name)))
    if call.json:
        show_json(DraftJson.from_record(result))
    elif result.written:
        say_notices(call, draft.notices)
        show(render_review(draft, result.path, quiet=call.quiet))
    else:
        found = {section.title: section.reason for section in draft.sections if section.reason}
        reasons = list(dict.fromkeys(found.values()))
        if len(reasons) > 1:
            reasons = [
                Message("generate-notice", section=title, notice=reason)
                for title, reason in found.items()
            ]
        nothing = Message("generate-not-written", path=str(result.path))
        show("\n".join(map(str, [NOTHING_FOUND, *reasons, *draft.notices, nothing])))
    return DONE if result.written else NO_EVIDENCE


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
    names = {"new": found.new.record.path, "old": found.old.record.path}
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


_MAX_DROPPED = 20
"""Hits listed in a review: a screenful; --json lists them all."""


def render_budget_warning(budget: Budget) -> str:
    """How much of the model's window each part of a prompt takes, and what to change."""
    limit = budget.window or 0
    # Rounded down.
    share = f"{100 * budget.total // limit}%" if limit else Message("generate-no-window")
    rows = [
        (Message("generate-budget-brief"), budget.brief, Message("generate-tokens")),
        (Message("generate-budget-spec"), budget.spec, Message("generate-tokens")),
        (
            Message("generate-budget-summaries"),
            budget.summaries,
            Message("generate-tokens-of", summaries=str(budget.max_summaries)),
        ),
        (Message("generate-budget-chunks"), budget.chunks, Message("generate-tokens")),
        (
            Message("generate-budget-total"),
            budget.total,
            Message("generate-limit", limit=limit, share=share),
        ),
    ]
    cells = [
        (str(label), str(Message("generate-number", number=number)), str(rest))
        for label, number, rest in rows
    ]
    width = 1 + max(len(label) + len(number) for label, number, _ in cells)
    lines = [f"  {label}{number:>{width - len(label)}} {rest}" for label, number, rest in cells]
    lines.insert(-1, f"  {'─' * 29}")
    consider = f"  {Message('generate-budget-consider')}"
    return "\n".join([str(Message("generate-budget-warning")), *lines, consider])


def show_warnings(plan: DraftPlan) -> None:
    """Print conflicts and a tight budget on standard error."""
    _show_warnings(plan, plan.conflicts)


def announce_warnings(plan: DraftPlan) -> None:
    """The same before writing, without superseded revisions: only the review lists those."""
    _show_warnings(plan, [conflict for conflict in plan.conflicts if not conflict.superseded])


def _show_warnings(plan: DraftPlan, conflicts: Sequence[Conflict]) -> None:
    if conflicts:
        say(render_conflicts(conflicts, specified=plan.feature is not None))
    if plan.budget.is_tight:
        say(render_budget_warning(plan.budget))


def render_plan(plan: DraftPlan) -> str:
    """Each section with its evidence, then the budget, then the prompts."""
    feature = plan.feature
    name = f"{feature.title} ({feature.path})" if feature else plan.topic
    head = (Message("generate-dry-run", name=name), Message("generate-topic", topic=plan.topic))
    lines = [*map(str, head), ""]
    if plan.refused:
        return "\n".join([*lines, _render_gate(plan.sections[0].gathered.result.gate)])
    for planned in plan.sections:
        lines += [*_render_section_generate_report(planned), ""]
    lines += [_render_budget(plan), ""]
    for planned in plan.sections:
        lines += _render_prompt(planned)
    return "\n".join(lines).rstrip()


def _render_section_generate_report(planned: PlannedSection) -> list[str]:
    gathered = planned.gathered
    gate = gathered.result.gate
    lines = [
        f"## {planned.outline.title}",
        *(f"  {Message('generate-asks-for', text=item)}" for item in planned.outline.wants),
    ]
    lines.append(f"  {_render_gate(gate)}")
    if not gathered.evidence and gate.decision != "no_evidence":
        lines += [
            f"  {Message('generate-no-evidence', reason=reason)}" for reason in gathered.reasons
        ]
    names = shorten_paths(hit.source.path for hit in gathered.result.hits)
    for item in gathered.evidence:
        score = gathered.scores.get(item.hit.chunk.id)
        lines.append(f"  {item.id:<4}{_render_hit(item.hit, names, score)}")
    for left in gathered.dropped:
        where = _render_hit(left.hit, names, left.score)
        lines.append(f"  {Message('generate-out', place=where, reason=left.reason)}")
    notes = [Message("generate-note", notice=notice) for notice in gathered.notices]
    return [*lines, *(f"  {note}" for note in notes)]


def _render_gate(gate: GateDecision) -> str:
    decided = Message(
        "generate-gate", decision=gate.decision, score=gate.score, reasons=gate.reasons
    )
    return str(decided).rstrip()


def _render_hit(hit: Hit, names: dict[str, str], score: float | None) -> Message:
    place = format_location(names.get(hit.source.path, hit.source.path), hit.focus)
    if score is None:
        return Message("answer-source", place=place, score=hit.relevance)
    return Message("generate-hit-scored", place=place, score=hit.relevance, points=score)


def _render_budget(plan: DraftPlan) -> str:
    budget = plan.budget
    parts = {"brief": budget.brief, "spec": budget.spec, "summaries": budget.summaries}
    parts |= {"chunks": budget.chunks, "total": budget.total}
    if budget.window:
        return str(Message("generate-budget-of", **parts, window=budget.window))
    return str(Message("generate-budget", **parts))


def _render_prompt(planned: PlannedSection) -> list[str]:
    if planned.prompt is None:
        return []
    lines = [
        "-" * 72,
        str(
            Message(
                "generate-prompt",
                section=planned.outline.title,
                tokens=planned.prompt.tokens.total,
            )
        ),
    ]
    for message in planned.prompt.messages:
        lines += ["-" * 72, f"{message.role}:", message.content]
    return [*lines, ""]


def render_review(draft: Draft, path: Path, *, quiet: bool = False) -> str:
    """What was written, and unless ``quiet`` everything a reviewer has to look at."""
    filled = [section for section in draft.sections if section.sentences]
    reused = sum(section.reused for section in draft.sections)
    summary = Message(
        "generate-summary",
        sections=len(filled),
        sources=len(draft.cited_paths),
        model=draft.model,
        seconds=draft.seconds,
        coverage=_format_share(draft.attribution_coverage),
        completeness=_format_share(draft.completeness),
    )
    lines = [str(Message("generate-wrote", path=str(path))), f"  {summary}"]
    if reused:
        lines.append(f"  {Message('generate-reused', number=reused)}")
    if draft.verdict == "low_confidence":
        lines.append(f"  {Message('document-low-confidence')}")
    if quiet:
        return "\n".join(lines)
    specified = draft.feature is not None
    found = render_conflicts(draft.conflicts, specified=specified)
    conflicts = ["", found] if draft.conflicts else []
    lines += ["", *_render_sections(draft), *conflicts, *_render_dropped(draft)]
    lines += ["", str(render_cost(draft.usage))]
    return "\n".join(lines)


def _render_sections(draft: Draft) -> list[str]:
    first, *names = str(Message("generate-columns")).split("|")
    width = max(map(len, (first, *(section.title for section in draft.sections))))
    head = "  ".join([f"{first:<{width}}", *names])
    widths = [len(name) for name in names]
    return [head, *(_render_row(section, width, widths) for section in draft.sections)]


def _render_row(section: Section, width: int, widths: Sequence[int]) -> str:
    paths = {cited.evidence.hit.source.path for cited in section.sources}
    numbers = (
        str(_format_share(section.attribution_coverage)),
        *(str(len(part)) for part in (section.sentences, paths, section.conflicts)),
        str(len(section.dropped)),
    )
    cells = [f"{cell:>{room}}" for cell, room in zip(numbers, widths, strict=True)]
    empty = "" if section.sentences else str(Message("generate-empty", reason=section.reason))
    low = str(Message("generate-low")) if section.verdict == "low_confidence" else ""
    return "  ".join(part for part in (f"{section.title:<{width}}", *cells, low, empty) if part)


def _render_dropped(draft: Draft) -> list[str]:
    rows = [(section, dropped) for section in draft.sections for dropped in section.dropped]
    if not rows:
        return []
    lines = ["", str(Message("generate-left-out"))]
    for section, dropped in rows[:_MAX_DROPPED]:
        where = _render_hit(dropped.hit, {}, None)
        lines.append(f"- {section.title}: {where}: {dropped.reason}")
    if len(rows) > _MAX_DROPPED:
        lines.append(f"- {Message('generate-more', number=len(rows) - _MAX_DROPPED)}")
    return lines


def render_cost(usage: Usage) -> Message:
    """``Cost: 12 model calls (3 more from the cache), 34,567 tokens, $0.1200.``"""
    unknown = Message("generate-price-unknown")
    return Message(
        "generate-cost",
        calls=usage.calls,
        cached=Message("generate-cached", number=usage.cached) if usage.cached else None,
        tokens=usage.prompt_tokens + usage.completion_tokens,
        cost=unknown if usage.cost is None else Message("generate-price", cost=usage.cost),
    )


def _format_share(value: float | None) -> str | Message:
    return Message("generate-none") if value is None else f"{value:.0%}"
