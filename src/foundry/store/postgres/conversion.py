"""What migrations change that SQL cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from foundry.store.postgres.upkeep import tidy_crowded
from foundry.store.relational.database import Transaction
from foundry.store.vector_ranking import shrink


def shrink_windows(db: Transaction) -> None:
    """Give a project's windows 8 bits a number instead of 16, a thousand chunks at once."""
    model, chunk = "", 0
    while found := db.run("large_windows", (model, chunk)).fetchall():
        db.run_many("put_windows", _shrink(found))
        model, chunk, *_ = found[-1]


def _shrink(rows: list[Any]) -> Iterator[tuple[str, int, bytes]]:
    for model, chunk, numbers, dimension in rows:
        yield model, chunk, shrink(numbers, dimension)


def write_segments(db: Transaction) -> None:
    """Index the terms of a project's chunks."""
    for source in db.rows("source_keys"):
        db.add_postings(source["rowid"])
        tidy_crowded(db)


CONVERSIONS: Mapping[str, Callable[[Transaction], None]] = {
    "small_windows": shrink_windows,
    "segments": write_segments,
}
"""Migration → what it changes in each project."""
