"""Where a passage is gated: relevance per candidate by a calibration, what the sources lack, the verdict.

A calibration has logistic weights fitted per embedding model. ``python -m bench.fit_gate`` fits them
on labelled questions and writes ``constants.json`` beside this module, with the sets and figures. A
project may have its own in the same form.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from foundry.analysis import fold
from foundry.craft.gate.mentions import (
    find_absent_identifier,
    find_lacking,
    find_separate,
    find_unmentioned,
    join_names,
)
from foundry.craft.gate.signals import (
    MAX_JUDGED,
    SIGNAL_NAMES,
    Candidate,
    CandidateSignals,
    compute_signals,
)
from foundry.craft.question import find_uncovered_words, has_common_words_only
from foundry.messages import Message
from foundry.records import AskedPart, GateDecision, GateVerdict, Question, SubjectFit


@dataclass(frozen=True, slots=True)
class Logistic:
    """p = 1 / (1 + exp(-(intercept + Σ weight · signal)))."""

    intercept: float
    weights: Mapping[str, float]

    def probability(self, signals: CandidateSignals) -> float:
        """The relevance of a candidate with these signals, 0–1."""
        exponent = self.intercept + sum(
            weight * getattr(signals, name) for name, weight in self.weights.items()
        )
        return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, exponent))))


@dataclass(frozen=True, slots=True)
class GateCalibration:
    """The two fits of an embedding model: question and chunk in one language, and in two.

    ``apart`` (two languages) is None for a calibration that knows only words. ``own``: fitted to
    the project's own questions.
    """

    name: str
    shared: Logistic
    apart: Logistic | None
    own: bool = False

    @property
    def calibrated(self) -> bool:
        """False for the fallback that knows only words."""
        return self.own or self.apart is not None


LEXICAL = "lexical"
"""The calibration without vectors, for searches by words alone and for unknown models."""


def get_calibration(model: str | None) -> GateCalibration:
    """The shipped calibration of a model; the lexical one for an unknown model or None."""
    table = _load_calibrations()
    return table.get(model or LEXICAL, table[LEXICAL])


def parse_calibration(name: str, entry: Mapping[str, Any], *, own: bool = False) -> GateCalibration:
    """A calibration from its form in ``constants.json``."""
    apart = entry.get("apart")
    return GateCalibration(
        name, _parse_logistic(entry["shared"]), _parse_logistic(apart) if apart else None, own
    )


def knows_signals(entry: Mapping[str, Any]) -> bool:
    """Whether every signal that a stored calibration weighs still exists."""
    arms = [arm for arm in (entry["shared"], entry.get("apart")) if arm]
    return all(name in SIGNAL_NAMES for arm in arms for name in arm["weights"])


def _parse_logistic(entry: Mapping[str, Any]) -> Logistic:
    return Logistic(entry["intercept"], entry["weights"])


@cache
def _load_calibrations() -> dict[str, GateCalibration]:
    text = files("foundry.craft.gate").joinpath("constants.json").read_text(encoding="utf-8")
    models = json.loads(text)["models"]
    return {name: parse_calibration(name, entry) for name, entry in models.items()}


CONFIDENT = 0.6
"""A lower score marks the answer as one of low confidence. On written questions whose documents no
fit had seen, 61 % of the near misses lie below it, and 14 % of the questions with an answer
(``docs/evaluation/gate.md``)."""

DECISIVE = 0.75
"""One hit with this relevance is enough, because a fact is often stated only once. A guess: well
above ``CONFIDENT``."""

ABSENT_CAP = 0.1
"""Highest relevance where no source has the identifier that the question is about. Low, but not 0:
it may only be misspelt. A guess, below the usual threshold."""

UNCALIBRATED_CROSS_LINGUAL = 0.3
"""Relevance of the nearest chunk in another language under an unknown embedding model. Above the
default threshold and below ``CONFIDENT``: enough to try, never without the mark."""


@dataclass(frozen=True, slots=True)
class Missing:
    """What the question names and the sources or candidates lack.

    ``names`` are in no source; ``absent`` is the one of them that refuses the question, an
    identifier that it is about. ``lacking`` are names, periods and numbers that no candidate has,
    ``separate`` those that no candidate has together.
    """

    names: tuple[str, ...] = ()
    absent: str | None = None
    lacking: tuple[str, ...] = ()
    separate: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GateFeatures:
    """What the gate knows of a question and its candidates before a calibration weighs it.

    ``signals``, ``nearest`` (ranked first by vector), ``embedded`` (has vectors) and ``fits``
    (whether it is about what the question names) are per judged candidate. ``missing`` holds if the
    best candidate is in the question's language, ``missing_across`` if it is in another.
    ``candidates`` counts all, judged or not.
    """

    signals: tuple[CandidateSignals, ...]
    nearest: tuple[bool, ...]
    embedded: tuple[bool, ...]
    fits: tuple[SubjectFit, ...]
    candidates: int
    missing: Missing = Missing()
    missing_across: Missing = Missing()
    parts: tuple[PartFeatures, ...] = ()


@dataclass(frozen=True, slots=True)
class PartFeatures:
    """The signals for one part of a question, by the place of each judged candidate that may have it."""

    label: str
    signals: Mapping[int, CandidateSignals]


@dataclass(frozen=True, slots=True)
class ScoredCandidates:
    """The relevance of each candidate, in order, with the signals of the judged ones.

    ``parts`` has the best relevance for each part of the question, by its label.
    """

    relevances: tuple[float, ...]
    signals: tuple[CandidateSignals, ...]
    calibration: GateCalibration
    fits: tuple[SubjectFit, ...] = ()
    missing: Missing = Missing()
    parts: Mapping[str, float] = field(default_factory=dict)

    @property
    def calibrated(self) -> bool:
        """Whether the calibration was fitted for these vectors and the best candidate's language."""
        best = self.best
        is_fitted = self.calibration.apart is not None or best is None or self.signals[best].shared
        return self.calibration.calibrated and is_fitted

    @property
    def best(self) -> int | None:
        """Index of the judged candidate with the highest relevance; None without candidates."""
        return find_best(self.relevances[: len(self.signals)])


