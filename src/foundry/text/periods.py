"""Periods in a text, comparable across spellings and languages: ``FY2022``, "boekjaar 2022", ``Q4``.

A period says what is printed: years, a quarter or half, or the days of a date or span. A company's
year need not be the calendar's, so a fiscal year never contradicts a date close to it: what is in
doubt is "unknown". Relative periods ("last year") are not read.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Literal

from foundry.analysis import fold, fold_in_place
from foundry.analysis.lexer import TakenSpans
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import Period, Source
from foundry.text.dates import MONTHS, Date, find_dates

_LEXICON = load_shared_lexicon()
_WORDS = _LEXICON.periods

Comparison = Literal["same", "part", "whole", "unknown", "other"]
"""How a printed period relates to the asked one: "part" lies within it, "whole" contains it."""

Fit = Literal["fits", "unknown", "other"]


_NUMBERS = {fold(word): int(n) for n, words in _WORDS.ordinals.items() for word in words}
_LENGTHS = {fold(word): int(n) for n, words in _WORDS.lengths.items() for word in words}
_SYMBOLS = {fold(word): kind for kind, words in _WORDS.symbols.items() for word in words}

_OF = build_alternation(_LEXICON.dates.of | _LEXICON.general.articles | {"in", "van het"})
_FISCAL = rf"(?:{build_alternation(_WORDS.fiscal)}(?:\s+{build_alternation(_WORDS.year)})?)"
_CENTURY = r"(?:19|20)\d\d"
_NOT_NUMBER = r"(?<![\w.,$€£#§-])"
_NO_NUMBER = r"(?![\w%°€$£]|[.,:]\d)"
_JOINT = r"\s?[/–—-]\s?"
_SECOND = rf"(?:{_JOINT}(?P<last>{_CENTURY}|\d\d)(?!\d|-\d))?"
_UNTIL = rf"(?:{_JOINT}|\s+{build_alternation(_WORDS.until)}\s+)"
_YEAR = (
    rf"(?:(?P<fiscal>{_FISCAL})[\s'’-]{{0,2}}(?P<short>(?:{_CENTURY}|\d\d)){_SECOND}"
    rf"|(?P<year>{_CENTURY}){_SECOND.replace('last', 'until')}|['’](?P<tail>\d\d))"
)
_SYMBOL = build_alternation(_SYMBOLS)
_ORDINAL = build_alternation(_NUMBERS)
_QUARTER, _HALF = build_alternation(_WORDS.quarter), build_alternation(_WORDS.half)
_PART = (
    rf"(?:(?P<symbol>{_SYMBOL})(?P<number>[1-4])(?!\d)|(?P<before>[1-4])(?P<after>{_SYMBOL})(?=\d|\b)"
    rf"|(?P<ordinal>{_ORDINAL})\s+(?:{build_alternation(_WORDS.fiscal)}\s+)?"
    rf"(?:(?P<quarter>{_QUARTER})|(?P<half>{_HALF}))"
    rf"|{build_alternation(_WORDS.first)}\s+(?P<begin>{build_alternation(_LENGTHS)}|[369]|12)\s+"
    rf"{build_alternation(_WORDS.months)})"
)
_PART_YEAR = re.compile(
    rf"{_NOT_NUMBER}{_PART}(?:[\s,.'’-]{{0,3}}(?:\b{_OF}\s+){{0,2}}){_YEAR}{_NO_NUMBER}"
)
_PART_SHORT = re.compile(rf"{_NOT_NUMBER}{_PART}['’]?(?P<short>\d\d)(?!\w)")
_YEAR_PART = re.compile(rf"{_NOT_NUMBER}{_YEAR}[\s,-]{{0,2}}{_PART}(?!\w)")
_PART_ALONE = re.compile(rf"{_NOT_NUMBER}{_PART}(?!\w)")
_YEAR_ALONE = re.compile(rf"{_NOT_NUMBER}{_YEAR}{_NO_NUMBER}")
_YEARS = re.compile(
    rf"{_NOT_NUMBER}(?P<fiscal>{_FISCAL}\s+)?(?P<year>{_CENTURY}){_UNTIL}(?P<until>{_CENTURY}){_NO_NUMBER}"
)
_MONTH = build_alternation(fold(name) for name in MONTHS)
_MONTHS_YEAR = re.compile(
    rf"\b(?P<from>{_MONTH})\b\.?{_UNTIL}(?P<to>{_MONTH})\b\.?,?\s+(?:{_OF}\s+)?(?P<year>{_CENTURY})\b"
)
_LENGTH_BEFORE = re.compile(
    rf"(?:(?P<count>{build_alternation(_LENGTHS)}|\d\d?)[\s-]+{build_alternation(_WORDS.months)}"
    rf"|(?P<quarter>{_QUARTER})|(?P<year>{build_alternation(_WORDS.year)})|(?P<half>{_HALF}))"
    rf"(?:\s+\w+)?,?\s+{build_alternation(_WORDS.ended)}[\s|:,]*$"
)
_FOLDED_MONTHS = {fold(name): number for name, number in MONTHS.items()}
_LATE_DAYS = 7
"""An accounting period that ends in the first week of a month began with the months before: weeks
are counted whole (52- and 53-week years)."""


@lru_cache(maxsize=2048)
def find_periods(text: str, language: str = "und") -> tuple[Period, ...]:
    """The periods of a text in reading order; ``language`` settles ``3/5/2026`` as for dates.

    Underscores count as spaces, so that file names can be read too.
    """
    if not re.search(r"\d", text) and not (
        re.search(f"\\b(?:{_QUARTER}|{_HALF})\\b", text, re.IGNORECASE) is not None
    ):
        return ()
    plain = fold_in_place(text.replace("_", " "))
    taken = TakenSpans()
    found: list[Period] = []
    for period in _list_all(text, plain, language):
        if taken.is_free(period.start, period.end):
            taken.add(period.start, period.end)
            found.append(period)
    return tuple(sorted(found, key=lambda period: period.start))


def compare_periods(asked: Period, said: Period) -> Comparison:
    """How the period that a source prints relates to the one that is asked."""
    if (0, 0) not in (asked.month_day, said.month_day) or any(
        (
            one.month_day != (0, 0) and other.days is not None
            for one, other in ((asked, said), (said, asked))
        )
    ):
        return _compare_yearless(asked, said)
    if asked.days and said.days:
        return _compare_days(asked, said)
    if any(asked.years) and any(said.years):
        return _compare_years(asked, said)
    if not asked.part or not said.part:
        return "unknown"
    return "same" if asked.part == said.part else _compare_parts(asked, said)


def is_accounting(period: Period) -> bool:
    """Whether it is a quarter, a half or fiscal year, or months reckoned back: no plain year or date."""
    return bool(period.part or period.fiscal or period.closing)


def count_months(period: Period) -> int:
    """How many months a quarter, half or accounting period has; 0 where the text gives no length."""
    if period.part:
        return {"q": 3, "h": 6, "m": 9}[period.part[0]]
    if period.days is None or not period.closing:
        return 0
    return round((period.days[1] - period.days[0]).days / 30.4)


def is_next_period(one: Period, other: Period) -> bool:
    """Whether a period is the one before or after another: the next year, quarter or half."""
    if not any(one.years) or not any(other.years) or one.years[0] != one.years[1]:
        return False
    if one.part[:1] != other.part[:1]:
        return False
    parts = {"q": 4, "h": 2}.get(one.part[:1], 1)
    places = [period.years[0] * parts + int(period.part[1:] or 0) for period in (one, other)]
    distance = abs(places[0] - places[1])
    # The same quarter of another year is a step too.
    return distance == 1 or (distance == parts and one.part == other.part)


def judge_periods(asked: Sequence[Period], said: Sequence[Period]) -> Fit:
    """Whether what a source says can be of an asked period.

    "fits" if one of its periods is one of the asked or lies within it, "other" if there are some
    and each is sure to be another one.
    """
    results = {compare_periods(one, other) for one in asked for other in said}
    if results & {"same", "part"}:
        return "fits"
    return "other" if results == {"other"} else "unknown"


def find_label_periods(source: Source) -> tuple[Period, ...]:
    """The periods in a source's title and file name, which mostly give one in several ways."""
    return find_periods(f"{source.title}\n{PurePosixPath(source.path).stem}", source.language)


