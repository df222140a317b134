"""Confidence intervals by the bootstrap: how far a mean may be off for lack of questions.

Percentile bootstrap over questions, seeded, so that the same figures give the same interval.
Efron and Tibshirani, "An Introduction to the Bootstrap", 1993.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foundry.evaluation.libraries import require

LEVEL = 0.95
RESAMPLES = 5_000
_SEED = 20_26
_BATCH = 500
"""Resamples that are held in memory at once."""
FEWEST = 2
"""Of one question nothing can be said about how questions differ."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The bounds that hold the true mean in ``LEVEL`` of such samples."""

    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether a difference is clear: both bounds lie on one side of 0."""
        return self.low > 0 or self.high < 0


def interval_of_mean(values: Sequence[float]) -> Interval | None:
    """Of a mean over questions; None for fewer than two of them."""
    if len(values) < FEWEST:
        return None
    sample = np.asarray(values, dtype=float)
    if float(np.ptp(sample)) == 0.0:
        return Interval(float(sample[0]), float(sample[0]))
    stats = require("scipy.stats")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = stats.bootstrap(
            (sample,), np.mean, n_resamples=RESAMPLES, confidence_level=LEVEL,
            method="percentile", rng=np.random.default_rng(_SEED), batch=_BATCH,
        ).confidence_interval  # fmt: skip
    return Interval(float(found.low), float(found.high))


def intervals_of_means(columns: Sequence[Sequence[float]]) -> list[Interval | None]:
    """``interval_of_mean`` of many measures of the same questions, all of one length, at once.

    Every measure is resampled with the same questions, so it gives what one by one gives, and
    takes hardly longer for thirty measures than for one.
    """
    questions = len(columns[0]) if len(columns) else 0
    if questions < FEWEST:
        return [None] * len(columns)
    sample = np.asarray(columns, dtype=float).T
    draw = np.random.default_rng(_SEED)
    means = []
    for _ in range(0, RESAMPLES, _BATCH):
        places = draw.integers(0, questions, (_BATCH, questions))
        rows = np.arange(_BATCH)[:, None] * questions
        times = np.bincount((places + rows).ravel(), minlength=_BATCH * questions)
        means.append(times.reshape(_BATCH, questions) @ sample / questions)
    tail = 50 * (1 - LEVEL)
    low, high = np.percentile(np.concatenate(means), [tail, 100 - tail], axis=0)
    return [
        Interval(float(a), float(b))
        if float(np.ptp(own))
        else Interval(float(own[0]), float(own[0]))
        for a, b, own in zip(low, high, sample.T, strict=True)
    ]


def interval_of_difference(first: Sequence[float], second: Sequence[float]) -> Interval | None:
    """Of the mean of ``second - first``, question by question: both run over the same ones."""
    differences = [after - before for before, after in zip(first, second, strict=True)]
    return interval_of_mean(differences)
