"""What ``foundry generate`` shows: the plan of a dry run, the review of a written draft."""

from __future__ import annotations

from pathlib import Path

from foundry.cli.output import format_count, say
from foundry.journeys.generate import DraftPlan, PlannedSection
from foundry.records import Budget, Draft, Hit, Section, Usage
from foundry.render.conflicts import render_conflicts
from foundry.render.places import (
    format_location,
    shorten_paths,
)

_MAX_DROPPED = 20
"""Hits listed in a review: a screenful; --json lists them all."""


def render_budget_warning(budget: Budget) -> str:
    """How much of the model's window each part of a prompt takes, and what to change."""
    limit = budget.window or 0
    # Rounded down.
    share = f"{100 * budget.total // limit}%" if limit else "no window"
    rows = [
        ("brief:", f"{budget.brief:,}", "tokens"),
        ("feature spec:", f"{budget.spec:,}", "tokens"),
        (
            "source summaries:",
            f"{budget.summaries:,}",
            f"tokens (max_source_summaries={budget.max_summaries})",
        ),
        ("chunk budget:", f"{budget.chunks:,}", "tokens"),
    ]
    lines = [f"  {label:<17}{number:>6} {rest}" for label, number, rest in rows]
    total = f"  {'Total:':<17}{budget.total:>6,} / {limit:,} limit ({share})"
    consider = "  Consider: fewer summaries, smaller brief, or larger generation.model"
    return "\n".join(["⚠ Token budget warning:", *lines, f"  {'─' * 29}", total, consider])


def show_warnings(plan: DraftPlan) -> None:
    """Print conflicts and a tight budget on standard error, before anything is written."""
    if plan.conflicts:
        say(render_conflicts(plan.conflicts))
    if plan.budget.is_tight:
        say(render_budget_warning(plan.budget))


def render_plan(plan: DraftPlan) -> str:
    """Each section with its evidence, then the budget, then the prompts."""
    feature = plan.feature
    head = f"{feature.title} ({feature.path})" if feature else plan.topic
    lines = [f"Dry run: {head}", f"Topic: {plan.topic}", ""]
    for planned in plan.sections:
        lines += [*_render_section(planned), ""]
    lines += [_render_budget(plan), ""]
    for planned in plan.sections:
        lines += _render_prompt(planned)
    return "\n".join(lines).rstrip()


def _render_section(planned: PlannedSection) -> list[str]:
    gathered = planned.gathered
    gate = gathered.result.gate
    lines = [
        f"## {planned.outline.title}",
        *(f"  asks for: {item}" for item in planned.outline.wants),
    ]
    lines.append(
        f"  Gate: {gate.decision} (score: {gate.score:.2f}) {' '.join(map(str, gate.reasons))}"
    )
    if not gathered.evidence and gate.decision != "no_evidence":
        lines += [f"  No evidence: {reason}" for reason in gathered.reasons]
    names = shorten_paths(hit.source.path for hit in gathered.result.hits)
    for item in gathered.evidence:
        score = gathered.scores.get(item.hit.chunk.id)
        lines.append(f"  {item.id:<4}{_render_hit(item.hit, names, score)}")
    lines += [
        f"  out {_render_hit(hit.hit, names, hit.score)}: {hit.reason}" for hit in gathered.dropped
    ]
    return [*lines, *(f"  Note: {notice}" for notice in gathered.notices)]


def _render_hit(hit: Hit, names: dict[str, str], score: float | None) -> str:
    where = format_location(names.get(hit.source.path, hit.source.path), hit.focus)
    scored = f", scored {score:g} of 10" if score is not None else ""
    return f"{where} (score: {hit.relevance:.2f}{scored})"


def _render_budget(plan: DraftPlan) -> str:
    budget = plan.budget
    limit = f" of {budget.window:,}" if budget.window else ""
    return (
        f"Budget: brief {budget.brief:,}, feature spec {budget.spec:,}, "
        f"source summaries {budget.summaries:,}, chunks {budget.chunks:,}: "
        f"{budget.total:,}{limit} tokens."
    )


def _render_prompt(planned: PlannedSection) -> list[str]:
    if planned.prompt is None:
        return []
    lines = [
        "-" * 72,
        f"Prompt of {planned.outline.title} ({planned.prompt.tokens.total:,} tokens)",
    ]
    for message in planned.prompt.messages:
        lines += ["-" * 72, f"{message.role}:", message.content]
    return [*lines, ""]


def render_review(draft: Draft, path: Path) -> str:
    """What was written, and everything a reviewer has to look at."""
    filled = [section for section in draft.sections if section.sentences]
    reused = sum(section.reused for section in draft.sections)
    sections = format_count(len(filled), "section")
    sources = format_count(len(draft.cited_paths), "source")
    coverage, seconds = _format_share(draft.attribution_coverage), draft.seconds
    lines = [
        f"Wrote {path}",
        f"  {sections} from {sources}, by {draft.model}, in {seconds:.1f} s; coverage {coverage}.",
    ]
    if reused:
        lines.append(
            f"  {format_count(reused, 'section')} reused from the last run (--fresh rewrites them)."
        )
    if draft.verdict == "low_confidence":
        lines.append("  LOW CONFIDENCE: limited source coverage.")
    conflicts = ["", render_conflicts(draft.conflicts)] if draft.conflicts else []
    lines += ["", *_render_sections(draft), *conflicts, *_render_dropped(draft)]
    lines += ["", f"Cost: {format_cost(draft.usage)}"]
    return "\n".join(lines)


def _render_sections(draft: Draft) -> list[str]:
    width = max((len(section.title) for section in draft.sections), default=0)
    head = f"{'SECTION':<{width}}  COVERAGE  SENTENCES  SOURCES  CONFLICTS  LEFT OUT"
    return [head, *(_render_row(section, width) for section in draft.sections)]


def _render_row(section: Section, width: int) -> str:
    paths = {cited.evidence.hit.source.path for cited in section.sources}
    numbers = (
        f"{_format_share(section.attribution_coverage):>8}  {len(section.sentences):>9}  "
        f"{len(paths):>7}  {len(section.conflicts):>9}  {len(section.dropped):>8}"
    )
    empty = f"  empty: {section.reason}" if not section.sentences else ""
    low = "  LOW CONFIDENCE" if section.verdict == "low_confidence" else ""
    return f"{section.title:<{width}}  {numbers}{low}{empty}".rstrip()


def _render_dropped(draft: Draft) -> list[str]:
    rows = [(section, dropped) for section in draft.sections for dropped in section.dropped]
    if not rows:
        return []
    lines = ["", "Left out of the evidence:"]
    for section, dropped in rows[:_MAX_DROPPED]:
        where = format_location(dropped.hit.source.path, dropped.hit.focus)
        lines.append(
            f"- {section.title}: {where} (score: {dropped.hit.relevance:.2f}): {dropped.reason}"
        )
    if len(rows) > _MAX_DROPPED:
        lines.append(f"- and {len(rows) - _MAX_DROPPED} more (--json lists them all)")
    return lines


def format_cost(usage: Usage) -> str:
    """``12 model calls (3 more from the cache), 34,567 tokens, $0.1200.``"""
    cached = f" ({usage.cached} more from the cache)" if usage.cached else ""
    tokens = usage.prompt_tokens + usage.completion_tokens
    cost = "price unknown" if usage.cost is None else f"${usage.cost:.4f}"
    return f"{format_count(usage.calls, 'model call')}{cached}, {format_count(tokens, 'token')}, {cost}."


def _format_share(value: float | None) -> str:
    return "none" if value is None else f"{value:.0%}"
