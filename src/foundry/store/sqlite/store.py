"""The SQLite store: opens transactions; the modules beside it do the work in them.

Every method is one transaction; slow work happens outside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from foundry.ports import ChunkVectors
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Block,
    Chunk,
    Confidentiality,
    Source,
    StoreProblem,
    Summary,
    UnreadFile,
)
from foundry.store.rows import HIGHEST, encode_json, encode_record, get_level
from foundry.store.sqlite import integrity, sources, text_index, vector_index
from foundry.store.sqlite.chunks import read_chunks
from foundry.store.sqlite.connections import Connections, connect
from foundry.store.sqlite.evaluation import SqliteEvaluation
from foundry.store.sqlite.failures import map_errors
from foundry.store.sqlite.schema import create_in_memory, prepare
from foundry.store.sqlite.vector_index import CACHED_BYTES, VectorCache
from foundry.store.sqlite.view import SqliteView, format_now
from foundry.store.statements import load_migrations, load_statements
from foundry.store.text_ranking import describe_source


class SqliteStore(SqliteView):
    """A project's database in one SQLite file; ``ports.Store`` documents each method.

    ``cached_bytes`` is the most memory for vectors that a process keeps between searches.
    """

    evaluation: SqliteEvaluation

    def __init__(
        self,
        path: Path,
        project_id: str,
        *,
        read_only: bool = False,
        cached_bytes: int = CACHED_BYTES,
    ) -> None:
        migrations = load_migrations("sqlite")
        self._path = path
        missing = read_only and not path.exists()
        if missing:
            opening = partial(create_in_memory, project_id, migrations)
        else:
            prepare(path, project_id, migrations, read_only=read_only)
            opening = partial(connect, path, read_only=read_only)
        statements = load_statements("sqlite")
        connections = Connections(path, statements, opening, read_only=read_only, missing=missing)
        super().__init__(connections, VectorCache(cached_bytes), CONFIDENTIALITY_LEVELS[-1])
        self.evaluation = SqliteEvaluation(connections, CONFIDENTIALITY_LEVELS[-1])

    def view(self, role: Confidentiality) -> SqliteView:
        return SqliteView(self._connections, self._vectors, role)

    # Sources

    def save_source(
        self,
        source: Source,
        text: str,
        blocks: Sequence[Block],
        chunks: Sequence[Chunk],
        summary: Summary,
        *,
        on_chunk: Callable[[], None] = lambda: None,
    ) -> None:
        sources.check_chunks(source, text, chunks)
        with self._connections.reading() as db:
            known = sources.read_terms_hashes(db, source.id)
        with map_errors(self._path):
            ready = sources.prepare_terms(describe_source(source), chunks, known, on_chunk)
        with self._connections.writing() as db:
            sources.write_source(
                db,
                source,
                text=text,
                blocks=blocks,
                chunks=chunks,
                summary=summary,
                ready=ready,
                on_chunk=on_chunk,
            )

    def update_source(self, source: Source) -> None:
        ready: sources.PreparedTerms = {}
        known = self.find_source(source.id)
        if known and replace(source, chunks=known.chunks) == known:
            return
        about = describe_source(source)
        if known and describe_source(known) != about:
            ready = sources.prepare_terms(about, self.source_chunks(source.id), ())
        with self._connections.writing() as db:
            sources.write_metadata(db, source, ready)

    def remove_source(self, source_id: str) -> bool:
        with self._connections.writing() as db:
            return sources.delete_source(db, source_id)

    def save_annotations(self, summary: Summary, chunks: Sequence[Chunk]) -> int:
        with self._connections.writing() as db:
            rowid = sources.get_source_rowid(db, summary.source_id, HIGHEST)
            db.run("put_summary", (rowid, summary.text, summary.model))
            return sources.write_prefixes(db, rowid, chunks)

    # Vectors

    def open_index(self, model: str, dimension: int, fingerprint: str) -> None:
        with self._connections.reading() as db:
            index = vector_index.find_index(db, model)
        if index and (index.dimension, index.fingerprint) == (dimension, fingerprint):
            return
        with self._connections.writing() as db:
            vector_index.open_index(db, model, dimension, fingerprint)

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

    def get_vectors(self, model: str, chunk_ids: Sequence[str]) -> dict[str, ChunkVectors]:
        with self._connections.reading() as db:
            return vector_index.read_vectors(db, model, chunk_ids)

    def drop_index(self, model: str) -> None:
        with self._connections.writing() as db:
            vector_index.drop_index(db, model)

    # Runs

    def start_run(self, details: Mapping[str, Any]) -> int:
        with self._connections.writing() as db:
            db.run("interrupt_runs")
            values = (format_now(), encode_json(dict(details)))
            return int(db.value("start_run", values))

    def finish_run(self, run_id: int, report: Mapping[str, Any]) -> None:
        with self._connections.writing() as db:
            values = (format_now(), encode_json(dict(report)), run_id)
            db.run("finish_run", values)
            db.run("clear_spares")

    def find_open_run(self) -> tuple[datetime, Mapping[str, Any]] | None:
        with self._connections.reading() as db:
            rows = list(db.run("find_open_run"))
        return (datetime.fromisoformat(rows[0][0]), json.loads(rows[0][1])) if rows else None

    def save_unread(self, files: Sequence[UnreadFile]) -> None:
        rows = [(file.path, get_level(file.confidentiality), encode_record(file)) for file in files]
        with self._connections.writing() as db:
            db.run_many("save_unread", rows)

    def remove_unread(self, paths: Sequence[str]) -> None:
        with self._connections.writing() as db:
            db.run_many("remove_unread", [(path,) for path in paths])

    # Maintenance

    def rebuild_text_index(self) -> int:
        text_index.analyse_all(self._connections)
        with self._connections.writing() as db:
            integrity.sweep(db)
            return text_index.rebuild(db)

    def verify(self) -> list[StoreProblem]:
        with self._connections.reading() as db:
            return integrity.verify(db)

    def close(self) -> None:
        self._connections.close()


def _encode_ids(ids: Sequence[str] | None) -> str | None:
    return None if ids is None else encode_json(list(ids))
