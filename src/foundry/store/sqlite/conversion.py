"""The text index of databases before segments, which was FTS5's, as segments: nothing is analysed again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from foundry.store.relational.database import Transaction
from foundry.store.relational.segments import (
    MOST_CHUNKS,
    IndexSegment,
    choose_volume,
    pack_postings,
    write,
)
from foundry.store.text_ranking import WEIGHTS, Integers

_AT_ONCE = 16 * MOST_CHUNKS
"""Chunks whose terms are in memory at once, in about a gigabyte: FTS5 is read once for each batch."""


def convert_text_index(db: Transaction) -> None:
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
