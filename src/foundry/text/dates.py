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
_ISO = re.compile(
    r"(?<![\w.-])(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?=T\d|_|[^\w-]|$)"
)
_NUMERIC = re.compile(
    r"(?<![\w.-])(?P<day>\d{1,2})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<year>\d{4}|\d{2})(?![\w-])(?!\.\d)"
)
_DAY_FIRST = re.compile(
    rf"(?<![\w.,])(?P<day>\d{{1,2}})(?:{_SUFFIX}|\.(?=\s+{_NAME}\b\.?,?\s+\d{{4}}))?\s+(?:{_OF}\s+)?"
    rf"(?P<name>{_NAME})\b\.?(?:\s*,?\s+(?P<year>\d{{4}}))?(?!\w)",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"\b(?P<name>{_NAME})\b\.?\s+(?P<day>\d{{1,2}}){_SUFFIX}?(?:\s*,?\s+(?P<year>\d{{4}}))?(?!\w|:\d)(?![.,]\d)",
    re.IGNORECASE,
)
_MONTH_YEAR = re.compile(
    rf"\b(?P<name>{_NAME})\b\.?,?\s+(?:{_OF}\s+)?(?P<year>\d{{4}})(?!\w)", re.IGNORECASE
)

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
    for pattern in (_ISO, _NUMERIC, _DAY_FIRST, _MONTH_FIRST, _MONTH_YEAR):
        for match in pattern.finditer(text):
            readings = frozenset(filter(_is_possible, _read(match, both=both)))
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


def _read(match: re.Match[str], *, both: bool) -> list[DateReading]:
    said = {"day": "", "mark": "", **match.groupdict()}
    year = said["year"] or "0"
    month = MONTHS[said["name"].lower()] if "name" in said else int(said["month"])
    if not said["day"]:
        return [(int(year), month, 0)]
    day, short = int(said["day"]), len(year) == 2
    # "1.2.26" is a version or a section more often than a date.
    if not month or not day or (short and said["mark"] == "."):
        return []
    readings = [(int(year) + 2000 * short, month, day)]
    return [*readings, (readings[0][0], day, month)] if said["mark"] and both else readings
