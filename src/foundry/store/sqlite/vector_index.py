"""Vectors in sqlite-vec: one table per embedding model, keyed by the chunk's row number.

Each chunk has one vector, which finds candidates, and the vectors of its windows,
which rank them: a fact in a long chunk can be near a question although the chunk as a
whole is not.

A vector is kept only as long as its chunk's embedded text is unchanged: whoever changes
the text removes the vector in the same transaction. Vectors are neither computed nor
normalised here.

Rows are counted in sqlite-vec's own row list (``{table}_rowids``), because counting
through the virtual table would read every vector.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from foundry.errors import IndexMissing, StoreError
from foundry.ports import ChunkVectors, Vectors
from foundry.records import Chunk, Filters, RetrieverHit
from foundry.store.sqlite.connections import Transaction
from foundry.store.sqlite.rows import HIGHEST, build_filter_values, encode_json, short_hash

MOST_NEIGHBOURS = 4096
"""sqlite-vec's own limit on the results of one query."""

CANDIDATES = 400
"""At least so many chunks have their windows compared; a guess: all chunks of a small project."""

LENGTH_TOLERANCE = 1e-3
"""Allowed deviation of a vector's length from 1; rounding in half precision stays below it."""


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """One model's entry in the registry of indexes."""

    model: str
    slug: str
    dimension: int
    fingerprint: str

    @property
    def table(self) -> str:
        """The name of the table with the vectors."""
        return f"vec_chunks_{self.slug}"


def make_slug(model: str) -> str:
    """A model's name as part of an SQL identifier, unique to the model."""
    readable = re.sub(r"[^a-z0-9]+", "_", model.lower()).strip("_")[:40]
    return f"{readable}_{hashlib.sha256(model.encode()).hexdigest()[:8]}"


def list_indexes(db: Transaction) -> list[VectorIndex]:
    """Every model's index."""
    return [VectorIndex(*row) for row in db.run("list_indexes")]


def find_index(db: Transaction, model: str) -> VectorIndex | None:
    """The index of a model, or None."""
    row = db.run("find_index", (model,)).fetchone()
    return VectorIndex(*row) if row else None


def find_visible_index(db: Transaction, model: str, level: int) -> VectorIndex | None:
    """The index of a model; below the highest level None if it has no vector up to ``level``."""
    index = find_index(db, model)
    if index is None or level == HIGHEST:
        return index
    return index if db.value("has_visible_vector", (level,), vectors=index.table) else None


def get_index(db: Transaction, model: str) -> VectorIndex:
    """The index of a model; raises ``IndexMissing``, because a search needs one."""
    index = find_index(db, model)
    if index is None:
        raise IndexMissing(
            f"No embeddings found for model {model}. Run foundry ingest first.",
            where=model,
            fix="Run `foundry ingest`, or set embedding.model back to the model of the index.",
        )
    return index


def open_index(
    db: Transaction,
    model: str,
    dimension: int,
    fingerprint: str,
) -> None:
    """Create the model's table if missing; an empty one may change its fingerprint."""
    index = find_index(db, model)
    if index and (index.dimension, index.fingerprint) == (dimension, fingerprint):
        return
    if index and db.value("count_vectors", vectors=index.table):
        raise IndexMissing(
            f"The embeddings of model {model} were made with different settings.",
            where=model,
            fix="Run `foundry index rebuild --embeddings`.",
        )
    drop_index(db, model)
    made = VectorIndex(model, make_slug(model), dimension, fingerprint)
    db.run("make_vectors", vectors=made.table, dimension=int(dimension))
    now = datetime.now(UTC).isoformat()
    db.run("add_index", (model, made.slug, dimension, fingerprint, now))


def drop_index(db: Transaction, model: str) -> None:
    """Remove a model's vectors and its registry entry, if any."""
    table = VectorIndex(model, make_slug(model), 0, "").table
    db.run("drop_vectors", vectors=table)
    db.run("delete_index", (model,))


def search(
    db: Transaction,
    model: str,
    vector: Vectors,
    limit: int,
    filters: Filters,
    *,
    level: int,
) -> list[RetrieverHit]:
    """The visible chunks with the nearest windows, by cosine (at most 1).

    Exact among the candidates: the ``CANDIDATES`` chunks (at least four times ``limit``)
    that are nearest as a whole, found by a full scan.
    """
    index = get_index(db, model)
    query = np.ascontiguousarray(vector, dtype=np.float32)
    packed = _pack(query, index)
    if limit < 1:
        return []
    everything = filters == Filters() and level == HIGHEST
    name = "search_vectors" if everything else "search_vectors_filtered"
    k = min(max(CANDIDATES, 4 * limit), MOST_NEIGHBOURS)
    values = {"query": packed, "k": k, "model": model, **build_filter_values(filters, level)}
    cursor = db.run(name, values, vectors=index.table, visible=db.sql("visible_sources"))
    candidates = [(str(chunk), data) for chunk, data in cursor]
    ranked = _rank(candidates, query)[:limit]
    return [RetrieverHit(chunk, rank, score) for rank, (chunk, score) in enumerate(ranked, 1)]


