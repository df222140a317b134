"""The gate: is what was found enough to answer from? It decides before any model call.

Each candidate's signals become a calibrated relevance (0–1), and the best of
them is the question's gate score. Below ``min_score`` nothing may be generated.
It refuses to look at the fused score, and it never asks a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foundry.craft.gate.constants import Calibration, find_calibration
from foundry.craft.gate.signals import (
    JUDGED,
    Candidate,
    Question,
    Signals,
    languages_agree,
    read_signals,
    uncovered_words,
)
from foundry.records import GateDecision, Verdict

__all__ = [
    "DECISIVE",
    "JUDGED",
    "Candidate",
    "Question",
    "Scored",
    "judge",
    "languages_agree",
    "score_candidates",
    "uncovered_words",
]

DECISIVE = 0.5
"""A hit at or above this relevance is enough alone: a fact is often stated once."""

UNCALIBRATED_APART = 0.3
"""Relevance of the nearest chunk in another language under an unknown embedding model:
above the default threshold, never decisive."""


@dataclass(frozen=True, slots=True)
class Scored:
    """The relevance of each candidate, in order, with the signals of the judged ones."""

    relevances: tuple[float, ...]
    signals: tuple[Signals, ...]
    calibration: Calibration


def score_candidates(
    question: Question,
    candidates: Sequence[Candidate],
    *,
    model: str | None,
) -> Scored:
    """Relevance per candidate under the constants of ``model`` (None: no vectors were used).

    Candidates after the first ``JUDGED`` are not looked into: their relevance is 0.
    """
    calibration = find_calibration(model)
    signals = read_signals(question, candidates)
    judged = [
        _relevance(candidate, s, calibration)
        for candidate, s in zip(candidates, signals, strict=False)
    ]
    rest = [0.0] * (len(candidates) - len(judged))
    return Scored((*judged, *rest), tuple(signals), calibration)


def judge(question: Question, scored: Scored, *, min_score: float, min_chunks: int) -> GateDecision:
    """The verdict with its reasons (specification §8)."""
    score = max(scored.relevances, default=0.0)
    good = sum(1 for relevance in scored.relevances if relevance >= min_score)
    uncovered = uncovered_words(question)
    decision, reasons = _decide(score, good, min_score, min_chunks)
    if uncovered:
        reasons = (*reasons, f"No source covers: {', '.join(uncovered)}.")
    if not scored.calibration.calibrated and scored.signals:
        reasons = (*reasons, "The gate has no constants for these vectors: only words were judged.")
    best = max(range(len(scored.signals)), key=lambda i: scored.relevances[i], default=None)
    return GateDecision(
        decision=decision,
        score=score,
        threshold=min_score,
        reasons=reasons,
        signals=scored.signals[best].as_dict() if best is not None else {},
        uncovered=uncovered,
        calibrated=scored.calibration.calibrated,
    )


def _relevance(candidate: Candidate, signals: Signals, calibration: Calibration) -> float:
    if signals.shared:
        return calibration.shared.probability(signals)
    if calibration.apart is not None:
        return calibration.apart.probability(signals)
    nearest = candidate.dense is not None and candidate.dense.rank == 1
    return UNCALIBRATED_APART if nearest else 0.0


def _decide(
    score: float, good: int, min_score: float, min_chunks: int
) -> tuple[Verdict, tuple[str, ...]]:
    if good == 0 or score < min_score:
        return "no_evidence", (
            f"The best passage scores {score:.2f}, below the threshold {min_score:.2f}.",
        )
    if good >= min_chunks:
        return "answer", (f"{good} passages reach the threshold {min_score:.2f}.",)
    if score >= max(DECISIVE, min_score):
        return "answer", (f"One passage is decisive with {score:.2f}.",)
    return "low_confidence", (
        f"Only {good} of {min_chunks} wanted passages reach the threshold {min_score:.2f}.",
    )
