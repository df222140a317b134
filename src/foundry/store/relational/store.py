"""The store, and who may use the server: opens transactions; the modules beside it work in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from foundry.analysis.sketches import Sketch
from foundry.clock import format_now
from foundry.errors import SchemaTooNew, StoreUnavailable
from foundry.messages import Message
from foundry.ports import ChunkVectors
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Block,
    CallSum,
    Chunk,
    Confidentiality,
    Correction,
    Job,
    JobStatus,
    JobWorker,
    ModelCall,
    Reading,
    Recall,
    RevisionLink,
    Source,
    StoreProblem,
    Summary,
    UnreadFile,
)
from foundry.store.relational import integrity, recall, sources, vector_index
from foundry.store.relational.access import AccessStore
from foundry.store.relational.database import Database, Transaction
from foundry.store.relational.evaluation import EvaluationStore
from foundry.store.relational.view import StoreView
from foundry.store.rows import (
    HIGHEST,
    build_call_row,
    decode_record,
    encode_json,
    encode_record,
    get_level,
    read_call_sum,
    read_chunks,
    read_row,
)
from foundry.store.text_ranking import describe_source

if TYPE_CHECKING:
    from foundry.store.relational.engine import SearchEngine

MOST_ATTEMPTS = 3
"""Attempts before a job counts as failed. A guess: one for a killed worker, one for a busy model."""

_COPIED = {
    "ingest_runs": ("started, finished, status, details, report", "id"),
    "unread_files": ("path, level, record", "path"),
    "query_log": (
        (
            "id, time, moment, kind, query, rewritten, role, agent, verdict, gate_score, chunks, models,"
            " profile, answer, attribution_coverage, shown_coverage, checks, changes, timings_ms, usage,"
            " error, shown, who, conversation"
        ),
        "number",
    ),
    "conversations": ("id, title, removed", "id"),
    "feedback": ("query_id, correct, note, time, kind", "id"),
    "tokens": ("id, name, role, hash, created, expires, revoked, used", "id"),
    "project_roles": ("person, folder, role", "person, folder"),
    "audit_events": ("time, who, role, action, subject, address, outcome", "number"),
    "corrections": ("id, content_hash, path, level, created, record", "created, id"),
    "revision_links": ("newer, older, record", "newer, older"),
    "drafts": ("path, feature, created, record", "path"),
    "draft_sections": ("key, section, saved", "key"),
    "extraction_tables": ("role, name, level, created, record", "role, name"),
    "extraction_cells": (
        "role, name, source, asked, path, level, record",
        "role, name, source, asked",
    ),
    "kept_texts": ("path, hash, saved, record", "path, hash"),
    "eval_questions": ("key, set_name, record", "key"),
    "eval_runs": ("id, name, record", "id"),
    "eval_results": ("run, question, record", "run, question"),
    "fitted_constants": ("model, record", "model"),
    "model_responses": ("key, model, reply, saved", "key"),
    "model_calls": (
        "moment, command, model, host, prompt_tokens, completion_tokens, cost, estimated",
        "number",
    ),
}
"""Table → columns and order of the rows that a copy takes as they are.

