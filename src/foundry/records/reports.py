"""What long work and the database report about themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from foundry.records.answers import Usage
from foundry.records.kinds import SourceStatus, Verdict


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
