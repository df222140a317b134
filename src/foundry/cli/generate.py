"""``foundry generate``: a document, its plan and what its writer reads of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import DONE, NO_EVIDENCE
from foundry.cli.help import Command
from foundry.cli.input import (
    ask_overwrite,
    read_question,
)
from foundry.cli.options import add_options, read_filters
from foundry.cli.output import say, say_notices, show, show_json
from foundry.cli.progress import pause_progress, show_progress
from foundry.cli.workspace import open_project
from foundry.errors import UsageError
from foundry.journeys.agents import use_agent
from foundry.journeys.delivery import DraftFile, generate_file, resolve_output
from foundry.journeys.generate import DraftPlan, PlannedSection
from foundry.messages import Message
from foundry.operations import documents
from foundry.operations.table import Scope
from foundry.options import ScopeOptions
from foundry.records import (
    Budget,
    Conflict,
    Draft,
    GateDecision,
    Hit,
    Section,
    Usage,
)
from foundry.render.answer import NO_EVIDENCE as NOTHING_FOUND
from foundry.render.conflicts import render_conflicts
from foundry.render.places import (
    format_location,
    shorten_paths,
)
from foundry.wire.documents import (
    DraftJson,
    DraftPlanJson,
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
