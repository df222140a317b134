"""Saving and removing one source with everything attached to it, in one transaction.

Unchanged chunks keep their row, an index row changes only if its input changed, and
vectors of text that moved are reused. Terms are prepared before the transaction
(``prepare_terms``), because that is slow.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from foundry.analysis.sketches import compute_sketch
from foundry.errors import StoreError
from foundry.records import Block, Chunk, Correction, Reading, Source, Summary
from foundry.store.relational.database import Transaction
from foundry.store.relational.text_index import put_terms, update_statistics
from foundry.store.relational.vector_index import (
    add_vectors,
    find_reusable,
    list_indexes,
    move_vectors,
    remove_vectors,
)
from foundry.store.rows import (
    HIGHEST,
    BlockSpans,
    Row,
    build_block_row,
    build_chunk_row,
    build_source_row,
    encode_json,
    encode_record,
    get_level,
    read_chunks,
    short_hash,
    split_segments,
)
from foundry.store.text_ranking import Terms, describe_source, hash_terms, make_terms

PreparedTerms = Mapping[str, Terms]
"""Hash of terms → terms, for the chunks whose text index row must be written."""


@dataclass(frozen=True, slots=True)
class _ChunkState:
    """The hashes of what a stored chunk's index rows were built from."""

    rowid: int
    terms_hash: str
    embedded_hash: str


def get_source_rowid(db: Transaction, source_id: str, level: int) -> int:
    """The row number of a source; raises ``StoreError`` if there is none up to ``level``."""
    rowid = db.value("source_rowid", (source_id, level))
    if rowid is None:
        raise StoreError("store-no-such-source", where=source_id)
    return int(rowid)


def check_chunks(source: Source, text: str, chunks: Iterable[Chunk]) -> None:
    """Raise ``StoreError`` if a chunk's text is not its slice of the source's text."""
    for chunk in chunks:
        if chunk.source_id != source.id or text[chunk.start : chunk.end] != chunk.text:
            place = f"{chunk.start}–{chunk.end}"
            raise StoreError("store-chunk-differs", where=source.path, chunk=chunk.id, place=place)


def read_terms_hashes(db: Transaction, source_id: str) -> set[str]:
    """The hashes of a source's terms in the text index."""
    rowid = db.value("source_rowid", (source_id, HIGHEST))
    return {state.terms_hash for state in _read_states(db, rowid).values()}


def prepare_terms(
    about: str,
    chunks: Iterable[Chunk],
    known: Collection[str],
    on_chunk: Callable[[], None] = lambda: None,
) -> PreparedTerms:
    """The terms of the chunks whose hash is not among ``known``."""
    ready: dict[str, Terms] = {}
    for chunk in chunks:
        key = hash_terms(about, chunk)
        if key not in known and key not in ready:
            ready[key] = make_terms(about, chunk)
        on_chunk()
    return ready


def write_source(
    db: Transaction,
    source: Source,
    *,
    text: str,
    blocks: Sequence[Block],
    chunks: Sequence[Chunk],
    summary: Summary,
    ready: PreparedTerms,
    reading: Reading | None,
    corrections: Sequence[Correction] | None,
    on_chunk: Callable[[], None],
) -> None:
    """Add or replace a source."""
    rowid = int(db.value("put_source", build_source_row(source)))
    db.run("clear_reading", (rowid,))
    if reading is not None:
        db.run("add_reading", (rowid, encode_record(reading)))
    if corrections is not None:
        db.run("remove_corrections_of", (source.content_hash,))
        db.run_many("put_correction", map(_build_correction_row, corrections))
    db.run("clear_text", (rowid,))
    db.run_many("add_text", ((rowid, *piece) for piece in split_segments(text, db.segment)))
    _write_blocks(db, rowid, blocks)
    db.run("put_sketch", (rowid, compute_sketch(text).pack()))
    db.run("put_summary", (rowid, summary.text, summary.model))
    spans = BlockSpans(blocks)
    about = describe_source(source)
    rows = [build_chunk_row(chunk, rowid, spans, hash_terms(about, chunk)) for chunk in chunks]
    for row in rows:
        row["terms"] = ready[row["terms_hash"]].count() if row["terms_hash"] in ready else 0
    before = _read_states(db, rowid)
    rowids = _write_chunks(db, rowid, before, rows)
    changed, counted = [], set()
    for chunk, row in zip(chunks, rows, strict=True):
        hashed = row["terms_hash"]
        if chunk.id not in before or before[chunk.id].terms_hash != hashed:
            changed.append((rowids[chunk.id], ready.get(hashed) or make_terms(about, chunk)))
            if chunk.id not in before and hashed in ready:
                counted.add(rowids[chunk.id])
        on_chunk()
    put_terms(db, changed, counted)
    update_statistics(db, rowid)


def _build_correction_row(correction: Correction) -> Row:
    return {
        "id": correction.id,
        "content_hash": correction.content_hash,
        "path": correction.path,
        "level": get_level(correction.confidentiality),
        "created": correction.created.isoformat(),
        "record": encode_record(correction),
    }


