"""Vectors of each embedding model, keyed by the chunk's row number.

A vector is kept only as long as its chunk's embedded text is unchanged: whoever changes
the text removes the vector in the same transaction. Vectors are neither computed nor
normalised here.
"""

from __future__ import annotations

import hashlib
import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, count
from typing import Any

import numpy as np

from foundry.clock import format_now
from foundry.errors import IndexMissing, StoreCorrupt
from foundry.messages import Message
from foundry.ports import ChunkVectors, Vectors
from foundry.records import Chunk, Filters, RetrieverHit
from foundry.store.relational import vector_blocks, vectors
from foundry.store.relational.database import Database, Transaction, VectorIndex
from foundry.store.relational.words import TextVerbs
from foundry.store.rows import HIGHEST, encode_json, short_hash
from foundry.store.text_ranking import Integers
from foundry.store.vector_ranking import check_vectors, choose_highest, count_candidates
from foundry.store.window_codes import (
    are_sound,
    compare_windows,
    pack_windows,
    unpack_each,
    unpack_windows,
)

SHOWN = 10
"""Hits that are compared where the index is measured: what a search shows."""

_NEW, _OLD = " (new)", " (old)"
"""Added to the name of a model: an index that is being built, and one that it replaced."""


def make_slug(model: str, dimension: int) -> str:
    """A model's name as part of an SQL identifier, unique to the model and the dimension.

    PostgreSQL's tables are shared by projects, and the names of their parts keep 40 characters:
    ``vec_chunks_`` and all of this.
    """
    readable = re.sub(r"[^a-z0-9]+", "_", model.lower()).strip("_")[:20]
    return f"{readable}_{hashlib.sha256(f'{model} {dimension}'.encode()).hexdigest()[:8]}"


def list_indexes(db: Transaction) -> list[VectorIndex]:
    """Every index, those of rebuilds included."""
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
        raise IndexMissing("store-no-embeddings", where=model, model=model)
    return index


def open_index(db: Transaction, model: str, dimension: int, fingerprint: str) -> None:
    """Create the model's table if missing; an empty one may change its fingerprint."""
    index = find_index(db, model)
    if index and (index.dimension, index.fingerprint) == (dimension, fingerprint):
        return
    if index and db.value("count_vectors", vectors=index.table):
        raise IndexMissing("store-embeddings-differ", where=model, model=model)
    _drop(db, index)
    _make(db, model, dimension, fingerprint)


def _make(db: Transaction, name: str, dimension: int, fingerprint: str) -> None:
    """Add an empty index under a key that none has: a rebuild's is that of neither of the others."""
    taken = {index.model for index in list_indexes(db)}
    model = name.removesuffix(_NEW)
    keys = chain([model], (f"{model} {number}" for number in count(2)))
    key = next(key for key in keys if key not in taken)
    made = VectorIndex(name, key, make_slug(key, dimension), dimension, fingerprint)
    db.run("drop_vectors", vectors=made.table)
    db.run("make_vectors", vectors=made.table)
    now = format_now()
    db.run("add_index", (name, key, made.slug, dimension, fingerprint, now))


def drop_index(db: Transaction, model: str) -> None:
    """Remove a model's vectors and its registry entry, if any, and those of a rebuild."""
    for name in (model, model + _NEW, model + _OLD):
        _drop(db, find_index(db, name))


def _drop(db: Transaction, index: VectorIndex | None) -> None:
    if index:
        db.run("drop_vectors", vectors=index.table)
        db.run("delete_index", (index.model,))


# Rebuilds


def is_used(index: VectorIndex) -> bool:
    """Whether searches use it: it neither is being built nor was replaced."""
    return not index.name.endswith((_NEW, _OLD))


def open_rebuild(db: Transaction, model: str, dimension: int, fingerprint: str) -> str:
    """The name of an index beside the model's; an interrupted one like it is resumed."""
    drop_replaced(db, model)
    name = model + _NEW
    index = find_index(db, name)
    if index is None or (index.dimension, index.fingerprint) != (dimension, fingerprint):
        _drop(db, index)
        _make(db, name, dimension, fingerprint)
    return name


def swap_indexes(db: Transaction, model: str, *, anyway: bool) -> bool:
    """Have searches use the rebuilt index; False if the one in use has vectors that it lacks.

    The earlier index is kept as replaced: searches that began with it may still read it.
    """
    made, used = get_index(db, model + _NEW), find_index(db, model)
    if used:
        lacking = db.value("has_lacking", vectors=made.table, old=used.table)
        if lacking and not anyway:
            return False
        db.run("name_index", (model + _OLD, used.model))
    db.run("name_index", (model, made.model))
    return True


def drop_replaced(db: Transaction, model: str) -> None:
    """Remove the index that a rebuild replaced."""
    _drop(db, find_index(db, model + _OLD))


