"""Whether new constants are better than those in use, and in which words that is said."""

from __future__ import annotations

from dataclasses import dataclass

from foundry.evaluation.calibrating.figures import ClaimRates, GateRates

_CLOSE = 0.005
"""Rates and errors nearer than this are told as the same."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Better or not, and why: a sentence."""

    better: bool
    reason: str


def compare_gates(before: GateRates, after: GateRates, bound: float) -> Verdict:
    """The bound first, then what is refused rightly, then what a score means."""
    old, new = before.false_refusal_rate or 0.0, after.false_refusal_rate or 0.0
    gained = (after.refusal_recall or 0.0) - (before.refusal_recall or 0.0)
    rightly = (
        f"of the unanswerable {_share(before.refusal_recall)} → {_share(after.refusal_recall)}"
    )
    wrongly = f"of the answerable {old:.1%} → {new:.1%}"
    refused = f"refused {wrongly}, {rightly}"
    if (new <= bound) != (old <= bound):
        kept = "keep" if new <= bound else "break"
        other = "break" if new <= bound else "keep"
        said = f"The new constants {kept} the bound of {bound:.1%}, and the current ones {other} it"
        return Verdict(new <= bound, f"{said}: {refused}.")
    if new > bound and new != old:
        return Verdict(new < old, f"Both break the bound of {bound:.1%}: {refused}.")
    if abs(gained) >= _CLOSE:
        said = "more" if gained > 0 else "less"
        return Verdict(gained > 0, f"Under the bound {said} is refused rightly: {refused}.")
    closer = (before.calibration_error or 0.0) - (after.calibration_error or 0.0)
    better = closer >= _CLOSE and new <= old
    errors = f"{_error(before.calibration_error)} → {_error(after.calibration_error)}"
    said = "and scores are nearer to the truth" if better else "and scores are no nearer the truth"
    return Verdict(better, f"As much is refused rightly, {said} (calibration error {errors}).")


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
    errors = f"{_error(before.calibration_error)} → {_error(after.calibration_error)}"
    said = "scores are nearer to the truth" if closer >= _CLOSE else "scores are no nearer the truth"
    as_many = "About as many claims are judged rightly"
    return Verdict(closer >= _CLOSE, f"{as_many}, and {said} (calibration error {errors}; {told}).")


def _share(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.1%}"


def _error(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
