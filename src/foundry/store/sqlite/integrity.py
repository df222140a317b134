"""Integrity checks: orphaned rows, and indexes that disagree with the chunks.

``verify`` changes nothing; ``sweep`` removes orphans and is part of rebuilding the text
index. Every problem names the command that fixes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import apsw

from foundry.records import Chunk, IndexStatus, StoreProblem
from foundry.store.rows import BlockSpans, Row, short_hash
from foundry.store.sqlite import vector_index
from foundry.store.sqlite.chunks import read_blocks, read_chunks
from foundry.store.sqlite.connections import Transaction
from foundry.store.sqlite.failures import RESTORE
from foundry.store.sqlite.vector_index import VectorIndex
from foundry.store.text_ranking import hash_terms
from foundry.store.vector_ranking import have_length_one

REBUILD = "Run `foundry index rebuild`."
REEMBED = "Run `foundry index rebuild --embeddings`."
REINGEST = "Run `foundry sources remove` on it, then `foundry ingest`."

_COUNTED = (
    ("chunks_without_source", "{} chunks belong to no source.", REBUILD),
    ("blocks_without_source", "{} blocks belong to no source.", REBUILD),
    ("texts_without_source", "{} pieces of text belong to no source.", REBUILD),
    ("paths_without_source", "{} heading paths belong to no source.", REBUILD),
    ("summaries_without_source", "{} summaries belong to no source.", REBUILD),
    ("text_rows_without_chunk", "{} rows of the text index belong to no chunk.", REBUILD),
    ("count_without_text_row", "{} chunks are not in the text index.", REBUILD),
    (
        "lengths_differ",
        "The lengths of all chunks differ from the text index by {} terms.",
        REBUILD,
    ),
    ("statistics_differ", "{} sources have statistics of other chunks.", REBUILD),
)
_CHUNK_PROBLEMS = {
    "chunk_text_differs": ("{} chunks of {} differ from its text.", REINGEST),
    "chunk_content_differs": ("{} chunks of {} differ from their embedded text.", REINGEST),
    "chunk_blocks_differ": ("{} chunks of {} do not point to their blocks.", REINGEST),
    "chunk_terms_differ": ("{} chunks of {} have different terms in the text index.", REBUILD),
}
_SWEEPS = ("sweep_chunks", "sweep_blocks", "sweep_texts", "sweep_paths", "sweep_summaries")
_END = 1 << 40
_BATCH = 1000


def read_index_status(db: Transaction, model: str, level: int) -> IndexStatus:
    """The size of each index, up to ``level``."""
    index = vector_index.find_visible_index(db, model, level)
    counts: tuple[Any, ...] = db.run("count_chunks", (level, level)).fetchall()[0]
    sources, chunks, every, indexed = counts
    text_rows, vectors = chunks, 0
    # Counting by level reads every row. A complete index has what there are chunks.
    if indexed != every:
        text_rows = int(db.value("count_visible_text_rows", (level,)))
    if index:
        vectors = chunks
        if db.value("count_vectors", vectors=index.table) != every:
            vectors = int(db.value("count_visible_vectors", (level,), vectors=index.table))
    return IndexStatus(
        sources=sources,
        chunks=chunks,
        text_rows=text_rows,
        model=index.model if index else None,
        vectors=vectors,
        pending=chunks - vectors,
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
        db.run_many("delete_vector", orphans, vectors=index.table)


def verify(db: Transaction) -> list[StoreProblem]:
    """All inconsistencies; reads every text and vector once."""
    no_text_index = "text_index_damaged", "The text index cannot be read: {}.", REBUILD
    problems = [
        *_run_check(_check_file, db, ("database_damaged", "The file is damaged: {}.", RESTORE)),
        *_run_check(_check_counts, db, no_text_index),
        *_run_check(
            _check_sources, db, ("sources_damaged", "Sources cannot be read: {}.", RESTORE)
        ),
    ]
    indexes = vector_index.list_indexes(db)
    problems.extend(
        StoreProblem("vectors_unregistered", f"The table {table} belongs to no index.", REBUILD)
        for table in _list_unregistered(db, indexes)
    )
    for index in indexes:
        message = f"The vectors of {index.model} cannot be read: {{}}."
        problems += _run_check(_VectorCheck(index), db, ("vectors_damaged", message, REEMBED))
    return problems


def _run_check(
    check: Callable[[Transaction], Iterator[StoreProblem]],
    db: Transaction,
    failing: tuple[str, str, str],
) -> list[StoreProblem]:
    """The problems that a check finds; ``failing`` describes its own failure as one more."""
    problems: list[StoreProblem] = []
    try:
        problems.extend(check(db))
    except apsw.Error as error:
        code, message, fix = failing
        problems.append(StoreProblem(code, message.format(error), fix))
    return problems


def _check_file(db: Transaction) -> Iterator[StoreProblem]:
    for (line,) in db.run("check_file"):
        if line == "ok":
            continue
        if "fts5" in str(line).lower():
            yield StoreProblem("text_index_damaged", f"The text index is damaged: {line}.", REBUILD)
        else:
            yield StoreProblem("database_damaged", f"The file is damaged: {line}.", RESTORE)


def _check_counts(db: Transaction) -> Iterator[StoreProblem]:
    for name, message, fix in _COUNTED:
        number = db.value(name, statistics=db.sql("source_statistics"))
        if number:
            code = name.replace("count_", "chunks_")
            yield StoreProblem(code, message.format(number), fix)


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
    for code, (message, fix) in _CHUNK_PROBLEMS.items():
        if wrong[code]:
            yield StoreProblem(code, message.format(wrong[code], path), fix)
    if db.value("has_summary", (source["rowid"],)) is None:
        yield StoreProblem("source_without_summary", f"{path} has no summary.", REINGEST)


def _find_differences(row: Row, chunk: Chunk, spans: BlockSpans) -> Iterator[str]:
    if short_hash(chunk.text) != row["text_hash"]:
        yield "chunk_text_differs"
    if short_hash(chunk.embedded_text) != row["embedded_hash"]:
        yield "chunk_content_differs"
    if spans.find_overlap(chunk.start, chunk.end) != (row["first_block"], row["last_block"]):
        yield "chunk_blocks_differ"
    if hash_terms(row["source_title"], chunk) != row["terms_hash"]:
        yield "chunk_terms_differ"


# Vectors


class _VectorCheck:
    """The check of one model's vectors."""

    def __init__(self, index: VectorIndex) -> None:
        self._index = index

    def __call__(self, db: Transaction) -> Iterator[StoreProblem]:
        model, table = self._index.model, self._index.table
        orphans = len(db.run("vectors_without_chunk", vectors=table).fetchall())
        if orphans:
            message = f"{orphans} vectors of {model} belong to no chunk."
            yield StoreProblem("vectors_without_chunk", message, REBUILD)
        listed = int(db.value("count_vectors", vectors=table))
        visible = sum(_count_bits(slots) for (slots,) in db.run("vector_slots", vectors=table))
        if visible != listed:
            message = f"{listed} vectors of {model} are listed, but a search sees {visible}."
            yield StoreProblem("vectors_lost", message, REEMBED)
        yield from self._check_windows(db)
        wrong = self._count_wrong(db)
        if wrong:
            message = f"{wrong} vectors of {model} have the wrong size or are not of length 1."
            yield StoreProblem("vectors_wrong", message, REEMBED)

    def _check_windows(self, db: Transaction) -> Iterator[StoreProblem]:
        model, table = self._index.model, self._index.table
        lacking = db.value("count_windowless", (model,), vectors=table)
        if lacking:
            message = f"{lacking} vectors of {model} lack the vectors of their windows."
            yield StoreProblem("vectors_without_windows", message, REEMBED)
        lonely = db.value("count_vectorless", (model,), vectors=table)
        if lonely:
            message = f"{lonely} chunks have windows of {model} and no vector."
            yield StoreProblem("windows_without_vector", message, REEMBED)
        shape = {"model": model, "dimension": self._index.dimension}
        misshapen = db.value("count_misshapen", shape)
        if misshapen:
            message = f"{misshapen} chunks have windows of {model} of the wrong size."
            yield StoreProblem("windows_wrong", message, REEMBED)

    def _count_wrong(self, db: Transaction) -> int:
        wrong = 0
        cursor = db.run("read_vectors", vectors=self._index.table)
        while batch := list(islice(cursor, _BATCH)):
            right = have_length_one([data for _, data in batch], self._index.dimension)
            wrong += len(batch) - right
        return wrong


def _count_bits(slots: object) -> int:
    return int.from_bytes(slots).bit_count() if isinstance(slots, bytes) else 0


def _list_unregistered(db: Transaction, indexes: list[VectorIndex]) -> list[str]:
    known = {index.table for index in indexes}
    tables = [str(name) for (name,) in db.run("vector_tables")]
    return [name for name in tables if name not in known]
