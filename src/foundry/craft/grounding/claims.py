"""Windows on the evidence: which few passages hold what a claim says, and their exact words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from foundry.analysis import detect_query_language
from foundry.records import Quote
from foundry.text.lines import ParsedEvidence, ParsedLine, find_shared_terms, parse_line
from foundry.text.names import Name, is_mentioned_in, is_ordinary
from foundry.text.passages import build_quotes, join_quotes
from foundry.text.quantities import Quantity, is_same_quantity

_MAX_WINDOWS = 3
# "Signal Conditioning: …" is a heading within a sentence, whose capitals name nothing.
_LABEL = re.compile(r"[^.:;!?]{2,60}: ")
_VERB = re.compile(
    r"(?:['’]s)?\s+(?:[a-z]+(?:ed|[^s]s)|is|was|has|had|can|may|will|must|and|en|heeft|had|zal|kan"
    r"|mag|moet|werd|wordt|gaf|won|wrote|made|took|led|built|sold|bought|ran|[a-z]{2,}(?:[dt]e|t))\b"
)


@dataclass(frozen=True, slots=True, eq=False)
class EvidenceWindow:
    """One passage, or two that follow each other, of one piece of evidence, with their words."""

    material: ParsedEvidence
    lines: tuple[ParsedLine, ...]
    terms: frozenset[str]
    quantities: tuple[Quantity, ...]

    def holds(self, quantity: Quantity) -> bool:
        return any(is_same_quantity(quantity, other) for other in self.quantities)

    def names(self, name: Name) -> bool:
        return any(is_mentioned_in(name, line.folded) for line in self.lines)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence to verify: asked for in ``language``, written in ``spoken`` as it seems.

    ``names`` are those that must stand in the source; ``common`` holds words that
    occur in lower case, whose capitals therefore name nothing.
    """

    line: ParsedLine
    language: str
    spoken: str
    names: tuple[Name, ...]
    common: frozenset[str] = frozenset()


def parse_claim(text: str, language: str, common: frozenset[str]) -> Claim:
    """Prepare a sentence; ``common`` comes from ``collect_lowercase_words``."""
    line = parse_line(text, language)
    label = _LABEL.match(text)
    start = label.end() if label else 0
    names = tuple(
        name
        for name in line.names
        if not is_ordinary(name, common)
        and (name.identifier or name.start >= start)
        and not (name.initial and not name.identifier and not _has_verb_after(name, text))
    )
    return Claim(line, language, detect_query_language(text), names, common)


def _has_verb_after(name: Name, text: str) -> bool:
    """A lone capital that opens a sentence names who acts ("Karel approved …"), or is a plain word.

    "Ensure that …" and "Similarly, …" have no verb after them.
    """
    following = text[name.start + len(name.text) :]
    return _VERB.match(following) is not None


def collect_lowercase_words(materials: Sequence[ParsedEvidence], known: str) -> frozenset[str]:
    """Words that stand somewhere in lower case: capitals at a sentence's start do not name."""
    texts = [line.text for material in materials for line in material.lines]
    words = (word.strip(".,;:!?()[]\"'") for text in [*texts, known] for word in text.split())
    return frozenset(word for word in words if word.islower())


@lru_cache(maxsize=64)
def build_windows(material: ParsedEvidence) -> tuple[EvidenceWindow, ...]:
    """All windows of one piece of evidence; kept, as many claims are held against each."""
    lines = material.lines
    found: list[EvidenceWindow] = []
    for at, line in enumerate(lines):
        found.append(_build_window(material, line))
        if at + 1 < len(lines) and _is_adjacent(line, lines[at + 1]):
            found.append(_build_window(material, line, lines[at + 1]))
    return tuple(found)


def _build_window(material: ParsedEvidence, *lines: ParsedLine) -> EvidenceWindow:
    terms = frozenset().union(*(line.terms for line in lines))
    quantities = tuple(quantity for line in lines for quantity in line.quantities)
    return EvidenceWindow(material, lines, terms, quantities)


def _is_adjacent(one: ParsedLine, other: ParsedLine) -> bool:
    a, b = one.passage, other.passage
    if a is None or b is None or "table" in (a.kind, b.kind):
        return False
    same_section = a.place.heading_path == b.place.heading_path
    return same_section and a.blocks[-1].page == b.place.page


def compute_nearness(claim: Claim, window: EvidenceWindow) -> float:
    """How much of the claim stands in the window; numbers and names weigh more than words."""
    held = sum(window.holds(quantity) for quantity in claim.line.quantities)
    named = sum(window.names(name) for name in claim.names)
    words = len(find_shared_terms(claim.line.terms, window.terms))
    context = len(find_shared_terms(claim.line.terms, window.material.context.terms))
    if not held and not named and not words:
        return 0.0
    return 2.0 * held + 1.0 * named + words + 0.1 * context - 0.4 * (len(window.lines) - 1)


def rank_windows(claim: Claim, windows: Sequence[EvidenceWindow]) -> list[EvidenceWindow]:
    return sorted(windows, key=lambda window: -compute_nearness(claim, window))


def choose_windows(
    claim: Claim, windows: Sequence[EvidenceWindow], first: EvidenceWindow | None = None
) -> list[EvidenceWindow]:
    """The fewest windows that hold the claim's quantities and most of its words, ``first`` first."""
    chosen: list[EvidenceWindow] = []
    rest = claim
    for _ in range(_MAX_WINDOWS):
        begin = first if not chosen else None
        best = begin or max(windows, key=lambda window: compute_nearness(rest, window))
        if chosen and compute_nearness(rest, best) < 1.0:
            break
        chosen.append(best)
        rest = _remove_covered(rest, best)
        if not rest.line.quantities and len(rest.line.terms) <= 0.4 * len(claim.line.terms):
            break
    return chosen


def _remove_covered(claim: Claim, window: EvidenceWindow) -> Claim:
    quantities = tuple(q for q in claim.line.quantities if not window.holds(q))
    terms = claim.line.terms - find_shared_terms(claim.line.terms, window.terms)
    names = tuple(name for name in claim.names if not window.names(name))
    return replace(claim, line=replace(claim.line, quantities=quantities, terms=terms), names=names)


def collect_quotes(chosen: Sequence[EvidenceWindow]) -> tuple[Quote, ...]:
    """The exact words of the windows by evidence and in reading order, neighbours as one quote."""
    found: dict[str, list[Quote]] = {}
    chunks = {window.material.evidence.id: window.material.evidence.hit.chunk for window in chosen}
    for window in chosen:
        evidence = window.material.evidence
        for line in window.lines:
            if line.passage is not None:
                found.setdefault(evidence.id, []).extend(build_quotes(line.passage, evidence))
    return tuple(
        quote for one, several in found.items() for quote in join_quotes(several, chunks[one])
    )
