"""The whole vectors of an index, in blocks of near ones, and which of them are near a query.

Numbers have 8 bits: a vector is scaled so that its largest is 127. New vectors go to a block that is not full.
Once there are many, all are sorted into lists (``vector_lists``), each a block with its ``middle``.
A search of a small index compares every vector. A search of a large one reads the lists with the
nearest middles and all blocks that are not lists, chooses vectors by their codes (``vector_codes``),
and compares those. Codes, middles and the block of each chunk's vector are written in the same
transaction as the vectors. In PostgreSQL all vectors of a block have the same level, for row-level
security.

Blocks stay in memory between searches. A block gets a new version whenever it is written, so that a
process reads again what any process changed, and nothing else. The version has a checksum: a vector
that was damaged on disk is an error, not another hit.
"""

from __future__ import annotations

import threading
import zlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from foundry.errors import StoreCorrupt
from foundry.messages import Message
from foundry.ports import Vectors
from foundry.store.relational.database import Transaction, VectorIndex
from foundry.store.rows import encode_json
from foundry.store.text_ranking import Integers
from foundry.store.vector_codes import (
    Codes,
    choose_best,
    count_words,
    encode,
    estimate,
    unpack,
)
from foundry.store.vector_ranking import LENGTH_TOLERANCE, choose_nearest, multiply

CACHED_BYTES = 1 << 30
"""Most memory for the blocks that a process keeps: 2.4 million vectors of 384 numbers.

A block that does not fit is read from disk for every search.
"""

LARGE = 1 << 16
"""An index of so many vectors is sorted into lists. In a smaller one, comparing all takes less than
15 ms."""

LEAST_READ = 50_000
SHARE_READ = 8
"""The lists that are read have so many vectors plus one in 8 of all: measured in decision 64."""

LEAST_COMPARED = 5_000
SHARE_COMPARED = 8
"""So many vectors are compared, plus one in 8 of those read: measured there too."""

SPREAD = 0.2
"""The share of its middle's square that counts against a list. The further apart vectors are, the
shorter is their middle, and the nearer to a query the nearest of them can be. Half would order by
distance."""

FEW = 16_384
"""If filters allow no more vectors than this, all of them are compared; else so many are read at least.

A guess between two sizes: with 10,734 of a million allowed, a hybrid search takes less time so, with
100,000 it reads lists."""

_AT_ONCE = 64
"""Blocks that are read together when all vectors are compared."""

_CACHED_ROWS = 1 << 8

_MOST_VERSION = (1 << 31) - 1
"""Versions start again after it: PostgreSQL numbers all rows by one sequence."""

ROW = np.dtype("<i8")
_NO_ROWS: Integers = np.zeros(0, dtype=np.int64)
Small = npt.NDArray[np.int8]


@dataclass(frozen=True)
class VectorBlock:
    """Row numbers and their vectors; only a list is stored with its middle and codes."""

    rows: Integers
    numbers: Small
    kept_middle: Vectors | None
    kept_codes: Codes | None

    @cached_property
    def vectors(self) -> Vectors:
        """The vectors with length 1, for an index that is small enough to keep them in memory."""
        return scale(self.numbers)

    @cached_property
    def middle(self) -> Vectors:
        """The mean of the vectors, to which codes are relative."""
        return find_middle(scale(self.numbers)) if self.kept_middle is None else self.kept_middle

    @cached_property
    def codes(self) -> Codes:
        """The codes of the vectors."""
        return self.kept_codes or encode(scale(self.numbers), self.middle)


def scale(numbers: Small) -> Vectors:
    """Return vectors of length 1."""
    values = numbers.astype(np.float32)
    values /= np.sqrt(np.vecdot(values, values))[:, None]
    return values


def _compare(numbers: Small, query: Vectors) -> Vectors:
    """Return the cosines with a query, computed in parts that fit in the processor's cache."""
    cosines = np.empty(len(numbers), dtype=np.float32)
    buffer = np.empty((_CACHED_ROWS, len(query)), dtype=np.float32)
    for first in range(0, len(numbers), _CACHED_ROWS):
        part = numbers[first : first + _CACHED_ROWS]
        values = buffer[: len(part)]
        values[:] = part
        products = multiply(values, query)
        cosines[first : first + len(part)] = products / np.sqrt(np.vecdot(values, values))
    return cosines


def find_middle(vectors: Vectors) -> Vectors:
    """Return the mean."""
    middle: Vectors = vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
    return middle