def sort_vectors(database: Database) -> Message | None:
    """Sort the vectors of large indexes into lists, outside a transaction: it can take minutes.

    Returns a sentence if it was in vain, because others wrote meanwhile.
    """
    note = None
    with database.reading() as db:
        names = [index.name for index in list_indexes(db)]
    for name in names:
        with database.reading() as db:
            index = find_index(db, name)
            found = vector_blocks.read_unsorted(db, index) if index else None
        if found:
            made = found.sort()
            with database.writing() as db:
                if not made.write(db, find_index(db, name)):
                    note = Message("index-not-sorted", model=name)
    return note


class VectorVerbs(TextVerbs):
    """The verbs of a ``relational.Database`` that searches of vectors need."""

    @abstractmethod
    def open_vectors(
        self, db: Transaction, index: VectorIndex
    ) -> tuple[vectors.VectorCache, VectorIndex]:
        """Return what a process keeps, and the index as it is in the transaction."""

    def find_nearest(
        self,
        db: Transaction,
        index: VectorIndex,
        query: Vectors,
        count: int,
        *,
        filters: Filters,
        level: int,
        exact: bool,
    ) -> Integers:
        allowed = None
        if filters != Filters() or level != HIGHEST:
            state = self.read_texts(db)
            among = state.find_allowed(db, filters, level)
            allowed = None if among is None else state.rows[among]
        cache, index = self.open_vectors(db, index)
        search = vectors.NearestSearch(db, cache, index, query, count, allowed)
        return search.find_rows(exact=exact)

    def count_vectors(self, db: Transaction, index: VectorIndex, /) -> int:
        cache, index = self.open_vectors(db, index)
        return cache.read_heads(db, index).count()


FindNearest = Callable[..., Integers]
"""``Database.find_nearest``, or that of a search engine."""


def search(
    find_nearest: FindNearest,
    db: Transaction,
    model: str,
    vector: Vectors,
    limit: int,
    *,
    filters: Filters,
    level: int,
) -> list[RetrieverHit]:
    """The visible chunks with the nearest windows, by cosine (at most 1)."""
    index = get_index(db, model)
    query = np.ascontiguousarray(vector, dtype=np.float32)
    check_vectors([query[None]], index.dimension, model)
    rows = find_nearest(db, index, query, count_candidates(limit), filters=filters, level=level)
    if limit < 1 or not len(rows):
        return []
    values = {"rows": encode_json(rows.tolist()), "model": index.model}
    found = db.run("candidates", values).fetchall()
    with _noticing_damage(index.name):
        cosines = compare_windows([codes for _, codes in found], query)
    scores = {found[at][0]: float(cosines[at]) for at in choose_highest(cosines, limit)}
    named = db.run("chunk_languages", (encode_json([*scores]),)).fetchall()
    ranked = sorted((-scores[row], chunk, language) for row, chunk, language in named)
    return [
        RetrieverHit(chunk, rank, -score, language)
        for rank, (score, chunk, language) in enumerate(ranked[:limit], 1)
    ]


