"""How well the gate's score separates questions, and whether the score means what it says.

What cannot be counted is None, never 0 or 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

BINS = 10
"""Of the score. Ten is the usual number (Naeini et al., 2015); a tenth is easy to read off."""


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


def measure_gate(
    scores: Sequence[float], answerable: Sequence[bool], refused: Sequence[bool]
) -> GateFigures:
    """Measure the gate on labelled questions; the three sequences run in parallel."""
    label, closed = np.array(answerable, dtype=bool), np.array(refused, dtype=bool)
    return GateFigures(
        auroc=auroc(scores, answerable),
        refusal_precision=_share(~label, closed),
        refusal_recall=_share(closed, ~label),
        false_refusal_rate=_share(closed, label),
    )


def auroc(scores: Sequence[float], labels: Sequence[bool]) -> float | None:
    """The chance that a true label scores above a false one (Mann–Whitney; a tie counts half)."""
    values, label = np.asarray(scores, dtype=float), np.asarray(labels, dtype=bool)
    good, bad = values[label], np.sort(values[~label])
    if not len(good) or not len(bad):
        return None
    below = np.searchsorted(bad, good, side="left") + np.searchsorted(bad, good, side="right")
    return float(below.sum() / 2 / len(good) / len(bad))


@dataclass(frozen=True, slots=True)
class Bin:
    """Scores in [low, high): how many there are, their mean, and the share whose label is true."""

    low: float
    high: float
    n: int
    mean: float
    true: float


def reliability(scores: Sequence[float], labels: Sequence[bool]) -> list[Bin]:
    """Sort scores of 0–1 into equal bins; empty bins are left out, and 1 belongs to the last."""
    values, label = np.asarray(scores, dtype=float), np.asarray(labels, dtype=bool)
    index = np.minimum((values * BINS).astype(int), BINS - 1)
    return [
        Bin(
            low=n / BINS,
            high=(n + 1) / BINS,
            n=int(inside.sum()),
            mean=float(values[inside].mean()),
            true=float(label[inside].mean()),
        )
        for n in range(BINS)
        if (inside := index == n).any()
    ]


def calibration_error(bins: Sequence[Bin]) -> float | None:
    """Expected calibration error: the mean distance of score and share, weighted by bin size.

    Naeini, Cooper and Hauskrecht, "Obtaining Well Calibrated Probabilities", AAAI 2015. None without bins.
    """
    total = sum(bin_.n for bin_ in bins)
    return sum(bin_.n * abs(bin_.mean - bin_.true) for bin_ in bins) / total if total else None


def _share(of: npt.NDArray[np.bool_], among: npt.NDArray[np.bool_]) -> float | None:
    return float((of & among).sum() / among.sum()) if among.any() else None
