"""Search: filters, hits, and the gate's decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from foundry.doc import HIDDEN, Doc
from foundry.messages import Message
from foundry.options import SearchMode
from foundry.records.documents import Chunk, Source
from foundry.records.kinds import GateVerdict, Score
from foundry.records.question import Question, SubjectFit


@dataclass(frozen=True, slots=True)
class Filters:
    """What the caller wants to search, applied inside both retrievers.

    What the caller may see is not a filter: it is the store's view (``foundry.store.StoreView``). Empty
    tuples and None do not filter. ``folders`` are paths in the project, each with all below it; ``levels``
    are those of confidentiality. ``section`` is the heading path of the only section to search, within one
    source. ``revision`` is "" for the current one of each document, "all", or
    a mark or date; what it leaves out is in ``without``, by path. Dates are ISO (``2026-03-01``) and are compared with a source's printed revision
    date, else with its modification date.
    """

    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    date_from: str | None = None
    date_to: str | None = None
    revision: str = field(default="", compare=False)
    without: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    section: Annotated[tuple[str, ...], HIDDEN] = ()


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value that sources have, and how many of them."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """The values that sources have, those of the most sources first."""

    type: tuple[FacetValue, ...]
    tag: tuple[FacetValue, ...]
    folder: Annotated[tuple[FacetValue, ...], Doc("a source counts for every folder above it")]
    confidentiality: tuple[FacetValue, ...]
    year: Annotated[tuple[FacetValue, ...], Doc("of the printed revision date, else of the file")]
    revision: Annotated[tuple[FacetValue, ...], Doc("as printed; a source may have none")]


@dataclass(frozen=True, slots=True)
class RetrieverHit:
    """A chunk's position in one retriever's ranking.

    ``language`` is the chunk's, from the vector index; BM25 finds only the question's own words.
    """

    chunk_id: Annotated[str, HIDDEN]
    rank: Annotated[int, Doc("from 1")]
    score: Annotated[Score, Doc("cosine or BM25")]
    language: Annotated[str, HIDDEN] = "und"


@dataclass(frozen=True, slots=True)
class Focus:
    """The place within a chunk that answers the query: where a reader should look."""

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
    """A chunk found for a query; ``relevance`` (0–1) is calibrated, and the only score shown.

    ``rated`` is false for a chunk without vectors where they count: its relevance is too low then.
    ``nearness`` has the spans of its windows in the source text, each with its cosine to the query.
    ``fit`` says whether it is about what the question names.
    ``notices`` are about this hit alone, such as that its file is gone.
    """

    chunk: Chunk
    source: Source
    focus: Focus
    relevance: float
    fused: float
    dense: RetrieverHit | None = None
    bm25: RetrieverHit | None = None
    rated: bool = True
    notices: tuple[Message, ...] = ()
    nearness: tuple[tuple[int, int, float], ...] = ()
    fit: SubjectFit = field(default_factory=SubjectFit)


@dataclass(frozen=True, slots=True)
class DroppedHit:
    """A hit not used as evidence, and why; ``score`` is the scorer's (0–10), None if unscored."""

    hit: Hit
    reason: Message
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """A hit given to the generator under an id: S1, S2, …"""

    id: str
    hit: Hit


@dataclass(frozen=True, slots=True)
class GateDecision:
    """Whether retrieval found enough to answer from, decided before any model call."""

    decision: GateVerdict
    score: Annotated[Score, Doc("0 to 1")]
    threshold: Annotated[float, Doc("retrieval.min_score")]
    reasons: tuple[Message, ...]
    signals: Annotated[Mapping[str, Score], Doc("input of the score")] = field(default_factory=dict)
    uncovered: Annotated[tuple[str, ...], Doc("word of the question that no source contains")] = ()
    calibrated: Annotated[bool, Doc("false if not fitted to the embedding model")] = True
    constants: Annotated[Literal["shipped", "project"], Doc("project: fitted to its questions")] = (
        "shipped"
    )
    unmentioned: Annotated[
        tuple[str, ...], Doc("name or abbreviation in it that no source has")
    ] = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of a question with the gate's decision; ``notices`` report what was skipped.

    ``ranking`` contains the ids of all chunks found, best first; the hits are its head.
    ``evidence`` is what a writer of an answer may cite, once that is chosen.
    """

    question: Question
    mode: SearchMode
    hits: tuple[Hit, ...]
    gate: GateDecision
    timings_ms: Mapping[str, float]
    notices: tuple[Message, ...] = ()
    ranking: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    filters: Filters = field(default_factory=Filters)

    @property
    def query(self) -> str:
        """The question's text."""
        return self.question.text

    @property
    def language(self) -> str:
        """The question's language, ISO 639-1, or "und" if it is unclear."""
        return self.question.language
