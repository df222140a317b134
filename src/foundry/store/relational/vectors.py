"""The whole vectors of an index, in blocks of near ones, and which of them are near a query.

Numbers have 8 bits: a vector is scaled so that its largest is 127. New vectors go to a block that is not full.
Once there are many, all are sorted into lists (``vector_lists``), each a block with its ``middle``.
A search of a small index compares every vector. A search of a large one compares those of the lists
with the nearest middles, and of all blocks that are not lists. Middles and the block of each chunk's
vector are written in the same transaction as the vectors. In PostgreSQL all vectors of a block have
the same level, for row-level security.

The query has 8 bits a number too, so that a kernel of simsimd compares a million vectors in some 20 ms.
Of the nearest, twice as many as wanted are compared again with the query in single precision.

Blocks stay in memory between searches. A block gets a new version whenever it is written, so that a
process reads again what any process changed, and nothing else. The version has a checksum: a vector
that was damaged on disk is an error, not another hit.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterable, Iterator, Sequence
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
from foundry.store.vector_ranking import (
    KERNEL,
    LENGTH_TOLERANCE,
    Small,
    choose_nearest,
    multiply,
    multiply_small,
    pack_small,
    square_small,
)

CACHED_BYTES = 1 << 30
"""Most memory for the blocks that a process keeps: 2.7 million vectors of 384 numbers.

A block that does not fit is read from disk for every search.
"""

LARGE = 1 << 18
"""An index of so many vectors is sorted into lists. In a smaller one, comparing all takes some 5 ms:
computed from 20 ms for a million."""

LEAST_READ = 50_000
SHARE_READ = 10
"""The lists that are read have so many vectors plus one in 10 of all: measured in decision 66."""

SPREAD = 0.2
"""The share of its middle's square that counts against a list. The further apart vectors are, the
shorter is their middle, and the nearer to a query the nearest of them can be. Half would order by
distance."""

FEW = 16_384
SHARE_FEW = 64
"""Of the vectors that filters allow, so many are read at least. If they allow no more than that, and no
more than one in 64, only theirs are read. Guesses: with 10,734 of a million allowed, a search takes
less time so."""

AGAIN = 2
"""So many times the wanted number are compared in single precision. With a million vectors, the 400
nearest to each of 300 questions were all among the 600 nearest to the question in 8 bits."""

_AT_ONCE = 64
"""Blocks that are read together when all vectors are compared."""

_MOST_VERSION = (1 << 31) - 1
"""Versions start again after it: PostgreSQL numbers all rows by one sequence."""

ROW = np.dtype("<i8")
_NO_ROWS: Integers = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class VectorBlock:
    """Row numbers and their vectors; only a list is stored with its middle."""

    rows: Integers
    numbers: Small
    kept_middle: Vectors | None

    @cached_property
    def factors(self) -> Vectors:
        """What makes the length of each vector 1."""
        with np.errstate(divide="ignore"):
            factors: Vectors = (1 / np.sqrt(square_small(self.numbers))).astype(np.float32)
        return factors


def scale(numbers: Small) -> Vectors:
    """Return vectors of length 1."""
    values = numbers.astype(np.float32)
    values /= np.sqrt(np.vecdot(values, values))[:, None]
    return values


def find_middle(vectors: Vectors) -> Vectors:
    """Return the mean."""
    middle: Vectors = vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
    return middle


Head = tuple[int, int, int, bytes | None]
"""A block's number, version, size, and middle if it is a list."""


@dataclass(frozen=True, slots=True)
class Heads:
    """The blocks of an index without their vectors, as ``rows``; ``keys`` are their numbers and versions.

    ``lists`` are the places of the blocks that are lists, ``others`` those of the rest. By list are
    ``middles`` in 8 bits, ``steps``, what a difference of 1 in them stands for, and ``squares``, their
    squared lengths.
    """

    index: VectorIndex
    rows: Sequence[Head]
    keys: Sequence[tuple[int, int]]
    sizes: Integers
    lists: Integers
    others: Integers
    middles: Small
    steps: Vectors
    squares: Vectors

    def count(self) -> int:
        """Return how many vectors the index has."""
        return int(self.sizes.sum())

    def is_large(self) -> bool:
        """Return whether a search compares only some of the vectors."""
        return self.count() >= LARGE


def read_heads(db: Transaction, index: VectorIndex, kept: Heads | None = None) -> Heads:
    """Return the blocks as the transaction sees them; of those in ``kept`` only the versions are read."""
    if kept is None:
        return _make_heads(index, db.run("vector_heads", vectors=index.table).fetchall())
    known = {row[:2]: row for row in kept.rows}
    keys = db.run("block_versions", vectors=index.table).fetchall()
    asked = (encode_json([number for number, version in keys if (number, version) not in known]),)
    read = db.run("some_heads", asked, vectors=index.table).fetchall()
    known |= {row[:2]: row for row in read}
    return _make_heads(index, [known[key] for key in keys])


