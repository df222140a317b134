"""Verification of one claim against evidence: the verdict, its reason, and the supporting words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from foundry.analysis import analyse
from foundry.craft.grounding.calibration import (
    ClaimCalibration,
    get_claim_calibration,
    score_claim,
)
from foundry.craft.grounding.claims import (
    Claim,
    EvidenceWindow,
    build_windows,
    collect_lowercase_words,
    collect_quotes,
    compute_nearness,
    parse_claim,
    rank_windows,
)
from foundry.craft.grounding.contradiction import (
    Objection,
)
from foundry.craft.grounding.signals import ClaimSupport, measure_across, measure_support
from foundry.messages import Message
from foundry.ports import CompareSentences
from foundry.records import Evidence, Quote
from foundry.text.lines import ParsedEvidence, find_shared_terms, parse_evidence

_UNKNOWN = 0.5
"""The score where words were not compared."""


# With this share of its words in the source, a claim is in the source's language after all.
_SAME_LANGUAGE = 0.6


SupportVerdict = Literal["supported", "partly", "unsupported"]


@dataclass(frozen=True, slots=True)
class Finding:
    """How far evidence supports a sentence, why, and the exact words that do.

    The verdict ``partly`` means that the rules cannot tell. ``score`` is calibrated, 0–1. ``hard``:
    a number, unit, date, version, name or negation certainly differs. ``differs`` is what the source
    says instead, if anything. ``words`` is the share of content words found, None between
    languages; ``follows`` the share of words that one passage has in order: a hard finding that
    follows closely comes from the very sentence that the claim restates.
    """

    verdict: SupportVerdict
    reason: Message
    score: float
    quotes: tuple[Quote, ...] = ()
    words: float | None = None
    hard: bool = False
    differs: str | None = None
    follows: float = 0.0

    @property
    def supported(self) -> bool:
        """Whether the sentence may be shown with these quotes."""
        return self.verdict == "supported"


def verify_statement(
    text: str,
    evidence: Sequence[Evidence],
    language: str,
    *,
    known_words: str = "",
    similar: CompareSentences | None = None,
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
    similar: CompareSentences | None,
    constants: ClaimCalibration,
) -> Finding:
    """Whether prepared evidence, taken together, supports a prepared claim."""
    windows = [window for material in materials for window in build_windows(material)]
    if not claim.line.terms and not claim.line.quantities and not claim.names:
        windows = [w for w in windows if _is_whole_window(claim, w)]
        if not windows:
            return Finding("unsupported", Message("claim-says-nothing"), 0.0)
    if not windows:
        return Finding("unsupported", Message("claim-no-sentence"), 0.0)
    agree = any(_may_share_language(claim, material) for material in materials)
    foreign = not agree or all(_may_differ_in_language(claim, material) for material in materials)
    finding = _verify_words(claim, windows, similar, constants) if agree else None
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


def _verify_words(
    claim: Claim,
    windows: Sequence[EvidenceWindow],
    similar: CompareSentences | None,
    constants: ClaimCalibration,
) -> Finding:
    reading = measure_support(claim, windows, similar)
    finding = _decide_finding(claim, reading, constants)
    return replace(
        finding,
        quotes=collect_quotes(reading.chosen),
        words=reading.signals["words"],
        follows=reading.place.alignment.share,
    )


def _decide_finding(claim: Claim, reading: ClaimSupport, constants: ClaimCalibration) -> Finding:
    objection = reading.objection
    if objection is not None:
        low, differs = constants.objected, objection.differs
        return Finding("unsupported", _explain(objection), low, hard=True, differs=differs)
    if reading.place.alignment.same:
        return Finding("supported", Message("claim-word-for-word"), 1.0)
    if reading.stated is not None:
        return Finding("supported", Message("claim-in-quote"), reading.stated)
    table = constants.meaning if "near" in reading.signals else constants.words
    chance = score_claim(reading.signals, table)
    if reading.doubt is not None:
        return _judge_score(chance, constants, _explain(reading.doubt), reading.doubt)
    return _judge_score(chance, constants, _describe_missing_words(claim, reading))


def _judge_score(
    chance: float, constants: ClaimCalibration, reason: Message, doubt: Objection | None = None
) -> Finding:
    """The verdict of a score; what is in doubt is never supported, however likely it is."""
    differs = doubt.differs if doubt else None
    if chance >= constants.supported and doubt is None:
        return Finding("supported", Message("claim-in-quote"), chance)
    unscaled = doubt is not None and doubt.reason.code == "claim-scale-unknown"
    if chance < constants.rejected and not unscaled:
        return Finding("unsupported", reason, chance, differs=differs)
    return Finding("partly", Message("claim-undecided", reason=reason), chance, differs=differs)


def _explain(objection: Objection) -> Message:
    reason, differs = objection.reason, objection.differs
    if differs and differs not in reason.params.values():
        return Message("claim-source-says", reason=reason, text=differs)
    return reason


def _describe_missing_words(claim: Claim, reading: ClaimSupport) -> Message:
    known = frozenset().union(*(w.terms | w.material.context.terms for w in reading.chosen))
    missing = sorted(claim.line.terms - find_shared_terms(claim.line.terms, known))
    if len(missing) < 2:
        return Message("claim-words-scattered")
    words = _spell_out(missing[:6], claim)
    return Message("claim-words-missing", share=reading.signals["words"], words=words)


def _spell_out(terms: Sequence[str], claim: Claim) -> list[str]:
    """The words of a claim that were indexed as these terms, as the claim has them."""
    words = [word.strip(".,;:!?()[]\"'“”‘’") for word in claim.line.text.split()]
    own = [(word, set(analyse(word, claim.line.language))) for word in words]
    return list(dict.fromkeys(word for word, found in own if not found.isdisjoint(terms)))


def _verify_cross_lingual(
    claim: Claim,
    windows: Sequence[EvidenceWindow],
    similar: CompareSentences | None,
    constants: ClaimCalibration,
) -> Finding:
    """Compare numbers, names, negation and, with ``similar``, meaning: words do not align.

    Without ``similar`` nobody can tell whether anything but the facts agrees.
    """
    reading = measure_across(claim, windows, similar)
    languages = {"spoken": claim.spoken, "source": windows[0].material.language}
    quotes, objection = collect_quotes(reading.chosen), reading.objection
    if objection is not None:
        reason = Message("claim-languages-objection", reason=objection.reason, **languages)
        low = constants.objected
        return Finding("unsupported", reason, low, quotes, hard=True, differs=objection.differs)
    if reading.stated is not None:
        return Finding("supported", Message("claim-in-quote"), reading.stated, quotes)
    if "near" not in reading.signals:
        facts = bool(claim.line.quantities or claim.names)
        code = "claim-languages-agree" if facts else "claim-languages-no-fact"
        return Finding("partly", Message(code, **languages), _UNKNOWN, quotes)
    chance, doubt = score_claim(reading.signals, constants.across), reading.doubt
    if doubt is not None:
        reason = Message("claim-languages-objection", reason=doubt.reason, **languages)
    else:
        reason = Message("claim-languages-agree-in-meaning", **languages)
    finding = _judge_score(chance, constants, reason, doubt)
    if finding.supported:
        finding = replace(finding, reason=reason)
    return replace(finding, quotes=quotes)
