"""A project's part of a PostgreSQL database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace

import psycopg

from foundry.errors import ProjectBusy
from foundry.messages import Message
from foundry.records import Filters, StoreProblem
from foundry.store.holders import PATIENCE_S, QUIET_S
from foundry.store.postgres import indexes
from foundry.store.postgres.connections import (
    PostgresConnections,
    map_errors,
    open_session,
    prepare,
    read_holder,
    wait_for_lock,
)
from foundry.store.postgres.upkeep import list_crowded, tidy_crowded
from foundry.store.relational import integrity
from foundry.store.relational.database import Transaction, VectorIndex, Waiting, load_migrations
from foundry.store.relational.store import Store
from foundry.store.relational.text_index import put_terms, update_statistics
from foundry.store.relational.vector_index import VectorVerbs
from foundry.store.relational.vectors import VectorCache
from foundry.store.relational.words import TextState, check_segments
from foundry.store.rows import HIGHEST, read_chunks
from foundry.store.text_ranking import hash_terms, make_terms

_COUNTED = {
    "text_rows_without_chunk": "store-text-rows-without-chunk",
    "count_without_text_row": "store-chunks-without-text-row",
}


class PostgresDatabase(VectorVerbs):
    """One project up to a level; ``relational.Database`` documents each method."""

    failures = psycopg.Error
    describe_ways = staticmethod(indexes.describe_ways)

    def __init__(
        self,
        connections: PostgresConnections,
        project: str,
        level: int,
        missing: Message | None = None,
        caches: indexes.SearchCaches | None = None,
    ) -> None:
        self._connections = connections
        self._project = project
        self._level = level
        self._caches = caches or indexes.SearchCaches()
        self.missing = missing
        self.newest = len(load_migrations("postgres"))

    @property
    def where(self) -> str:
        return self._connections.where

    def reading(self) -> AbstractContextManager[Transaction]:
        return self._connections.reading(self._level, self._caches.latest)

    @contextmanager
    def writing(self, *, alone: bool = True, sources: Iterable[str] = ()) -> Iterator[Transaction]:
        with self._connections.writing(self._level, alone=alone, sources=sources) as db:
            yield db
            crowded = db.touches_texts and list_crowded(db)
        if crowded:
            # If others hold the lock for long, the next writer does it.
            with suppress(ProjectBusy), self._connections.writing(self._level) as db:
                tidy_crowded(db)

    def limit_to(self, level: int, /) -> PostgresDatabase:
        return PostgresDatabase(self._connections, self._project, level, self.missing, self._caches)

    def read_texts(self, db: Transaction) -> TextState:
        return self._caches.read_texts(db, self._level)

    def search_words(
        self, db: Transaction, terms: Sequence[str], limit: int, /, *, filters: Filters, level: int
    ) -> list[tuple[str, float]]:
        state = self.read_texts(db)
        return indexes.search_words(db, state, terms, limit, filters=filters, level=level)

    def open_vectors(self, db: Transaction, index: VectorIndex) -> tuple[VectorCache, VectorIndex]:
        """Return the cache of this level: what a lower one sees comes from its own."""
        return self._caches.vectors[self._level], replace(index, changes=self._caches.number(db))

    @contextmanager
    def lock(self, name: str, waiting: Waiting | None = None) -> Iterator[None]:
        """An advisory lock on a connection of its own, which the server releases when it ends."""
        key = f"foundry.{self._project}.{name}"
        url, command = self._connections.url, self._connections.command
        with open_session(url, self._project, command) as session:
            if not session.value("try_lock", (key,)):
                if waiting:
                    waiting(read_holder(session, key))
                wait_for_lock(session, key, self.where, PATIENCE_S if waiting else QUIET_S)
            try:
                yield
            finally:
                # The server would notice a closed connection only some milliseconds later; a lost
                # one has released its locks.
                with suppress(psycopg.Error):
                    session.run("free_lock", (key,))

    def map_errors(self) -> AbstractContextManager[None]:
        return map_errors(self.where)

    def rebuild_text_index(self) -> int:
        """Rebuild source by source, so that searches continue; each source is consistent at all times.

        If pg_textsearch was installed since, its index is filled along the way and used at the end.
        """
        with self.writing() as db:
            integrity.sweep(db)
            db.run("make_words")
            newest = int(db.value("newest_segment"))
            # Damaged ones must not be merged.
            db.run("set_segments_aside")
            db.run("note_segments")
        with self.reading() as db:
            sources = db.rows("source_keys")
        for source in sources:
            self._rebuild_source(source["rowid"], source["id"])
        with self.writing() as db:
            db.run("use_words")
            db.run("remove_older_segments", (newest,))
            db.run("sweep_postings")
            db.run("note_segments")
            return int(db.value("count_text_rows"))

    def _rebuild_source(self, rowid: int, source_id: str) -> None:
        with self.writing() as db:
            rows = db.rows("chunks_of_source", (source_id,))
            chunks = list(zip(rows, read_chunks(db, rows), strict=True))
            terms = [(r["rowid"], make_terms(r["source_about"], chunk)) for r, chunk in chunks]
            put_terms(db, terms)
            hashes = ((hash_terms(r["source_about"], chunk), r["rowid"]) for r, chunk in chunks)
            db.run_many("set_terms_hash", hashes)
            if rows:
                update_statistics(db, rowid)

    def check(self, db: Transaction, /) -> Iterator[StoreProblem]:
        """Check the text index; PostgreSQL checks its own files."""
        yield from integrity.count_problems(db, _COUNTED)
        yield from check_segments(db)
        number = 0 if db.value("word_indexes") is None else db.value("words_differ")
        if number:
            yield StoreProblem(Message("store-words-differ", n=int(number)))

    def close(self) -> None:
        self._connections.close()


class PostgresStore(Store):
    """A project in a PostgreSQL database; opening migrates the schema and adds the project."""

    def __init__(
        self, url: str, project_id: str, *, read_only: bool = False, command: str = "python"
    ) -> None:
        known = prepare(url, project_id, read_only=read_only, command=command)
        missing = None if known else Message("store-no-such-project", project=project_id)
        connections = PostgresConnections(url, project_id, read_only=read_only, command=command)
        super().__init__(PostgresDatabase(connections, project_id, HIGHEST, missing))
