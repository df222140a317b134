"""Vectors in sqlite-vec: one table per embedding model, keyed by the chunk's row number.

A vector stands in a table only while its chunk's embedded text is what it was
made of: whoever changes the one removes the other in the same transaction. It
never makes a vector and never normalises one.

Which rows a table holds is read from sqlite-vec's own row list
(``{table}_rowids``): counting through the virtual table would read every vector.
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
from foundry.ports import Vectors
from foundry.records import ChannelHit, Chunk, Filters
from foundry.store.sqlite.connections import Transaction
from foundry.store.sqlite.rows import as_json, filter_values, short_hash

MOST_NEIGHBOURS = 4096
"""The most that sqlite-vec returns for one query."""

LENGTH_TOLERANCE = 1e-3
"""How far a vector's length may be from 1; rounding in half precision stays under it."""


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """A row of the index registry."""

    model: str
    slug: str
    dimension: int
    fingerprint: str

    @property
    def table(self) -> str:
        """The table that holds the vectors."""
        return f"vec_chunks_{self.slug}"


def model_slug(model: str) -> str:
    """A model's name as part of an SQL identifier; different names never share one."""
    readable = re.sub(r"[^a-z0-9]+", "_", model.lower()).strip("_")[:40]
    return f"{readable}_{hashlib.sha256(model.encode()).hexdigest()[:8]}"


def list_indexes(db: Transaction) -> list[VectorIndex]:
    """Every model's index."""
    return [VectorIndex(*row) for row in db.run("list_indexes")]


def find_index(db: Transaction, model: str) -> VectorIndex | None:
    """The index of a model, or None."""
    row = db.run("find_index", (model,)).fetchone()
    return VectorIndex(*row) if row else None


def get_index(db: Transaction, model: str) -> VectorIndex:
    """The index of a model; raises ``IndexMissing``, the hard stop of a search without one."""
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
    """Make the model's table if it is missing; one without vectors may change its fingerprint."""
    index = find_index(db, model)
    if index and (index.dimension, index.fingerprint) == (dimension, fingerprint):
        return
    if index and db.value("count_vectors", vectors=index.table):
        raise IndexMissing(
            f"The embeddings of model {model} were made with other settings than today's.",
            where=model,
            fix="Run `foundry index rebuild --embeddings`.",
        )
    drop_index(db, model)
    made = VectorIndex(model, model_slug(model), dimension, fingerprint)
    db.run("make_vectors", vectors=made.table, dimension=int(dimension))
    now = datetime.now(UTC).isoformat()
    db.run("add_index", (model, made.slug, dimension, fingerprint, now))


def drop_index(db: Transaction, model: str) -> None:
    """Remove a model's vectors and its entry; nothing happens if there is none."""
    table = VectorIndex(model, model_slug(model), 0, "").table
    db.run("drop_vectors", vectors=table)
    db.run("delete_index", (model,))


def search(
    db: Transaction,
    model: str,
    vector: Vectors,
    limit: int,
    filters: Filters,
) -> list[ChannelHit]:
    """The nearest visible chunks by cosine (1 is the same direction), exactly, by full scan."""
    index = get_index(db, model)
    query = _packed(vector, index)
    if limit < 1:
        return []
    name = "search_vectors" if filters == Filters() else "search_vectors_filtered"
    values = {"query": query, "k": min(limit, MOST_NEIGHBOURS), **filter_values(filters)}
    cursor = db.run(name, values, vectors=index.table, visible=db.sql("visible_sources"))
    return [ChannelHit(chunk, rank, score) for rank, (chunk, score) in enumerate(cursor, 1)]


def read_vectors(db: Transaction, model: str, chunk_ids: Sequence[str]) -> dict[str, Vectors]:
    """Chunk id → vector, for those that have one."""
    index = find_index(db, model)
    if index is None:
        return {}
    found = db.run("chunk_vectors", (as_json(list(chunk_ids)),), vectors=index.table).fetchall()
    return {
        str(chunk): np.frombuffer(_read(db, index, rowid), dtype=np.float32)
        for chunk, rowid in found
    }


def save_vectors(
    db: Transaction,
    model: str,
    rows: Sequence[tuple[Chunk, Vectors]],
) -> int:
    """Write the vectors of chunks whose embedded text is still the same."""
    index = get_index(db, model)
    saved = 0
    for chunk, vector in rows:
        packed = _packed(vector, index)
        known = (chunk.id, short_hash(chunk.embedded_text))
        rowid = db.value("unchanged_chunk", known)
        if rowid is None:
            continue
        db.run("delete_vector", (rowid,), vectors=index.table)
        db.run("add_vector", (rowid, packed), vectors=index.table)
        saved += 1
    return saved


def _packed(vector: Vectors, index: VectorIndex) -> bytes:
    values = np.ascontiguousarray(vector, dtype=np.float32)
    if values.shape != (index.dimension,):
        raise StoreError(
            f"A vector has shape {values.shape}, and the index holds {index.dimension} numbers.",
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


# Vectors that outlive their row


def find_reusable(db: Transaction, index: VectorIndex, hashes: Iterable[str]) -> dict[str, bytes]:
    """Embedded hash → vector, from any chunk of any source or from the spares of this run."""
    wanted = as_json(sorted(set(hashes)))
    found: dict[str, Any] = dict(db.run("find_spares", (index.model, wanted)))
    for hashed, rowid in db.run("find_donors", (wanted,), vectors=index.table).fetchall():
        found[str(hashed)] = _read(db, index, rowid)
    return found


def remove_vectors(
    db: Transaction,
    index: VectorIndex,
    rows: Iterable[tuple[int, str]],
) -> None:
    """Take (row number, embedded hash) out of an index; an open ingest run keeps them as spares."""
    keep = bool(db.value("open_runs"))
    for rowid, hashed in rows:
        packed = _read(db, index, rowid)
        if packed is None:
            continue
        if keep:
            db.run("keep_spare", (index.model, hashed, packed))
        db.run("delete_vector", (rowid,), vectors=index.table)


def add_vectors(
    db: Transaction,
    index: VectorIndex,
    rows: Iterable[tuple[int, bytes]],
) -> None:
    """Write (row number, vector) of chunks that have none yet."""
    db.run_many("add_vector", rows, vectors=index.table)


def _read(db: Transaction, index: VectorIndex, rowid: object) -> Any:
    return db.value("read_vector", (rowid,), vectors=index.table)
