"""Reports: what long work did, the state of the database, the query log in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Annotated, NamedTuple

from foundry.doc import HIDDEN, Doc
from foundry.messages import Message
from foundry.options import SearchMode
from foundry.records.answers import ExcerptLine, GroundingChange, Sentence, Usage
from foundry.records.conflicts import Conflict
from foundry.records.kinds import (
    ClaimVerdict,
    DocumentStatus,
    JobStatus,
    Models,
    Problem,
    Share,
    SourcePath,
    SourceStatus,
    Timings,
    UnreadStatus,
    Verdict,
)
from foundry.records.retrieval import Filters
from foundry.roles import Confidentiality


@dataclass(frozen=True, slots=True)
class FileReport:
    """What an ingest did with one file."""

    path: SourcePath
    status: SourceStatus
    reason: Annotated[Message | None, Doc("why it failed, or was left out")] = None
    pages: int | None = None
    chunks: int = 0
    warnings: Annotated[tuple[Message, ...], Doc("what is noteworthy")] = ()
    known: Annotated[bool, Doc("true for a failure that an earlier ingest reported")] = False


@dataclass(frozen=True, slots=True)
class Job:
    """A file for a worker to ingest with these labels, and what became of it.

    ``embedded`` counts the chunks of ``files`` that got vectors. ``recipe`` identifies what decides the
    result besides the file, and ``version`` for the Foundry that made the job. ``signs`` counts
    the signs of life of the current attempt; it is 0 after a failed one, and None before any.
    """

    id: Annotated[str, Doc("job_…: the same for the same bytes, labels and settings")]
    path: SourcePath
    tags: Annotated[tuple[str, ...] | None, HIDDEN] = None
    confidentiality: Annotated[Confidentiality | None, HIDDEN] = None
    status: JobStatus = "waiting"
    attempts: int = 0
    worker: Annotated[str | None, Doc("HOST:PROCESS of the latest attempt")] = None
    reason: Annotated[Message | None, Doc("why an attempt failed")] = None
    files: Annotated[
        tuple[FileReport, ...], Doc("the file and its attachments, once they are read")
    ] = ()
    embedded: Annotated[int, HIDDEN] = 0
    recipe: Annotated[str, HIDDEN] = ""
    version: Annotated[str, HIDDEN] = ""
    signs: Annotated[int | None, HIDDEN] = None


@dataclass(frozen=True, slots=True)
class JobWorker:
    """A process that does jobs; ``signs`` counts its signs of life."""

    name: Annotated[str, Doc("HOST:PROCESS")]
    started: datetime
    signs: Annotated[int, HIDDEN] = 0


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that an ingest found but whose text is not in the project, and why."""

    path: SourcePath
    status: Annotated[UnreadStatus, Doc("left_out: of a type that Foundry cannot read")]
    reason: Message
    confidentiality: Annotated[Confidentiality, HIDDEN] = "public"


@dataclass(frozen=True, slots=True)
class FailedChange:
    """A source that could not be changed or removed, and why."""

    path: Annotated[str, Doc("as it was named")]
    reason: Message