def _make_heads(index: VectorIndex, rows: Sequence[Head]) -> Heads:
    lists = [place for place, (*_, middle) in enumerate(rows) if middle is not None]
    middles = b"".join(row[3] or b"" for row in rows)
    if len(middles) != 4 * index.dimension * len(lists):
        raise _make_error(index, "the middles of lists")
    found = np.frombuffer(middles, dtype=np.float32).reshape(-1, index.dimension)
    if not (np.abs(found) <= 1 + LENGTH_TOLERANCE).all():
        raise _make_error(index, "the middles of lists")
    small = np.frombuffer(pack_small(found), dtype=np.int8).reshape(found.shape)
    squares = np.vecdot(found, found)
    return Heads(
        index,
        rows,
        [row[:2] for row in rows],
        np.array([size for _, _, size, _ in rows], dtype=np.int64),
        np.array(lists, dtype=np.int64),
        np.setdiff1d(np.arange(len(rows)), lists),
        small,
        np.sqrt(squares / np.maximum(square_small(small), 1)),
        squares,
    )


def _make_error(index: VectorIndex, cause: str) -> StoreCorrupt:
    return StoreCorrupt("store-vectors-damaged", model=index.name, cause=cause)


def describe_vectors(chunks: int) -> Message:
    """Return how a search among so many chunks finds vectors."""
    if chunks < LARGE:
        return Message("index-vectors-compared", name=KERNEL[0], version=KERNEL[1])
    return Message("index-vectors-lists", name=KERNEL[0], version=KERNEL[1])


class BlockCache:
    """Keeps blocks that searches read, of one index, up to ``most_bytes``.

    Searches of all levels share it: which blocks a search reads, its own heads say.
    """

    def __init__(self, most_bytes: int = CACHED_BYTES) -> None:
        self._most_bytes = most_bytes
        self._kept: tuple[str, dict[tuple[int, int], VectorBlock]] = "", {}
        self._versions: dict[int, int] = {}
        self._size = 0
        self._full: Heads | None = None
        self._lock = threading.Lock()

    def can_keep(self, heads: Heads) -> bool:
        """Return whether all blocks of an index fit."""
        return heads.count() <= self._most_bytes // _measure(heads)

    def read(self, db: Transaction, heads: Heads, places: Integers) -> list[VectorBlock]:
        """Return the blocks at some places."""
        name, kept = self._kept
        wanted = [heads.keys[place] for place in places.tolist()]
        known = [kept.get(key) for key in wanted] if name == _name(heads.index) else []
        found = {key: block for key, block in zip(wanted, known, strict=False) if block}
        if len(found) == len(wanted):
            return [*found.values()]
        missing = [key[0] for key in wanted if key not in found]
        read = {
            stored[:2]: parse_block(heads.index, stored)
            for stored in read_stored(db, heads.index, missing)
        }
        found |= read
        if lost := [number for number, version in wanted if (number, version) not in found]:
            raise _make_error(heads.index, f"block {lost[0]}")
        with self._lock:
            self._keep(heads, read)
        return [found[key] for key in wanted]

    def _keep(self, heads: Heads, read: dict[tuple[int, int], VectorBlock]) -> None:
        most = self._most_bytes // _measure(heads)
        name, kept = self._kept
        if name != _name(heads.index):
            kept = self._replace(_name(heads.index), {})
        for (number, version), block in read.items():
            earlier = kept.pop((number, self._versions.pop(number, 0)), None)
            self._size -= len(earlier.rows) if earlier else 0
            if self._size + len(block.rows) > most and self._full is not heads:
                # Make room once: for these heads, whatever they do not name is old or of other levels.
                self._full = heads
                named = {key: kept[key] for key in heads.keys if key in kept}
                kept = self._replace(_name(heads.index), named)
            if self._size + len(block.rows) <= most:
                kept[number, version] = block
                self._versions[number] = version
                self._size += len(block.rows)

    def _replace(
        self, name: str, blocks: dict[tuple[int, int], VectorBlock]
    ) -> dict[tuple[int, int], VectorBlock]:
        self._kept, self._versions = (name, blocks), dict(blocks.keys())
        self._size = sum(len(block.rows) for block in blocks.values())
        return blocks


def _measure(heads: Heads) -> int:
    """Return the bytes of a vector in memory: its numbers, its factor and its row number."""
    return heads.index.dimension + 12


