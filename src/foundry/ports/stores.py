"""The project's database, one small Protocol for each of its customers.

A journey gets a ``StoreView``: the project as one role sees it. What the role may not see is as if
it did not exist, in every verb: it is in no list, count or statistic, and asking for it by name
gives what an unknown name gives. The whole ``Store`` is for wiring and maintenance.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from foundry.ports.access import AccessStore
from foundry.ports.corrections import Corrections, CorrectionWriter
from foundry.ports.jobs import Jobs, Locks
from foundry.ports.models import ChunkVectors, Vectors
from foundry.records import (
    Block,
    CallSum,
    Chunk,
    Confidentiality,
    Correction,
    DraftRecord,
    EvalQuestion,
    EvalResult,
    EvalRun,
    Feedback,
    Filters,
    FittedCalibration,
    IndexStatus,
    Mention,
    ModelCall,
    QueryFigures,
    QueryRecord,
    Reading,
    RetrieverHit,
    Source,
    StoreProblem,
    Summary,
    UnreadFile,
)


class Sources(Protocol):
    """The visible sources and their texts."""

    def list_sources(self, under: str | None = None) -> list[Source]:
        """All sources, or those of one path and below it, by path."""

    def find_content(self, content_hash: str) -> list[Source]:
        """The sources made from a file with these bytes, by path."""

    def find_source(self, path_or_id: str) -> Source | None:
        """The source with that id or path, or None."""

    def get_sources(self, source_ids: Collection[str]) -> dict[str, Source]:
        """Source id → source, for the ids that exist."""

    def source_text(self, source_id: str) -> str:
        """The whole text; raises ``StoreError`` for an unknown source."""

    def source_blocks(self, source_id: str) -> list[Block]:
        """All blocks in order; raises ``StoreError`` for an unknown source."""

    def source_chunks(self, source_id: str) -> list[Chunk]:
        """All chunks in order; raises ``StoreError`` for an unknown source."""

    def summaries(self, source_ids: Sequence[str]) -> dict[str, Summary]:
        """Source id → summary, for the sources that have one."""

    def list_labels(self) -> list[str]:
        """What the text index has of each source: title, file name, names on its front."""

    def find_abbreviations(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """Name in lower case → what sources define it as, short to full and full to short."""

    def list_unread(self, under: str | None = None) -> list[UnreadFile]:
        """The visible files that an ingest could not read or left out, by path, as ``list_sources``."""


class Search(Protocol):
    """Chunks, the text index and the vector index; statistics count visible chunks only."""

    def get_chunks(self, chunk_ids: Sequence[str]) -> list[Chunk]:
        """The chunks with their blocks, in the order of the ids; unknown ids are skipped."""

    def languages(self) -> dict[str, int]:
        """Language → number of chunks."""

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """Analysed term → number of chunks that contain it."""

    def count_mentions(self, terms: Sequence[str]) -> list[Mention]:
        """The sources that have each analysed term, with the share of their chunks that do."""

    def search_text(self, terms: Sequence[str], limit: int, filters: Filters) -> list[RetrieverHit]:
        """BM25 over analysed terms joined by OR; scores are above 0."""

    def search_vectors(
        self, model: str, vector: Vectors, limit: int, filters: Filters
    ) -> list[RetrieverHit]:
        """The nearest chunks by the cosine of their nearest window.

        Raises ``IndexMissing`` if the model has no index.
        """

    def get_windows(self, model: str, chunk_ids: Sequence[str]) -> dict[str, Vectors]:
        """Chunk id → the vectors of its windows, shape (n, dimension), for the chunks that have them."""

    def find_index(self, model: str) -> str | None:
        """The fingerprint of the model's index, or None."""

    def index_status(self, model: str) -> IndexStatus:
        """The size of each index; the result's ``model`` is None if it has no table."""


class Journal(Protocol):
    """The query log: the rows of this role and of lower ones."""

    def log_query(self, record: QueryRecord) -> None:
        """Add a row to the query log."""

    def find_query(self, query_id: str) -> QueryRecord | None:
        """The row of the query log with that id, or None."""

    def list_queries(
        self,
        limit: int,
        *,
        kind: str | None = None,
        without: str | None = None,
        verdict: str | None = None,
        since: datetime | None = None,
    ) -> list[QueryRecord]:
        """The latest rows, of one ``kind`` or ``without`` one; verdict "error" is any failure."""

    def query_figures(
        self, *, since: datetime | None = None, until: datetime | None = None
    ) -> list[QueryFigures]:
        """The numbers of every row from ``since`` to before ``until``, oldest first."""

    def prune_log(self, days: float) -> None:
        """Remove log rows older than that many days, whoever wrote them."""


