"""What the indexes of SQLite are, and whether they are sound.

Vectors are counted in the row list of sqlite-vec (``{table}_rowids``), because counting through the
virtual table would read every vector.
"""

from __future__ import annotations

from collections.abc import Iterator

import apsw
import sqlite_vec

from foundry.messages import Message
from foundry.records import SearchWays, StoreProblem
from foundry.store.relational.database import Transaction, VectorIndex
from foundry.store.sqlite.vectors import LARGE
from foundry.store.vector_codes import count_compared
from foundry.store.vector_ranking import CANDIDATES


def describe_ways(chunks: int) -> SearchWays:
    """How a search among so many chunks finds words and vectors, with versions."""
    text = Message("index-words-segments", version=apsw.sqlite_lib_version())
    named = {"name": "sqlite-vec", "version": sqlite_vec.__version__}
    if chunks < LARGE:
        return SearchWays(text, Message("index-vectors-compared", **named))
    return SearchWays(
        text, Message("index-vectors-codes", n=count_compared(chunks, CANDIDATES), **named)
    )


def check_file(db: Transaction) -> Iterator[StoreProblem]:
    """What SQLite itself finds wrong with the file."""
    for (line,) in db.run("check_file"):
        if line != "ok":
            yield StoreProblem(Message("store-database-damaged", cause=str(line)))


def count_searchable(db: Transaction, index: VectorIndex) -> int:
    """How many vectors a search can reach: none of a block of another size."""
    return sum(
        int.from_bytes(bits or b"").bit_count()
        for _, rows, bits, size in db.run("vector_slots", vectors=index.table)
        if size == len(rows) // 8 * index.dimension
    )
