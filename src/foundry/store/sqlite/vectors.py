"""The whole vectors of an index, in blocks of near ones, and which of them are near a query.

Numbers have 8 bits: a vector is scaled so that its largest is 127. New vectors go to the last block.
Once there are many, all are sorted into lists (``vector_lists``), each a block with its ``middle``.
A search of a small index compares every vector. A search of a large one reads the lists with the
nearest middles and all blocks that are not lists, chooses vectors by their codes (``vector_codes``),
and compares those. Codes, middles and the block of each chunk's vector are written in the same
transaction as the vectors.

Blocks stay in memory between searches. A block gets a new version whenever it is written, so that a
process reads again what any process changed, and nothing else. The version has a checksum: a vector
that was damaged on disk is an error, not another hit.
"""

from __future__ import annotations

import threading
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from foundry.errors import StoreCorrupt
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
    join,
    unpack,
)
from foundry.store.vector_lists import LIST, sort_vectors
from foundry.store.vector_ranking import choose_nearest, multiply, pack_small

CACHED_BYTES = 1 << 30
"""Most memory for the blocks that a process keeps: 2.4 million vectors of 384 numbers.

A block that does not fit is read from disk for every search.
"""

LARGE = 1 << 16
"""An index of so many vectors is sorted into lists. In a smaller one, comparing all takes less than
15 ms."""

SHARE_UNSORTED = 8
"""All vectors are sorted again when more than one in so many is in no list."""

LEAST_READ = 30_000
SHARE_READ = 25
"""The lists that are read have so many vectors plus one in 25 of all: measured in decision 63."""

LEAST_COMPARED = 3_000
SHARE_COMPARED = 12
"""So many vectors are compared, plus one in 12 of those read: measured there too."""

SPREAD = 0.3
"""The share of its middle's square that counts against a list. The further apart vectors are, the
shorter is their middle, and the nearer to a query the nearest of them can be. Half would order by
distance."""

FEW = 8_192
"""If filters allow no more vectors than this, all of them are compared; else so many are read at least."""

_AT_ONCE = 64
"""Blocks that are read together when all vectors are compared."""

_CACHED_ROWS = 1 << 10

_ROW = np.dtype("<i8")
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
        return _scale(self.numbers)

    @cached_property
    def middle(self) -> Vectors:
        """The mean of the vectors, to which codes are relative."""
        return _find_middle(_scale(self.numbers)) if self.kept_middle is None else self.kept_middle

    @cached_property
    def codes(self) -> Codes:
        """The codes of the vectors."""
        return self.kept_codes or encode(_scale(self.numbers), self.middle)


def _scale(numbers: Small) -> Vectors:
    values = numbers.astype(np.float32)
    values /= np.sqrt(np.vecdot(values, values))[:, None]
    return values


def _compare(numbers: Small, query: Vectors) -> Vectors:
    """Return the cosines with a query, computed in parts that fit in the processor's cache."""
    cosines = np.empty(len(numbers), dtype=np.float32)
    for first in range(0, len(numbers), _CACHED_ROWS):
        part = slice(first, first + _CACHED_ROWS)
        values = numbers[part].astype(np.float32)
        cosines[part] = multiply(values, query) / np.sqrt(np.vecdot(values, values))
    return cosines


def _find_middle(vectors: Vectors) -> Vectors:
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

    def count_unsorted(self) -> int:
        """Return how many vectors are in no list."""
        return self.count() - int(self.sizes[self.lists].sum())

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


class VectorCache:
    """Keeps the heads of the latest state, and blocks that were read, up to ``most_bytes``."""

    def __init__(self, most_bytes: int = CACHED_BYTES) -> None:
        self._most_bytes = most_bytes
        self._heads: dict[str, Heads] = {}
        self._blocks: dict[str, dict[tuple[int, int], VectorBlock]] = defaultdict(dict)
        self._size = 0
        self._lock = threading.Lock()

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
        wanted = [heads.keys[place] for place in places]
        found = {key: kept[key] for key in wanted if key in kept}
        missing = [number for key in wanted if key not in found for number in key[:1]]
        for stored in _read(db, heads.index, missing):
            found[stored[:2]] = parse_block(heads.index, stored)
        if missing:
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


