"""Dense ranking without a database: the functions that every store shares."""

from __future__ import annotations

import numpy as np
import pytest

from foundry.errors import StoreError
from foundry.store import vector_ranking
from foundry.store.vector_ranking import (
    check_vectors,
    choose_highest,
    choose_nearest,
    count_candidates,
    have_length_one,
    multiply_small,
    pack_small,
    square_small,
    unpack_small,
)

EAST, NORTH = np.eye(2, dtype=np.float32)


def test_the_nearest_are_chosen_and_excluded_ones_never() -> None:
    cosines = np.array([0.1, -np.inf, 0.9, 0.5], dtype=np.float32)
    assert choose_nearest(cosines, 2).tolist() == [2, 3]
    assert choose_nearest(cosines, 9).tolist() == [0, 2, 3]


def test_of_equal_ones_the_first_are_nearest() -> None:
    cosines = np.array([0.5, 0.9, 0.5, -np.inf, 0.5], dtype=np.float32)
    assert choose_nearest(cosines, 3).tolist() == [0, 1, 2]
    assert choose_nearest(np.full(5, -np.inf, dtype=np.float32), 3).tolist() == []


def test_all_that_equal_the_last_are_among_the_highest() -> None:
    cosines = np.array([0.5, 0.9, 0.1, 0.5, -0.2], dtype=np.float32)
    assert choose_highest(cosines, 2).tolist() == [0, 1, 3]
    assert choose_highest(cosines, 9).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("kernel", ["simsimd", "numpy"])
@pytest.mark.parametrize("dimension", [1, 7, 64, 100, 384, 1025, 3072])
def test_products_of_8_bit_vectors_are_exact(
    kernel: str, dimension: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kernel == "numpy":
        monkeypatch.setattr(vector_ranking, "KERNEL", ("numpy", np.__version__))
    rows = np.random.default_rng(2).integers(-127, 128, (9, dimension)).astype(np.int8)
    rows[0], rows[1], rows[2] = 127, -127, 0
    wide = rows.astype(np.int64)
    for query in rows[:4]:
        assert np.array_equal(multiply_small(rows, query), wide @ query)
    assert np.array_equal(square_small(rows), (wide**2).sum(axis=1))
    assert multiply_small(rows[:0], rows[0]).shape == square_small(rows[:0]).shape == (0,)


def test_four_candidates_are_compared_for_every_hit() -> None:
    assert (count_candidates(1), count_candidates(500)) == (400, 2000)


@pytest.mark.parametrize("vector", [np.ones(3), np.ones(2), np.zeros(2), np.full(2, np.nan)])
def test_a_vector_of_another_shape_or_length_is_rejected(vector: np.ndarray) -> None:
    with pytest.raises(StoreError):
        check_vectors([EAST[None], vector[None]], 2, "m")


def test_vectors_that_are_packed_again_stay_the_same() -> None:
    rows = np.random.default_rng(1).standard_normal((9, 384)).astype(np.float32)
    packed = pack_small(rows)
    assert len(packed) == rows.size
    assert pack_small(unpack_small(packed, 384)) == packed


def test_wrong_vectors_are_counted() -> None:
    packed = [EAST.tobytes(), (2 * EAST).tobytes(), b"short", NORTH.tobytes()]
    assert have_length_one(packed, 2) == 2
