"""The JSON of corrections, and of the blocks that they are made in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from pydantic import Field

from foundry.journeys.passages.blocks import NumberedBlock
from foundry.journeys.passages.corrections import CorrectionPreview
from foundry.journeys.revisions import CitingStatement
from foundry.messages import Message
from foundry.records import BlockKind, CorrectionKind, CorrectionState, kinds
from foundry.wire.base import Timestamp, WireModel


class CorrectionJson(WireModel):
    id: str = Field(description="cor_…")
    source: kinds.SourcePath
    sha256: str = Field(description="of the file's bytes; all sources that have them are corrected")
    kind: CorrectionKind
    block: int = Field(description="number from 1, as the file was read")
    words: str = Field(description="of the block that is corrected, as read")
    before: str = Field(description="words, rows, level of the heading or text, header of a table")
    after: str = Field(description="what it is now, in the same form")
    reason: str
    author: str
    created: Timestamp
    applied: bool
    problem: Message | None = Field(description="why it is not applied")

    @classmethod
    def from_record(cls, record: CorrectionState) -> Self:
        one = record.correction
        return cls.copy_fields(
            one,
            source=one.path,
            sha256=one.content_hash,
            applied=record.reason is None,
            problem=record.reason,
        )


class CorrectionListJson(WireModel):
    corrections: list[CorrectionJson]


class CorrectionPageJson(CorrectionListJson):
    next: int | None = Field(description="?after= of the next page; null at the end")


class NumberedBlockJson(WireModel):
    number: int = Field(description="from 1; --block of foundry correction add")
    kind: BlockKind
    level: int | None = Field(description="of a heading, 1 to 6")
    page: kinds.Page
    header_rows: int | None = Field(description="of a table: rows that name its columns")
    text: str = Field(description="as read, without corrections")
    rows: list[list[str]] = Field(description="of a table: the words of its cells, row by row")

    @classmethod
    def from_record(cls, record: NumberedBlock) -> Self:
        return cls.copy_fields(record, record.block)


class NumberedBlocksJson(WireModel):
    blocks: list[NumberedBlockJson]


class CitingJson(WireModel):
    id: str = Field(description="of the log row, or the draft's path")
    draft: bool
    title: str = Field(description="question or topic")
    sentence: str

    @classmethod
    def from_record(cls, record: CitingStatement) -> Self:
        return cls.copy_fields(record, draft=record.is_draft)


class CorrectionPreviewJson(WireModel):
    kind: CorrectionKind
    block: int = Field(description="number from 1, as the file was read")
    before: list[str] = Field(description="the blocks that it concerns, as they are now")
    after: list[str] = Field(description="the same with the correction; rows are lines")
    citing: list[CitingJson] = Field(description="answers and drafts that cite what changes")

    @classmethod
    def from_preview(
        cls, preview: CorrectionPreview, citing: Sequence[CitingStatement]
    ) -> CorrectionPreviewJson:
        return cls(
            kind=preview.correction.kind,
            block=preview.correction.block,
            before=[one.words for one in preview.before],
            after=[one.words for one in preview.after],
            citing=[CitingJson.from_record(one) for one in citing],
        )
