"""What the verbs need of a database: transactions over named statements, locks, and two searches.

The statements of both dialects are read once from one folder of ``.sql`` files. Each follows a line
such as ``-- name: find_source``. SQL for PostgreSQL alone is in a comment,
``/*pg project = :project AND*/``; a statement that differs more is written twice, as
``-- name: find_source (sqlite)`` and ``(postgres)``. One of PostgreSQL that writes many rows takes each
value as an array (``?1::text[]``). Braces (``{vectors}``) mark an identifier that
the adapter fills in from names it generated; values are always bound, ``?1`` by place and ``:name``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Protocol

from foundry.messages import Message
from foundry.ports import Vectors
from foundry.records import Filters, Mentions, SearchWays, StoreProblem
from foundry.store.rows import Row
from foundry.store.text_ranking import Integers, Terms

Waiting = Callable[[Message], None]
"""Called with a sentence that names a lock's holder."""


class Rows(Protocol):
    """The rows of a statement, each a tuple; they can be read once."""

    def __iter__(self) -> Iterator[Any]: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...


class Transaction(Protocol):
    """Runs named statements; fills in identifiers by name."""

    @property
    def segment(self) -> int:
        """Code points in one stored piece of a source text."""

    @property
    def packs_segments(self) -> bool:
        """Whether a segment of the text index that may still be merged is kept in one row."""

    @property
    def snapshot(self) -> str | None:
        """What it reads: transactions with the same see the same. None if the database does not say."""

    def run(self, name: str, values: Any = (), **identifiers: object) -> Rows:
        """Run a statement; its rows are tuples."""

    def run_many(self, name: str, rows: Iterable[Any], **identifiers: object) -> None:
        """Run a statement once for every row of values."""

    def add_postings(self, source: int) -> None:
        """Index the terms of a source's chunks, unless ``put_terms`` does."""

    def value(self, name: str, values: Any = (), **identifiers: object) -> Any:
        """The first column of the first row, or None."""

    def rows(self, name: str, values: Any = (), **identifiers: object) -> list[Row]:
        """All rows as dictionaries."""

    def sql(self, name: str) -> str:
        """The text of a statement that is part of another."""

    def part(self) -> AbstractContextManager[object]:
        """A savepoint: what fails within it is undone, and the transaction goes on."""

    def changes(self) -> int:
        """How many rows the last statement changed."""

    def put_terms(self, rows: Sequence[tuple[int, Terms]]) -> None:
        """Write or replace chunks' terms in the text index."""


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """An entry in the registry of indexes: ``name`` is what searches ask for, ``model`` its key.

    Where a search gets it, it differs from an earlier one if any vector changed in between.
    """

    name: str
    model: str
    slug: str
    dimension: int
    fingerprint: str
    created: str = ""
    changes: int = 0

    @property
    def table(self) -> str:
        """The name of the table with the vectors."""
        return f"vec_chunks_{self.slug}"


@dataclass(frozen=True, slots=True)
class ChunkCounts:
    """The visible sources and chunks, how many of these are in the text index, and all chunks."""

    sources: int
    chunks: int
    indexed: int
    every: int


