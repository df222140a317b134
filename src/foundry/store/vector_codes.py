"""Codes of one bit per dimension, which a large index compares before the vectors themselves.

A bit says whether a number is above that of the middle, the mean of some near vectors. An estimate
of a product adds up the query's numbers, with sizes rounded to at most three steps, under the signs of
the bits. Each vector has a factor that corrects its estimate, as in RaBitQ (Gao and Long, SIGMOD 2024).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from foundry.ports import Vectors
from foundry.store.text_ranking import Integers

Words = npt.NDArray[np.uint64]

_STEPS_IN_MEAN = 1.2
_LEVELS = 3
_SAMPLED = 16
_CACHED = 1 << 13
"""Vectors whose words of 64 bits fit in the processor's cache, with all intermediate results."""
_TINY = float(np.finfo(np.float32).tiny)


@dataclass(frozen=True, slots=True)
class Codes:
    """The bits of vectors, with 64 dimensions per row and a vector per column, and their factors."""

    bits: Words
    factors: Vectors

    def pack(self) -> bytes:
        """Return the bits, followed by the factors."""
        return self.bits.tobytes() + self.factors.tobytes()


def encode(vectors: Vectors, middle: Vectors) -> Codes:
    """Return the codes of vectors of length 1 relative to their ``middle``."""
    offsets = vectors - middle
    packed = np.zeros((len(vectors), 8 * count_words(len(middle))), dtype=np.uint8)
    packed[:, : -(-len(middle) // 8)] = np.packbits(offsets > 0, axis=1)
    squares = np.einsum("ij,ij->i", offsets, offsets)
    factors = squares / np.maximum(np.abs(offsets).sum(axis=1), _TINY)
    return Codes(np.ascontiguousarray(packed.view(np.uint64).T), factors.astype(np.float32))


def unpack(packed: bytes, number: int) -> Codes:
    """Return the codes of ``number`` vectors. Raises ``ValueError`` if the size does not fit."""
    end = len(packed) - 4 * number
    bits = np.frombuffer(packed[: max(end, 0)], dtype=np.uint64)
    return Codes(bits.reshape(-1, number), np.frombuffer(packed[end:], dtype=np.float32))


def count_words(dimension: int) -> int:
    """Return how many rows of 64 bits the codes have."""
    return -(-dimension // 64)


def estimate(parts: Sequence[Codes], query: Vectors) -> Vectors:
    """Return an estimate of the query's product with each vector, less that with its middle.

    Groups of codes are joined until they are ``_CACHED`` vectors, which stay in the processor's cache.
    """
    rounded = _round_query(query)
    sizes = np.array([len(part.factors) for part in parts], dtype=np.int64)
    lots = np.cumsum(sizes) // _CACHED
    bounds = [0, *(np.flatnonzero(np.diff(lots)) + 1).tolist(), len(parts)]
    found = [_estimate(parts[a:b], rounded) for a, b in pairwise(bounds)]
    return np.concatenate(found) if parts else np.zeros(0, dtype=np.float32)


def _estimate(parts: Sequence[Codes], rounded: _RoundedQuery) -> Vectors:
    factors = np.concatenate([part.factors for part in parts])
    bits = np.concatenate([part.bits for part in parts], axis=1)
    apart = np.zeros(len(factors), dtype=np.uint16)
    bits ^= rounded.signs[:, None]
    for row, ones, twos in zip(bits, rounded.low, rounded.high, strict=True):
        # At most 64 and twice 64, which is less than 256.
        counts = np.bitwise_count(row & twos)
        counts += counts
        counts += np.bitwise_count(row & ones)
        apart += counts
    estimates: Vectors = rounded.total - 2 * apart.astype(np.float32)
    estimates *= rounded.unit * factors
    return estimates


@dataclass(frozen=True, slots=True)
class _RoundedQuery:
    """The signs of the query, the two bits of its steps, a step's size, and their sum."""

    signs: Words
    low: Words
    high: Words
    unit: float
    total: int


def _round_query(query: Vectors) -> _RoundedQuery:
    sizes = np.abs(query)
    steps = sizes * (_STEPS_IN_MEAN / max(float(sizes.mean()), _TINY))
    levels = np.minimum(np.rint(steps), _LEVELS).astype(np.uint8)
    total = int(levels.sum())
    unit = float(sizes.sum()) / max(total, 1)
    return _RoundedQuery(_pack(query > 0), _pack(levels & 1), _pack(levels >> 1), unit, total)


def _pack(bits: npt.NDArray[np.generic]) -> Words:
    packed = np.zeros(8 * count_words(len(bits)), dtype=np.uint8)
    packed[: -(-len(bits) // 8)] = np.packbits(bits.astype(np.bool_))
    return packed.view(np.uint64)


def choose_best(estimates: Vectors, most: int) -> Integers:
    """Return the places of about the ``most`` highest estimates above -inf.

    The bound comes from every 16th estimate: sorting all would take as long as computing them.
    """
    sample = estimates[::_SAMPLED]
    place = min(most // _SAMPLED, len(sample) - 1)
    bound = np.partition(sample, len(sample) - 1 - place)[len(sample) - 1 - place]
    return np.flatnonzero((estimates >= bound) & (estimates > -np.inf))
