"""The Protocols that the journeys are written against.

An adapter (a reader, a store, a model) matches one by its methods and inherits nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Generator as Pieces
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from foundry.records import (
    Block,
    Chunk,
    Document,
    DraftRecord,
    EvalQuestion,
    EvalResult,
    EvalRun,
    Feedback,
    Filters,
    FittedCalibration,
    IndexStatus,
    QueryFigures,
    QueryRecord,
    RetrieverHit,
    Source,
    StoreProblem,
    Summary,
    Usage,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]
else:
    # Parser processes import this module and do not need numpy.
    Vectors = Any
"""Embeddings, shape (n, dimension), rows of length 1."""

CountTokens = Callable[[str], int]
"""Counts the tokens of a text in the tokenizer shared by all budgets of a project."""

Progress = Callable[["Step"], None]
"""Receives every step of long work; a face draws the progress bar."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of long work: ``done`` of ``total`` ``unit`` in a ``phase``, now at ``item``."""

    phase: str
    done: int
    total: int
    unit: str
    item: str = ""


@dataclass(frozen=True, slots=True)
class ChunkVectors:
    """The vectors of a chunk: ``whole``, shape (dimension,), and ``windows``, shape (n, dimension).

    ``whole`` is the mean of prefix and windows, scaled to length 1; it finds candidates. The
    windows, in the order of ``craft.windows.cut_windows``, decide how near they are.
    """

    whole: Vectors
    windows: Vectors


