"""Whether a text says anything that another does not: near-duplicates without false friends.

Word shingles find texts that overlap; a text counts as a repeat only if every
word of it stands in the other, and every number, identifier and negation stands
there between the same words. So two revisions of a sheet that differ in one
value are never taken for one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from foundry.analysis import analyse, fold
from foundry.wording.polarity import NEGATIONS

_WORD = re.compile(r"\w+(?:[.,:/-]\w+)*|[%°€$£≥≤<>±]")
_SIZE = 4
_CONTAINED = 0.8


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A text's words: ``terms`` carry meaning, ``shingles`` are runs of four words."""

    terms: frozenset[str]
    shingles: frozenset[tuple[str, ...]]
    telling: frozenset[tuple[str, ...]]


def fingerprint(text: str, language: str) -> Fingerprint:
    """The text's words for ``repeats``; ``language`` as the text's."""
    words = _WORD.findall(fold(text))
    runs = _runs(words, min(_SIZE, len(words)))
    narrow = _runs(words, min(3, len(words)))
    telling = frozenset(run for run in narrow if any(map(_is_telling, run)))
    terms = frozenset(analyse(text, language)) or frozenset(words)
    return Fingerprint(terms, frozenset(runs), telling)


def repeats(later: Fingerprint, earlier: Fingerprint) -> bool:
    """True when ``later`` adds nothing to ``earlier``."""
    if not later.shingles or not later.terms <= earlier.terms:
        return False
    if not later.telling <= earlier.telling:
        return False
    return len(later.shingles & earlier.shingles) >= _CONTAINED * len(later.shingles)


def _runs(words: list[str], size: int) -> set[tuple[str, ...]]:
    if size == 0:
        return set()
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


def _is_telling(word: str) -> bool:
    return any(character.isdigit() for character in word) or word in NEGATIONS
