"""A project's database in one SQLite file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import apsw

from foundry.messages import Message
from foundry.records import SearchWays, StoreProblem
from foundry.store.relational import integrity
from foundry.store.relational.database import (
    Transaction,
    VectorIndex,
    Waiting,
    load_migrations,
    load_statements,
)
from foundry.store.relational.store import Store
from foundry.store.relational.vector_index import VectorVerbs
from foundry.store.relational.vectors import CACHED_BYTES, BlockCache, VectorCache
from foundry.store.relational.words import TextState, check_segments, read_state
from foundry.store.sqlite import indexes
from foundry.store.sqlite.connections import Connections, connect, hold_lock
from foundry.store.sqlite.failures import map_errors
from foundry.store.sqlite.rebuild import rebuild
from foundry.store.sqlite.schema import create_in_memory, prepare


class SqliteDatabase(VectorVerbs):
    """The file; ``relational.Database`` documents each method.

    ``cached_bytes`` is the most memory for vectors that a process keeps between searches.
    """

    failures = apsw.Error

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
        self.vectors = VectorCache(BlockCache(cached_bytes))
        self._texts: tuple[int, TextState] | None = None

    @property
    def where(self) -> str:
        return str(self._path)

    def reading(self) -> AbstractContextManager[Transaction]:
        return self._connections.reading()

    def writing(
        self,
        *,
        alone: bool = True,  # noqa: ARG002 - one process writes at a time
        sources: Iterable[str] = (),  # noqa: ARG002
    ) -> AbstractContextManager[Transaction]:
        return self._connections.writing()

    def limit_to(self, _level: int, /) -> SqliteDatabase:
        """The same: each statement selects what a level sees."""
        return self

    def lock(self, name: str, waiting: Waiting | None = None) -> AbstractContextManager[None]:
        path = self._path.with_name(f"{self._path.name}.{name}.lock")
        return hold_lock(path, self._command, waiting)

    def map_errors(self) -> AbstractContextManager[None]:
        return map_errors(self._path)

    def read_texts(self, db: Transaction) -> TextState:
        number, kept = int(db.value("text_changes")), self._texts
        if kept and kept[0] == number:
            return kept[1]
        state = read_state(db)
        self._texts = (number, state)
        return state

    def describe_ways(self, _db: Transaction, chunks: int, /) -> SearchWays:
        return indexes.describe_ways(chunks)

    def open_vectors(self, _db: Transaction, index: VectorIndex) -> tuple[VectorCache, VectorIndex]:
        return self.vectors, index

    def rebuild_text_index(self) -> int:
        with self.writing() as db:
            integrity.sweep(db)
        return rebuild(self._connections)

    def check(self, db: Transaction, /) -> Iterator[StoreProblem]:
        yield from indexes.check_file(db)
        yield from check_segments(db)

    def close(self) -> None:
        self._connections.close()


class SqliteStore(Store):
    """A project's database in one SQLite file."""

    def __init__(
        self, path: Path, project_id: str, *, read_only: bool = False, command: str = "python"
    ) -> None:
        database = SqliteDatabase(path, project_id, read_only=read_only, command=command)
        super().__init__(database)
