"""The JSON of a project: its setup, sources and indexes, and the log of its questions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field

from foundry.records import (
    Block,
    ClaimVerdict,
    Confidentiality,
    FeedbackKind,
    JobStatus,
    LogFigures,
    NameKind,
    NamePlace,
    Source,
    SourceStatus,
    Summary,
    UnreadStatus,
    Verdict,
)
from foundry.wire import fields
from foundry.wire.base import From, MessageJson, UsageJson, WireModel

if TYPE_CHECKING:
    from foundry.journeys.project import InitReport
    from foundry.journeys.sources import SourceTable


class InitJson(WireModel):
    project: str = Field(description="the project's folder")
    created: list[str] = Field(description="file or folder")
    kept: list[str] = Field(description="folder that existed already")
    mode: fields.Mode
    models: dict[str, str] = Field(description="model by configuration key")
    reasons: list[MessageJson] = Field(description="why these models")
    notices: fields.Notices

    @classmethod
    def from_record(cls, report: InitReport) -> Self:
        return cls.copy_fields(report, project=str(report.root))


class HealthCheckJson(WireModel):
    name: str = Field(description="what was checked")
    status: Literal["ok", "warn", "fail"]
    message: Annotated[MessageJson, From("problem")]
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


class FileJson(WireModel):
    path: fields.SourcePath
    status: SourceStatus
    reason: MessageJson | None = Field(description="why it failed, or was left out")
    warnings: list[MessageJson] = Field(description="what is noteworthy")
    pages: int | None
    chunks: int
    known: bool = Field(description="true for a failure that an earlier ingest reported")


class EstimateJson(WireModel):
    models: list[str] = Field(description="that would be called")
    calls: int = Field(description="for what was missing before this run")
    prompt_tokens: int
    completion_tokens: int
    cost: float | None = Field(description="US dollars; null if unknown")


class EnrichmentJson(WireModel):
    prefixes: int = Field(description="context prefixes that a model wrote in this run")
    prefixes_missing: int = Field(description="chunks with an earlier or built-in prefix")
    summaries: int = Field(description="source summaries that a model wrote in this run")
    summaries_missing: int = Field(description="sources with an earlier or built-in summary")
    allowed: bool = Field(description="false if the estimate exceeded the limits without consent")
    estimate: EstimateJson
    usage: UsageJson


class IngestJson(WireModel):
    sources: Annotated[list[FileJson], From("files")]
    embedded: int = Field(description="chunks embedded in this run")
    pending: int = Field(description="chunks without a vector yet")
    annotated: EnrichmentJson | None
    seconds: fields.Seconds
    notices: fields.Notices


class WorkJson(WireModel):
    jobs: int = Field(description="jobs that this worker ended, done or failed")


class JobJson(WireModel):
    id: str = Field(description="job_…: the same for the same bytes, labels and settings")
    path: fields.SourcePath
    status: JobStatus
    attempts: int
    worker: str | None = Field(description="HOST:PROCESS of the latest attempt")
    reason: MessageJson | None = Field(description="why an attempt failed")
    files: list[FileJson] = Field(description="the file and its attachments, once they are read")


class JobListJson(WireModel):
    jobs: list[JobJson]


class WorkCancelJson(WireModel):
    cancelled: int


class SourceJson(WireModel):
    id: str = Field(description="src_…")
    path: fields.SourcePath
    title: str
    type: str = Field(description="the reader: pdf, docx, vtt …")
    language: fields.Language
    pages: int | None
    chunks: int
    size: int = Field(description="bytes")
    content_hash: str = Field(description="SHA-256 of the file")
    modified: fields.Timestamp
    ingested: fields.Timestamp
    tags: list[str]
    confidentiality: Confidentiality
    revision: fields.Revision
    revision_date: fields.RevisionDate
    warnings: list[MessageJson] = Field(description="what could not be read")


class UnreadFileJson(WireModel):
    path: fields.SourcePath
    status: UnreadStatus = Field(description="left_out: of a type that Foundry cannot read")
    reason: MessageJson


class SourceListJson(WireModel):
    sources: list[SourceJson]
    unread: list[UnreadFileJson] = Field(description="files that failed or were left out")


class HeadingJson(WireModel):
    title: str = Field(description="heading with its number")
    level: int = Field(description="1 to 6")
    page: fields.Page
    page_label: fields.PageLabel
    time: fields.Time

    @classmethod
    def from_record(cls, block: Block) -> Self:
        title = block.heading_path[-1] if block.heading_path else ""
        return cls.copy_fields(block, title=title, level=block.level or 1, time=block.time_start)


class DocumentNameJson(WireModel):
    name: str
    kind: NameKind
    aliases: list[str] = Field(description="defined short names, abbreviations, no legal form")
    place: NamePlace = Field(description="front: on the title page, so all of it is about this")
    page: fields.Page


class SourceDetailsJson(SourceJson):
    names: list[DocumentNameJson] = Field(description="what the document is about or defines")
    summary: str | None
    summary_model: str | None
    sections: list[HeadingJson]
    parent: str | None = Field(description="path of the source that it is attached to")
    attachments: list[str] = Field(description="path of a source attached to it")

    @classmethod
    def from_source(
        cls,
        source: Source,
        summary: Summary | None,
        blocks: Sequence[Block],
        parent: Source | None,
        attached: Sequence[Source],
    ) -> Self:
        """The source with its summary, the headings among its blocks, and its relatives."""
        return cls.copy_fields(
            source,
            summary=summary and summary.text,
            summary_model=summary and summary.model,
            sections=[block for block in blocks if block.kind == "heading"],
            parent=parent and parent.path,
            attachments=[item.path for item in attached],
        )


class TableCellJson(WireModel):
    row: list[str] = Field(description="label of the row, outermost first")
    column: list[str] = Field(description="label of the column, outermost first")
    value: str


class TableJson(WireModel):
    page: int | None
    title: str | None
    unit: str | None = Field(description="what the table says of all its values")
    certain: bool = Field(
        description="false if its structure is in doubt and labels may be missing"
    )
    cells: list[TableCellJson]


class SourceTablesJson(WireModel):
    tables: list[TableJson]

    @classmethod
    def from_tables(cls, tables: Sequence[SourceTable]) -> Self:
        """The tables of a source with their cells."""
        return cls(tables=[TableJson.copy_fields(item.table, page=item.page) for item in tables])


class RemovedSourcesJson(WireModel):
    removed: list[str] = Field(description="path within the project")


# Indexes


class SearchWaysJson(WireModel):
    text: fields.Text = Field(description="how searches find words, with versions")
    vectors: fields.Text = Field(description="how searches find vectors, with versions")


class IndexStatusJson(WireModel):
    sources: int
    chunks: int
    text_rows: int = Field(description="chunks in the text index")
    model: str | None = Field(description="the embedding model")
    vectors: int = Field(description="chunks in the vector index")
    pending: int = Field(description="chunks without a vector yet")
    fingerprint: str | None = Field(description="of the model and settings behind the vectors")
    ways: SearchWaysJson
    constants: Literal["shipped", "project"] = Field(description="of the gate's score")
    notices: fields.Notices


class IndexRebuildJson(WireModel):
    text_rows: int = Field(description="chunks in the text index")
    embedded: int | None = Field(description="chunks embedded; null without --embeddings")


class StoreProblemJson(WireModel):
    code: str = Field(description="stable name of the kind of problem")
    message: Annotated[MessageJson, From("problem")]
    fix: str
    problem: MessageJson = Field(description="the same as a code with parameters")


class IndexVerifyJson(WireModel):
    ok: bool
    problems: list[StoreProblemJson]


class CopyJson(WireModel):
    sources: int
    copied: int = Field(description="sources copied in this run; the others were there")
    chunks: int
    vectors: int = Field(description="vectors copied in this run")
    rows: dict[str, int] = Field(description="table → rows of logs, drafts, evaluation and caches")
    problems: list[StoreProblemJson]


# The query log


class ScoredChunkJson(WireModel):
    chunk_id: fields.ChunkId
    score: float = Field(description="0 to 1")

    @classmethod
    def from_record(cls, chunk: tuple[str, float]) -> Self:
        return cls(chunk_id=chunk[0], score=chunk[1])


class QueryJson(WireModel):
    id: str
    time: fields.Timestamp
    project: str | None = Field(description="id of the project")
    kind: str = Field(description="ask, chat, generate, verify, eval")
    query: str = Field(description="as typed; the file's name for verify")
    rewritten: str | None = Field(description="the question as it was searched, if different")
    role: str = Field(description="highest confidentiality visible to the caller")
    agent: str | None
    verdict: Verdict | None
    gate_score: float | None = Field(description="0 to 1")
    chunks: list[ScoredChunkJson]
    models: fields.Models
    profile: str | None = Field(description="of the agent")
    answer: str | None
    attribution_coverage: float | None = Field(description="0 to 1")
    shown_coverage: float | None = Field(description="0 to 1")
    checks: dict[str, int] = Field(description="statements by verdict; empty if none was checked")
    changes: dict[str, int] = Field(description="statements by repair: reattributed, removed …")
    timings_ms: fields.Timings
    usage: UsageJson
    error: str | None


class QueryListJson(WireModel):
    queries: list[QueryJson]


class LogFiguresJson(WireModel):
    n: int = Field(description="rows of the log")
    verdicts: dict[Verdict, int]
    verdict_rates: dict[Verdict, fields.Share] = Field(
        description="0 to 1; null if no row has a verdict"
    )
    errors: int
    error_rate: fields.Share = Field(description="of all rows")
    coverage: fields.Share = Field(description="mean attribution coverage")
    checks: dict[ClaimVerdict, int]
    check_rates: dict[ClaimVerdict, fields.Share] = Field(
        description="0 to 1; null if none was checked"
    )
    p50_ms: float | None = Field(description="half took less")
    p95_ms: float | None
    tokens: int = Field(description="of prompts and replies")
    cost: Annotated[float | None, fields.round_to(6)] = Field(
        description="US dollars, as far as known"
    )
    unpriced: int = Field(description="rows whose cost is unknown")


class _PeriodStart(WireModel):
    start: fields.Day = Field(description="first day; periods without rows are left out")


class LogPeriodJson(LogFiguresJson, _PeriodStart):
    @classmethod
    def from_record(cls, period: tuple[date, LogFigures]) -> Self:
        return cls.copy_fields(period[1], start=period[0])


class LogStatsJson(WireModel):
    by: Literal["day", "week", "month"] | None
    since: fields.Day | None = Field(description="first day, as given")
    until: fields.Day | None = Field(description="last day, as given")
    total: LogFiguresJson
    periods: list[LogPeriodJson]
    kinds: dict[str, LogFiguresJson]
    models: dict[str, LogFiguresJson]


class FeedbackJson(WireModel):
    query_id: str = Field(description="qry_…")
    correct: bool
    time: fields.Timestamp
    note: str = Field(description="may be empty")
    kind: FeedbackKind | None = Field(description="what is wrong; null if correct or not said")
