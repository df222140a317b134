"""One bit of each number of a vector, which a large index compares before the vectors themselves.

A bit says whether the number is above its mean in a sample of the index. An estimate of a cosine adds
the query's numbers, rounded to three levels, with the signs of the bits; each vector has a factor
that makes its own estimate fit (as RaBitQ does, Gao and Long, SIGMOD 2024). Counting bits of whole
words takes a twentieth of the time of a product. The nearest by estimate are then compared exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from foundry.ports import Vectors
from foundry.store.text_ranking import Integers

Words = npt.NDArray[np.uint64]

LEAST_COMPARED = 6000
SHARE_COMPARED = 40
"""So many vectors are compared exactly, and one in 40 of all: measured in docs/decisions/0059."""

_STEPS_IN_MEAN = 1.2
_LEVELS = 3
_SAMPLED = 16
_AT_ONCE = 1 << 13


@dataclass(frozen=True, slots=True)
class CodeFrame:
    """The mean of each number in a sample, and its mean distance from that."""

    mean: Vectors
    spread: Vectors


@dataclass(frozen=True, slots=True)
class Codes:
    """The bits of vectors, 64 numbers a row and a vector a column, and their factors."""

    bits: Words
    factors: Vectors


def make_frame(sample: Vectors) -> CodeFrame:
    """The frame of a sample of vectors of length 1."""
    mean = sample.mean(axis=0)
    return CodeFrame(mean, np.abs(sample - mean).mean(axis=0))


def encode(frame: CodeFrame, vectors: npt.NDArray[np.int8] | Vectors, lengths: Vectors) -> Codes:
    """The codes of vectors that have these lengths; one of length 0 has any."""
    number, dimension = vectors.shape
    packed = np.zeros((number, -(-dimension // 64) * 8), dtype=np.uint8)
    factors = np.zeros(number, dtype=np.float32)
    for start in range(0, number, _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        scales = 1 / np.maximum(lengths[part], 1)
        offsets = vectors[part] * scales[:, None] - frame.mean
        packed[part, : -(-dimension // 8)] = np.packbits(offsets > 0, axis=1)
        estimates = np.abs(offsets) @ frame.spread
        squares = np.einsum("ij,ij->i", offsets, offsets)
        factors[part] = squares / np.maximum(estimates, np.finfo(np.float32).tiny)
    return Codes(np.ascontiguousarray(packed.view(np.uint64).T), factors)


def estimate(frame: CodeFrame, codes: Codes, query: Vectors) -> Vectors:
    """A number for each vector that grows with its cosine to the query."""
    signs, planes, total = _round_query(frame, query)
    apart = np.zeros(len(codes.factors), dtype=np.uint16)
    for row, sign, low, high in zip(codes.bits, signs, *planes, strict=True):
        differ = row ^ sign
        apart += np.bitwise_count(differ & low)
        twice = np.bitwise_count(differ & high)
        apart += twice
        apart += twice
    return (total - 2 * apart.astype(np.float32)) * codes.factors


def _round_query(frame: CodeFrame, query: Vectors) -> tuple[Words, tuple[Words, Words], int]:
    """The signs of the query's numbers, the two bits of their rounded sizes, and the sum of these."""
    weighed = query * frame.spread
    sizes = np.abs(weighed)
    steps = sizes * (_STEPS_IN_MEAN / max(float(sizes.mean()), float(np.finfo(np.float32).tiny)))
    levels = np.minimum(np.rint(steps), _LEVELS).astype(np.uint8)
    low, high = _pack(levels & 1), _pack(levels >> 1)
    return _pack(weighed > 0), (low, high), int(levels.sum())


def _pack(bits: npt.NDArray[np.generic]) -> Words:
    packed = np.zeros(-(-len(bits) // 64) * 8, dtype=np.uint8)
    packed[: -(-len(bits) // 8)] = np.packbits(bits.astype(np.bool_))
    return packed.view(np.uint64)


def count_compared(number: int, wanted: int) -> int:
    """How many of a ``number`` of vectors are compared exactly for the nearest ``wanted``."""
    return max(LEAST_COMPARED + number // SHARE_COMPARED, 4 * wanted)


def choose_best(estimates: Vectors, most: int) -> Integers:
    """The places of about the ``most`` highest estimates above -inf.

    The bound is that of every 16th estimate: sorting all would take as long as making them.
    """
    sample = estimates[::_SAMPLED]
    place = min(most // _SAMPLED, len(sample) - 1)
    bound = np.partition(sample, len(sample) - 1 - place)[len(sample) - 1 - place]
    return np.flatnonzero((estimates >= bound) & (estimates > -np.inf))


def cut(number: int, size: int) -> Iterator[slice]:
    """Slices of ``size`` that cover a ``number``."""
    return (slice(start, start + size) for start in range(0, number, size))
