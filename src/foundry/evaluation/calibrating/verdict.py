"""Whether new constants are better than the shipped ones, and in which words that is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foundry.evaluation.calibrating.figures import ClaimRates, GateRates, Judged
from foundry.evaluation.libraries import require

_CHANCE = 0.05
"""A change that chance makes so often is no clear one."""

_CLOSE = 0.005
"""Rates and errors nearer than this are told as the same."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Better or not, and why: a sentence."""

    better: bool
    reason: str


def compare_gates(
    judged: Sequence[Judged], before: GateRates, after: GateRates, bound: float
) -> Verdict:
    """The bound first, then what is clearly refused rightly, then how scores part the labels."""
    old, new = before.false_refusal_rate or 0.0, after.false_refusal_rate or 0.0
    rightly = (
        f"of the unanswerable {_share(before.refusal_recall)} → {_share(after.refusal_recall)}"
    )
    refused = f"refused of the answerable {old:.1%} → {new:.1%}, {rightly}"
    if (new <= bound) != (old <= bound):
        kept, other = ("keep", "break") if new <= bound else ("break", "keep")
        said = f"The new constants {kept} the bound of {bound:.1%}, and the shipped ones {other} it"
        return Verdict(new <= bound, f"{said}: {refused}.")
    if new > bound and new != old:
        return Verdict(new < old, f"Both break the bound of {bound:.1%}: {refused}.")
    clear = _clearly_more(judged)
    if clear:
        said = "more" if clear > 0 else "less"
        return Verdict(clear > 0, f"Under the bound clearly {said} is refused rightly: {refused}.")
    apart = (after.auroc or 0.0) - (before.auroc or 0.0)
    closer = (before.calibration_error or 0.0) - (after.calibration_error or 0.0)
    nearer = apart > -_CLOSE and closer >= _CLOSE and not _decide_worse(before, after)
    better = apart >= _CLOSE or nearer
    said = "scores say more" if better else "scores do not make up for it"
    if not better and not _decide_worse(before, after):
        said = "scores say no more"
    figures = (
        f"AUROC {_figure(before.auroc)} → {_figure(after.auroc)}, calibration error "
        f"{_figure(before.calibration_error)} → {_figure(after.calibration_error)}"
    )
    return Verdict(better, f"About as much is {refused}; {said} ({figures}).")


def _decide_worse(before: GateRates, after: GateRates) -> bool:
    """More is refused wrongly, or less rightly, and nothing makes up for it."""
    wrongly = (after.false_refusal_rate or 0.0) - (before.false_refusal_rate or 0.0)
    rightly = (after.refusal_recall or 0.0) - (before.refusal_recall or 0.0)
    return wrongly >= 0 >= rightly and wrongly != rightly


def _clearly_more(judged: Sequence[Judged]) -> int:
    """1 or -1 where the unanswerable questions that changed did so one way: a sign test."""
    changed = [
        one.after.refused
        for one in judged
        if not one.answerable and one.after.refused != one.before.refused
    ]
    if not changed:
        return 0
    gained = sum(changed)
    if require("scipy.stats").binomtest(gained, len(changed)).pvalue >= _CHANCE:
        return 0
    return 1 if 2 * gained > len(changed) else -1


def compare_claims(before: ClaimRates, after: ClaimRates) -> Verdict:
    """No more false claims may pass; then what is judged rightly, then what a score means."""
    gained = (after.balanced_accuracy or 0.0) - (before.balanced_accuracy or 0.0)
    told = (
        f"of the false claims {_share(before.passed)} → {_share(after.passed)} pass, "
        f"of the true {_share(before.lost)} → {_share(after.lost)} are lost"
    )
    if (after.passed or 0.0) - (before.passed or 0.0) > _CLOSE:
        return Verdict(False, f"More false claims pass: {told}.")
    if abs(gained) >= _CLOSE:
        said = "More" if gained > 0 else "Fewer"
        return Verdict(gained > 0, f"{said} claims are judged rightly: {told}.")
    closer = (before.calibration_error or 0.0) - (after.calibration_error or 0.0)
    errors = f"{_figure(before.calibration_error)} → {_figure(after.calibration_error)}"
    said = (
        "scores are nearer to the truth" if closer >= _CLOSE else "scores are no nearer the truth"
    )
    as_many = "About as many claims are judged rightly"
    return Verdict(closer >= _CLOSE, f"{as_many}, and {said} (calibration error {errors}; {told}).")


def _share(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.1%}"


def _figure(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
