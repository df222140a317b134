"""Writing the whole vectors of an index: in blocks (``relational.vectors``) that are sorted into lists.

In PostgreSQL many transactions write at once. Who adds vectors takes a block that nobody else is
writing, or a new one; who removes some waits for who changes their blocks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from foundry.errors import StoreCorrupt
from foundry.store.relational import vectors
from foundry.store.relational.database import Transaction, VectorIndex
from foundry.store.relational.vectors import (
    ROW,
    VectorBlock,
    find_middle,
    parse_block,
    read_stored,
    scale,
    seal,
)
from foundry.store.rows import encode_json
from foundry.store.text_ranking import Integers
from foundry.store.vector_lists import LIST, sort_vectors
from foundry.store.vector_ranking import Small, pack_small

SHARE_UNSORTED = 8
"""All vectors are sorted again when more than one in so many is in no list."""

_AT_ONCE = 64
"""Blocks that are in memory together while their vectors are read or changed."""

_MOVED_AT_ONCE = 32
"""Numbers of each vector that are moved together when all are sorted, to copy few at a time."""


def add(db: Transaction, index: VectorIndex, rows: Iterable[tuple[int, bytes]]) -> None:
    """Add vectors in single precision by row number to an open block of their level, and to new ones."""
    found = dict(rows)
    asked = encode_json(sorted(found))
    for level, numbers in db.run("rows_by_level", (asked,)).fetchall() if found else ():
        own = np.sort(np.array(json.loads(numbers), dtype=ROW))
        packed = b"".join(found[row] for row in own.tolist())
        whole = np.frombuffer(packed, dtype=np.float32).reshape(len(own), -1)
        small = np.frombuffer(pack_small(whole), dtype=np.int8).reshape(whole.shape)
        _fill(db, index, level, VectorBlock(own, small, None))


def _fill(db: Transaction, index: VectorIndex, level: int, added: VectorBlock) -> None:
    """Add vectors to a block of that level which is not full, if there is one, and to new blocks."""
    values = {"level": level, "bytes": LIST * ROW.itemsize}
    stored = db.run("open_block", values, vectors=index.table).fetchone()
    first = 0
    if stored:
        held = parse_block(index, stored)
        first = min(LIST - len(held.rows), len(added.rows))
        parts = held.rows, added.rows[:first]
        numbers = held.numbers, added.numbers[:first]
        grown = VectorBlock(np.concatenate(parts), np.concatenate(numbers), None)
        _change(db, index, [(stored[0], grown)])
        _place(db, index, [(stored[0], added.rows[:first])])
    starts = range(first, len(added.rows), LIST)
    spans = (slice(start, start + LIST) for start in starts)
    _insert(
        db,
        index,
        level,
        [VectorBlock(added.rows[at], added.numbers[at], None) for at in spans],
    )


def delete(db: Transaction, index: VectorIndex, rows: Iterable[int]) -> None:
    """Remove vectors by row number; rows without one are ignored."""
    gone = np.array(list(rows), dtype=np.int64)
    asked = encode_json(gone.tolist())
    for part in _cut(_list_blocks(db, index, asked)):
        kept = []
        for stored in db.run(
            "blocks_to_change", (encode_json(part),), vectors=index.table
        ).fetchall():
            block = parse_block(index, stored)
            left = ~np.isin(block.rows, gone)
            if left.any():
                kept.append((stored[0], _keep(block, left)))
            else:
                db.run("delete_vector_block", stored[:1], vectors=index.table)
        _change(db, index, kept)
    db.run("delete_vectors", (asked,), vectors=index.table)


def move(db: Transaction, index: VectorIndex, source: int) -> None:
    """Move the vectors of a source to blocks of its level, if they are in others.

    A transaction does that before it removes any: those that change the same blocks lock them in one
    order.
    """
    rows = [row for (row,) in db.run("misplaced_vectors", (source,), vectors=index.table)]
    if rows:
        found = list(read(db, index, rows))
        delete(db, index, rows)
        add(db, index, found)


def _keep(block: VectorBlock, left: npt.NDArray[np.bool_]) -> VectorBlock:
    """Return a block with some of its vectors; a list keeps its middle."""
    return VectorBlock(block.rows[left], block.numbers[left], block.kept_middle)


def _insert(db: Transaction, index: VectorIndex, level: int, blocks: Sequence[VectorBlock]) -> None:
    """Write new blocks of a level, and where their vectors are."""
    for part in _cut(blocks):
        found = db.run("new_blocks", (len(part),), vectors=index.table).fetchall()
        numbers = [number for (number,) in found]
        version = int(db.value("next_version", (index.model,)))
        packed = zip(numbers, map(_pack, part), strict=True)
        values = ((number, seal(version, *stored), level, *stored) for number, stored in packed)
        db.run_many("add_vector_block", values, vectors=index.table)
        _place(db, index, zip(numbers, (block.rows for block in part), strict=True))


def _change(db: Transaction, index: VectorIndex, blocks: Sequence[tuple[int, VectorBlock]]) -> None:
    """Write the vectors of blocks again, which keep their numbers and middles."""
    # Also if all that changed was removed: whoever keeps blocks in memory notices by the version.
    version = int(db.value("next_version", (index.model,)))
    packed = ((number, _pack(block)) for number, block in blocks)
    values = ((number, seal(version, *stored), *stored[1:]) for number, stored in packed)
    db.run_many("change_vector_block", values, vectors=index.table)


def _pack(block: VectorBlock) -> tuple[bytes | None, bytes, bytes]:
    """Return a block's middle, row numbers and numbers, as they are stored."""
    middle = None if block.kept_middle is None else block.kept_middle.tobytes()
    return middle, block.rows.tobytes(), block.numbers.tobytes()


