"""Conversions by migrations that SQL cannot do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from foundry.store.postgres.upkeep import tidy_crowded
from foundry.store.relational import vector_blocks
from foundry.store.relational.database import Transaction
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
        chunk = 0
        while db.value("has_old_vectors", vectors=index.table):
            found = db.run("old_vectors", (chunk,), vectors=index.table).fetchall()
            if not found:
                break
            packed = ((row, np.array(one, dtype=np.float32).tobytes()) for row, one in found)
            vector_blocks.add(db, index, packed)
            chunk = found[-1][0]
        made = vector_blocks.sort(db, index)
        if made:
            made.write(db, index)


CONVERSIONS: Mapping[str, Callable[[Transaction], None]] = {
    "small_windows": partial(change_windows, column="numbers", change=shrink),
    "window_codes": partial(change_windows, column="codes", change=repack_windows),
    "segments": write_segments,
    "vector_blocks": write_blocks,
}
"""Migration → the function that converts each project."""