@dataclass(frozen=True, slots=True)
class Heads:
    """The blocks of an index without their vectors: numbers with versions, and sizes.

    ``lists`` are the places of the blocks that are lists, ``others`` those of the rest. ``middles`` and
    ``squares``, the squared lengths of the middles, are by list.
    """

    index: VectorIndex
    keys: Sequence[tuple[int, int]]
    sizes: Integers
    lists: Integers
    others: Integers
    middles: Vectors
    squares: Vectors

    def count(self) -> int:
        """Return how many vectors the index has."""
        return int(self.sizes.sum())

    def is_large(self) -> bool:
        """Return whether a search compares only some of the vectors."""
        return self.count() >= LARGE


def read_heads(db: Transaction, index: VectorIndex) -> Heads:
    """Return the blocks as the transaction sees them."""
    rows = db.run("vector_heads", vectors=index.table).fetchall()
    lists = [place for place, (*_, middle) in enumerate(rows) if middle is not None]
    middles = b"".join(rows[place][3] for place in lists)
    if len(middles) != 4 * index.dimension * len(lists):
        raise _make_error(index, "the middles of lists")
    found = np.frombuffer(middles, dtype=np.float32).reshape(-1, index.dimension)
    if not (np.abs(found) <= 1 + LENGTH_TOLERANCE).all():
        raise _make_error(index, "the middles of lists")
    return Heads(
        index,
        [(number, version) for number, version, *_ in rows],
        np.array([size for _, _, size, _ in rows], dtype=np.int64),
        np.array(lists, dtype=np.int64),
        np.setdiff1d(np.arange(len(rows)), lists),
        found,
        np.vecdot(found, found),
    )


def _make_error(index: VectorIndex, cause: str) -> StoreCorrupt:
    return StoreCorrupt("store-vectors-damaged", model=index.name, cause=cause)


def describe_vectors(chunks: int) -> Message:
    """Return how a search among so many chunks finds vectors."""
    if chunks < LARGE:
        return Message("index-vectors-compared", name="numpy", version=np.__version__)
    return Message("index-vectors-lists")


class VectorCache:
    """Keeps the heads of the latest state, and blocks that were read, up to ``most_bytes``."""

    def __init__(self, most_bytes: int = CACHED_BYTES) -> None:
        self._most_bytes = most_bytes
        self._heads: dict[str, Heads] = {}
        self._blocks: dict[str, dict[tuple[int, int], VectorBlock]] = defaultdict(dict)
        self._size = 0
        self._lock = threading.Lock()
        self.holders: tuple[Heads, Integers, Integers] | None = None
        """The blocks that have some rows, as the latest search with a filter found them."""

    def read_heads(self, db: Transaction, index: VectorIndex) -> Heads:
        """Return the blocks as the transaction sees them."""
        key = _name(index)
        heads = self._heads.get(key)
        if heads is None or heads.index != index:
            heads = read_heads(db, index)
            with self._lock:
                self._heads = {key: heads}
                kept = self._blocks[key]
                current = {block: kept[block] for block in heads.keys if block in kept}
                self._blocks = defaultdict(dict, {key: current})
                self._size = sum(len(block.rows) for block in current.values())
        return heads

    def read_blocks(self, db: Transaction, heads: Heads, places: Integers) -> list[VectorBlock]:
        """Return the blocks at some places."""
        kept = self._blocks[_name(heads.index)]
        wanted = [heads.keys[place] for place in places.tolist()]
        known = [kept.get(key) for key in wanted]
        found = {key: block for key, block in zip(wanted, known, strict=True) if block}
        if len(found) == len(known):
            return [*found.values()]
        missing = [key[0] for key in wanted if key not in found]
        for stored in read_stored(db, heads.index, missing):
            found[stored[:2]] = parse_block(heads.index, stored)
        if lost := [number for number, version in wanted if (number, version) not in found]:
            raise _make_error(heads.index, f"block {lost[0]}")
        self._keep(heads, found)
        return [found[key] for key in wanted]

    def _keep(self, heads: Heads, found: dict[tuple[int, int], VectorBlock]) -> None:
        # In memory a vector has its numbers, its code and factor, and its row number; in a small
        # index also its numbers in single precision.
        each = heads.index.dimension * (1 if heads.is_large() else 5)
        each += 8 * count_words(heads.index.dimension) + 12
        with self._lock:
            kept = self._blocks[_name(heads.index)]
            for key, block in found.items():
                if key not in kept and (self._size + len(block.rows)) * each <= self._most_bytes:
                    self._size += len(block.rows)
                    kept[key] = block


