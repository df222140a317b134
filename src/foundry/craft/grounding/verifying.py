"""One statement against evidence: supported or not, why, and by which words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal

from foundry.craft.grounding.altered import (
    FOLLOWS,
    Objection,
    Place,
    find_altered,
    find_exchanged,
    find_place,
)
from foundry.craft.grounding.objections import (
    find_added_denial,
    find_denied,
    find_misplaced,
    find_missing,
    find_turned,
)
from foundry.craft.grounding.scoring import (
    Constants,
    Signals,
    get_constants,
    read_signals,
    score,
)
from foundry.craft.grounding.windows import (
    Claim,
    Window,
    cover,
    nearness,
    open_windows,
    quotes,
    ranked,
    read_claim,
    vocabulary,
)
from foundry.records import Evidence, Quote
from foundry.wording.lines import Material, read_material, shared_terms

WHOLE = 0.97
"""Share of words in one unbroken run of the source from which every value is in its place."""

MIN_STAND_OUT = 0.35
"""Across languages: how far the best passage's cosine must rise from the median towards 1."""

_MOST_COMPARED = 40
# Share of a claim's words from which it is written in the source's language, whatever was detected.
_SAME_LANGUAGE = 0.6
# Share of a claim's words from which "partly" is said of it.
_SOME_WORDS = 0.4

Similar = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosines of one sentence to each of the others, by an embedder that knows both languages."""


Support = Literal["supported", "partly", "unsupported"]


@dataclass(frozen=True, slots=True)
class Finding:
    """How far evidence carries a sentence, why, and the exact words that do.

    ``score`` is calibrated, 0–1, as in ``records.Check``. ``hard``: a number, unit,
    date, version, name or negation differs, and no judge may overrule that.
    ``differs`` is what the source says instead, where it says something. ``words`` is
    the share of content words found, None where languages differ; ``follows`` the share
    of its words that stand in one passage in order: a hard finding that follows closely
    was found in the very sentence that the claim retells. ``band`` are the scores between
    which a judge may be asked.
    """

    verdict: Support
    reason: str
    score: float
    quotes: tuple[Quote, ...] = ()
    words: float | None = None
    hard: bool = False
    differs: str | None = None
    follows: float = 0.0
    band: tuple[float, float] = (0.0, 1.0)

    @property
    def supported(self) -> bool:
        """True when the sentence may be shown with these quotes."""
        return self.verdict == "supported"

    @property
    def borderline(self) -> bool:
        """True when a judge may be asked: nothing that can be compared exactly differs."""
        low, high = self.band
        return not self.hard and low <= self.score <= high


def verify_statement(
    text: str,
    evidence: Sequence[Evidence],
    language: str,
    *,
    known_words: str = "",
    similar: Similar | None = None,
    read: Callable[[Evidence], Material] = read_material,
    constants: Constants | None = None,
) -> Finding:
    """Whether the evidence, taken together, carries one sentence.

    ``read`` prepares a piece of evidence; one that remembers saves most of the time where
    many sentences meet the same passages. ``constants`` default to the shipped ones.
    """
    materials = [read(item) for item in evidence]
    claim = read_claim(text, language, vocabulary(materials, known_words))
    return verify(claim, materials, similar, constants or get_constants())


def find_quote(claim: str, evidence: Evidence, language: str) -> Quote | None:
    """The words of the evidence that are nearest to a claim: one passage, or two in a row.

    Nearest by numbers, names and words; None where nothing of it stands there.
    Says nothing about support.
    """
    material = read_material(evidence)
    read = read_claim(claim, language, frozenset())
    windows = ranked(read, open_windows(material))
    if not windows or nearness(read, windows[0]) <= 0:
        return None
    return max(quotes([windows[0]]), key=lambda quote: len(quote.text))


def verify(
    claim: Claim,
    materials: Sequence[Material],
    similar: Similar | None,
    constants: Constants,
) -> Finding:
    """Whether prepared evidence, taken together, carries a prepared sentence."""
    return replace(_verify(claim, materials, similar, constants), band=constants.band)


def _verify(
    claim: Claim,
    materials: Sequence[Material],
    similar: Similar | None,
    constants: Constants,
) -> Finding:
    windows = [window for material in materials for window in open_windows(material)]
    if not claim.line.terms and not claim.line.quantities and not claim.names:
        windows = [w for w in windows if _is_line(claim, w)]
        if not windows:
            return Finding("unsupported", "it states nothing that can be checked", 0.0)
    if not windows:
        return Finding("unsupported", "there is no sentence in the evidence", 0.0)
    agree = any(_may_agree(claim, material) for material in materials)
    foreign = not agree or all(_may_differ(claim, material) for material in materials)
    finding = _verify_words(claim, windows, constants) if agree else None
    if finding is not None and (finding.supported or not foreign or _is_settled(finding)):
        return finding
    across = _verify_across(claim, windows, similar, constants)
    return across if finding is None or across.supported else finding


def _is_line(claim: Claim, window: Window) -> bool:
    first = window.lines[0]
    return (
        len(window.lines) == 1
        and first.passage is not None
        and (first.passage.text == claim.line.text)
    )


def _is_settled(finding: Finding) -> bool:
    """A fact differs in words that are the claim's own: the language is shared after all."""
    return finding.hard and (finding.words or 0.0) >= _SAME_LANGUAGE


