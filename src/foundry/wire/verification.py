"""The JSON of verify. Offsets count code points in the stored text."""

from __future__ import annotations

from typing import Self

from pydantic import Field

from foundry.messages import Message
from foundry.records import CheckedStatement, ClaimVerdict, Reference, SkippedText, Usage, kinds
from foundry.render.verification import find_shown_quote
from foundry.wire.answers import ChunkQuoteJson, ExcerptJson, PassageJson
from foundry.wire.base import WireModel


class VerdictCountsJson(WireModel):
    exact: int = Field(description="by rule: one sentence or row says it, of what it cites")
    supported: int = Field(description="by a judge: the sources say it")
    misattributed: int = Field(description="exact or supported, by another source than it cites")
    partly: int = Field(description="by a judge: the sources say only part of it")
    unclear: int = Field(description="neither exact nor contradicted: read its nearest passages")
    contradicted: int = Field(
        description="by rule: the source says another value, name or polarity"
    )
    unsupported: int = Field(description="by a judge: the sources do not say it")


class StatementJson(WireModel):
    text: str = Field(description="complete: an item with its introduction, a row with its header")
    line: int | None = Field(description="from 1; null if the file has no lines")
    page: kinds.Page
    page_label: kinds.PageLabel
    section: str | None = Field(description="heading above it")
    start: int = Field(description="in code points of the text as it was read")
    end: int
    verdict: ClaimVerdict
    score: kinds.Score = Field(description="nearness in words, 0 to 1; it only orders")
    reason: Message
    differs: str | None = Field(description="what the source says instead")
    cited: list[Reference]
    carried_by: list[str] = Field(description="path of a source that says it")
    source: PassageJson | None
    quote: str | None = Field(description="that says it or comes nearest, byte for byte")
    char_start: int | None = Field(description="of the quote, in code points of the source text")
    char_end: int | None
    quotes: list[ChunkQuoteJson]
    shared: list[str] = Field(description="word, name or value that the nearest sentence has too")
    missing: list[str] = Field(description="word, name or value that the nearest sentence lacks")
    nearest: list[ExcerptJson] = Field(description="passages to read where it is unclear")

    @classmethod
    def from_record(cls, statement: CheckedStatement) -> Self:
        claimed, check, hit = statement.claimed, statement.check, statement.hit
        quote = find_shown_quote(statement)
        return cls.copy_fields(
            check,
            claimed,
            text=check.sentence,
            nearest=statement.nearest,
            cited=claimed.references,
            source=hit and PassageJson.from_place(hit, quote or hit.focus),
            quote=quote and quote.text,
            char_start=quote and quote.start,
            char_end=quote and quote.end,
        )


class VerificationJson(WireModel):
    file: str = Field(description="as named in the command")
    language: kinds.Language
    coverage: kinds.Share = Field(description="exact and judged; null without statements")
    exact: kinds.Share = Field(description="share that one sentence or row of the sources says")
    judged: kinds.Share = Field(description="share that a judge found supported")
    min_attribution: float = Field(description="validation.min_attribution")
    passed: bool = Field(description="whether coverage reaches it; if not, the exit status is 1")
    counts: VerdictCountsJson
    statements: list[StatementJson]
    skipped: list[SkippedText]
    timings_ms: kinds.Timings
    usage: Usage
    notices: kinds.Notices
    judge: str | None = Field(description="model that judged; null without one")
    unjudged: int = Field(description="statements that the judge did not decide on")
