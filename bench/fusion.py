"""Ways to merge the two retrievers, tried on the same rankings of every set.

Chosen on the development half of the questions, reported for both. 100 candidates per retriever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from bench.rankings import OWN, SETS, Asked, Kept, is_development, load, load_own
from foundry.analysis import UNKNOWN
from foundry.craft.fusion import FusedHit, fuse, fuse_by_scores
from foundry.evaluation.metrics.statistics import interval_of_difference
from foundry.records import RetrieverHit

Method = Callable[[Kept, Asked], Sequence[str]]
Hits = Sequence[RetrieverHit]


def find_foreign(kept: Kept, asked: Asked) -> frozenset[str]:
    """The chunks in another language than the question, as the product sees them."""
    alike = (UNKNOWN, asked.language)
    if asked.language == UNKNOWN:
        return frozenset()
    return frozenset(
        h.chunk_id for h in asked.dense if kept.places[h.chunk_id].language not in alike
    )


def _ids(found: Sequence[FusedHit]) -> list[str]:
    return [one.chunk_id for one in found]


def _rrf(k: int = 60, dense: int = 100, text: int = 100) -> Method:
    return lambda kept, q: _ids(
        fuse(q.dense[:dense], q.bm25_parts[:text], k, find_foreign(kept, q))
    )


def _plain_rrf(_kept: Kept, q: Asked) -> Sequence[str]:
    return _ids(fuse(q.dense, q.bm25, 60))


def _cut(share: float) -> Method:
    """Text hits below this share of the best score are left out."""

    def method(kept: Kept, q: Asked) -> Sequence[str]:
        hits = q.bm25_parts
        kept_hits = [h for h in hits if h.score >= share * hits[0].score]
        return _ids(fuse(q.dense, kept_hits, 60, find_foreign(kept, q)))

    return method


def _drop(least: float) -> Method:
    """Text hits are left out if the best of them covers less of the question."""

    def method(kept: Kept, q: Asked) -> Sequence[str]:
        text = q.bm25_parts if q.share >= least else ()
        return _ids(fuse(q.dense, text, 60, find_foreign(kept, q)))

    return method


def _weighted_rrf(weight: float) -> Method:
    def method(_kept: Kept, q: Asked) -> Sequence[str]:
        scores: dict[str, float] = {}
        for hits, factor in ((q.dense, 1.0), (q.bm25_parts, weight)):
            for hit in hits:
                scores[hit.chunk_id] = scores.get(hit.chunk_id, 0.0) + factor / (60 + hit.rank)
        return sorted(scores, key=lambda chunk: (-scores[chunk], chunk))

    return method


def _min_max(hits: Hits) -> dict[str, float]:
    scores = np.array([hit.score for hit in hits] or [0.0])
    spread = float(np.ptp(scores)) or 1.0
    return {hit.chunk_id: (hit.score - float(scores.min())) / spread for hit in hits}


def _min_max_sum(weight: float) -> Method:
    def method(_kept: Kept, q: Asked) -> Sequence[str]:
        dense, text = _min_max(q.dense), _min_max(q.bm25_parts)
        scores = {c: dense.get(c, 0.0) + weight * text.get(c, 0.0) for c in dense | text}
        return sorted(scores, key=lambda chunk: (-scores[chunk], chunk))

    return method


def _z_sum(weight: float) -> Method:
    """A fixed weight of words, and no rule for languages."""
    return lambda _kept, q: _ids(fuse_by_scores(q.dense, q.bm25_parts, weight))


def _z_share(weight: float = 1.0, dense: int = 100, text: int = 100) -> Method:
    def method(kept: Kept, q: Asked) -> Sequence[str]:
        share = q.share * weight
        return _ids(
            fuse_by_scores(q.dense[:dense], q.bm25_parts[:text], share, find_foreign(kept, q))
        )

    return method


RRF, ZSCORE = "rrf", "zscore (default)"
METHODS: Mapping[str, Method] = {
    "BM25": lambda _kept, q: [hit.chunk_id for hit in q.bm25],
    "dense": lambda _kept, q: [hit.chunk_id for hit in q.dense],
    "RRF as it was": _plain_rrf,
    RRF: _rrf(),
    "- 40 and 20 candidates": _rrf(dense=40, text=20),
    "- k = 10": _rrf(k=10),
    "- k = 20": _rrf(k=20),
    "- k = 100": _rrf(k=100),
    "- words from .5 of their best score": _cut(0.5),
    "- words from .8 of their best score": _cut(0.8),
    "- words only where they cover .4": _drop(0.4),
    "- words weighted .5": _weighted_rrf(0.5),
    "min-max, equal": _min_max_sum(1.0),
    "min-max, words .5": _min_max_sum(0.5),
    "z-scores, equal": _z_sum(1.0),
    "z-scores, words .8": _z_sum(0.8),
    "z-scores, words .5": _z_sum(0.5),
    ZSCORE: _z_share(),
    "- words up to .5": _z_share(0.5),
    "- words up to .8": _z_share(0.8),
    "- of 40 and 20 candidates": _z_share(dense=40, text=20),
}


def load_sets(data: Path | None) -> Iterator[Kept]:
    """Every set whose data is there, then the example project's questions."""
    for run in SETS if data else ():
        assert data is not None
        if (data / run.name).exists():
            yield load(data, run)
    yield load_own()


