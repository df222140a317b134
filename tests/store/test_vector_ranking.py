"""Dense ranking without a database: the functions that every store shares."""

from __future__ import annotations

import numpy as np
import pytest

from foundry.errors import StoreError
from foundry.store.vector_ranking import (
    choose_nearest,
    count_candidates,
    have_length_one,
    pack_small,
    pack_vector,
    pack_windows,
    rank_windows,
    shrink,
    unpack_small,
)

EAST, NORTH = np.eye(2, dtype=np.float32)


def windows(*rows: np.ndarray) -> bytes:
    return pack_windows(np.stack(rows), rows[0].size, "m")


def test_a_chunk_is_as_near_as_its_nearest_window() -> None:
    candidates = [("a", windows(NORTH)), ("b", windows(NORTH, EAST, NORTH))]
    assert rank_windows(candidates, EAST) == [("b", 1.0), ("a", 0.0)]


def test_equally_near_chunks_are_ranked_by_id() -> None:
    candidates = [("b", windows(EAST)), ("a", windows(EAST))]
    assert [chunk for chunk, _ in rank_windows(candidates, EAST)] == ["a", "b"]


def test_nothing_is_ranked_without_candidates() -> None:
    assert rank_windows([], EAST) == []


def test_a_score_does_not_depend_on_the_other_candidates() -> None:
    rng = np.random.default_rng(1)
    rows = rng.standard_normal((9, 384), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    packed = [(str(n), pack_windows(row[None], 384, "m")) for n, row in enumerate(rows)]
    together = dict(rank_windows(packed, rows[0]))
    assert all(dict(rank_windows([one], rows[0])) == {one[0]: together[one[0]]} for one in packed)


def test_the_nearest_are_chosen_and_excluded_ones_never() -> None:
    cosines = np.array([0.1, -np.inf, 0.9, 0.5], dtype=np.float32)
    assert choose_nearest(cosines, 2).tolist() == [2, 3]
    assert choose_nearest(cosines, 9).tolist() == [0, 2, 3]


def test_four_candidates_are_compared_for_every_hit() -> None:
    assert (count_candidates(1), count_candidates(500)) == (400, 2000)


@pytest.mark.parametrize("vector", [np.ones(3), np.ones(2), np.zeros(2), np.full(2, np.nan)])
def test_a_vector_of_another_shape_or_length_is_rejected(vector: np.ndarray) -> None:
    with pytest.raises(StoreError):
        pack_vector(vector, 2, "m")


def test_windows_take_a_byte_a_number_and_keep_length_one() -> None:
    rows = np.random.default_rng(1).standard_normal((9, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    packed = windows(*rows)
    found = unpack_small(packed, 384)
    assert len(packed) == rows.size
    assert np.all(np.abs(found - rows) < np.abs(rows).max(axis=1, keepdims=True) / 240)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)


def test_windows_that_are_packed_again_stay_the_same() -> None:
    rows = np.random.default_rng(1).standard_normal((9, 384)).astype(np.float32)
    packed = pack_small(rows)
    assert pack_small(unpack_small(packed, 384)) == packed


def test_the_windows_of_earlier_versions_become_small() -> None:
    third = np.array([[1 / 3, np.sqrt(8) / 3], EAST])
    assert shrink(third.astype(np.float16).tobytes(), 2) == windows(*third)


def test_a_chunk_needs_a_window() -> None:
    with pytest.raises(StoreError, match="no vectors for its windows"):
        pack_windows(np.zeros((0, 2)), 2, "m")


def test_wrong_vectors_are_counted() -> None:
    packed = [EAST.tobytes(), (2 * EAST).tobytes(), b"short", NORTH.tobytes()]
    assert have_length_one(packed, 2) == 2
