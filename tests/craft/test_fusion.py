from __future__ import annotations

import pytest

from foundry.craft.fusion import fuse
from foundry.records import ChannelHit


def hits(*ids: str) -> list[ChannelHit]:
    return [ChannelHit(chunk_id, rank, 1 / rank) for rank, chunk_id in enumerate(ids, 1)]


def test_a_score_is_the_sum_of_reciprocal_ranks() -> None:
    (first,) = [found for found in fuse(hits("a", "b"), hits("b"), 60) if found.chunk_id == "b"]
    assert first.score == pytest.approx(1 / 62 + 1 / 61)
    assert (first.dense.rank, first.bm25.rank) == (2, 1)


def test_a_chunk_of_both_channels_comes_before_one_of_either() -> None:
    assert fuse(hits("x", "b"), hits("y", "b"), 60)[0].chunk_id == "b"


def test_each_chunk_comes_once_with_its_better_rank() -> None:
    twice = [ChannelHit("a", 2, 0.1), ChannelHit("a", 1, 0.2), ChannelHit("a", 3, 0.0)]
    (found,) = fuse(twice, [], 60)
    assert (found.dense.rank, found.bm25) == (1, None)


def test_ties_go_to_the_dense_channel_and_then_by_id() -> None:
    assert [f.chunk_id for f in fuse(hits("z"), hits("a"), 60)] == ["z", "a"]
    level = [ChannelHit("b", 1, 0.5), ChannelHit("a", 1, 0.5)]
    assert [f.chunk_id for f in fuse(level, [], 60)] == ["a", "b"]


def test_one_channel_alone_keeps_its_order() -> None:
    assert [f.chunk_id for f in fuse([], hits("c", "a", "b"), 60)] == ["c", "a", "b"]
    assert fuse([], [], 60) == []
