"""Reports: what long work did, the state of the database, the query log in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from foundry.messages import Message
from foundry.options import SearchMode
from foundry.records.answers import ExcerptLine, GroundingChange, Sentence, Usage
from foundry.records.conflicts import Conflict
from foundry.records.kinds import (
    JobStatus,
    Problem,
    SourceStatus,
    UnreadStatus,
    Verdict,
)
from foundry.records.retrieval import Filters
from foundry.roles import Confidentiality


@dataclass(frozen=True, slots=True)
class FileReport:
    """What an ingest did with one file; ``reason`` is set for failed and noteworthy files.

    A failure is ``known`` if an earlier ingest reported it with the same reason.
    """

    path: str
    status: SourceStatus
    reason: Message | None = None
    pages: int | None = None
    chunks: int = 0
    warnings: tuple[Message, ...] = ()
    known: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """A file for a worker to ingest with these labels, and what became of it.

    ``files`` are the reports of the file and its attachments; ``embedded`` counts their chunks that
    got vectors. ``reason`` says why an attempt failed. ``recipe`` identifies what decides the
    result besides the file, and ``version`` for the Foundry that made the job. ``signs`` counts
    the signs of life of the current attempt; it is 0 after a failed one, and None before any.
    """

    id: str
    path: str
    tags: tuple[str, ...] | None = None
    confidentiality: Confidentiality | None = None
    status: JobStatus = "waiting"
    attempts: int = 0
    worker: str | None = None
    reason: Message | None = None
    files: tuple[FileReport, ...] = ()
    embedded: int = 0
    recipe: str = ""
    version: str = ""
    signs: int | None = None


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that an ingest found but whose text is not in the project, and why."""

    path: str
    status: UnreadStatus
    reason: Message
    confidentiality: Confidentiality = "public"


@dataclass(frozen=True, slots=True)
class Estimate:
    """The expected size of model calls, before any is made.

    ``cost`` is in US dollars, None if a price is unknown; ``models`` are those to be called.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0
    models: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens of prompts and replies."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class EnrichmentReport:
    """What language models wrote about sources during an ingest.

    ``estimate`` covers what was missing before; without ``allowed`` no model was called. What
    is still missing keeps an earlier or built-in text.
    """

    estimate: Estimate
    allowed: bool
    prefixes: int = 0
    prefixes_missing: int = 0
    summaries: int = 0
    summaries_missing: int = 0
    usage: Usage = field(default_factory=Usage)
    notices: tuple[Message, ...] = ()

    @property
    def complete(self) -> bool:
        """True if nothing is missing."""
        return not self.prefixes_missing and not self.summaries_missing


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did. ``pending`` chunks are in the text index but have no vector yet.

    ``annotated`` is None if no language model writes prefixes or summaries.
    """

    files: tuple[FileReport, ...]
    embedded: int
    pending: int
    seconds: float
    notices: tuple[Message, ...] = ()
    annotated: EnrichmentReport | None = None


@dataclass(frozen=True, slots=True)
class SearchWays:
    """How searches find words and vectors: by which index, of which version."""

    text: Message
    vectors: Message


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """The size of each index."""

    sources: int
    chunks: int
    text_rows: int
    model: str | None
    vectors: int
    pending: int
    ways: SearchWays
    fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class StoreProblem(Problem):
    """Something wrong in the database; the text's ``.fix`` names the command that fixes it."""

    @property
    def code(self) -> str:
        """The stable name of the kind of problem, such as "vectors_wrong"."""
        return self.problem.code.removeprefix("store-").replace("-", "_")


