"""Claims, and the windows of evidence they are checked against, with their exact words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from foundry.analysis import detect_query_language
from foundry.craft.grounding.amounts import find_scales, is_given, names_scale
from foundry.records import Quote
from foundry.text.lines import ParsedEvidence, ParsedLine, find_shared_terms, parse_line
from foundry.text.names import Name, is_mentioned_in, is_ordinary
from foundry.text.passages import build_quotes, join_quotes
from foundry.text.quantities import Quantity

_MAX_WINDOWS = 3
_NUMBERS_OF_ROW = 3
"""A guess: a sentence rarely has more numbers without their units and scales."""

# "Signal Conditioning: …" is a heading within a sentence; its capitals do not mark names.
_LABEL = re.compile(r"[^.:;!?]{2,60}: ")


@dataclass(frozen=True, slots=True, eq=False)
class EvidenceWindow:
    """One passage of a piece of evidence, or two adjacent ones, with their terms."""

    material: ParsedEvidence
    lines: tuple[ParsedLine, ...]
    terms: frozenset[str]
    quantities: tuple[Quantity, ...]

    def has_quantity(self, quantity: Quantity) -> bool:
        """Whether a quantity of the window may be the same, rounded or in its table's scale."""
        scales = list_scales(self.material)
        return any(is_given(other, quantity, scales) for other in self.quantities)

    def has_name(self, name: Name) -> bool:
        """Whether the window mentions the name."""
        return any(is_mentioned_in(name, line.folded) for line in self.lines)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence to verify: requested in ``language``, written in ``spoken`` by its looks.

    ``names`` must occur in the source; ``common`` are words that occur in lower case too, so their
    capitals do not mark names.
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
        and (name.identifier or not name.initial)
    )
    return Claim(line, language, detect_query_language(text), names, common)


def collect_lowercase_words(materials: Sequence[ParsedEvidence], known: str) -> frozenset[str]:
    """Words that occur in lower case somewhere: at the start of a sentence they are not names."""
    texts = [line.text for material in materials for line in material.lines]
    words = (word.strip(".,;:!?()[]\"'") for text in [*texts, known] for word in text.split())
    return frozenset(word for word in words if word.islower())


@lru_cache(maxsize=64)
def build_windows(material: ParsedEvidence) -> tuple[EvidenceWindow, ...]:
    """All windows of one piece of evidence; cached, as many claims are checked against each."""
    lines = material.lines
    windows: list[EvidenceWindow] = []
    for index, line in enumerate(lines):
        windows.append(_build_window(material, line))
        if index + 1 < len(lines) and _is_adjacent(line, lines[index + 1]):
            windows.append(_build_window(material, line, lines[index + 1]))
    return tuple(windows)


@lru_cache(maxsize=256)
def list_quantities(material: ParsedEvidence) -> tuple[Quantity, ...]:
    """All quantities of a piece of evidence, with those of its title and headings."""
    own = [quantity for line in material.lines for quantity in line.quantities]
    return (*own, *material.context.quantities)


@lru_cache(maxsize=256)
def list_row_quantities(material: ParsedEvidence) -> tuple[Quantity, ...]:
    """The quantities of rows, whose table may name their scale in a passage that is not given.

    In running text, a line with that many numbers is a row of a table without its lines.
    """
    return tuple(
        quantity
        for line in material.lines
        if len(line.quantities) >= _NUMBERS_OF_ROW
        or (line.passage and line.passage.kind == "table")
        for quantity in line.quantities
    )


@lru_cache(maxsize=256)
def list_scales(material: ParsedEvidence) -> tuple[float, ...]:
    """The scales that bare numbers may have; all of them where none is named."""
    own = find_scales(material.evidence.hit.chunk.text)
    return tuple(sorted({*own, *list_named_scales(material)}))


@lru_cache(maxsize=256)
def list_named_scales(material: ParsedEvidence) -> tuple[float, ...]:
    """1, and the scales that a text, its headings or the labels of its tables name."""
    places = (line.passage.place.table for line in material.lines if line.passage)
    labels = {f"({table.title or ''}) ({table.unit or ''})" for table in places if table}
    texts = (material.evidence.hit.chunk.text, material.context.text, *labels)
    return tuple(sorted({1.0, *chain(*(find_scales(text) for text in texts if names_scale(text)))}))


def _build_window(material: ParsedEvidence, *lines: ParsedLine) -> EvidenceWindow:
    terms = frozenset().union(*(line.terms for line in lines))
    quantities = tuple(quantity for line in lines for quantity in line.quantities)
    return EvidenceWindow(material, lines, terms, quantities)


def _is_adjacent(line: ParsedLine, other: ParsedLine) -> bool:
    a, b = line.passage, other.passage
    if a is None or b is None or "table" in (a.kind, b.kind):
        return False
    same_section = a.place.heading_path == b.place.heading_path
    return same_section and a.blocks[-1].page == b.place.page


def compute_nearness(claim: Claim, window: EvidenceWindow) -> float:
    """How much of the claim a window contains, 0 or more. It only ranks windows of one claim.

    A number counts as two words and a name as one, as they are rarer; words in the headings hardly
    count; the second passage of a window must be worth its length. The weights are guesses.
    """
    held = sum(window.has_quantity(quantity) for quantity in claim.line.quantities)
    named = sum(window.has_name(name) for name in claim.names)
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
    """The fewest windows that contain the claim's quantities and most of its words.

    ``first`` comes first where given.
    """
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
    quantities = tuple(q for q in claim.line.quantities if not window.has_quantity(q))
    terms = claim.line.terms - find_shared_terms(claim.line.terms, window.terms)
    names = tuple(name for name in claim.names if not window.has_name(name))
    return replace(claim, line=replace(claim.line, quantities=quantities, terms=terms), names=names)


def collect_line_quotes(material: ParsedEvidence, lines: Iterable[ParsedLine]) -> tuple[Quote, ...]:
    """The exact words of some lines of one piece of evidence."""
    passages = [line.passage for line in lines if line.passage is not None]
    return tuple(q for passage in passages for q in build_quotes(passage, material.evidence))


def collect_quotes(chosen: Sequence[EvidenceWindow]) -> tuple[Quote, ...]:
    """The exact words of the windows, by evidence and in reading order; neighbours are joined."""
    quotes: dict[str, list[Quote]] = {}
    chunks = {window.material.evidence.id: window.material.evidence.hit.chunk for window in chosen}
    for window in chosen:
        evidence = window.material.evidence
        for line in window.lines:
            if line.passage is not None:
                quotes.setdefault(evidence.id, []).extend(build_quotes(line.passage, evidence))
    return tuple(
        quote
        for evidence_id, several in quotes.items()
        for quote in join_quotes(several, chunks[evidence_id])
    )
