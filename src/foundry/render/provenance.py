"""Where a document comes from: its front matter, from which a reader can check everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from foundry import __version__
from foundry.records import Draft, Feature, Section, Source
from foundry.render.conflicts import conflict_in_brief


def document_title(draft: Draft) -> str:
    """The specification's title, else the topic."""
    return draft.feature.title if draft.feature and draft.feature.title else draft.topic


def front_matter(draft: Draft, sources: Iterable[Source]) -> dict[str, Any]:
    """Topic, specification, models, sources with their hashes, coverage, conflicts, changes, time."""
    changes = Counter(change.action for change in draft.changes)
    return {
        "title": document_title(draft),
        "topic": draft.topic,
        "feature": _feature(draft.feature) if draft.feature else None,
        "language": draft.language,
        "created": draft.created.isoformat(timespec="seconds"),
        "foundry": __version__,
        "generator": {"model": draft.model, "mode": draft.mode},
        "models": dict(draft.models),
        "verdict": draft.verdict,
        "coverage": {
            "attribution": _rounded(draft.attribution_coverage),
            "shown": _rounded(draft.shown_coverage),
        },
        "sections": [_section(section) for section in draft.sections],
        "sources": [
            {
                "path": source.path,
                "title": source.title,
                "revision": source.revision,
                "revision_date": source.revision_date,
                "sha256": source.content_hash,
            }
            for source in sources
        ],
        "conflicts": [conflict_in_brief(conflict) for conflict in draft.conflicts],
        "changes": dict(sorted(changes.items())),
        "notices": list(draft.notices),
    }


def _feature(feature: Feature) -> dict[str, Any]:
    approval = feature.approval
    return {
        "name": feature.name,
        "sha256": feature.content_hash,
        "approved_by": approval.by if approval else None,
        "approved": approval.time.isoformat(timespec="seconds") if approval else None,
    }


def _section(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "verdict": section.verdict,
        "coverage": _rounded(section.attribution_coverage),
        "reason": section.reason,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