def judge_label(asked: Sequence[Period], source: Source) -> Fit:
    """Whether a source can be of an asked period by its label, where one sure way is enough."""
    results = {compare_periods(one, other) for one in asked for other in find_label_periods(source)}
    if results & {"same", "part"}:
        return "fits"
    return "other" if "other" in results else "unknown"


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


def _list_all(text: str, plain: str, language: str) -> Iterator[Period]:
    """The periods of each pattern, those that say more first; they may overlap."""
    for pattern in (_PART_YEAR, _YEAR_PART, _PART_SHORT):
        yield from (_read_label(match, text) for match in pattern.finditer(plain))
    yield from (_read_months(match, text) for match in _MONTHS_YEAR.finditer(plain))
    for found in find_dates(text.replace("_", " "), language):
        yield _read_date(found, text, plain)
    for pattern in (_YEARS, _YEAR_ALONE, _PART_ALONE):
        # K1 without a year is a relay rather than a "kwartaal".
        named = (m for m in pattern.finditer(plain) if m.groupdict().get("symbol") != "k")
        yield from (_read_label(match, text) for match in named)


def _read_label(match: re.Match[str], text: str) -> Period:
    groups = {key: value for key, value in match.groupdict().items() if value}
    first = next(
        (groups[key] for key in ("year", "short", "tail") if key in groups),
        "",
    )
    year = _expand(first)
    last = _expand(groups.get("last") or groups.get("until") or "", year)
    return Period(
        *match.span(),
        text[slice(*match.span())],
        (year, max(year, last)),
        _read_part(groups),
        "fiscal" in groups or groups.get("symbol", "").startswith("f"),
    )


