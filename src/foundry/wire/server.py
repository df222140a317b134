"""The JSON that only the HTTP API has: pages of lists, uploads, and what a reader sees of a source."""

from __future__ import annotations

from pydantic import Field

from foundry.records import BlockKind, FileReport, Job, Source, UnreadFile, kinds
from foundry.wire import fields
from foundry.wire.base import ErrorMessageJson, RecordModel, WireModel
from foundry.wire.projects import QueryListJson
from foundry.wire.requests import StepJson


class SourcePageJson(WireModel):
    sources: list[Source]
    unread: list[UnreadFile] = Field(description="files that failed or were left out")
    total: int = Field(description="of the sources on all pages")
    next: str | None = Field(
        description="?after= of the next page by path; null at the end, and in another order"
    )


class QueryPageJson(QueryListJson):
    next: int | None = Field(description="?after= of the next page; null at the end")


class SourceBlockJson(WireModel):
    kind: BlockKind
    text: str = Field(description="byte for byte from the source text")
    heading_path: list[str] = Field(description="outermost heading first")
    page: kinds.Page
    page_label: kinds.PageLabel
    char_start: fields.CharStart
    char_end: int


class SourceBlocksJson(WireModel):
    blocks: list[SourceBlockJson]
    next: int | None = Field(description="?after= of the next page; null at the end")


class SourceChunkJson(WireModel):
    id: kinds.ChunkId
    text: str = Field(description="byte for byte from the source text")
    heading_path: list[str] = Field(description="outermost heading first")
    page: kinds.Page
    char_start: fields.CharStart
    char_end: int
    tokens: int


class SourceChunksJson(WireModel):
    chunks: list[SourceChunkJson]
    next: int | None = Field(description="?after= of the next page; null at the end")


class UploadJson(WireModel):
    jobs: list[Job] = Field(description="of the files that wait to be read")
    files: list[FileReport] = Field(description="the files that need no job: refused, or as before")


class ServerJobJson(RecordModel, of=Job):
    step: StepJson | None = Field(description="what is being done, if this server reads the file")


class ServerJobsJson(WireModel):
    jobs: list[ServerJobJson]
    step: StepJson | None = Field(description="what this server's own worker is doing")


class ReadinessJson(WireModel):
    ok: bool
    database: bool = Field(description="answers")
    index: bool = Field(description="of the embedding model is there, or the project is empty")
    disk: bool = Field(description="has room")
    connections: bool = Field(description="are fewer than nine tenths of the most")


class WorkStateJson(WireModel):
    """Work that the server does by itself."""

    running: bool
    step: StepJson | None = Field(description="the last one; null before the first")
    error: ErrorMessageJson | None = Field(description="what ended it before its time")