def _write_blocks(db: Transaction, source: int, blocks: Sequence[Block]) -> None:
    db.run("clear_blocks", (source,))
    db.run("clear_heading_paths", (source,))
    numbers: dict[tuple[str, ...], int] = {}
    for block in blocks:
        numbers.setdefault(block.heading_path, len(numbers))
    db.run_many(
        "add_heading_path",
        ((source, number, encode_json(path)) for path, number in numbers.items()),
    )
    db.run_many(
        "add_block",
        (
            build_block_row(source, position, block, numbers[block.heading_path])
            for position, block in enumerate(blocks)
        ),
    )


def _write_chunks(
    db: Transaction, source: int, before: Mapping[str, _ChunkState], rows: Sequence[Row]
) -> dict[str, int]:
    """Update the rows and vectors of a source's chunks; returns id → row number."""
    wanted = {row["id"]: row["embedded_hash"] for row in rows}
    stale = [
        (state.rowid, state.embedded_hash)
        for chunk, state in before.items()
        if wanted.get(chunk) != state.embedded_hash
    ]
    lacking = [
        row
        for row in rows
        if row["id"] not in before or before[row["id"]].embedded_hash != row["embedded_hash"]
    ]
    indexes = list_indexes(db)
    hashes = [row["embedded_hash"] for row in lacking]
    reusable = [find_reusable(db, index, hashes) for index in indexes]
    remove_vectors(db, stale, moved=source)
    for chunk, state in before.items():
        if chunk not in wanted:
            db.run("delete_chunk", (state.rowid,))
    rowids = _put_chunks(db, before, rows)
    for index, vectors in zip(indexes, reusable, strict=True):
        taken = [
            (rowids[row["id"]], vectors[row["embedded_hash"]])
            for row in lacking
            if row["embedded_hash"] in vectors
        ]
        add_vectors(db, index, taken)
    return rowids


def _put_chunks(
    db: Transaction, before: Mapping[str, _ChunkState], rows: Sequence[Row]
) -> dict[str, int]:
    """Add or update the rows of chunks; returns id → row number."""
    known = [{**row, "rowid": before[row["id"]].rowid} for row in rows if row["id"] in before]
    db.run_many("update_chunk", known)
    db.run_many("add_chunk", [row for row in rows if row["id"] not in before])
    now = _read_states(db, rows[0]["source"] if rows else None)
    return {chunk: state.rowid for chunk, state in now.items()}


def write_prefixes(db: Transaction, source: int, chunks: Sequence[Chunk]) -> int:
    """Save the prefixes of chunks that still exist and drop the vectors of earlier ones."""
    known = _read_states(db, source)
    hashes = {chunk.id: short_hash(chunk.embedded_text) for chunk in chunks}
    changed = [
        (chunk, known[chunk.id])
        for chunk in chunks
        if chunk.id in known and known[chunk.id].embedded_hash != hashes[chunk.id]
    ]
    indexes = list_indexes(db)
    reusable = [find_reusable(db, index, (hashes[c.id] for c, _ in changed)) for index in indexes]
    remove_vectors(db, ((state.rowid, state.embedded_hash) for _, state in changed))
    for chunk, state in changed:
        db.run("set_prefix", (chunk.prefix, hashes[chunk.id], state.rowid))
    for index, vectors in zip(indexes, reusable, strict=True):
        taken = [(state.rowid, vectors.get(hashes[chunk.id])) for chunk, state in changed]
        add_vectors(db, index, ((rowid, packed) for rowid, packed in taken if packed))
    return len(changed)


def write_metadata(db: Transaction, source: Source, ready: PreparedTerms) -> None:
    """Update a source's metadata, and what the text index has of it."""
    known = db.value("source_about", (get_source_rowid(db, source.id, HIGHEST),))
    rowid = write_labels(db, source)
    about = describe_source(source)
    if about == known:
        return
    rows = db.rows("chunks_of_source", (source.id,))
    changed = []
    for row, chunk in zip(rows, read_chunks(db, rows), strict=True):
        hashed = hash_terms(about, chunk)
        if hashed != row["terms_hash"]:
            changed.append((row["rowid"], ready.get(hashed) or make_terms(about, chunk)))
            db.run("set_terms_hash", (hashed, row["rowid"]))
    put_terms(db, changed)
    update_statistics(db, rowid)


def write_labels(db: Transaction, source: Source) -> int:
    """Update a source's row, and have its words and vectors follow its level; returns its number."""
    rowid = get_source_rowid(db, source.id, HIGHEST)
    level = int(db.value("source_level", (rowid,)))
    db.run("put_source", build_source_row(source))
    if level != get_level(source.confidentiality):
        db.add_postings(rowid)
        move_vectors(db, rowid)
    return rowid


def delete_source(db: Transaction, source_id: str) -> bool:
    """Remove a source from every table and index; False if there was none."""
    rowid = db.value("source_rowid", (source_id, HIGHEST))
    if rowid is None:
        return False
    states = _read_states(db, rowid).values()
    remove_vectors(db, [(state.rowid, state.embedded_hash) for state in states])
    for state in states:
        db.run("delete_chunk", (state.rowid,))
    # Deletes text, blocks, heading paths and summary too (ON DELETE CASCADE).
    db.run("delete_source", (rowid,))
    return True


def _read_states(db: Transaction, source: int | None) -> dict[str, _ChunkState]:
    cursor = db.run("chunk_states", (source,))
    return {chunk: _ChunkState(*rest) for chunk, *rest in cursor}