def _expand(digits: str, first: int = 0) -> int:
    if not digits:
        return first
    if len(digits) == 4:
        return int(digits)
    # "2022/23" and "FY22"; "2022-01" is a month.
    year = (first or 2000) // 100 * 100 + int(digits)
    return year if not first or year == first + 1 else first


def _read_part(groups: dict[str, str]) -> str:
    if "begin" in groups:
        count = _LENGTHS.get(groups["begin"]) or int(groups["begin"])
        return {3: "q1", 6: "h1", 9: "m9"}.get(count, "")
    symbol = groups.get("symbol") or groups.get("after")
    if symbol:
        return _join_part(_SYMBOLS[symbol], int(groups.get("number") or groups["before"]))
    if "ordinal" in groups:
        return _join_part("q" if "quarter" in groups else "h", _NUMBERS[groups["ordinal"]])
    return ""


def _join_part(kind: str, number: int) -> str:
    return f"{kind}{number}" if kind == "q" or number <= 2 else ""


def _read_months(match: re.Match[str], text: str) -> Period:
    year = int(match["year"])
    first, last = _FOLDED_MONTHS[match["from"]], _FOLDED_MONTHS[match["to"]]
    begin = date(year if first <= last else year - 1, first, 1)
    days = (begin, date(year, last, monthrange(year, last)[1]))
    start, end = match.span()
    return Period(start, end, text[start:end], (begin.year, year), days=days)


def _read_date(found: Date, text: str, plain: str) -> Period:
    period = Period(found.start, found.end, found.text)
    years = {reading[0] for reading in found.readings}
    if len(found.readings) > 1:
        return replace(period, years=(max(years), max(years))) if len(years) == 1 else period
    ((year, month, day),) = found.readings
    if not year:
        return replace(period, month_day=(month, day))
    try:
        last = date(year, month, day or monthrange(year, month)[1])
    except ValueError:
        return replace(period, years=(year, year))
    period = replace(period, years=(year, year), days=(last.replace(day=day or 1), last))
    length = _LENGTH_BEFORE.search(plain[max(0, found.start - 60) : found.start])
    return _reckon_back(period, last, length, text, found.start) if day and length else period


