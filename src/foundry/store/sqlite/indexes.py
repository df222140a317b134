"""Which vectors are near, in SQLite.

Every vector is compared, a block of sqlite-vec's table at a time. Vectors are counted in its own
row list (``{table}_rowids``), because counting through the virtual table would read every vector.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import apsw
import numpy as np
import numpy.typing as npt
import sqlite_vec

from foundry.messages import Message
from foundry.ports import Vectors
from foundry.records import SearchWays, StoreProblem
from foundry.store.relational.database import Transaction, VectorIndex
from foundry.store.text_ranking import Integers
from foundry.store.vector_ranking import choose_nearest, multiply

CACHED_BYTES = 256 << 20
"""Most memory for whole vectors that a process keeps: 170,000 chunks of the built-in model.

Larger indexes are read from disk for every search, in about four times the time.
"""


@dataclass(frozen=True, slots=True)
class VectorBlock:
    """A block of sqlite-vec: row numbers, whether each is in use, and vectors as rows."""

    rows: Integers
    used: npt.NDArray[np.bool_]
    vectors: Vectors


class VectorCache:
    """Keeps an index's blocks in memory from its second search on, up to ``most_bytes``.

    One search does not pay for it, and a process that searches again saves reading them. They
    are the blocks that a search reads, so that results are the same to the last bit.
    """

    def __init__(self, most_bytes: int = CACHED_BYTES) -> None:
        self._most_bytes = most_bytes
        self._seen: VectorIndex | None = None
        self._kept: tuple[VectorIndex, list[VectorBlock]] | None = None

    def read(self, db: Transaction, index: VectorIndex) -> Iterator[VectorBlock]:
        """The blocks of the index as the transaction sees them."""
        kept = self._kept
        if kept and kept[0] == index:
            yield from kept[1]
        elif self._seen == index:
            yield from self._keep(index, _read_blocks(db, index))
        else:
            self._seen, self._kept = index, None
            yield from _read_blocks(db, index)

    def _keep(self, index: VectorIndex, blocks: Iterator[VectorBlock]) -> Iterator[VectorBlock]:
        kept: list[VectorBlock] = []
        size = 0
        for block in blocks:
            size += block.vectors.nbytes
            if size <= self._most_bytes:
                kept.append(block)
            yield block
        if size <= self._most_bytes:
            self._kept = (index, kept)


def _read_blocks(db: Transaction, index: VectorIndex) -> Iterator[VectorBlock]:
    for rows, used, vectors in db.run("vector_blocks", vectors=index.table):
        yield VectorBlock(
            np.frombuffer(rows, dtype=np.int64),
            np.unpackbits(np.frombuffer(used, dtype=np.uint8), bitorder="little").astype(np.bool_),
            np.frombuffer(vectors, dtype=np.float32).reshape(-1, index.dimension),
        )


def find_nearest(
    db: Transaction,
    index: VectorIndex,
    query: Vectors,
    count: int,
    *,
    allowed: Integers | None,
    cache: VectorCache,
) -> Integers:
    """The row numbers of the nearest chunks among those allowed (None: all), ascending."""
    rows, cosines = [], []
    for block in cache.read(db, index):
        rows.append(block.rows)
        cosines.append(np.where(block.used, multiply(block.vectors, query), -np.inf))
    if not rows:
        return np.zeros(0, dtype=np.int64)
    numbers, near = np.concatenate(rows), np.concatenate(cosines)
    if allowed is not None:
        near[~np.isin(numbers, allowed)] = -np.inf
    return np.sort(numbers[choose_nearest(near, count)])


def describe_ways() -> SearchWays:
    """How a search finds words and vectors, with versions."""
    text = Message("index-words-segments", version=apsw.sqlite_lib_version())
    version = sqlite_vec.__version__
    return SearchWays(text, Message("index-vectors-compared", name="sqlite-vec", version=version))


# Checks


def check_file(db: Transaction) -> Iterator[StoreProblem]:
    """What SQLite itself finds wrong with the file."""
    for (line,) in db.run("check_file"):
        if line != "ok":
            yield StoreProblem(Message("store-database-damaged", cause=str(line)))


def count_searchable(db: Transaction, index: VectorIndex) -> int:
    """How many vectors a search can reach."""
    slots = db.run("vector_slots", vectors=index.table)
    return sum(int.from_bytes(bits).bit_count() for (bits,) in slots if bits)
