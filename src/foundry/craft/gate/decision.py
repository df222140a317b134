"""The gate's verdict: relevance per candidate, rules that refuse outright, and the reasons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from foundry.analysis import fold
from foundry.craft.gate.calibration import GateCalibration, get_calibration
from foundry.craft.gate.question import (
    Candidate,
    find_uncovered_words,
    find_unmentioned,
)
from foundry.craft.gate.signals import MAX_JUDGED, CandidateSignals, compute_signals
from foundry.messages import Message
from foundry.records import GateDecision, GateVerdict, Question, SubjectFit

CONFIDENT = 0.6
"""A lower score marks the answer as one of low confidence. On written questions whose documents no
fit had seen, 61 % of the near misses lie below it, and 14 % of the questions with an answer
(``docs/evaluation/gate.md``)."""

DECISIVE = 0.75
"""One hit with this relevance is enough, because a fact is often stated only once. A guess: well
above ``CONFIDENT``."""

UNMENTIONED_CAP = 0.1
"""Highest relevance when the sources lack a name in the question or nearly all of its subject. Low,
but not 0: a few of these questions only misspell the name. A guess, below the usual threshold."""

MIN_KNOWN = 0.3
"""Below this ``known`` the question is off topic. No answerable question of SQuAD 2.0, ClapNQ or the
example project lies below it; ``python -m bench.fit_gate`` reports what is refused."""

ENOUGH_CHUNKS = 20
"""With fewer chunks, missing words prove nothing: three pages lack many a word that people ask
about. A guess."""

LIKELY_SHARE = 0.8
"""A passage in another language may be the answer if it reaches this share of the best relevance.
A guess: close behind the best."""

UNCALIBRATED_CROSS_LINGUAL = 0.3
"""Relevance of the nearest chunk in another language under an unknown embedding model. Above the
default threshold and below ``CONFIDENT``: enough to try, never without the mark."""


@dataclass(frozen=True, slots=True)
class GateFeatures:
    """What the gate knows of a question and its candidates before a calibration weighs it.

    ``signals``, ``nearest`` (ranked first by vector), ``embedded`` (has vectors) and ``fits``
    (whether it is about what the question names) are per judged candidate. ``unmentioned``
    contains names in the question that occur in no source; ``unmentioned_cross_lingual`` those that
    still count where the answer may be in another language. ``off_topic``: the sources mention
    next to nothing of the question's subject. ``elsewhere`` says that the best passage is about
    another thing than the question names, and none is about that. ``candidates`` counts all,
    judged or not.
    """

    signals: tuple[CandidateSignals, ...]
    nearest: tuple[bool, ...]
    embedded: tuple[bool, ...]
    fits: tuple[SubjectFit, ...]
    unmentioned: tuple[str, ...]
    unmentioned_cross_lingual: tuple[str, ...]
    off_topic: bool
    candidates: int
    elsewhere: Message | None = None


@dataclass(frozen=True, slots=True)
class ScoredCandidates:
    """The relevance of each candidate, in order, with the signals of the judged ones.

    ``unmentioned``, ``elsewhere`` and ``off_topic`` are the rules that refuse the question, see
    ``GateFeatures``.
    """

    relevances: tuple[float, ...]
    signals: tuple[CandidateSignals, ...]
    calibration: GateCalibration
    unmentioned: tuple[str, ...] = ()
    off_topic: bool = False
    elsewhere: Message | None = None
    fits: tuple[SubjectFit, ...] = ()

    @property
    def ruled(self) -> bool:
        """Whether a rule refuses the question, whatever was retrieved."""
        return bool(self.unmentioned) or self.off_topic or self.elsewhere is not None

    @property
    def calibrated(self) -> bool:
        """Whether the calibration was fitted for these vectors and the best candidate's language."""
        best = self.best
        is_fitted = self.calibration.apart is not None or best is None or self.signals[best].shared
        return self.calibration.calibrated and is_fitted

    @property
    def best(self) -> int | None:
        """Index of the judged candidate with the highest relevance; None without candidates."""
        return max(range(len(self.signals)), key=lambda i: self.relevances[i], default=None)


