"""The few Protocols that the journeys are written against.

An adapter (a reader, a store, a model) fits one of these by its shape; there is
nothing to inherit from.
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
    # Parser processes start from this module and need no numpy.
    Vectors = Any
"""Embeddings, shape (n, dimension), rows of length 1."""

CountTokens = Callable[[str], int]
"""Tokens of a text in the tokenizer that all budgets of a project share."""

Progress = Callable[["Step"], None]
"""Told of every step of long work; a face draws the bar."""


@dataclass(frozen=True, slots=True)
class Step:
    """One tick of long work: ``done`` of ``total`` ``unit`` in a ``phase``, now at ``item``."""

    phase: str
    done: int
    total: int
    unit: str
    item: str = ""


@dataclass(frozen=True, slots=True)
class ChunkVectors:
    """A chunk in vectors: ``whole``, shape (dimension,), and its ``windows``, shape (n, dimension).

    ``whole`` is the mean of prefix and windows at length 1; it finds candidates. The
    windows, in the order of ``craft.windows.cut_windows``, decide how near they are.
    """

    whole: Vectors
    windows: Vectors


class Reader(Protocol):
    """Bytes → blocks. Raises ``ReadError``; never returns an empty document silently."""

    def __call__(self, path: Path, options: ReadOptions) -> Document: ...


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a reader may need besides the file.

    ``name`` is the file's path in the project, for messages; ``passwords`` are
    tried in turn on encrypted files; ``ocr`` is "auto" or "off"; ``temporary`` a
    folder that may be written to.
    """

    name: str
    passwords: tuple[str, ...] = ()
    ocr: str = "auto"
    temporary: Path | None = None


class Embedder(Protocol):
    """Texts → vectors, one model."""

    @property
    def model(self) -> str:
        """The configured name, e.g. ``builtin/multilingual-e5-small``."""
        ...

    @property
    def local(self) -> bool:
        """True when no text leaves this machine."""
        ...

    def dimension(self) -> int:
        """Length of a vector; may call the model once."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found; shape (len(texts), dimension)."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """The vector of one query; shape (dimension,)."""
        ...

    def fingerprint(self) -> str:
        """A hash of model, dimension and prefixes: vectors compare only under one fingerprint."""
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt; ``role`` is "system", "user" or "assistant"."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer. ``data`` is the parsed object where a schema was asked for, else None.

    ``notices`` say what the gateway had to do ("the model ignored the schema; its
    reply was read as prose").
    """

    text: str
    data: Mapping[str, Any] | None
    usage: Usage
    model: str
    notices: tuple[str, ...] = ()