class Database(Protocol):
    """One project's database."""

    @property
    def where(self) -> str:
        """The path or address, for messages."""

    @property
    def failures(self) -> type[Exception]:
        """What the database raises when a statement fails."""

    @property
    def missing(self) -> Message | None:
        """That the project does not exist yet, and is read as an empty one; None if it exists."""

    def reading(self) -> AbstractContextManager[Transaction]:
        """A read transaction: the block sees one unchanging state of the database."""

    @property
    def newest(self) -> int:
        """The version of the schema that this program knows."""

    def writing(
        self, *, alone: bool = True, sources: Iterable[str] = ()
    ) -> AbstractContextManager[Transaction]:
        """A write transaction: everything in the block is saved, or nothing.

        Those of a project take turns. Where the database can do without, one that changes only
        these ``sources``, given by id, waits for writers of the same ones and for those that are
        to be alone; and one that need not be ``alone`` and changes single rows waits for nobody.
        """

    def limit_to(self, level: int, /) -> Database:
        """The same database for a role that sees sources up to ``level``."""

    def lock(self, name: str, waiting: Waiting | None = None) -> AbstractContextManager[None]:
        """Hold a lock; ``StoreView.lock`` says how."""

    def map_errors(self) -> AbstractContextManager[None]:
        """Turn errors of the database, and of text it cannot hold, into ``StoreError``."""

    def count_mentions(self, db: Transaction, terms: Sequence[str], level: int) -> Mentions:
        """How many chunks of each source up to ``level`` have each term; ``terms`` has none twice."""

    def count_documents(self, db: Transaction, terms: Sequence[str], level: int) -> dict[str, int]:
        """Term → number of chunks up to ``level`` that contain it, 0 included."""

    def count_chunks(self, db: Transaction, level: int) -> ChunkCounts:
        """How many sources and chunks there are up to ``level``."""

    def count_languages(self, db: Transaction, level: int) -> dict[str, int]:
        """Language → number of chunks up to ``level``, the most frequent first."""

    def search_words(
        self, db: Transaction, terms: Sequence[str], limit: int, /, *, filters: Filters, level: int
    ) -> list[tuple[str, float]]:
        """Ids and BM25 scores of the best visible chunks; a term given twice counts twice."""

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
        """The row numbers of the visible chunks whose whole vectors are nearest, ascending.

        ``exact`` compares every one; otherwise an index may choose which are compared.
        """

    def count_vectors(self, db: Transaction, index: VectorIndex, /) -> int:
        """How many vectors a search chooses from."""

    def describe_ways(self, db: Transaction, chunks: int, /) -> SearchWays:
        """How a search among so many chunks finds words and vectors."""

    def rebuild_text_index(self) -> int:
        """Rebuild the text index from the chunks; returns its number of rows."""

    def check(self, db: Transaction, /) -> Iterator[StoreProblem]:
        """Problems of the database itself, beneath the tables."""

    def close(self) -> None:
        """Close every connection."""


_NAME = re.compile(r"^-- name: ([a-z_]+)(?: \((sqlite|postgres)\))?$", re.MULTILINE)
_ONLY_POSTGRES = re.compile(r"/\*pg (.*?)\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema: its number from 1, its name and its SQL."""

    version: int
    name: str
    sql: str


@cache
def load_statements(dialect: str) -> Mapping[str, str]:
    """Name → SQL of every statement of ``sqlite`` or ``postgres``; names must be unique."""
    statements: dict[str, str] = {}
    for text in _read_files("sql").values():
        for name, sql in parse_statements(text, dialect).items():
            if name in statements:
                raise ValueError(f"two statements are named {name}")
            statements[name] = sql
    return statements


def parse_statements(text: str, dialect: str) -> dict[str, str]:
    """Name → SQL of a dialect's statements in one file."""
    text = _ONLY_POSTGRES.sub(r"\1" if dialect == "postgres" else "", text)
    statements: dict[str, str] = {}
    _, *parts = _NAME.split(text)
    for name, only, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if only in {None, dialect}:
            if name in statements:
                raise ValueError("two statements have the same name")
            statements[name] = body.strip()
    return statements


@cache
def load_migrations(dialect: str) -> tuple[Migration, ...]:
    """The migrations of a dialect in order, numbered from 1 without gaps."""
    migrations = []
    for name, text in _read_files("sql", dialect, "migrations").items():
        number, _, title = name.removesuffix(".sql").partition("_")
        migrations.append(Migration(int(number), title, text))
    if [migration.version for migration in migrations] != list(range(1, len(migrations) + 1)):
        raise ValueError("the migrations are not numbered 1, 2, 3 …")
    return tuple(migrations)


def _read_files(*folder: str) -> dict[str, str]:
    """The SQL files of a folder by name, in its order."""
    found = resources.files("foundry.store").joinpath(*folder).iterdir()
    files = sorted(
        (file for file in found if file.name.endswith(".sql")), key=lambda file: file.name
    )
    return {file.name: file.read_text(encoding="utf-8") for file in files}
