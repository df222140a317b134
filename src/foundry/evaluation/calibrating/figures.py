"""What constants come to on labelled cases: what they refuse, and how far a score is true.

What cannot be counted is None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from foundry.evaluation.calibrating.bounding import rate_interval
from foundry.evaluation.metrics.gate import Bin, calibration_error, measure_gate, reliability


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case under some constants. ``rule`` is why it is refused whatever its score."""

    score: float
    refused: bool
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled case before and after; ``key`` and ``text`` are its question's."""

    key: str
    text: str
    answerable: bool
    language: str
    arm: str
    before: Outcome
    after: Outcome


@dataclass(frozen=True, slots=True)
class GateRates:
    """The gate on some cases, all 0–1; ``interval`` is the 95 % one of the false refusal rate."""

    n: int
    answerable: int
    auroc: float | None
    refusal_precision: float | None
    refusal_recall: float | None
    false_refusal_rate: float | None
    interval: tuple[float, float] | None
    calibration_error: float | None
    reliability: tuple[Bin, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """The figures of some of the cases, before and after."""

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
    balanced_accuracy: float | None
    precision: float | None
    lost: float | None
    lost_interval: tuple[float, float] | None
    passed: float | None
    passed_interval: tuple[float, float] | None
    calibration_error: float | None
    reliability: tuple[Bin, ...]


def compare_parts(judged: Sequence[Judged], min_score: float) -> tuple[Part, ...]:
    """All cases, then those of each arm, then those of each language; a single one only as all."""
    parts = [("all", list(judged))]
    for key in (lambda one: one.arm, lambda one: one.language):
        parts += _parted(judged, key)
    return tuple(
        Part(name, _rates(some, min_score, "before"), _rates(some, min_score, "after"))
        for name, some in parts
    )


def _parted(
    judged: Sequence[Judged], key: Callable[[Judged], str]
) -> list[tuple[str, list[Judged]]]:
    names = sorted({key(one) for one in judged})
    if len(names) < 2:
        return []
    return [(name, [one for one in judged if key(one) == name]) for name in names]


def _rates(judged: Sequence[Judged], min_score: float, when: str) -> GateRates:
    outcomes: list[Outcome] = [getattr(one, when) for one in judged]
    labels = [one.answerable for one in judged]
    scores = [one.score for one in outcomes]
    refused = [one.refused for one in outcomes]
    found = measure_gate(scores, labels, refused, min_score)
    wrongly = sum(shut and label for shut, label in zip(refused, labels, strict=True))
    bins = reliability(scores, labels)
    return GateRates(
        n=len(judged),
        answerable=sum(labels),
        auroc=found.auroc,
        refusal_precision=found.refusal_precision,
        refusal_recall=found.refusal_recall,
        false_refusal_rate=found.false_refusal_rate,
        interval=rate_interval(wrongly, sum(labels)),
        calibration_error=calibration_error(bins),
        reliability=tuple(bins),
    )
