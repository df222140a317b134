"""Figures from rankings and gate scores. What cannot be counted is None, never 0 or 1.

Ranking metrics come from trec_eval through ``pytrec_eval``; relevance judgements may be graded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foundry.evaluation.libraries import require

Ranking = Sequence[str]
"""Document ids, best first."""


@dataclass(frozen=True, slots=True)
class RankingFigures:
    """Means over the judged queries, 0–1; None where no query has a judgement."""

    ndcg_at_10: float | None
    recall_at_10: float | None
    recall_at_100: float | None
    mrr_at_10: float | None


@dataclass(frozen=True, slots=True)
class GateFigures:
    """How the gate's score separates answerable questions from the others.

    ``auroc``: the chance that an answerable question scores above one that is not.
    ``refusal_precision``: of the refused, the share that is truly unanswerable;
    ``refusal_recall``: of the unanswerable, the share refused;
    ``false_refusal_rate``: of the answerable, the share refused.
    """

    auroc: float | None
    refusal_precision: float | None
    refusal_recall: float | None
    false_refusal_rate: float | None
    threshold: float


def measure_rankings(
    rankings: Mapping[str, Ranking], qrels: Mapping[str, Mapping[str, int]]
) -> RankingFigures:
    """Means over the queries in ``rankings`` with a relevant document; an empty ranking is 0."""
    judged = {
        query: dict(qrels[query])
        for query in rankings
        if any(relevance > 0 for relevance in qrels.get(query, {}).values())
    }
    if not judged:
        return RankingFigures(None, None, None, None)
    whole = _evaluate(judged, rankings, {"ndcg_cut.10", "recall.10,100"}, depth=None)
    top = _evaluate(judged, rankings, {"recip_rank"}, depth=10)
    return RankingFigures(
        ndcg_at_10=_mean(judged, whole, "ndcg_cut_10"),
        recall_at_10=_mean(judged, whole, "recall_10"),
        recall_at_100=_mean(judged, whole, "recall_100"),
        mrr_at_10=_mean(judged, top, "recip_rank"),
    )


CUTS = (1, 3, 5, 10, 20, 50, 100)
"""The depths at which rankings are measured."""

_NAMES = {"ndcg_cut": "ndcg", "recall": "recall", "P": "precision"}


def figures_by_query(
    rankings: Mapping[str, Ranking],
    qrels: Mapping[str, Mapping[str, int]],
    cuts: Sequence[int] = CUTS,
) -> dict[str, dict[str, float]]:
    """Per query with a relevant document: ``recall@k``, ``precision@k``, ``ndcg@k``, ``mrr``, ``map``.

    By trec_eval's definitions, each 0–1; a query that found nothing has 0 everywhere. ``mrr`` is the
    reciprocal rank of the first relevant document, ``map`` the average precision.
    """
    judged = {
        query: dict(qrels[query])
        for query in rankings
        if any(relevance > 0 for relevance in qrels.get(query, {}).values())
    }
    if not judged:
        return {}
    depths = ",".join(str(cut) for cut in cuts)
    measures = {f"{name}.{depths}" for name in _NAMES} | {"recip_rank", "map"}
    found = _evaluate(judged, rankings, measures, depth=None)
    names = {f"{theirs}_{cut}": f"{ours}@{cut}" for theirs, ours in _NAMES.items() for cut in cuts}
    names |= {"recip_rank": "mrr", "map": "map"}
    return {
        query: {ours: found.get(query, {}).get(theirs, 0.0) for theirs, ours in names.items()}
        for query in judged
    }


def measure_gate(
    scores: Sequence[float], answerable: Sequence[bool], refused: Sequence[bool], threshold: float
) -> GateFigures:
    """Figures over questions whose label is known; the three sequences run in parallel."""
    label, closed = np.array(answerable, dtype=bool), np.array(refused, dtype=bool)
    return GateFigures(
        auroc=auroc(scores, answerable),
        refusal_precision=_share(~label, closed),
        refusal_recall=_share(closed, ~label),
        false_refusal_rate=_share(closed, label),
        threshold=threshold,
    )


def auroc(scores: Sequence[float], labels: Sequence[bool]) -> float | None:
    """The chance that a true one scores above a false one (Mann–Whitney, ties counted half)."""
    found, label = np.asarray(scores, dtype=float), np.asarray(labels, dtype=bool)
    good, bad = found[label], np.sort(found[~label])
    if not len(good) or not len(bad):
        return None
    below = np.searchsorted(bad, good, side="left") + np.searchsorted(bad, good, side="right")
    return float(below.sum() / 2 / len(good) / len(bad))


def _evaluate(
    qrels: Mapping[str, dict[str, int]],
    rankings: Mapping[str, Ranking],
    measures: set[str],
    depth: int | None,
) -> Mapping[str, Mapping[str, float]]:
    pytrec_eval = require("pytrec_eval")
    # trec_eval orders by score and breaks ties by document id: strictly falling scores keep ours.
    run = {
        query: {document: -float(rank) for rank, document in enumerate(ranking[:depth])}
        for query, ranking in rankings.items()
        if query in qrels and ranking
    }
    found: Mapping[str, Mapping[str, float]] = pytrec_eval.RelevanceEvaluator(
        dict(qrels), measures
    ).evaluate(run)
    return found


def _mean(
    judged: Mapping[str, object], found: Mapping[str, Mapping[str, float]], name: str
) -> float:
    return float(np.mean([found.get(query, {}).get(name, 0.0) for query in judged]))


def _share(of: np.ndarray, among: np.ndarray) -> float | None:
    return float((of & among).sum() / among.sum()) if among.any() else None