def _name(index: VectorIndex) -> str:
    """Return a key of the index: one that is dropped and created again has the same slug and versions."""
    return f"{index.slug} {index.created}"


StoredBlock = tuple[int, int, bytes | None, bytes, bytes | None, bytes]
"""A block's number, version, middle, row numbers, codes and numbers, as they are stored."""


def read_stored(db: Transaction, index: VectorIndex, numbers: Sequence[int]) -> list[StoredBlock]:
    """Return the blocks with some numbers."""
    found = db.run("vector_blocks", (encode_json(list(numbers)),), vectors=index.table)
    return found.fetchall()


def seal(version: int, *parts: bytes | None) -> int:
    """Return a version with the checksum of what is stored under it in its lower half.

    The parts are a block's middle, row numbers, codes and numbers.
    """
    checksum = 0
    for part in parts:
        checksum = zlib.crc32(part or b"", checksum)
    return (version & _MOST_VERSION) << 32 | checksum


def parse_block(index: VectorIndex, stored: StoredBlock) -> VectorBlock:
    """Return a block. Raises ``StoreCorrupt`` if its parts do not fit, or are not those written."""
    number, version, middle, chunks, codes, numbers = stored
    try:
        # Blocks that an earlier version wrote have none.
        if version >> 32 and version != seal(version >> 32, middle, chunks, codes, numbers):
            raise ValueError("checksum")
        rows = np.frombuffer(chunks, dtype=ROW)
        vectors = np.frombuffer(numbers, dtype=np.int8).reshape(len(rows), index.dimension)
        known = np.frombuffer(middle, dtype=np.float32) if middle is not None else None
        coded = unpack(codes, len(rows)) if codes is not None else None
        if coded and len(coded.bits) != count_words(index.dimension):
            raise ValueError("codes")
        if known is not None and len(known) != index.dimension:
            raise ValueError("middle")
        if not vectors.any(axis=1).all():
            raise ValueError("length 0")
    except ValueError as error:
        raise _make_error(index, f"block {number}: {error}") from error
    return VectorBlock(rows, vectors, known, coded)


# Searching


