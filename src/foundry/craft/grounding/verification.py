"""Verification of one claim against evidence: the verdict, its reason, and the supporting words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal

from foundry.craft.grounding.calibration import (
    ClaimCalibration,
    ClaimSignals,
    compute_claim_signals,
    get_claim_calibration,
    score_claim,
)
from foundry.craft.grounding.claims import (
    Claim,
    EvidenceWindow,
    build_windows,
    choose_windows,
    collect_lowercase_words,
    collect_quotes,
    compute_nearness,
    parse_claim,
    rank_windows,
)
from foundry.craft.grounding.contradiction import (
    MIN_FOLLOWING,
    RESTATED,
    RESTATED_CLOSELY,
    AlignedWindow,
    Objection,
    find_aligned_window,
    find_altered_fact,
    find_exchanged_values,
)
from foundry.craft.grounding.fact_checks import (
    find_absent_fact,
    find_cross_lingual_negation,
    find_misplaced_fact,
    find_missing_fact,
    find_other_column,
)
from foundry.messages import Message
from foundry.ports import Similarity
from foundry.records import Evidence, Quote
from foundry.text.lines import ParsedEvidence, find_shared_terms, parse_evidence

MIN_UNBROKEN_RUN = 0.97
"""With this share of its words in one unbroken run of the source, each value is in its place. A
guess: all but a word of a long sentence."""

MIN_STAND_OUT = 0.35
"""Across languages, the best passage's cosine must lie this share of the way from the median to 1,
as models differ in how high their cosines are. A guess."""

_DOUBTED = 0.5
"""The most that a claim in doubt scores: no support, but a judge may be asked."""

_MAX_COMPARED = 40
"""Passages that are embedded at most: about a second with the built-in model."""

# With this share of its words in the source, a claim is in the source's language after all.
_SAME_LANGUAGE = 0.6
# From this share of words on, a claim without support is called partly supported.
_SOME_WORDS = 0.4


SupportVerdict = Literal["supported", "partly", "unsupported"]


@dataclass(frozen=True, slots=True)
class Finding:
    """How far evidence supports a sentence, why, and the exact words that do.

    ``score`` is calibrated, 0–1. ``hard``: a number, unit, date, version, name or negation
    differs, which no judge may overrule. ``differs`` is what the source says instead, if anything.
    ``words`` is the share of content words found, None between languages; ``follows`` the share of
    words that one passage has in order: a hard finding that follows closely comes from the very
    sentence that the claim restates. Within ``band`` a judge may be asked.
    """

    verdict: SupportVerdict
    reason: Message
    score: float
    quotes: tuple[Quote, ...] = ()
    words: float | None = None
    hard: bool = False
    differs: str | None = None
    follows: float = 0.0
    band: tuple[float, float] = (0.0, 1.0)

    @property
    def supported(self) -> bool:
        """Whether the sentence may be shown with these quotes."""
        return self.verdict == "supported"

    @property
    def borderline(self) -> bool:
        """Whether a judge may be asked: nothing differs that can be compared exactly."""
        low, high = self.band
        return not self.hard and low <= self.score <= high


def verify_statement(
    text: str,
    evidence: Sequence[Evidence],
    language: str,
    *,
    known_words: str = "",
    similar: Similarity | None = None,
    read: Callable[[Evidence], ParsedEvidence] = parse_evidence,
    constants: ClaimCalibration | None = None,
) -> Finding:
    """Whether the evidence, taken together, supports one sentence.

    ``read`` prepares a piece of evidence; a caching one saves most of the time when many sentences
    are checked against the same passages. ``constants`` default to the shipped calibration.
    """
    materials = [read(item) for item in evidence]
    claim = parse_claim(text, language, collect_lowercase_words(materials, known_words))
    return verify_claim(claim, materials, similar, constants or get_claim_calibration())


def find_quote(claim: str, evidence: Evidence, language: str) -> Quote | None:
    """The words nearest to a claim by numbers, names and words: one passage, or two in a row.

    None if the evidence contains nothing of the claim. This says nothing about support.
    """
    material = parse_evidence(evidence)
    read = parse_claim(claim, language, frozenset())
    windows = rank_windows(read, build_windows(material))
    if not windows or compute_nearness(read, windows[0]) <= 0:
        return None
    return max(collect_quotes([windows[0]]), key=lambda quote: len(quote.text))


def verify_claim(
    claim: Claim,
    materials: Sequence[ParsedEvidence],
    similar: Similarity | None,
    constants: ClaimCalibration,
) -> Finding:
    """Whether prepared evidence, taken together, supports a prepared claim."""
    return replace(_verify_claim(claim, materials, similar, constants), band=constants.band)


def _verify_claim(
    claim: Claim,
    materials: Sequence[ParsedEvidence],
    similar: Similarity | None,
    constants: ClaimCalibration,
) -> Finding:
    windows = [window for material in materials for window in build_windows(material)]
    if not claim.line.terms and not claim.line.quantities and not claim.names:
        windows = [w for w in windows if _is_whole_window(claim, w)]
        if not windows:
            return Finding("unsupported", Message("claim-says-nothing"), 0.0)
    if not windows:
        return Finding("unsupported", Message("claim-no-sentence"), 0.0)
    agree = any(_may_share_language(claim, material) for material in materials)
    foreign = not agree or all(_may_differ_in_language(claim, material) for material in materials)
    finding = _verify_words(claim, windows, constants) if agree else None
    if finding is not None and (finding.supported or not foreign or _is_settled(finding)):
        return finding
    across = _verify_cross_lingual(claim, windows, similar, constants)
    return across if finding is None or across.supported else finding


def _is_whole_window(claim: Claim, window: EvidenceWindow) -> bool:
    first = window.lines[0]
    return (
        len(window.lines) == 1
        and first.passage is not None
        and (first.passage.text == claim.line.text)
    )


def _is_settled(finding: Finding) -> bool:
    """Whether a fact differs in text that shares the claim's words, so the language is the same."""
    return finding.hard and (finding.words or 0.0) >= _SAME_LANGUAGE


