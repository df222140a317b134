"""Whether a score means what it says: of what is scored .8, four in five should be true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Scores in [low, high): how many, their mean, and the share that is true."""

    low: float
    high: float
    n: int
    mean: float
    true: float


def reliability(scores: Sequence[float], labels: Sequence[bool], bins: int = BINS) -> list[Bin]:
    """Equal bins of the score, 0–1; empty ones are left out, and 1 belongs to the last."""
    found = np.asarray(scores, dtype=float)
    label = np.asarray(labels, dtype=bool)
    place = np.minimum((found * bins).astype(int), bins - 1)
    return [
        Bin(at / bins, (at + 1) / bins, int(part.sum()), float(found[part].mean()),
            float(label[part].mean()))
        for at in range(bins)
        if (part := place == at).any()
    ]  # fmt: skip


def calibration_error(bins: Sequence[Bin]) -> float | None:
    """Expected calibration error: the mean distance of score and share, by size; None for no bins.

    Naeini, Cooper and Hauskrecht, "Obtaining Well Calibrated Probabilities", AAAI 2015.
    """
    total = sum(one.n for one in bins)
    return sum(one.n * abs(one.mean - one.true) for one in bins) / total if total else None