class VectorCache:
    """Keeps the heads of the latest state of an index as searches of a level see it."""

    def __init__(self, blocks: BlockCache) -> None:
        self.blocks = blocks
        self._heads: Heads | None = None
        self.gathered: tuple[Heads, Integers, VectorBlock] | None = None
        """The vectors of some rows, as the latest search with a filter that leaves few read them."""
        self.joined: tuple[Heads, VectorBlock] | None = None
        """All vectors of a small index: in one product they take half the time of one a block."""

    def read_heads(self, db: Transaction, index: VectorIndex) -> Heads:
        """Return the blocks as the transaction sees them."""
        heads = self._heads
        if heads is None or heads.index != index:
            same = heads is not None and _name(heads.index) == _name(index)
            heads = self._heads = read_heads(db, index, heads if same else None)
        return heads


def _name(index: VectorIndex) -> str:
    """Return a key of the index: one that is dropped and created again has the same slug and versions."""
    return f"{index.slug} {index.created}"


StoredBlock = tuple[int, int, bytes | None, bytes, bytes]
"""A block's number, version, middle, row numbers and numbers, as they are stored."""


def read_stored(db: Transaction, index: VectorIndex, numbers: Sequence[int]) -> list[StoredBlock]:
    """Return the blocks with some numbers."""
    found = db.run("vector_blocks", (encode_json(list(numbers)),), vectors=index.table)
    return found.fetchall()


def seal(version: int, *parts: bytes | None) -> int:
    """Return a version with the checksum of what is stored under it in its lower half.

    The parts are a block's middle, row numbers and numbers.
    """
    checksum = 0
    for part in parts:
        checksum = zlib.crc32(part or b"", checksum)
    return (version & _MOST_VERSION) << 32 | checksum


def parse_block(index: VectorIndex, stored: StoredBlock) -> VectorBlock:
    """Return a block. Raises ``StoreCorrupt`` if its parts do not fit, or are not those written."""
    number, version, middle, chunks, numbers = stored
    try:
        # Blocks that an early version wrote have none.
        if version >> 32 and version != seal(version >> 32, middle, chunks, numbers):
            raise ValueError("checksum")
        rows = np.frombuffer(chunks, dtype=ROW)
        vectors = np.frombuffer(numbers, dtype=np.int8).reshape(len(rows), index.dimension)
        known = np.frombuffer(middle, dtype=np.float32) if middle is not None else None
        if known is not None and len(known) != index.dimension:
            raise ValueError("middle")
        block = VectorBlock(rows, vectors, known)
        if not np.isfinite(block.factors).all():
            raise ValueError("length 0")
    except ValueError as error:
        raise _make_error(index, f"block {number}: {error}") from error
    return block


# Searching


