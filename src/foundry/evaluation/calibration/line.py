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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from foundry.evaluation.libraries import require
from foundry.ports import Progress, Step

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

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

    def move(self, intercept: float, weights: Mapping[str, float]) -> dict[str, Any]:
        """The constants of a logistic with its log odds moved along the line, as they are stored."""
        moved = {name: round(self.slope * weight, 5) for name, weight in weights.items()}
        return {"intercept": round(self.slope * intercept + self.shift, 5), "weights": moved}


def place_threshold(wanted: Array, others: Array, bound: float, current: float) -> float:
    """Log odds below which to refuse: at most ``bound`` of ``wanted``, as many others as possible.

    ``wanted`` is -inf for what is refused whatever its score. Of thresholds that refuse as many
    others, the one that refuses fewest wanted. Where nothing can be gained, ``current``, or lower
    if the bound requires it.
    """
    ordered = np.sort(wanted)
    passing = ordered[np.isfinite(ordered)]
    if not len(passing):
        return current
    last_allowed = math.floor(bound * (len(ordered) + 1)) - 1
    # If the rules alone break the bound, the score may refuse no wanted one besides.
    highest = float(max(ordered[np.clip(last_allowed, 0, len(ordered) - 1)], passing[0]))
    below = others[others < highest]
    if not len(below):
        return min(current, highest - _MARGIN)
    last = float(below.max())
    return (last + float(ordered[ordered > last][0])) / 2


def fit_line(margins: Array, label: Array, pin: tuple[float, float] | None = None) -> ScoreLine:
    """The likeliest slope and shift; with few labels the slope stays near 1.

    ``pin`` is a point that the line must go through: old and new log odds.
    """
    minimize = require("scipy.optimize").minimize

    def build(values: Array) -> ScoreLine:
        slope = math.exp(values[0])
        return ScoreLine(slope, pin[1] - slope * pin[0] if pin else float(values[1]))

    def loss(values: Array) -> float:
        moved = build(values)(margins)
        losses = label * np.logaddexp(0, -moved) + (1 - label) * np.logaddexp(0, moved)
        return float(losses.sum()) + 0.5 * float(values[0]) ** 2

    bounds = [(-_MAX_LOG_SLOPE, _MAX_LOG_SLOPE), (None, None)][: 1 if pin else 2]
    return build(minimize(loss, np.zeros(len(bounds)), method="L-BFGS-B", bounds=bounds).x)


def log_odds(probability: float) -> float:
    """The log odds of a probability; 0 and 1 count as one in a million from it."""
    bounded = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(bounded / (1 - bounded))


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
    progress: Progress = lambda _step: None,
) -> tuple[list[ScoreLine], int]:
    """For each case the line of a fit that never saw its group; and how many folds there were.

    ``fit`` is given the cases to learn from.
    """
    folds = min(folds, len(set(groups)))
    dealt = deal_folds(groups, folds)
    lines = []
    for fold in range(folds):
        lines.append(fit(dealt != fold))
        progress(Step("fit", fold + 1, folds, "folds"))
    return [lines[fold] for fold in dealt], folds