def _place(db: Transaction, index: VectorIndex, blocks: Iterable[tuple[int, Integers]]) -> None:
    """Record which block has the vector of each row."""
    places = ((row, number) for number, rows in blocks for row in rows.tolist())
    db.run_many("place_vector", places, vectors=index.table)


def _list_blocks(db: Transaction, index: VectorIndex, rows: str) -> list[int]:
    """Return the numbers of the blocks that have some rows, given as JSON, ascending."""
    return sorted(number for (number,) in db.run("blocks_of", (rows,), vectors=index.table))


T = TypeVar("T")


def _cut(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield some at a time, so that not all blocks are in memory at once."""
    return (values[first : first + _AT_ONCE] for first in range(0, len(values), _AT_ONCE))


def read(
    db: Transaction, index: VectorIndex, rows: Iterable[int] | None = None
) -> Iterator[tuple[int, bytes]]:
    """Yield row numbers and vectors in single precision: of those ``rows`` that have one, or of all."""
    wanted = None if rows is None else np.array(list(rows), dtype=np.int64)
    if wanted is None:
        numbers = [number for number, *_ in _list_sizes(db, index)]
    else:
        numbers = _list_blocks(db, index, encode_json(wanted.tolist()))
    for part in _cut(numbers):
        for stored in read_stored(db, index, part):
            block = parse_block(index, stored)
            at = slice(None) if wanted is None else np.isin(block.rows, wanted)
            own = scale(block.numbers[at])
            yield from zip(block.rows[at].tolist(), map(np.ndarray.tobytes, own), strict=True)


# Lists


def _list_sizes(db: Transaction, index: VectorIndex) -> list[tuple[int, int, int, int, bool]]:
    """Return each block's number, version, level, size, and whether it is a list."""
    return db.run("block_sizes", vectors=index.table).fetchall()


@dataclass(frozen=True, slots=True)
class SortedVectors:
    """An index as it was read, and the lists of its vectors by level."""

    index: VectorIndex
    sizes: Sequence[tuple[int, int, int, int, bool]]
    lists: Mapping[int, Sequence[VectorBlock]]

    def write(self, db: Transaction, index: VectorIndex | None) -> bool:
        """Replace all blocks with the lists; return False if the index changed since it was read."""
        if index != self.index or _list_sizes(db, self.index) != self.sizes:
            return False
        db.run("clear_vectors", vectors=self.index.table)
        for level, blocks in self.lists.items():
            _insert(db, self.index, level, blocks)
        return True


@dataclass(frozen=True, slots=True)
class UnsortedVectors:
    """An index as it was read: row numbers and vectors by level."""

    index: VectorIndex
    sizes: Sequence[tuple[int, int, int, int, bool]]
    levels: dict[int, tuple[Integers, Small]]

    def sort(self) -> SortedVectors:
        """Return the vectors in lists, to be written in another transaction; they are here no more."""
        # Lists of a part of the vectors are wider, so that more of them are near a query: decision 64.
        length = LIST if len(self.levels) == 1 else LIST // 2
        lists = {level: _sort(*self.levels.pop(level), length) for level in sorted(self.levels)}
        return SortedVectors(self.index, self.sizes, lists)


def read_unsorted(db: Transaction, index: VectorIndex) -> UnsortedVectors | None:
    """Return all vectors of an index that is to be sorted; None if that is not due."""
    found = _list_sizes(db, index)
    count = sum(size for *_, size, _ in found)
    unsorted = sum(size for *_, size, is_list in found if not is_list)
    if count < vectors.LARGE or unsorted <= count // SHARE_UNSORTED:
        return None
    levels = {}
    for level in {level for _, _, level, *_ in found}:
        own = [(number, size) for number, _, of, size, _ in found if of == level]
        blocks = (
            parse_block(index, stored)
            for some in _cut([number for number, _ in own])
            for stored in read_stored(db, index, some)
        )
        levels[level] = _join(index, blocks, sum(size for _, size in own))
    return UnsortedVectors(index, found, levels)


def _join(index: VectorIndex, blocks: Iterable[VectorBlock], number: int) -> tuple[Integers, Small]:
    """Return the ``number`` vectors of some blocks, which need not be in memory at once."""
    rows = np.empty(number, dtype=ROW)
    numbers = np.empty((number, index.dimension), dtype=np.int8)
    first = 0
    for block in blocks:
        part = slice(first, first + len(block.rows))
        rows[part], numbers[part] = block.rows, block.numbers
        first = part.stop
    return rows, numbers


def _sort(rows: Integers, numbers: Small, length: int) -> list[VectorBlock]:
    """Return vectors in lists, with all numbers in memory once: they are moved in place."""
    lists = sort_vectors(lambda places: scale(numbers[places]), len(rows), length)
    order = np.concatenate(lists)
    rows = rows[order]
    for some in range(0, numbers.shape[1], _MOVED_AT_ONCE):
        numbers[:, some : some + _MOVED_AT_ONCE] = numbers[order, some : some + _MOVED_AT_ONCE]
    ends = np.cumsum([len(own) for own in lists])
    parts = (slice(end - len(own), end) for own, end in zip(lists, ends, strict=True))
    return [_make_list(rows[part], numbers[part]) for part in parts]


def _make_list(rows: Integers, numbers: Small) -> VectorBlock:
    return VectorBlock(rows, numbers, find_middle(scale(numbers)))


def count_sound(db: Transaction, index: VectorIndex) -> int:
    """Return how many vectors a search can find: those in sound blocks and on record there."""
    known = dict(db.run("places", vectors=index.table).fetchall())
    sound = 0
    for part in _cut(sorted({*known.values()})):
        for stored in read_stored(db, index, part):
            with suppress(StoreCorrupt):
                rows = parse_block(index, stored).rows.tolist()
                sound += sum(known.get(row) == stored[0] for row in rows)
    return sound


def seal_without_codes(db: Transaction, index: VectorIndex) -> None:
    """Give lists a checksum without the codes that earlier versions stored with them.

    A damaged list keeps its own, which does not fit.
    """
    last = 0
    while found := db.run("coded_blocks", (last,), vectors=index.table).fetchall():
        sealed = [
            (number, seal(version >> 32, middle, chunks, numbers))
            for number, version, middle, chunks, codes, numbers in found
            # What an early version wrote has none.
            if version >> 32 and version == seal(version >> 32, middle, chunks, codes, numbers)
        ]
        db.run_many("seal_block", sealed, vectors=index.table)
        last = found[-1][0]
