"""What the indexes of SQLite are, and whether the file is sound."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from foundry.messages import Message
from foundry.records import SearchWays, StoreProblem
from foundry.store.relational.database import Transaction
from foundry.store.relational.vectors import describe_vectors

_SHOWN = 3
"""Findings of SQLite that are shown: a lost page can make hundreds, all with the same repair."""

_NO_PROBLEM = ("ok", "*** in database main ***")


def describe_ways(chunks: int) -> SearchWays:
    """How a search among so many chunks finds words and vectors, with versions."""
    text = Message("index-words-segments", version=apsw.sqlite_lib_version())
    return SearchWays(text, describe_vectors(chunks))


def check_file(db: Transaction) -> Iterator[StoreProblem]:
    """What SQLite itself finds wrong with the file: the first of it, and how much more there is."""
    found: list[str] = []
    try:
        for (text,) in db.run("check_file"):
            found += (line for line in str(text).splitlines() if line not in _NO_PROBLEM)
    except apsw.Error as error:
        found.append(str(error))
    if found:
        first, more = "; ".join(found[:_SHOWN]), len(found) - _SHOWN
        cause = Message("store-damage-more", cause=first, n=more) if more > 0 else first
        yield StoreProblem(Message("store-database-damaged", cause=cause))
