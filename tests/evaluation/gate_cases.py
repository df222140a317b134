"""Labelled cases made of signals alone, for fitting the gate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foundry.craft.gate import CandidateSignals, GateFeatures, Missing
from foundry.evaluation.calibration import GateCase
from foundry.records import EvalQuestion, SubjectFit


def case(
    number: int,
    *,
    answerable: bool,
    candidates: Sequence[CandidateSignals],
    rule: str = "",
    group: str = "",
) -> GateCase:
    """A case with these candidates; ``rule`` is an identifier that no source has."""
    question = EvalQuestion(f"q{number:03}", "made", f"Question {number}?", answerable)
    missing = Missing((rule,), absent=rule) if rule else Missing()
    reading = GateFeatures(
        signals=tuple(candidates),
        nearest=(False,) * len(candidates),
        embedded=(True,) * len(candidates),
        fits=(SubjectFit(),) * len(candidates),
        candidates=len(candidates),
        missing=missing,
        missing_across=missing,
    )
    return GateCase(question, "en", reading, group or question.key)


def cases(answerable: int, unanswerable: int, *, noise: float = 0.15) -> list[GateCase]:
    """Cases that their words separate, apart from noise, and cosines do not."""
    rng = np.random.default_rng(5)
    made = []
    for number in range(answerable + unanswerable):
        good = number < answerable
        middle = 0.75 if good else 0.35
        signals = []
        for at in range(3):
            cosine = float(rng.uniform(0.3, 0.6))
            words = float(np.clip(rng.normal(middle - 0.2 * at, noise), 0, 1))
            signals.append(
                CandidateSignals(
                    True, cosine, passage=words, saturated=words, attribute=words, named=0.0
                )
            )
        made.append(case(number, answerable=good, candidates=signals))
    return made
