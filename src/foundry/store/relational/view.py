"""A role's view of a store: what journeys read, and what they leave behind.

What the role may not see is as if it did not exist, in every verb: it is in no list, count or
statistic, and asking for it by name gives what an unknown name gives. Each statement selects what the
role may see; nothing is filtered afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from foundry.analysis.sketches import Sketch
from foundry.clock import format_now, get_now
from foundry.errors import StoreError
from foundry.ids import hash_text
from foundry.messages import Message
from foundry.ports import Vectors
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Block,
    Chunk,
    Confidentiality,
    Conversation,
    Correction,
    DraftRecord,
    Facets,
    Filters,
    IndexStatus,
    KeptText,
    Mentions,
    QueryCount,
    QueryFigures,
    QueryRecord,
    Reading,
    Recall,
    RetrieverHit,
    RevisionLink,
    Source,
    SourceOutline,
    Summary,
    UnreadFile,
)
from foundry.store.relational import integrity, sources, vector_index
from foundry.store.relational.database import Database, Waiting
from foundry.store.relational.evaluation import EvaluationView
from foundry.store.relational.extraction import ExtractionView
from foundry.store.relational.recall import RecallMeter
from foundry.store.rows import (
    HIGHEST,
    Row,
    build_filter_values,
    build_query_row,
    decode_record,
    encode_json,
    encode_record,
    get_level,
    read_blocks,
    read_chunks,
    read_facets,
    read_figures,
    read_outline,
    read_query,
    read_row,
)

if TYPE_CHECKING:
    from foundry.store.relational.engine import SearchEngine

_END = 1 << 40
_ALL = Filters()


class StoreView:
    """A project as one role sees it.

    Every method is one transaction, with slow work outside it, and may be called from several threads
    and processes at once. ``exact`` has searches compare every vector, however large the index.
    """

    def __init__(
        self,
        database: Database,
        role: Confidentiality,
        engine: SearchEngine | None = None,
        *,
        exact: bool = False,
    ) -> None:
        self._exact = exact
        self._role = role
        self._engine = engine
        self._level = get_level(role)
        self._database = database.limit_to(self._level)
        roles = encode_json(CONFIDENTIALITY_LEVELS[: self._level + 1])
        self._sees = {"level": self._level, "roles": roles}
        self.evaluation = EvaluationView(self._database, role)
        self.extraction = ExtractionView(self._database, role)

    def _mark(self, key: str) -> str:
        """The key of a cache row. A hit would show that a higher role had asked the same."""
        return key if self._level == HIGHEST else f"{self._role}:{key}"

    @property
    def _recall_meter(self) -> RecallMeter:
        return RecallMeter(self._database, self._engine.find_nearest if self._engine else None)

    def lock(self, name: str, waiting: Waiting | None = None) -> AbstractContextManager[None]:
        """Hold the lock of that name (letters, digits, hyphens), which one process can.

        If another does, ``waiting`` is called once with a sentence that names it: it may raise
        instead of waiting. Raises ``ProjectBusy`` after some minutes. A lock is released when its
        process ends, even if killed.
        """
        return self._database.lock(name, waiting)

    # The visible sources and their texts

    def list_sources(self, under: str | None = None) -> list[Source]:
        """All sources, or those of one path and below it, by path."""
        values = {"under": under, "level": self._level}
        with self._database.reading() as db:
            if under is None:
                return [read_row(Source, row) for row in db.rows("list_sources", (self._level,))]
            return [read_row(Source, row) for row in db.rows("sources_under", values)]

    def select_sources(self, filters: Filters) -> list[Source]:
        """Return the sources that match the filters, sorted by path."""
        values = build_filter_values(filters, self._level)
        with self._database.reading() as db:
            rows = db.rows("select_sources", values, visible=db.sql("visible_sources"))
            return [read_row(Source, row) for row in rows]

    def outline_sources(self, filters: Filters = _ALL) -> list[SourceOutline]:
        """Return what a list shows of the sources that match the filters, sorted by path."""
        values = build_filter_values(filters, self._level)
        with self._database.reading() as db:
            visible = db.sql("all_sources" if filters == _ALL else "visible_sources")
            rows = db.run("outline_sources", values, visible=visible)
            return sorted(map(read_outline, rows), key=attrgetter("path"))

    def count_facets(self, filters: Filters = _ALL) -> Facets:
        """Count the sources that match the filters by type, tag, folder, confidentiality, year and revision."""
        values = build_filter_values(filters, self._level)
        with self._database.reading() as db:
            visible = db.sql("all_sources" if filters == _ALL else "visible_sources")
            return read_facets(db.run("count_facets", values, visible=visible))

    def hash_sources(self) -> str:
        """Return a hash that changes when a source is added, removed, changed or read again."""
        with self._database.reading() as db:
            states = list(db.run("source_states", (self._level,)))
        return hash_text("\n".join(":".join(state) for state in states))

    def find_content(self, content_hash: str) -> list[Source]:
        """The sources made from a file with these bytes, by path."""
        values = {"hash": content_hash, "level": self._level}
        with self._database.reading() as db:
            return [read_row(Source, row) for row in db.rows("sources_by_content", values)]

    def find_source(self, path_or_id: str) -> Source | None:
        """Return the source with that id or path, which may be that of a copy; None if there is none."""
        with self._database.reading() as db:
            values = {"key": path_or_id, "level": self._level}
            rows = db.rows("find_source", values) or db.rows("find_copy", values)
            return read_row(Source, rows[0]) if rows else None

    def get_sources(self, source_ids: Collection[str]) -> dict[str, Source]:
        """Source id → source, for the ids that exist."""
        with self._database.reading() as db:
            rows = db.rows("sources_by_id", (encode_json(list(source_ids)), self._level))
            return {row["id"]: read_row(Source, row) for row in rows}

    def list_chained(self, chain: str = "") -> list[Source]:
        """Return the sources of a chain of revisions, or of all chains, sorted by path."""
        with self._database.reading() as db:
            rows = db.rows("chained_sources", {"chain": chain, "level": self._level})
            return [read_row(Source, row) for row in rows]

    def list_superseded(self) -> dict[str, str]:
        """Map the path of each source that has a later visible revision to the path of the latest."""
        with self._database.reading() as db:
            return dict(db.run("superseded", (self._level,)))

    def list_sketches(self, source_ids: Collection[str] | None = None) -> dict[str, Sketch]:
        """Return the sketches of all sources, or of some, by source id."""
        ids = None if source_ids is None else encode_json(list(source_ids))
        with self._database.reading() as db:
            rows = db.run("list_sketches", (self._level, ids))
            return {source: Sketch.unpack(bytes(packed)) for source, packed in rows}

    def list_revision_links(self) -> list[RevisionLink]:
        """Return the links that people made between two visible sources."""
        with self._database.reading() as db:
            rows = db.run("list_revision_links", (self._level,))
            return [decode_record(RevisionLink, text) for (text,) in rows]

    def source_text(self, source_id: str) -> str:
        """The whole text; raises ``StoreError`` for an unknown source."""
        with self._database.reading() as db:
            rowid = sources.get_source_rowid(db, source_id, self._level)
            rows = db.run("text_segments", (rowid, 0, _END))
            return "".join(text for (text,) in rows)

    def source_blocks(self, source_id: str) -> list[Block]:
        """All blocks in order; raises ``StoreError`` for an unknown source."""
        with self._database.reading() as db:
            rowid = sources.get_source_rowid(db, source_id, self._level)
            return read_blocks(db, rowid, 0, _END)

    def source_chunks(self, source_id: str) -> list[Chunk]:
        """All chunks in order; raises ``StoreError`` for an unknown source."""
        with self._database.reading() as db:
            sources.get_source_rowid(db, source_id, self._level)
            rows = db.rows("chunks_of_source", (source_id,))
            return read_chunks(db, rows)

    def summaries(self, source_ids: Sequence[str]) -> dict[str, Summary]:
        """Source id → summary, for the sources that have one."""
        with self._database.reading() as db:
            rows = db.run("summaries", (encode_json(list(source_ids)), self._level))
            return {source: Summary(source, text, model) for source, text, model in rows}

    def list_labels(self) -> list[str]:
        """What the text index has of each source: title, file name, names on its front."""
        with self._database.reading() as db:
            return [about for (about,) in db.run("labels", (self._level,))]

    def find_abbreviations(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """Name in lower case → what sources define it as, short to full and full to short."""
        values = {"keys": encode_json(names), "level": self._level}
        with self._database.reading() as db:
            return [(key, other) for key, other in db.run("abbreviations", values)]

    def list_unread(self, under: str | None = None) -> list[UnreadFile]:
        """The visible files that an ingest could not read or left out, by path, as ``list_sources``."""
        values = {"under": under, "level": self._level}
        with self._database.reading() as db:
            if under is None:
                rows = db.run("list_unread", (self._level,))
            else:
                rows = db.run("unread_under", values)
            return [decode_record(UnreadFile, text) for (text,) in rows]

    # What people corrected in visible sources, and what the readers had made of them

    def list_corrections(
        self, content_hash: str | None = None, path: str | None = None
    ) -> list[Correction]:
        """All corrections, or those of these bytes and those made at this path; oldest first.

        A role sees corrections of bytes that a visible source has, under the path of that source. It
        sees those of an earlier content of a visible source if the source was visible to it then.
        """
        values = {"hash": content_hash, "path": path, "level": self._level}
        with self._database.reading() as db:
            rows = db.run("list_corrections", values)
            found = ((decode_record(Correction, text), seen) for text, seen in rows)
            return [replace(one, path=str(seen)) if seen else one for one, seen in found]

    def find_reading(self, source_id: str) -> Reading | None:
        """What a reader made of a source that is corrected; None for others."""
        with self._database.reading() as db:
            record = db.value("find_reading", (source_id, self._level))
        return None if record is None else decode_record(Reading, record)

    # Chunks, the text index and the vector index; statistics count visible chunks only

    def get_chunks(self, chunk_ids: Sequence[str]) -> list[Chunk]:
        """The chunks with their blocks, in the order of the ids; unknown ids are skipped."""
        with self._database.reading() as db:
            ids = encode_json(list(chunk_ids))
            rows = db.rows("chunks_by_id", (ids, self._level))
            chunks = read_chunks(db, rows)
        by_id = {chunk.id: chunk for chunk in chunks}
        return [by_id[chunk] for chunk in chunk_ids if chunk in by_id]

    def languages(self) -> dict[str, int]:
        """Language → number of chunks."""
        with self._database.reading() as db:
            return self._database.count_languages(db, self._level)

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """Analysed term → number of chunks that contain it."""
        with self._database.reading() as db:
            return self._database.count_documents(db, terms, self._level)

    def count_mentions(self, terms: Sequence[str]) -> Mentions:
        """Return how many chunks of each source have each analysed term."""
        with self._database.reading() as db:
            return self._database.count_mentions(db, [*dict.fromkeys(terms)], self._level)

    def search_text(self, terms: Sequence[str], limit: int, filters: Filters) -> list[RetrieverHit]:
        """BM25 over analysed terms joined by OR; scores are above 0."""
        if self._database.missing:
            raise StoreError(self._database.missing, where=self._database.where)
        with self._database.reading() as db:
            ranked = self._database.search_words(
                db, terms, limit, filters=filters, level=self._level
            )
        return [RetrieverHit(chunk, place, score) for place, (chunk, score) in enumerate(ranked, 1)]

    def search_vectors(
        self, model: str, vector: Vectors, limit: int, filters: Filters
    ) -> list[RetrieverHit]:
        """The nearest chunks by the cosine of their nearest window.

        Raises ``IndexMissing`` if the model has no index.
        """

        def search(by: vector_index.FindNearest) -> list[RetrieverHit]:
            with self._database.reading() as db:
                return vector_index.search(
                    by, db, model, vector, limit, filters=filters, level=self._level
                )

        if self._engine and not self._exact:
            found = self._engine.attempt(search)
            if found is not None:
                return found
        by = partial(self._database.find_nearest, exact=self._exact)
        # A rebuild may have dropped the index that a search of PostgreSQL was about to read.
        return search(by) or search(by)

    def take_notices(self) -> tuple[Message, ...]:
        """What did not work as configured in the searches of this thread since the last call."""
        return self._engine.take_notices() if self._engine else ()

    def get_windows(self, model: str, chunk_ids: Sequence[str]) -> dict[str, Vectors]:
        """Chunk id → the vectors of its windows, shape (n, dimension), for the chunks that have them."""
        with self._database.reading() as db:
            return vector_index.read_windows(db, model, chunk_ids, self._level)

    def find_index(self, model: str) -> str | None:
        """The fingerprint of the model's index, or None."""
        with self._database.reading() as db:
            index = vector_index.find_visible_index(db, model, self._level)
            return index.fingerprint if index else None

    def index_status(self, model: str) -> IndexStatus:
        """The size of each index; the result's ``model`` is None if it has no table."""
        with self._database.reading() as db:
            status = integrity.read_index_status(self._database, db, model, self._level)
            index = vector_index.find_index(db, model) if self._engine and status.model else None
            if self._engine and index:
                vectors = self._engine.describe(db, index, self._level)
                return replace(status, ways=replace(status.ways, vectors=vectors))
            return status

    def find_recall(self, model: str) -> Recall | None:
        """Return how much of what exact searches find the searches of an index found, when last measured.

        None if it never was, if every vector is compared, and for who does not see everything.
        """
        if self._level < HIGHEST:
            return None
        with self._database.reading() as db:
            return self._recall_meter.find(db, model)

    # The query log: the rows of this role and of lower ones

    def log_query(self, record: QueryRecord) -> None:
        """Add a row to the query log."""
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
        """The latest rows, of one ``kind`` or ``without`` one; verdict "error" is any failure."""
        values: Row = {"limit": limit, "kind": kind, "without": without, "verdict": verdict}
        values |= {"since": _get_timestamp(since), **self._sees}
        with self._database.reading() as db:
            rows = db.rows("list_queries", values, visible=db.sql("visible_query"))
            return [read_query(row) for row in rows]

    def query_figures(
        self, *, since: datetime | None = None, until: datetime | None = None
    ) -> list[QueryFigures]:
        """The numbers of every row from ``since`` to before ``until``, oldest first."""
        values = {"since": _get_timestamp(since), "until": _get_timestamp(until), **self._sees}
        with self._database.reading() as db:
            rows = db.run("query_figures", values, visible=db.sql("visible_query"))
            return [read_figures(row) for row in rows]

    def count_queries(self, since: datetime | None = None) -> list[QueryCount]:
        """Return how many questions had each outcome, without those of evaluation runs."""
        values = {"since": _get_timestamp(since) or 0, **self._sees}
        with self._database.reading() as db:
            rows = db.rows("count_queries", values, visible=db.sql("visible_query"))
        return [QueryCount(row["verdict"], bool(row["failed"]), row["n"]) for row in rows]

    def find_query(self, query_id: str) -> QueryRecord | None:
        """The row of the query log with that id, or None."""
        values = {"id": query_id, **self._sees}
        with self._database.reading() as db:
            rows = db.rows("find_query", values, visible=db.sql("visible_query"))
            return read_query(rows[0]) if rows else None

    def list_conversations(self, who: str, limit: int) -> list[Conversation]:
        """Return the conversations of a person, latest first, without removed ones."""
        # Conversations are mostly short: of a long log the latest rows are enough.
        for latest in (20 * limit, _END):
            values = {"who": who, "limit": limit, "rows": latest, **self._sees}
            with self._database.reading() as db:
                rows = db.rows("list_conversations", values, visible=db.sql("visible_query"))
            if len(rows) == limit:
                break
        times = [datetime.fromtimestamp(row.pop("moment"), UTC) for row in rows]
        return [Conversation(time=at, **row) for row, at in zip(rows, times, strict=True)]

    def keep_conversation(
        self, conversation: str, *, title: str = "", removed: bool = False
    ) -> None:
        """Name a conversation, or remove it from the list; the log keeps its rows."""
        values = {"id": conversation, "title": title, "removed": int(removed)}
        with self._database.writing() as db:
            db.run("keep_conversation", values)

    def prune_log(self, days: float) -> None:
        """Remove log rows older than that many days, whoever wrote them."""
        with self._database.writing() as db:
            db.run("prune_log", ((get_now() - timedelta(days=days)).timestamp(),))
            db.run("prune_conversations")

    # What models wrote earlier, by a hash of all that it depends on; each role has its own

    def find_response(self, key: str) -> str | None:
        """A cached model reply (JSON), or None."""
        with self._database.reading() as db:
            reply: str | None = db.value("find_response", (self._mark(key),))
            return reply

    def save_response(self, key: str, model: str, reply: str) -> None:
        """Cache a model's reply."""
        with self._database.writing() as db:
            db.run("save_response", (self._mark(key), model, reply, format_now()))

    def find_section(self, key: str) -> str | None:
        """A section (JSON) written earlier from exactly what ``key`` hashes, or None."""
        with self._database.reading() as db:
            section: str | None = db.value("find_section", (self._mark(key),))
            return section

    def save_section(self, key: str, section: str) -> None:
        """Cache a written section."""
        with self._database.writing() as db:
            db.run("save_section", (self._mark(key), section, format_now()))

    # The register of drafts: those that this role or a lower one made, from visible sources

    def save_draft(self, record: DraftRecord) -> None:
        """Register a draft; replaces an earlier one at the same path."""
        values = (record.path, record.feature, record.created.timestamp(), encode_record(record))
        with self._database.writing() as db:
            db.run("save_draft", values)

    def find_draft(self, path: str) -> DraftRecord | None:
        """The draft registered at that path, or None."""
        with self._database.reading() as db:
            values = {"path": path, **self._sees}
            record = db.value("find_draft", values, visible=db.sql("visible_draft"))
        return None if record is None else decode_record(DraftRecord, record)

    def list_drafts(self, feature: str | None = None) -> list[DraftRecord]:
        """All drafts, or those of one feature; latest first."""
        with self._database.reading() as db:
            values = {"feature": feature, **self._sees}
            rows = db.run("list_drafts", values, visible=db.sql("visible_draft"))
            return [decode_record(DraftRecord, text) for (text,) in rows]

    # Earlier texts of drafts and specifications; visible to whoever may see a draft with that role and sources

    def save_text(self, kept: KeptText) -> None:
        """Save a text, in place of the same one at that path."""
        values = (kept.path, kept.content_hash, kept.saved.timestamp(), encode_record(kept))
        with self._database.writing() as db:
            db.run("save_text", values)

    def find_text(self, path: str, content_hash: str) -> KeptText | None:
        """The text of that path with this hash, or None."""
        return next((one for one in self.list_texts(path, content_hash)), None)

    def list_texts(self, path: str, content_hash: str | None = None) -> list[KeptText]:
        """Return the texts of a path, latest first; only those with the hash if one is given."""
        with self._database.reading() as db:
            values = {"path": path, "hash": content_hash, **self._sees}
            rows = db.run("list_texts", values, visible=db.sql("visible_draft"))
            return [decode_record(KeptText, text) for (text,) in rows]


def _get_timestamp(time: datetime | None) -> float | None:
    return None if time is None else time.timestamp()
