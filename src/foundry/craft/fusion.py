"""Fusion of ranked lists, by z-scores (the default) or by reciprocal rank, and of a reranker's scores.

The fused score orders candidates and says nothing about relevance; the gate never looks at it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from foundry.records import RetrieverHit

RERANK_WEIGHT = 0.5
OTHER_LANGUAGE_RERANK_WEIGHT = 1.5
"""Weights of a reranker's z-scores beside those of the fused ranking. Words say nothing about a chunk
in another language than the question, so a reader of both says more (docs/decisions/0034)."""

KEPT_FIRST = 3
"""The best hits of the question, which neither its parts nor a hypothetical answer put back and no
relevance drops: a writer always reads them. A guess."""

_K = 60
"""The usual constant of reciprocal rank fusion."""

_Pair = tuple[str, RetrieverHit | None, RetrieverHit | None]
"""A chunk's id, and its hit of the dense search and of the search of words."""


@dataclass(frozen=True, slots=True)
class FusedHit:
    """A chunk with its fused score and its hit in each retriever that found it."""

    chunk_id: str
    score: float
    dense: RetrieverHit | None = None
    bm25: RetrieverHit | None = None


def fuse(
    dense: Sequence[RetrieverHit], bm25: Sequence[RetrieverHit], k: int, apart: Collection[str] = ()
) -> list[FusedHit]:
    """Fuse by ranks: every chunk once, best first; score = sum of 1 / (k + rank).

    ``apart`` are ids of chunks in another language than the question. Words cannot find them, so
    each takes its dense rank as sparse rank too, unless a name or number ranks it better.
    Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009.
    """
    doubled = apart if bm25 else ()
    return _sort_hits(
        FusedHit(chunk_id, _score_by_ranks(near, found, k, chunk_id in doubled), near, found)
        for chunk_id, near, found in _merge(dense, bm25)
    )


def fuse_by_scores(
    dense: Sequence[RetrieverHit],
    bm25: Sequence[RetrieverHit],
    share: float,
    apart: Collection[str] = (),
    named: Sequence[RetrieverHit] = (),
) -> list[FusedHit]:
    """Fuse by scores: every chunk once, best first; score = dense z + share · sparse z.

    A z-score is a score's distance from the mean of its list, in standard deviations; a chunk that
    is missing from a list gets its lowest. ``share`` is that of the question (0–1) which the best
    sparse hits cover. ``apart`` as for ``fuse``: such a chunk takes its dense z-score as sparse one
    too, where that is higher, or that of its hit in ``named``, found by the question's identifiers
    alone: these are the words that languages share.
    """
    by_dense, least_dense = _compute_z_scores(dense)
    # One hit has no spread of its own: the only chunk with a rare word stands out from all others.
    by_bm25, least_bm25 = _compute_z_scores(bm25, len(dense) if len(bm25) == 1 else 0)
    by_name, _ = _compute_z_scores(named, max(len(dense) - len(named), 0))
    known = {hit.chunk_id for hit in (*dense, *bm25)}
    new = [hit for hit in named if hit.chunk_id in apart and hit.chunk_id not in known]
    fused = []
    for chunk_id, *hits in _merge(dense, [*bm25, *new]):
        near = by_dense.get(chunk_id, least_dense)
        lexical = by_bm25.get(chunk_id, least_bm25)
        if by_bm25 and chunk_id in apart:
            lexical = max(lexical, near, by_name.get(chunk_id, near))
        fused.append(FusedHit(chunk_id, near + share * lexical, *hits))
    return _sort_hits(fused)


def join_rankings(whole: Sequence[FusedHit], narrow: Sequence[FusedHit]) -> list[FusedHit]:
    """The hits of two fused rankings, best first; score = the sum of both.

    A chunk that is missing from a ranking gets its lowest score. The retrievers' hits are those of
    ``whole``, where it has the chunk.
    """
    known = {hit.chunk_id: hit for hit in (*narrow, *whole)}
    totals = dict.fromkeys(known, 0.0)
    for ranking in (whole, narrow):
        scores = {hit.chunk_id: hit.score for hit in ranking}
        least = min(scores.values(), default=0.0)
        for chunk_id in totals:
            totals[chunk_id] += scores.get(chunk_id, least)
    return _sort_hits([replace(hit, score=totals[hit.chunk_id]) for hit in known.values()])