Sources, chunks and vectors are copied by their own verbs, which build the indexes too; spare vectors
and jobs belong to work in progress.
"""


class Store(StoreView):
    """A whole project, for wiring and maintenance. Opening migrates the schema.

    Every method is one transaction; slow work happens outside it.
    """

    evaluation: EvaluationStore

    def __init__(self, database: Database) -> None:
        super().__init__(database, CONFIDENTIALITY_LEVELS[-1])
        self.evaluation = EvaluationStore(database, CONFIDENTIALITY_LEVELS[-1])
        self.access = AccessStore(database)

    def view(self, role: Confidentiality, *, exact: bool = False) -> StoreView:
        """The project as ``role`` sees it, over the same connections; ``exact`` as in ``StoreView``."""
        return StoreView(self._database, role, self._engine, exact=exact)

    def use_engine(self, engine: SearchEngine) -> None:
        """Have an engine beside the database find vectors, in this store and in views made later."""
        self._engine = engine

    def measure_recall(self, model: str) -> Recall | None:
        """Compare what searches of an index find with what exact ones find; ``save_recall`` keeps it.

        None where a search compares every vector, and without an index.
        """
        with self._database.reading() as db:
            return self._recall_meter.measure(db, model)

    def save_recall(self, model: str, measured: Recall) -> None:
        """Keep a measurement, for ``find_recall``."""
        with self._database.writing() as db:
            recall.save(db, model, measured)

    # What an ingest writes

    def save_source(
        self,
        source: Source,
        text: str,
        blocks: Sequence[Block],
        chunks: Sequence[Chunk],
        summary: Summary,
        *,
        reading: Reading | None = None,
        corrections: Sequence[Correction] | None = None,
        on_chunk: Callable[[], None] = lambda: None,
    ) -> None:
        """Add or replace a source with its text index rows.

        ``reading`` is what a reader made of it, if it is corrected; ``corrections`` replace those of
        its bytes. ``on_chunk`` is called twice for each chunk: analysed and written.

        Chunks whose id already exists keep their row. A chunk whose embedded text is unchanged, or
        known from any other source, keeps or reuses that vector.
        """
        sources.check_chunks(source, text, chunks)
        with self._database.reading() as db:
            known = sources.read_terms_hashes(db, source.id)
        with self._database.map_errors():
            ready = sources.prepare_terms(describe_source(source), chunks, known, on_chunk)
        with self._database.writing(sources=[source.id]) as db:
            sources.write_source(
                db,
                source,
                text=text,
                blocks=blocks,
                chunks=chunks,
                summary=summary,
                ready=ready,
                reading=reading,
                corrections=corrections,
                on_chunk=on_chunk,
            )

    def remove_correction(self, correction_id: str) -> bool:
        """Remove a correction, not what it changed; False if there was none."""
        with self._database.writing() as db:
            db.run("remove_correction", (correction_id,))
            return db.changes() > 0

    def update_source(self, source: Source) -> None:
        """Change a source's metadata (tags, confidentiality, times), not its text."""
        ready: sources.PreparedTerms = {}
        known = self.find_source(source.id)
        if known and replace(source, chunks=known.chunks) == known:
            return
        about = describe_source(source)
        if known and describe_source(known) != about:
            ready = sources.prepare_terms(about, self.source_chunks(source.id), ())
        with self._database.writing(sources=[source.id]) as db:
            sources.write_metadata(db, source, ready)

    def change_sources(
        self, source_ids: Sequence[str], change: Callable[[Source], Source]
    ) -> list[str]:
        """Change the labels of sources in one transaction; returns the ids of those that differ now.

        ``change`` gets each source as it is now, so that two callers at once lose nothing. It must not
        change what the text index has: title, path and names.
        """
        changed = []
        with self._database.writing() as db:
            for row in db.rows("sources_by_id", (encode_json([*source_ids]), HIGHEST)):
                source = read_row(Source, row)
                new = change(source)
                if new != source:
                    sources.write_labels(db, new)
                    changed.append(source.id)
        return changed

    def remove_source(self, source_id: str) -> bool:
        """Remove a source from every table and index; False if there was none."""
        with self._database.writing(sources=[source_id]) as db:
            return sources.delete_source(db, source_id)

    def save_chains(self, places: Mapping[str, tuple[str, int]]) -> None:
        """Set the chains of sources, and their places in them, by source id."""
        rows = [(chain, place, source) for source, (chain, place) in places.items()]
        with self._database.writing() as db:
            db.run_many("set_chain", rows)

    def save_revision_link(self, link: RevisionLink) -> None:
        """Save a link between two sources, in place of an earlier one between them."""
        with self._database.writing() as db:
            for pair in ((link.newer, link.older), (link.older, link.newer)):
                db.run("remove_revision_link", pair)
            db.run("put_revision_link", (link.newer, link.older, encode_record(link)))

    def rename_revision_links(self, old: str, new: str) -> None:
        """Change a path in all links, after its file was moved."""
        for link in self.list_revision_links():
            if old in (link.newer, link.older):
                newer, older = (new if path == old else path for path in (link.newer, link.older))
                with self._database.writing() as db:
                    db.run("remove_revision_link", (link.newer, link.older))
                self.save_revision_link(replace(link, newer=newer, older=older))

    def list_unsketched(self) -> list[str]:
        """Return the ids of sources without a sketch, saved by an earlier version."""
        with self._database.reading() as db:
            return [source for (source,) in db.run("sources_without_sketch")]

    def save_sketch(self, source_id: str, sketch: Sketch) -> None:
        """Save the sketch of a source; raises ``StoreError`` for an unknown one."""
        with self._database.writing(sources=[source_id]) as db:
            rowid = sources.get_source_rowid(db, source_id, HIGHEST)
            db.run("put_sketch", (rowid, sketch.pack()))

    def save_annotations(self, summary: Summary, chunks: Sequence[Chunk]) -> int:
        """Save a source's summary and its chunks' prefixes; returns how many prefixes changed.

        Vectors of a changed prefix are removed or replaced by known ones; chunks that no longer
        exist are skipped. Raises ``StoreError`` for an unknown source.
        """
        with self._database.writing(sources=[summary.source_id]) as db:
            rowid = sources.get_source_rowid(db, summary.source_id, HIGHEST)
            db.run("put_summary", (rowid, summary.text, summary.model))
            return sources.write_prefixes(db, rowid, chunks)

    # The vectors of each embedding model

    def open_index(self, model: str, dimension: int, fingerprint: str) -> None:
        """Create the model's index if it is missing.

        Raises ``IndexMissing`` if it contains vectors with another fingerprint: rebuild it then.
        """
        with self._database.reading() as db:
            index = vector_index.find_index(db, model)
        if index and (index.dimension, index.fingerprint) == (dimension, fingerprint):
            return
        with self._database.writing() as db:
            vector_index.open_index(db, model, dimension, fingerprint)

    def pending_chunks(
        self, model: str, limit: int, after: int = 0, sources: Sequence[str] | None = None
    ) -> list[tuple[int, Chunk]]:
        """Chunks without a vector, by row number above ``after``; ``sources`` are ids.

        Without an index, all chunks.
        """
        with self._database.reading() as db:
            index = vector_index.find_index(db, model)
            if index:
                values = {"after": after, "limit": limit, "sources": _encode_ids(sources)}
                chosen = "" if sources is None else db.sql("of_sources")
                rows = db.rows("pending_chunks", values, vectors=index.table, chosen=chosen)
            else:
                rows = db.rows("chunks_after", (after, limit))
            chunks = read_chunks(db, rows)
        return [(row["rowid"], chunk) for row, chunk in zip(rows, chunks, strict=True)]

    def pending_tokens(self, model: str, sources: Sequence[str] | None = None) -> int:
        """Tokens of the chunks without a vector; raises ``IndexMissing`` without an index."""
        with self._database.reading() as db:
            index = vector_index.get_index(db, model)
            values = {"sources": _encode_ids(sources)}
            chosen = "" if sources is None else db.sql("of_sources")
            return int(db.value("pending_tokens", values, vectors=index.table, chosen=chosen))

    def save_vectors(self, model: str, rows: Sequence[tuple[Chunk, ChunkVectors]]) -> int:
        """Save vectors of chunks that still exist unchanged; returns how many."""
        with self._database.writing(sources={chunk.source_id for chunk, _ in rows}) as db:
            saved = vector_index.save_vectors(db, model, rows)
        if self._engine:
            self._engine.count_saved(self._database, saved)
        return saved

    def get_vectors(self, model: str, chunk_ids: Sequence[str]) -> dict[str, ChunkVectors]:
        """Chunk id → vectors of length 1, for the chunks that have them."""
        with self._database.reading() as db:
            return vector_index.read_vectors(db, model, chunk_ids)

    def open_rebuild(self, model: str, dimension: int, fingerprint: str) -> str:
        """The name under which vectors are saved beside those that searches use.

        An interrupted rebuild resumes, unless its dimension or fingerprint was another.
        """
        with self._database.writing() as db:
            return vector_index.open_rebuild(db, model, dimension, fingerprint)

    def finish_rebuild(self, model: str, *, anyway: bool = False) -> bool:
        """Have searches use the vectors of the rebuild and remove the earlier ones.

        False, and nothing changes, if they lack a chunk that the earlier ones have, unless
        ``anyway``. Raises ``IndexMissing`` without a rebuild.
        """
        with self._database.writing() as db:
            done = vector_index.swap_indexes(db, model, anyway=anyway)
        if done:
            with self._database.writing() as db:
                vector_index.drop_replaced(db, model)
        return done

    def drop_index(self, model: str) -> None:
        """Remove the model's vectors and its registry entry, if any, and those of a rebuild."""
        with self._database.writing() as db:
            vector_index.drop_index(db, model)

    # Runs of an ingest, and what they could not read

    def start_run(self, details: Mapping[str, Any]) -> int:
        """Start an ingest run under the lock "ingest"; a run left open is marked as interrupted."""
        with self._database.writing() as db:
            db.run("interrupt_runs")
            values = (format_now(), encode_json(dict(details)))
            return int(db.value("start_run", values))

    def finish_run(self, run_id: int, report: Mapping[str, Any]) -> Message | None:
        """Close a run and delete the vectors of removed text that nothing reused.

        Then indexes the vectors, and returns what ``index_vectors`` returns.
        """
        with self._database.writing() as db:
            values = (format_now(), encode_json(dict(report)), run_id)
            db.run("finish_run", values)
            db.run("clear_spares")
        return self.index_vectors()

    def index_vectors(self) -> Message | None:
        """Sort the vectors of a large project into lists, if that is due.

        Then measures an index that searches do not compare as a whole, unless few of its vectors
        changed since. A search engine beside the database gets what changed. Returns what did not work,
        and why.
        """
        unsorted = vector_index.sort_vectors(self._database)
        behind = self._engine.update(self._database) if self._engine else None
        # Another process may still be updating the engine: then it is measured after a later ingest.
        with suppress(StoreUnavailable):
            self._measure_due()
        return behind or unsorted

    def _measure_due(self) -> None:
        with self._database.reading() as db:
            due = self._recall_meter.list_due(db)
        for model in due:
            if measured := self.measure_recall(model):
                self.save_recall(model, measured)

    def save_unread(self, files: Sequence[UnreadFile]) -> None:
        """Remember files that could not be read; each replaces an earlier one at its path."""
        rows = [(file.path, get_level(file.confidentiality), encode_record(file)) for file in files]
        with self._database.writing() as db:
            db.run_many("save_unread", rows)

    def remove_unread(self, paths: Sequence[str]) -> None:
        """Forget unread files, because they were read or are gone."""
        with self._database.writing() as db:
            db.run_many("remove_unread", [(path,) for path in paths])

    # The files that wait for a worker. A job belongs to its worker while that gives signs of life; who
    # sees none for a while, by a clock of its own that never jumps, may take the job up again. What a
    # worker saves does not depend on that: a source is saved as a whole, by its content.

    def add_jobs(self, jobs: Sequence[Job]) -> None:
        """Add jobs at the end; one that waits or runs already stays as it is.

        Earlier jobs of the same file that do not run are removed.
        """
        with self._database.writing() as db:
            last = int(db.value("last_job_number"))
            for number, job in enumerate(jobs, last + 1):
                values = {"id": job.id, "path": job.path, "number": number}
                db.run("drop_earlier_jobs", values)
                db.run("add_job", {**values, "record": encode_record(job)})

    def take_job(self, worker: str, recipe: str, lapsed: Sequence[Job] = ()) -> Job | None:
        """One of the ``lapsed`` jobs or else the first free one, now the worker's; None without one.

        A lapsed job that changed since it was read is not taken, and no job of another recipe. A
        job that ``MOST_ATTEMPTS`` workers began and none finished becomes a failed one. Raises
        ``SchemaTooNew`` if a newer Foundry has migrated the database meanwhile.
        """
        states = [(job.id, job.attempts, job.signs) for job in lapsed]
        values = {"worker": worker, "recipe": recipe, "lapsed": encode_json(states)}
        with self._database.writing(alone=False) as db:
            self._require_current(db)
            while row := _take(db, values, lapsed=bool(lapsed)):
                job = _read_job(*row)
                if job.attempts <= MOST_ATTEMPTS:
                    return job
                lost = Message("work-lost", n=MOST_ATTEMPTS)
                _finish_job(db, replace(job, status="failed", reason=lost))
        return None

    def _require_current(self, db: Transaction) -> None:
        version, newest = int(db.value("read_version")), self._database.newest
        if version > newest:
            where = self._database.where
            raise SchemaTooNew("store-schema-newer", where=where, version=version, newest=newest)

    def extend_job(self, job: Job) -> bool:
        """Give a sign of life; False if the job is cancelled or another's."""
        with self._database.writing(alone=False) as db:
            db.run("extend_job", _identify(job))
            return db.changes() > 0

    def finish_job(self, job: Job) -> bool:
        """Save what became of a job: ``done``, ``failed``, or ``waiting`` for another attempt.

        False, and nothing is saved, if it is no longer this worker's.
        """
        with self._database.writing(alone=False) as db:
            return _finish_job(db, job)

    def list_jobs(self, ids: Sequence[str] | None = None) -> list[Job]:
        """All jobs, or those with these ids, in the order in which they are taken."""
        return self._read_jobs("list_jobs", {"ids": _encode_ids(ids)})

    def list_open_jobs(self) -> list[Job]:
        """The jobs that wait or run, in the order in which they are taken."""
        return self._read_jobs("open_jobs", {})

    def list_begun_jobs(self) -> list[Job]:
        """The jobs that run, or wait after a failed attempt: those that can lapse."""
        return self._read_jobs("begun_jobs", {})

    def find_foreign_job(self, recipe: str) -> Job | None:
        """The first job that waits for a worker with another recipe."""
        return next(iter(self._read_jobs("find_foreign_job", {"recipe": recipe})), None)

    def count_open_jobs(self) -> int:
        """How many jobs wait or run."""
        with self._database.reading() as db:
            return int(db.value("count_open_jobs"))

    def sign_worker(self, worker: JobWorker) -> None:
        """Register a worker, or add a sign of life to its row."""
        with self._database.writing(alone=False) as db:
            db.run("sign_worker", (worker.name, worker.started.isoformat()))

    def remove_workers(self, workers: Iterable[JobWorker]) -> None:
        """Remove workers that gave no sign since they were read."""
        with self._database.writing(alone=False) as db:
            db.run_many("remove_worker", [(one.name, one.signs) for one in workers])

    def list_workers(self) -> list[JobWorker]:
        """All workers, oldest first; one that died stays until another process sees it."""
        with self._database.reading() as db:
            return [
                JobWorker(name, datetime.fromisoformat(started), signs)
                for name, started, signs in db.run("list_workers")
            ]

    def _read_jobs(self, name: str, values: Mapping[str, object]) -> list[Job]:
        with self._database.reading() as db:
            return [_read_job(*row) for row in db.run(name, values)]

    def cancel_jobs(self, paths: Sequence[str] | None = None) -> int:
        """Cancel what waits and runs, of these files or all; returns how many."""
        with self._database.writing() as db:
            db.run("cancel_jobs", {"paths": _encode_ids(paths)})
            return db.changes()

    # The ledger: what requests to models took, by whomever they were made

    def save_call(self, call: ModelCall) -> int:
        """Add a request; returns its number."""
        with self._database.writing() as db:
            return int(db.value("save_call", build_call_row(call)))

    def settle_call(self, number: int, call: ModelCall) -> None:
        """Set what a request took, once that is known."""
        with self._database.writing() as db:
            db.run("settle_call", {"number": number, **build_call_row(call)})

    def sum_calls(
        self, *, since: datetime | None = None, until: datetime | None = None
    ) -> list[CallSum]:
        """The requests from ``since`` to before ``until``, oldest first."""
        values = {"since": since and since.timestamp(), "until": until and until.timestamp()}
        with self._database.reading() as db:
            return [read_call_sum(row) for row in db.run("sum_calls", values)]

    # What a copy to another store needs besides the other verbs: all that is not derived from sources.
    # A table is a log, a register or a cache; its rows are tuples of text, numbers and None.

    def list_indexes(self) -> list[tuple[str, int, str]]:
        """Model, dimension and fingerprint of every vector index."""
        with self._database.reading() as db:
            indexes = vector_index.list_indexes(db)
        return [
            (index.name, index.dimension, index.fingerprint)
            for index in indexes
            if vector_index.is_used(index)
        ]

    def count_rows(self) -> dict[str, int]:
        """Table → number of rows."""
        with self._database.reading() as db:
            return {table: int(db.value("count_rows", table=table)) for table in _COPIED}

    def read_rows(self, table: str) -> Iterator[Sequence[Any]]:
        """All rows of a table in a fixed order, in one transaction."""
        columns, order = _COPIED[table]
        with self._database.reading() as db:
            yield from db.run("read_rows", table=table, columns=columns, order=order)

    def add_rows(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        """Add all rows that ``read_rows`` gave, or none; raises ``StoreError`` for a known key."""
        columns, _ = _COPIED[table]
        places = ", ".join(f":{n}" for n in range(1, columns.count(",") + 2))
        with self._database.writing() as db:
            db.run_many("add_row", rows, table=table, columns=columns, places=places)

    # Maintenance

    def rebuild_text_index(self) -> int:
        """Rebuild the text index from the chunks; returns its number of rows."""
        return self._database.rebuild_text_index()

    def rebuild_engine(self) -> int | None:
        """Send every vector to the search engine again; returns how many, None without an engine."""
        return self._engine.rebuild(self._database) if self._engine else None

    def verify(self) -> list[StoreProblem]:
        """All inconsistencies between tables and indexes; empty if there are none."""
        with self._database.reading() as db:
            beside = list(self._engine.verify(db)) if self._engine else []
            return [*integrity.verify(self._database, db), *beside]

    def close(self) -> None:
        """Close every connection; no other thread may be using the store."""
        self._database.close()


def _encode_ids(ids: Sequence[str] | None) -> str | None:
    return None if ids is None else encode_json(list(ids))


def _identify(job: Job) -> dict[str, object]:
    return {"id": job.id, "worker": job.worker, "attempts": job.attempts}


def _take(db: Transaction, values: Mapping[str, object], *, lapsed: bool) -> Any:
    """The row of a lapsed job, which was before all free ones, or of the first free one."""
    row = db.run("take_lapsed_job", values).fetchone() if lapsed else None
    return row or db.run("take_free_job", values).fetchone()


def _finish_job(db: Transaction, job: Job) -> bool:
    pause = 0 if job.status == "waiting" and job.reason else None
    values = {"status": job.status, "record": encode_record(job), "pause": pause}
    db.run("finish_job", {**_identify(job), **values})
    return db.changes() > 0


def _read_job(
    record: str, status: JobStatus, attempts: int, worker: str | None, lease: float | None
) -> Job:
    signs = None if lease is None else int(lease)
    job = decode_record(Job, record)
    return replace(job, status=status, attempts=attempts, worker=worker, signs=signs)