def find_best(relevances: Sequence[float]) -> int | None:
    """The index of the highest relevance, the first of equals; None if there is none."""
    return max(range(len(relevances)), key=relevances.__getitem__, default=None)


def score_candidates(
    question: Question, candidates: Sequence[Candidate], calibration: GateCalibration
) -> ScoredCandidates:
    """Relevance per candidate under a calibration; 0 for those after the first ``MAX_JUDGED``."""
    return apply_calibration(extract_features(question, candidates), calibration)


def extract_features(question: Question, candidates: Sequence[Candidate]) -> GateFeatures:
    """The signals of the judged candidates, and what the question names and they lack."""
    judged = candidates[:MAX_JUDGED]
    signals = tuple(compute_signals(question, judged))
    across = not all(item.shared for item in signals)
    return GateFeatures(
        signals=signals,
        nearest=tuple(_is_nearest(item) for item in judged),
        embedded=tuple(item.cosine is not None for item in judged),
        fits=tuple(item.fit for item in judged),
        candidates=len(candidates),
        missing=_find_missing(question, judged, across=False),
        missing_across=_find_missing(question, judged, across=True) if across else Missing(),
        parts=tuple(_read_part(part, judged) for part in question.parts),
    )


def _read_part(part: AskedPart, judged: Sequence[Candidate]) -> PartFeatures:
    own = {place: one for place, one in enumerate(judged) if part.admits(one.source.id)}
    signals = compute_signals(part.question, list(own.values()))
    return PartFeatures(part.label, dict(zip(own, signals, strict=True)))


