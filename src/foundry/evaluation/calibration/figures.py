"""Figures of a calibration before and after the fit, and the verdict on which is better.

A figure that cannot be computed is None.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from foundry.evaluation.calibration.line import rate_interval
from foundry.evaluation.libraries import require
from foundry.evaluation.metrics.gate import (
    Bin,
    auroc,
    calibration_error,
    measure_gate,
    reliability,
)

_SIGNIFICANCE = 0.05
"""Changes that chance makes this often do not count as clear; the usual level."""

_NOTICEABLE = 0.005
"""Smaller differences of rates and errors count as none: they would round to the same percent."""


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """One question under some constants; ``rule`` is why it is refused whatever its score."""

    score: float
    refused: bool
    rule: str = ""


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A labelled question before and after the fit."""

    key: str
    text: str
    answerable: bool
    language: str
    arm: str
    before: GateOutcome
    after: GateOutcome


@dataclass(frozen=True, slots=True)
class GateRates:
    """The gate on some questions, all 0–1; ``interval`` is that of the false refusal rate (95 %)."""

    n: int
    answerable: int
    auroc: float | None
    refusal_precision: float | None
    refusal_recall: float | None
    false_refusal_rate: float | None
    interval: tuple[float, float] | None
    calibration_error: float | None
    reliability: tuple[Bin, ...]

    def as_dict(self) -> dict[str, Any]:
        """The figures as stored and printed."""
        return {
            "questions": self.n,
            "answerable": self.answerable,
            "auroc": _round(self.auroc),
            "gate_refusal_precision": _round(self.refusal_precision),
            "gate_refusal_recall": _round(self.refusal_recall),
            "gate_false_refusal_rate": _round(self.false_refusal_rate),
            "gate_false_refusal_interval": _round_pair(self.interval),
            "calibration_error": _round(self.calibration_error),
        }


@dataclass(frozen=True, slots=True)
class GatePart:
    """The figures of some of the questions, before and after."""

    name: str
    before: GateRates
    after: GateRates


@dataclass(frozen=True, slots=True)
class ClaimRates:
    """The verifier on some claims, all 0–1, with 95 % intervals.

    ``lost``: of the true claims, the share not supported; ``passed``: of the false, the share
    supported. ``calibration_error`` and ``reliability`` are of the claims that the score decides.
    """

    n: int
    true: int
    auroc: float | None
    balanced_accuracy: float
    precision: float | None
    lost: float
    lost_interval: tuple[float, float] | None
    passed: float
    passed_interval: tuple[float, float] | None
    calibration_error: float | None
    reliability: tuple[Bin, ...]

    def as_dict(self) -> dict[str, Any]:
        """The figures as stored and printed."""
        return {
            "claims": self.n,
            "true": self.true,
            "auroc": _round(self.auroc),
            "balanced_accuracy": _round(self.balanced_accuracy),
            "precision": _round(self.precision),
            "lost": _round(self.lost),
            "lost_interval": _round_pair(self.lost_interval),
            "passed": _round(self.passed),
            "passed_interval": _round_pair(self.passed_interval),
            "calibration_error": _round(self.calibration_error),
        }


@dataclass(frozen=True, slots=True)
class FitVerdict:
    """Whether the fit is better than the shipped constants, and why: a sentence."""

    better: bool
    reason: str


def compare_parts(judged: Sequence[JudgedQuestion], min_score: float) -> tuple[GatePart, ...]:
    """The figures of all questions, then of each arm and each language if there are several."""
    parts = {"all": list(judged)}
    for name in ("arm", "language"):
        values = sorted({getattr(one, name) for one in judged})
        if len(values) > 1:
            parts |= {v: [one for one in judged if getattr(one, name) == v] for v in values}
    return tuple(
        GatePart(name, _rate(some, min_score, "before"), _rate(some, min_score, "after"))
        for name, some in parts.items()
    )


def rate_claims(
    labels: Sequence[bool],
    supported: Sequence[bool],
    scores: Sequence[float],
    decided: Sequence[int],
) -> ClaimRates:
    """The figures of claims of both labels; ``decided`` indexes those that the score decides."""
    pairs = list(zip(supported, labels, strict=True))
    true, kept, passed = sum(labels), pairs.count((True, True)), pairs.count((True, False))
    false = len(labels) - true
    bins = reliability([scores[index] for index in decided], [labels[index] for index in decided])
    return ClaimRates(
        n=len(labels),
        true=true,
        auroc=auroc(scores, labels),
        balanced_accuracy=(kept / true + 1 - passed / false) / 2,
        precision=kept / (kept + passed) if kept + passed else None,
        lost=1 - kept / true,
        lost_interval=rate_interval(true - kept, true),
        passed=passed / false,
        passed_interval=rate_interval(passed, false),
        calibration_error=calibration_error(bins),
        reliability=tuple(bins),
    )


