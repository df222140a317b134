"""A search engine beside the database: it finds candidates, and the database stays the truth.

The database numbers the changes of sources (``source_changes``), and the engine notes the last one
that it has. A search compares the vectors of sources changed since in the database, so that it is never
behind. Each update has a random mark, which the database keeps too: an engine that another copy of the
database updated, or this one before it went back to an earlier state, is refused. Candidates that the
database lacks, or that a role may not see, are dropped: a damaged or outdated engine can make results
incomplete, but never wrong.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NoReturn

import numpy as np

from foundry.clock import format_now
from foundry.errors import FoundryError, ProjectBusy, StoreError, StoreUnavailable
from foundry.messages import Message
from foundry.ports import Vectors
from foundry.records import Filters, RetrieverHit, StoreProblem
from foundry.store.lance import EngineRow, LanceEngine, LanceTable
from foundry.store.relational import vector_index
from foundry.store.relational.database import Database, Transaction, VectorIndex
from foundry.store.relational.vector_index import FindNearest
from foundry.store.rows import HIGHEST, build_filter_values, decode_strings, encode_json
from foundry.store.text_ranking import Integers
from foundry.store.vector_ranking import choose_nearest, multiply

MOST_BEHIND = 2_000
"""Most chunks of changed sources that a search compares in the database; reading them takes 0.2 s, once."""

UPDATE_ROWS = 1_000
"""New vectors after which an ingest updates the engine: half of what a search compares."""

_LOT = 200
"""Sources in one write."""

_MOST_ROWS = 1 << 40

_TOLERANCE = 2e-3
"""Largest difference that half precision makes between the checksums of one vector."""


class SearchEngine:
    """The engine of one project. ``fallback`` "store" lets the database search when it fails."""

    def __init__(self, tables: LanceEngine, fallback: Literal["store", "error"]) -> None:
        self._tables = tables
        self._fallback = fallback
        self._notices = threading.local()
        self._unsent = 0
        self._changed: tuple[Any, Integers, Vectors] | None = None

    # Searches

    def find_nearest(
        self,
        db: Transaction,
        index: VectorIndex,
        query: Vectors,
        count: int,
        *,
        filters: Filters,
        level: int,
    ) -> Integers:
        """As ``Database.find_nearest``; raises ``StoreUnavailable`` if the engine cannot answer."""
        table = self._open(db, index)
        changed = self._list_changed(db, index, table)
        own, vectors = self._read_changed(db, index, changed, level)
        found = own[:0]
        if table:
            found = table.search(query, count, filters=filters, level=level, without=[*changed])
        rows = np.union1d(own, found)
        values = {**build_filter_values(filters, level), "rows": encode_json(rows.tolist())}
        visible = db.run("visible_rows", values, visible=db.sql("visible_sources"))
        seen = np.array([row for (row,) in visible], dtype=np.int64)
        kept = np.isin(own, seen)
        near = own[kept][choose_nearest(multiply(vectors[kept], query), count)]
        return np.union1d(near, np.intersect1d(found, seen))

    def _open(self, db: Transaction, index: VectorIndex) -> LanceTable | None:
        self._follow(db)
        return self._tables.open(index)

    def _follow(self, db: Transaction) -> None:
        self._tables.follow(str(db.value("store_identity")))

    def _list_changed(
        self, db: Transaction, index: VectorIndex, table: LanceTable | None
    ) -> dict[int, int]:
        """Return the sources changed since the engine's last update, with their change numbers."""
        number, mark = table.read_state() if table else (0, "")
        ahead = number > int(db.value("last_change"))
        if table and number and (ahead or mark not in _read_marks(db, index)):
            raise StoreUnavailable("engine-ahead", where=self._tables.url)
        return {int(source): int(change) for source, change in db.run("changed_sources", (number,))}

    def _read_changed(
        self, db: Transaction, index: VectorIndex, changed: Mapping[int, int], level: int
    ) -> tuple[Integers, Vectors]:
        """Return row numbers and vectors of changed sources; cached for searches of the same level.

        PostgreSQL shows a transaction only the rows of its level.
        """
        key = (index.model, index.created, level, tuple(changed.items()))
        kept = self._changed
        if kept is None or kept[0] != key:
            rows, vectors = _read_rows(db, index, [*changed], MOST_BEHIND + 1)
            if len(rows) > MOST_BEHIND:
                raise StoreUnavailable("engine-behind", where=index.name)
            numbers = np.array([row.row for row in rows], dtype=np.int64)
            kept = self._changed = (key, numbers, vectors)
        return kept[1], kept[2]

    def attempt(
        self, search: Callable[[FindNearest], list[RetrieverHit]]
    ) -> list[RetrieverHit] | None:
        """Return what a search finds with the engine; None, with a notice, if the database must search.

        Tries twice, because another process may have rebuilt the table meanwhile.
        """
        try:
            return search(self.find_nearest)
        except StoreUnavailable:
            self._tables.forget()
        try:
            return search(self.find_nearest)
        except StoreUnavailable as error:
            if self._fallback == "error":
                raise
            notice = Message("engine-fallback", cause=error.message)
        self._notices.kept = dict.fromkeys([*getattr(self._notices, "kept", ()), notice])
        return None

    def take_notices(self) -> tuple[Message, ...]:
        """Return and clear the notices of this thread's searches."""
        kept = tuple(getattr(self._notices, "kept", ()))
        self._notices.kept = {}
        return kept

    # Updates

    def count_saved(self, database: Database, number: int) -> None:
        """Count saved vectors, and update the engine once there are ``UPDATE_ROWS``."""
        self._unsent += number
        if self._unsent >= UPDATE_ROWS:
            self.update(database, tidy=False)

    def update(self, database: Database, *, tidy: bool = True) -> Message | None:
        """Bring the engine up to date, unless another process does; returns why it failed.

        Raises ``StoreUnavailable`` instead where a search that fails would.
        """
        self._unsent = 0
        try:
            with suppress(ProjectBusy), database.lock("engine", _leave):
                self._update_all(database, tidy=tidy)
        except StoreUnavailable as error:
            if self._fallback == "error":
                raise
            return Message("engine-not-updated", cause=error.message)
        return None

    def rebuild(self, database: Database) -> int:
        """Send every vector again; returns how many."""
        self._tables.forget()
        with database.lock("engine", lambda _holder: None):
            return self._update_all(database, rebuild=True)

    def _update_all(self, database: Database, *, rebuild: bool = False, tidy: bool = True) -> int:
        with database.reading() as db:
            self._follow(db)
            indexes = list(filter(vector_index.is_used, vector_index.list_indexes(db)))
        if rebuild:
            self._tables.take_over()
        sent = sum(self._update(database, one, rebuild=rebuild, tidy=tidy) for one in indexes)
        self._tables.drop_others(indexes)
        return sent

    def _update(self, database: Database, index: VectorIndex, *, rebuild: bool, tidy: bool) -> int:
        table = None if rebuild else self._tables.open(index)
        if table is None or not table.read_state()[0]:
            table = self._tables.create(index)
        known, mark = table.read_state()
        with database.reading() as db:
            last = int(db.value("last_change"))
            changed = self._list_changed(db, index, table)
        sent, new = 0, secrets.token_hex(8)
        if changed:
            # Both, in case the engine gets no further.
            with database.writing(alone=False) as db:
                _write_marks(db, index, (mark, new))
        for lot in _cut([*changed]):
            with database.reading() as db:
                rows, vectors = _read_rows(db, index, lot)
            if known:
                table.replace(lot, rows, vectors)
            elif rows:
                table.add(rows, vectors)
            sent += len(rows)
        if changed:
            table.write_state(last, new)
        if tidy:
            table.tidy()
        return sent

    # Reports

    def describe(self, db: Transaction, index: VectorIndex, level: int) -> Message:
        """Describe how searches find vectors, and to the highest level how far behind the engine is."""
        try:
            table = self._open(db, index)
            changed = self._list_changed(db, index, table)
            n = table.count() if table else 0
            if level < HIGHEST:
                return Message("engine-beside", **self._tables.describe())
            return Message("engine-used", n=n, changed=len(changed), **self._tables.describe())
        except FoundryError as error:
            return Message("engine-not-used", cause=error.message, fix=error.fix)

    def verify(self, db: Transaction) -> Iterator[StoreProblem]:
        """Yield the differences between the engine and the database; reads all of both."""
        for index in vector_index.list_indexes(db):
            if vector_index.is_used(index):
                try:
                    yield from self._verify(db, index)
                except StoreError as error:
                    yield StoreProblem(Message("engine-problem", cause=error.message))

    def _verify(self, db: Transaction, index: VectorIndex) -> Iterator[StoreProblem]:
        table = self._open(db, index)
        changed = self._list_changed(db, index, table)
        has = dict(_sum_table(table, index, changed)) if table else {}
        wants = dict(_sum_store(db, index, changed))
        names = {
            "engine-lacks": wants.keys() - has.keys(),
            "engine-extra": has.keys() - wants.keys(),
        }
        both = wants.keys() & has.keys()
        names["engine-differs"] = {row for row in both if abs(wants[row] - has[row]) > _TOLERANCE}
        for code, rows in names.items():
            if rows:
                yield StoreProblem(Message(code, n=len(rows), model=index.name))


