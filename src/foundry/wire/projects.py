"""The JSON of a project: its setup, sources and indexes, who may use it, what was asked and what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field

from foundry.clock import find_day
from foundry.messages import Message
from foundry.records import (
    AuditEvent,
    Block,
    Conversation,
    CopyReport,
    DocumentName,
    EnrichmentReport,
    FileReport,
    IndexStatus,
    Job,
    JobWorker,
    JudgedQuery,
    LogFigures,
    LogStats,
    ProjectRole,
    QueryRecord,
    Recall,
    RevisionChain,
    RevisionMember,
    Source,
    Spending,
    StoreProblem,
    Summary,
    Table,
    Token,
    UnreadFile,
    kinds,
)
from foundry.wire import fields
from foundry.wire.base import From, RecordModel, WireModel

if TYPE_CHECKING:
    from foundry.journeys.sources import SourceTable


class ProjectEntryJson(WireModel):
    name: str = Field(description="of its folder, by which it is addressed")
    title: str = Field(description="the project's own name")
    address: str = Field(description="of its pages on this server; its API is below: /api/v2")
    sources: int | None = Field(description="for the owner of the server, at most a minute old")
    chunks: int | None = Field(description="the same")
    problem: Message | None = Field(description="for the owner: why it cannot be opened")


class ProjectPageJson(WireModel):
    projects: list[ProjectEntryJson]
    found: int = Field(description="how many there are on all pages")
    next: int | None = Field(description="?after= of the next page; null at the end")


class InitJson(WireModel):
    project: Annotated[Path, From("root")] = Field(description="the project's folder")
    created: list[str] = Field(description="file or folder")
    kept: list[str] = Field(description="folder that existed already")
    mode: kinds.Mode
    models: dict[str, str] = Field(description="model by configuration key")
    reasons: list[Message] = Field(description="why these models")
    notices: kinds.Notices


class HealthCheckJson(WireModel):
    name: str = Field(description="what was checked")
    status: Literal["ok", "warn", "fail"]
    message: Annotated[Message, From("problem")]
    fix: str = Field(description="what to do, may be empty")


class DoctorJson(WireModel):
    ok: bool = Field(description="false if a check failed")
    checks: list[HealthCheckJson]


class ServeJson(WireModel):
    address: str = Field(description="where a browser or program reaches the server")


class VersionJson(WireModel):
    foundry: str
    python: str
    platform: str


# Sources


class IngestJson(WireModel):
    sources: Annotated[list[FileReport], From("files")]
    embedded: int = Field(description="chunks embedded in this run")
    pending: int = Field(description="chunks without a vector yet")
    annotated: EnrichmentReport | None
    seconds: fields.Seconds
    notices: kinds.Notices


class WorkJson(WireModel):
    jobs: int = Field(description="jobs that this worker ended, done or failed")
    skipped: list[str] = Field(description="projects of ``--projects`` that stopped with an error")


class JobListJson(WireModel):
    jobs: list[Job]
    workers: list[JobWorker] = Field(description="that run now")


class QueuedJson(WireModel):
    queued: int = Field(description="files that this command left to workers")
    waiting: int = Field(description="files that wait or are being read, those included")
    workers: int = Field(description="how many run now")
    sources: list[FileReport] = Field(description="the files that need no worker")


class WorkCancelJson(WireModel):
    cancelled: int


class SourceListJson(WireModel):
    sources: list[Source]
    unread: list[UnreadFile] = Field(description="files that failed or were left out")
    chains: list[RevisionChain] = Field(description="revisions of one document")


class RevisionChainsJson(WireModel):
    chains: list[RevisionChain] = Field(description="by the path of the current revision")


class HeadingJson(WireModel):
    title: str = Field(description="heading with its number")
    level: int = Field(description="1 to 6")
    page: kinds.Page
    page_label: kinds.PageLabel
    time: fields.Time

    @classmethod
    def from_record(cls, block: Block) -> Self:
        title = block.heading_path[-1] if block.heading_path else ""
        return cls.copy_fields(block, title=title, level=block.level or 1, time=block.time_start)


class SourceDetailsJson(RecordModel, of=Source):
    names: list[DocumentName] = Field(description="what the document is about or defines")
    summary: str | None
    summary_model: str | None
    sections: list[HeadingJson]
    parent: str | None = Field(description="path of the source that it is attached to")
    attachments: list[str] = Field(description="path of a source attached to it")
    revisions: list[RevisionMember] = Field(description="of this document, the current one first")
    doubles: list[str] = Field(description="path of a source that is nearly identical")

    @classmethod
    def from_source(
        cls,
        source: Source,
        summary: Summary | None,
        blocks: Sequence[Block],
        parent: Source | None,
        attached: Sequence[Source],
        **relatives: object,
    ) -> Self:
        """The source with its summary, the headings among its blocks, and its relatives."""
        return cls.copy_fields(
            source,
            summary=summary and summary.text,
            summary_model=summary and summary.model,
            sections=[block for block in blocks if block.kind == "heading"],
            parent=parent and parent.path,
            attachments=[item.path for item in attached],
            **relatives,
        )


class TableJson(RecordModel, of=Table):
    page: int | None


class SourceTablesJson(WireModel):
    tables: list[TableJson]

    @classmethod
    def from_tables(cls, tables: Sequence[SourceTable]) -> Self:
        """The tables of a source with their cells."""
        return cls(tables=[TableJson.copy_fields(item.table, page=item.page) for item in tables])


class RemovedSourcesJson(WireModel):
    removed: list[str] = Field(description="path within the project")


# Indexes


class RecallJson(RecordModel, of=Recall):
    def describe(self) -> Message:
        """The measurement in words, with its day and its size."""
        day = find_day(datetime.fromisoformat(self.measured))
        numbers = {name: getattr(self, name) for name in ("found", "hits", "vectors")}
        return Message("index-recall", day=day, **numbers)


class IndexStatusJson(RecordModel, of=IndexStatus):
    constants: Literal["shipped", "project"] = Field(description="of the gate's score")
    recall: RecallJson | None = Field(
        description="what vector searches find of an exact search's hits, as last measured; null"
        " where every vector is compared, and for who does not see all sources"
    )
    notices: kinds.Notices


class IndexRebuildJson(WireModel):
    text_rows: int | None = Field(description="chunks in the text index; null with --engine")
    embedded: int | None = Field(description="chunks embedded; null without --embeddings")
    sent: int | None = Field(description="vectors sent to the engine; null without --engine")


class StoreProblemJson(RecordModel, of=StoreProblem):
    message: Annotated[Message, From("problem")]


class IndexVerifyJson(WireModel):
    ok: bool
    problems: list[StoreProblemJson]
    recall: RecallJson | None = Field(
        description="of vector searches; null with problems, and where every vector is compared"
    )


class CopyJson(RecordModel, of=CopyReport):
    problems: list[StoreProblemJson]


# The query log


class ScoredChunkJson(WireModel):
    chunk_id: kinds.ChunkId
    score: float = Field(description="0 to 1")

    @classmethod
    def from_record(cls, chunk: tuple[str, float]) -> Self:
        return cls(chunk_id=chunk[0], score=chunk[1])


class QueryJson(RecordModel, of=QueryRecord):
    chunks: list[ScoredChunkJson]


class QueryListJson(WireModel):
    queries: list[QueryJson]


class FeedbackListJson(WireModel):
    feedback: list[JudgedQuery]


class ConversationListJson(WireModel):
    conversations: list[Conversation]


class LogPeriodJson(RecordModel, of=LogFigures):
    start: date = Field(description="first day; periods without rows are left out")

    @classmethod
    def from_record(cls, period: tuple[date, LogFigures]) -> Self:
        return cls.copy_fields(period[1], start=period[0])


class LogStatsJson(RecordModel, of=LogStats):
    by: Literal["day", "week", "month"] | None
    since: date | None = Field(description="first day, as given")
    until: date | None = Field(description="last day, as given")
    periods: list[LogPeriodJson]


class NewTokenJson(RecordModel, of=Token):
    token: str = Field(description="its text, which is shown this once")


class TokenListJson(WireModel):
    tokens: list[Token]


class RoleListJson(WireModel):
    roles: list[ProjectRole]


class AuditListJson(WireModel):
    events: list[AuditEvent] = Field(description="latest first")
    next: int | None = Field(description="--before or ?before= of the next page; null at the end")


class SpendingLimitsJson(WireModel):
    cost_per_run: float | None = Field(description="US dollars")
    cost_per_day: float | None = Field(description="US dollars")
    tokens_per_run: int | None
    tokens_per_day: int | None
    time_zone: str | None = Field(description="null for the machine's own")


class SpendingJson(RecordModel, of=Spending):
    """What requests to models took."""

    since: date | None = Field(description="first day, as given")
    until: date | None = Field(description="last day, as given")
    limits: SpendingLimitsJson
