"""What earlier versions indexed with FTS5 and sqlite-vec, in the tables of today: nothing is analysed or embedded again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import apsw
import numpy as np

from foundry.store.relational import vector_blocks
from foundry.store.relational.database import Transaction, VectorIndex
from foundry.store.relational.segments import (
    MOST_CHUNKS,
    IndexSegment,
    choose_volume,
    pack_postings,
    write,
)
from foundry.store.relational.vector_index import get_index, list_indexes
from foundry.store.text_ranking import WEIGHTS, Integers

_AT_ONCE = 16 * MOST_CHUNKS
"""Chunks whose terms are in memory at once, in about a gigabyte: FTS5 is read once for each batch."""


def convert_text_index(_connection: apsw.Connection, db: Transaction) -> None:
    """Write segments with what FTS5 has, and remove its tables."""
    found = np.array(db.run("fts_chunks").fetchall(), dtype=np.int64).reshape(-1, 2)
    for first in range(0, len(found), _AT_ONCE):
        rows, lengths = found[first : first + _AT_ONCE].T
        for segment in _convert(db, rows, lengths):
            number = int(db.value("newest_segment")) + 1
            full = len(segment.rows) == MOST_CHUNKS
            write(db, segment, volume=choose_volume(db, number) if full else None)
    db.run("drop_fts")


def _convert(db: Transaction, rows: Integers, lengths: Integers) -> Iterator[IndexSegment]:
    names, parts = [], []
    for term, numbers in db.run("fts_occurrences", (int(rows[0]), int(rows[-1]))):
        if numbers:
            names.append(term)
            found = np.fromstring(numbers, dtype=np.int64, sep=",")
            parts.append((found - 4 * rows[0]).astype(np.int32))
    sizes = [len(part) for part in parts]
    owners: Integers = np.repeat(np.arange(len(parts), dtype=np.int32), sizes)
    codes = np.concatenate([*parts, np.zeros(0, dtype=np.int32)])
    places = np.searchsorted(rows - rows[0], codes >> 2).astype(np.int32)
    fields = (codes & 3).astype(np.int8)
    # Occurrences of a term come by chunk: those of one are a run.
    starts = np.flatnonzero(np.diff(owners, prepend=-1) | np.diff(places, prepend=-1))
    owners, places = owners[starts], places[starts]
    weights = np.add.reduceat(WEIGHTS[fields], starts) if len(starts) else np.zeros(0)
    titled = np.minimum.reduceat(fields, starts) == 0 if len(starts) else places < 0
    for first in range(0, len(rows), MOST_CHUNKS):
        end = first + MOST_CHUNKS
        among = (places >= first) & (places < end)
        made = pack_postings(
            names, owners[among], places[among] - first, weights[among], titled[among]
        )
        yield IndexSegment(rows[first:end], lengths[first:end], made)


# Vectors


class OldTable:
    """A table of sqlite-vec that can only be dropped."""

    def Disconnect(self) -> None:  # noqa: N802 - apsw's name
        """Nothing is open."""

    Destroy = Disconnect


class OldModule:
    """Stands for sqlite-vec, which is no longer there."""

    def Connect(self, *_arguments: object) -> tuple[str, OldTable]:  # noqa: N802
        """A table whose columns nobody asks for."""
        return "CREATE TABLE old (embedding)", OldTable()

    Create = Connect


def convert_vectors(connection: apsw.Connection, db: Transaction) -> None:
    """Write blocks with what sqlite-vec has, and remove its tables."""
    module: Any = OldModule()
    connection.create_module("vec0", module)
    for index in list_indexes(db):
        sql = str(db.value("find_table", (index.table,)))
        if "vec0" in sql:
            connection.execute(f"DROP TABLE {index.table}")
            db.run("make_vectors", vectors=index.table)
            for rows in _read_old(db, index, np.float32 if "float[" in sql else np.int8):
                vector_blocks.add(db, index, rows)
            db.run("drop_old_vectors", vectors=index.table)
            _sort(db, index.name)
    for (table,) in db.run("old_vector_tables").fetchall():
        connection.execute(f"DROP TABLE {table}")
        db.run("drop_old_vectors", vectors=table)


def index_heads(_connection: apsw.Connection, db: Transaction) -> None:
    """Add the index from which a process reads the heads of blocks."""
    for index in list_indexes(db):
        db.run("make_heads", vectors=index.table)


def drop_codes(_connection: apsw.Connection, db: Transaction) -> None:
    """Remove the codes of lists."""
    for index in list_indexes(db):
        if db.value("has_codes", vectors=index.table):
            vector_blocks.seal_without_codes(db, index)
            db.run("drop_codes", vectors=index.table)


def _sort(db: Transaction, name: str) -> None:
    index = get_index(db, name)
    found = vector_blocks.read_unsorted(db, index)
    if found:
        found.sort().write(db, index)


def _read_old(
    db: Transaction, index: VectorIndex, kind: type[np.generic]
) -> Iterator[list[tuple[int, bytes]]]:
    """Row numbers and vectors in single precision, a block of sqlite-vec at a time."""
    for rows, used, numbers in db.run("old_vectors", vectors=index.table):
        known = np.frombuffer(numbers, dtype=kind).reshape(-1, index.dimension)
        bits = np.unpackbits(np.frombuffer(used, dtype=np.uint8), bitorder="little")
        wanted = (bits[: len(known)] == 1) & known.any(axis=1)
        own = np.frombuffer(rows, dtype="<i8")[wanted].tolist()
        found = zip(own, known[wanted].astype(np.float32), strict=True)
        yield [(row, vector.tobytes()) for row, vector in found]


Convert = Callable[[apsw.Connection, Transaction], None]

CONVERSIONS: Mapping[str, Convert] = {
    "postings": convert_text_index,
    "vector_blocks": convert_vectors,
    "vector_heads": index_heads,
    "plain_blocks": drop_codes,
}
"""What a migration does besides its SQL, by its name."""
