"""The JSON of the tools that language models call, where it is not that of a command."""

from __future__ import annotations

from typing import Self

from pydantic import Field

from foundry.journeys.delivery import DraftFile
from foundry.journeys.generate import DraftPlan
from foundry.journeys.passages.texts import SourceSpan
from foundry.records import CorrectedPart, kinds
from foundry.wire import fields
from foundry.wire.base import WireModel
from foundry.wire.documents import DraftJson, DraftPlanJson
from foundry.wire.requests import DraftRequest, RequestModel


class ToolServerJson(WireModel):
    name: str = Field(description="by which a client lists the server")
    command: str = Field(description="that starts it")
    args: list[str]


class SourcesRequest(RequestModel):
    words: str = Field(
        default="",
        max_length=200,
        description="in path, title, revision or tags",
        examples=["manual"],
    )
    limit: int = Field(default=100, ge=1, le=1000, description="at once", examples=[20])
    after: str = Field(
        default="", description="the next of the page before", examples=["sources/manual.pdf"]
    )


class TablesRequest(RequestModel):
    name: str = Field(
        default="", max_length=200, description="of a table; default: list them", examples=["facts"]
    )
    limit: int = Field(default=20, ge=1, le=200, description="rows at once", examples=[20])
    after: int = Field(default=0, ge=0, description="the next of the page before", examples=[20])


class PassageRequest(RequestModel):
    source: str | None = Field(
        default=None, description="path or id of a source", examples=["sources/manual.pdf"]
    )
    char_start: int = Field(
        default=0, ge=0, description="with source: the first code point", examples=[20000]
    )
    char_end: int | None = Field(
        default=None, ge=1, description="with source: the last + 1", examples=[40000]
    )
    chunk_id: str | None = Field(
        default=None, description="instead of source", examples=["chk_1f0c63a2b7d94e58"]
    )
    neighbours: int = Field(
        default=1, ge=0, le=10, description="chunks before and after it", examples=[0]
    )


class SourceTextJson(WireModel):
    source_id: str
    source: kinds.SourcePath
    title: str = Field(description="title of the source")
    heading_path: list[str] = Field(description="where it begins, outermost heading first")
    page: kinds.Page
    page_label: kinds.PageLabel
    char_start: fields.CharStart
    char_end: int
    length: int = Field(description="code points of the whole source")
    text: str = Field(description="byte for byte from the source text")
    corrections: list[CorrectedPart] = Field(description="what of it a person corrected")

    @classmethod
    def from_record(cls, span: SourceSpan) -> Self:
        source, block = span.source, span.block
        return cls.copy_fields(
            span,
            source_id=source.id,
            source=source.path,
            title=source.title,
            heading_path=list(block.heading_path) if block else [],
            page=block and block.page,
            page_label=block and block.page_label,
            char_start=span.start,
            char_end=span.end,
            corrections=list(span.corrections),
        )


class GenerateRequest(DraftRequest):
    write: bool = Field(
        default=False,
        description="write and register the draft; the owner's alone",
        examples=[True],
    )


class GenerationJson(WireModel):
    plan: DraftPlanJson | None = Field(description="without write; its prompts are left out")
    draft: DraftJson | None = Field(description="with write")

    @classmethod
    def from_record(cls, record: DraftPlan | DraftFile) -> Self:
        """A plan without its prompts: they repeat the evidence, as instructions to a model."""
        if not isinstance(record, DraftPlan):
            return cls(plan=None, draft=DraftJson.from_record(record))
        plan = DraftPlanJson.from_record(record)
        sections = [section.model_copy(update={"prompt": []}) for section in plan.sections]
        return cls(plan=plan.model_copy(update={"sections": sections}), draft=None)
