"""The gate's two arms fitted together: languages shared and apart compete for the best candidate.

Each arm has a logistic of its own, but a question's score is the best candidate's, whichever arm
that is in. So every round chooses the best over both and fits each arm on its share.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from foundry.craft.gate import (
    LEXICAL,
    LIKELY_SHARE,
    UNCALIBRATED_CROSS_LINGUAL,
    GateCalibration,
    Logistic,
    get_calibration,
    parse_calibration,
)
from foundry.craft.gate.signals import SIGNAL_NAMES
from foundry.evaluation.calibrating.cases import Case
from foundry.evaluation.calibrating.fitting import (
    ROUNDS,
    STEEPEST,
    Array,
    Flags,
    Table,
    fit_logistic,
    make_table,
    probabilities,
)

SHARED_SIGNALS = ("cosine", "gap", "coverage", "agreement", "named", "upright")
APART_SIGNALS = ("cosine", "gap", "coverage")
LEXICAL_SIGNALS = ("coverage", "passage", "saturated", "named", "upright")
"""What each arm of the shipped constants weighs."""

ANCHOR = 0.3
"""How strongly the log odds of a mean candidate are drawn to the prior's, as a ridge of one."""

_NEVER = -STEEPEST
_ALIKE = math.log(UNCALIBRATED_CROSS_LINGUAL / (1 - UNCALIBRATED_CROSS_LINGUAL))


@dataclass(frozen=True, slots=True)
class Arm:
    """What one arm weighs, and the constants it is drawn to: (intercept, a weight per ``NAMES``)."""

    weighed: Flags
    prior: Array


@dataclass(frozen=True, slots=True)
class Arms:
    """Both arms of a model; ``apart`` is None where languages apart are never judged.

    ``known``: the shipped table has constants for the model, across languages too.
    """

    shared: Arm
    apart: Arm | None
    known: bool


@dataclass(frozen=True, slots=True)
class Betas:
    """Fitted constants of both arms, in the form of ``Arm.prior``."""

    shared: Array
    apart: Array | None

    def moved(self, slope: float, shift: float) -> Betas:
        """All log odds times ``slope``, plus ``shift``: the order of candidates stays."""
        return Betas(
            _moved(self.shared, slope, shift),
            None if self.apart is None else _moved(self.apart, slope, shift),
        )

    def as_entry(self, arms: Arms) -> dict[str, Any]:
        """The constants in the form of ``craft/gate/constants.json``."""
        entry = {"shared": _entry(self.shared, arms.shared)}
        if self.apart is not None and arms.apart is not None:
            entry["apart"] = _entry(self.apart, arms.apart)
        return entry

    def as_calibration(self, arms: Arms, name: str) -> GateCalibration:
        """The constants as the gate uses them."""
        return parse_calibration(name, self.as_entry(arms), own=True)


@dataclass(frozen=True, slots=True)
class Bags:
    """The candidates of all cases; ``owner`` is each row's case, ``ruled`` what the rules refuse.

    ``nearest`` are the first in the vector channel: what stands for them where no arm does.
    ``ruled_across`` is the same where a passage in another language is among the likely ones. A
    case for which nothing was found has one row of zeros and is ruled.
    """

    table: Table
    owner: npt.NDArray[np.int64]
    shared: Flags
    nearest: Flags
    holding: Flags
    label: Array
    ruled: Flags
    ruled_across: Flags


@dataclass(frozen=True, slots=True)
class Look:
    """All cases under some constants: each one's best log odds, and whether a rule refuses it."""

    best: Array
    ruled: Flags


def arms_of(model: str, cases: Sequence[Case]) -> Arms:
    """What is weighed for a model, drawn to its shipped constants, or to words alone.

    An unknown model's cosines start at 0, and its passages in another language all alike.
    """
    shipped = get_calibration(model)
    apart = any(not found.shared for case in cases for found in case.reading.signals)
    if model == LEXICAL:
        return Arms(_arm(LEXICAL_SIGNALS, shipped.shared), None, known=True)
    if shipped.apart is not None:
        return Arms(
            _arm(SHARED_SIGNALS, shipped.shared),
            _arm(APART_SIGNALS, shipped.apart) if apart else None,
            known=True,
        )
    alike = Logistic(_ALIKE, {})
    return Arms(
        _arm((*SHARED_SIGNALS, *LEXICAL_SIGNALS), shipped.shared),
        _arm(APART_SIGNALS, alike) if apart else None,
        known=False,
    )


