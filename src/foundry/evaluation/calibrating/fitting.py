"""Logistic weights on each question's best candidate, chosen anew in every round.

A question is a bag of candidates, and the gate looks at the best of them: so does the fit. Weights
are bounded below by 0, because more of any signal must never mean less relevance, and a ridge draws
them to a prior: to 0, or to constants that are known to hold elsewhere. The choice of the best
instance follows Andrews, Tsochantaridis and Hofmann, "Support Vector Machines for Multiple-Instance
Learning", NIPS 2002.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from foundry.evaluation.libraries import require

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

ROUNDS = 4
"""After so many the choice of best candidates hardly changes."""

STEEPEST = 50.0
"""Log odds beyond which a probability is 0 or 1 for every purpose."""


@dataclass(frozen=True)
class Table:
    """The candidates of all questions as rows (1, signals …), question after question.

    ``starts`` is each question's first row. Every question has at least one.
    """

    rows: Array
    starts: npt.NDArray[np.int64]

    def best(self, margins: Array) -> npt.NDArray[np.int64]:
        """The row of each question's best candidate under these log odds; the first of equals."""
        ends = [*self.starts[1:], len(margins)]
        found = [a + int(margins[a:b].argmax()) for a, b in zip(self.starts, ends, strict=True)]
        return np.array(found, dtype=np.int64)


def make_table(bags: Sequence[Sequence[Sequence[float]]]) -> Table:
    """Rows of signals, a list per question, with the constant 1 put before each."""
    rows = [[1.0, *row] for bag in bags for row in bag]
    lengths = [len(bag) for bag in bags]
    return Table(np.array(rows, dtype=float), np.cumsum([0, *lengths[:-1]]))


def fit_best(table: Table, label: Array, weight: Array, part: Flags, ridge: float = 1.0) -> Array:
    """Intercept and weights for the questions of ``part``, drawn to 0; shape (columns,).

    ``label`` and ``weight`` are those of the questions in ``part``.
    """
    beta = np.array([0.0] + [1.0] * (table.rows.shape[1] - 1))
    for _ in range(ROUNDS):
        chosen = table.rows[table.best(table.rows @ beta)[part]]
        beta = fit_logistic(chosen, label, weight, ridge=ridge)
    return beta


def probabilities(margins: Array) -> Array:
    """Log odds as probabilities."""
    return np.asarray(1 / (1 + np.exp(-np.clip(margins, -STEEPEST, STEEPEST))))


def fit_logistic(
    rows: Array,
    label: Array,
    weight: Array,
    *,
    ridge: float = 1.0,
    prior: Array | None = None,
    anchor: float = 0.0,
    scale: Array | None = None,
) -> Array:
    """Ridge logistic regression of ``label`` (0 or 1) on ``rows``, whose first column is 1.

    The ridge is in units of ``scale``, the spread of each signal (default: in these rows), around
    ``prior`` (default 0), and ``anchor`` is the same for the log odds of a mean row. Weights are
    at least 0.
    """
    mean = np.r_[0.0, rows[:, 1:].mean(0)]
    spread = np.r_[1.0, (rows[:, 1:].std(0) if scale is None else scale[1:]) + 1e-9]
    known = np.zeros(rows.shape[1]) if prior is None else prior
    centre = known * spread
    centre[0] = known[0] + float(known[1:] @ mean[1:])
    scaled = (rows - mean) / spread
    strength = np.r_[anchor, np.full(rows.shape[1] - 1, ridge)]

    def loss(beta: Array) -> tuple[float, Array]:
        p = probabilities(scaled @ beta)
        penalty = strength * (beta - centre)
        value = -(weight * (label * np.log(p + 1e-12) + (1 - label) * np.log(1 - p + 1e-12))).sum()
        gradient = scaled.T @ (weight * (p - label)) + penalty
        return float(value + 0.5 * (penalty * (beta - centre)).sum()), gradient

    bounds = [(None, None)] + [(0.0, None)] * (rows.shape[1] - 1)
    minimize = require("scipy.optimize").minimize
    found = minimize(loss, centre, jac=True, method="L-BFGS-B", bounds=bounds).x
    beta = found / spread
    beta[0] = found[0] - float((found[1:] * mean[1:] / spread[1:]).sum())
    return np.asarray(beta)
