"""Dense ranking without a database: the functions that every store shares."""

from __future__ import annotations

import numpy as np
import pytest

from foundry.errors import StoreError
from foundry.store.vector_ranking import (
    check_vectors,
    choose_highest,
    choose_nearest,
    count_candidates,
    have_length_one,
    pack_small,
    unpack_small,
)

EAST, NORTH = np.eye(2, dtype=np.float32)


def test_the_nearest_are_chosen_and_excluded_ones_never() -> None:
    cosines = np.array([0.1, -np.inf, 0.9, 0.5], dtype=np.float32)
    assert choose_nearest(cosines, 2).tolist() == [2, 3]
    assert choose_nearest(cosines, 9).tolist() == [0, 2, 3]


def test_all_that_equal_the_last_are_among_the_highest() -> None:
    cosines = np.array([0.5, 0.9, 0.1, 0.5, -0.2], dtype=np.float32)
    assert choose_highest(cosines, 2).tolist() == [0, 1, 3]
    assert choose_highest(cosines, 9).tolist() == [0, 1, 2, 3, 4]


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