@dataclass(frozen=True, slots=True)
class NearestSearch:
    """A search for the ``count`` vectors nearest to a query among the ``allowed`` rows (None: all)."""

    db: Transaction
    cache: VectorCache
    index: VectorIndex
    query: Vectors
    count: int
    allowed: Integers | None

    def find_rows(self, *, exact: bool) -> Integers:
        """Return their row numbers, ascending; ``exact`` compares every vector."""
        if self.allowed is not None and not len(self.allowed):
            return self.allowed
        heads = self.cache.read_heads(self.db, self.index)
        mask = None if self.allowed is None else _Mask(self.allowed)
        if heads.is_large() and not exact:
            if self.allowed is None or len(self.allowed) > FEW:
                return self._choose_by_codes(heads, mask)
            at = self._find_blocks(heads, self.allowed)
            return self._compare_some(heads, at, self._find_allowed(heads, at, mask))
        return self._compare(heads, np.arange(len(heads.keys)), mask)

    def _find_blocks(self, heads: Heads, rows: Integers) -> Integers:
        """Return the places of the blocks that have these rows."""
        kept = self.cache.holders
        if kept and kept[0] is heads and np.array_equal(kept[1], rows):
            return kept[2]
        asked = (encode_json(rows.tolist()),)
        found = self.db.run("blocks_of", asked, vectors=self.index.table).fetchall()
        numbers = [number for number, _ in heads.keys]
        places = np.flatnonzero(np.isin(numbers, [number for (number,) in found]))
        self.cache.holders = heads, rows, places
        return places

    def _compare(self, heads: Heads, places: Integers, mask: _Mask | None) -> Integers:
        """Return the rows of the nearest of all vectors in these blocks."""
        rows, near = [_NO_ROWS], [np.zeros(0, dtype=np.float32)]
        for first in range(0, len(places), _AT_ONCE):
            part = places[first : first + _AT_ONCE]
            for block in self.cache.read_blocks(self.db, heads, part):
                at = slice(None) if mask is None else mask.find(block.rows)
                rows.append(block.rows[at])
                near.append(
                    _compare(block.numbers[at], self.query)
                    if heads.is_large()
                    else multiply(block.vectors[at], self.query)
                )
        return np.sort(np.concatenate(rows)[choose_nearest(np.concatenate(near), self.count)])

    def _choose_by_codes(self, heads: Heads, mask: _Mask | None) -> Integers:
        """Return the nearest of those that codes choose in the nearest lists and other blocks."""
        at, bases, places = self._choose_blocks(heads, mask)
        sizes = heads.sizes[at]
        most = max(LEAST_COMPARED + int(sizes.sum()) // SHARE_COMPARED, 4 * self.count)
        if len(places) > most:
            blocks = self.cache.read_blocks(self.db, heads, at)
            near = estimate([block.codes for block in blocks], self.query)
            near += np.repeat(bases, sizes)
            places = places[choose_best(near if mask is None else near[places], most)]
        return self._compare_some(heads, at, places)

    def _compare_some(self, heads: Heads, at: Integers, places: Integers) -> Integers:
        """Return the rows of the nearest of the vectors at some places in these blocks."""
        if not len(places):
            return _NO_ROWS
        blocks, ends = self.cache.read_blocks(self.db, heads, at), np.cumsum(heads.sizes[at])
        numbers = _take(blocks, ends, places)
        nearest = places[choose_nearest(_compare(numbers, self.query), self.count)]
        own = np.searchsorted(ends, nearest, side="right")
        # A place counts from the end of its block.
        pairs = zip(own.tolist(), (nearest - ends[own]).tolist(), strict=True)
        return np.sort(np.array([blocks[a].rows.item(b) for a, b in pairs], dtype=np.int64))

    def _choose_blocks(
        self, heads: Heads, mask: _Mask | None
    ) -> tuple[Integers, Vectors, Integers]:
        """Return the blocks to choose from, their middles' products with the query, and what is allowed.

        Blocks are places in the heads, what is allowed is places in the blocks, one after the other.
        """
        products = multiply(heads.middles, self.query)
        order = np.argsort(SPREAD * heads.squares - products)
        ends = np.cumsum(heads.sizes[heads.lists[order]])
        wanted = LEAST_READ + heads.count() // SHARE_READ
        if self.allowed is not None:
            # As many as have enough of those allowed, if each list has its share of them.
            wanted = max(wanted, FEW * heads.count() // len(self.allowed))
        others = self.cache.read_blocks(self.db, heads, heads.others)
        bases = [float(block.middle @ self.query) for block in others]
        while True:
            near = order[: np.searchsorted(ends, wanted) + 1]
            at = np.concatenate([heads.others, heads.lists[near]])
            places = self._find_allowed(heads, at, mask)
            if mask is None or len(near) == len(order) or len(places) >= FEW:
                return at, np.array([*bases, *products[near].tolist()], dtype=np.float32), places
            wanted *= 2

    def _find_allowed(self, heads: Heads, blocks: Integers, mask: _Mask | None) -> Integers:
        """Return which vectors of some blocks, one after the other, are allowed."""
        if mask is None:
            return np.arange(int(heads.sizes[blocks].sum()))
        rows = [block.rows for block in self.cache.read_blocks(self.db, heads, blocks)]
        return np.flatnonzero(mask.find(np.concatenate([*rows, _NO_ROWS])))


def _take(blocks: Sequence[VectorBlock], ends: Integers, places: Integers) -> Small:
    """Return the vectors at ascending places in some blocks, one after the other."""
    numbers = np.empty((len(places), blocks[0].numbers.shape[1]), dtype=np.int8)
    bounds = np.searchsorted(places, ends)
    own = places - np.repeat(np.concatenate([[0], ends[:-1]]), np.diff(bounds, prepend=0))
    first = 0
    for block, end in zip(blocks, bounds.tolist(), strict=True):
        if first < end:
            # Without a mode, NumPy would copy what it takes once more.
            block.numbers.take(own[first:end], 0, out=numbers[first:end], mode="clip")
            first = end
    return numbers


class _Mask:
    """The rows that are allowed, by number."""

    def __init__(self, rows: Integers) -> None:
        # PostgreSQL numbers the rows of all projects, so the first may have a high number.
        self._before = int(rows.min()) - 1
        self._after = int(rows.max()) - self._before + 1
        self._allowed = np.zeros(self._after + 1, dtype=np.bool_)
        self._allowed[rows - self._before] = True

    def find(self, rows: Integers) -> npt.NDArray[np.bool_]:
        """Return whether each of these rows is allowed."""
        places = np.clip(rows - self._before, 0, self._after)
        allowed: npt.NDArray[np.bool_] = self._allowed[places]
        return allowed
