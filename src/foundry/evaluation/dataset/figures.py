"""The figures of one way of searching, with intervals; and of two, question by question.

Means are over the queries that have a relevant document and could be asked. What cannot be
counted is None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from foundry.evaluation.dataset import spans
from foundry.evaluation.dataset.beir import Dataset, DatasetQuery
from foundry.evaluation.dataset.searching import Outcome
from foundry.evaluation.measuring.intervals import Interval, interval_of_mean, intervals_of_means
from foundry.evaluation.measuring.metrics import CUTS, GateFigures, figures_by_query, measure_gate

HEAD = ("ndcg@10", "recall@10", "recall@100", "mrr@10")
"""The measures that a table shows first."""

RANKING = tuple(
    dict.fromkeys(
        (*HEAD, "map", "mrr", *(f"{m}@{k}" for m in ("recall", "precision", "ndcg") for k in CUTS))
    )
)
"""All measures of a ranking by name."""

ByQuery = Mapping[str, Mapping[str, float]]
"""Query id → measure → its figure, for the judged queries."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Means by measure with their intervals, and the figures of each query behind them."""

    means: Mapping[str, float | None]
    intervals: Mapping[str, Interval | None]
    by_query: ByQuery


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """One search mode's figures; times are per query, from question to judged ranking.

    ``spans`` and ``characters`` are None for a set without spans: the ranking of the expected
    spans, and how well the chunks fit them.
    """

    ranking: Figures
    p50_ms: float | None
    p95_ms: float | None
    spans: Figures | None = None
    characters: Figures | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of "after − before" over the queries that both have, and its interval."""

    mean: float | None
    interval: Interval | None

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.interval is not None and self.interval.excludes_zero


@dataclass(frozen=True, slots=True)
class Gate:
    """The gate's figures over the labelled queries of ``arm``, with intervals of its shares."""

    arm: str
    figures: GateFigures
    intervals: Mapping[str, Interval | None] = field(default_factory=dict)


def measure_arm(outcomes: Mapping[str, Outcome], dataset: Dataset) -> ArmFigures:
    """The figures of one way of searching."""
    asked = {query: one for query, one in outcomes.items() if one.error is None}
    times = [one.milliseconds for one in asked.values()]
    rankings = {query: one.documents for query, one in asked.items()}
    ranked = _ranking(rankings, dataset.qrels)
    middle, slow = np.percentile(times, [50, 95]) if times else (None, None)
    if not dataset.has_spans:
        return ArmFigures(ranked, middle, slow)
    expected = {query.id: query.spans for query in dataset.queries if query.spans}
    asked = {query: one for query, one in asked.items() if query in expected}
    items = {query: spans.rank_spans(expected[query], one.chunks) for query, one in asked.items()}
    wanted = {query: dict.fromkeys(map(str, range(len(expected[query]))), 1) for query in asked}
    fits = {query: spans.measure_spans(expected[query], one.chunks) for query, one in asked.items()}
    return ArmFigures(ranked, middle, slow, _ranking(items, wanted), summarise(fits, spans.NAMES))


def _ranking(
    rankings: Mapping[str, Sequence[str]], qrels: Mapping[str, Mapping[str, int]]
) -> Figures:
    found = figures_by_query(rankings, qrels)
    by_query = {}
    for query, figures in found.items():
        rank = first_relevant(rankings[query], qrels[query])
        by_query[query] = figures | {"mrr@10": 1 / rank if rank and rank <= 10 else 0.0}
    return summarise(by_query, RANKING)


def first_relevant(ranking: Sequence[str], judged: Mapping[str, int]) -> int | None:
    """The rank, from 1, of the first relevant document; None where none was found."""
    relevant = (place for place, found in enumerate(ranking, 1) if judged.get(found, 0) > 0)
    return next(relevant, None)


def summarise(by_query: ByQuery, names: Sequence[str]) -> Figures:
    """Means and intervals of these measures over the queries."""
    columns = [[figures[name] for figures in by_query.values()] for name in names]
    means = [float(np.mean(column)) if column else None for column in columns]
    found = intervals_of_means(columns)
    return Figures(
        dict(zip(names, means, strict=True)), dict(zip(names, found, strict=True)), by_query
    )


def compare(before: Figures, after: Figures) -> dict[str, Difference]:
    """Measure → difference, paired by query."""
    shared = [query for query in before.by_query if query in after.by_query]
    columns = [
        [after.by_query[query][name] - before.by_query[query][name] for query in shared]
        for name in before.means
    ]
    found = intervals_of_means(columns)
    return {
        name: Difference(float(np.mean(column)) if column else None, interval)
        for name, column, interval in zip(before.means, columns, found, strict=True)
    }


def measure_labels(
    arm: str, outcomes: Mapping[str, Outcome], queries: Sequence[DatasetQuery], threshold: float
) -> Gate | None:
    """The gate over the labelled queries; None where there is no label."""
    labelled = [query for query in queries if query.answerable is not None]
    asked = [(query, outcomes[query.id]) for query in labelled if not outcomes[query.id].error]
    if not asked:
        return None
    label = [bool(query.answerable) for query, _ in asked]
    refused = [one.verdict == "no_evidence" for _, one in asked]
    both = list(zip(label, refused, strict=True))
    shares = {
        "refusal_precision": [float(not good) for good, closed in both if closed],
        "refusal_recall": [float(closed) for good, closed in both if not good],
        "false_refusal_rate": [float(closed) for good, closed in both if good],
    }
    figures = measure_gate([one.score for _, one in asked], label, refused, threshold)
    return Gate(arm, figures, {name: interval_of_mean(values) for name, values in shares.items()})
