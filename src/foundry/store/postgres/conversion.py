"""Conversions by migrations that SQL cannot do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from foundry.store.postgres.upkeep import tidy_crowded
from foundry.store.relational import vector_blocks
from foundry.store.relational.database import Transaction, VectorIndex
from foundry.store.relational.vector_index import list_indexes
from foundry.store.vector_ranking import shrink
from foundry.store.window_codes import repack_windows


def change_windows(db: Transaction, column: str, change: Callable[[bytes, int], bytes]) -> None:
    """Repack a project's windows, a thousand chunks at a time."""
    model, chunk = "", 0
    while found := db.run("large_windows", (model, chunk), column=column).fetchall():
        packed = ((name, row, change(data, dimension)) for name, row, data, dimension in found)
        db.run_many("change_windows", packed, column=column)
        model, chunk, *_ = found[-1]


def write_segments(db: Transaction) -> None:
    """Index the terms of a project's chunks."""
    for source in db.rows("source_keys"):
        db.add_postings(source["rowid"])
        tidy_crowded(db)


def write_blocks(db: Transaction) -> None:
    """Write blocks with a project's vectors in the tables of pgvector."""
    for index in list_indexes(db):
        db.run("make_vectors", vectors=index.table)
        for rows in _read_old(db, index):
            vector_blocks.add(db, index, rows)
        found = vector_blocks.read_unsorted(db, index)
        if found:
            found.sort().write(db, index)


def _read_old(db: Transaction, index: VectorIndex) -> Iterator[list[tuple[int, bytes]]]:
    """Yield row numbers and vectors in single precision, a thousand at a time."""
    last = 0
    if db.value("has_old_vectors", vectors=index.table):
        while found := db.run("old_vectors", (last,), vectors=index.table).fetchall():
            # A vector of length 0 is near nothing; its chunk is embedded again.
            yield [
                (row, np.array(one, dtype=np.float32).tobytes()) for row, one in found if any(one)
            ]
            last = found[-1][0]


def seal_blocks(db: Transaction) -> None:
    """Give a project's lists a checksum without their codes."""
    for index in list_indexes(db):
        vector_blocks.seal_without_codes(db, index)


CONVERSIONS: Mapping[str, Callable[[Transaction], None]] = {
    "small_windows": partial(change_windows, column="numbers", change=shrink),
    "window_codes": partial(change_windows, column="codes", change=repack_windows),
    "segments": write_segments,
    "vector_blocks": write_blocks,
    "plain_blocks": seal_blocks,
}
"""Migration → the function that converts each project."""
