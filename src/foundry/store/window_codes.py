"""Windows with 4 bits per dimension, compared without unpacking.

The windows of a chunk are near each other, so their mean is packed, and for each window its difference
from the mean. A number is rounded to the nearest of sixteen levels, which lose least with normally
distributed numbers (Lloyd, Max). The differences go through a fixed rotation first, which makes them
nearly normal with any model, even if one dimension is larger than the others. A rotation changes no
product, so a search rotates the query and leaves the stored windows as they are.

A row is two bytes of factors and the codes of its levels. The first byte is the share of the mean in a
window, the second the length of its difference; in the first row, the second is the length of the mean.
After the last row there are two bytes of a checksum, which earlier versions did not write.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from foundry.errors import StoreError
from foundry.ports import Vectors
from foundry.store.text_ranking import Integers
from foundry.store.vector_ranking import check_vectors, multiply, unpack_small

_Bytes = npt.NDArray[np.uint8]

_POSITIVE = (0.1284, 0.3881, 0.6568, 0.9424, 1.2562, 1.6181, 2.0691, 2.7327)
_LEVELS = np.array([*(-level for level in reversed(_POSITIVE)), *_POSITIVE], dtype=np.float32)
_EDGES = (_LEVELS[1:] + _LEVELS[:-1]) / 2
_PAIRS = _LEVELS[np.arange(1 << 8)[:, None] >> np.array([0, 4]) & 15]
"""The two levels in each byte."""

_FACTORS = 2
"""Bytes that the factors of a row take."""

_CHECKSUM = 2
"""Bytes of the checksum: fewer than a row has, so that the size of all shows whether there is one."""

_SHARE = 2048
_SCALE = 255
"""How a byte counts a share of 1 and a length of 1. For a share, its difference from 1 is stored."""

_AT_ONCE = 64

_LEAST = 1e-3
"""Smallest length to divide by: damaged windows can have length 0."""


def _measure_row(dimension: int) -> int:
    """Return the bytes of a row; a chunk has one for its mean and one for each window."""
    return _FACTORS + -(-dimension // 2)


def compare_windows(packed: Sequence[bytes], query: Vectors) -> Vectors:
    """Return the cosine of each chunk's nearest window with a query, at most 1.

    Each chunk's windows are given as ``pack_windows`` makes them.
    """
    if not packed:
        return np.zeros(0, dtype=np.float32)
    counts, rows = _split_rows(packed, len(query))
    factors = _read_factors(rows, len(query))
    whole, products = _multiply_levels(rows, query, _rotate(query[None])[0])
    starts = np.cumsum(counts) - counts
    means = np.repeat(whole[starts] * factors[starts, 1], counts)
    cosines = means * factors[:, 0] + products * factors[:, 1]
    cosines[starts] = -1
    nearest: Vectors = np.minimum(np.maximum.reduceat(cosines, starts), 1)
    return nearest


def _multiply_levels(rows: _Bytes, query: Vectors, rotated: Vectors) -> tuple[Vectors, Vectors]:
    """Return the products of each row's levels with two vectors.

    Levels are read into the same memory for some rows at a time, which stays in the processor's cache.
    """
    found = np.empty((2, len(rows)), dtype=np.float32)
    places = np.empty((_AT_ONCE, rows.shape[1] - _FACTORS), dtype=np.intp)
    levels = np.empty((*places.shape, 2), dtype=np.float32)
    for first in range(0, len(rows), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        number = len(rows[part])
        places[:number] = rows[part, _FACTORS:]
        # Without a mode, NumPy would copy what it reads.
        np.take(_PAIRS, places[:number], axis=0, out=levels[:number], mode="clip")
        read = levels[:number].reshape(number, -1)[:, : len(query)]
        found[0, part], found[1, part] = multiply(read, query), multiply(read, rotated)
    return found[0], found[1]


def pack_windows(chunks: Sequence[Vectors], dimension: int, model: str) -> list[bytes]:
    """Return the packed windows of each chunk.

    Raises ``StoreError`` as ``check_vectors`` does, and for a chunk without windows.
    """
    if not all(map(len, chunks)):
        raise StoreError("store-no-windows", where=model)
    windows = check_vectors(chunks, dimension, model)
    return _pack(windows, [len(part) for part in chunks]) if chunks else []


def unpack_windows(packed: bytes, dimension: int) -> Vectors:
    """Return the windows of a chunk, with length 1."""
    return unpack_each([packed], dimension)[0]


def unpack_each(packed: Sequence[bytes], dimension: int) -> list[Vectors]:
    """Return the windows of each chunk, with length 1."""
    if not packed:
        return []
    counts, rows = _split_rows(packed, dimension)
    factors = _read_factors(rows, dimension)
    levels = _PAIRS[rows[:, _FACTORS:]].reshape(len(rows), -1)[:, :dimension]
    starts = np.cumsum(counts) - counts
    wholes = np.repeat(levels[starts] * factors[starts, 1:], counts - 1, axis=0)
    levels, factors = np.delete(levels, starts, axis=0), np.delete(factors, starts, axis=0)
    windows = wholes * factors[:, :1] + _rotate(levels * factors[:, 1:], back=True)
    windows /= np.maximum(np.linalg.norm(windows, axis=1, keepdims=True), _LEAST)
    return np.split(windows, np.cumsum(counts - 1)[:-1])


def are_sound(packed: bytes, dimension: int) -> bool:
    """Return whether the packed windows of a chunk can be read, and are those written."""
    with suppress(ValueError):
        _split_rows([packed], dimension)
        return True
    return False


def repack_windows(packed: bytes, dimension: int) -> bytes:
    """Return windows with 4 bits per dimension from those with 8 bits of earlier versions."""
    windows = unpack_small(packed, dimension)
    return _pack(windows, [len(windows)])[0]


def _pack(windows: Vectors, sizes: Sequence[int]) -> list[bytes]:
    """Return the rows of each chunk, given the windows of all and how many each has."""
    dimension, counts = windows.shape[1], np.array(sizes)
    firsts = np.cumsum(counts) - counts
    parts = zip(firsts, firsts + counts, strict=True)
    wholes = np.stack([windows[first:end].mean(axis=0) for first, end in parts])
    code, levels, scale = _encode(wholes)
    means = levels * _read_scale(scale, dimension)
    # Lengths are the same whether or not the means are rotated too.
    turned = _rotate(means)
    codes, levels, scales = _encode(_rotate(windows - np.repeat(means, counts, axis=0)))
    rest = levels * _read_scale(scales, dimension)
    lengths = np.linalg.norm(np.repeat(turned, counts, axis=0) + rest, axis=1, keepdims=True)
    shares = np.clip(np.rint((1 / np.maximum(lengths, _LEAST) - 1) * _SHARE), -127, 127)
    first = np.concatenate([np.zeros_like(scale), scale, code], axis=1)
    others = np.concatenate([shares.astype(np.int8).view(np.uint8), scales, codes], axis=1)
    return [
        _seal(mean.tobytes() + others[start : start + count].tobytes())
        for mean, start, count in zip(first, firsts, counts, strict=True)
    ]


def _seal(rows: bytes) -> bytes:
    return rows + (zlib.crc32(rows) & 0xFFFF).to_bytes(_CHECKSUM, "little")


def _open(packed: bytes, size: int) -> bytes:
    """Return the rows, each of that size. Raises ``ValueError`` if they are not those written."""
    if len(packed) % size != _CHECKSUM:
        return packed
    rows = packed[:-_CHECKSUM]
    if packed != _seal(rows):
        raise ValueError("checksum")
    return rows


def _read_scale(scale: _Bytes, dimension: int) -> Vectors:
    read: Vectors = scale.astype(np.float32) / np.float32(_SCALE * dimension**0.5)
    return read


def _encode(rows: Vectors) -> tuple[_Bytes, Vectors, _Bytes]:
    """Return the codes of rows, their levels, and the byte with each row's length."""
    number, dimension = rows.shape
    spread = np.sqrt(np.einsum("ij,ij->i", rows, rows) / dimension)[:, None]
    places = np.zeros((number, -(-dimension // 2) * 2), dtype=np.uint8)
    scaled = rows / np.maximum(spread, _LEAST / dimension)
    # Counting the edges below is several times as fast as searching for each number.
    for edge in _EDGES:
        places[:, :dimension] += scaled > edge
    levels = _LEVELS[places[:, :dimension]]
    products = np.einsum("ij,ij->i", levels, rows) / np.einsum("ij,ij->i", levels, levels)
    scale = np.clip(np.rint(products[:, None] * _SCALE * dimension**0.5), 0, 255)
    return places[:, ::2] | places[:, 1::2] << 4, levels, scale.astype(np.uint8)


def _split_rows(packed: Sequence[bytes], dimension: int) -> tuple[Integers, _Bytes]:
    """Return how many rows each chunk has, and all rows.

    Raises ``ValueError`` if a size does not fit, or rows are not those written.
    """
    size = _measure_row(dimension)
    packed = [_open(data, size) for data in packed]
    counts, left = np.divmod(np.array([len(data) for data in packed], dtype=np.int64), size)
    if left.any() or not (counts > 1).all():
        raise ValueError("size")
    return counts, np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(-1, size)


def _read_factors(rows: _Bytes, dimension: int) -> Vectors:
    """Return by what the mean and the levels of each row are multiplied."""
    shares = 1 + rows[:, :1].view(np.int8).astype(np.float32) / _SHARE
    return np.concatenate([shares, shares * _read_scale(rows[:, 1:2], dimension)], axis=1)


def _rotate(rows: Vectors, *, back: bool = False) -> Vectors:
    """Return the rows after a fixed rotation, or with ``back`` before it.

    Twice, some signs are flipped, always the same ones, and a Hartley transform, its own inverse, mixes
    all numbers.
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