@dataclass(frozen=True, slots=True)
class CopyReport:
    """A copy of a project: what it has, and how many sources and vectors were copied just now.

    ``rows`` counts the other rows by table; ``problems`` is empty if the copy is whole and sound.
    """

    sources: int
    copied: int
    chunks: int
    vectors: int
    rows: Mapping[str, int]
    problems: tuple[StoreProblem, ...]


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A source as an answer listed it: the passage under ``id`` (S1 …) and its relevance then."""

    id: str
    source_id: str
    chunk_id: str
    path: str
    title: str
    content_hash: str
    relevance: float
    revision: str | None = None
    revision_date: str | None = None
    notices: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """An ``Excerpt`` as it was shown: ``id`` and ``same`` are ids of the answer's sources."""

    id: str
    lines: tuple[ExcerptLine, ...]
    headings: tuple[str, ...] = ()
    table: str = ""
    score: float = 0.0
    same: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """What a reader saw of an answer, to show it again.

    ``passages`` are shown where no model wrote sentences. ``uncovered`` are words of the question
    that no source has. ``earlier`` are the rows of the log with the turns of the conversation before.
    ``filters`` and ``mode`` are those of the search; of rows of older versions nothing is known.
    """

    language: str
    sentences: tuple[Sentence, ...] = ()
    sources: tuple[ShownSource, ...] = ()
    reasons: tuple[Message, ...] = ()
    uncovered: tuple[str, ...] = ()
    changes: tuple[GroundingChange, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    notices: tuple[Message, ...] = ()
    passages: tuple[ShownPassage, ...] = ()
    earlier: tuple[str, ...] = ()
    filters: Filters = field(default_factory=Filters)
    mode: SearchMode | None = None


@dataclass(frozen=True, slots=True)
class QueryRecord:
    """One row of the query log.

    ``query`` is what was typed, ``rewritten`` the question that was searched, if different.
    ``checks`` counts the verdicts of checked statements, ``changes`` what repair did to them.
    ``agent`` wrote it, for whom ``profile`` chose the model; None without one. ``shown`` is the whole answer; None
    if there was none, if the log is redacted, and in rows of older versions.
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
    shown: ShownAnswer | None = None


@dataclass(slots=True)
class QueryFigures:
    """The numbers of one row of the query log; not frozen, because there are many.

    ``moment`` is in seconds since 1970; ``tokens`` are those of prompts and replies; ``cost`` is
    in US dollars, None if unknown; ``model`` is the generator.
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

    ``verdicts`` counts rows by verdict; ``verdict_rates`` are shares of the rows that have one,
    ``error_rate`` is a share of all rows. ``checks`` counts statements; ``check_rates`` are shares
    of those. ``p50_ms`` and ``p95_ms`` are of complete answers, by nearest rank. ``cost`` sums the
    known costs; ``unpriced`` rows have none.
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
    """The query log in total, by period (named by its first day), kind and model.

    Periods, kinds and models without rows are left out.
    """

    total: LogFigures
    periods: tuple[tuple[date, LogFigures], ...]
    kinds: Mapping[str, LogFigures]
    models: Mapping[str, LogFigures]


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A request to a model: when it was made, by which command, and what it took.

    ``estimated`` if the provider's count is not known (yet): then ``usage`` is the most that it can be.
    """

    time: datetime
    command: str
    model: str
    host: str
    usage: Usage
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class CallSum:
    """Requests of one command to one model in the quarter of an hour from ``time``.

    ``usage.cost`` is of those with a known price; ``unpriced`` of them have none.
    """

    time: datetime
    command: str
    model: str
    usage: Usage
    unpriced: int


@dataclass(frozen=True, slots=True)
class SpendingRow:
    """The requests of one day, command and model; as ``CallSum``."""

    day: date
    command: str
    model: str
    usage: Usage
    unpriced: int


@dataclass(frozen=True, slots=True)
class Spending:
    """The requests of a period, and those of ``day``, which is today."""

    rows: tuple[SpendingRow, ...]
    total: Usage
    unpriced: int
    day: date
    today: Usage


@dataclass(frozen=True, slots=True)
class Token:
    """A caller's right to use the server as ``role``, until it expires or is revoked.

    ``hash`` is that of the secret, which nobody keeps; ``used`` the last use, to a minute.
    """

    id: str
    name: str
    role: Confidentiality
    hash: str = field(repr=False)
    created: datetime
    expires: datetime
    revoked: datetime | None = None
    used: datetime | None = None

    def is_valid(self, now: datetime) -> bool:
        """Whether it may be used at that time."""
        return self.revoked is None and now < self.expires


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """What somebody did: ``who`` is a token's name, "" the owner on the server's machine.

    ``subject`` is the id or path that it was done to, ``outcome`` "done" or an error's code.
    ``number`` is the store's, ascending; 0 before it is saved.
    """

    time: datetime
    who: str
    role: Confidentiality
    action: str
    subject: str
    address: str
    outcome: str
    number: int = 0
