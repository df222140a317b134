"""95 % confidence intervals of means: how far a mean may be off because questions are few.

Percentile bootstrap over questions, with a seed: the same figures give the same interval. Efron
and Tibshirani, "An Introduction to the Bootstrap", 1993.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

LEVEL = 0.95
RESAMPLES = 5_000
"""Efron and Tibshirani ask for 1,000 or more for percentile intervals; more cost little here."""
SEED = 2026
FEWEST = 2
"""A single question does not show how questions differ."""
_CELLS = 2_000_000
"""Questions drawn at a time: 16 MB of memory."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The bounds that contain the true mean in ``LEVEL`` of such samples."""

    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether a difference is clear: both bounds lie on one side of 0."""
        return self.low > 0 or self.high < 0


def interval_of_mean(values: Sequence[float]) -> Interval | None:
    """The interval of a mean over questions; None for fewer than two of them."""
    return intervals_of_means([values])[0]


def intervals_of_means(columns: Sequence[Sequence[float]]) -> list[Interval | None]:
    """The interval of each column's mean; columns are measures of the same questions.

    All columns are resampled with the same questions, so thirty measures take hardly longer than
    one, and each interval is the one that the column has alone.
    """
    questions = len(columns[0]) if len(columns) else 0
    if questions < FEWEST:
        return [None] * len(columns)
    sample = np.asarray(columns, dtype=float).T
    means = []
    for drawn in draw_questions(questions):
        rows = np.arange(len(drawn))[:, None] * questions
        times = np.bincount((drawn + rows).ravel(), minlength=drawn.size)
        means.append(times.reshape(drawn.shape) @ sample / questions)
    resampled = np.concatenate(means)
    # A constant column has no spread; the sums above would give it one by rounding.
    return [
        interval_of_resamples(resampled[:, n])
        if float(np.ptp(own))
        else Interval(float(own[0]), float(own[0]))
        for n, own in enumerate(sample.T)
    ]


def draw_questions(n: int) -> Iterator[npt.NDArray[np.intp]]:
    """Draw ``RESAMPLES`` times n of n questions with replacement, in batches of shape (rows, n).

    The draws are the same each time; of fewer than ``FEWEST`` questions there are none.
    """
    random = np.random.default_rng(SEED)
    left = RESAMPLES if n >= FEWEST else 0
    while left > 0:
        rows = min(left, max(1, _CELLS // n))
        left -= rows
        yield random.integers(0, n, (rows, n))


def interval_of_resamples(values: npt.NDArray[np.float64]) -> Interval | None:
    """The middle ``LEVEL`` of the resamples with a value; None where fewer than half have one."""
    known = values[~np.isnan(values)]
    if not len(known) or len(known) < len(values) / 2:
        return None
    tail = (1 - LEVEL) / 2 * 100
    low, high = np.percentile(known, [tail, 100 - tail])
    return Interval(float(low), float(high))


def intervals_by_name(columns: Mapping[str, Sequence[float | None]]) -> dict[str, Interval | None]:
    """The interval of each column's mean over its known values, by the column's name."""
    names: dict[tuple[bool, ...], list[str]] = {}
    for name, column in columns.items():
        names.setdefault(tuple(value is not None for value in column), []).append(name)
    intervals: dict[str, Interval | None] = {}
    for group in names.values():
        known = [[value for value in columns[name] if value is not None] for name in group]
        intervals |= dict(zip(group, intervals_of_means(known), strict=True))
    return intervals


def interval_of_difference(first: Sequence[float], second: Sequence[float]) -> Interval | None:
    """The interval of the mean of ``second - first``, paired by question."""
    differences = [after - before for before, after in zip(first, second, strict=True)]
    return interval_of_mean(differences)
