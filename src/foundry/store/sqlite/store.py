"""The SQLite store: opens transactions; the modules beside it do the work in them.

Every method is one transaction; slow work happens outside it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from foundry.errors import StoreError
from foundry.ports import ChunkVectors, Vectors
from foundry.records import (
    Block,
    Chunk,
    DraftRecord,
    Filters,
    IndexStatus,
    QueryFigures,
    QueryRecord,
    RetrieverHit,
    Source,
    StoreProblem,
    Summary,
    UnreadFile,
)
from foundry.store.sqlite import integrity, sources, text_index, vector_index
from foundry.store.sqlite.connections import Connections, connect
from foundry.store.sqlite.evaluation import SqliteEvaluation
from foundry.store.sqlite.failures import map_errors
from foundry.store.sqlite.rows import (
    build_query_row,
    decode_record,
    encode_json,
    encode_record,
    read_blocks,
    read_chunks,
    read_figures,
    read_query,
    read_source,
)
from foundry.store.sqlite.schema import create_in_memory, prepare
from foundry.store.statements import load_migrations, load_statements

_END = 1 << 40
_DAY_S = 86_400


class SqliteStore:
    """A project's database in one SQLite file; ``ports.Store`` documents each method."""

    def __init__(self, path: Path, project_id: str, *, read_only: bool = False) -> None:
        migrations = load_migrations("sqlite")
        self._path = path
        self._missing = read_only and not path.exists()
        if self._missing:
            opening = partial(create_in_memory, project_id, migrations)
        else:
            prepare(path, project_id, migrations, read_only=read_only)
            opening = partial(connect, path, read_only=read_only)
        statements = load_statements("sqlite")
        self._connections = Connections(path, statements, opening, read_only=read_only)
        self.evaluation = SqliteEvaluation(self._connections)

    # Sources

    def list_sources(self) -> list[Source]:
        with self._connections.reading() as db:
            return [read_source(row) for row in db.rows("list_sources")]

    def find_source(self, path_or_id: str) -> Source | None:
        with self._connections.reading() as db:
            rows = db.rows("find_source", {"key": path_or_id})
            return read_source(rows[0]) if rows else None

    def source_text(self, source_id: str) -> str:
        with self._connections.reading() as db:
            rowid = sources.get_source_rowid(db, source_id)
            rows = db.run("text_segments", (rowid, 0, _END))
            return "".join(text for (text,) in rows)

    def source_blocks(self, source_id: str) -> list[Block]:
        with self._connections.reading() as db:
            rowid = sources.get_source_rowid(db, source_id)
            return read_blocks(db, rowid, 0, _END)

    def source_chunks(self, source_id: str) -> list[Chunk]:
        with self._connections.reading() as db:
            sources.get_source_rowid(db, source_id)
            rows = db.rows("chunks_of_source", (source_id,))
            return read_chunks(db, rows)

    def save_source(
        self,
        source: Source,
        text: str,
        blocks: Sequence[Block],
        chunks: Sequence[Chunk],
        summary: Summary,
    ) -> None:
        sources.check_chunks(source, text, chunks)
        with self._connections.reading() as db:
            known = sources.read_terms_hashes(db, source.id)
        with map_errors(self._path):
            ready = sources.prepare_terms(source.title, chunks, known)
        with self._connections.writing() as db:
            sources.write_source(
                db, source, text=text, blocks=blocks, chunks=chunks, summary=summary, ready=ready
            )

    def update_source(self, source: Source) -> None:
        ready: sources.PreparedTerms = {}
        known = self.find_source(source.id)
        if known and replace(source, chunks=known.chunks) == known:
            return
        if known and known.title != source.title:
            ready = sources.prepare_terms(source.title, self.source_chunks(source.id), ())
        with self._connections.writing() as db:
            sources.write_metadata(db, source, ready)

    def remove_source(self, source_id: str) -> bool:
        with self._connections.writing() as db:
            return sources.delete_source(db, source_id)

    def summaries(self, source_ids: Sequence[str]) -> dict[str, Summary]:
        with self._connections.reading() as db:
            rows = db.run("summaries", (encode_json(list(source_ids)),))
            return {source: Summary(source, text, model) for source, text, model in rows}

    def save_annotations(self, summary: Summary, chunks: Sequence[Chunk]) -> int:
        with self._connections.writing() as db:
            rowid = sources.get_source_rowid(db, summary.source_id)
            db.run("put_summary", (rowid, summary.text, summary.model))
            return sources.write_prefixes(db, rowid, chunks)

    # Chunks and search

    def get_chunks(self, chunk_ids: Sequence[str]) -> list[Chunk]:
        with self._connections.reading() as db:
            ids = encode_json(list(chunk_ids))
            rows = db.rows("chunks_by_id", (ids,))
            chunks = read_chunks(db, rows)
        by_id = {chunk.id: chunk for chunk in chunks}
        return [by_id[chunk] for chunk in chunk_ids if chunk in by_id]

    def languages(self) -> dict[str, int]:
        with self._connections.reading() as db:
            return dict(db.run("languages"))

    def chunk_languages(self, chunk_ids: Sequence[str]) -> dict[str, str]:
        with self._connections.reading() as db:
            return dict(db.run("chunk_languages", (encode_json(list(chunk_ids)),)))

    def search_text(self, terms: Sequence[str], limit: int, filters: Filters) -> list[RetrieverHit]:
        """BM25 over analysed terms joined by OR; see ``text_index.search``."""
        if self._missing:
            raise StoreError(
                "The project has no database yet.",
                where=str(self._path),
                fix="Run `foundry ingest` first.",
            )
        with self._connections.reading() as db:
            return text_index.search(db, terms, limit, filters)

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        with self._connections.reading() as db:
            return text_index.count_documents(db, terms)

    def search_vectors(
        self, model: str, vector: Vectors, limit: int, filters: Filters
    ) -> list[RetrieverHit]:
        """The nearest chunks by cosine, at most 4,096; raises ``IndexMissing``."""
        with self._connections.reading() as db:
            return vector_index.search(db, model, vector, limit, filters)

    def get_vectors(self, model: str, chunk_ids: Sequence[str]) -> dict[str, ChunkVectors]:
        with self._connections.reading() as db:
            return vector_index.read_vectors(db, model, chunk_ids)

    # The vector index

    def open_index(self, model: str, dimension: int, fingerprint: str) -> None:
        with self._connections.reading() as db:
            index = vector_index.find_index(db, model)
        if index and (index.dimension, index.fingerprint) == (dimension, fingerprint):
            return
        with self._connections.writing() as db:
            vector_index.open_index(db, model, dimension, fingerprint)

    def find_index(self, model: str) -> str | None:
        with self._connections.reading() as db:
            index = vector_index.find_index(db, model)
            return index.fingerprint if index else None

    def pending_chunks(
        self, model: str, limit: int, after: int = 0, sources: Sequence[str] | None = None
    ) -> list[tuple[int, Chunk]]:
        """Chunks without a vector, by row number above ``after``; all chunks without an index."""
        with self._connections.reading() as db:
            index = vector_index.find_index(db, model)
            if index:
                values = {"after": after, "limit": limit, "sources": _encode_ids(sources)}
                rows = db.rows("pending_chunks", values, vectors=index.table)
            else:
                rows = db.rows("chunks_after", (after, limit))
            chunks = read_chunks(db, rows)
        return [(row["rowid"], chunk) for row, chunk in zip(rows, chunks, strict=True)]

    def pending_tokens(self, model: str, sources: Sequence[str] | None = None) -> int:
        with self._connections.reading() as db:
            index = vector_index.get_index(db, model)
            values = {"sources": _encode_ids(sources)}
            return int(db.value("pending_tokens", values, vectors=index.table))

    def save_vectors(self, model: str, rows: Sequence[tuple[Chunk, ChunkVectors]]) -> int:
        with self._connections.writing() as db:
            return vector_index.save_vectors(db, model, rows)

    def drop_index(self, model: str) -> None:
        with self._connections.writing() as db:
            vector_index.drop_index(db, model)

    def rebuild_text_index(self) -> int:
        text_index.analyse_all(self._connections)
        with self._connections.writing() as db:
            integrity.sweep(db)
            return text_index.rebuild(db)

    def index_status(self, model: str) -> IndexStatus:
        with self._connections.reading() as db:
            return integrity.read_index_status(db, model)

    def verify(self) -> list[StoreProblem]:
        with self._connections.reading() as db:
            return integrity.verify(db)

    # Runs, log, caches

    @contextmanager
    def ingest_lock(self, waiting: Callable[[], None] | None = None) -> Iterator[None]:
        # Imported here: it imports asyncio, and only an ingest needs it.
        import filelock

        lock = filelock.FileLock(self._path.with_name(f"{self._path.name}.ingest.lock"))
        with map_errors(self._path):
            try:
                lock.acquire(timeout=0)
            except filelock.Timeout:
                if waiting:
                    waiting()
                lock.acquire(poll_interval=0.1)
        try:
            yield
        finally:
            lock.release()

    def start_run(self, details: Mapping[str, Any]) -> int:
        with self._connections.writing() as db:
            db.run("interrupt_runs")
            values = (_format_now(), encode_json(dict(details)))
            return int(db.value("start_run", values))

    def finish_run(self, run_id: int, report: Mapping[str, Any]) -> None:
        with self._connections.writing() as db:
            values = (_format_now(), encode_json(dict(report)), run_id)
            db.run("finish_run", values)
            db.run("clear_spares")

    def find_open_run(self) -> tuple[datetime, Mapping[str, Any]] | None:
        with self._connections.reading() as db:
            rows = list(db.run("find_open_run"))
        return (datetime.fromisoformat(rows[0][0]), json.loads(rows[0][1])) if rows else None

    def save_unread(self, files: Sequence[UnreadFile]) -> None:
        with self._connections.writing() as db:
            db.run_many("save_unread", [(file.path, encode_record(file)) for file in files])

    def remove_unread(self, paths: Sequence[str]) -> None:
        with self._connections.writing() as db:
            db.run_many("remove_unread", [(path,) for path in paths])

    def list_unread(self) -> list[UnreadFile]:
        with self._connections.reading() as db:
            return [decode_record(UnreadFile, text) for (text,) in db.run("list_unread")]

    def log_query(self, record: QueryRecord) -> None:
        with self._connections.writing() as db:
            db.run("log_query", build_query_row(record))

    def list_queries(
        self,
        limit: int,
        *,
        kind: str | None = None,
        without: str | None = None,
        verdict: str | None = None,
        since: datetime | None = None,
    ) -> list[QueryRecord]:
        kinds = {"kind": kind, "without": without}
        values = {"limit": limit, **kinds, "verdict": verdict, "since": _get_timestamp(since)}
        with self._connections.reading() as db:
            return [read_query(row) for row in db.rows("list_queries", values)]

    def query_figures(
        self, *, since: datetime | None = None, until: datetime | None = None
    ) -> list[QueryFigures]:
        values = {"since": _get_timestamp(since), "until": _get_timestamp(until)}
        with self._connections.reading() as db:
            return [read_figures(row) for row in db.run("query_figures", values)]

    def find_query(self, query_id: str) -> QueryRecord | None:
        with self._connections.reading() as db:
            rows = db.rows("find_query", (query_id,))
            return read_query(rows[0]) if rows else None

    def prune_log(self, days: float) -> int:
        with self._connections.writing() as db:
            db.run("prune_log", (time.time() - days * _DAY_S,))
            return db.changes()

    def find_response(self, key: str) -> str | None:
        with self._connections.reading() as db:
            reply: str | None = db.value("find_response", (key,))
            return reply

    def save_response(self, key: str, model: str, reply: str) -> None:
        with self._connections.writing() as db:
            db.run("save_response", (key, model, reply, _format_now()))

    # Drafts

    def save_draft(self, record: DraftRecord) -> None:
        values = (record.path, record.feature, record.created.timestamp(), encode_record(record))
        with self._connections.writing() as db:
            db.run("save_draft", values)

    def find_draft(self, path: str) -> DraftRecord | None:
        with self._connections.reading() as db:
            record = db.value("find_draft", (path,))
        return None if record is None else decode_record(DraftRecord, record)

    def list_drafts(self, feature: str | None = None) -> list[DraftRecord]:
        with self._connections.reading() as db:
            return [
                decode_record(DraftRecord, text)
                for (text,) in db.run("list_drafts", {"feature": feature})
            ]

    def remove_draft(self, path: str) -> bool:
        with self._connections.writing() as db:
            db.run("remove_draft", (path,))
            return db.changes() > 0

    def find_section(self, key: str) -> str | None:
        with self._connections.reading() as db:
            section: str | None = db.value("find_section", (key,))
            return section

    def save_section(self, key: str, section: str) -> None:
        with self._connections.writing() as db:
            db.run("save_section", (key, section, _format_now()))

    def close(self) -> None:
        self._connections.close()


def _get_timestamp(time: datetime | None) -> float | None:
    return None if time is None else time.timestamp()


def _encode_ids(ids: Sequence[str] | None) -> str | None:
    return None if ids is None else encode_json(list(ids))


def _format_now() -> str:
    return datetime.now(UTC).isoformat()
