"""The JSON of extraction tables. Offsets count code points in the stored text."""

from __future__ import annotations

from pydantic import Field

from foundry.records import (
    CellAnswer,
    CellReview,
    ExtractionCell,
    ExtractionRow,
    ExtractionRun,
    ExtractionTable,
)
from foundry.wire.answers import ChunkQuoteJson
from foundry.wire.base import RecordModel, WireModel


class CellAnswerJson(RecordModel, of=CellAnswer):
    quotes: list[ChunkQuoteJson]


class CellReviewJson(RecordModel, of=CellReview):
    seen: CellAnswerJson = Field(description="the answer that was decided on")


class ExtractionCellJson(RecordModel, of=ExtractionCell):
    answer: CellAnswerJson
    before: CellAnswerJson | None = Field(
        description="what it said before that run; null if nothing"
    )
    reviews: list[CellReviewJson] = Field(description="oldest first; the last one holds")


class ExtractionRowJson(RecordModel, of=ExtractionRow):
    cells: list[ExtractionCellJson | None] = Field(
        description="in the order of the questions; null if it is not asked yet"
    )


class ExtractionTableJson(RecordModel, of=ExtractionTable):
    pass


class ExtractionRunJson(RecordModel, of=ExtractionRun):
    table: ExtractionTableJson


class ExtractionListJson(WireModel):
    tables: list[ExtractionTableJson]


class ExtractionPageJson(WireModel):
    table: ExtractionTableJson
    rows: list[ExtractionRowJson]
    total: int = Field(description="rows of the table that have a cell")
    next: int | None = Field(description="?after= of the next page; null at the end")


class ExtractionWholeJson(WireModel):
    table: ExtractionTableJson
    rows: list[ExtractionRowJson]


class ExtractionPagesJson(WireModel):
    tables: list[ExtractionTableJson] = Field(description="all, without a name")
    page: ExtractionPageJson | None = Field(description="of the table that is named")