class Generator(Protocol):
    """Messages → text, one model."""

    @property
    def model(self) -> str:
        """The configured LiteLLM name."""
        ...

    @property
    def local(self) -> bool:
        """True when no text leaves this machine."""
        ...

    def generate(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """One completion; with ``schema`` (JSON Schema) a structured one. Raises ``ModelError``."""
        ...

    def stream(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Pieces[str, None, Reply]:
        """Pieces of text as they arrive, then the whole as a ``Reply``; closing it cancels the call."""
        ...

    def window(self) -> int:
        """The context window in tokens."""
        ...


class EvaluationStore(Protocol):
    """What evaluation keeps: questions, runs with their results, feedback, fitted constants."""

    def save_questions(self, questions: Sequence[EvalQuestion]) -> None:
        """Put questions, in place of those with the same key; all of them or none."""
        ...

    def list_questions(self, set_name: str | None = None) -> list[EvalQuestion]: ...
    def remove_questions(self, keys: Sequence[str]) -> int: ...
    def start_run(self, run: EvalRun) -> EvalRun:
        """Keep a new run; returns it with the id that it got."""
        ...

    def save_run(self, run: EvalRun) -> None: ...
    def find_run(self, id_or_name: str) -> EvalRun | None:
        """The run of that number, else the latest of that name."""
        ...

    def list_runs(self) -> list[EvalRun]: ...
    def remove_run(self, run_id: int) -> bool: ...
    def save_result(self, run_id: int, result: EvalResult) -> None: ...
    def results(self, run_id: int) -> list[EvalResult]:
        """The outcomes of a run, by question key."""
        ...

    def save_feedback(self, feedback: Feedback) -> None: ...
    def list_feedback(self) -> list[Feedback]: ...
    def save_fitted(self, fitted: FittedCalibration) -> None: ...
    def find_fitted(self, model: str) -> FittedCalibration | None:
        """The constants fitted for an embedding model, whatever their fingerprint."""
        ...

    def list_fitted(self) -> list[FittedCalibration]:
        """All fitted constants, by model."""
        ...

    def remove_fitted(self, model: str) -> bool: ...


class Store(Protocol):
    """The project's memory: sources, chunks, both indexes, log and caches.

    Every write is one transaction. Opening brings the schema up to date. All
    methods may be called from several threads and processes at once.
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
        """Put or replace a source with its text index rows, in one transaction.

        Chunks whose id already exists keep their row; those whose embedded text
        is unchanged (here, or in any other source) keep or take over the vector.
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
        """Put a source's summary and the prefixes of its chunks; returns how many prefixes changed.

        Vectors of a prefix that changed go, or are taken over; chunks that are gone
        are left out. Raises ``StoreError`` for an unknown source.
        """
        ...

    # chunks and search
    def get_chunks(self, chunk_ids: Sequence[str]) -> list[Chunk]:
        """The chunks with their blocks, in the order asked; unknown ids are left out."""
        ...

    def languages(self) -> dict[str, int]:
        """How many chunks there are per language."""
        ...

    def chunk_languages(self, chunk_ids: Sequence[str]) -> dict[str, str]:
        """Chunk id → language, for those that exist."""
        ...

    def search_text(self, terms: Sequence[str], limit: int, filters: Filters) -> list[RetrieverHit]:
        """BM25 over analysed terms joined by OR; score > 0, better when higher."""
        ...

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many chunks each analysed term stands."""
        ...

    def search_vectors(
        self, model: str, vector: Vectors, limit: int, filters: Filters
    ) -> list[RetrieverHit]:
        """Nearest chunks by the cosine of their nearest window, 1 at most.

        Raises ``IndexMissing`` without a table for the model.
        """
        ...

    def get_vectors(self, model: str, chunk_ids: Sequence[str]) -> dict[str, ChunkVectors]: ...

    # the vector index
    def open_index(self, model: str, dimension: int, fingerprint: str) -> None:
        """Make the model's table if it is missing.

        Raises ``IndexMissing`` if it holds vectors of another fingerprint: they must be rebuilt.
        """
        ...

    def find_index(self, model: str) -> str | None:
        """The fingerprint of the model's table, or None."""
        ...

    def pending_chunks(self, model: str, limit: int, after: int = 0) -> list[tuple[int, Chunk]]:
        """Chunks without a vector, by row number above ``after``."""
        ...

    def save_vectors(self, model: str, rows: Sequence[tuple[Chunk, ChunkVectors]]) -> int:
        """Write vectors of chunks that still exist unchanged; returns how many."""
        ...

    def drop_index(self, model: str) -> None: ...
    def rebuild_text_index(self) -> int:
        """Make the text index anew from the chunks; returns its rows."""
        ...

    def index_status(self, model: str) -> IndexStatus: ...
    def verify(self) -> list[StoreProblem]:
        """Everything inconsistent between tables and indexes; empty when sound."""
        ...

    # runs, log, caches
    def ingest_lock(
        self, waiting: Callable[[], None] | None = None
    ) -> AbstractContextManager[None]:
        """Held by the one ingest that may run; calls ``waiting`` once if it must wait."""
        ...

    def start_run(self, details: Mapping[str, Any]) -> int: ...
    def finish_run(self, run_id: int, report: Mapping[str, Any]) -> None: ...
    def log_query(self, record: QueryRecord) -> None: ...
    def prune_log(self, days: float) -> int:
        """Remove log rows older than that; returns how many."""
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
        """The latest rows, of one ``kind`` or ``without`` one; ``verdict`` "error" is any failure."""
        ...

    def query_figures(
        self, *, since: datetime | None = None, until: datetime | None = None
    ) -> list[QueryFigures]:
        """The numbers of every row from ``since`` to before ``until``, the oldest first."""
        ...

    def find_query(self, query_id: str) -> QueryRecord | None: ...
    def find_response(self, key: str) -> str | None:
        """A cached model reply (JSON), or None."""
        ...

    def save_response(self, key: str, model: str, reply: str) -> None: ...

    # drafts
    def save_draft(self, record: DraftRecord) -> None:
        """Register a draft, in place of an earlier one at the same path."""
        ...

    def find_draft(self, path: str) -> DraftRecord | None: ...
    def list_drafts(self, feature: str | None = None) -> list[DraftRecord]:
        """All drafts, or those of one feature; the latest first."""
        ...

    def remove_draft(self, path: str) -> bool:
        """Forget a draft, not its file; False if there was none."""
        ...

    def find_section(self, key: str) -> str | None:
        """A section written earlier (JSON) from exactly what ``key`` hashes, or None."""
        ...

    def save_section(self, key: str, section: str) -> None: ...
    def close(self) -> None: ...
