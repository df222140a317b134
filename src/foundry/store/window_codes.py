"""Windows with 3 bits a number, compared as they are packed.

The windows of a chunk are near each other, so their mean is packed, and of each window its difference
from the mean. A number is the nearest of eight levels, those that lose least of normally distributed
numbers (Lloyd, Max). Differences are rotated first, always in the same way: then they are near normal
whatever the model, also where one of its numbers is larger than the others. A rotation changes no
product, so a search rotates its question and not what is stored.

A row is two factors in half precision and the codes of its levels. The first factor of the first row
makes its levels the mean. Those of every other row say how much of the mean, less 1, and how much of
the row's own levels make a window of length 1.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from foundry.errors import StoreError
from foundry.ports import Vectors
from foundry.store.text_ranking import Integers
from foundry.store.vector_ranking import multiply, pack_vector, unpack_small

_Bytes = npt.NDArray[np.uint8]

_POSITIVE = (0.2451942, 0.7550435, 1.3414310, 2.1521595)
_LEVELS = np.array([*(-level for level in reversed(_POSITIVE)), *_POSITIVE], dtype=np.float32)
_EDGES = (_LEVELS[1:] + _LEVELS[:-1]) / 2
_FOURS = _LEVELS[np.arange(1 << 12)[:, None] >> np.array([0, 3, 6, 9]) & 7]
"""The levels of each 12 bits: reading four numbers at once takes a quarter of the time."""

_FACTORS = 4
"""Bytes of the factors of a row."""

_LEAST = 1e-3
"""Least length that is divided by: windows of damaged numbers can have none."""


def measure_row(dimension: int) -> int:
    """The bytes of a row; a chunk has one for its mean and one for each window."""
    return _FACTORS + -(-dimension // 8) * 3


def rank_windows(
    candidates: Sequence[tuple[str, bytes]], query: Vectors
) -> list[tuple[str, float]]:
    """Chunk ids with the cosine of their nearest window, best first, ties by id.

    A candidate is a chunk's id with its windows as ``pack_windows`` makes them.
    """
    if not candidates:
        return []
    counts, factors, levels = _read_rows([data for _, data in candidates], len(query))
    starts = np.cumsum(counts) - counts
    means = np.repeat(multiply(levels[starts], query) * factors[starts, 0], counts)
    products = multiply(levels, _rotate(query[None])[0])
    cosines = means * (1 + factors[:, 0]) + products * factors[:, 1]
    cosines[starts] = -1
    best = np.minimum(np.maximum.reduceat(cosines, starts), 1)
    scored = [(chunk, float(score)) for (chunk, _), score in zip(candidates, best, strict=True)]
    return sorted(scored, key=lambda item: (-item[1], item[0]))


def pack_windows(windows: Vectors, dimension: int, model: str) -> bytes:
    """The windows of a chunk; raises ``StoreError`` as ``pack_vector`` does, and if there are none."""
    for window in windows:
        pack_vector(window, dimension, model)
    if not len(windows):
        raise StoreError("store-no-windows", where=model)
    return _pack(np.asarray(windows, dtype=np.float32))


def unpack_windows(packed: bytes, dimension: int) -> Vectors:
    """The windows of a chunk, of length 1."""
    _, factors, levels = _read_rows([packed], dimension)
    means = levels[:1] * factors[0, 0] * (1 + factors[1:, :1])
    windows: Vectors = means + _rotate(levels[1:] * factors[1:, 1:], back=True)
    return windows


def repack_windows(packed: bytes, dimension: int) -> bytes:
    """Windows with 8 bits a number, as earlier versions kept them, with 3 bits."""
    return _pack(unpack_small(packed, dimension))


def _pack(windows: Vectors) -> bytes:
    whole = windows.mean(axis=0, keepdims=True)
    code, levels = _encode(whole)
    share = _fit(levels, whole).astype(np.float16)
    mean = levels * share
    # Lengths stay the same where the mean is rotated too.
    turned, *_ = rotated = _rotate(np.append(mean, windows - mean, axis=0))
    codes, levels = _encode(rotated[1:])
    shares = _fit(levels, rotated[1:])
    lengths = np.linalg.norm(turned + levels * shares, axis=1, keepdims=True)
    lengths = np.maximum(lengths, _LEAST)
    first = np.append(share, np.zeros_like(share), axis=1)
    others = np.append(1 / lengths - 1, shares / lengths, axis=1)
    factors = np.concatenate([first, others]).astype("<f2").view(np.uint8)
    packed: bytes = np.append(factors, np.concatenate([code, codes]), axis=1).tobytes()
    return packed


def _fit(levels: Vectors, rows: Vectors) -> Vectors:
    """The factor with which each row of levels is nearest to its row."""
    products = np.einsum("ij,ij->i", levels, rows) / np.einsum("ij,ij->i", levels, levels)
    fitted: Vectors = products[:, None]
    return fitted


def _encode(rows: Vectors) -> tuple[_Bytes, Vectors]:
    """The codes of rows, and the levels that they mean: the nearest to the numbers of each row.

    Four numbers have 12 bits. The low bytes of all fours come first, then the other bits of one four of
    the first half and one of the second, a byte for both.
    """
    number, dimension = rows.shape
    spread = np.sqrt(np.einsum("ij,ij->i", rows, rows) / dimension)[:, None]
    places = np.zeros((number, -(-dimension // 8) * 8), dtype=np.uint16)
    places[:, :dimension] = np.searchsorted(_EDGES, rows / np.maximum(spread, _LEAST / dimension))
    fours = places[:, ::4] | places[:, 1::4] << 3 | places[:, 2::4] << 6 | places[:, 3::4] << 9
    high, half = fours >> 8, fours.shape[1] // 2
    codes = np.concatenate([fours & 255, high[:, :half] | high[:, half:] << 4], axis=1)
    return codes.astype(np.uint8), _LEVELS[places[:, :dimension]]


def _read_rows(packed: Sequence[bytes], dimension: int) -> tuple[Integers, Vectors, Vectors]:
    """How many rows each chunk has, the factors of all rows, and their levels."""
    size = measure_row(dimension)
    counts = np.array([len(data) // size for data in packed], dtype=np.int64)
    rows = np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(-1, size)
    factors = np.ascontiguousarray(rows[:, :_FACTORS]).view("<f2").astype(np.float32)
    half = -(-dimension // 8)
    fours = rows[:, _FACTORS : _FACTORS + 2 * half].astype(np.uint16)
    high = rows[:, _FACTORS + 2 * half :].astype(np.uint16)
    fours[:, :half] |= (high & 15) << 8
    fours[:, half:] |= high >> 4 << 8
    levels = np.take(_FOURS, fours, axis=0).reshape(len(rows), -1)[:, :dimension]
    return counts, factors, levels


def _rotate(rows: Vectors, *, back: bool = False) -> Vectors:
    """The rows after a fixed rotation, or before it.

    Twice, signs change in a fixed order, and a Hartley transform, which is its own inverse, mixes all numbers.
    """
    first, second = _choose_signs(rows.shape[1])
    rotated: Vectors = (
        _mix(_mix(rows) * second) * first if back else _mix(_mix(rows * first) * second)
    )
    return rotated


@lru_cache(maxsize=4)
def _choose_signs(dimension: int) -> Vectors:
    bits = np.frombuffer(hashlib.shake_256(b"windows").digest(2 * dimension), dtype=np.uint8) & 1
    signs: Vectors = 1 - 2 * bits.astype(np.float32).reshape(2, dimension)
    return signs


def _mix(rows: Vectors) -> Vectors:
    waves = np.fft.fft(rows, axis=1, norm="ortho")
    mixed: Vectors = (waves.real - waves.imag).astype(np.float32, copy=False)
    return mixed