@dataclass(frozen=True, slots=True)
class SourcesChange:
    """What became of each of the sources that were to be changed or removed."""

    changed: Annotated[tuple[SourcePath, ...], Doc("or removed")] = ()
    unchanged: Annotated[tuple[SourcePath, ...], Doc("were like that already")] = ()
    failed: tuple[FailedChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Estimate:
    """The expected size of model calls, before any is made."""

    calls: Annotated[int, Doc("for what was missing before this run")] = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: Annotated[float | None, Doc("US dollars; null if unknown")] = 0.0
    models: Annotated[tuple[str, ...], Doc("that would be called")] = ()

    @property
    def tokens(self) -> int:
        """Tokens of prompts and replies."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class EnrichmentReport:
    """What language models wrote about sources during an ingest."""

    estimate: Estimate
    allowed: Annotated[bool, Doc("false if the estimate exceeded the limits without consent")]
    prefixes: Annotated[int, Doc("context prefixes that a model wrote in this run")] = 0
    prefixes_missing: Annotated[int, Doc("chunks with an earlier or built-in prefix")] = 0
    summaries: Annotated[int, Doc("source summaries that a model wrote in this run")] = 0
    summaries_missing: Annotated[int, Doc("sources with an earlier or built-in summary")] = 0
    usage: Usage = field(default_factory=Usage)
    notices: Annotated[tuple[Message, ...], HIDDEN] = ()

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

    text: Annotated[Message, Doc("how searches find words, with versions", plain=True)]
    vectors: Annotated[Message, Doc("how searches find vectors, with versions", plain=True)]


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """The size of each index."""

    sources: int
    chunks: int
    text_rows: Annotated[int, Doc("chunks in the text index")]
    model: Annotated[str | None, Doc("the embedding model")]
    vectors: Annotated[int, Doc("chunks in the vector index")]
    pending: Annotated[int, Doc("chunks without a vector yet")]
    ways: SearchWays
    fingerprint: Annotated[str | None, Doc("of the model and settings behind the vectors")] = None


@dataclass(frozen=True, slots=True)
class Recall:
    """How much of what exact searches find the searches of a large index find, when last measured."""

    found: Annotated[int, Doc("hits of the exact searches that were found")]
    hits: Annotated[int, Doc("hits of the exact searches")]
    samples: Annotated[int, Doc("stored vectors that were searched for")]
    vectors: Annotated[int, Doc("chunks in the vector index at the time")]
    measured: datetime
    index: Annotated[str, HIDDEN] = ""
    change: Annotated[int, HIDDEN] = 0
    outdated: Annotated[bool, Doc("more than an eighth of the vectors changed since")] = False


@dataclass(frozen=True, slots=True)
class StoreProblem(Problem):
    """Something wrong in the database; the text's ``.fix`` names the command that fixes it."""

    @property
    def code(self) -> Annotated[str, Doc("stable name of the kind of problem")]:
        """The stable name of the kind of problem, such as "vectors_wrong"."""
        return self.problem.code.removeprefix("store-").replace("-", "_")


@dataclass(frozen=True, slots=True)
class CopyReport:
    """A copy of a project: what it has, and how many sources and vectors were copied just now.

    ``problems`` is empty if the copy is whole and sound.
    """

    sources: int
    copied: Annotated[int, Doc("sources copied in this run; the others were there")]
    chunks: int
    vectors: Annotated[int, Doc("vectors copied in this run")]
    rows: Annotated[Mapping[str, int], Doc("table → rows of logs, drafts, evaluation and caches")]
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
    status: DocumentStatus | None = None
    notices: tuple[Message, ...] = ()
    language: str = "und"


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

    ``agent`` wrote it, for whom ``profile`` chose the model; None without one. ``shown`` is the whole answer; None
    if there was none, if the log is redacted, and in rows of older versions.
    """

    id: str
    time: datetime
    kind: Annotated[str, Doc("ask, chat, generate, verify, eval")]
    query: Annotated[str, Doc("as typed; the file's name for verify")]
    rewritten: Annotated[str | None, Doc("the question as it was searched, if different")]
    role: Annotated[str, Doc("highest confidentiality visible to the caller")]
    agent: str | None
    verdict: Verdict | None
    gate_score: Annotated[float | None, Doc("0 to 1")]
    chunks: tuple[tuple[str, float], ...]
    models: Models
    answer: str | None
    attribution_coverage: Annotated[float | None, Doc("0 to 1")]
    shown_coverage: Annotated[float | None, Doc("0 to 1")]
    timings_ms: Timings
    usage: Usage
    error: str | None = None
    project: Annotated[str | None, Doc("id of the project")] = None
    profile: Annotated[str | None, Doc("of the agent")] = None
    checks: Annotated[
        Mapping[str, int], Doc("statements by verdict; empty if none was checked")
    ] = field(default_factory=dict)
    changes: Annotated[Mapping[str, int], Doc("statements by repair: reattributed, removed …")] = (
        field(default_factory=dict)
    )
    shown: Annotated[ShownAnswer | None, HIDDEN] = None
    who: Annotated[str, Doc("name of the token or person; empty for the owner here")] = ""
    conversation: Annotated[str | None, Doc("id of the row of its first turn")] = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns that belong together; ``id`` is the row of the first. ``words`` are all its questions."""

    id: str
    title: Annotated[str, Doc("the first question, unless somebody named it")]
    turns: int
    time: Annotated[datetime, Doc("of the last turn")]
    latest: Annotated[str, Doc("id of the row of the last turn, whose page has them all")]
    words: Annotated[str, HIDDEN] = ""


class QueryCount(NamedTuple):
    """How many rows of the query log have an outcome."""

    verdict: Verdict | None
    failed: bool
    n: int


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

    ``p50_ms`` and ``p95_ms`` are of complete answers, by nearest rank.
    """

    n: Annotated[int, Doc("rows of the log")]
    verdicts: Mapping[Verdict, int]
    verdict_rates: Annotated[Mapping[Verdict, Share], Doc("0 to 1; null if no row has a verdict")]
    errors: int
    error_rate: Annotated[Share, Doc("of all rows")]
    coverage: Annotated[Share, Doc("mean attribution coverage")]
    checks: Mapping[ClaimVerdict, int]
    check_rates: Annotated[Mapping[ClaimVerdict, Share], Doc("0 to 1; null if none was checked")]
    p50_ms: Annotated[float | None, Doc("half took less")]
    p95_ms: float | None
    tokens: Annotated[int, Doc("of prompts and replies")]
    cost: Annotated[float | None, Doc("US dollars, as far as known", digits=6)]
    unpriced: Annotated[int, Doc("rows whose cost is unknown")]


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
    """The requests of one day, command and model."""

    day: date
    command: Annotated[str, Doc("ask, ingest, …; python for the Python API")]
    model: str
    usage: Annotated[Usage, Doc("its cost is of the calls with a known price")]
    unpriced: Annotated[int, Doc("calls whose price is not known")]


@dataclass(frozen=True, slots=True)
class Spending:
    """The requests of a period, and those of ``day``, which is today."""

    rows: tuple[SpendingRow, ...]
    total: Usage
    unpriced: Annotated[int, Doc("calls whose price is not known")]
    day: Annotated[date, Doc("today, in the time zone of the limits")]
    today: Usage


@dataclass(frozen=True, slots=True)
class Token:
    """A caller's right to use the server as ``role``, until it expires or is revoked.

    ``hash`` is that of the secret, which nobody keeps.
    """

    id: str
    name: str
    role: Annotated[Confidentiality, Doc("highest confidentiality visible to its holder")]
    hash: Annotated[str, HIDDEN] = field(repr=False)
    created: datetime
    expires: datetime
    revoked: datetime | None = None
    used: Annotated[datetime | None, Doc("last use, to a minute")] = None

    def is_valid(self, now: datetime) -> bool:
        """Whether it may be used at that time."""
        return self.revoked is None and now < self.expires


@dataclass(frozen=True, slots=True)
class ProjectRole:
    """What a person may see in a project of a server that has several."""

    person: str
    folder: Annotated[str, Doc("name of the project's folder; empty for all projects")]
    role: Confidentiality


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """What somebody did; ``number`` is the store's, and 0 before it is saved."""

    time: datetime
    who: Annotated[str, Doc("name of the token; empty for the owner on the server's machine")]
    role: Confidentiality
    action: Annotated[str, Doc("login, source.remove …")]
    subject: Annotated[str, Doc("id or path of what it was done to")]
    address: Annotated[str, Doc("network address it came from")]
    outcome: Annotated[str, Doc("done, or an error's code")]
    number: Annotated[int, Doc("ascending; the cursor of the next page")] = 0
