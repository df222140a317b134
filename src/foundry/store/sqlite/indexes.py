"""What the indexes of SQLite are, and whether the file is sound."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from foundry.messages import Message
from foundry.records import SearchWays, StoreProblem
from foundry.store.relational.database import Transaction
from foundry.store.relational.vectors import describe_vectors


def describe_ways(chunks: int) -> SearchWays:
    """How a search among so many chunks finds words and vectors, with versions."""
    text = Message("index-words-segments", version=apsw.sqlite_lib_version())
    return SearchWays(text, describe_vectors(chunks))


def check_file(db: Transaction) -> Iterator[StoreProblem]:
    """What SQLite itself finds wrong with the file."""
    for (line,) in db.run("check_file"):
        if line != "ok":
            yield StoreProblem(Message("store-database-damaged", cause=str(line)))
