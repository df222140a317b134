"""Dense search as every store computes it: candidates by whole vectors, ranked by windows.

Each chunk has one vector, which finds candidates, and the vectors of its windows
(``window_codes``), which rank them: a fact in a long chunk can be near a question although the
chunk as a whole is not. The store finds the candidates: by every vector, or by the index of its database.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import numpy as np
import numpy.typing as npt

from foundry.errors import StoreError
from foundry.ports import Vectors
from foundry.store.text_ranking import Integers

try:
    import simsimd
except ImportError:  # Where it has no wheel, such as Python 3.14 on Macs with Intel processors.
    KERNEL = "numpy", np.__version__
else:
    KERNEL = "simsimd", version("simsimd")

Small = npt.NDArray[np.int8]

CANDIDATES = 400
"""At least so many chunks have their windows compared: all chunks of a small project. Of the ten nearest
of 1,086 real chunks, 200 have 89 % and 400 95 % (docs/decisions/0067)."""

LENGTH_TOLERANCE = 1e-3
"""Allowed deviation of a vector's length from 1; rounding to half precision or 8 bits stays below it."""


def count_candidates(limit: int) -> int:
    """How many chunks have their windows compared for ``limit`` hits."""
    return max(CANDIDATES, 4 * limit)


def multiply(vectors: Vectors, query: Vectors) -> Vectors:
    """The product of each row with the query, the same to the last bit wherever the row is.

    A matrix product may sum the rows at its edge in another order, so that hidden chunks would
    change scores. This takes a fifth more time, on one core.
    """
    products: Vectors = np.vecdot(vectors, query)
    return products


def multiply_small(numbers: Small, query: Small) -> Vectors:
    """Return the product of each row with the query, which with 8 bits a number is exact.

    NumPy takes some twenty times as long as simsimd.
    """
    if KERNEL[0] == "numpy" or not len(numbers):
        return multiply(_widen(numbers), _widen(query))
    # Without ``out``: with it, simsimd 6.5.16 crashes the interpreter after some thousand calls.
    products: Vectors = np.asarray(simsimd.cdist(numbers, query[None], metric="dot"))[:, 0]
    return products


def square_small(numbers: Small) -> Vectors:
    """Return the squared length of each row, which is exact too."""
    if KERNEL[0] == "numpy" or not len(numbers):
        return multiply(_widen(numbers), _widen(numbers))
    squares: Vectors = np.asarray(simsimd.dot(numbers, numbers))
    return squares


def _widen(numbers: Small) -> Vectors:
    """Return numbers whose products can be added up without rounding."""
    largest = 127 * 127 * numbers.shape[-1]
    return numbers.astype(np.float32 if largest < 1 << 24 else np.float64)


def choose_nearest(cosines: Vectors, count: int) -> Integers:
    """The places of the ``count`` highest cosines above -inf, in ascending order; of equal ones the first."""
    places = np.flatnonzero(cosines > -np.inf)
    if len(places) <= count:
        return places
    # Among many equal values, such as -inf, NumPy takes ten times as long to find the bound.
    near = cosines if len(places) == len(cosines) else cosines[places]
    bound = np.partition(near, -count)[-count]
    higher, equal = places[near > bound], places[near == bound]
    return np.sort(np.concatenate([higher, equal[: count - len(higher)]]))


def choose_highest(cosines: Vectors, limit: int) -> Integers:
    """The places of the ``limit`` highest cosines and of those equal to the last."""
    if len(cosines) <= limit:
        return np.arange(len(cosines))
    return np.flatnonzero(cosines >= np.partition(cosines, -limit)[-limit])


# How vectors are stored


def check_vectors(parts: Sequence[Vectors], dimension: int, model: str) -> Vectors:
    """Return the rows of several arrays as one in single precision.

    Raises ``StoreError`` for a row that has not ``dimension`` numbers or whose length is not 1.
    """
    for part in parts:
        if part.ndim != 2 or part.shape[1] != dimension:
            raise StoreError(
                "store-vector-shape",
                where=model,
                shape=" × ".join(map(str, part.shape[1:])),
                dimension=str(dimension),
            )
    rows: Vectors = np.concatenate([*parts, np.zeros((0, dimension))], dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1)
    wrong = ~(np.abs(lengths - 1) <= LENGTH_TOLERANCE)
    if wrong.any():
        raise StoreError("store-vector-length", where=model, length=f"{lengths[wrong][0]:.4g}")
    return rows


def pack_small(vectors: Vectors) -> bytes:
    """Rows of 8-bit numbers, the largest of each row 127.

    One that was packed before keeps its numbers; what is no number becomes 0.
    """
    values = np.nan_to_num(np.asarray(vectors, dtype=np.float32), posinf=0, neginf=0)
    most = np.abs(values).max(axis=1, keepdims=True)
    most[most == 0] = 1
    packed: bytes = np.rint(values * (127 / most)).astype(np.int8).tobytes()
    return packed


def unpack_small(packed: bytes, dimension: int) -> Vectors:
    """The rows that were packed, in single precision and of length 1; one of length 0 stays so."""
    values = np.frombuffer(packed, dtype=np.int8).reshape(-1, dimension).astype(np.float32)
    values /= np.maximum(np.linalg.norm(values, axis=1, keepdims=True), 1)
    return values


def shrink(packed: bytes, dimension: int) -> bytes:
    """Windows in half precision, as earlier versions kept them, with 8 bits a number."""
    halves = np.frombuffer(packed, dtype=np.float16).reshape(-1, dimension)
    return pack_small(halves.astype(np.float32))


def have_length_one(packed: Sequence[bytes], dimension: int) -> int:
    """How many of these packed vectors have the right shape and length."""
    whole = [data for data in packed if isinstance(data, bytes) and len(data) == 4 * dimension]
    values = np.frombuffer(b"".join(whole), dtype=np.float32).reshape(-1, dimension)
    lengths = np.linalg.norm(values, axis=1)
    return int(np.count_nonzero(np.abs(lengths - 1) <= LENGTH_TOLERANCE))
