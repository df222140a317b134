"""The question's periods as the sources may write them: FY22 as 2022, Q4 as "fourth quarter"."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from foundry.analysis import analyse_query, fold
from foundry.lexicon import load_shared_lexicon
from foundry.records import QueryTerm
from foundry.text.periods import Period

_WORDS = load_shared_lexicon().periods
_ORDINALS = {int(number): words for number, words in _WORDS.ordinals.items()}

_PARTS = {f"q{number}" for number in range(1, 5)} | {"h1", "h2"}


def spell_out_periods(text: str, periods: Sequence[Period]) -> str:
    """The text with its abbreviated periods in plain words: "FY22" → "2022", "3Q22" → "Q3 2022"."""
    parts: list[str] = []
    end = 0
    for period in periods:
        parts += [text[end : period.start], _spell_out(period)]
        end = period.end
    return "".join([*parts, text[end:]])


def _spell_out(period: Period) -> str:
    joined = re.search(r"(?i)[a-z]['’]?\d|\d[a-z]|['’]\d", period.text)
    if period.days or period.month_day != (0, 0) or not joined:
        return period.text
    years = [str(year) for year in dict.fromkeys(period.years) if year]
    return " ".join([period.part.upper(), *years]).strip() or period.text


def add_period_terms(
    words: Sequence[QueryTerm], periods: Sequence[Period], languages: Collection[str]
) -> tuple[QueryTerm, ...]:
    """The words, those of a quarter or half with the terms of its other spellings."""
    parts = {period.part for period in periods} & _PARTS
    numbers = {int(part[1]): part for part in parts}
    return tuple(_add_terms(word, numbers, languages) for word in words)


def drop_common_spellings(
    word: QueryTerm, added: QueryTerm, frequencies: Mapping[str, int]
) -> QueryTerm:
    """The word without the terms added to it, if it occurs as written in some chunk.

    "third" is in many a chunk that has nothing of "Q3"; "q3" tells something wherever it is.
    """
    is_symbol = any(char.isdigit() for char in word.word)
    return word if is_symbol and any(frequencies.get(t, 0) for t in word.terms) else added


def _add_terms(word: QueryTerm, parts: Mapping[int, str], languages: Collection[str]) -> QueryTerm:
    folded = fold(word.word)
    for number, part in parts.items():
        if folded == part:
            others = [t for name in sorted(_ORDINALS[number]) for t in _analyse(name, languages)]
        elif folded in _ORDINALS[number]:
            others = [part]
        else:
            continue
        return replace(word, terms=tuple(dict.fromkeys((*word.terms, *others))))
    return word


def _analyse(word: str, languages: Collection[str]) -> tuple[str, ...]:
    # The parts of "1st" are found everywhere.
    found = analyse_query(word, languages, "und")
    return found[0].terms if word.isalpha() and found else (word,)
