"""What reverses a statement: negations, antonyms, and words that exclude each other.

Works on the folded words of every language of the lexicon, in any mixture. It knows cue words, not
grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from foundry.analysis import fold
from foundry.lexicon import load_lexicons, load_shared_lexicon

_LEXICON = load_shared_lexicon()
_WORD = re.compile(r"\w+(?:'\w+)?")
_MIN_REVERSED = 4
"""Letters of a word that a prefix may reverse; shorter ones ("in", "on") occur in others by chance."""


def split_words(text: str) -> list[str]:
    """The folded words of a text; a contraction is one word."""
    return _WORD.findall(fold(text))


@lru_cache(maxsize=4096)
def exclude_each_other(one: str, other: str) -> bool:
    """Whether two folded words cannot both be true in one place: "left" and "right"."""
    return other in EXCLUSIVE_WORDS.get(one, frozenset()) or is_reversed(one, other)


@lru_cache(maxsize=4096)
def is_reversed(one: str, other: str) -> bool:
    """Whether a prefix reverses one word to the other: "leverage" and "deleverage"."""
    short, long = sorted((one, other), key=len)
    return (
        len(short) >= _MIN_REVERSED
        and long.endswith(short)
        and long.removesuffix(short) in _LEXICON.polarity.reversing_prefixes
    )


def _build_table(groups: Iterable[Iterable[str]]) -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for group in groups:
        for word in group:
            table.setdefault(word, set()).update(other for other in group if other != word)
    return {word: frozenset(others) for word, others in table.items()}


def _list_calendar_names() -> list[list[str]]:
    """The months and the weekdays of each language: any two exclude each other."""
    tables = [
        table
        for lexicon in load_lexicons().values()
        for table in (lexicon.dates.months, lexicon.dates.weekdays)
    ]
    return [[fold(names[0]) for names in table.values()] for table in tables]


NEGATIONS = _LEXICON.polarity.negations
"""Words that deny their clause, folded, with a plain apostrophe."""

ANTONYMS = _build_table(
    pair for pair in _LEXICON.polarity.antonyms if _LEXICON.general.stop_words.isdisjoint(pair)
)
"""Folded content word → its antonyms, wherever they occur in a sentence."""

EXCLUSIVE_WORDS = _build_table(
    [*_LEXICON.polarity.antonyms, *_LEXICON.polarity.exclusive, *_list_calendar_names()]
)
"""Folded word → the words that cannot be true in its very place."""
