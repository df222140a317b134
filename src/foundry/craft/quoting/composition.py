"""When two sentences say the same, and their order for reading."""

from __future__ import annotations

from collections.abc import Sequence

from foundry.analysis import fold
from foundry.craft.quoting.candidates import QuoteCandidate
from foundry.text.quantities import is_same_quantity

# The shares are guesses; `python -m bench own_questions` reports the answers they lead to.
_MIN_ALIKE = 0.75
"""Two sentences are alike if they share this much of the shorter one's words."""

_MIN_ALIKE_LONGER = 0.6
"""… and this much of the longer one's."""


def has_overlap(one: QuoteCandidate, other: QuoteCandidate) -> bool:
    """Whether both show some of the same words of a source, such as a list and its item."""
    if one.evidence.hit.chunk.source_id != other.evidence.hit.chunk.source_id:
        return False
    return any(
        start < last and first < end for start, end in one.spans for first, last in other.spans
    )


def is_alike(one: QuoteCandidate, other: QuoteCandidate) -> bool:
    """Whether two sentences have nearly the same words, apart from numbers; rows have one name."""
    if _get_row_name(one) != _get_row_name(other):
        return False
    a, b = _get_words(one), _get_words(other)
    return (
        bool(a)
        and bool(b)
        and len(a & b) >= _MIN_ALIKE * min(len(a), len(b))
        and (len(a & b) >= _MIN_ALIKE_LONGER * max(len(a), len(b)))
    )


def has_conflicting_values(one: QuoteCandidate, other: QuoteCandidate) -> bool:
    """Whether each sentence has a number that the other lacks."""
    return _has_own_value(one, other) and _has_own_value(other, one)


def is_repetition(one: QuoteCandidate, other: QuoteCandidate) -> bool:
    """Whether one candidate says what the other says, by the same or nearly the same words."""
    if fold(one.text) == fold(other.text) or has_overlap(one, other):
        return True
    return is_alike(one, other) and not has_conflicting_values(one, other)


def _has_own_value(one: QuoteCandidate, other: QuoteCandidate) -> bool:
    return any(
        not any(is_same_quantity(quantity, known) for known in other.quantities)
        for quantity in one.quantities
    )


def _get_row_name(candidate: QuoteCandidate) -> str:
    return fold(candidate.columns[0][1]) if candidate.columns else ""


def _get_words(candidate: QuoteCandidate) -> frozenset[str]:
    return frozenset(term for term in candidate.terms if not term[0].isdigit())


def sort_for_reading(chosen: Sequence[QuoteCandidate]) -> list[QuoteCandidate]:
    """The section of the best sentence first; within a section in reading order."""
    places = [(c.evidence.hit.chunk.source_id, c.section) for c in chosen]
    pairs = zip(places, chosen, strict=True)
    ordered = sorted(pairs, key=lambda pair: (places.index(pair[0]), pair[1].quotes[-1].start))
    return [candidate for _, candidate in ordered]
