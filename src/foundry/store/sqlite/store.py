"""A project's database in one SQLite file."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import apsw

from foundry.messages import Message
from foundry.ports import Vectors
from foundry.records import Chunk, Filters, SearchWays
from foundry.store.relational import integrity
from foundry.store.relational.database import (
    Transaction,
    VectorIndex,
    Waiting,
    load_migrations,
    load_statements,
)
from foundry.store.relational.store import Store
from foundry.store.relational.text_index import put_terms
from foundry.store.rows import Row, read_chunks
from foundry.store.sqlite import indexes
from foundry.store.sqlite.connections import Connections, connect, hold_lock
from foundry.store.sqlite.failures import map_errors
from foundry.store.sqlite.schema import create_in_memory, prepare
from foundry.store.sqlite.vectors import CACHED_BYTES, VectorCache
from foundry.store.text_ranking import Integers, hash_terms, make_terms

_PAGE = 500


class SqliteDatabase:
    """The file; ``relational.Database`` documents each method.

    ``cached_bytes`` is the most memory for vectors that a process keeps between searches.
    """

    failures = apsw.Error
    count_mentions = staticmethod(indexes.count_mentions)
    read_occurrences = staticmethod(indexes.read_occurrences)
    read_documents = staticmethod(indexes.read_documents)
    count_searchable = staticmethod(indexes.count_searchable)
    check = staticmethod(indexes.check_file)

    def __init__(
        self,
        path: Path,
        project_id: str,
        *,
        read_only: bool = False,
        command: str = "python",
        cached_bytes: int = CACHED_BYTES,
    ) -> None:
        migrations = load_migrations("sqlite")
        self.newest = len(migrations)
        self._path = path
        self._command = command
        missing = read_only and not path.exists()
        self.missing = Message("store-no-database-yet") if missing else None
        if self.missing:
            opening = partial(create_in_memory, project_id, migrations)
        else:
            prepare(path, project_id, migrations, read_only=read_only, command=command)
            opening = partial(connect, path, read_only=read_only)
        self._connections = Connections(
            path, load_statements("sqlite"), opening, read_only=read_only
        )
        self.vectors = VectorCache(cached_bytes)

    @property
    def where(self) -> str:
        return str(self._path)

    def reading(self) -> AbstractContextManager[Transaction]:
        return self._connections.reading()

    def writing(self, *, alone: bool = True) -> AbstractContextManager[Transaction]:  # noqa: ARG002
        return self._connections.writing()

    def limit_to(self, _level: int, /) -> SqliteDatabase:
        """The same: each statement selects what a level sees."""
        return self

    def lock(self, name: str, waiting: Waiting | None = None) -> AbstractContextManager[None]:
        path = self._path.with_name(f"{self._path.name}.{name}.lock")
        return hold_lock(path, self._command, waiting)

    def map_errors(self) -> AbstractContextManager[None]:
        return map_errors(self._path)

    def search_words(
        self,
        _db: Transaction,
        _terms: Sequence[str],
        _limit: int,
        /,
        *,
        filters: Filters,
        level: int,
    ) -> None:
        """Every chunk is compared: FTS5's own order counts what a level may not see."""

    def describe_ways(self, _db: Transaction, chunks: int, /) -> SearchWays:
        return indexes.describe_ways(chunks)

    def find_nearest(
        self,
        db: Transaction,
        index: VectorIndex,
        query: Vectors,
        count: int,
        *,
        filters: Filters,
        level: int,
        exact: bool,
    ) -> Integers:
        return indexes.find_nearest(
            db,
            index,
            query,
            count,
            filters=filters,
            level=level,
            exact=exact,
            cache=self.vectors,
        )

    def rebuild_text_index(self) -> int:
        _analyse_all(self._connections)
        with self._connections.writing() as db:
            integrity.sweep(self, db)
            return _rebuild(db)

    def list_vector_tables(self, db: Transaction) -> list[str]:
        return [str(name) for (name,) in db.run("vector_tables")]

    def close(self) -> None:
        self._connections.close()


class SqliteStore(Store):
    """A project's database in one SQLite file."""

    def __init__(
        self, path: Path, project_id: str, *, read_only: bool = False, command: str = "python"
    ) -> None:
        database = SqliteDatabase(path, project_id, read_only=read_only, command=command)
        super().__init__(database)


# Rebuilding the text index


def _analyse_all(connections: Connections) -> None:
    """Write the terms of every chunk to a temporary table; slow, so without a lock."""
    with connections.scratch() as db:
        db.run("drop_analysed")
        db.run("make_analysed")
    after = 0
    while True:
        with connections.reading() as db:
            rows = db.rows("chunks_after", (after, _PAGE))
            chunks = read_chunks(db, rows)
        if not rows:
            return
        analysed = [_analyse_row(row, chunk) for row, chunk in zip(rows, chunks, strict=True)]
        with connections.scratch() as db:
            db.run_many("add_analysed", analysed)
        after = rows[-1]["rowid"]


def _analyse_row(row: Row, chunk: Chunk) -> tuple[object, ...]:
    about = row["source_about"]
    terms = make_terms(about, chunk)
    hashed = hash_terms(about, chunk)
    return row["rowid"], hashed, terms.title, terms.headings, terms.body, terms.count()


def _rebuild(db: Transaction) -> int:
    """Refill the text index from the table of ``_analyse_all``; returns its number of rows.

    The few chunks that were added or changed since are analysed in the transaction.
    """
    db.run("clear_text_index")
    db.run("copy_analysed")
    db.run("copy_lengths")
    missing = db.rows("chunks_without_text_row")
    for row, chunk in zip(missing, read_chunks(db, missing), strict=True):
        put_terms(db, [(row["rowid"], make_terms(row["source_about"], chunk))])
        db.run("set_terms_hash", (hash_terms(row["source_about"], chunk), row["rowid"]))
    db.run("clear_statistics")
    db.run("rebuild_statistics", statistics=db.sql("source_statistics"))
    db.run("optimize_text_index")
    db.run("drop_analysed")
    return int(db.value("count_text_rows"))