class Ledger(Protocol):
    """What requests to models took, by whomever they were made."""

    def save_call(self, call: ModelCall) -> int:
        """Add a request; returns its number."""

    def settle_call(self, number: int, call: ModelCall) -> None:
        """Set what a request took, once that is known."""

    def sum_calls(
        self, *, since: datetime | None = None, until: datetime | None = None
    ) -> list[CallSum]:
        """The requests from ``since`` to before ``until``, oldest first."""


class Cache(Protocol):
    """What models wrote earlier, by a hash of all that it depends on; each role has its own."""

    def find_response(self, key: str) -> str | None:
        """A cached model reply (JSON), or None."""

    def save_response(self, key: str, model: str, reply: str) -> None:
        """Cache a model's reply."""

    def find_section(self, key: str) -> str | None:
        """A section (JSON) written earlier from exactly what ``key`` hashes, or None."""

    def save_section(self, key: str, section: str) -> None:
        """Cache a written section."""


class Drafts(Protocol):
    """The register of drafts: those that this role or a lower one made, from visible sources."""

    def save_draft(self, record: DraftRecord) -> None:
        """Register a draft; replaces an earlier one at the same path."""

    def find_draft(self, path: str) -> DraftRecord | None:
        """The draft registered at that path, or None."""

    def list_drafts(self, feature: str | None = None) -> list[DraftRecord]:
        """All drafts, or those of one feature; latest first."""


class EvaluationView(Protocol):
    """Evaluation as a role sees it.

    It sees questions whose expected sources are all visible, and runs of its own and lower roles. Calibrations are fitted on all sources, so only the highest role sees them.
    """

    def list_questions(self, set_name: str | None = None) -> list[EvalQuestion]:
        """All questions, or those of one set, by set and key."""

    def start_run(self, run: EvalRun) -> EvalRun:
        """Save a new run; returns it with its id."""

    def save_run(self, run: EvalRun) -> None:
        """Update a run."""

    def find_run(self, id_or_name: str) -> EvalRun | None:
        """The run with that number, else the latest with that name."""

    def list_runs(self) -> list[EvalRun]:
        """All runs, latest first."""

    def remove_run(self, run_id: int) -> bool:
        """Remove a run with its results; False if there was none."""

    def save_result(self, run_id: int, result: EvalResult) -> None:
        """Save one question's result."""

    def results(self, run_id: int) -> list[EvalResult]:
        """The results of a run, by question key."""

    def save_feedback(self, feedback: Feedback) -> None:
        """Add a reader's feedback."""

    def find_feedback(self, query_id: str) -> Feedback | None:
        """The latest feedback on an answer, or None; None for an answer that is not visible too."""

    def find_fitted(self, model: str) -> FittedCalibration | None:
        """The calibration fitted for an embedding model, whatever its fingerprint."""

    def list_fitted(self) -> list[FittedCalibration]:
        """All fitted calibrations, by model."""


class EvaluationStore(EvaluationView, Protocol):
    """All of evaluation: questions, runs with results, feedback, fitted calibrations."""

    def save_questions(self, questions: Sequence[EvalQuestion]) -> None:
        """Save all of the questions or none; each replaces one with the same key."""

    def remove_questions(self, keys: Sequence[str]) -> int:
        """Remove questions, but not the results of earlier runs; returns how many."""

    def list_feedback(self) -> list[Feedback]:
        """All feedback, oldest first."""

    def save_fitted(self, fitted: FittedCalibration) -> None:
        """Save the calibration fitted for an embedding model."""

    def remove_fitted(self, model: str) -> bool:
        """Remove the calibration of a model; False if there was none."""


class StoreView(Sources, Corrections, Search, Journal, Cache, Drafts, Locks, Protocol):
    """A project as one role sees it; every write is one transaction.

    All methods may be called from several threads and processes at once.
    """

    @property
    def evaluation(self) -> EvaluationView: ...