def score_candidates(
    question: Question, candidates: Sequence[Candidate], calibration: GateCalibration
) -> ScoredCandidates:
    """Relevance per candidate under a calibration; 0 for those after the first ``MAX_JUDGED``."""
    return apply_calibration(extract_features(question, candidates), calibration)


def extract_features(question: Question, candidates: Sequence[Candidate]) -> GateFeatures:
    """The signals of the judged candidates, and what the rules need."""
    judged = candidates[:MAX_JUDGED]
    signals = tuple(compute_signals(question, judged))
    across = not all(item.shared for item in signals)
    return GateFeatures(
        signals=signals,
        nearest=tuple(_is_nearest(item) for item in judged),
        embedded=tuple(item.cosine is not None for item in judged),
        fits=tuple(item.fit for item in judged),
        unmentioned=find_unmentioned(question, judged, across=False),
        unmentioned_cross_lingual=find_unmentioned(question, judged, across=True) if across else (),
        off_topic=_is_off_topic(question, signals),
        candidates=len(candidates),
        elsewhere=_find_other_subject(judged),
    )


def _is_nearest(candidate: Candidate) -> bool:
    """Ranked first by vector, or by words where vectors are still missing."""
    hit = candidate.bm25 if candidate.cosine is None else candidate.dense
    return hit is not None and hit.rank == 1


def apply_calibration(features: GateFeatures, calibration: GateCalibration) -> ScoredCandidates:
    """Score extracted features, so that one extraction serves many calibrations.

    A candidate without vectors is judged by its words: a partial index refuses nothing.
    """
    words = calibration if calibration.apart is None else get_calibration(None)
    judged = [
        _compute_relevance(signals, nearest, calibration if embedded else words)
        for signals, nearest, embedded in zip(
            features.signals, features.nearest, features.embedded, strict=True
        )
    ]
    across = _has_likely_translation(judged, features.signals)
    names = features.unmentioned_cross_lingual if across else features.unmentioned
    if names or features.off_topic or features.elsewhere:
        judged = [min(relevance, UNMENTIONED_CAP) for relevance in judged]
    rest = [0.0] * (features.candidates - len(judged))
    return ScoredCandidates(
        (*judged, *rest),
        features.signals,
        calibration,
        names,
        features.off_topic,
        features.elsewhere,
        features.fits,
    )


def _find_other_subject(judged: Sequence[Candidate]) -> Message | None:
    """Why the best candidate is about another thing, if none is about what the question names."""
    if not judged or any(candidate.fit.verdict == "fits" for candidate in judged):
        return None
    best = judged[0].fit
    return best.reason if best.verdict == "other" else None


def _is_off_topic(question: Question, signals: Sequence[CandidateSignals]) -> bool:
    """Whether the sources lack the subject; never where a candidate is in another language."""
    comparable = bool(signals) and all(item.shared for item in signals)
    return comparable and question.chunks >= ENOUGH_CHUNKS and signals[0].known < MIN_KNOWN


def _has_likely_translation(
    relevances: Sequence[float], signals: Sequence[CandidateSignals]
) -> bool:
    """Whether a likely passage is in another language, where names may be written differently.

    Where nothing is likely, the missing name is the better reason.
    """
    best = max(relevances, default=0.0)
    if best < UNMENTIONED_CAP:
        return False
    return any(
        relevance >= LIKELY_SHARE * best
        for relevance, item in zip(relevances, signals, strict=True)
        if not item.shared
    )