def _read(db: Transaction, index: VectorIndex, numbers: Sequence[int]) -> list[StoredBlock]:
    found = db.run("vector_blocks", (encode_json(list(numbers)),), vectors=index.table)
    return found.fetchall()


def seal(version: int, chunks: bytes, codes: bytes | None, numbers: bytes) -> int:
    """Return a version with the checksum of what is stored under it in its lower half."""
    checksum = zlib.crc32(numbers, zlib.crc32(codes or b"", zlib.crc32(chunks)))
    return version << 32 | checksum


def parse_block(index: VectorIndex, stored: StoredBlock) -> VectorBlock:
    """Return a block. Raises ``StoreCorrupt`` if its parts do not fit, or are not those written."""
    number, version, middle, chunks, codes, numbers = stored
    try:
        # A block that no version with checksums has written has none.
        if version >> 32 and version != seal(version >> 32, chunks, codes, numbers):
            raise ValueError("checksum")
        rows = np.frombuffer(chunks, dtype=_ROW)
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
        heads = self.cache.read_heads(self.db, self.index)
        mask = None if self.allowed is None else _Mask(self.allowed)
        if heads.is_large() and not exact:
            if self.allowed is None or len(self.allowed) > FEW:
                return self._choose_by_codes(heads, mask)
            return self._compare(heads, self._find_blocks(heads, self.allowed), mask)
        return self._compare(heads, np.arange(len(heads.keys)), mask)

    def _find_blocks(self, heads: Heads, rows: Integers) -> Integers:
        """Return the places of the blocks that have these rows."""
        found = self.db.run(
            "blocks_of", (encode_json(rows.tolist()),), vectors=self.index.table
        ).fetchall()
        numbers = [number for number, _ in heads.keys]
        return np.flatnonzero(np.isin(numbers, [number for (number,) in found]))

    def _compare(self, heads: Heads, places: Integers, mask: _Mask | None) -> Integers:
        """Return the rows of the nearest of all vectors in these blocks."""
        rows, near = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.float32)]
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
        blocks, bases = self._read_nearest(heads, mask)
        rows = np.concatenate([block.rows for block in blocks])
        sizes = np.array([len(block.rows) for block in blocks])
        most = max(LEAST_COMPARED + len(rows) // SHARE_COMPARED, 4 * self.count)
        places = np.arange(len(rows)) if mask is None else np.flatnonzero(mask.find(rows))
        if len(places) > most:
            near = estimate(join([block.codes for block in blocks]), self.query)
            near += np.repeat(bases, sizes)
            places = places[choose_best(near[places], most)]
        ends = np.cumsum(sizes)
        bounds = np.searchsorted(places, ends)
        spans = zip(blocks, ends - sizes, [0, *bounds[:-1]], bounds, strict=True)
        chosen = [
            block.numbers.take(places[a:b] - first, 0) for block, first, a, b in spans if a < b
        ]
        if not chosen:
            return np.zeros(0, dtype=np.int64)
        cosines = _compare(np.concatenate(chosen), self.query)
        return np.sort(rows[places[choose_nearest(cosines, self.count)]])

    def _read_nearest(self, heads: Heads, mask: _Mask | None) -> tuple[list[VectorBlock], Vectors]:
        """Return the blocks to choose from, and the products of their middles with the query.

        The number of vectors to read is doubled while too few of them are allowed.
        """
        products = multiply(heads.middles, self.query)
        order = np.argsort(SPREAD * heads.squares - products)
        ends = np.cumsum(heads.sizes[heads.lists[order]])
        wanted = LEAST_READ + heads.count() // SHARE_READ
        others = self.cache.read_blocks(self.db, heads, heads.others)
        while True:
            near = order[: np.searchsorted(ends, wanted) + 1]
            blocks = [*others, *self.cache.read_blocks(self.db, heads, heads.lists[near])]
            if mask is None or len(near) == len(order) or mask.count(blocks) >= FEW:
                bases = [float(block.middle @ self.query) for block in others]
                return blocks, np.array([*bases, *products[near]], dtype=np.float32)
            wanted *= 2


class _Mask:
    """The rows that are allowed, by number."""

    def __init__(self, rows: Integers) -> None:
        self._last = int(rows.max(initial=0)) + 1
        self._allowed = np.zeros(self._last + 1, dtype=np.bool_)
        self._allowed[rows] = True

    def find(self, rows: Integers) -> npt.NDArray[np.bool_]:
        """Return whether each of these rows is allowed."""
        allowed: npt.NDArray[np.bool_] = self._allowed[np.minimum(rows, self._last)]
        return allowed

    def count(self, blocks: Sequence[VectorBlock]) -> int:
        """Return how many vectors of these blocks are allowed."""
        return int(np.count_nonzero(self.find(np.concatenate([block.rows for block in blocks]))))


# Writing


def add(db: Transaction, index: VectorIndex, vectors: Sequence[tuple[int, bytes]]) -> None:
    """Add vectors in single precision by row number to the last block, and to new ones."""
    if not vectors:
        return
    added = np.array([row for row, _ in vectors], dtype=_ROW)
    packed = np.frombuffer(b"".join(one for _, one in vectors), dtype=np.float32)
    numbers = pack_small(packed.reshape(len(added), -1))
    number, full, held = _read_last(db, index)
    if full:
        number, held = number + 1, None
    rows = np.concatenate([held.rows, added]) if held else added
    whole = np.frombuffer(numbers, dtype=np.int8).reshape(len(added), -1)
    if held:
        whole = np.concatenate([held.numbers, whole])
    parts = [slice(first, first + LIST) for first in range(0, len(rows), LIST)]
    made = (VectorBlock(rows[part], whole[part], None, None) for part in parts)
    _put(db, index, enumerate(made, number))
    places = number + np.arange(len(rows) - len(added), len(rows)) // LIST
    _place(db, index, added, places)


def _read_last(db: Transaction, index: VectorIndex) -> tuple[int, bool, VectorBlock | None]:
    """Return the last block's number, whether it takes no more vectors, and the block if it does."""
    last = db.run("last_block", vectors=index.table).fetchone()
    if last is None:
        return 0, True, None
    number, size, is_list = last
    if is_list or size >= LIST:
        return number, True, None
    (stored,) = _read(db, index, [number])
    return number, False, parse_block(index, stored)


def delete(db: Transaction, index: VectorIndex, rows: Iterable[int]) -> None:
    """Remove vectors by row number; rows without one are ignored."""
    gone = np.array(list(rows), dtype=np.int64)
    asked = encode_json(gone.tolist())
    numbers = [number for (number,) in db.run("blocks_of", (asked,), vectors=index.table)]
    for first in range(0, len(numbers), _AT_ONCE):
        kept = []
        for stored in _read(db, index, numbers[first : first + _AT_ONCE]):
            block = parse_block(index, stored)
            left = ~np.isin(block.rows, gone)
            db.run("delete_block", stored[:1], vectors=index.table)
            if left.any():
                kept.append((stored[0], _keep(block, left)))
        _put(db, index, kept)
    db.run("delete_vectors", (asked,), vectors=index.table)


def _keep(block: VectorBlock, left: npt.NDArray[np.bool_]) -> VectorBlock:
    """Return a block with some of its vectors; a list keeps its middle, which its codes need."""
    codes = block.kept_codes
    if codes:
        codes = Codes(np.ascontiguousarray(codes.bits[:, left]), codes.factors[left])
    return VectorBlock(block.rows[left], block.numbers[left], block.kept_middle, codes)


def _put(db: Transaction, index: VectorIndex, blocks: Iterable[tuple[int, VectorBlock]]) -> None:
    """Write blocks under their numbers, with a new version."""
    version = int(db.value("next_version", (index.model,)))
    for number, block in blocks:
        middle = None if block.kept_middle is None else block.kept_middle.tobytes()
        codes = block.kept_codes.pack() if block.kept_codes else None
        parts = (block.rows.tobytes(), codes, block.numbers.tobytes())
        values = (number, seal(version, *parts), middle, *parts)
        db.run("put_block", values, vectors=index.table)


def _place(db: Transaction, index: VectorIndex, rows: Integers, numbers: Integers) -> None:
    """Record which block has the vector of each row."""
    places = zip(rows.tolist(), numbers.tolist(), strict=True)
    db.run_many("place_vector", places, vectors=index.table)


def read(
    db: Transaction, index: VectorIndex, rows: Iterable[int] | None = None
) -> Iterator[tuple[int, bytes]]:
    """Yield row numbers and vectors in single precision: of those ``rows`` that have one, or of all."""
    if rows is None:
        numbers = [number for number, _ in read_heads(db, index).keys]
        wanted = None
    else:
        wanted = {*rows}
        asked = (encode_json(sorted(wanted)),)
        numbers = [number for (number,) in db.run("blocks_of", asked, vectors=index.table)]
    for number in numbers:
        for stored in _read(db, index, [number]):
            block = parse_block(index, stored)
            for at, row in enumerate(block.rows.tolist()):
                if wanted is None or row in wanted:
                    yield row, _scale(block.numbers[at : at + 1]).tobytes()


# Lists


@dataclass(frozen=True, slots=True)
class SortedVectors:
    """An index as it was read, and the lists of its vectors."""

    index: VectorIndex
    lists: Sequence[VectorBlock]

    def write(self, db: Transaction, index: VectorIndex | None) -> None:
        """Replace all blocks with the lists, unless the index changed since it was read."""
        if index == self.index:
            db.run("clear_vectors", vectors=index.table)
            _put(db, index, enumerate(self.lists, 1))
            rows = np.concatenate([block.rows for block in self.lists])
            sizes = [len(block.rows) for block in self.lists]
            _place(db, index, rows, np.repeat(np.arange(1, len(sizes) + 1), sizes))


def sort(db: Transaction, index: VectorIndex) -> SortedVectors | None:
    """Return the vectors in lists, to be written in another transaction; None if that is not due."""
    heads = read_heads(db, index)
    if not heads.is_large() or heads.count_unsorted() <= heads.count() // SHARE_UNSORTED:
        return None
    blocks = [
        parse_block(index, stored) for key in heads.keys for stored in _read(db, index, key[:1])
    ]
    rows = np.concatenate([block.rows for block in blocks])
    numbers = np.concatenate([block.numbers for block in blocks])
    del blocks
    lists = sort_vectors(lambda places: _scale(numbers[places]), len(rows))
    return SortedVectors(index, [_make_list(rows[own], numbers[own]) for own in lists])


def _make_list(rows: Integers, numbers: Small) -> VectorBlock:
    vectors = _scale(numbers)
    middle = _find_middle(vectors)
    return VectorBlock(rows, numbers, middle, encode(vectors, middle))


def count_sound(db: Transaction, index: VectorIndex) -> int:
    """Return how many vectors a search can find: those in sound blocks and on record there."""
    known = dict(db.run("places", vectors=index.table))
    sound = 0
    for number in {*known.values()}:
        for stored in _read(db, index, [number]):
            with suppress(StoreCorrupt):
                block = parse_block(index, stored)
                if _has_own_codes(block):
                    sound += sum(known.get(row) == number for row in block.rows.tolist())
    return sound


def _has_own_codes(block: VectorBlock) -> bool:
    kept = block.kept_codes
    made = encode(_scale(block.numbers), block.middle) if kept else None
    return kept is None or made is None or np.array_equal(kept.bits, made.bits)
