"""Verification of one claim against evidence: the verdict, its reason, and the supporting words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from foundry.craft.grounding.calibration import (
    ClaimCalibration,
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
    find_added_negation,
    find_cross_lingual_negation,
    find_misplaced_fact,
    find_missing_fact,
    find_negated,
    find_other_column,
)
from foundry.craft.grounding.signals import (
    measure_facts,
    measure_meaning,
    measure_words,
)
from foundry.messages import Message
from foundry.ports import CompareSentences, SentenceMatch
from foundry.records import Evidence, Quote
from foundry.text.lines import ParsedEvidence, find_shared_terms, parse_evidence

MIN_UNBROKEN_RUN = 0.97
"""With this share of its words in one unbroken run of the source, each value is in its place. A
guess: all but a word of a long sentence."""

_REPEATED, _REPEATED_SCORE = 0.95, 0.9
"""With this share of its words in order in one place and nothing in doubt, a claim is what the source
says, shortened or with its unit converted. Guesses: 2 of 2,800 sentences as models write them."""

_WORDS_OF_ROW, _ROW_SCORE = 0.6, 0.73
"""With all its values in one row of a table and this share of its words, a claim is mostly what the
row says: 27 of 37 sentences as models write them."""

_UNKNOWN = 0.5
"""The score where words were not compared."""

_NEAREST = 3
"""Lines of the claim's language that are compared by meaning, 15 ms each (a guess)."""

_MAX_COMPARED = 24
"""Lines in another language that are compared by meaning: a passage of average length."""

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


@dataclass(frozen=True, slots=True)
class ClaimSupport:
    """How evidence in the claim's language matches it, before any threshold.

    An ``objection`` is nearly always right, a ``doubt`` about two times in three.
    """

    place: AlignedWindow
    chosen: tuple[EvidenceWindow, ...]
    objection: Objection | None
    doubt: Objection | None
    signals: Mapping[str, float]

    @property
    def stated(self) -> float | None:
        """The score of what needs no weighing: words repeated in order, or values of one row."""
        if self.doubt is not None:
            return None
        if self.place.alignment.share >= _REPEATED:
            return 1.0 if self.place.alignment.same else _REPEATED_SCORE
        in_row = self.signals["row_values"] and self.signals["words"] >= _WORDS_OF_ROW
        return _ROW_SCORE if in_row else None


def measure_support(
    claim: Claim, windows: Sequence[EvidenceWindow], similar: CompareSentences | None = None
) -> ClaimSupport:
    """The passages that match a claim in their language, the objection to it, and the signals."""
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
    signals = measure_words(claim, place.window, chosen, doubt)
    if similar is not None and objection is None and not place.alignment.same:
        nearest = _list_single(claim, windows)[:_NEAREST]
        signals |= measure_meaning(_compare(claim, nearest, similar))
    return ClaimSupport(place, tuple(chosen), objection, doubt, signals)


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


def _list_single(claim: Claim, windows: Sequence[EvidenceWindow]) -> list[EvidenceWindow]:
    return [window for window in rank_windows(claim, windows) if len(window.lines) == 1]


def _compare(
    claim: Claim, windows: Sequence[EvidenceWindow], similar: CompareSentences
) -> Sequence[SentenceMatch]:
    return similar(claim.line.text, [window.lines[0].text for window in windows])


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
    if chance < constants.rejected:
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
    return Message("claim-words-missing", share=reading.signals["words"], words=missing[:6])


def _find_objection(
    claim: Claim,
    materials: Sequence[ParsedEvidence],
    place: AlignedWindow,
    chosen: Sequence[EvidenceWindow],
) -> Objection | None:
    """What certainly differs: a fact that occurs nowhere, or one changed in a restated sentence."""
    objection = (
        find_altered_fact(claim, place, RESTATED)
        or find_exchanged_values(claim, place, RESTATED_CLOSELY)
        or find_absent_fact(claim, materials)
        or find_other_column(claim, chosen)
    )
    if objection is None and place.alignment.share >= RESTATED_CLOSELY:
        objection = find_added_negation(claim, chosen) or find_negated(claim, chosen)
    return objection


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


@dataclass(frozen=True, slots=True)
class CrossLingualSupport:
    """How evidence in another language matches a claim; ``signals`` is empty without vectors."""

    chosen: tuple[EvidenceWindow, ...]
    objection: Objection | None
    doubt: Objection | None
    signals: Mapping[str, float]


def measure_across(
    claim: Claim, windows: Sequence[EvidenceWindow], similar: CompareSentences | None
) -> CrossLingualSupport:
    """The passages nearest in meaning, or by numbers and names, and the signals."""
    chosen, signals = choose_windows(claim, windows), {}
    if similar is not None:
        single = _list_single(claim, windows)[:_MAX_COMPARED]
        matches = _compare(claim, single, similar)
        best = max(range(len(single)), key=lambda index: matches[index].score)
        signals = measure_meaning(matches)
        if find_missing_fact(claim, [single[best]]) is None:
            chosen = [single[best]]
        signals |= measure_facts(claim, single[best], chosen)
    materials = tuple(dict.fromkeys(window.material for window in windows))
    objection = find_absent_fact(claim, materials) or find_other_column(claim, chosen)
    doubt = find_missing_fact(claim, chosen) or find_cross_lingual_negation(claim, chosen)
    if signals:
        signals["doubted"] = float(doubt is not None)
    return CrossLingualSupport(tuple(chosen), objection, doubt, signals)