def make_decision(
    question: Question, scored: ScoredCandidates, *, min_score: float, min_chunks: int
) -> GateDecision:
    """The verdict and its reasons.

    ``answer`` needs a score of ``CONFIDENT``, and ``min_chunks`` candidates with a relevance of at
    least ``min_score`` or one that is decisive.
    """
    score = max(scored.relevances, default=0.0)
    good = sum(1 for relevance in scored.relevances if relevance >= min_score)
    all_cross_lingual = bool(scored.signals) and not any(item.shared for item in scored.signals)
    uncovered = () if all_cross_lingual else find_uncovered_words(question)
    decision, reasons = _choose_verdict(
        score, good, min_score, min_chunks, found=bool(scored.relevances)
    )
    refusal = _explain_refusal(scored)
    # A threshold of 0 asks to see everything, so nothing is refused.
    if refusal and min_score > 0:
        decision, reasons = "no_evidence", (refusal,)
    missing = _drop_named(uncovered, scored.unmentioned if decision == "no_evidence" else ())
    if decision != "answer":
        reasons = (*reasons, *_list_doubts(scored))
    best = scored.best
    is_found_across = (
        best is not None and not scored.signals[best].shared and decision != "no_evidence"
    )
    if missing:
        code = "gate-uncovered-here" if is_found_across else "gate-uncovered"
        reasons = (*reasons, Message(code, words=missing))
    if all_cross_lingual:
        reasons = (*reasons, Message("gate-other-languages"))
    if not scored.calibrated and any(item.cosine for item in scored.signals):
        reasons = (*reasons, Message("gate-not-calibrated"))
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


def _explain_refusal(scored: ScoredCandidates) -> Message | None:
    """The rule that refuses the question; None if none does."""
    if scored.unmentioned:
        return Message("gate-unmentioned", names=scored.unmentioned)
    if scored.elsewhere:
        return Message("gate-other-subject", reason=scored.elsewhere)
    return Message("gate-off-topic") if scored.off_topic else None


def _list_doubts(scored: ScoredCandidates) -> tuple[Message, ...]:
    """What the best passages lack of what the question names and asks for."""
    first = scored.fits[0] if scored.fits and not scored.elsewhere else SubjectFit()
    is_other = first.verdict == "other" and first.reason is not None
    other = Message("gate-other-subject", reason=first.reason) if is_other else None
    is_unstated = bool(scored.signals) and not any(item.asked for item in scored.signals)
    unstated = Message("gate-value-unstated") if is_unstated else None
    return tuple(doubt for doubt in (other, unstated) if doubt is not None)


def _drop_named(words: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """The words that no name contains: the refusal has said that the sources lack the name."""
    named = frozenset(fold(" ".join(names)).split())
    return tuple(word for word in words if fold(word) not in named)


def _compute_relevance(
    signals: CandidateSignals, nearest: bool, calibration: GateCalibration
) -> float:
    if signals.shared:
        return calibration.shared.probability(signals)
    if calibration.apart is not None:
        return calibration.apart.probability(signals)
    return UNCALIBRATED_CROSS_LINGUAL if nearest else 0.0


def _choose_verdict(
    score: float, good: int, min_score: float, min_chunks: int, *, found: bool
) -> tuple[GateVerdict, tuple[Message, ...]]:
    if not found:
        return "no_evidence", (Message("gate-no-passage"),)
    if good == 0 or score < min_score:
        low = Message(
            "gate-below-threshold", score=_round_below(min_score, score), threshold=min_score
        )
        return "no_evidence", (low,)
    confident = max(CONFIDENT, min_score)
    if score < confident:
        unsure = Message("gate-unsure", score=_round_below(confident, score), threshold=confident)
        return "low_confidence", (unsure,)
    if good >= min_chunks:
        return "answer", (Message("gate-enough", number=good, threshold=min_score),)
    if score >= DECISIVE:
        return "answer", (Message("gate-decisive", score=score),)
    few = Message("gate-too-few", threshold=min_score, number=good, needed=min_chunks)
    return "low_confidence", (few,)


def _round_below(threshold: float, score: float) -> float:
    """The score with two decimals: below the threshold, where 0.196 would become 0.20."""
    rounded = round(score, 2)
    return rounded if rounded < threshold else math.floor(score * 100) / 100
