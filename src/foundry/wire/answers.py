"""The JSON of search, ask, chat and verify. Offsets count code points in the stored text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Self

from pydantic import Field

from foundry.messages import Message
from foundry.records import (
    Answer,
    BlockKind,
    Box,
    CitedSource,
    ClaimCheck,
    Conflict,
    ConflictSide,
    CorrectedPart,
    DroppedHit,
    Evidence,
    Excerpt,
    Focus,
    GateDecision,
    GroundingChange,
    Hit,
    Quote,
    Recognition,
    RetrieverHit,
    RewriteMethod,
    SearchMode,
    Sentence,
    SubjectFit,
    Usage,
    Verdict,
    kinds,
)
from foundry.render.answer import NO_EVIDENCE
from foundry.wire import fields
from foundry.wire.base import From, RecordModel, Text, WireModel

HitNotices = Annotated[list[Message], Field(description="such as: its file is gone")]


QuoteCorrections = Annotated[
    tuple[CorrectedPart, ...], Field(description="what of it a person corrected; offsets as here")
]


class EvidenceIdJson(WireModel):
    """The field before those of a model that names this as its last base."""

    id: str = Field(description="S1 …")


class _QuotedJson(WireModel):
    text: str = Field(description="byte for byte from the source text")
    char_start: Annotated[fields.CharStart, From("start")]
    char_end: Annotated[int, From("end")]
    section: kinds.SectionTitle
    page: kinds.Page
    page_label: kinds.PageLabel
    time: fields.Time
    box: Box | None
    recognition: Recognition | None = Field(description="by OCR; null for text of the file")
    corrections: QuoteCorrections
    doubtful: list[str] = Field(description="values whose row or column is in doubt")


class _QuoteIdJson(WireModel):
    id: Annotated[str, From("evidence_id")] = Field(description="S1 …, the source it is from")


class QuoteJson(_QuotedJson, _QuoteIdJson):
    pass


class SentenceQuoteJson(QuoteJson):
    sentence: int | None = Field(description="index of the sentence it supports, from 0")


class _QuoteChunkJson(WireModel):
    chunk_id: Annotated[kinds.ChunkId, From("evidence_id")]


class ChunkQuoteJson(_QuotedJson, _QuoteChunkJson):
    pass


class LineQuoteJson(_QuotedJson):
    pass


class PassageJson(WireModel):
    chunk_id: kinds.ChunkId
    source: kinds.SourcePath
    title: str = Field(description="title of the source")
    revision: kinds.Revision
    revision_date: kinds.RevisionDate
    status: kinds.DocumentStatus | None
    section: kinds.SectionTitle
    page: kinds.Page
    page_label: kinds.PageLabel
    time: fields.Time
    score: kinds.Score = Field(description="calibrated relevance, 0 to 1")

    @classmethod
    def from_place(cls, hit: Hit, place: Focus | Quote) -> Self:
        """A place in the source of a hit."""
        return cls.copy_fields(
            place,
            hit.source,
            chunk_id=hit.chunk.id,
            source=hit.source.path,
            score=hit.relevance,
        )


# Passages that are shown to be read


class CellJson(WireModel):
    label: str = Field(description="of its column; may be empty")
    value: str

    @classmethod
    def from_record(cls, cell: tuple[str, str]) -> Self:
        return cls(label=cell[0], value=cell[1])


class ExcerptLineJson(WireModel):
    text: str = Field(description="readable: one line, without bullets and marks of Markdown")
    kind: BlockKind
    cells: list[CellJson] = Field(description="of a table row, its name first; else empty")
    context: bool = Field(description="true if it is not next to the others, as what opens a list")
    nearest: bool = Field(description="true for the line nearest to what was asked")
    quotes: list[LineQuoteJson] = Field(description="its exact words")


class ExcerptPlaceJson(PassageJson, EvidenceIdJson):
    """The score is that of the whole chunk."""

    @classmethod
    def from_record(cls, evidence: Evidence) -> Self:
        place = PassageJson.from_place(evidence.hit, evidence.hit.focus)
        return cls(**dict(place), id=evidence.id)


class ExcerptJson(PassageJson, EvidenceIdJson):
    headings: list[str] = Field(description="above it, outermost first")
    table: str = Field(description="title of the table that it is from; may be empty")
    lines: list[ExcerptLineJson]
    nearness: kinds.Score = Field(description="to what was asked, 0 to 1; it only orders")
    same: list[ExcerptPlaceJson] = Field(description="places that say it in nearly the same words")
    notices: HitNotices

    @classmethod
    def from_record(cls, excerpt: Excerpt) -> Self:
        hit, nearest = excerpt.evidence.hit, excerpt.nearest
        quotes = (nearest.quotes if nearest else ()) or excerpt.quotes
        return cls(
            **dict(PassageJson.from_place(hit, quotes[0] if quotes else hit.focus)),
            id=excerpt.evidence.id,
            headings=excerpt.headings,
            table=excerpt.table,
            lines=excerpt.lines,
            nearness=excerpt.score,
            same=excerpt.same,
            notices=hit.notices,
        )


# Search


Fit = Annotated[
    SubjectFit, Field(description="whether it is about the product, law, year … asked about")
]


class HitJson(WireModel):
    chunk_id: kinds.ChunkId
    source: kinds.SourcePath
    title: str = Field(description="title of the source")
    revision: kinds.Revision
    revision_date: kinds.RevisionDate
    status: kinds.DocumentStatus | None
    section: kinds.SectionTitle
    heading_path: list[str] = Field(description="outermost heading first")
    page: kinds.Page
    page_label: kinds.PageLabel
    time: fields.Time
    score: kinds.Share = Field(
        description="calibrated relevance, 0 to 1; null if the chunk has no vector yet"
    )
    fit: Fit
    dense: RetrieverHit | None
    bm25: RetrieverHit | None
    text: str = Field(description="the chunk, byte for byte from the source text")
    char_start: fields.CharStart
    char_end: int
    notices: HitNotices

    @classmethod
    def from_record(cls, hit: Hit) -> Self:
        return cls.copy_fields(
            hit,
            hit.focus,
            hit.source,
            chunk_id=hit.chunk.id,
            source=hit.source.path,
            score=hit.relevance if hit.rated else None,
            text=hit.chunk.text,
            char_start=hit.chunk.start,
            char_end=hit.chunk.end,
        )


class SearchJson(WireModel):
    query: str
    language: kinds.Language
    mode: SearchMode
    hits: list[HitJson]
    gate: GateDecision
    timings_ms: fields.RoundedTimings
    notices: kinds.Notices


# Ask and chat


class CitedSentenceJson(WireModel):
    text: str
    citations: list[str] = Field(description="S1 …, ids of sources")
    quotes: list[QuoteJson]
    computed: list[str] = Field(description="values calculated from the quotes: 982 - 969 = 13")
    verified: bool = Field(
        description="false if no rule settles it and no judge has read it, or with an objection"
    )
    objection: Text | None = Field(
        description="the exact difference that the rules see in what a judge accepts"
    )


class CitedSourceJson(PassageJson, EvidenceIdJson):
    quote: str | None = Field(description="byte for byte from the source text")
    char_start: int | None = Field(description="of the quote, in code points of the source text")
    char_end: int | None
    quotes: list[SentenceQuoteJson]
    fit: Fit
    notices: HitNotices

    @classmethod
    def from_source(cls, source: CitedSource, sentences: Sequence[Sentence]) -> Self:
        """The source with all its quotes, each with the sentence of the answer it supports."""
        shown = find_passage(source)
        hit = source.evidence.hit
        return cls(
            **dict(PassageJson.from_place(hit, shown or hit.focus)),
            id=source.evidence.id,
            quote=shown and shown.text,
            char_start=shown and shown.start,
            char_end=shown and shown.end,
            quotes=[
                {**dict(QuoteJson.from_record(quote)), "sentence": _find_sentence(quote, sentences)}
                for quote in source.quotes
            ],
            fit=hit.fit,
            notices=hit.notices,
        )


def find_passage(source: CitedSource) -> Quote | None:
    """The passage from the first quote of a cited source to its last, if they share a page.

    Otherwise the first quote; None for a source without quotes.
    """
    quotes = sorted(source.quotes, key=lambda quote: quote.start)
    if not quotes:
        return None
    first, end = quotes[0], max(quote.end for quote in quotes)
    if any(quote.page != first.page for quote in quotes):
        return first
    chunk = source.evidence.hit.chunk
    return replace(first, text=chunk.text[first.start - chunk.start : end - chunk.start], end=end)


def _find_sentence(quote: Quote, sentences: Sequence[Sentence]) -> int | None:
    """The index of the first sentence that the quote supports."""
    return next(
        (index for index, sentence in enumerate(sentences) if quote in sentence.quotes), None
    )


class ConflictSideJson(RecordModel, of=ConflictSide):
    quote: QuoteJson


class ConflictJson(RecordModel, of=Conflict):
    a: ConflictSideJson
    b: ConflictSideJson


class ScoredHitJson(WireModel):
    chunk_id: kinds.ChunkId
    source: kinds.SourcePath
    section: kinds.SectionTitle
    relevance: kinds.Score = Field(description="calibrated, 0 to 1")
    scored: float | None = Field(description="by retrieval.scorer_model, 0 to 10, if it scored")

    @classmethod
    def from_hit(cls, hit: Hit, score: float | None, **others: str | Message) -> Self:
        """A hit with the score that a relevance model gave it."""
        place = {"chunk_id": hit.chunk.id, "source": hit.source.path, "scored": score}
        return cls.copy_fields(hit, hit.focus, **place, **others)


class DroppedHitJson(ScoredHitJson):
    reason: Message = Field(description="why it is not evidence")

    @classmethod
    def from_record(cls, dropped: DroppedHit) -> Self:
        return cls.from_hit(dropped.hit, dropped.score, reason=dropped.reason)


class AnswerJson(WireModel):
    id: str | None = Field(description="in the query log; null if it could not be logged")
    question: str
    language: kinds.Language
    verdict: Verdict = Field(description="passages: no model wrote; nothing is called an answer")
    confidence: kinds.Score = Field(description="the gate's score, 0 to 1")
    reasons: list[Message]
    answer: str = Field(description="the sentences with citation marks; empty for passages")
    sentences: list[CitedSentenceJson]
    passages: list[ExcerptJson] = Field(description="the nearest, best first, where no model wrote")
    sources: list[CitedSourceJson]
    model: str = Field(description="who wrote the answer")
    mode: kinds.Mode
    attribution_coverage: kinds.Share = Field(description="verified share, before removal")
    shown_coverage: kinds.Share = Field(description="verified share of the shown sentences")
    timings_ms: fields.RoundedTimings
    usage: Usage
    gate: Annotated[GateDecision, From("search.gate")]
    conflicts: list[ConflictJson]
    dropped: list[DroppedHitJson]
    models: kinds.Models
    checks: list[ClaimCheck]
    changes: list[GroundingChange]
    notices: kinds.Notices

    @classmethod
    def from_record(cls, answer: Answer) -> Self:
        return cls.copy_fields(
            answer,
            answer=str(NO_EVIDENCE) if answer.verdict == "no_evidence" else answer.text,
            sources=[
                CitedSourceJson.from_source(source, answer.sentences) for source in answer.sources
            ],
        )


class TurnJson(WireModel):
    turn: Annotated[int, From("number")] = Field(description="from 1")
    typed: str = Field(description="the line that was read")
    question: Annotated[str, From("answer.question")] = Field(
        description="what was asked of the sources"
    )
    how: Annotated[RewriteMethod, From("standalone.how")]
    carried: Annotated[list[str], From("standalone.carried")] = Field(
        description="word taken from the question before"
    )
    answer: AnswerJson