def _reckon_back(period: Period, last: date, length: re.Match[str], text: str, at: int) -> Period:
    """The accounting period that ends on a day: "three months ended April 1, 2023"."""
    count = _count_months(length)
    end = last - timedelta(days=last.day) if last.day <= _LATE_DAYS else last
    months = end.year * 12 + end.month - count
    begin = date(months // 12, months % 12 + 1, 1)
    start = max(0, at - 60) + length.start()
    return replace(
        period, start=start, text=text[start : period.end], days=(begin, last), closing=True
    )


def _count_months(length: re.Match[str]) -> int:
    if length["count"]:
        return _LENGTHS.get(length["count"]) or int(length["count"])
    return 3 if length["quarter"] else 6 if length["half"] else 12


def _compare_yearless(asked: Period, said: Period) -> Comparison:
    """Dates of which one has no year: month and day decide."""
    one, other = _get_month_day(asked), _get_month_day(said)
    if one is None or other is None:
        return "unknown"
    if one[0] != other[0] or (one[1] and other[1] and one[1] != other[1]):
        return "other"
    return "same" if one[1] == other[1] else "part" if not one[1] else "whole"


def _get_month_day(period: Period) -> tuple[int, int] | None:
    if period.month_day != (0, 0):
        return period.month_day
    first, last = period.days or (date.min, date.max)
    if first == last:
        return first.month, first.day
    return (first.month, 0) if (first.year, first.month) == (last.year, last.month) else None


def _compare_days(asked: Period, said: Period) -> Comparison:
    if asked.days is None or said.days is None:
        return "unknown"
    first, last = asked.days
    begin, end = said.days
    if asked.days == said.days:
        return "same"
    if first <= begin and end <= last:
        return "part"
    if begin <= first and last <= end:
        return "whole"
    return "other" if end < first or last < begin else "unknown"


def _compare_years(asked: Period, said: Period) -> Comparison:
    """Periods of which at least one is a label, such as "Q3 2022" or a year."""
    gap = max(asked.years[0] - said.years[1], said.years[0] - asked.years[1])
    doubtful = asked.fiscal != said.fiscal or asked.closing or said.closing
    if gap > 0:
        return "unknown" if gap == 1 and doubtful else "other"
    if asked.days is None and said.days is None:
        return _compare_parts(asked, said)
    label, dated = (asked, said) if said.days else (said, asked)
    if not label.part:
        return "part" if label is asked else "whole"
    return _compare_part_with_days(label, dated, label is asked)


def _compare_parts(asked: Period, said: Period) -> Comparison:
    if asked.part != said.part:
        if not said.part:
            return "whole"
        if not asked.part or said.part in _QUARTERS_OF.get(asked.part, ()):
            return "part"
        return "whole" if asked.part in _QUARTERS_OF.get(said.part, ()) else "other"
    if asked.years == said.years:
        return "same"
    # One of several years in a table's title or a range.
    return "part" if asked.years[1] - asked.years[0] >= said.years[1] - said.years[0] else "same"


_QUARTERS_OF = {"h1": ("q1", "q2"), "h2": ("q3", "q4"), "m9": ("q1", "q2", "q3", "h1")}
_MONTHS_OF = {
    "q1": (1, 3), "q2": (4, 6), "q3": (7, 9), "q4": (10, 12), "h1": (1, 6), "h2": (7, 12), "m9": (1, 9),
}  # fmt: skip


def _compare_part_with_days(label: Period, dated: Period, asks_label: bool) -> Comparison:
    """A quarter or half of a year against days: the same if the days are those of the calendar.

    Accounts close up to a month beside the calendar, so a span of the same length whose last day
    is that close is the same; anything else is unknown, because years differ.
    """
    first, last = _MONTHS_OF[label.part]
    begin = date(label.years[0], first, 1)
    end = date(label.years[1], last, monthrange(label.years[1], last)[1])
    if dated.days is None:
        return "unknown"
    lengths = [(days[1] - days[0]).days for days in ((begin, end), dated.days)]
    if abs(lengths[0] - lengths[1]) <= 31 and abs((end - dated.days[1]).days) <= 31:
        return "same"
    if begin <= dated.days[0] and dated.days[1] <= end:
        return "part" if asks_label else "whole"
    return "unknown"