class Reader(Protocol):
    """Reads a file; raises ``ReadError``, and never returns an empty document silently."""

    def __call__(self, path: Path, options: ReadOptions) -> Document: ...


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a reader may need besides the file.

    ``name`` is the file's path in the project, for messages; ``passwords`` are tried in turn on
    encrypted files; ``ocr`` is "auto" or "off"; ``temporary`` is a folder for scratch files.
    """

    name: str
    passwords: tuple[str, ...] = ()
    ocr: str = "auto"
    temporary: Path | None = None


class Embedder(Protocol):
    """One embedding model."""

    @property
    def model(self) -> str:
        """The configured name, such as ``builtin/multilingual-e5-small``."""
        ...

    @property
    def local(self) -> bool:
        """True if no text leaves this machine."""
        ...

    def dimension(self) -> int:
        """Length of a vector; may call the model once."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (len(texts), dimension)."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """The vector of one query, shape (dimension,)."""
        ...

    def fingerprint(self) -> str:
        """A hash of model, dimension and prefixes; vectors compare only under the same one."""
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt; ``role`` is "system", "user" or "assistant"."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply. ``data`` is the parsed object if a schema was given, else None.

    ``notices`` report what the gateway had to do ("The model ignored the schema; its reply was
    read as prose.").
    """

    text: str
    data: Mapping[str, Any] | None
    usage: Usage
    model: str
    notices: tuple[str, ...] = ()


class Generator(Protocol):
    """One language model."""

    @property
    def model(self) -> str:
        """The configured LiteLLM name."""
        ...

    @property
    def local(self) -> bool:
        """True if no text leaves this machine."""
        ...

    def generate(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """One completion, structured if a JSON Schema is given; raises ``ModelError``."""
        ...

    def stream(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Pieces[str, None, Reply]:
        """Yields pieces of text, then returns the ``Reply``; closing it cancels the call."""
        ...

    def window(self) -> int:
        """The context window in tokens."""
        ...


class EvaluationStore(Protocol):
    """Storage for evaluation: questions, runs with results, feedback, fitted calibrations."""

    def save_questions(self, questions: Sequence[EvalQuestion]) -> None:
        """Save all of the questions or none; each replaces one with the same key."""
        ...

    def list_questions(self, set_name: str | None = None) -> list[EvalQuestion]: ...
    def remove_questions(self, keys: Sequence[str]) -> int: ...
    def start_run(self, run: EvalRun) -> EvalRun:
        """Save a new run; returns it with its id."""
        ...

    def save_run(self, run: EvalRun) -> None: ...
    def find_run(self, id_or_name: str) -> EvalRun | None:
        """The run with that number, else the latest with that name."""
        ...

    def list_runs(self) -> list[EvalRun]: ...
    def remove_run(self, run_id: int) -> bool: ...
    def save_result(self, run_id: int, result: EvalResult) -> None: ...
    def results(self, run_id: int) -> list[EvalResult]:
        """The results of a run, by question key."""
        ...

    def save_feedback(self, feedback: Feedback) -> None: ...
    def list_feedback(self) -> list[Feedback]: ...
    def save_fitted(self, fitted: FittedCalibration) -> None: ...
    def find_fitted(self, model: str) -> FittedCalibration | None:
        """The calibration fitted for an embedding model, whatever its fingerprint."""
        ...

    def list_fitted(self) -> list[FittedCalibration]:
        """All fitted calibrations, by model."""
        ...

    def remove_fitted(self, model: str) -> bool: ...


class Store(Protocol):
    """The project's database: sources, chunks, both indexes, query log and caches.

    Every write is one transaction. Opening migrates the schema. All methods may be called from
    several threads and processes at once.
    """

    @property
    def evaluation(self) -> EvaluationStore: ...

    # sources
    def list_sources(self) -> list[Source]: ...
    def find_source(self, path_or_id: str) -> Source | None: ...
    def source_text(self, source_id: str) -> str: ...
    def source_blocks(self, source_id: str) -> list[Block]: ...
    def source_chunks(self, source_id: str) -> list[Chunk]: ...
    def save_source(
        self,
        source: Source,
        text: str,
        blocks: Sequence[Block],
        chunks: Sequence[Chunk],
        summary: Summary,
    ) -> None:
        """Add or replace a source with its text index rows.

        Chunks whose id already exists keep their row. A chunk whose embedded text is unchanged, or
        known from any other source, keeps or reuses that vector.
        """
        ...

    def update_source(self, source: Source) -> None:
        """Change a source's metadata (tags, confidentiality, times), not its text."""
        ...

    def remove_source(self, source_id: str) -> bool:
        """Remove a source from every table and index; False if there was none."""
        ...

    def summaries(self, source_ids: Sequence[str]) -> dict[str, Summary]: ...
    def save_annotations(self, summary: Summary, chunks: Sequence[Chunk]) -> int:
        """Save a source's summary and its chunks' prefixes; returns how many prefixes changed.

        Vectors of a changed prefix are removed or replaced by known ones; chunks that no longer
        exist are skipped. Raises ``StoreError`` for an unknown source.
        """
        ...

    # chunks and search
    def get_chunks(self, chunk_ids: Sequence[str]) -> list[Chunk]:
        """The chunks with their blocks, in the order of the ids; unknown ids are skipped."""
        ...

    def languages(self) -> dict[str, int]:
        """Language → number of chunks."""
        ...

    def chunk_languages(self, chunk_ids: Sequence[str]) -> dict[str, str]:
        """Chunk id → language, for the chunks that exist."""
        ...

    def search_text(self, terms: Sequence[str], limit: int, filters: Filters) -> list[RetrieverHit]:
        """BM25 over analysed terms joined by OR; scores are above 0."""
        ...

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """Analysed term → number of chunks that contain it."""
        ...

    def search_vectors(
        self, model: str, vector: Vectors, limit: int, filters: Filters
    ) -> list[RetrieverHit]:
        """The nearest chunks by the cosine of their nearest window.

        Raises ``IndexMissing`` if the model has no index.
        """
        ...

    def get_vectors(self, model: str, chunk_ids: Sequence[str]) -> dict[str, ChunkVectors]: ...

    # the vector index
    def open_index(self, model: str, dimension: int, fingerprint: str) -> None:
        """Create the model's index if it is missing.

        Raises ``IndexMissing`` if it contains vectors with another fingerprint: rebuild it then.
        """
        ...

    def find_index(self, model: str) -> str | None:
        """The fingerprint of the model's index, or None."""
        ...

    def pending_chunks(self, model: str, limit: int, after: int = 0) -> list[tuple[int, Chunk]]:
        """Chunks without a vector, by row number above ``after``."""
        ...

    def save_vectors(self, model: str, rows: Sequence[tuple[Chunk, ChunkVectors]]) -> int:
        """Save vectors of chunks that still exist unchanged; returns how many."""
        ...

    def drop_index(self, model: str) -> None: ...
    def rebuild_text_index(self) -> int:
        """Rebuild the text index from the chunks; returns its number of rows."""
        ...

    def index_status(self, model: str) -> IndexStatus: ...
    def verify(self) -> list[StoreProblem]:
        """All inconsistencies between tables and indexes; empty if there are none."""
        ...

    # runs, log, caches
    def ingest_lock(
        self, waiting: Callable[[], None] | None = None
    ) -> AbstractContextManager[None]:
        """The lock of the one ingest that may run; calls ``waiting`` once if it must wait."""
        ...

    def start_run(self, details: Mapping[str, Any]) -> int: ...
    def finish_run(self, run_id: int, report: Mapping[str, Any]) -> None: ...
    def log_query(self, record: QueryRecord) -> None: ...
    def prune_log(self, days: float) -> int:
        """Remove log rows older than that many days; returns how many."""
        ...

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
        ...

    def query_figures(
        self, *, since: datetime | None = None, until: datetime | None = None
    ) -> list[QueryFigures]:
        """The numbers of every row from ``since`` to before ``until``, oldest first."""
        ...

    def find_query(self, query_id: str) -> QueryRecord | None: ...
    def find_response(self, key: str) -> str | None:
        """A cached model reply (JSON), or None."""
        ...

    def save_response(self, key: str, model: str, reply: str) -> None: ...

    # drafts
    def save_draft(self, record: DraftRecord) -> None:
        """Register a draft; replaces an earlier one at the same path."""
        ...

    def find_draft(self, path: str) -> DraftRecord | None: ...
    def list_drafts(self, feature: str | None = None) -> list[DraftRecord]:
        """All drafts, or those of one feature; latest first."""
        ...

    def remove_draft(self, path: str) -> bool:
        """Forget a draft, but keep its file; False if there was none."""
        ...

    def find_section(self, key: str) -> str | None:
        """A section (JSON) written earlier from exactly what ``key`` hashes, or None."""
        ...

    def save_section(self, key: str, section: str) -> None: ...
    def close(self) -> None: ...
