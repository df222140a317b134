"""A document before it is written, as ``--dry-run`` shows it: hits, scores, conflicts, budget, prompts."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from foundry.cli.output import say
from foundry.generate import Plan, PlannedSection
from foundry.records import DroppedHit, Hit
from foundry.render.budget import budget_warning
from foundry.render.conflicts import conflict_as_dict, conflicts_text
from foundry.render.places import describe, short_names
from foundry.render.scores import dropped_as_dict, scored_as_dict

_RULE = "-" * 72


def announce(plan: Plan) -> None:
    """What a reader must know before anything is written, on standard error."""
    if plan.conflicts:
        say(conflicts_text(plan.conflicts))
    if plan.budget.is_tight:
        say(budget_warning(plan.budget))


def plan_text(plan: Plan) -> str:
    """Every section with what was found for it, then the budget, then the prompts."""
    feature = plan.feature
    head = f"{feature.title} ({feature.path})" if feature else plan.topic
    lines = [f"Dry run: {head}", f"Topic: {plan.topic}", ""]
    for planned in plan.sections:
        lines += [*_section(planned), ""]
    lines += [_budget(plan), ""]
    for planned in plan.sections:
        lines += _prompt(planned)
    return "\n".join(lines).rstrip()


def _section(planned: PlannedSection) -> list[str]:
    gathered = planned.gathered
    gate = gathered.result.gate
    lines = [
        f"## {planned.outline.title}",
        *(f"  asks for: {one}" for one in planned.outline.wants),
    ]
    lines.append(f"  Gate: {gate.decision} (score: {gate.score:.2f}) {' '.join(gate.reasons)}")
    if not gathered.evidence and gate.decision != "no_evidence":
        lines += [f"  No evidence: {reason}" for reason in gathered.reasons]
    names = short_names(hit.source.path for hit in gathered.result.hits)
    for item in gathered.evidence:
        score = gathered.scores.get(item.hit.chunk.id)
        lines.append(f"  {item.id:<4}{_hit(item.hit, names, score)}")
    lines += [f"  out {_dropped(one, names)}" for one in gathered.dropped]
    return [*lines, *(f"  Note: {notice}" for notice in gathered.notices)]


def _hit(hit: Hit, names: dict[str, str], score: float | None) -> str:
    place = describe(hit.focus)
    where = f"{names.get(hit.source.path, hit.source.path)}{', ' if place else ''}{place}"
    scored = f", scored {score:g} of 10" if score is not None else ""
    return f"{where} (score: {hit.relevance:.2f}{scored})"


def _dropped(one: DroppedHit, names: dict[str, str]) -> str:
    return f"{_hit(one.hit, names, one.score)}: {one.reason}"


def _budget(plan: Plan) -> str:
    budget = plan.budget
    limit = f" of {budget.window:,}" if budget.window else ""
    return (
        f"Budget: brief {budget.brief:,}, feature spec {budget.spec:,}, "
        f"source summaries {budget.summaries:,}, chunks {budget.chunks:,}: "
        f"{budget.total:,}{limit} tokens."
    )


def _prompt(planned: PlannedSection) -> list[str]:
    if planned.prompt is None:
        return []
    lines = [_RULE, f"Prompt of {planned.outline.title} ({planned.prompt.tokens.total:,} tokens)"]
    for message in planned.prompt.messages:
        lines += [_RULE, f"{message.role}:", message.content]
    return [*lines, ""]


def plan_as_dict(plan: Plan) -> dict[str, Any]:
    """The JSON of ``foundry generate --dry-run``."""
    return {
        "topic": plan.topic,
        "feature": plan.feature.name if plan.feature else None,
        "language": plan.language,
        "sections": [_section_as_dict(planned) for planned in plan.sections],
        "conflicts": [conflict_as_dict(conflict) for conflict in plan.conflicts],
        "budget": {**asdict(plan.budget), "total": plan.budget.total},
        "tight": plan.budget.is_tight,
        "usage": asdict(plan.usage),
        "notices": list(plan.notices),
    }


def _section_as_dict(planned: PlannedSection) -> dict[str, Any]:
    gathered, prompt = planned.gathered, planned.prompt
    gate = gathered.result.gate
    return {
        "title": planned.outline.title,
        "wants": list(planned.outline.wants),
        "verdict": gate.decision,
        "score": round(gate.score, 4),
        "reasons": list(gate.reasons if gate.decision == "no_evidence" else gathered.reasons),
        "evidence": [
            {"id": item.id, **scored_as_dict(item.hit, gathered.scores.get(item.hit.chunk.id))}
            for item in gathered.evidence
        ],
        "dropped": [dropped_as_dict(one) for one in gathered.dropped],
        "left_out": [item.id for item in planned.left_out],
        "prompt": [asdict(message) for message in prompt.messages] if prompt else [],
        "prompt_tokens": prompt.tokens.total if prompt else None,
        "notices": list(gathered.notices),
    }