def _may_agree(claim: Claim, material: Material) -> bool:
    known = {claim.language, claim.spoken, "und"}
    return material.language in known or claim.language == "und"


def _may_differ(claim: Claim, material: Material) -> bool:
    """The sentence itself, whatever was asked for, is in another language than the source."""
    return "und" not in (claim.spoken, material.language) and claim.spoken != material.language


@dataclass(frozen=True, slots=True)
class Reading:
    """What a claim meets in evidence of its language, before any threshold."""

    place: Place
    chosen: tuple[Window, ...]
    objection: Objection | None
    signals: Signals


def read_support(claim: Claim, windows: Sequence[Window]) -> Reading:
    """The passages that a claim lies in, what speaks against it there, and how it lies in them."""
    place = find_place(claim, windows)
    chosen = [place.window]
    if not place.alignment.same:
        chosen = cover(claim, windows, place.window if place.alignment.share >= FOLLOWS else None)
    objection = _object(claim, place, chosen)
    return Reading(place, tuple(chosen), objection, read_signals(claim, place, chosen))


def _verify_words(claim: Claim, windows: Sequence[Window], constants: Constants) -> Finding:
    reading = read_support(claim, windows)
    finding = _judged(claim, reading, constants)
    return replace(
        finding,
        quotes=quotes(reading.chosen),
        words=reading.signals.words,
        follows=reading.place.alignment.share,
    )


def _judged(claim: Claim, reading: Reading, constants: Constants) -> Finding:
    objection = reading.objection
    if objection is not None:
        reason = objection.reason
        if objection.differs and repr(objection.differs) not in reason:
            reason = f"{reason}; the source says: {objection.differs}"
        low = constants.objected
        return Finding("unsupported", reason, low, hard=True, differs=objection.differs)
    if reading.place.alignment.same:
        return Finding("supported", "it stands in the source, word for word", 1.0)
    chance = score(reading.signals, constants)
    if chance >= constants.supported:
        return Finding(
            "supported", "its numbers, names, polarity and words stand in the quote", chance
        )
    partly = reading.signals.words >= _SOME_WORDS
    return Finding("partly" if partly else "unsupported", _lacking(claim, reading), chance)


def _lacking(claim: Claim, reading: Reading) -> str:
    known = frozenset().union(*(w.terms | w.material.context.terms for w in reading.chosen))
    missing = sorted(claim.line.terms - shared_terms(claim.line.terms, known))
    if reading.signals.words >= _SOME_WORDS and len(missing) < 2:
        return "its words stand there, but scattered: nothing there says it as a whole"
    share = f"{reading.signals.words:.0%}"
    return f"only {share} of its words stand there (not: {', '.join(missing[:6])})"


def _object(claim: Claim, place: Place, chosen: Sequence[Window]) -> Objection | None:
    """What speaks against the claim; nothing can where it stands there word for word."""
    if place.alignment.same:
        return None
    objection = (
        find_altered(claim, place)
        or find_missing(claim, chosen)
        or find_exchanged(claim, place)
        or find_added_denial(claim, chosen)
    )
    if objection is None and place.alignment.run < WHOLE:
        objection = find_misplaced(claim, chosen)
    return objection or find_turned(claim, chosen)


def _verify_across(
    claim: Claim, windows: Sequence[Window], similar: Similar | None, constants: Constants
) -> Finding:
    """Between languages words do not align: numbers, names, negation and, if given, meaning."""
    facts = bool(claim.line.quantities or claim.names)
    nearest = _nearest(claim, windows, similar) if similar else None
    languages = f"{claim.spoken} and {windows[0].material.language}"
    if nearest is None and not facts:
        reason = f"languages differ ({languages}) and it has no number or name to check"
        return Finding("unsupported", reason, 0.3)
    chosen = [nearest] if nearest else cover(claim, windows)
    if nearest is not None and facts and find_missing(claim, chosen):
        # The passage nearest in meaning lacks a number that another one may have.
        chosen, nearest = cover(claim, windows), None
    found = quotes(chosen)
    objection = find_missing(claim, chosen) or find_denied(claim, chosen)
    if objection is not None:
        said = f"{objection.reason} (languages differ: {languages})"
        low = constants.objected
        return Finding("unsupported", said, low, found, hard=True, differs=objection.differs)
    said = (
        f"languages differ ({languages}): numbers, names and negation agree; "
        f"words were {'compared by meaning' if nearest else 'not compared'}"
    )
    return Finding("supported", said, 0.85 if nearest else 0.6, found)


def _nearest(claim: Claim, windows: Sequence[Window], similar: Similar) -> Window | None:
    """The passage that stands out by meaning, or None when none does."""
    single = [window for window in ranked(claim, windows) if len(window.lines) == 1]
    single = single[:_MOST_COMPARED]
    cosines = similar(claim.line.text, [window.lines[0].text for window in single])
    best = max(range(len(single)), key=lambda at: cosines[at])
    middle = median(cosines)
    stands_out = cosines[best] - middle >= MIN_STAND_OUT * (1.0 - middle)
    return single[best] if stands_out else None
