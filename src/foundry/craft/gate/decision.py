"""The gate: is what was found enough to answer from? It decides before any model call.

Each candidate's signals become a calibrated relevance (0–1), and the best of
them is the question's gate score. Below ``min_score`` nothing may be generated.
It refuses to look at the fused score, and it never asks a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foundry.craft.gate.calibration import (
    GateCalibration,
)
from foundry.craft.gate.question import (
    Candidate,
    Question,
    find_uncovered_words,
    find_unmentioned,
)
from foundry.craft.gate.signals import (
    MAX_JUDGED,
    CandidateSignals,
    compute_signals,
)
from foundry.records import GateDecision, Verdict

DECISIVE = 0.5
"""A hit at or above this relevance is enough alone: a fact is often stated once."""

UNMENTIONED_CAP = 0.1
"""The most relevance where a name of the question stands in no source, or next to nothing of what
it is about does: such questions have no answer, but for a few that misspell the name."""

MIN_KNOWN = 0.3
"""Below this ``known`` a question is about something else than the sources: over SQuAD 2.0, ClapNQ
and the example project no question with an answer lies there."""

ENOUGH_CHUNKS = 20
"""Fewer chunks hold too few words for their absence to tell: of three pages, many a word that is
asked about is missing."""

LIKELY_SHARE = 0.8
"""Share of the best relevance at which a passage in another language may be the one."""

UNCALIBRATED_CROSS_LINGUAL = 0.3
"""Relevance of the nearest chunk in another language under an unknown embedding model:
above the default threshold, never decisive."""


@dataclass(frozen=True, slots=True)
class GateFeatures:
    """All that the gate reads of a question and its candidates, before any constants weigh it.

    ``signals`` and ``nearest`` (first in the vector channel) are those of the judged candidates.
    ``find_unmentioned`` are names of the question that no source has; ``unmentioned_across`` those
    that count where the answer may stand in another language. ``foreign`` says that next to
    nothing of what it is about stands in any source. ``candidates`` counts all, judged or not.
    """

    signals: tuple[CandidateSignals, ...]
    nearest: tuple[bool, ...]
    unmentioned: tuple[str, ...]
    unmentioned_cross_lingual: tuple[str, ...]
    off_topic: bool
    candidates: int


@dataclass(frozen=True, slots=True)
class ScoredCandidates:
    """The relevance of each candidate, in order, with the signals of the judged ones.

    ``find_unmentioned`` are names of the question that no source has; ``foreign`` says that
    next to nothing of what it is about stands in any source.
    """

    relevances: tuple[float, ...]
    signals: tuple[CandidateSignals, ...]
    calibration: GateCalibration
    unmentioned: tuple[str, ...] = ()
    off_topic: bool = False

    @property
    def ruled(self) -> bool:
        """Whether the question is refused by rule, whatever was found."""
        return bool(self.unmentioned) or self.off_topic

    @property
    def calibrated(self) -> bool:
        """Whether the constants were fitted to what decides: these vectors, its languages."""
        best = self.best
        known = self.calibration.apart is not None or best is None or self.signals[best].shared
        return self.calibration.calibrated and known

    @property
    def best(self) -> int | None:
        """The place of the judged candidate with the highest relevance; None without any."""
        return max(range(len(self.signals)), key=lambda at: self.relevances[at], default=None)


def score_candidates(
    question: Question, candidates: Sequence[Candidate], calibration: GateCalibration
) -> ScoredCandidates:
    """Relevance per candidate under these constants.

    Candidates after the first ``MAX_JUDGED`` are not looked into: their relevance is 0.
    """
    return apply_calibration(extract_features(question, candidates), calibration)


def extract_features(question: Question, candidates: Sequence[Candidate]) -> GateFeatures:
    """The signals of the judged candidates, and what the rules say of the question."""
    judged = candidates[:MAX_JUDGED]
    signals = tuple(compute_signals(question, judged))
    apart = not all(found.shared for found in signals)
    return GateFeatures(
        signals=signals,
        nearest=tuple(one.dense is not None and one.dense.rank == 1 for one in judged),
        unmentioned=find_unmentioned(question, judged, across=False),
        unmentioned_cross_lingual=find_unmentioned(question, judged, across=True) if apart else (),
        off_topic=_is_off_topic(question, signals),
        candidates=len(candidates),
    )


def apply_calibration(reading: GateFeatures, calibration: GateCalibration) -> ScoredCandidates:
    """What was read, under these constants."""
    judged = [
        _compute_relevance(found, nearest, calibration)
        for found, nearest in zip(reading.signals, reading.nearest, strict=True)
    ]
    across = _has_likely_translation(judged, reading.signals)
    names = reading.unmentioned_cross_lingual if across else reading.unmentioned
    if names or reading.off_topic:
        judged = [min(relevance, UNMENTIONED_CAP) for relevance in judged]
    rest = [0.0] * (reading.candidates - len(judged))
    return ScoredCandidates(
        (*judged, *rest), reading.signals, calibration, names, reading.off_topic
    )


def _is_off_topic(question: Question, signals: Sequence[CandidateSignals]) -> bool:
    """Whether the question is about something else; where another language is near, who knows."""
    alike = bool(signals) and all(found.shared for found in signals)
    return alike and question.chunks >= ENOUGH_CHUNKS and signals[0].known < MIN_KNOWN


def _has_likely_translation(
    relevances: Sequence[float], signals: Sequence[CandidateSignals]
) -> bool:
    """Whether a passage in another language is among the likely ones: it may name things otherwise."""
    best = max(relevances, default=0.0)
    return any(
        relevance >= LIKELY_SHARE * best
        for relevance, found in zip(relevances, signals, strict=True)
        if not found.shared
    )


def make_decision(
    question: Question, scored: ScoredCandidates, *, min_score: float, min_chunks: int
) -> GateDecision:
    """The verdict with its reasons (specification §8)."""
    score = max(scored.relevances, default=0.0)
    good = sum(1 for relevance in scored.relevances if relevance >= min_score)
    abroad = bool(scored.signals) and not any(found.shared for found in scored.signals)
    uncovered = () if abroad else find_uncovered_words(question)
    decision, reasons = _choose_verdict(score, good, min_score, min_chunks)
    unknown = _explain_refusal(scored)
    # Without a threshold nothing is refused: whoever sets it to 0 wants to see all.
    if unknown and min_score > 0:
        decision, reasons = "no_evidence", (unknown,)
    if uncovered:
        reasons = (*reasons, f"No source covers: {', '.join(uncovered)}.")
    if abroad:
        reasons = (*reasons, "No passage found is in the question's language: words do not count.")
    if not scored.calibrated and scored.signals:
        reasons = (*reasons, "The gate has no constants for these vectors: only words were judged.")
    best = scored.best
    return GateDecision(
        decision=decision,
        score=score,
        threshold=min_score,
        reasons=reasons,
        signals=scored.signals[best].as_dict() if best is not None else {},
        uncovered=uncovered,
        calibrated=scored.calibrated,
        constants="project" if scored.calibration.own else "shipped",
    )


def _explain_refusal(scored: ScoredCandidates) -> str:
    """Why the question is refused whatever was found; empty where it is not."""
    if scored.unmentioned:
        return f"No source mentions: {', '.join(scored.unmentioned)}."
    return "The question is about something else than the sources." if scored.off_topic else ""


def _compute_relevance(
    signals: CandidateSignals, nearest: bool, calibration: GateCalibration
) -> float:
    if signals.shared:
        return calibration.shared.probability(signals)
    if calibration.apart is not None:
        return calibration.apart.probability(signals)
    return UNCALIBRATED_CROSS_LINGUAL if nearest else 0.0


def _choose_verdict(
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