def _leave(holder: Message) -> NoReturn:
    raise ProjectBusy(holder)


def _read_rows(
    db: Transaction, index: VectorIndex, sources: Sequence[int], most: int = _MOST_ROWS
) -> tuple[list[EngineRow], Vectors]:
    """Return at most ``most`` chunks of the sources, those with a vector, and their vectors."""
    values = {"sources": encode_json(list(sources)), "most": most}
    rows = [_build_row(row) for row in db.run("engine_rows", values)]
    known = vector_index.read_vectors(db, index.name, [row.chunk for row in rows])
    kept = [row for row in rows if row.chunk in known]
    wholes = [known[row.chunk].whole for row in kept]
    return kept, np.array(wholes, dtype=np.float32).reshape(len(kept), index.dimension)


def _build_row(row: tuple[Any, ...]) -> EngineRow:
    number, chunk, source, identity, path, kind, tags, level, dated = row
    return EngineRow(
        number, chunk, source, identity, path, kind, decode_strings(tags), level, dated
    )


# Marks of updates, kept as a finished run of the journal


def _read_marks(db: Transaction, index: VectorIndex) -> list[str]:
    """Return the marks that the engine's table of an index may have."""
    kept = db.value("last_report_like", (_describe_marks(index),))
    marks: list[str] = json.loads(kept)["marks"] if kept else [""]
    return marks


