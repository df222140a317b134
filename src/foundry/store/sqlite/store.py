"""A project's database in one SQLite file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import apsw

from foundry.messages import Message
from foundry.ports import Vectors
from foundry.records import Filters, SearchWays, StoreProblem
from foundry.store.relational import integrity, vector_index
from foundry.store.relational.database import (
    Transaction,
    VectorIndex,
    Waiting,
    load_migrations,
    load_statements,
)
from foundry.store.relational.store import Store
from foundry.store.relational.words import TextState, TextVerbs, check_segments, read_state
from foundry.store.rows import HIGHEST
from foundry.store.sqlite import indexes, vectors
from foundry.store.sqlite.connections import Connections, connect, hold_lock
from foundry.store.sqlite.failures import map_errors
from foundry.store.sqlite.rebuild import rebuild
from foundry.store.sqlite.schema import create_in_memory, prepare
from foundry.store.sqlite.vectors import CACHED_BYTES, NearestSearch, VectorCache
from foundry.store.text_ranking import Integers


class SqliteDatabase(TextVerbs):
    """The file; ``relational.Database`` documents each method.

    ``cached_bytes`` is the most memory for vectors that a process keeps between searches.
    """

    failures = apsw.Error
    count_searchable = staticmethod(vectors.count_sound)

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

    def index_vectors(self) -> None:
        """Sort the vectors into lists outside a write, which others would wait for."""
        with self.reading() as db:
            found = [vectors.sort(db, index) for index in vector_index.list_indexes(db)]
        for made in filter(None, found):
            with self.writing() as db:
                made.write(db, vector_index.find_index(db, made.index.name))

    def count_vectors(self, db: Transaction, index: VectorIndex, /) -> int:
        return self.vectors.read_heads(db, index).count()

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
        allowed = None
        if filters != Filters() or level != HIGHEST:
            allowed = self.read_texts(db).list_allowed(db, filters, level)
        search = NearestSearch(db, self.vectors, index, query, count, allowed)
        return search.find_rows(exact=exact)

    def rebuild_text_index(self) -> int:
        with self.writing() as db:
            integrity.sweep(self, db)
        return rebuild(self._connections)

    def check(self, db: Transaction, /) -> Iterator[StoreProblem]:
        yield from indexes.check_file(db)
        yield from check_segments(db)

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
