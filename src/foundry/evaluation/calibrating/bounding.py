"""Where the threshold falls: a bound on what may be refused wrongly, then as much rightly as possible.

The threshold is the bound's quantile of the scores that the wanted ones got when they were held
out, counted so that one more of their kind falls below it with at most the bound's probability,
whatever the scores' distribution (Vovk, Gammerman and Shafer, "Algorithmic Learning in a Random
World", 2005). Then all log odds are stretched and shifted, with that threshold at the configured
one, as far as the labels ask for it (Platt, "Probabilistic Outputs for Support Vector Machines", 1999).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from foundry.evaluation.calibrating.fitting import Array, Flags
from foundry.evaluation.libraries import require

LEVEL = 0.95
"""Of the intervals of a rate."""

_MOST_STRETCHED = 1.5
"""Natural logarithm of the most that log odds are stretched, or squeezed."""

_MARGIN = 0.1
"""Log odds that stay between the threshold and the lowest score that must pass it."""


@dataclass(frozen=True, slots=True)
class Line:
    """New log odds from old: ``slope`` · old + ``shift``."""

    slope: float
    shift: float

    def __call__(self, margins: Array) -> Array:
        return self.slope * margins + self.shift


def place_threshold(wanted: Array, others: Array, bound: float, current: float) -> float:
    """Log odds below which to refuse: at most the bound of ``wanted``, of ``others`` what is left.

    ``wanted`` holds -inf for what is refused whatever its score. Among thresholds that refuse as
    many others, the one that refuses fewest wanted. Where nothing can be gained it is
    ``current``, or lower if the bound asks for it.
    """
    ordered = np.sort(wanted)
    allowed = math.floor(bound * (len(ordered) + 1))
    most = float(ordered[max(allowed - 1, 0)])
    if not math.isfinite(most):
        # The rules alone refuse more than the bound: the score refuses no wanted one on top.
        passing = ordered[np.isfinite(ordered)]
        most = float(passing[0]) if len(passing) else current
    below = others[others < most]
    if not len(below):
        return min(current, most - _MARGIN)
    highest = float(below.max())
    return (highest + float(ordered[ordered > highest][0])) / 2


def milder_threshold(wanted: Array, current: float) -> float:
    """The current threshold, or one that lets all of ``wanted`` pass: never a stricter one."""
    passing = wanted[np.isfinite(wanted)]
    return min([current, *(float(one) - _MARGIN for one in passing)])


def fit_line(margins: Array, label: Array) -> Line:
    """The likeliest stretch and shift of log odds; few labels stretch them little."""
    minimize = require("scipy.optimize").minimize

    def loss(values: Array) -> float:
        line = Line(math.exp(values[0]), float(values[1]))
        return float(log_loss(line(margins), label).sum()) + 0.5 * float(values[0]) ** 2

    stretch = (-_MOST_STRETCHED, _MOST_STRETCHED)
    bounds = [stretch, (None, None)]
    found = minimize(loss, np.zeros(2), method="L-BFGS-B", bounds=bounds).x
    return Line(math.exp(found[0]), float(found[1]))


def pin_line(margins: Array, label: Array, threshold: float, current: float) -> Line:
    """The likeliest stretch that takes ``threshold`` to ``current``."""
    minimize = require("scipy.optimize").minimize_scalar

    def loss(stretch: float) -> float:
        new = current + math.exp(stretch) * (margins - threshold)
        return float(log_loss(new, label).sum()) + 0.5 * stretch**2

    bounds = (-_MOST_STRETCHED, _MOST_STRETCHED)
    slope = math.exp(minimize(loss, bounds=bounds, method="bounded").x)
    return Line(slope, current - slope * threshold)


def log_loss(margins: Array, label: Array) -> Array:
    """What each label costs under these log odds."""
    return np.asarray(label * np.logaddexp(0, -margins) + (1 - label) * np.logaddexp(0, margins))


def log_odds(probability: float) -> float:
    """Of a threshold: 0 and 1 count as nearly so."""
    bounded = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(bounded / (1 - bounded))


def rate_interval(hits: int, of: int) -> tuple[float, float] | None:
    """The 95 % interval of a rate (Clopper and Pearson, 1934); None of nothing."""
    if not of:
        return None
    found = require("scipy.stats").binomtest(hits, of).proportion_ci(LEVEL, method="exact")
    return float(found.low), float(found.high)


def of_label(margins: Array, ruled: Flags, chosen: Flags) -> Array:
    """The log odds of the chosen ones, -inf for what a rule refuses."""
    return np.asarray(np.where(ruled, -np.inf, margins)[chosen])
