"""The operator's review of a draft: coverage per section, what was left out, what contradicts, the cost."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from foundry.cli.output import count
from foundry.records import Draft, Section, Usage
from foundry.render.conflicts import conflict_as_dict, conflicts_text
from foundry.render.places import describe
from foundry.render.scores import dropped_as_dict

_MOST_DROPPED = 20


def review_text(draft: Draft, path: Path) -> str:
    """What was written, and everything a reviewer has to look at."""
    filled = [section for section in draft.sections if section.sentences]
    reused = sum(section.reused for section in draft.sections)
    sections, sources = count(len(filled), "section"), count(len(cited_paths(draft)), "source")
    made = f"{sections} from {sources}, by {draft.model}"
    lines = [
        f"Wrote {path}",
        f"  {made}, in {_seconds(draft):.1f} s; coverage {_share(draft.attribution_coverage)}.",
    ]
    if reused:
        lines.append(f"  {count(reused, 'section')} unchanged since the last run (--fresh forces).")
    if draft.verdict == "low_confidence":
        lines.append("  LOW CONFIDENCE: limited source coverage.")
    conflicts = ["", conflicts_text(draft.conflicts)] if draft.conflicts else []
    lines += ["", *_table(draft), *conflicts, *_dropped(draft)]
    lines += ["", f"Cost: {cost_text(draft.usage)}"]
    return "\n".join(lines)


def _table(draft: Draft) -> list[str]:
    width = max((len(section.title) for section in draft.sections), default=0)
    head = f"{'SECTION':<{width}}  COVERAGE  SENTENCES  SOURCES  CONFLICTS  LEFT OUT"
    return [head, *(_row(section, width) for section in draft.sections)]


def _row(section: Section, width: int) -> str:
    paths = {cited.evidence.hit.source.path for cited in section.sources}
    numbers = (
        f"{_share(section.attribution_coverage):>8}  {len(section.sentences):>9}  "
        f"{len(paths):>7}  {len(section.conflicts):>9}  {len(section.dropped):>8}"
    )
    told = f"  empty: {section.reason}" if not section.sentences else ""
    low = "  LOW CONFIDENCE" if section.verdict == "low_confidence" else ""
    return f"{section.title:<{width}}  {numbers}{low}{told}".rstrip()


def _dropped(draft: Draft) -> list[str]:
    rows = [(section, one) for section in draft.sections for one in section.dropped]
    if not rows:
        return []
    lines = ["", "Left out of the evidence:"]
    for section, one in rows[:_MOST_DROPPED]:
        place = describe(one.hit.focus)
        where = f"{one.hit.source.path}{', ' if place else ''}{place}"
        lines.append(f"- {section.title}: {where} (score: {one.hit.relevance:.2f}): {one.reason}")
    if len(rows) > _MOST_DROPPED:
        lines.append(f"- and {len(rows) - _MOST_DROPPED} more (--json lists them all)")
    return lines


def cost_text(usage: Usage) -> str:
    """``12 calls (3 more from the cache), 34,567 tokens, $0.1200``."""
    cached = f" ({usage.cached} more from the cache)" if usage.cached else ""
    tokens = usage.prompt_tokens + usage.completion_tokens
    cost = "price unknown" if usage.cost is None else f"${usage.cost:.4f}"
    return f"{count(usage.calls, 'model call')}{cached}, {count(tokens, 'token')}, {cost}."


def draft_as_dict(draft: Draft, path: Path | None) -> dict[str, Any]:
    """The JSON of ``foundry generate``."""
    return {
        "path": str(path) if path else None,
        "topic": draft.topic,
        "feature": draft.feature.name if draft.feature else None,
        "language": draft.language,
        "verdict": draft.verdict,
        "coverage": draft.attribution_coverage,
        "shown_coverage": draft.shown_coverage,
        "sections": [_section_as_dict(section) for section in draft.sections],
        "sources": cited_paths(draft),
        "model": draft.model,
        "models": dict(draft.models),
        "mode": draft.mode,
        "conflicts": [conflict_as_dict(conflict) for conflict in draft.conflicts],
        "budget": (
            {**dataclasses.asdict(draft.budget), "total": draft.budget.total}
            if draft.budget
            else None
        ),
        "usage": dataclasses.asdict(draft.usage),
        "notices": list(draft.notices),
        "seconds": round(_seconds(draft), 3),
    }


def _section_as_dict(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "verdict": section.verdict,
        "sentences": len(section.sentences),
        "sources": len(section.sources),
        "coverage": section.attribution_coverage,
        "shown_coverage": section.shown_coverage,
        "reason": section.reason,
        "reused": section.reused,
        "conflicts": len(section.conflicts),
        "dropped": [dropped_as_dict(one) for one in section.dropped],
        "changes": [dataclasses.asdict(change) for change in section.changes],
    }


def cited_paths(draft: Draft) -> list[str]:
    """The sources that the draft cites, by path, in order of first use."""
    cited = (cited for section in draft.sections for cited in section.sources)
    return list(dict.fromkeys(entry.evidence.hit.source.path for entry in cited))


def _share(value: float | None) -> str:
    return "none" if value is None else f"{value:.0%}"


def _seconds(draft: Draft) -> float:
    total = draft.timings_ms.get("total")
    return (sum(draft.timings_ms.values()) if total is None else total) / 1000