def measure(data: Path | None) -> Iterator[str]:
    if data is None:
        yield f"Only the {OWN}: give --data DIR for the data sets."
        yield ""
    sets = list(load_sets(data))
    figures = {
        (kept.name, name): kept.measure({q.id: method(kept, q) for q in kept.questions})
        for kept in sets
        for name, method in METHODS.items()
    }
    yield "nDCG@10 / recall@10 of all questions; in brackets how many:"
    yield ""
    yield "| merged by | " + " | ".join(f"{k.name} ({len(k.questions)})" for k in sets) + " |"
    yield "|---" * (len(sets) + 1) + "|"
    for name in METHODS:
        cells = (_both(figures[kept.name, name]) for kept in sets)
        yield f"| {name} | " + " | ".join(cells) + " |"
    yield from _halves(sets, figures)
    yield from _differences(sets, figures)


Figures = Mapping[tuple[str, str], Mapping[str, Mapping[str, float]]]


def _both(found: Mapping[str, Mapping[str, float]]) -> str:
    means = (np.mean([value[m] for value in found.values()]) for m in ("ndcg@10", "recall@10"))
    return " / ".join(f"{float(mean):.3f}" for mean in means)


def _halves(sets: Sequence[Kept], figures: Figures) -> Iterator[str]:
    yield ""
    yield "nDCG@10, development half / held-back half:"
    yield ""
    yield "| merged by | " + " | ".join(kept.name for kept in sets) + " |"
    yield "|---" * (len(sets) + 1) + "|"
    for name in METHODS:
        cells = []
        for kept in sets:
            found = figures[kept.name, name]
            halves = [
                [one["ndcg@10"] for q, one in found.items() if is_development(q) is half]
                for half in (True, False)
            ]
            cells.append(" / ".join(f"{float(np.mean(half)):.3f}" for half in halves))
        yield f"| {name} | " + " | ".join(cells) + " |"


def _differences(sets: Sequence[Kept], figures: Figures) -> Iterator[str]:
    yield ""
    yield "Differences in nDCG@10 on the held-back half, with their 95 % intervals:"
    yield ""
    pairs = (
        ("RRF as it was", RRF),
        (RRF, "- words from .5 of their best score"),
        (RRF, ZSCORE),
        ("BM25", RRF),
        ("dense", RRF),
        ("BM25", ZSCORE),
        ("dense", ZSCORE),
    )
    yield "| set | " + " | ".join(f"{after} − {before}" for before, after in pairs) + " |"
    yield "|---" * (len(pairs) + 1) + "|"
    for kept in sets:
        held = [q.id for q in kept.questions if not is_development(q.id)]
        cells = []
        for before, after in pairs:
            first, second = (
                [
                    figures[kept.name, name][q]["ndcg@10"]
                    for q in held
                    if q in figures[kept.name, name]
                ]
                for name in (before, after)
            )
            cells.append(difference(first, second))
        yield f"| {kept.name} ({len(held)}) | " + " | ".join(cells) + " |"


def difference(first: Sequence[float], second: Sequence[float]) -> str:
    """The mean of ``second - first`` with its interval; bold if the interval excludes 0."""
    mean = float(np.mean(second) - np.mean(first))
    bounds = interval_of_difference(first, second)
    if bounds is None:
        return f"{mean:+.3f}"
    text = f"{mean:+.3f} ({bounds.low:+.3f}…{bounds.high:+.3f})"
    return f"**{text}**" if bounds.excludes_zero else text