def compare_gates(
    judged: Sequence[JudgedQuestion], before: GateRates, after: GateRates, bound: float
) -> FitVerdict:
    """The bound first, then clearly more right refusals, then what the scores mean."""
    old, new = before.false_refusal_rate or 0.0, after.false_refusal_rate or 0.0
    right = (before.refusal_recall or 0.0, after.refusal_recall or 0.0)
    figures = (
        f"{old:.1%} → {new:.1%} of the answerable questions are refused, "
        f"{right[0]:.1%} → {right[1]:.1%} of the unanswerable"
    )
    if (new <= bound) != (old <= bound):
        keeps, breaks = "the fit", "the shipped constants"
        if new > bound:
            keeps, breaks = breaks, keeps
        reason = f"Only {keeps}, not {breaks}, can keep the bound of {bound:.1%}: {figures}."
        return FitVerdict(new <= bound, reason)
    if new > bound and new != old:
        return FitVerdict(new < old, f"Both break the bound of {bound:.1%}: {figures}.")
    change = _find_clear_change(judged)
    if change:
        word = "more" if change > 0 else "less"
        return FitVerdict(change > 0, f"Clearly {word} is refused rightly: {figures}.")
    worse = new >= old and right[1] <= right[0] and (new, right[1]) != (old, right[0])
    errors = before.calibration_error or 0.0, after.calibration_error or 0.0
    better = errors[0] - errors[1] >= _NOTICEABLE and not worse
    word = "mean more" if better else "mean no more"
    reason = (
        f"The decisions are about the same and the scores {word}: {figures}; "
        f"calibration error {errors[0]:.3f} → {errors[1]:.3f}."
    )
    return FitVerdict(better, reason)


def compare_claims(before: ClaimRates, after: ClaimRates) -> FitVerdict:
    """No more false claims may pass; then balanced accuracy counts, then what the scores mean."""
    gain = after.balanced_accuracy - before.balanced_accuracy
    errors = before.calibration_error or 0.0, after.calibration_error or 0.0
    figures = (
        f"{before.passed:.1%} → {after.passed:.1%} of the false claims pass, {before.lost:.1%} → "
        f"{after.lost:.1%} of the true are lost; calibration error {errors[0]:.3f} → {errors[1]:.3f}"
    )
    if after.passed - before.passed > _NOTICEABLE:
        return FitVerdict(False, f"More false claims pass: {figures}.")
    if abs(gain) >= _NOTICEABLE:
        word = "More" if gain > 0 else "Fewer"
        return FitVerdict(gain > 0, f"{word} claims are judged rightly: {figures}.")
    better = errors[0] - errors[1] >= _NOTICEABLE
    word = "mean more" if better else "mean no more"
    reason = f"About as many claims are judged rightly and the scores {word}: {figures}."
    return FitVerdict(better, reason)


def _rate(judged: Sequence[JudgedQuestion], min_score: float, when: str) -> GateRates:
    outcomes: list[GateOutcome] = [getattr(one, when) for one in judged]
    labels = [one.answerable for one in judged]
    scores = [outcome.score for outcome in outcomes]
    refused = [outcome.refused for outcome in outcomes]
    gate = measure_gate(scores, labels, refused, min_score)
    wrongly = sum(shut and label for shut, label in zip(refused, labels, strict=True))
    bins = reliability(scores, labels)
    return GateRates(
        n=len(judged),
        answerable=sum(labels),
        auroc=gate.auroc,
        refusal_precision=gate.refusal_precision,
        refusal_recall=gate.refusal_recall,
        false_refusal_rate=gate.false_refusal_rate,
        interval=rate_interval(wrongly, sum(labels)),
        calibration_error=calibration_error(bins),
        reliability=tuple(bins),
    )


def _find_clear_change(judged: Sequence[JudgedQuestion]) -> int:
    """1 or -1 if a sign test on the unanswerable questions that changed is significant, else 0."""
    changed = [
        one.after.refused
        for one in judged
        if not one.answerable and one.after.refused != one.before.refused
    ]
    gained = sum(changed)
    if not changed:
        return 0
    if require("scipy.stats").binomtest(gained, len(changed)).pvalue >= _SIGNIFICANCE:
        return 0
    return 1 if 2 * gained > len(changed) else -1


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _round_pair(bounds: tuple[float, float] | None) -> list[float] | None:
    return None if bounds is None else [round(bound, 4) for bound in bounds]