def _find_missing(question: Question, judged: Sequence[Candidate], *, across: bool) -> Missing:
    names = find_unmentioned(question, judged, across=across)
    lacking = find_lacking(question, judged, names, across=across) if judged else ()
    return Missing(
        join_names(names, question.text),
        find_absent_identifier(question, names),
        lacking,
        () if names or lacking else find_separate(question, judged, across=across),
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

    def rate(place: int, signals: CandidateSignals) -> float:
        constants = calibration if features.embedded[place] else words
        return _compute_relevance(signals, features.nearest[place], constants)

    judged = [rate(place, signals) for place, signals in enumerate(features.signals)]
    parts = dict[str, float]()
    for part in features.parts:
        own = {place: rate(place, signals) for place, signals in part.signals.items()}
        parts[part.label] = max(own.values(), default=0.0)
        for place, relevance in own.items():
            judged[place] = max(judged[place], relevance)
    best = find_best(judged)
    # Where nothing is near in another language either, a missing name is simply missing.
    here = best is None or features.signals[best].shared or judged[best] < ABSENT_CAP
    missing = features.missing if here else features.missing_across
    if missing.absent:
        judged = [min(relevance, ABSENT_CAP) for relevance in judged]
    rest = [0.0] * (features.candidates - len(judged))
    return ScoredCandidates(
        (*judged, *rest), features.signals, calibration, features.fits, missing, parts
    )


def make_decision(
    question: Question, scored: ScoredCandidates, *, min_score: float, min_chunks: int
) -> GateDecision:
    """The verdict and its reasons.

    ``answer`` needs a score of ``CONFIDENT``, and ``min_chunks`` candidates with a relevance of at
    least ``min_score`` or one that is decisive.
    """
    best_of_parts = [best for best in scored.parts.values() if best >= min_score]
    score = min(best_of_parts, default=max(scored.relevances, default=0.0))
    good = sum(1 for relevance in scored.relevances if relevance >= min_score)
    all_cross_lingual = bool(scored.signals) and not any(item.shared for item in scored.signals)
    common = has_common_words_only(question)
    uncovered = () if all_cross_lingual or common else find_uncovered_words(question)
    decision, reasons = _choose_verdict(
        score, good, min_score, min_chunks, found=bool(scored.relevances)
    )
    # A threshold of 0 asks to see everything, so nothing is refused.
    if scored.missing.absent and min_score > 0:
        decision, reasons = "no_evidence", ()
    doubts = (Message("gate-common-words"),) if common else _list_doubts(scored, min_score)
    if doubts and decision == "answer":
        decision = "low_confidence"
    reasons = (*reasons, *doubts)
    best = scored.best
    is_found_across = (
        best is not None and not scored.signals[best].shared and decision != "no_evidence"
    )
    words = _drop_named(uncovered, (*scored.missing.names, *scored.missing.lacking))
    if words:
        code = "gate-uncovered-here" if is_found_across else "gate-uncovered"
        reasons = (*reasons, Message(code, words=words))
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
        unmentioned=scored.missing.names,
    )


def _list_doubts(scored: ScoredCandidates, min_score: float) -> tuple[Message, ...]:
    """What the sources and the passages found lack of what the question names and asks for."""
    missing, first = scored.missing, scored.fits[0] if scored.fits else SubjectFit()
    doubts: list[Message] = []
    if missing.names:
        doubts.append(Message("gate-unmentioned", names=missing.names))
    if missing.lacking:
        doubts.append(Message("gate-lacking", items=missing.lacking))
    elif missing.separate:
        doubts.append(Message("gate-separate", items=missing.separate))
    elif first.verdict == "other" and first.reason is not None:
        doubts.append(Message("gate-other-subject", reason=first.reason))
    unfound = tuple(part for part, best in scored.parts.items() if best < min_score)
    if 0 < len(unfound) < len(scored.parts):
        doubts.append(Message("gate-part-unfound", parts=unfound))
    named = max((item.named for item in scored.signals), default=0.0)
    if scored.signals and not any(item.asked for item in scored.signals if item.named == named):
        doubts.append(Message("gate-value-unstated"))
    return tuple(doubts)


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
