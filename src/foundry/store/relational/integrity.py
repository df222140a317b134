"""Integrity checks: orphaned rows, and indexes that disagree with the chunks.

``verify`` changes nothing; ``sweep`` removes orphans and is part of rebuilding the text
index. Every problem names the command that fixes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from foundry.errors import StoreCorrupt
from foundry.messages import Message, Parameter
from foundry.records import Chunk, IndexStatus, StoreProblem
from foundry.store.relational import vector_blocks, vector_index
from foundry.store.relational.database import Database, Transaction, VectorIndex
from foundry.store.rows import BlockSpans, Row, read_blocks, read_chunks, short_hash
from foundry.store.text_ranking import hash_terms
from foundry.store.vector_ranking import have_length_one

_COUNTED = {
    "chunks_without_source": "store-chunks-without-source",
    "blocks_without_source": "store-blocks-without-source",
    "texts_without_source": "store-texts-without-source",
    "paths_without_source": "store-paths-without-source",
    "summaries_without_source": "store-summaries-without-source",
    "statistics_differ": "store-statistics-differ",
}
_CHUNK_PROBLEMS = (
    "store-chunk-text-differs",
    "store-chunk-content-differs",
    "store-chunk-blocks-differ",
    "store-chunk-terms-differ",
)
_SWEEPS = ("sweep_chunks", "sweep_blocks", "sweep_texts", "sweep_paths", "sweep_summaries")
_END = 1 << 40
_BATCH = 1000


def read_index_status(database: Database, db: Transaction, model: str, level: int) -> IndexStatus:
    """The size of each index, up to ``level``, and how searches use them."""
    index = vector_index.find_visible_index(db, model, level)
    counts = database.count_chunks(db, level)
    chunks = counts.chunks
    vectors = chunks if index else 0
    # Counting by level reads every row. A complete index has what there are chunks.
    if index and database.count_vectors(db, index) != counts.every:
        vectors = int(db.value("count_visible_vectors", (level,), vectors=index.table))
    return IndexStatus(
        sources=counts.sources,
        chunks=chunks,
        text_rows=counts.indexed,
        model=index.name if index else None,
        vectors=vectors,
        pending=chunks - vectors,
        ways=database.describe_ways(db, chunks),
        fingerprint=index.fingerprint if index else None,
    )


def sweep(db: Transaction) -> None:
    """Remove rows without a source, vectors without a chunk and tables without an index."""
    for name in _SWEEPS:
        db.run(name)
    indexes = vector_index.list_indexes(db)
    for table in _list_unregistered(db, indexes):
        db.run("drop_vectors", vectors=table)
    for index in indexes:
        orphans = db.run("vectors_without_chunk", vectors=index.table).fetchall()
        vector_blocks.delete(db, index, [row for (row,) in orphans])


def verify(database: Database, db: Transaction) -> list[StoreProblem]:
    """All inconsistencies; reads every text and vector once."""
    problems = [
        *_run_check(database.check, database, db, "store-database-damaged"),
        *_run_check(_check_counts, database, db, "store-text-index-damaged"),
        *_run_check(_check_sources, database, db, "store-sources-damaged"),
    ]
    indexes = vector_index.list_indexes(db)
    problems.extend(
        StoreProblem(Message("store-vectors-unregistered", table=table))
        for table in _list_unregistered(db, indexes)
    )
    for index in indexes:
        check = _VectorCheck(index)
        problems += _run_check(check, database, db, "store-vectors-damaged", model=index.name)
    return problems


def _run_check(
    check: Callable[[Transaction], Iterator[StoreProblem]],
    database: Database,
    db: Transaction,
    failing: str,
    **params: Parameter,
) -> list[StoreProblem]:
    """The problems that a check finds; if it fails itself, one more with the code ``failing``."""
    problems: list[StoreProblem] = []
    try:
        with db.part():
            problems.extend(check(db))
    except (database.failures, StoreCorrupt) as error:
        problems.append(StoreProblem(Message(failing, cause=str(error), **params)))
    return problems


def _check_counts(db: Transaction) -> Iterator[StoreProblem]:
    return count_problems(db, _COUNTED)


def count_problems(db: Transaction, counted: Mapping[str, str]) -> Iterator[StoreProblem]:
    """A problem for each statement that counts any; ``counted`` has its message."""
    for name, code in counted.items():
        number = db.value(name, statistics=db.sql("source_statistics"))
        if number:
            yield StoreProblem(Message(code, n=int(number)))


# Sources


def _check_sources(db: Transaction) -> Iterator[StoreProblem]:
    for source in db.rows("source_keys"):
        yield from _check_source(db, source)


def _check_source(db: Transaction, source: Row) -> Iterator[StoreProblem]:
    path = source["path"]
    spans = BlockSpans(read_blocks(db, source["rowid"], 0, _END))
    rows = db.rows("chunks_of_source", (source["id"],))
    wrong = Counter(
        code
        for row, chunk in zip(rows, read_chunks(db, rows), strict=True)
        for code in _find_differences(row, chunk, spans)
    )
    for code in _CHUNK_PROBLEMS:
        if wrong[code]:
            yield StoreProblem(Message(code, n=wrong[code], path=path))
    if db.value("has_summary", (source["rowid"],)) is None:
        yield StoreProblem(Message("store-source-without-summary", path=path))


def _find_differences(row: Row, chunk: Chunk, spans: BlockSpans) -> Iterator[str]:
    if short_hash(chunk.text) != row["text_hash"]:
        yield "store-chunk-text-differs"
    if short_hash(chunk.embedded_text) != row["embedded_hash"]:
        yield "store-chunk-content-differs"
    if spans.find_overlap(chunk.start, chunk.end) != (row["first_block"], row["last_block"]):
        yield "store-chunk-blocks-differ"
    if hash_terms(row["source_about"], chunk) != row["terms_hash"]:
        yield "store-chunk-terms-differ"


# Vectors


class _VectorCheck:
    """The check of one model's vectors."""

    def __init__(self, index: VectorIndex) -> None:
        self._index = index

    def __call__(self, db: Transaction) -> Iterator[StoreProblem]:
        name, table = self._index.name, self._index.table
        orphans = len(db.run("vectors_without_chunk", vectors=table).fetchall())
        if orphans:
            yield StoreProblem(Message("store-vectors-without-chunk", n=orphans, model=name))
        listed = int(db.value("count_vectors", vectors=table))
        visible = vector_blocks.count_sound(db, self._index)
        if visible != listed:
            yield StoreProblem(Message("store-vectors-lost", n=listed, visible=visible, model=name))
        yield from self._check_windows(db)
        wrong = self._count_wrong(db) if visible == listed else 0
        if wrong:
            yield StoreProblem(Message("store-vectors-wrong", n=wrong, model=name))

    def _check_windows(self, db: Transaction) -> Iterator[StoreProblem]:
        name, table = self._index.name, self._index.table
        lacking = db.value("count_windowless", (self._index.model,), vectors=table)
        if lacking:
            yield StoreProblem(Message("store-vectors-without-windows", n=lacking, model=name))
        lonely = db.value("count_vectorless", (self._index.model,), vectors=table)
        if lonely:
            yield StoreProblem(Message("store-windows-without-vector", n=lonely, model=name))
        wrong = vector_index.count_damaged_windows(db, self._index)
        if wrong:
            yield StoreProblem(Message("store-windows-wrong", n=wrong, model=name))

    def _count_wrong(self, db: Transaction) -> int:
        wrong = 0
        found = vector_blocks.read(db, self._index)
        while batch := [data for _, data in islice(found, _BATCH)]:
            right = have_length_one(batch, self._index.dimension)
            wrong += len(batch) - right
        return wrong


def _list_unregistered(db: Transaction, indexes: list[VectorIndex]) -> list[str]:
    known = {index.table for index in indexes}
    return [str(name) for (name,) in db.run("vector_tables") if name not in known]
