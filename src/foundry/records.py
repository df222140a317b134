"""The nouns of Foundry: frozen records that every floor passes along.

Records hold values and nothing else: no input or output, no configuration, no
third-party type. Offsets are code points in the stored text of a source; pages
count from 1; times are seconds from the start; scores are better when higher.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

BlockKind = Literal["heading", "paragraph", "list_item", "table", "code", "caption", "cue"]
Confidentiality = Literal["public", "internal", "confidential", "secret"]
SourceStatus = Literal["added", "updated", "unchanged", "removed", "failed"]
Verdict = Literal["answer", "low_confidence", "no_evidence"]
SearchMode = Literal["hybrid", "dense", "bm25"]

CONFIDENTIALITY_LEVELS: tuple[Confidentiality, ...] = (
    "public",
    "internal",
    "confidential",
    "secret",
)
"""From the least to the most closed; a role sees its own level and those before it."""


# -- Documents ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page in points (1/72 inch), from the page's top left corner."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a source in reading order.

    ``start`` and ``end`` span the block's own words in the source text (for a
    cue, its words without the timing line). ``heading_path`` names the sections
    it stands in, outermost first, each with its printed number ("3.2 Intervals");
    a heading block's own heading is the last of its path. ``level`` is 1–6 for
    headings and None for the rest.
    """

    kind: BlockKind
    start: int
    end: int
    heading_path: tuple[str, ...] = ()
    level: int | None = None
    page: int | None = None
    page_label: str | None = None
    box: Box | None = None
    time_start: float | None = None
    time_end: float | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """What a reader makes of a file: its text, its blocks in order, what is known of it.

    ``blocks`` do not overlap and are sorted by ``start``. ``warnings`` are
    sentences for a person ("3 of 12 pages are scanned and OCR is not installed").
    """

    text: str
    blocks: tuple[Block, ...]
    type: str
    title: str
    pages: int | None = None
    revision: str | None = None
    revision_date: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """One ingested file, known by its path within the project.

    ``path`` is POSIX and relative to the project; ``content_hash`` the SHA-256 of
    the file's bytes; ``type`` the reader's name ("pdf", "docx", "vtt" …);
    ``language`` an ISO 639-1 code or "und"; ``revision`` and ``revision_date``
    are those printed in the source, or None; ``recipe`` a hash of the settings and
    versions that made its chunks: under another recipe they are made anew.
    """

    id: str
    path: str
    content_hash: str
    title: str
    type: str
    language: str
    size: int
    modified: datetime
    ingested: datetime
    pages: int | None = None
    tags: tuple[str, ...] = ()
    confidentiality: Confidentiality = "public"
    revision: str | None = None
    revision_date: str | None = None
    warnings: tuple[str, ...] = ()
    recipe: str = ""
    chunks: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """A source in a few sentences: at most ``ingest.summary_max_tokens`` tokens."""

    source_id: str
    text: str
    model: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive blocks of one source: the unit of retrieval.

    ``text`` is the source text from ``start`` to ``end``, unchanged. ``content``
    is what is indexed and embedded: the same words without a file's syntax
    between them (subtitle timings). ``prefix`` is the context put before it for
    embedding. ``heading_path`` is the path that all its blocks share.
    """

    id: str
    source_id: str
    position: int
    start: int
    end: int
    text: str
    content: str
    tokens: int
    language: str
    heading_path: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    prefix: str = ""
    blocks: tuple[Block, ...] = ()

    @property
    def embedded_text(self) -> str:
        """What the embedding model reads (decision D0004): prefix, blank line, content."""
        return f"{self.prefix}\n\n{self.content}" if self.prefix else self.content


# -- Retrieval ---------------------------------------------------------------


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
class ChannelHit:
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
    dense: ChannelHit | None = None
    bm25: ChannelHit | None = None


@dataclass(frozen=True, slots=True)
class GateDecision:
    """Whether retrieval found enough to answer from, decided before any model call.

    ``signals`` are the numbers the score was made of, by name; ``uncovered`` the
    words of the question that no source covers; ``threshold`` the configured
    ``retrieval.min_score``.
    """

    decision: Verdict
    score: float
    threshold: float
    reasons: tuple[str, ...]
    signals: Mapping[str, float] = field(default_factory=dict)
    uncovered: tuple[str, ...] = ()
    calibrated: bool = True


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A query's hits with the gate's decision; ``notices`` say what was skipped or partial."""

    query: str
    language: str
    mode: SearchMode
    hits: tuple[Hit, ...]
    gate: GateDecision
    timings_ms: Mapping[str, float]
    notices: tuple[str, ...] = ()


