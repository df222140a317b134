"""A project's part of a PostgreSQL database."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

import numpy as np
import psycopg

from foundry.errors import StoreError
from foundry.ports import Vectors
from foundry.records import Filters, Mention, StoreProblem
from foundry.store.postgres.connections import (
    PostgresConnections,
    describe_address,
    open_session,
    prepare,
)
from foundry.store.postgres.failures import map_errors
from foundry.store.relational import integrity
from foundry.store.relational.chunks import read_chunks
from foundry.store.relational.database import Occurrences, Transaction, VectorIndex, Waiting
from foundry.store.relational.store import SqlStore
from foundry.store.relational.text_index import put_terms, update_statistics
from foundry.store.rows import HIGHEST, build_filter_values, encode_json
from foundry.store.statements import load_migrations
from foundry.store.text_ranking import WEIGHTS, Integers, hash_terms, make_terms

_PLACES = np.dtype([("chunk", ">i8"), ("fields", ">i2", (3,))])
"""An entry of ``postings.places``."""

FEW_ROWS = 5_000
"""Up to so many chunks, every vector is compared: an index scan passes over most of what it finds
where filters leave little."""

_MOST_EXPLORED = 1000
"""The largest ``hnsw.ef_search`` that pgvector allows."""


class PostgresDatabase:
    """One project up to a level; ``relational.Database`` documents each method."""

    failures = psycopg.Error

    def __init__(self, connections: PostgresConnections, project: str, level: int) -> None:
        self._connections = connections
        self._project = project
        self._level = level
        self.missing = False
        self.newest = len(load_migrations("postgres"))

    @property
    def where(self) -> str:
        return self._connections.where

    def reading(self) -> AbstractContextManager[Transaction]:
        return self._connections.reading(self._level)

    def writing(self, *, alone: bool = True) -> AbstractContextManager[Transaction]:
        return self._connections.writing(self._level, alone=alone)

    def limit_to(self, level: int, /) -> PostgresDatabase:
        return PostgresDatabase(self._connections, self._project, level)

    @contextmanager
    def lock(self, name: str, waiting: Waiting | None = None) -> Iterator[None]:
        """An advisory lock on a connection of its own, which the server releases when it ends."""
        key = f"foundry.{self._project}.{name}"
        with open_session(self._connections.url, self._project) as session:
            if not session.value("try_lock", (key,)):
                if waiting:
                    waiting(_find_process(session.value("find_holder", (key,))))
                session.run("wait_for_lock", (key,))
            yield

    def map_errors(self) -> AbstractContextManager[None]:
        return map_errors(self.where)

    def count_mentions(self, db: Transaction, terms: Sequence[str], level: int) -> list[Mention]:
        found = db.run("mentions", {"terms": encode_json(list(terms)), "level": level}).fetchall()
        order = {term: place for place, term in enumerate(terms)}
        found.sort(key=lambda row: (order[row[0]], row[1]))
        return [
            Mention(term, source, chunks, chunks / total, titled)
            for term, source, chunks, total, titled in found
        ]

    def read_occurrences(self, db: Transaction, terms: Sequence[str]) -> list[Occurrences]:
        found = dict(db.run("postings", (encode_json(list(terms)),)).fetchall())
        packed = [np.frombuffer(found.get(term, b""), dtype=_PLACES) for term in terms]
        return [
            Occurrences(places["chunk"].astype(np.int64), places["fields"] @ WEIGHTS)
            for places in packed
        ]

    def read_documents(self, db: Transaction, terms: Sequence[str]) -> list[Integers]:
        return [found.rows for found in self.read_occurrences(db, terms)]

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
        values = build_filter_values(filters, level)
        visible = db.sql("visible_sources")
        total = int(db.value("count_visible_chunks", values, visible=visible))
        values |= {"query": db.encode_vector(query.tobytes()), "count": count}
        names = {"visible": visible, "vectors": index.table}
        if total <= FEW_ROWS:
            rows = db.run("nearest_of_few", values, **names)
        else:
            db.run("scan_on", (str(min(max(count, 40), _MOST_EXPLORED)),))
            rows = db.run("nearest", values, dimension=index.dimension, **names)
        return np.sort(np.array([row for (row,) in rows], dtype=np.int64))

    def rebuild_text_index(self) -> int:
        """Source by source, so that searches go on; each is consistent at every moment."""
        with self.writing() as db:
            integrity.sweep(self, db)
        with self.reading() as db:
            sources = db.rows("source_keys")
        for source in sources:
            self._rebuild_source(source["rowid"], source["id"])
        with self.reading() as db:
            return int(db.value("count_text_rows"))

    def _rebuild_source(self, rowid: int, source_id: str) -> None:
        with self.writing() as db:
            rows = db.rows("chunks_of_source", (source_id,))
            for row, chunk in zip(rows, read_chunks(db, rows), strict=True):
                put_terms(db, [(row["rowid"], make_terms(row["source_about"], chunk))])
                db.run("set_terms_hash", (hash_terms(row["source_about"], chunk), row["rowid"]))
            if rows:
                update_statistics(db, rowid)

    def check(self, _db: Transaction, /) -> Iterator[StoreProblem]:
        """Nothing: PostgreSQL checks its own files."""
        yield from ()

    def list_vector_tables(self, db: Transaction) -> list[str]:
        return [str(name) for (name,) in db.run("vector_tables")]

    def count_searchable(self, db: Transaction, index: VectorIndex) -> int:
        return int(db.value("count_vectors", vectors=index.table))

    def close(self) -> None:
        self._connections.close()


def _find_process(label: str | None) -> int | None:
    """The process that a session's label names, if it runs on this machine."""
    process, _, host = (label or "").removeprefix("foundry ").partition("@")
    return int(process) if process.isdigit() and host == socket.gethostname() else None


class PostgresStore(SqlStore):
    """A project in a PostgreSQL database; opening migrates the schema and adds the project."""

    def __init__(self, url: str, project_id: str, *, read_only: bool = False) -> None:
        if not prepare(url, project_id, read_only=read_only):
            where = describe_address(url)
            raise StoreError("store-no-such-project", where=where, project=project_id)
        connections = PostgresConnections(url, project_id, read_only=read_only)
        super().__init__(PostgresDatabase(connections, project_id, HIGHEST))
