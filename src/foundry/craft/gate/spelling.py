"""Words that are nearly another: compounds, inflections and slips of the pen."""

from __future__ import annotations

import difflib
from collections.abc import Collection

from foundry.analysis import QueryTerm

_SHORTEST = 5
_PART = 0.6
"""The least share of a compound that its known part takes: "temperatuur" of "kamertemperatuur"."""

_ALIKE = 0.85
"""The least share of letters in common, in order: one slip in six letters or more."""


def resembles(word: QueryTerm, vocabulary: Collection[str]) -> bool:
    """Whether a term of the vocabulary is part of the word, holds it, or differs by a slip."""
    return any(is_near(term, vocabulary) for term in word.terms)


def is_near(term: str, vocabulary: Collection[str]) -> bool:
    """The same for one folded term. Digits never slip: E05 is not E12."""
    if len(term) < _SHORTEST or not term.isalpha():
        return False
    others = [other for other in vocabulary if len(other) >= _SHORTEST and other.isalpha()]
    if any(_is_part(term, other) for other in others):
        return True
    alike = [other for other in others if abs(len(other) - len(term)) <= 1 and other[0] == term[0]]
    return bool(difflib.get_close_matches(term, alike, 1, _ALIKE))


def _is_part(one: str, other: str) -> bool:
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    ends = longer.startswith(shorter) or longer.endswith(shorter)
    return ends and len(shorter) >= _PART * len(longer)