def _rank(candidates: Sequence[tuple[str, bytes]], query: Vectors) -> list[tuple[str, float]]:
    """Chunk ids with the cosine of their nearest window, best first, ties by id."""
    if not candidates:
        return []
    counts = [len(data) // (2 * len(query)) for _, data in candidates]
    windows = np.frombuffer(b"".join(data for _, data in candidates), dtype=np.float16)
    cosines = windows.reshape(-1, len(query)).astype(np.float32) @ query
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    best = np.maximum.reduceat(cosines, starts)
    scored = [(chunk, float(score)) for (chunk, _), score in zip(candidates, best, strict=True)]
    return sorted(scored, key=lambda item: (-item[1], item[0]))


def read_vectors(
    db: Transaction, model: str, chunk_ids: Sequence[str], level: int
) -> dict[str, ChunkVectors]:
    """Chunk id → vectors, for the chunks up to ``level`` that have them."""
    index = find_index(db, model)
    if index is None:
        return {}
    rows = db.run(
        "chunk_vectors", (encode_json(list(chunk_ids)), level), vectors=index.table
    ).fetchall()
    return {str(chunk): _unpack(_read(db, index, rowid), index) for chunk, rowid in rows}


def save_vectors(
    db: Transaction,
    model: str,
    rows: Sequence[tuple[Chunk, ChunkVectors]],
) -> int:
    """Save the vectors of chunks whose embedded text is unchanged; returns how many."""
    index = get_index(db, model)
    saved = 0
    for chunk, vectors in rows:
        packed = _pack(vectors.whole, index) + _pack_windows(vectors.windows, index)
        known = (chunk.id, short_hash(chunk.embedded_text))
        rowid = db.value("unchanged_chunk", known)
        if rowid is None:
            continue
        _delete(db, index, rowid)
        _add(db, index, rowid, packed)
        saved += 1
    return saved


def _pack_windows(windows: Vectors, index: VectorIndex) -> bytes:
    for window in windows:
        _pack(window, index)
    if not len(windows):
        raise StoreError(
            "A chunk has no vectors for its windows.",
            where=index.model,
            fix="This is a bug in Foundry: please report it.",
        )
    return np.ascontiguousarray(windows, dtype=np.float16).tobytes()


def _unpack(packed: bytes, index: VectorIndex) -> ChunkVectors:
    end = 4 * index.dimension
    windows = np.frombuffer(packed[end:], dtype=np.float16).reshape(-1, index.dimension)
    return ChunkVectors(np.frombuffer(packed[:end], dtype=np.float32), windows.astype(np.float32))


def _pack(vector: Vectors, index: VectorIndex) -> bytes:
    values = np.ascontiguousarray(vector, dtype=np.float32)
    if values.shape != (index.dimension,):
        raise StoreError(
            f"A vector has shape {values.shape} instead of ({index.dimension},).",
            where=index.model,
            fix="Run `foundry index rebuild --embeddings`.",
        )
    length = float(np.linalg.norm(values))
    if not abs(length - 1) <= LENGTH_TOLERANCE:
        raise StoreError(
            f"The model returned a vector of length {length:.4g}, not 1.",
            where=index.model,
            fix="Choose another embedding.model, or report this.",
        )
    return values.tobytes()


# Reuse of vectors whose row goes


def find_reusable(db: Transaction, index: VectorIndex, hashes: Iterable[str]) -> dict[str, bytes]:
    """Hash of embedded text → packed vectors, from other chunks or from this run's spares."""
    wanted = encode_json(sorted(set(hashes)))
    reusable: dict[str, Any] = dict(db.run("find_spares", (index.model, wanted)))
    for hashed, rowid in db.run("find_donors", (wanted,), vectors=index.table).fetchall():
        packed = _read(db, index, rowid)
        if packed is not None:
            reusable[str(hashed)] = packed
    return reusable


def remove_vectors(
    db: Transaction,
    index: VectorIndex,
    rows: Iterable[tuple[int, str]],
) -> None:
    """Remove vectors by (row number, embedded hash); an open ingest run keeps them as spares."""
    keep = bool(db.value("open_runs"))
    for rowid, hashed in rows:
        packed = _read(db, index, rowid) if keep else None
        if packed is not None:
            db.run("keep_spare", (index.model, hashed, packed))
        _delete(db, index, rowid)


def add_vectors(
    db: Transaction,
    index: VectorIndex,
    rows: Iterable[tuple[int, bytes]],
) -> None:
    """Add (row number, packed vectors) for chunks without vectors."""
    for rowid, packed in rows:
        _add(db, index, rowid, packed)


def _add(db: Transaction, index: VectorIndex, rowid: int, packed: bytes) -> None:
    """``packed`` is the chunk's vector followed by its windows, as ``_read`` returns it."""
    end = 4 * index.dimension
    db.run("add_vector", (rowid, packed[:end]), vectors=index.table)
    db.run("put_windows", (index.model, rowid, packed[end:]))


def _delete(db: Transaction, index: VectorIndex, rowid: int) -> None:
    db.run("delete_vector", (rowid,), vectors=index.table)
    db.run("delete_windows", (index.model, rowid))


def _read(db: Transaction, index: VectorIndex, rowid: object) -> Any:
    whole = db.value("read_vector", (rowid,), vectors=index.table)
    windows = db.value("read_windows", (index.model, rowid))
    return None if whole is None or windows is None else whole + windows