def fuse_reranked(
    ranking: Sequence[FusedHit], scores: Mapping[str, float], apart: Collection[str] = ()
) -> list[FusedHit]:
    """The ranking with its first hits, those that a reranker scored, in a new order.

    They are ordered by the z-scores, among themselves, of their fused score and of the reranker's,
    which weighs more for the chunks of ``apart``, in another language than the question.
    """
    read = [hit for hit in ranking if hit.chunk_id in scores]
    fused = _standardize([hit.score for hit in read])
    judged = _standardize([scores[hit.chunk_id] for hit in read])
    weights = [
        OTHER_LANGUAGE_RERANK_WEIGHT if hit.chunk_id in apart else RERANK_WEIGHT for hit in read
    ]
    sums = [one + weight * two for one, weight, two in zip(fused, weights, judged, strict=True)]
    order = sorted(range(len(read)), key=lambda place: -sums[place])
    return [
        *(read[place] for place in order),
        *(hit for hit in ranking if hit.chunk_id not in scores),
    ]


def fuse_hypothetical(ranking: Sequence[FusedHit], found: Sequence[RetrieverHit]) -> list[FusedHit]:
    """The ranking with the chunks nearest to a hypothetical answer, by ranks: 1 and a half parts.

    The first ``KEPT_FIRST`` stay where they are: what the question finds itself comes first.
    """
    known = {hit.chunk_id: hit for hit in ranking}
    scores = {hit.chunk_id: 1 / (_K + place) for place, hit in enumerate(ranking, 1)}
    for hit in found:
        scores[hit.chunk_id] = scores.get(hit.chunk_id, 0.0) + 0.5 / (_K + hit.rank)
    kept = [hit.chunk_id for hit in ranking[:KEPT_FIRST]]
    rest = sorted(scores.keys() - set(kept), key=lambda chunk_id: (-scores[chunk_id], chunk_id))
    return [known.get(chunk_id) or FusedHit(chunk_id, 0.0) for chunk_id in (*kept, *rest)]


def _merge(dense: Sequence[RetrieverHit], bm25: Sequence[RetrieverHit]) -> Iterator[_Pair]:
    by_dense, by_bm25 = _index_best_hits(dense), _index_best_hits(bm25)
    return ((chunk, by_dense.get(chunk), by_bm25.get(chunk)) for chunk in by_dense | by_bm25)


def _index_best_hits(hits: Sequence[RetrieverHit]) -> dict[str, RetrieverHit]:
    best: dict[str, RetrieverHit] = {}
    for hit in hits:
        known = best.get(hit.chunk_id)
        if known is None or hit.rank < known.rank:
            best[hit.chunk_id] = hit
    return best


def _score_by_ranks(
    near: RetrieverHit | None, found: RetrieverHit | None, k: int, apart: bool
) -> float:
    dense = near.rank if near else None
    bm25 = found.rank if found else None
    if apart and dense is not None:
        bm25 = dense if bm25 is None else min(dense, bm25)
    return sum(1 / (k + rank) for rank in (dense, bm25) if rank is not None)


def _compute_z_scores(
    hits: Sequence[RetrieverHit], unfound: int = 0
) -> tuple[Mapping[str, float], float]:
    """The z-score of each chunk and the lowest; ``unfound`` chunks that score 0 count too."""
    best = _index_best_hits(hits)
    scores = _standardize([*(hit.score for hit in best.values()), *[0.0] * unfound])
    return dict(zip(best, scores, strict=False)), min(scores, default=0.0)


def _standardize(values: Sequence[float]) -> list[float]:
    """Distances from the mean in standard deviations; zeros for equal values."""
    if not values:
        return []
    scores = np.array(values, dtype=float)
    return [float(z) for z in (scores - scores.mean()) / (scores.std() or 1.0)]


def _sort_hits(fused: Iterable[FusedHit]) -> list[FusedHit]:
    """Best first; ties go to the better single rank, then the dense rank, then the chunk id."""
    return sorted(fused, key=_get_sort_key)


def _get_sort_key(fused: FusedHit) -> tuple[float, float, float, str]:
    dense = fused.dense.rank if fused.dense else float("inf")
    bm25 = fused.bm25.rank if fused.bm25 else float("inf")
    return (-fused.score, min(dense, bm25), dense, fused.chunk_id)
