"""Dates in a text: ``2026-03-05``, ``5 March 2026``, ``5-3-2026``, ``mei 2026``.

A date that can be read in two ways has two readings. Relative dates ("next week") are not read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from foundry.analysis.lexer import TakenSpans
from foundry.lexicon import build_alternation, load_lexicons, load_shared_lexicon

_WORDS = load_shared_lexicon().dates
_MONTH_FIRST_LANGUAGES = frozenset(
    code for code, lexicon in load_lexicons().items() if lexicon.dates.month_first
)
MONTHS = {name: int(number) for number, names in _WORDS.months.items() for name in names}
"""Month name or abbreviation, in lower case → its number."""

_NAME = build_alternation(MONTHS)
_OF = build_alternation(_WORDS.of)
_SUFFIX = build_alternation(_WORDS.ordinal_suffixes)
_ISO = re.compile(r"(?<![\w.-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?=T\d|_|[^\w-]|$)")
_NUMERIC = re.compile(r"(?<![\w.-])(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?![\w-])(?!\.\d)")
_DAY_FIRST = re.compile(
    rf"(?<![\w.,])(\d{{1,2}})(?:{_SUFFIX}|\.(?=\s+{_NAME}\b\.?,?\s+\d{{4}}))?\s+(?:{_OF}\s+)?({_NAME})\b\.?"
    r"(?:\s*,?\s+(\d{4}))?(?!\w)",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"\b({_NAME})\b\.?\s+(\d{{1,2}}){_SUFFIX}?(?:\s*,?\s+(\d{{4}}))?(?!\w|:\d)(?![.,]\d)",
    re.IGNORECASE,
)
_MONTH_YEAR = re.compile(rf"\b({_NAME})\b\.?,?\s+(?:{_OF}\s+)?(\d{{4}})(?!\w)", re.IGNORECASE)

DateReading = tuple[int, int, int]
"""Year, month, day; 0 where the text does not say."""


@dataclass(frozen=True, slots=True)
class Date:
    """A date from ``start`` to ``end`` of its text, with every way to read it."""

    start: int
    end: int
    text: str
    readings: frozenset[DateReading]


def find_dates(text: str, language: str) -> list[Date]:
    """The dates in reading order.

    ``language`` settles ``3/5/2026``: where months may come first, and where the language is
    unknown ("und"), both readings count.
    """
    both = language == "und" or language in _MONTH_FIRST_LANGUAGES
    dates: list[Date] = []
    taken = TakenSpans()
    for pattern, read in (
        (_ISO, _read_iso),
        (_NUMERIC, _read_numeric_both if both else _read_numeric),
        (_DAY_FIRST, _read_day_first),
        (_MONTH_FIRST, _read_month_first),
        (_MONTH_YEAR, _read_month_year),
    ):
        for match in pattern.finditer(text):
            readings = frozenset(filter(_is_possible, read(match)))
            if readings and taken.is_free(*match.span()):
                taken.add(*match.span())
                dates.append(Date(match.start(), match.end(), match[0], readings))
    return sorted(dates, key=lambda date: date.start)


def dates_agree(claim: Date, source: Date) -> bool:
    """Whether the source's date confirms everything that the claim's date states."""
    return any(
        all(part in (0, known) for part, known in zip(claimed, printed, strict=True))
        for claimed in claim.readings
        for printed in source.readings
    )


def _is_possible(reading: DateReading) -> bool:
    year, month, day = reading
    return (year == 0 or 1000 <= year <= 2999) and 0 <= month <= 12 and 0 <= day <= 31


def _read_iso(match: re.Match[str]) -> list[DateReading]:
    return _keep_complete((int(match[1]), int(match[3]), int(match[4])))


def _read_numeric(match: re.Match[str]) -> list[DateReading]:
    # "1.2.26" is a version or a section more often than a date.
    if match[2] == "." and len(match[4]) == 2:
        return []
    return _keep_complete((_expand_year(match[4]), int(match[3]), int(match[1])))


def _read_numeric_both(match: re.Match[str]) -> list[DateReading]:
    day_first = _read_numeric(match)
    month_first = _keep_complete((_expand_year(match[4]), int(match[1]), int(match[3])))
    return day_first + month_first if day_first else []


def _read_day_first(match: re.Match[str]) -> list[DateReading]:
    return _keep_complete((int(match[3] or 0), MONTHS[match[2].lower()], int(match[1])))


def _read_month_first(match: re.Match[str]) -> list[DateReading]:
    return _keep_complete((int(match[3] or 0), MONTHS[match[1].lower()], int(match[2])))


def _read_month_year(match: re.Match[str]) -> list[DateReading]:
    return [(int(match[2]), MONTHS[match[1].lower()], 0)]


def _keep_complete(reading: DateReading) -> list[DateReading]:
    return [reading] if reading[1] and reading[2] else []


def _expand_year(digits: str) -> int:
    return int(digits) if len(digits) == 4 else 2000 + int(digits)
