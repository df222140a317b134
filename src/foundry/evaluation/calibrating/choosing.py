"""How much a set of labelled questions can support, fitted: weights, threshold, or milder only.

The strength of the ridge is chosen by cross-validation inside the questions given, with the prior's
own weights as one of the choices; the threshold is placed on scores of held-out questions.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from foundry.evaluation.calibrating.arms import Arms, Bags, Betas, Look, fit_arms, look, prior_of
from foundry.evaluation.calibrating.bounding import (
    Line,
    fit_line,
    log_loss,
    log_odds,
    milder_threshold,
    of_label,
    pin_line,
    place_threshold,
)
from foundry.evaluation.calibrating.fitting import Array, Flags

RIDGES = (0.3, 1.0, 3.0, 10.0, 30.0)
"""In units of a signal's spread: 30 holds the weights nearly where they were."""

INNER_FOLDS = 5
_SEED = 3

FEWEST_ANSWERABLE = 20
"""Below it a threshold is not placed. Placed by 20 questions in all, some 8 of them answerable,
one threshold in ten refused 14 % of the example's other answerable ones; by 45, some 20, 7 %."""

FEWEST_UNANSWERABLE = 10
"""Below it weights are not fitted."""

Support = Literal["weights", "threshold", "milder"]
"""What the questions can support: new weights; the prior's, shifted under the bound; or the
prior's, shifted so that less is refused."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the fit is to keep: at ``min_score`` at most ``bound`` of the answerable are refused."""

    min_score: float
    bound: float
    support: Support


@dataclass(frozen=True, slots=True)
class Choice:
    """Fitted constants, and the ridge that was chosen; None where the prior's weights stayed."""

    betas: Betas
    ridge: float | None


def support_of(answerable: int, unanswerable: int) -> Support:
    """What so many labelled questions can support."""
    if answerable < FEWEST_ANSWERABLE:
        return "milder"
    return "weights" if unanswerable >= FEWEST_UNANSWERABLE else "threshold"


def deal_folds(groups: Sequence[str], part: Flags, folds: int) -> npt.NDArray[np.int64]:
    """The fold of each case in ``part``, -1 outside; a group is never parted, and folds are even."""
    sizes = Counter(group for group, inside in zip(groups, part, strict=True) if inside)
    names = sorted(sizes)
    shuffled = [names[at] for at in np.random.default_rng(_SEED).permutation(len(names))]
    order = sorted(shuffled, key=lambda group: -sizes[group])
    held: dict[int, int] = defaultdict(int)
    fold_of: dict[str, int] = {}
    for group in order:
        fold = min(range(folds), key=lambda one: held[one])
        fold_of[group] = fold
        held[fold] += sizes[group]
    dealt = [fold_of[g] if inside else -1 for g, inside in zip(groups, part, strict=True)]
    return np.array(dealt, dtype=np.int64)


def choose(bags: Bags, groups: Sequence[str], part: Flags, arms: Arms, wish: Wish) -> Choice:
    """The constants that the cases of ``part`` support."""
    if wish.support == "milder":
        return Choice(_milder(bags, part, arms, wish), None)
    looks: dict[float | None, Look] = {None: look(bags, prior_of(arms))}
    if wish.support == "weights":
        folds = deal_folds(groups, part, INNER_FOLDS)
        looks |= {ridge: _held_out(bags, folds, arms, ridge) for ridge in RIDGES}
    ridge = steadiest({one: _losses(bags, part, seen) for one, seen in looks.items()})
    betas = prior_of(arms) if ridge is None else fit_arms(bags, part, arms, ridge)
    line = _line(bags, part, looks[ridge], wish)
    return Choice(betas.moved(line.slope, line.shift), ridge)


def _milder(bags: Bags, part: Flags, arms: Arms, wish: Wish) -> Betas:
    betas = prior_of(arms)
    seen = look(bags, betas)
    current = log_odds(wish.min_score)
    wanted = of_label(seen.best, seen.ruled, part & (bags.label > 0))
    return betas.moved(1.0, current - milder_threshold(wanted, current))


def _held_out(bags: Bags, folds: npt.NDArray[np.int64], arms: Arms, ridge: float) -> Look:
    """Each case as a fit that never saw it sees it."""
    best, ruled = np.zeros(len(folds)), np.zeros(len(folds), dtype=bool)
    for fold in range(folds.max() + 1):
        held = folds == fold
        seen = look(bags, fit_arms(bags, (folds >= 0) & ~held, arms, ridge))
        best[held], ruled[held] = seen.best[held], seen.ruled[held]
    return Look(best, ruled)


def _losses(bags: Bags, part: Flags, seen: Look) -> Array:
    """What each case of ``part`` costs after the best line; refusals by rule cost nothing."""
    margins, label = _scored(bags, part, seen)
    losses = np.zeros(len(part))
    losses[part & ~seen.ruled] = log_loss(fit_line(margins, label)(margins), label)
    return np.asarray(losses[part])


def steadiest(losses: Mapping[float | None, Array]) -> float | None:
    """The choice nearest to the prior that costs no more than the cheapest, give or take.

    That is one standard error of the difference, question by question (Breiman et al.,
    "Classification and Regression Trees", 1984). None, the prior's own weights, comes first.
    """
    cheapest = losses[min(losses, key=lambda one: float(losses[one].mean()))]
    order = sorted(losses, key=lambda one: -math.inf if one is None else -one)
    for one in order:
        dearer = losses[one] - cheapest
        if dearer.mean() <= dearer.std() / math.sqrt(len(dearer)):
            return one
    return None


def _line(bags: Bags, part: Flags, seen: Look, wish: Wish) -> Line:
    margins, label = _scored(bags, part, seen)
    if wish.min_score <= 0:
        # Nothing is refused: the scores need mean no more than what they say.
        return fit_line(margins, label)
    current = log_odds(wish.min_score)
    wanted = of_label(seen.best, seen.ruled, part & (bags.label > 0))
    others = seen.best[part & (bags.label == 0) & ~seen.ruled]
    threshold = place_threshold(wanted, others, wish.bound, current)
    if wish.support == "threshold":
        return Line(1.0, current - threshold)
    return pin_line(margins, label, threshold, current)


def _scored(bags: Bags, part: Flags, seen: Look) -> tuple[Array, Array]:
    judged = part & ~seen.ruled
    return seen.best[judged], bags.label[judged]
