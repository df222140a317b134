"""The JSON of search, ask, chat and verify. Offsets count code points in the stored text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal, Self

from pydantic import Field

from foundry.messages import Message
from foundry.records import (
    Answer,
    BlockKind,
    Box,
    CitedSource,
    ClaimVerdict,
    ConflictKind,
    CorrectedPart,
    DroppedHit,
    Evidence,
    Excerpt,
    Focus,
    GateVerdict,
    Hit,
    Quote,
    Recognition,
    RewriteMethod,
    SearchMode,
    Sentence,
    Verdict,
)
from foundry.render.answer import NO_EVIDENCE
from foundry.wire import fields
from foundry.wire.base import From, MessageJson, UsageJson, WireModel

HitNotices = Annotated[list[MessageJson], Field(description="such as: its file is gone")]


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
    section: fields.SectionTitle
    page: fields.Page
    page_label: fields.PageLabel
    time: fields.Time
    box: Box | None
    recognition: Recognition | None = Field(description="by OCR; null for text of the file")
    corrections: QuoteCorrections


class _QuoteIdJson(WireModel):
    id: Annotated[str, From("evidence_id")] = Field(description="S1 …, the source it is from")


class QuoteJson(_QuotedJson, _QuoteIdJson):
    pass


class SentenceQuoteJson(QuoteJson):
    sentence: int | None = Field(description="index of the sentence it supports, from 0")


class _QuoteChunkJson(WireModel):
    chunk_id: Annotated[fields.ChunkId, From("evidence_id")]


class ChunkQuoteJson(_QuotedJson, _QuoteChunkJson):
    pass


class LineQuoteJson(_QuotedJson):
    pass


class PassageJson(WireModel):
    chunk_id: fields.ChunkId
    source: fields.SourcePath
    title: str = Field(description="title of the source")
    revision: fields.Revision
    revision_date: fields.RevisionDate
    section: fields.SectionTitle
    page: fields.Page
    page_label: fields.PageLabel
    time: fields.Time
    score: fields.Score = Field(description="calibrated relevance, 0 to 1")

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
    nearness: fields.Score = Field(description="to what was asked, 0 to 1; it only orders")
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


class GateJson(WireModel):
    decision: GateVerdict
    score: fields.Score = Field(description="0 to 1")
    threshold: float = Field(description="retrieval.min_score")
    reasons: list[MessageJson]
    signals: dict[str, fields.Score] = Field(description="input of the score")
    uncovered: list[str] = Field(description="word of the question that no source contains")
    unmentioned: list[str] = Field(description="name or abbreviation in it that no source has")
    calibrated: bool = Field(description="false if not fitted to the embedding model")
    constants: Literal["shipped", "project"] = Field(description="project: fitted to its questions")


class RankJson(WireModel):
    rank: int = Field(description="from 1")
    score: fields.Score = Field(description="cosine or BM25")


class SubjectFitJson(WireModel):
    verdict: Literal["fits", "unknown", "other"] = Field(
        description="other: its document or period is another one; unknown also if none is named"
    )
    reason: MessageJson | None


Fit = Annotated[
    SubjectFitJson, Field(description="whether it is about the product, law, year … asked about")
]


class HitJson(WireModel):
    chunk_id: fields.ChunkId
    source: fields.SourcePath
    title: str = Field(description="title of the source")
    revision: fields.Revision
    revision_date: fields.RevisionDate
    section: fields.SectionTitle
    heading_path: list[str] = Field(description="outermost heading first")
    page: fields.Page
    page_label: fields.PageLabel
    time: fields.Time
    score: fields.Share = Field(
        description="calibrated relevance, 0 to 1; null if the chunk has no vector yet"
    )
    fit: Fit
    dense: RankJson | None
    bm25: RankJson | None
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
    language: fields.Language
    mode: SearchMode
    hits: list[HitJson]
    gate: GateJson
    timings_ms: fields.RoundedTimings
    notices: fields.Notices


# Ask and chat


class CitedSentenceJson(WireModel):
    text: str
    citations: list[str] = Field(description="S1 …, ids of sources")
    quotes: list[QuoteJson]
    computed: list[str] = Field(description="values calculated from the quotes: 982 - 969 = 13")
    verified: bool = Field(
        description="false if no rule settles it and no judge has read it, or with an objection"
    )
    objection: fields.Text | None = Field(
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


class ConflictSideJson(WireModel):
    chunk_id: fields.ChunkId
    source: fields.SourcePath
    revision: fields.Revision
    revision_date: fields.RevisionDate
    quote: QuoteJson


class ConflictJson(WireModel):
    kind: ConflictKind
    a: ConflictSideJson
    b: ConflictSideJson
    values: list[str] = Field(description="what differs, as each side writes it: a, then b")
    reason: MessageJson
    holds: Literal["a", "b"] | None = Field(description="the side that is followed")
    rule: MessageJson | None = Field(description="why that side is followed")
    superseded: bool = Field(description="revisions of one document; the later is followed")
    found_by: str = Field(description="rules, or the model's name")


class ScoredHitJson(WireModel):
    chunk_id: fields.ChunkId
    source: fields.SourcePath
    section: fields.SectionTitle
    relevance: fields.Score = Field(description="calibrated, 0 to 1")
    scored: float | None = Field(description="by retrieval.scorer_model, 0 to 10, if it scored")

    @classmethod
    def from_hit(cls, hit: Hit, score: float | None, **others: str | Message) -> Self:
        """A hit with the score that a relevance model gave it."""
        place = {"chunk_id": hit.chunk.id, "source": hit.source.path, "scored": score}
        return cls.copy_fields(hit, hit.focus, **place, **others)


class DroppedHitJson(ScoredHitJson):
    reason: MessageJson = Field(description="why it is not evidence")

    @classmethod
    def from_record(cls, dropped: DroppedHit) -> Self:
        return cls.from_hit(dropped.hit, dropped.score, reason=dropped.reason)


class GroundingChangeJson(WireModel):
    sentence: str
    action: Literal["reattributed", "regenerated", "removed", "recited"]
    reason: MessageJson


class ClaimCheckJson(WireModel):
    sentence: str = Field(description="as it was written, before any repair")
    verdict: ClaimVerdict
    score: fields.Score = Field(description="nearness in words, 0 to 1; it only orders")
    reason: MessageJson
    differs: str | None = Field(description="what the source says instead")
    citations: list[str] = Field(description="as written")
    carried_by: list[str] = Field(description="evidence that says it")
    computed: list[str] = Field(description="values calculated from the evidence")
    shared: list[str] = Field(description="word, name or value that the nearest sentence has too")
    missing: list[str] = Field(description="word, name or value that the nearest sentence lacks")


class AnswerJson(WireModel):
    id: str | None = Field(description="in the query log; null if it could not be logged")
    question: str
    language: fields.Language
    verdict: Verdict = Field(description="passages: no model wrote; nothing is called an answer")
    confidence: fields.Score = Field(description="the gate's score, 0 to 1")
    reasons: list[MessageJson]
    answer: str = Field(description="the sentences with citation marks; empty for passages")
    sentences: list[CitedSentenceJson]
    passages: list[ExcerptJson] = Field(description="the nearest, best first, where no model wrote")
    sources: list[CitedSourceJson]
    model: str = Field(description="who wrote the answer")
    mode: fields.Mode
    attribution_coverage: fields.Share = Field(description="verified share, before removal")
    shown_coverage: fields.Share = Field(description="verified share of the shown sentences")
    timings_ms: fields.RoundedTimings
    usage: UsageJson
    gate: Annotated[GateJson, From("search.gate")]
    conflicts: list[ConflictJson]
    dropped: list[DroppedHitJson]
    models: fields.Models
    checks: list[ClaimCheckJson]
    changes: list[GroundingChangeJson]
    notices: fields.Notices

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