def read_bags(cases: Sequence[Case]) -> Bags:
    """The cases as one table."""
    rows = [
        [[float(getattr(found, name)) for name in SIGNAL_NAMES] for found in case.reading.signals]
        or [[0.0] * len(SIGNAL_NAMES)]
        for case in cases
    ]
    return Bags(
        table=make_table(rows),
        owner=np.repeat(np.arange(len(cases)), [len(bag) for bag in rows]),
        shared=_flat([[s.shared for s in case.reading.signals] or [True] for case in cases]),
        nearest=_flat([list(case.reading.nearest) or [False] for case in cases]),
        holding=_flat([list(case.holding) or [True] for case in cases]),
        label=np.array([float(case.answerable) for case in cases]),
        ruled=np.array([_ruled(case, across=False) for case in cases]),
        ruled_across=np.array([_ruled(case, across=True) for case in cases]),
    )


def look(bags: Bags, betas: Betas) -> Look:
    """Every case's best candidate under these constants, as the gate would see it."""
    margins = _margins(bags, betas)
    best = np.maximum.reduceat(margins, bags.table.starts)
    apart = np.where(bags.shared, -np.inf, margins)
    likely = np.maximum.reduceat(apart, bags.table.starts)
    across = np.isfinite(likely) & (probabilities(likely) >= LIKELY_SHARE * probabilities(best))
    return Look(best, np.where(across, bags.ruled_across, bags.ruled))


def fit_arms(bags: Bags, part: Flags, arms: Arms, ridge: float) -> Betas:
    """Both arms on the cases of ``part``, drawn to their priors; refusals by rule teach nothing."""
    betas = Betas(arms.shared.prior, arms.apart.prior if arms.apart else None)
    for _ in range(ROUNDS):
        margins = np.where(bags.holding, _margins(bags, betas), 2 * _NEVER)
        chosen = bags.table.best(margins)
        taught = part & ~look(bags, betas).ruled
        betas = Betas(
            _fit_arm(bags, part, chosen[taught], arms.shared, ridge, shared=True),
            _fit_arm(bags, part, chosen[taught], arms.apart, ridge, shared=False)
            if arms.apart
            else None,
        )
    return betas


def prior_of(arms: Arms) -> Betas:
    """The constants without a fit: of an unknown model those of the words alone."""
    return Betas(arms.shared.prior, arms.apart.prior if arms.apart and arms.known else None)


def _fit_arm(
    bags: Bags, part: Flags, chosen: npt.NDArray[np.int64], arm: Arm, ridge: float, *, shared: bool
) -> Array:
    own = chosen[bags.shared[chosen] == shared]
    if not len(own):
        return arm.prior
    # All candidates tell how far a signal spreads, also where few of them were chosen.
    seen = bags.table.rows[part[bags.owner] & (bags.shared == shared)]
    beta = np.zeros_like(arm.prior)
    beta[arm.weighed] = fit_logistic(
        bags.table.rows[own][:, arm.weighed],
        bags.label[bags.owner[own]],
        np.ones(len(own)),
        ridge=ridge,
        prior=arm.prior[arm.weighed],
        anchor=ANCHOR,
        scale=seen[:, arm.weighed].std(0),
    )
    return beta


def _margins(bags: Bags, betas: Betas) -> Array:
    rows = bags.table.rows
    alone = np.where(bags.nearest, _ALIKE, _NEVER)
    apart = alone if betas.apart is None else rows @ betas.apart
    return np.asarray(np.where(bags.shared, rows @ betas.shared, apart))


def _arm(names: Sequence[str], prior: Logistic) -> Arm:
    weighed = np.array([True, *(name in names for name in SIGNAL_NAMES)])
    weights: Mapping[str, float] = prior.weights
    return Arm(
        weighed, np.array([prior.intercept, *(weights.get(name, 0.0) for name in SIGNAL_NAMES)])
    )


def _entry(beta: Array, arm: Arm) -> dict[str, Any]:
    weights = {
        name: round(float(weight), 5)
        for name, weight, weighed in zip(SIGNAL_NAMES, beta[1:], arm.weighed[1:], strict=True)
        if weighed
    }
    return {"intercept": round(float(beta[0]), 5), "weights": weights}


def _moved(beta: Array, slope: float, shift: float) -> Array:
    moved = beta * slope
    moved[0] += shift
    return np.asarray(moved)


def _ruled(case: Case, *, across: bool) -> bool:
    reading = case.reading
    names = reading.unmentioned_cross_lingual if across else reading.unmentioned
    return bool(names) or reading.off_topic or not reading.signals


def _flat(bags: Sequence[Sequence[bool]]) -> Flags:
    return np.array([flag for bag in bags for flag in bag], dtype=bool)