def _may_share_language(claim: Claim, material: ParsedEvidence) -> bool:
    known = {claim.language, claim.spoken, "und"}
    return material.language in known or claim.language == "und"


def _may_differ_in_language(claim: Claim, material: ParsedEvidence) -> bool:
    """Whether the claim's own words seem to be in another language than the source."""
    return "und" not in (claim.spoken, material.language) and claim.spoken != material.language


@dataclass(frozen=True, slots=True)
class ClaimSupport:
    """How evidence in the claim's language matches it, before any threshold.

    An ``objection`` is nearly always right, a ``doubt`` about two times in three.
    """

    place: AlignedWindow
    chosen: tuple[EvidenceWindow, ...]
    objection: Objection | None
    doubt: Objection | None
    signals: ClaimSignals


def measure_support(claim: Claim, windows: Sequence[EvidenceWindow]) -> ClaimSupport:
    """The passages that match a claim, the objection to it, and the signals."""
    place = find_aligned_window(claim, windows)
    chosen = [place.window]
    if not place.alignment.same:
        chosen = choose_windows(
            claim, windows, place.window if place.alignment.share >= MIN_FOLLOWING else None
        )
    objection = doubt = None
    if not place.alignment.same:
        materials = tuple(dict.fromkeys(window.material for window in windows))
        objection = _find_objection(claim, materials, place, chosen)
        doubt = objection or _find_doubt(claim, place, chosen)
    signals = compute_claim_signals(claim, place, chosen)
    return ClaimSupport(place, tuple(chosen), objection, doubt, signals)


def _verify_words(
    claim: Claim, windows: Sequence[EvidenceWindow], constants: ClaimCalibration
) -> Finding:
    reading = measure_support(claim, windows)
    finding = _decide_finding(claim, reading, constants)
    return replace(
        finding,
        quotes=collect_quotes(reading.chosen),
        words=reading.signals.words,
        follows=reading.place.alignment.share,
    )


def _decide_finding(claim: Claim, reading: ClaimSupport, constants: ClaimCalibration) -> Finding:
    objection = reading.objection
    if objection is not None:
        low, differs = constants.objected, objection.differs
        return Finding("unsupported", _explain(objection), low, hard=True, differs=differs)
    if reading.place.alignment.same:
        return Finding("supported", Message("claim-word-for-word"), 1.0)
    chance = score_claim(reading.signals, constants)
    if reading.doubt is not None:
        chance, differs = min(chance, _DOUBTED), reading.doubt.differs
        return Finding("partly", _explain(reading.doubt), chance, differs=differs)
    if chance >= constants.supported:
        return Finding("supported", Message("claim-in-quote"), chance)
    partly = reading.signals.words >= _SOME_WORDS
    return Finding(
        "partly" if partly else "unsupported", _describe_missing_words(claim, reading), chance
    )


