"""The kind of value that a question asks for, and whether a sentence states one.

"How many members", "what does it cost" and "how long" ask for a count, an amount of money and a
duration. A passage on the very subject without such a value does not answer. What the question
says itself does not count: its own year is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from foundry.analysis import fold
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.text.quantities import Quantity, find_quantities
from foundry.text.units import find_unit

_LEXICON = load_shared_lexicon()
_WORDS = _LEXICON.questions
_STOP_WORDS = _LEXICON.general.stop_words
_INTERROGATIVE = re.compile(rf"\b{build_alternation(_WORDS.words)}\b")
_AMOUNT = re.compile(build_alternation(_WORDS.amounts))
_COUNT = re.compile(
    rf"\b{build_alternation(_WORDS.counts)}\s+(?P<nouns>[^\W\d_][\w-]*(?:\s[^\W\d_][\w-]*)?)"
)
_ALL = rf"{build_alternation(_WORDS.listing)}\s+(?:\w{{2,3}}\s+)?{build_alternation(_WORDS.universals)}"
_ASKS_ALL = re.compile(rf"\W*{_ALL}\b")
_OPENING = re.compile(
    rf"\W*(?:{_ALL}|{build_alternation(_WORDS.counts)}|{build_alternation(_WORDS.interrogatives)})\b"
)
_KINDS = {
    kind: re.compile(rf"\b{build_alternation(frozenset(words))}\b")
    for kind, words in _WORDS.values.items()
}
_VERSION_BEFORE = re.compile(r"\bv(?:ers(?:ion|ie)s?)?\W*$")
_CURRENCIES = frozenset(("EUR", "USD", "GBP"))
_DIMENSIONS = {
    "money": _CURRENCIES,
    "share": frozenset(("%",)),
    "duration": frozenset(("s", "month")),
}
_CURRENCY_SIGN = re.compile(r"[€$£]|\b(?:EUR|USD|GBP)\b")
_FIRST_YEAR, _LAST_YEAR = 1000, 2100
_YEAR_LENGTH = 4

_NEAR = 40
"""Characters between a number and what it counts: "12 of the 30 larger municipalities" (a guess)."""

_ENDING, _SHORTEST = 3, 4
"""Letters at the end of a noun that its plural may change, and how many are always compared."""


@dataclass(frozen=True, slots=True)
class AskedValue:
    """What a question asks for: values of one of the ``dimensions``, a year, or a count of things.

    ``stems`` is how the words for the counted things begin; ``known`` are the question's own
    numbers.
    """

    kind: str
    dimensions: frozenset[str] = frozenset()
    stems: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()


@lru_cache(maxsize=256)
def find_asked_value(question: str, language: str) -> AskedValue | None:
    """The value that the question asks for; None for any other question."""
    text = fold(question)
    known = frozenset(quantity.text for quantity in find_quantities(question, language))
    count = _COUNT.search(text)
    if count:
        return _read_count(count["nouns"].split(), known)
    first = _INTERROGATIVE.search(text)
    if first and not _AMOUNT.match(text, first.start()):
        return None
    kind = next((kind for kind, pattern in _KINDS.items() if pattern.search(text)), None)
    return AskedValue(kind, _DIMENSIONS.get(kind, frozenset()), known=known) if kind else None


def asks_for_all(question: str) -> bool:
    """Whether a question asks for all of something by its form: "list all", "noem mij alle".

    None of 1,383 written questions about other things has this form. "How many" does not tell: 180 of
    these have it, and all ten with "how many … are there" ask for a number that a source would state.
    """
    return _ASKS_ALL.match(fold(question)) is not None


def find_listed_noun(question: str) -> str:
    """What the items are: the last word before a function word ("list all *parts* from …"), or "".

    English and Dutch have the noun last: "relevant alarms of", "hoeveel user stories zijn".
    """
    text = fold(question)
    opening = _OPENING.match(text)
    words = re.findall(r"[\w-]+", text[opening.end() :]) if opening else []
    phrase = list(takewhile(lambda word: word not in _STOP_WORDS, words))
    return phrase[-1] if phrase else ""


def _read_count(words: Sequence[str], known: frozenset[str]) -> AskedValue | None:
    unit = find_unit(words[0])
    if unit is not None:
        alike = (d for d in _DIMENSIONS.values() if unit.dimension in d)
        return AskedValue("unit", next(alike, frozenset((unit.dimension,))), known=known)
    nouns = [word for word in words if word not in _STOP_WORDS]
    stems = tuple(noun[: max(len(noun) - _ENDING, _SHORTEST)] for noun in nouns)
    return AskedValue("count", stems=stems, known=known) if stems else None


def states_value(asked: AskedValue, sentence: str, around: str, language: str) -> bool:
    """Whether a sentence or row has a value of the kind asked for.

    ``around`` is the passage: a table's currency is in its header or caption.
    """
    found = [q for q in find_quantities(sentence, language) if q.text not in asked.known]
    if asked.kind == "date":
        return any(_has_year(quantity) for quantity in found)
    if asked.kind == "version":
        return any(_is_version(quantity, sentence) for quantity in found)
    if asked.kind == "count":
        return any(_counts(quantity, asked.stems, sentence) for quantity in found)
    if any(quantity.dimension in asked.dimensions for quantity in found):
        return True
    if "month" in asked.dimensions:
        # "From 1939 to 1945" says how long; so does "3:52".
        return sum(map(_has_year, found)) > 1 or any(one.kind == "clock" for one in found)
    is_money = asked.dimensions == _CURRENCIES and _CURRENCY_SIGN.search(around) is not None
    return is_money and any(not quantity.dimension for quantity in found)


def _has_year(quantity: Quantity) -> bool:
    if quantity.date is not None:
        return True
    plain = len(quantity.text) == _YEAR_LENGTH and not quantity.dimension
    return plain and any(_FIRST_YEAR <= value <= _LAST_YEAR for value in quantity.bare)


def _is_version(quantity: Quantity, sentence: str) -> bool:
    """Whether a number is a version: by its form ("3.0.1"), or behind a word ("version 4")."""
    before = fold(sentence[max(0, quantity.start - _NEAR) : quantity.start])
    return quantity.kind == "version" or _VERSION_BEFORE.search(before) is not None


def _counts(quantity: Quantity, stems: Sequence[str], sentence: str) -> bool:
    """Whether a counted thing is named beside a number, before or after it."""
    around = fold(sentence[max(0, quantity.start - _NEAR) : quantity.end + _NEAR])
    named = any(re.search(rf"\b{re.escape(stem)}", around) for stem in stems)
    return named and quantity.kind == "number"
