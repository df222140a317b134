"""Windows of 4 bits a number: how near they stay, and how they are ranked."""

from __future__ import annotations

import numpy as np
import pytest

from foundry.errors import StoreError
from foundry.ports import Vectors
from foundry.store.vector_ranking import LENGTH_TOLERANCE, pack_small, shrink
from foundry.store.window_codes import (
    are_sound,
    compare_windows,
    pack_windows,
    repack_windows,
    unpack_each,
    unpack_windows,
)

EAST, NORTH = np.eye(8, dtype=np.float32)[:2]


def windows(*rows: np.ndarray) -> bytes:
    return pack_windows([np.stack(rows)], rows[0].size, "m")[0]


def make_rows(number: int, dimension: int = 384) -> Vectors:
    rows = np.random.default_rng(1).standard_normal((number, dimension), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def test_a_chunk_is_as_near_as_its_nearest_window() -> None:
    far, near = compare_windows([windows(NORTH), windows(NORTH, EAST, NORTH)], EAST)
    assert near == pytest.approx(1, abs=0.05)
    assert far == pytest.approx(0, abs=0.05)


@pytest.mark.parametrize("end", [0, 1, 6, 7])
def test_windows_of_a_wrong_size_are_never_compared(end: int) -> None:
    whole = windows(NORTH, EAST)
    with pytest.raises(ValueError, match="size"):
        compare_windows([whole[:end], whole], EAST)


def test_a_changed_byte_is_noticed() -> None:
    whole = windows(NORTH, EAST)
    assert are_sound(whole, EAST.size)
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1
        assert not are_sound(bytes(changed), EAST.size)
        with pytest.raises(ValueError, match="checksum"):
            compare_windows([bytes(changed)], EAST)


def test_windows_of_versions_without_a_checksum_are_read() -> None:
    whole = windows(NORTH, EAST)
    assert are_sound(whole[:-2], EAST.size)
    assert compare_windows([whole[:-2]], EAST) == compare_windows([whole], EAST)


def test_nothing_is_compared_without_chunks() -> None:
    assert not len(compare_windows([], EAST))


def test_a_score_does_not_depend_on_the_other_candidates() -> None:
    rows = make_rows(150)
    packed = [windows(*rows[n : n + 1 + n % 3]) for n in range(140)]
    alone = [float(compare_windows([one], rows[-1])[0]) for one in packed]
    assert compare_windows(packed, rows[-1]).tolist() == alone


def test_a_score_is_the_cosine_of_what_is_read() -> None:
    rows = make_rows(5)
    packed = windows(*rows[:4])
    (score,) = compare_windows([packed], rows[4])
    assert score == pytest.approx(float((unpack_windows(packed, 384) @ rows[4]).max()), abs=1e-3)


def test_windows_do_not_depend_on_those_unpacked_with_them() -> None:
    rows = make_rows(20)
    packed = [windows(*rows[n : n + 1 + n % 3]) for n in range(15)]
    for one, found in zip(packed, unpack_each(packed, 384), strict=True):
        np.testing.assert_array_equal(found, unpack_windows(one, 384), strict=True)
    assert unpack_each([], 384) == []


def test_no_score_is_above_1() -> None:
    packed = windows(*make_rows(3))
    nearest = unpack_windows(packed, 384)
    assert all(compare_windows([packed], one)[0] <= 1 for one in nearest)


@pytest.mark.parametrize("dimension", [2, 9, 384])
def test_windows_take_4_bits_a_number_and_keep_length_one(dimension: int) -> None:
    packed = windows(*make_rows(4, dimension))
    found = unpack_windows(packed, dimension)
    assert len(packed) == 5 * (-(-dimension // 2) + 2) + 2
    assert found.shape == (4, dimension)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=LENGTH_TOLERANCE)


def test_near_windows_come_back_nearer_than_far_ones() -> None:
    far = make_rows(4)
    near = far + 3 * far[0]
    near /= np.linalg.norm(near, axis=1, keepdims=True)
    lost = [np.linalg.norm(unpack_windows(windows(*one), 384) - one) for one in (near, far)]
    assert lost[0] < 0.6 * lost[1] < 0.2


def test_a_number_larger_than_the_others_costs_nothing() -> None:
    rows = make_rows(4)
    uneven = rows * np.where(np.arange(384) == 5, 50, 1)
    uneven /= np.linalg.norm(uneven, axis=1, keepdims=True)
    lost = [np.linalg.norm(unpack_windows(windows(*one), 384) - one) for one in (uneven, rows)]
    assert lost[0] < 1.2 * lost[1]


def test_the_windows_of_earlier_versions_are_repacked() -> None:
    rows = make_rows(3)
    assert repack_windows(pack_small(rows), 384) == windows(*pack_and_read(rows))
    assert shrink(rows.astype(np.float16).tobytes(), 384) == pack_small(rows.astype(np.float16))


def pack_and_read(rows: Vectors) -> Vectors:
    small = np.frombuffer(pack_small(rows), dtype=np.int8).reshape(rows.shape).astype(np.float32)
    small /= np.linalg.norm(small, axis=1, keepdims=True)
    return small


def test_chunks_are_packed_together_as_each_alone() -> None:
    rows = make_rows(10)
    chunks = [rows[:1], rows[1:5], rows[5:]]
    assert pack_windows(chunks, 384, "m") == [windows(*one) for one in chunks]
    assert pack_windows([], 384, "m") == []


def test_a_chunk_needs_a_window() -> None:
    with pytest.raises(StoreError, match="no vectors for its windows"):
        pack_windows([EAST[None, :2], np.zeros((0, 2), dtype=np.float32)], 2, "m")