def _explain(objection: Objection) -> Message:
    reason, differs = objection.reason, objection.differs
    if differs and differs not in reason.params.values():
        return Message("claim-source-says", reason=reason, text=differs)
    return reason


def _describe_missing_words(claim: Claim, reading: ClaimSupport) -> Message:
    known = frozenset().union(*(w.terms | w.material.context.terms for w in reading.chosen))
    missing = sorted(claim.line.terms - find_shared_terms(claim.line.terms, known))
    if reading.signals.words >= _SOME_WORDS and len(missing) < 2:
        return Message("claim-words-scattered")
    return Message("claim-words-missing", share=reading.signals.words, words=missing[:6])


def _find_objection(
    claim: Claim,
    materials: Sequence[ParsedEvidence],
    place: AlignedWindow,
    chosen: Sequence[EvidenceWindow],
) -> Objection | None:
    """What certainly differs: a fact that occurs nowhere, or one changed in a restated sentence."""
    return (
        find_altered_fact(claim, place, RESTATED)
        or find_exchanged_values(claim, place, RESTATED_CLOSELY)
        or find_absent_fact(claim, materials)
        or find_other_column(claim, chosen)
    )


def _find_doubt(
    claim: Claim, place: AlignedWindow, chosen: Sequence[EvidenceWindow]
) -> Objection | None:
    """What may differ, as far as words in a paraphrase tell."""
    doubt = (
        find_altered_fact(claim, place, MIN_FOLLOWING)
        or find_missing_fact(claim, chosen)
        or find_exchanged_values(claim, place, MIN_FOLLOWING)
    )
    if doubt is None and place.alignment.run < MIN_UNBROKEN_RUN:
        doubt = find_misplaced_fact(claim, chosen)
    return doubt


def _verify_cross_lingual(
    claim: Claim,
    windows: Sequence[EvidenceWindow],
    similar: Similarity | None,
    constants: ClaimCalibration,
) -> Finding:
    """Compare numbers, names, negation and, with ``similar``, meaning: words do not align.

    The scores are plain steps, not fitted: nothing to check 0.3, facts agree 0.6, meaning too 0.85.
    """
    facts = bool(claim.line.quantities or claim.names)
    nearest = _find_nearest_in_meaning(claim, windows, similar) if similar else None
    languages = {"spoken": claim.spoken, "source": windows[0].material.language}
    if nearest is None and not facts:
        return Finding("unsupported", Message("claim-languages-no-fact", **languages), 0.3)
    chosen = [nearest] if nearest else choose_windows(claim, windows)
    if nearest is not None and facts and find_missing_fact(claim, chosen):
        # The closest passage in meaning lacks a number that another one may have.
        chosen, nearest = choose_windows(claim, windows), None
    quotes = collect_quotes(chosen)
    materials = tuple(dict.fromkeys(window.material for window in windows))
    objection = find_absent_fact(claim, materials) or find_other_column(claim, chosen)
    if objection is not None:
        reason = Message("claim-languages-objection", reason=objection.reason, **languages)
        low = constants.objected
        return Finding("unsupported", reason, low, quotes, hard=True, differs=objection.differs)
    doubt = find_missing_fact(claim, chosen) or find_cross_lingual_negation(claim, chosen)
    if doubt is not None:
        reason = Message("claim-languages-objection", reason=doubt.reason, **languages)
        return Finding("partly", reason, _DOUBTED, quotes, differs=doubt.differs)
    code = "claim-languages-agree-in-meaning" if nearest else "claim-languages-agree"
    return Finding("supported", Message(code, **languages), 0.85 if nearest else 0.6, quotes)


def _find_nearest_in_meaning(
    claim: Claim, windows: Sequence[EvidenceWindow], similar: Similarity
) -> EvidenceWindow | None:
    """The passage whose cosine stands out, or None."""
    single = [window for window in rank_windows(claim, windows) if len(window.lines) == 1]
    single = single[:_MAX_COMPARED]
    cosines = similar(claim.line.text, [window.lines[0].text for window in single])
    best = max(range(len(single)), key=lambda index: cosines[index])
    middle = median(cosines)
    stands_out = cosines[best] - middle >= MIN_STAND_OUT * (1.0 - middle)
    return single[best] if stands_out else None