class SourceWriter(CorrectionWriter, Protocol):
    """What an ingest writes."""

    def save_source(
        self,
        source: Source,
        text: str,
        blocks: Sequence[Block],
        chunks: Sequence[Chunk],
        summary: Summary,
        *,
        reading: Reading | None = None,
        corrections: Sequence[Correction] | None = None,
        on_chunk: Callable[[], None] = lambda: None,
    ) -> None:
        """Add or replace a source with its text index rows.

        ``reading`` is what a reader made of it, if it is corrected; ``corrections`` replace those of
        its bytes. ``on_chunk`` is called twice for each chunk: analysed and written.

        Chunks whose id already exists keep their row. A chunk whose embedded text is unchanged, or
        known from any other source, keeps or reuses that vector.
        """

    def update_source(self, source: Source) -> None:
        """Change a source's metadata (tags, confidentiality, times), not its text."""

    def remove_source(self, source_id: str) -> bool:
        """Remove a source from every table and index; False if there was none."""

    def save_annotations(self, summary: Summary, chunks: Sequence[Chunk]) -> int:
        """Save a source's summary and its chunks' prefixes; returns how many prefixes changed.

        Vectors of a changed prefix are removed or replaced by known ones; chunks that no longer
        exist are skipped. Raises ``StoreError`` for an unknown source.
        """

    def start_run(self, details: Mapping[str, Any]) -> int:
        """Start an ingest run under the lock "ingest"; a run left open is marked as interrupted."""

    def finish_run(self, run_id: int, report: Mapping[str, Any]) -> None:
        """Close a run and delete the vectors of removed text that nothing reused."""

    def save_unread(self, files: Sequence[UnreadFile]) -> None:
        """Remember files that could not be read; each replaces an earlier one at its path."""

    def remove_unread(self, paths: Sequence[str]) -> None:
        """Forget unread files, because they were read or are gone."""


class VectorWriter(Protocol):
    """The vectors of each embedding model."""

    def open_index(self, model: str, dimension: int, fingerprint: str) -> None:
        """Create the model's index if it is missing.

        Raises ``IndexMissing`` if it contains vectors with another fingerprint: rebuild it then.
        """

    def pending_chunks(
        self, model: str, limit: int, after: int = 0, sources: Sequence[str] | None = None
    ) -> list[tuple[int, Chunk]]:
        """Chunks without a vector, by row number above ``after``; ``sources`` are ids."""

    def pending_tokens(self, model: str, sources: Sequence[str] | None = None) -> int:
        """Tokens of the chunks without a vector; raises ``IndexMissing`` without an index."""

    def save_vectors(self, model: str, rows: Sequence[tuple[Chunk, ChunkVectors]]) -> int:
        """Save vectors of chunks that still exist unchanged; returns how many."""

    def get_vectors(self, model: str, chunk_ids: Sequence[str]) -> dict[str, ChunkVectors]:
        """Chunk id → vectors of length 1, for the chunks that have them."""

    def drop_index(self, model: str) -> None:
        """Remove the model's vectors and its registry entry, if any, and those of a rebuild."""

    def open_rebuild(self, model: str, dimension: int, fingerprint: str) -> str:
        """The name under which vectors are saved beside those that searches use.

        An interrupted rebuild resumes, unless its dimension or fingerprint was another.
        """

    def finish_rebuild(self, model: str, *, anyway: bool = False) -> bool:
        """Have searches use the vectors of the rebuild and remove the earlier ones.

        False, and nothing changes, if they lack a chunk that the earlier ones have, unless
        ``anyway``. Raises ``IndexMissing`` without a rebuild.
        """


class Transfer(Protocol):
    """What a copy to another store needs besides the other verbs: all that is not derived from sources.

    A table is a log, a register or a cache; its rows are tuples of text, numbers and None.
    """

    def list_indexes(self) -> list[tuple[str, int, str]]:
        """Model, dimension and fingerprint of every vector index."""

    def count_rows(self) -> dict[str, int]:
        """Table → number of rows."""

    def read_rows(self, table: str) -> Iterator[Sequence[Any]]:
        """All rows of a table in a fixed order, in one transaction."""

    def add_rows(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        """Add all rows that ``read_rows`` gave, or none; raises ``StoreError`` for a known key."""


class Store(StoreView, SourceWriter, VectorWriter, Ledger, Transfer, Jobs, Protocol):
    """A whole project, for wiring and maintenance. Opening migrates the schema."""

    @property
    def evaluation(self) -> EvaluationStore: ...

    @property
    def access(self) -> AccessStore: ...

    def view(self, role: Confidentiality) -> StoreView:
        """The project as ``role`` sees it, over the same connections."""

    def rebuild_text_index(self) -> int:
        """Rebuild the text index from the chunks; returns its number of rows."""

    def verify(self) -> list[StoreProblem]:
        """All inconsistencies between tables and indexes; empty if there are none."""

    def close(self) -> None:
        """Close every connection; no other thread may be using the store."""