def _write_marks(db: Transaction, index: VectorIndex, marks: Sequence[str]) -> None:
    details, now = _describe_marks(index), format_now()
    db.run("remove_runs_like", (details,))
    db.run("add_finished_run", (now, now, details, encode_json({"marks": marks})))


def _describe_marks(index: VectorIndex) -> str:
    return encode_json({"engine": index.model})


# Checksums that compare two copies of a vector


def _sum_table(
    table: LanceTable, index: VectorIndex, without: Mapping[int, int]
) -> Iterator[tuple[int, float]]:
    for rows, sources, vectors in table.scan():
        kept = ~np.isin(sources, [*without])
        yield from zip(rows[kept].tolist(), _sum(index, vectors[kept]), strict=True)


def _sum_store(
    db: Transaction, index: VectorIndex, without: Mapping[int, int]
) -> Iterator[tuple[int, float]]:
    left = {int(source) for (source,) in db.run("source_rows")}.difference(without)
    for lot in _cut(sorted(left)):
        rows, vectors = _read_rows(db, index, lot)
        yield from zip([row.row for row in rows], _sum(index, vectors), strict=True)


def _sum(index: VectorIndex, vectors: Vectors) -> list[float]:
    """Return the product of each vector with a random one that is the same in every process."""
    other = np.random.default_rng(0).standard_normal(index.dimension).astype(np.float32)
    return [float(product) for product in vectors @ (other / np.linalg.norm(other))]


def _cut(sources: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the sources in lots of one write each."""
    return (sources[first : first + _LOT] for first in range(0, len(sources), _LOT))
