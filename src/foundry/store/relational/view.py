"""A role's view of a store: what journeys read, and what they leave behind.

Each statement selects what the role may see; nothing is filtered afterwards. Every method is one
transaction; slow work happens outside it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime, timedelta

from foundry.clock import format_now, get_now
from foundry.errors import StoreError
from foundry.ports import Vectors
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Block,
    Chunk,
    Confidentiality,
    Correction,
    DraftRecord,
    Filters,
    IndexStatus,
    Mention,
    QueryFigures,
    QueryRecord,
    Reading,
    RetrieverHit,
    Source,
    Summary,
    UnreadFile,
)
from foundry.store.relational import integrity, sources, vector_index
from foundry.store.relational.chunks import read_blocks, read_chunks
from foundry.store.relational.database import Database, Waiting
from foundry.store.relational.evaluation import SqlEvaluationView
from foundry.store.relational.text_index import TextIndex
from foundry.store.rows import (
    HIGHEST,
    Row,
    build_query_row,
    decode_record,
    encode_json,
    encode_record,
    get_level,
    read_figures,
    read_query,
    read_source,
)

_END = 1 << 40


class SqlView:
    """A project as one role sees it; ``ports.StoreView`` documents each method."""

    def __init__(self, database: Database, role: Confidentiality) -> None:
        self._role = role
        self._level = get_level(role)
        self._database = database.limit_to(self._level)
        self._texts = TextIndex(self._database, self._level)
        roles = encode_json(CONFIDENTIALITY_LEVELS[: self._level + 1])
        self._sees = {"level": self._level, "roles": roles}
        self.evaluation = SqlEvaluationView(self._database, role)

    def _mark(self, key: str) -> str:
        """The key of a cache row. A hit would show that a higher role had asked the same."""
        return key if self._level == HIGHEST else f"{self._role}:{key}"

    def lock(self, name: str, waiting: Waiting | None = None) -> AbstractContextManager[None]:
        return self._database.lock(name, waiting)

    # Sources

    def list_sources(self, under: str | None = None) -> list[Source]:
        values = {"under": under, "level": self._level}
        with self._database.reading() as db:
            if under is None:
                return [read_source(row) for row in db.rows("list_sources", (self._level,))]
            return [read_source(row) for row in db.rows("sources_under", values)]

    def find_content(self, content_hash: str) -> list[Source]:
        values = {"hash": content_hash, "level": self._level}
        with self._database.reading() as db:
            return [read_source(row) for row in db.rows("sources_by_content", values)]

    def find_source(self, path_or_id: str) -> Source | None:
        with self._database.reading() as db:
            rows = db.rows("find_source", {"key": path_or_id, "level": self._level})
            return read_source(rows[0]) if rows else None

    def get_sources(self, source_ids: Collection[str]) -> dict[str, Source]:
        with self._database.reading() as db:
            rows = db.rows("sources_by_id", (encode_json(list(source_ids)), self._level))
            return {row["id"]: read_source(row) for row in rows}

    def source_text(self, source_id: str) -> str:
        with self._database.reading() as db:
            rowid = sources.get_source_rowid(db, source_id, self._level)
            rows = db.run("text_segments", (rowid, 0, _END))
            return "".join(text for (text,) in rows)

    def source_blocks(self, source_id: str) -> list[Block]:
        with self._database.reading() as db:
            rowid = sources.get_source_rowid(db, source_id, self._level)
            return read_blocks(db, rowid, 0, _END)

    def source_chunks(self, source_id: str) -> list[Chunk]:
        with self._database.reading() as db:
            sources.get_source_rowid(db, source_id, self._level)
            rows = db.rows("chunks_of_source", (source_id,))
            return read_chunks(db, rows)

    def summaries(self, source_ids: Sequence[str]) -> dict[str, Summary]:
        with self._database.reading() as db:
            rows = db.run("summaries", (encode_json(list(source_ids)), self._level))
            return {source: Summary(source, text, model) for source, text, model in rows}

    def list_labels(self) -> list[str]:
        with self._database.reading() as db:
            return [about for (about,) in db.run("labels", (self._level,))]

    def find_abbreviations(self, names: Sequence[str]) -> list[tuple[str, str]]:
        values = {"keys": encode_json(names), "level": self._level}
        with self._database.reading() as db:
            return [(key, other) for key, other in db.run("abbreviations", values)]

    def list_unread(self, under: str | None = None) -> list[UnreadFile]:
        values = {"under": under, "level": self._level}
        with self._database.reading() as db:
            if under is None:
                rows = db.run("list_unread", (self._level,))
            else:
                rows = db.run("unread_under", values)
            return [decode_record(UnreadFile, text) for (text,) in rows]

    # Corrections

    def list_corrections(
        self, content_hash: str | None = None, path: str | None = None
    ) -> list[Correction]:
        values = {"hash": content_hash, "path": path, "level": self._level}
        with self._database.reading() as db:
            rows = db.run("list_corrections", values)
            found = ((decode_record(Correction, text), seen) for text, seen in rows)
            return [replace(one, path=str(seen)) if seen else one for one, seen in found]

    def find_reading(self, source_id: str) -> Reading | None:
        with self._database.reading() as db:
            record = db.value("find_reading", (source_id, self._level))
        return None if record is None else decode_record(Reading, record)

    # Search

    def get_chunks(self, chunk_ids: Sequence[str]) -> list[Chunk]:
        with self._database.reading() as db:
            ids = encode_json(list(chunk_ids))
            rows = db.rows("chunks_by_id", (ids, self._level))
            chunks = read_chunks(db, rows)
        by_id = {chunk.id: chunk for chunk in chunks}
        return [by_id[chunk] for chunk in chunk_ids if chunk in by_id]

    def languages(self) -> dict[str, int]:
        with self._database.reading() as db:
            return dict(db.run("languages", (self._level,)))

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        with self._database.reading() as db:
            return self._texts.count_documents(db, terms)

    def count_mentions(self, terms: Sequence[str]) -> list[Mention]:
        with self._database.reading() as db:
            return self._texts.count_mentions(db, terms)

    def search_text(self, terms: Sequence[str], limit: int, filters: Filters) -> list[RetrieverHit]:
        """BM25 over analysed terms joined by OR; see ``TextIndex.search``."""
        if self._database.missing:
            raise StoreError(self._database.missing, where=self._database.where)
        with self._database.reading() as db:
            return self._texts.search(db, terms, limit, filters)

    def search_vectors(
        self, model: str, vector: Vectors, limit: int, filters: Filters
    ) -> list[RetrieverHit]:
        """The nearest chunks by cosine; raises ``IndexMissing``."""

        def search() -> list[RetrieverHit]:
            with self._database.reading() as db:
                return vector_index.search(
                    self._database, db, model, vector, limit, filters=filters, level=self._level
                )

        # A rebuild may have dropped the index that a search of PostgreSQL was about to read.
        return search() or search()

    def get_windows(self, model: str, chunk_ids: Sequence[str]) -> dict[str, Vectors]:
        with self._database.reading() as db:
            return vector_index.read_windows(db, model, chunk_ids, self._level)

    def find_index(self, model: str) -> str | None:
        with self._database.reading() as db:
            index = vector_index.find_visible_index(db, model, self._level)
            return index.fingerprint if index else None

    def index_status(self, model: str) -> IndexStatus:
        with self._database.reading() as db:
            return integrity.read_index_status(self._database, db, model, self._level)

    # Query log

    def log_query(self, record: QueryRecord) -> None:
        with self._database.writing() as db:
            db.run("log_query", build_query_row(replace(record, role=self._role)))

    def list_queries(
        self,
        limit: int,
        *,
        kind: str | None = None,
        without: str | None = None,
        verdict: str | None = None,
        since: datetime | None = None,
    ) -> list[QueryRecord]:
        values: Row = {"limit": limit, "kind": kind, "without": without, "verdict": verdict}
        values |= {"since": _get_timestamp(since), **self._sees}
        with self._database.reading() as db:
            rows = db.rows("list_queries", values, visible=db.sql("visible_query"))
            return [read_query(row) for row in rows]

    def query_figures(
        self, *, since: datetime | None = None, until: datetime | None = None
    ) -> list[QueryFigures]:
        values = {"since": _get_timestamp(since), "until": _get_timestamp(until), **self._sees}
        with self._database.reading() as db:
            rows = db.run("query_figures", values, visible=db.sql("visible_query"))
            return [read_figures(row) for row in rows]

    def find_query(self, query_id: str) -> QueryRecord | None:
        values = {"id": query_id, **self._sees}
        with self._database.reading() as db:
            rows = db.rows("find_query", values, visible=db.sql("visible_query"))
            return read_query(rows[0]) if rows else None

    def prune_log(self, days: float) -> None:
        with self._database.writing() as db:
            db.run("prune_log", ((get_now() - timedelta(days=days)).timestamp(),))

    # Caches

    def find_response(self, key: str) -> str | None:
        with self._database.reading() as db:
            reply: str | None = db.value("find_response", (self._mark(key),))
            return reply

    def save_response(self, key: str, model: str, reply: str) -> None:
        with self._database.writing() as db:
            db.run("save_response", (self._mark(key), model, reply, format_now()))

    def find_section(self, key: str) -> str | None:
        with self._database.reading() as db:
            section: str | None = db.value("find_section", (self._mark(key),))
            return section

    def save_section(self, key: str, section: str) -> None:
        with self._database.writing() as db:
            db.run("save_section", (self._mark(key), section, format_now()))

    # Drafts

    def save_draft(self, record: DraftRecord) -> None:
        values = (record.path, record.feature, record.created.timestamp(), encode_record(record))
        with self._database.writing() as db:
            db.run("save_draft", values)

    def find_draft(self, path: str) -> DraftRecord | None:
        with self._database.reading() as db:
            values = {"path": path, **self._sees}
            record = db.value("find_draft", values, visible=db.sql("visible_draft"))
        return None if record is None else decode_record(DraftRecord, record)

    def list_drafts(self, feature: str | None = None) -> list[DraftRecord]:
        with self._database.reading() as db:
            values = {"feature": feature, **self._sees}
            rows = db.run("list_drafts", values, visible=db.sql("visible_draft"))
            return [decode_record(DraftRecord, text) for (text,) in rows]


def _get_timestamp(time: datetime | None) -> float | None:
    return None if time is None else time.timestamp()
