"""Labelled cases made of signals alone, for fitting the gate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foundry.craft.gate import CandidateSignals, GateFeatures
from foundry.evaluation.calibration.gate import GateCase
from foundry.records import EvalQuestion


def case(
    number: int,
    *,
    answerable: bool,
    candidates: Sequence[CandidateSignals],
    rule: str = "",
    group: str = "",
) -> GateCase:
    """A case with these candidates; ``rule`` is a name that no source has."""
    question = EvalQuestion(f"q{number:03}", "made", f"Question {number}?", answerable)
    names = (rule,) if rule else ()
    reading = GateFeatures(
        tuple(candidates), (False,) * len(candidates), names, names, False, len(candidates)
    )
    return GateCase(question, "en", reading, group or question.key)


def cases(answerable: int, unanswerable: int, *, noise: float = 0.15) -> list[GateCase]:
    """Cases that coverage separates, apart from noise, and cosines do not."""
    rng = np.random.default_rng(5)
    made = []
    for number in range(answerable + unanswerable):
        good = number < answerable
        middle = 0.75 if good else 0.35
        signals = [
            CandidateSignals(
                shared=True,
                cosine=float(rng.uniform(0.3, 0.6)),
                coverage=float(np.clip(rng.normal(middle - 0.2 * at, noise), 0, 1)),
            )
            for at in range(3)
        ]
        made.append(case(number, answerable=good, candidates=signals))
    return made
