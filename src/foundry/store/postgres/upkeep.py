"""Merges segments of PostgreSQL's text index, and removes sources from those of their former level.

Many processes write at once, each a segment for its source. Merging replaces segments of others, so it
is a separate transaction that runs alone. A writer that finds it due does it after its own write.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from foundry.store.relational.database import Transaction
from foundry.store.relational.segments import (
    MOST_CHUNKS,
    MOST_SMALL,
    merge_segments,
    read_rows,
    tidy,
)


def list_crowded(db: Transaction) -> list[int]:
    """Return the levels whose segments should be merged, or that sources have left."""
    return [level for (level,) in db.run("crowded_levels", (MOST_SMALL, MOST_CHUNKS))]


def tidy_crowded(db: Transaction) -> None:
    """Merge what is due; nobody else may write meanwhile."""
    merged = False
    while levels := list_crowded(db):
        for level in levels:
            for number, volume in _list_left(db, level):
                merge_segments(db, [number], volume, level)
            tidy(db, level)
        merged = True
    if merged:
        db.run("note_segments")


def _list_left(db: Transaction, level: int) -> Iterator[tuple[int, int | None]]:
    """Reindex the sources that left a level; yield the segments that they left, with volumes."""
    sources = [source for (source,) in db.run("moved_sources", (level,))]
    if not sources:
        return
    gone = [row for source in sources for (row,) in db.run("rows_of_source", (source,))]
    found = db.run("segments_of_level", (level,)).fetchall()
    for source in sources:
        db.add_postings(source)
    db.run("forget_moved", (level,))
    for number, chunks, volume in found:
        if np.isin(read_rows(chunks), gone).any():
            yield number, volume
