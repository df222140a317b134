"""A threshold and a slope for scores that exist already, fitted to labels.

The threshold bounds what may be refused wrongly and then refuses as much else as possible. It is
the bound's quantile of the wanted scores, counted so that one more of their kind falls below it
with at most the bound's probability, whatever the scores' distribution (Vovk, Gammerman and
Shafer, "Algorithmic Learning in a Random World", 2005). A line through the log odds then puts it
at the configured threshold, with the slope that fits the labels best (Platt, "Probabilistic
Outputs for Support Vector Machines", 1999). The order of scores never changes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from foundry.evaluation.libraries import require

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

LEVEL = 0.95
"""Confidence of the intervals, the usual one."""

_MAX_LOG_SLOPE = 1.5
"""Slopes stay within a factor of 4.5 (e^1.5): few labels would stretch log odds without end."""

_MARGIN = 0.1
"""Log odds between the threshold and the lowest score that must pass; 2 % of a score near 0.3."""

_SEED = 3


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """New log odds from old: ``slope`` · old + ``shift``."""

    slope: float
    shift: float

    def __call__(self, margins: Array) -> Array:
        return self.slope * margins + self.shift


def place_threshold(wanted: Array, others: Array, bound: float, current: float) -> float:
    """Log odds below which to refuse: at most ``bound`` of ``wanted``, as many others as possible.

    ``wanted`` is -inf for what is refused whatever its score. Of thresholds that refuse as many
    others, the one that refuses fewest wanted. Where nothing can be gained, ``current``, or lower
    if the bound requires it.
    """
    ordered = np.sort(wanted)
    allowed = math.floor(bound * (len(ordered) + 1))
    highest = float(ordered[max(allowed - 1, 0)])
    if not math.isfinite(highest):
        # The rules alone break the bound, so the score may refuse no wanted one besides.
        passing = ordered[np.isfinite(ordered)]
        highest = float(passing[0]) if len(passing) else current
    below = others[others < highest]
    if not len(below):
        return min(current, highest - _MARGIN)
    last = float(below.max())
    return (last + float(ordered[ordered > last][0])) / 2


def lower_threshold(wanted: Array, current: float) -> float:
    """The current threshold, or one that lets all of ``wanted`` pass: never a stricter one."""
    passing = wanted[np.isfinite(wanted)]
    return min([current, *(float(margin) - _MARGIN for margin in passing)])


def fit_line(margins: Array, label: Array) -> ScoreLine:
    """The likeliest slope and shift; with few labels the slope stays near 1."""
    minimize = require("scipy.optimize").minimize

    def loss(values: Array) -> float:
        line = ScoreLine(math.exp(values[0]), float(values[1]))
        return float(log_loss(line(margins), label).sum()) + 0.5 * float(values[0]) ** 2

    bounds = [(-_MAX_LOG_SLOPE, _MAX_LOG_SLOPE), (None, None)]
    best = minimize(loss, np.zeros(2), method="L-BFGS-B", bounds=bounds).x
    return ScoreLine(math.exp(best[0]), float(best[1]))


def pin_line(margins: Array, label: Array, threshold: float, current: float) -> ScoreLine:
    """The likeliest slope of a line that takes ``threshold`` to ``current``."""
    minimize = require("scipy.optimize").minimize_scalar

    def loss(log_slope: float) -> float:
        moved = current + math.exp(log_slope) * (margins - threshold)
        return float(log_loss(moved, label).sum()) + 0.5 * log_slope**2

    bounds = (-_MAX_LOG_SLOPE, _MAX_LOG_SLOPE)
    slope = math.exp(minimize(loss, bounds=bounds, method="bounded").x)
    return ScoreLine(slope, current - slope * threshold)


def log_loss(margins: Array, label: Array) -> Array:
    """The negative log likelihood of each label (0 or 1) under these log odds."""
    return np.asarray(label * np.logaddexp(0, -margins) + (1 - label) * np.logaddexp(0, margins))


def log_odds(probability: float) -> float:
    """The log odds of a probability; 0 and 1 count as one in a million from it."""
    bounded = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(bounded / (1 - bounded))


def rate_interval(hits: int, total: int) -> tuple[float, float] | None:
    """The exact 95 % interval of a rate (Clopper and Pearson, 1934); None for a total of 0."""
    if not total:
        return None
    interval = require("scipy.stats").binomtest(hits, total).proportion_ci(LEVEL, method="exact")
    return float(interval.low), float(interval.high)


def deal_folds(groups: Sequence[str], folds: int) -> npt.NDArray[np.int64]:
    """The fold of each case: groups stay whole, and folds are as even as that allows."""
    sizes = Counter(groups)
    names = sorted(sizes)
    shuffled = [names[index] for index in np.random.default_rng(_SEED).permutation(len(names))]
    filled: Counter[int] = Counter()
    fold_of: dict[str, int] = {}
    for group in sorted(shuffled, key=lambda name: -sizes[name]):
        fold = min(range(folds), key=lambda number: filled[number])
        fold_of[group] = fold
        filled[fold] += sizes[group]
    return np.array([fold_of[group] for group in groups], dtype=np.int64)


def cross_validate(
    groups: Sequence[str],
    folds: int,
    fit: Callable[[Flags], ScoreLine],
    tick: Callable[[int], None],
) -> tuple[list[ScoreLine], int]:
    """For each case the line of a fit that never saw its group; and how many folds there were.

    ``fit`` is given the cases to learn from; ``tick`` the number of folds done.
    """
    folds = min(folds, len(set(groups)))
    dealt = deal_folds(groups, folds)
    lines = []
    for fold in range(folds):
        lines.append(fit(dealt != fold))
        tick(fold + 1)
    return [lines[fold] for fold in dealt], folds
