"""What long work and the database report about themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

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
class Estimate:
    """What model calls would take, counted before any of them is made.

    ``cost`` in US dollars, None where a price is unknown; ``models`` are those asked.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0
    models: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """Of prompts and replies together."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class EnrichmentReport:
    """What language models wrote about sources during an ingest.

    ``estimate`` is of what was missing before; without ``allowed`` nothing of it was
    asked for. What is still missing has an earlier or built-in stand-in.
    """

    estimate: Estimate
    allowed: bool
    prefixes: int = 0
    prefixes_missing: int = 0
    summaries: int = 0
    summaries_missing: int = 0
    usage: Usage = field(default_factory=Usage)
    notices: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """True when nothing is missing."""
        return not self.prefixes_missing and not self.summaries_missing


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did. ``pending`` chunks have text and BM25 but no vector yet.

    ``annotated`` is None where no language model writes prefixes or summaries.
    """

    files: tuple[FileReport, ...]
    embedded: int
    pending: int
    seconds: float
    notices: tuple[str, ...] = ()
    annotated: EnrichmentReport | None = None


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
class StoreProblem:
    """Something wrong in the database, and the command that mends it."""

    code: str
    message: str
    fix: str


@dataclass(frozen=True, slots=True)
class QueryRecord:
    """One row of the query log (specification §11).

    ``query`` is what was typed and ``rewritten`` the question that was searched, where
    it differs. ``checks`` counts the verdicts of the statements that were checked,
    ``changes`` what repair did to them; ``profile`` names the choice of model, if one
    was made.
    """

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
    project: str | None = None
    profile: str | None = None
    checks: Mapping[str, int] = field(default_factory=dict)
    changes: Mapping[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class QueryFigures:
    """The numbers of one row of the query log; not frozen, because there are many of them.

    ``moment`` is in seconds since 1970, ``tokens`` those of prompts and replies
    together, ``cost`` in US dollars, None if unknown; ``model`` is who wrote.
    """

    moment: float
    kind: str
    verdict: Verdict | None
    failed: bool
    coverage: float | None
    checks: Mapping[str, int]
    total_ms: float | None
    tokens: int
    cost: float | None
    model: str | None


@dataclass(frozen=True, slots=True)
class LogFigures:
    """Rows of the query log in numbers; a rate or mean over nothing is None.

    ``verdicts`` counts rows by verdict, and ``verdict_rates`` are over the rows that
    have one; ``error_rate`` is over all. ``checks`` counts statements, and
    ``check_rates`` are over those. ``p50_ms`` and ``p95_ms`` are of whole answers,
    by nearest rank. ``cost`` sums what is known; ``unpriced`` rows have no known cost.
    """

    n: int
    verdicts: Mapping[str, int]
    verdict_rates: Mapping[str, float | None]
    errors: int
    error_rate: float | None
    coverage: float | None
    checks: Mapping[str, int]
    check_rates: Mapping[str, float | None]
    p50_ms: float | None
    p95_ms: float | None
    tokens: int
    cost: float | None
    unpriced: int


@dataclass(frozen=True, slots=True)
class LogStats:
    """The query log over time: all of it, by period (from its first day), kind and model.

    A period, kind or model without rows is left out.
    """

    total: LogFigures
    periods: tuple[tuple[date, LogFigures], ...]
    kinds: Mapping[str, LogFigures]
    models: Mapping[str, LogFigures]
