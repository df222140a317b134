"""What reverses a statement: negations, antonyms, and words that exclude each other.

Works on the folded words of every language of the lexicon, in any mixture. It knows cue words, not
grammar: a negation governs the clause in which it occurs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from foundry.analysis import fold
from foundry.lexicon import Lexicon, build_alternation, load_lexicons, load_shared_lexicon

_LEXICON = load_shared_lexicon()
_WORD = re.compile(r"\w+(?:'\w+)?")
_CLAUSE = re.compile(
    r"[;!?]\s|[.]\s|\s\(|\)[\s,;.]|,\s|\s[-–—]\s"
    rf"|\s{build_alternation(_LEXICON.polarity.clause_openers)}\s",
    re.IGNORECASE,
)
_MIN_CLAUSE_WORDS = 3
"""Shorter pieces ("In 1973, …", "between 5 and 10") are not clauses."""
_MIN_REVERSED = 4
"""Letters of a word that a prefix may reverse; shorter ones ("in", "on") occur in others by chance."""

_CLAUSE_SAMPLE = 100
"""Characters of a piece that are looked at, so that a list of thousands of numbers takes no
minutes. Three words and the space after a number fit in them."""


@dataclass(frozen=True, slots=True)
class _Cues:
    """A lexicon's negations, and the phrases in which they deny nothing."""

    negations: frozenset[str]
    exceptions: re.Pattern[str]


@lru_cache(maxsize=8)
def _compile_cues(lexicon: Lexicon) -> _Cues:
    words, numbers = lexicon.polarity, lexicon.numbers
    bound = (
        rf"{build_alternation(words.negators)} {build_alternation(numbers.more | numbers.less)}"
        rf" {build_alternation(numbers.than)}"
    )
    abbreviation = build_alternation(words.number_abbreviations)
    exceptions = (
        rf"\b(?:{bound}|{build_alternation(words.no_denials)})\b|\b{abbreviation}(?: ?\. ?| )(?=\d)"
    )
    return _Cues(words.negations, re.compile(exceptions))


def split_words(text: str) -> list[str]:
    """The folded words of a text; a contraction is one word."""
    return _WORD.findall(fold(text))


def is_negated(text: str, lexicon: Lexicon = _LEXICON) -> bool:
    """Whether a text contains an odd number of negations; two cancel out.

    "Not more than" is a bound and "not only" an assertion: neither counts.
    """
    cues = _compile_cues(lexicon)
    words = split_words(cues.exceptions.sub(" ", fold(text)))
    return sum(word in cues.negations for word in words) % 2 == 1


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


def find_clauses(text: str) -> list[tuple[int, int]]:
    """Spans of the text's clauses, cut at commas, semicolons and conjunctions.

    A piece of one or two words stays with its neighbour.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in (*_CLAUSE.finditer(text), None):
        end = match.start() if match else len(text)
        # "2010, 2011 and 2012" is one list.
        listed = match and _is_between_digits(text, end, match.end())
        # The first characters of a piece are enough to count to three.
        short = len(text[start : min(end, start + _CLAUSE_SAMPLE)].split()) < _MIN_CLAUSE_WORDS
        if match and (short or listed):
            continue
        if short and spans:
            spans[-1] = (spans[-1][0], end)
        elif text[start:end].strip():
            spans.append((start, end))
        start = match.end() if match else end
    return spans


def _is_between_digits(text: str, end: int, start: int) -> bool:
    before = text[max(0, end - _CLAUSE_SAMPLE) : end].rstrip()
    return before[-1:].isdigit() and text[start : start + 1].isdigit()


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
