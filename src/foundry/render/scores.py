"""Hits with their scores as JSON: what became evidence, and what did not and why."""

from __future__ import annotations

from typing import Any

from foundry.records import DroppedHit, Hit


def dropped_as_dict(one: DroppedHit) -> dict[str, Any]:
    """A hit that is not evidence, with its reason."""
    return {**scored_as_dict(one.hit, one.score), "reason": one.reason}


def scored_as_dict(hit: Hit, score: float | None) -> dict[str, Any]:
    """A hit's place with its relevance (0–1) and the scorer's score (0–10)."""
    return {
        "chunk_id": hit.chunk.id,
        "source": hit.source.path,
        "section": hit.focus.section,
        "relevance": round(hit.relevance, 4),
        "scored": score,
    }
