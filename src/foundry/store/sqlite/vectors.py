"""The whole vectors of an index, in the blocks of sqlite-vec, and which of them are near.

Numbers have 8 bits: a vector is scaled so that its largest is 127, and its length says by how much.
A small index is compared vector by vector. In a large one their codes choose what is compared
(``vector_codes``). Both are kept in memory between searches and follow the commits of every process:
a block that changed is read again, the others stay.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from foundry.errors import StoreCorrupt
from foundry.ports import Vectors
from foundry.store.relational.database import Transaction, VectorIndex
from foundry.store.text_ranking import Integers
from foundry.store.vector_codes import (
    CodeFrame,
    Codes,
    choose_best,
    count_compared,
    cut,
    encode,
    estimate,
    make_frame,
)
from foundry.store.vector_ranking import choose_nearest, multiply

CACHED_BYTES = 1 << 30
"""Most memory for whole vectors and codes that a process keeps: 2.2 million chunks of 384 numbers.

Larger indexes are read from disk for every search.
"""

LARGE = 1 << 16
"""From so many vectors on codes choose. Below, comparing all takes less than 15 ms."""

SEGMENT = 64
"""Blocks that are kept together; what changed in one is copied."""

FRAME = 4
"""The blocks whose vectors are the sample for codes: the first, which change only when chunks go."""

_ROWS = 4096
_ALL = 1 << 62

Small = npt.NDArray[np.int8] | npt.NDArray[np.float32]
"""8-bit numbers; a small index keeps them in single precision, which is compared faster."""


@dataclass(frozen=True, slots=True)
class VectorBlock:
    """Where a block is, row numbers and use of its places as stored, and its vectors."""

    number: int
    stamp: bytes
    rows: Integers
    used: npt.NDArray[np.bool_]
    vectors: Small


@dataclass(frozen=True, slots=True)
class VectorSegment:
    """Neighbouring blocks: what a search compares with one call."""

    stamps: tuple[tuple[int, bytes], ...]
    rows: Integers
    used: npt.NDArray[np.bool_]
    vectors: Small
    lengths: Vectors

    def compare(self, query: Vectors, places: Integers) -> Vectors:
        """The cosines of the vectors at ``places``."""
        if 2 * len(places) > len(self.rows) > len(places):
            return self.compare(query, np.arange(len(self.rows)))[places]
        every = len(places) == len(self.rows)
        cosines = np.empty(len(places), dtype=np.float32)
        for part in cut(len(places), _ROWS):
            at = part if every else places[part]
            products = multiply(self.vectors[at].astype(np.float32, copy=False), query)
            cosines[part] = products / self.lengths[at]
        return cosines


@dataclass(frozen=True, slots=True)
class Kept:
    """An index in memory."""

    index: VectorIndex
    segments: tuple[VectorSegment, ...]
    frame: CodeFrame | None = None
    codes: tuple[Codes, ...] = ()


class VectorCache:
    """Keeps an index in memory from its second search on, up to ``most_bytes``.

    One search does not pay for it, and a process that searches again saves reading them.
    """

    def __init__(self, most_bytes: int = CACHED_BYTES) -> None:
        self._most_bytes = most_bytes
        self._seen: str | None = None
        self._kept: Kept | None = None
        self._lock = threading.Lock()

    def read(self, db: Transaction, index: VectorIndex) -> Kept | Iterator[VectorSegment]:
        """The index as the transaction sees it: from memory, or while it is read."""
        kept = self._kept
        if kept and kept.index == index:
            return kept
        known = kept is not None and kept.index.slug == index.slug
        if not known and self._seen != index.slug:
            self._seen = index.slug
            return read_segments(db, index)
        with self._lock:
            return self._refresh(db, index) or read_segments(db, index)

    def _refresh(self, db: Transaction, index: VectorIndex) -> Kept | None:
        """Read what changed; None if it is more than may be kept."""
        kept = self._kept if self._kept and self._kept.index.slug == index.slug else None
        if kept and kept.index == index:
            return kept
        stamps = _read_stamps(db, index)
        # A stamp has a row number and a bit for each place. In memory a place has its numbers, an
        # eighth of that as codes, and three dozen bytes.
        places = sum(len(stamp) for _, stamp in stamps) * 8 // 65
        if places * (index.dimension * 9 // 8 + 36) > self._most_bytes:
            self._kept = None
            return None
        segments = list(self._read_changed(db, index, stamps, kept))
        self._kept = _add_codes(index, segments, kept)
        return self._kept

    def _read_changed(
        self,
        db: Transaction,
        index: VectorIndex,
        stamps: Sequence[tuple[int, bytes]],
        kept: Kept | None,
    ) -> Iterator[VectorSegment]:
        old = kept.segments if kept else ()
        # New vectors go to the last block. What may have been the last is read whatever its stamp.
        last = min(old[-1].stamps[-1][0], stamps[-1][0]) if old and stamps else 0
        for place, part in enumerate(cut(len(stamps), SEGMENT)):
            wanted = tuple(stamps[part])
            have = old[place] if place < len(old) else None
            if have and have.stamps == wanted and wanted[-1][0] < last:
                yield have
            else:
                yield _join(index, _read_blocks(db, index, wanted, have, last))


def _add_codes(index: VectorIndex, segments: Sequence[VectorSegment], kept: Kept | None) -> Kept:
    """The segments as they are kept: in single precision if they are few, else with codes."""
    small = sum(np.count_nonzero(segment.used) for segment in segments) < LARGE
    kind = np.dtype(np.float32 if small else np.int8)
    segments = [
        one if one.vectors.dtype == kind else replace(one, vectors=one.vectors.astype(kind))
        for one in segments
    ]
    if small:
        return Kept(index, tuple(segments))
    frame = _make_frame(segments[0])
    known: dict[int, Codes] = {}
    if kept and kept.frame and np.array_equal(kept.frame.mean, frame.mean):
        known = {id(one): codes for one, codes in zip(kept.segments, kept.codes, strict=True)}
    codes = (known.get(id(one)) or encode(frame, one.vectors, one.lengths) for one in segments)
    return Kept(index, tuple(segments), frame, tuple(codes))


def _make_frame(first: VectorSegment) -> CodeFrame:
    size = len(first.rows) // len(first.stamps)
    places = np.flatnonzero(first.used[: FRAME * size])
    return make_frame(first.vectors[places].astype(np.float32) / first.lengths[places, None])


# Reading


def _read_stamps(db: Transaction, index: VectorIndex) -> list[tuple[int, bytes]]:
    """The number of each block with its row numbers and use, as they are stored."""
    slots = db.run("vector_slots", vectors=index.table)
    return [(number, bytes(used) + bytes(rows)) for number, rows, used, _ in slots]


def _read_blocks(
    db: Transaction,
    index: VectorIndex,
    wanted: Sequence[tuple[int, bytes]],
    have: VectorSegment | None,
    last: int,
) -> list[VectorBlock]:
    """The blocks of a segment, those that did not change from memory."""
    known = dict(have.stamps) if have else {}
    numbers = [number for number, stamp in wanted if number >= last or known.get(number) != stamp]
    if have is None or len(numbers) == len(wanted):
        span = (wanted[0][0], wanted[-1][0])
        return [_parse(index, *row) for row in db.run("vector_blocks", span, vectors=index.table)]
    fresh = {
        number: _parse(index, *row)
        for number in numbers
        for row in db.run("vector_blocks", (number, number), vectors=index.table)
    }
    kept = {block.number: block for block in _split(have)}
    return [fresh.get(number) or kept[number] for number, _ in wanted]


def _split(segment: VectorSegment) -> Iterator[VectorBlock]:
    size = len(segment.rows) // len(segment.stamps)
    for (number, stamp), part in zip(segment.stamps, cut(len(segment.rows), size), strict=True):
        yield VectorBlock(
            number, stamp, segment.rows[part], segment.used[part], segment.vectors[part]
        )


def read_segments(db: Transaction, index: VectorIndex) -> Iterator[VectorSegment]:
    """The segments of an index, a few blocks each, as they are read."""
    for row in db.run("vector_blocks", (0, _ALL), vectors=index.table):
        yield _join(index, [_parse(index, *row)])


def _parse(
    index: VectorIndex, number: int, rows: bytes, used: bytes, vectors: bytes
) -> VectorBlock:
    """A block; raises ``StoreCorrupt`` if its parts have another number of vectors."""
    places = len(rows) // 8
    if (8 * len(used), len(vectors)) != (places, places * index.dimension):
        cause = f"block {number}: {len(rows)}, {len(used)}, {len(vectors)} bytes"
        raise StoreCorrupt("store-vectors-damaged", model=index.name, cause=cause)
    bits = np.unpackbits(np.frombuffer(used, dtype=np.uint8), bitorder="little")
    return VectorBlock(
        number,
        used + rows,
        np.frombuffer(rows, dtype=np.int64),
        bits.astype(np.bool_),
        np.frombuffer(vectors, dtype=np.int8).reshape(-1, index.dimension),
    )


def _join(index: VectorIndex, blocks: Sequence[VectorBlock]) -> VectorSegment:
    vectors = np.concatenate([block.vectors for block in blocks])
    used = np.concatenate([block.used for block in blocks])
    lengths = np.empty(len(vectors), dtype=np.float32)
    for part in cut(len(vectors), _ROWS):
        lengths[part] = np.linalg.norm(vectors[part].astype(np.float32), axis=1)
    if np.any(used & (lengths == 0)):
        raise StoreCorrupt("store-vectors-damaged", model=index.name, cause="length 0")
    return VectorSegment(
        tuple((block.number, block.stamp) for block in blocks),
        np.concatenate([block.rows for block in blocks]),
        used,
        vectors,
        np.maximum(lengths, 1),
    )


# Searching


def find_nearest_rows(
    kept: Kept | Iterator[VectorSegment],
    query: Vectors,
    count: int,
    *,
    allowed: Integers | None,
    exact: bool,
) -> Integers:
    """The row numbers of the ``count`` nearest chunks among the allowed ones (None: all), ascending."""
    segments = kept.segments if isinstance(kept, Kept) else kept
    places: Iterator[tuple[VectorSegment, Integers]] = (
        (segment, _find_allowed(segment, allowed)) for segment in segments
    )
    if isinstance(kept, Kept) and kept.frame and not exact:
        most = count_compared(sum(len(segment.rows) for segment in kept.segments), count)
        if allowed is None or len(allowed) > most:
            places = _choose_by_codes(kept, kept.frame, query, most, allowed)
    found = [(segment.rows[at], segment.compare(query, at)) for segment, at in places]
    if not found:
        return np.zeros(0, dtype=np.int64)
    numbers, near = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return np.sort(numbers[choose_nearest(near, count)])


def _find_allowed(segment: VectorSegment, allowed: Integers | None) -> Integers:
    if allowed is None:
        return np.flatnonzero(segment.used)
    return np.flatnonzero(segment.used & np.isin(segment.rows, allowed))


def _choose_by_codes(
    kept: Kept, frame: CodeFrame, query: Vectors, most: int, allowed: Integers | None
) -> Iterator[tuple[VectorSegment, Integers]]:
    """Each segment with the places of those of its vectors that are worth comparing."""
    estimates = []
    for segment, codes in zip(kept.segments, kept.codes, strict=True):
        near = np.full(len(segment.rows), -np.inf, dtype=np.float32)
        at = _find_allowed(segment, allowed)
        near[at] = estimate(frame, codes, query)[at]
        estimates.append(near)
    places = choose_best(np.concatenate(estimates), most)
    start = 0
    for segment in kept.segments:
        end = start + len(segment.rows)
        first, last = np.searchsorted(places, (start, end))
        yield segment, places[first:last] - start
        start = end