def measure_overlap(
    db: Transaction, model: str, samples: int, search_by: FindNearest, exact: FindNearest
) -> tuple[int, int]:
    """Count the ten nearest to each of some stored windows: those that a search finds, and all."""
    index = get_index(db, model)
    last = db.value("last_window", (index.model,)) or 0
    values = [{"model": index.model, "first": place * last // samples} for place in range(samples)]
    found_windows = [db.value("sample_windows", value) for value in values]
    with _noticing_damage(index.name):
        queries = [unpack_windows(data or b"", index.dimension)[0] for data in found_windows]

    def find(way: FindNearest, query: Vectors) -> set[str]:
        hits = search(way, db, model, query, SHOWN, filters=Filters(), level=HIGHEST)
        return {hit.chunk_id for hit in hits}

    # The first search of a process compares all of an index, the second keeps it.
    find(search_by, queries[0])
    nearest = [find(exact, query) for query in queries]
    found = [find(search_by, query) & own for query, own in zip(queries, nearest, strict=True)]
    return sum(map(len, found)), sum(map(len, nearest))


def read_windows(
    db: Transaction, model: str, chunk_ids: Sequence[str], level: int
) -> dict[str, Vectors]:
    """Chunk id → the vectors of its windows, for the chunks up to ``level`` that have them."""
    ids = encode_json(list(dict.fromkeys(chunk_ids)))
    found = db.run("chunk_windows", {"ids": ids, "model": model, "level": level}).fetchall()
    with _noticing_damage(model):
        windows = unpack_each([data for _, data, _ in found], found[0][2] if found else 0)
    return {str(chunk): own for (chunk, *_), own in zip(found, windows, strict=True)}


def read_vectors(db: Transaction, model: str, chunk_ids: Sequence[str]) -> dict[str, ChunkVectors]:
    """Chunk id → vectors, for the chunks that have them."""
    index = find_index(db, model)
    if index is None:
        return {}
    values = {"ids": encode_json(list(dict.fromkeys(chunk_ids))), "model": index.model}
    found = db.run("chunk_vectors", values).fetchall()
    wholes = dict(vector_blocks.read(db, index, [row for _, row, _ in found]))
    with _noticing_damage(index.name):
        return {
            str(chunk): ChunkVectors(
                np.frombuffer(wholes[row], dtype=np.float32),
                unpack_windows(windows, index.dimension),
                windows,
            )
            for chunk, row, windows in found
            if row in wholes
        }


def count_damaged_windows(db: Transaction, index: VectorIndex) -> int:
    """Return how many chunks have windows that cannot be read, or are not those written."""
    damaged, last = 0, 0
    while found := db.run("some_windows", (index.model, last)).fetchall():
        damaged += sum(not are_sound(codes, index.dimension) for _, codes in found)
        last = found[-1][0]
    return damaged


@contextmanager
def _noticing_damage(model: str) -> Iterator[None]:
    """Turn errors from windows that cannot be read into ``StoreCorrupt``."""
    try:
        yield
    except (ValueError, IndexError) as error:
        cause = f"windows: {error}"
        raise StoreCorrupt("store-vectors-damaged", model=model, cause=cause) from error


def save_vectors(db: Transaction, model: str, rows: Sequence[tuple[Chunk, ChunkVectors]]) -> int:
    """Save the vectors of chunks whose embedded text is unchanged; returns how many."""
    index = get_index(db, model)
    asked = encode_json([chunk.id for chunk, _ in rows])
    known = {chunk: (rowid, hashed) for chunk, rowid, hashed in db.run("embedded_chunks", (asked,))}
    wholes = check_vectors([one.whole[None] for _, one in rows], index.dimension, model)
    unpacked = [one.windows for _, one in rows if not one.packed]
    made = iter(pack_windows(unpacked, index.dimension, model))
    ready: dict[int, bytes] = {}
    for (chunk, one), whole in zip(rows, wholes, strict=True):
        packed = one.packed or next(made)
        rowid, hashed = known.get(chunk.id, (0, None))
        if hashed == short_hash(chunk.embedded_text):
            ready[rowid] = whole.tobytes() + packed
    _delete(db, index, list(ready))
    add_vectors(db, index, ready.items())
    return len(ready)


# Reuse of vectors whose row goes


def find_reusable(db: Transaction, index: VectorIndex, hashes: Iterable[str]) -> dict[str, bytes]:
    """Hash of embedded text → packed vectors, from other chunks or from this run's spares."""
    wanted = encode_json(sorted(set(hashes)))
    reusable: dict[str, Any] = dict(db.run("find_spares", (index.model, wanted)))
    donors = set(db.run("find_donors", (wanted,), vectors=index.table))
    packed = _read(db, index, [row for _, row in donors])
    # In PostgreSQL each statement sees what others committed: a donor may have another text since.
    if donors:
        donors.intersection_update(db.run("find_donors", (wanted,), vectors=index.table))
    return reusable | {str(hashed): packed[row] for hashed, row in donors if row in packed}


def remove_vectors(
    db: Transaction, rows: Iterable[tuple[int, str]], *, moved: int | None = None
) -> None:
    """Remove vectors by (row number, embedded hash); an open ingest run keeps them as spares.

    Those of the source ``moved`` follow its level.
    """
    # In one order, spares before blocks: another writer may keep the same, and change the same blocks.
    rows, indexes = sorted(rows, key=lambda row: row[1]), list_indexes(db)
    if db.value("open_runs"):
        for index in indexes:
            packed = _read(db, index, [row for row, _ in rows])
            spares = ((index.model, hashed, packed[row]) for row, hashed in rows if row in packed)
            db.run_many("keep_spare", spares)
    if moved is not None:
        move_vectors(db, moved)
    for index in indexes:
        _delete(db, index, [row for row, _ in rows])


def add_vectors(db: Transaction, index: VectorIndex, rows: Iterable[tuple[int, bytes]]) -> None:
    """Add (row number, packed vectors) for chunks without vectors.

    Packed is the chunk's vector followed by its windows, as ``_read`` returns it.
    """
    end = 4 * index.dimension
    rows = list(rows)
    vector_blocks.add(db, index, [(row, packed[:end]) for row, packed in rows])
    db.run_many("put_windows", ((index.model, row, packed[end:]) for row, packed in rows))


def move_vectors(db: Transaction, source: int) -> None:
    """Have the vectors of a source follow its level; a transaction does so before it removes any."""
    for index in list_indexes(db):
        vector_blocks.move(db, index, source)


def _delete(db: Transaction, index: VectorIndex, rows: Sequence[int]) -> None:
    vector_blocks.delete(db, index, rows)
    db.run_many("delete_windows", ((index.model, row) for row in rows))


def _read(db: Transaction, index: VectorIndex, rows: Sequence[int]) -> dict[int, bytes]:
    """Row number → packed vectors, of the rows that have all."""
    wholes = vector_blocks.read(db, index, rows)
    found = ((row, whole, db.value("read_windows", (index.model, row))) for row, whole in wholes)
    return {row: whole + windows for row, whole, windows in found if windows is not None}