# -- Answers -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Evidence:
    """A hit that is handed to the generator under a number: S1, S2, …"""

    id: str
    hit: Hit


@dataclass(frozen=True, slots=True)
class Quote:
    """The exact words in a source that carry a statement."""

    evidence_id: str
    text: str
    start: int
    end: int
    page: int | None = None
    page_label: str | None = None
    section: str | None = None
    time: float | None = None
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A statement of an answer with what it cites; ``quotes`` carry it, one or more per citation."""

    text: str
    citations: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What grounding did to a model's sentence, and why: nothing disappears without one."""

    sentence: str
    action: Literal["reattributed", "removed", "recited"]
    reason: str


@dataclass(frozen=True, slots=True)
class Grounding:
    """A model's text after verification.

    ``attribution_coverage``: sentences with a verified citation over all the
    model's sentences, before removal; ``shown_coverage``: the same over what is
    left. Both None when there is nothing to count.
    """

    sentences: tuple[Sentence, ...]
    changes: tuple[Change, ...] = ()
    attribution_coverage: float | None = None
    shown_coverage: float | None = None
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """What the model calls of one operation took. ``cost`` in US dollars, None if unknown."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0
    cached: int = 0


@dataclass(frozen=True, slots=True)
class CitedSource:
    """An entry of an answer's source list: evidence with the quotes that were used."""

    evidence: Evidence
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of ``ask``: never without a verdict, never with an unverified citation."""

    question: str
    language: str
    verdict: Verdict
    confidence: float
    reasons: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    sources: tuple[CitedSource, ...]
    model: str
    mode: str
    attribution_coverage: float | None
    shown_coverage: float | None
    timings_ms: Mapping[str, float]
    usage: Usage
    search: SearchResult
    changes: tuple[Change, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The answer as prose, each sentence followed by its marks: ``Five volts [S1].``"""
        return " ".join(marked(sentence) for sentence in self.sentences)


def marked(sentence: Sentence) -> str:
    """A sentence followed by its citation marks, before its closing stop."""
    if not sentence.citations:
        return sentence.text
    marks = " ".join(f"[{citation}]" for citation in sentence.citations)
    body = sentence.text.rstrip()
    if body.endswith((".", "!", "?")):
        return f"{body[:-1].rstrip()} {marks}{body[-1]}"
    return f"{body} {marks}"


@dataclass(frozen=True, slots=True)
class Section:
    """One section of a draft; an empty one says in ``reason`` why nothing stands in it."""

    title: str
    sentences: tuple[Sentence, ...]
    sources: tuple[CitedSource, ...] = ()
    search: SearchResult | None = None
    reason: str | None = None
    attribution_coverage: float | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """The result of ``generate``, before it is rendered."""

    topic: str
    language: str
    verdict: Verdict
    sections: tuple[Section, ...]
    model: str
    mode: str
    attribution_coverage: float | None
    shown_coverage: float | None
    timings_ms: Mapping[str, float]
    usage: Usage
    created: datetime
    changes: tuple[Change, ...] = ()
    notices: tuple[str, ...] = ()


# -- Reports -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FileReport:
    """What an ingest did with one file. ``reason`` is set for failed and noteworthy files."""

    path: str
    status: SourceStatus
    reason: str | None = None
    pages: int | None = None
    chunks: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did. ``pending`` chunks have text and BM25 but no vector yet."""

    files: tuple[FileReport, ...]
    embedded: int
    pending: int
    seconds: float
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """How much of the project each index holds."""

    sources: int
    chunks: int
    text_rows: int
    model: str | None
    vectors: int
    pending: int
    fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in the database, and the command that mends it."""

    code: str
    message: str
    fix: str


@dataclass(frozen=True, slots=True)
class QueryRecord:
    """One row of the query log (specification §11)."""

    id: str
    time: datetime
    kind: str
    query: str
    rewritten: str | None
    role: str
    agent: str | None
    verdict: Verdict | None
    gate_score: float | None
    chunks: tuple[tuple[str, float], ...]
    models: Mapping[str, str]
    answer: str | None
    attribution_coverage: float | None
    shown_coverage: float | None
    timings_ms: Mapping[str, float]
    usage: Usage
    error: str | None = None