@dataclass(frozen=True)
class NearestSearch:
    """A search for the ``count`` vectors nearest to a query among the ``allowed`` rows (None: all)."""

    db: Transaction
    cache: VectorCache
    index: VectorIndex
    query: Vectors
    count: int
    allowed: Integers | None

    @cached_property
    def small(self) -> Small:
        """The query with 8 bits a number."""
        return np.frombuffer(pack_small(self.query[None]), dtype=np.int8)

    def find_rows(self, *, exact: bool) -> Integers:
        """Return their row numbers, ascending; ``exact`` compares every vector."""
        if self.allowed is not None and not len(self.allowed):
            return self.allowed
        heads = self.cache.read_heads(self.db, self.index)
        if self.allowed is not None and len(self.allowed) <= min(FEW, heads.count() // SHARE_FEW):
            return self._find_in(self._gather(heads, self.allowed), None)
        mask = None if self.allowed is None else _Mask(self.allowed)
        if not heads.is_large() and self.cache.blocks.can_keep(heads):
            return self._find_in(self._join(heads), mask)
        if heads.is_large() and not exact:
            return self._find_among(heads, *self._choose_blocks(heads, mask))
        places = np.arange(len(heads.keys))
        return self._find_among(heads, places, self._find_allowed(heads, places, mask))

    def _find_in(self, block: VectorBlock, mask: _Mask | None) -> Integers:
        """Return the rows of the nearest vectors in one block."""
        near = self._estimate(block)
        if mask is not None:
            near[~mask.find(block.rows)] = -np.inf
        best = choose_nearest(near, AGAIN * self.count)
        return self._compare(block.rows[best], block.numbers[best])

    def _find_among(
        self, heads: Heads, places: Integers, allowed: npt.NDArray[np.bool_] | None
    ) -> Integers:
        """Return the rows of the nearest vectors in the blocks at some places."""
        if allowed is not None and 2 * np.count_nonzero(allowed) < len(allowed):
            taken = self._take(heads, places, np.flatnonzero(allowed))
            return self._find_in(VectorBlock(*taken, None), None)
        found = (self._estimate(block) for block in self._read(heads, places))
        near = np.concatenate([np.zeros(0, dtype=np.float32), *found])
        if allowed is not None:
            near[~allowed] = -np.inf
        best = choose_nearest(near, AGAIN * self.count)
        return self._compare(*self._take(heads, places, best))

    def _find_allowed(
        self, heads: Heads, places: Integers, mask: _Mask | None
    ) -> npt.NDArray[np.bool_] | None:
        """Return which vectors in the blocks at some places are allowed; None if all are."""
        if mask is None:
            return None
        rows = (block.rows for block in self._read(heads, places))
        return mask.find(np.concatenate([_NO_ROWS, *rows]))

    def _read(self, heads: Heads, places: Integers) -> Iterator[VectorBlock]:
        """Yield the blocks at some places, in memory together only if they are kept."""
        for first in range(0, len(places), _AT_ONCE):
            yield from self.cache.blocks.read(self.db, heads, places[first : first + _AT_ONCE])

    def _take(self, heads: Heads, places: Integers, wanted: Integers) -> tuple[Integers, Small]:
        """Return some rows and vectors of the blocks at some places, counted from the first of all."""
        ends = np.cumsum(heads.sizes[places])
        found = np.searchsorted(ends, wanted, side="right")
        owners, firsts = np.unique(found, return_index=True)
        # A place counts from the end of its block.
        parts = np.split(wanted - ends[found], firsts[1:])[: len(owners)]
        blocks = self.cache.blocks.read(self.db, heads, places[owners])
        pairs = zip(blocks, parts, strict=True)
        # Taking rows so takes two thirds of the time of indexing by them.
        copies = ((block.rows[own], block.numbers.take(own, 0)) for block, own in pairs)
        taken = self._put_together(copies)
        return taken.rows, taken.numbers

    def _put_together(self, parts: Iterable[tuple[Integers, Small]]) -> VectorBlock:
        own = [(_NO_ROWS, np.zeros((0, self.index.dimension), dtype=np.int8)), *parts]
        rows, numbers = zip(*own, strict=True)
        return VectorBlock(np.concatenate(rows), np.concatenate(numbers), None)

    def _join(self, heads: Heads) -> VectorBlock:
        """Return all vectors."""
        kept = self.cache.joined
        if kept and kept[0] is heads:
            return kept[1]
        blocks = self._read(heads, np.arange(len(heads.keys)))
        joined = self._put_together((block.rows, block.numbers) for block in blocks)
        self.cache.joined = heads, joined
        return joined

    def _estimate(self, block: VectorBlock) -> Vectors:
        """Return the products of the vectors, with length 1, and the query in 8 bits."""
        products = multiply_small(block.numbers, self.small)
        near: Vectors = np.multiply(products, block.factors, dtype=np.float32, casting="same_kind")
        return near

    def _compare(self, rows: Integers, numbers: Small) -> Integers:
        """Return the rows of the nearest of some vectors, ascending."""
        cosines = multiply(scale(numbers), self.query)
        return np.sort(rows[choose_nearest(cosines, self.count)])

    def _gather(self, heads: Heads, rows: Integers) -> VectorBlock:
        """Return the vectors of some rows."""
        kept = self.cache.gathered
        if kept and kept[0] is heads and np.array_equal(kept[1], rows):
            return kept[2]
        asked = (encode_json(rows.tolist()),)
        found = self.db.run("blocks_of", asked, vectors=self.index.table).fetchall()
        numbers = [number for number, _ in heads.keys]
        places = np.flatnonzero(np.isin(numbers, [number for (number,) in found]))
        mask = _Mask(rows)
        own = ((block, mask.find(block.rows)) for block in self._read(heads, places))
        gathered = self._put_together((block.rows[at], block.numbers[at]) for block, at in own)
        self.cache.gathered = heads, rows, gathered
        return gathered

    def _choose_blocks(
        self, heads: Heads, mask: _Mask | None
    ) -> tuple[Integers, npt.NDArray[np.bool_] | None]:
        """Return the places of the lists to compare and of all blocks that are no lists, and what is allowed."""
        # The query has length 1.
        steps = heads.steps / np.sqrt(square_small(self.small[None]))
        products = multiply_small(heads.middles, self.small) * steps
        order = np.argsort(SPREAD * heads.squares - products)
        ends = np.cumsum(heads.sizes[heads.lists[order]])
        wanted = LEAST_READ + heads.count() // SHARE_READ
        if self.allowed is not None:
            # As many as have enough of those allowed, if each list has its share of them.
            wanted = max(wanted, FEW * heads.count() // len(self.allowed))
        while True:
            near = order[: np.searchsorted(ends, wanted) + 1]
            places = np.concatenate([heads.others, heads.lists[near]])
            allowed = self._find_allowed(heads, places, mask)
            if allowed is None or len(near) == len(order) or np.count_nonzero(allowed) >= FEW:
                return places, allowed
            wanted *= 2


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
