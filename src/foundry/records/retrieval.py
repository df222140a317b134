"""What a search is asked and what it finds: filters, hits, the gate's decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from foundry.records.documents import Chunk, Source
from foundry.records.kinds import Confidentiality, SearchMode, Verdict


@dataclass(frozen=True, slots=True)
class Filters:
    """What a search may see; applied inside both channels, never after.

    Empty tuples and None mean "no limit". ``role`` is the highest
    confidentiality the caller may see. Dates are ISO (``2026-03-01``), compared
    with a source's printed revision date, else with its modification date.
    """

    role: Confidentiality = "secret"
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    date_from: str | None = None
    date_to: str | None = None


@dataclass(frozen=True, slots=True)
class RetrieverHit:
    """A chunk's place in one channel: rank from 1, raw score (cosine or BM25)."""

    chunk_id: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Focus:
    """The place within a chunk that speaks to the query: where a reader should look."""

    start: int
    end: int
    heading_path: tuple[str, ...] = ()
    page: int | None = None
    page_label: str | None = None
    time: float | None = None

    @property
    def section(self) -> str | None:
        """The deepest heading with its number, or None."""
        return self.heading_path[-1] if self.heading_path else None


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk found for a query. ``relevance`` is calibrated, 0–1, and the only score shown."""

    chunk: Chunk
    source: Source
    focus: Focus
    relevance: float
    fused: float
    dense: RetrieverHit | None = None
    bm25: RetrieverHit | None = None


@dataclass(frozen=True, slots=True)
class DroppedHit:
    """A hit that is not evidence, and why; ``score_claim`` is the scorer's (0–10), None where unscored."""

    hit: Hit
    reason: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class GateDecision:
    """Whether retrieval found enough to answer from, decided before any model call.

    ``signals`` are the numbers the score was made of, by name; ``uncovered`` the
    words of the question that no source covers; ``threshold`` the configured
    ``retrieval.min_score``. ``constants``: whether the shipped ones made the score, or those
    fitted to the project's own questions.
    """

    decision: Verdict
    score: float
    threshold: float
    reasons: tuple[str, ...]
    signals: Mapping[str, float] = field(default_factory=dict)
    uncovered: tuple[str, ...] = ()
    calibrated: bool = True
    constants: Literal["shipped", "project"] = "shipped"


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A query's hits with the gate's decision; ``notices`` say what was skipped or partial.

    ``ranking`` holds the ids of every chunk that was found, best first: the hits are its head.
    """

    query: str
    language: str
    mode: SearchMode
    hits: tuple[Hit, ...]
    gate: GateDecision
    timings_ms: Mapping[str, float]
    notices: tuple[str, ...] = ()
    ranking: tuple[str, ...] = ()
