"""Two ranked lists → one, by reciprocal rank fusion.

The fused score orders candidates and says nothing about relevance; the gate
never looks at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foundry.records import ChannelHit


@dataclass(frozen=True, slots=True)
class Fused:
    """A chunk with its fused score and its place in each channel that found it."""

    chunk_id: str
    score: float
    dense: ChannelHit | None = None
    bm25: ChannelHit | None = None


def fuse(dense: Sequence[ChannelHit], bm25: Sequence[ChannelHit], k: int) -> list[Fused]:
    """Every chunk of either list once, best first; score = sum of 1 / (k + rank).

    Ties go to the better single rank, then to the dense channel, then by chunk id.
    Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009.
    """
    by_dense, by_bm25 = _best(dense), _best(bm25)
    merged = [
        _fused(chunk_id, by_dense.get(chunk_id), by_bm25.get(chunk_id), k)
        for chunk_id in by_dense | by_bm25
    ]
    return sorted(merged, key=_order)


def _best(hits: Sequence[ChannelHit]) -> dict[str, ChannelHit]:
    best: dict[str, ChannelHit] = {}
    for hit in hits:
        known = best.get(hit.chunk_id)
        if known is None or hit.rank < known.rank:
            best[hit.chunk_id] = hit
    return best


def _fused(chunk_id: str, dense: ChannelHit | None, bm25: ChannelHit | None, k: int) -> Fused:
    score = sum(1 / (k + hit.rank) for hit in (dense, bm25) if hit is not None)
    return Fused(chunk_id, score, dense, bm25)


def _order(fused: Fused) -> tuple[float, float, float, str]:
    dense = fused.dense.rank if fused.dense else float("inf")
    bm25 = fused.bm25.rank if fused.bm25 else float("inf")
    return (-fused.score, min(dense, bm25), dense, fused.chunk_id)
