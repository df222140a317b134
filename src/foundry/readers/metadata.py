"""The revision mark and date of a document.

A revision mark must plainly belong to the document itself: "Rev. B" on its own
line or after a separator counts, "needs Bluetooth v5.0" does not. A missing mark is better
than a wrong one, and the day of a date is never made up: "2026-03" stays a month.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from operator import attrgetter

from foundry.analysis import fold
from foundry.analysis.lexer import LETTERS, YEAR, has_digit
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.text.dates import Date, find_dates

_LEXICON = load_shared_lexicon()
# Large enough for a title page with a revision table, small enough to leave out the body.
_LINES = 40
_CHARS = 4000
_SHORT = 12
"""Words; a longer line is prose. A guess."""

_NUMBER = r"\d{1,4}(?:\.\d{1,4}){0,3}[a-z]?"
_BEFORE = r"(?P<before>^|[,;:|()\[\]–—•·]\s*|\s[-/]\s+|\s{2,}|\t)"
_AFTER = r"(?=$|[\s,;:|()\[\]–—•·])"
_WORDS = _LEXICON.revisions
_MARK_NUMBER = rf"(?:[A-Z]{{1,2}}\d{{0,3}}|v?{_NUMBER})"
_WORDED = re.compile(
    rf"{_BEFORE}(?:document\s*)?(?P<mark>{build_alternation(_WORDS.words)}\b\.?"
    rf"(?:\s*{build_alternation(_WORDS.numbers)}\b\.?)?\s*[:#]?\s*{_MARK_NUMBER}){_AFTER}",
    re.IGNORECASE,
)
_BARE = re.compile(rf"{_BEFORE}(?P<mark>v\s?{_NUMBER}){_AFTER}", re.IGNORECASE)
_TRAILING = re.compile(
    rf"\s(?P<mark>{build_alternation(word.capitalize() for word in _WORDS.plain_words)}\.?"
    rf"\s*{_MARK_NUMBER})$"
)
# "Datasheet v2" is a revision, "Bluetooth v2" is not: the word before must name a document type.
_TITLED = re.compile(
    rf"\b{build_alternation(_WORDS.document_types)}\s+"
    rf"(?P<mark>(?:{build_alternation(_WORDS.plain_words)}\.?\s*{_MARK_NUMBER}|v\s?{_NUMBER}))$",
    re.IGNORECASE,
)
_TITLE_LINES = 5
"""Lines at the top whose words name the kind of document. A guess."""
_TITLE_BLOCK = 12
"""Lines at the top among which a bare date may be the document's. A guess."""
_DATE_WORDS = tuple(sorted(_WORDS.date_labels, key=len, reverse=True))
_OWN_WORDS = frozenset(_WORDS.own_dates | _WORDS.document_types | _WORDS.words | _WORDS.date_labels)
_OTHER_DATE = re.compile(rf"\b{build_alternation(_WORDS.other_dates)}\b", re.IGNORECASE)
_LABEL = re.compile(
    rf"(?:(?<=\s)|(?<![^\W]))(?P<of>(?:[^\W\d_]+\s+)?)"
    rf"(?P<label>\w*{build_alternation(_WORDS.date_labels)})\b",
    re.IGNORECASE,
)
_PERIOD = re.compile(rf"\b{build_alternation(_WORDS.period_labels)}\b", re.IGNORECASE)
_ISO_MONTH = re.compile(rf"(?<![\w.-])({YEAR.pattern})-(\d\d)(?![\w-])")
_BEFORE_DATE = re.compile(
    rf"[\s:|.–—*_-]*(?:{build_alternation(_WORDS.date_prepositions)}\s+)?", re.IGNORECASE
)
_SPAN = re.compile(rf"\s*(?:[-–—]|{build_alternation(_LEXICON.numbers.to)}\b)\s*\d", re.IGNORECASE)
"""What makes a date the first of two."""
_TIME = re.compile(
    r"(?:[\s,@T]*\d{1,2}[:.h]\d\d(?P<second>[:.]\d\d)?(?:\s*[AaPp]\.?[Mm]\.?)?)?(?P<rest>(?:\s+[A-Z]{2,4})?\W*)"
)
_VERSION = re.compile(rf"\b{build_alternation(_WORDS.words)}\s+{_NUMBER},?\s+\(?$", re.IGNORECASE)
_BAD_LETTERS = re.compile(r"\s(?:[a-z]{1,2}|OF|OR|EN|IS|IN|TO|AN|DE|ED)$")


def find_revision(text: str) -> tuple[str | None, str | None]:
    """Find the revision mark and the date near the top of ``text``; None for what is missing.

    The mark is returned as printed ("Rev. B"), the date in ISO 8601 as a day or a month
    ("2026-03-12", "2026-03").
    """
    lines = [line.strip(" #*_>\t\r") for line in text[:_CHARS].split("\n")]
    lines = [line for line in lines if line][:_LINES]
    mark, row = _find_mark(lines)
    return mark, _find_date(lines, row)


def _find_mark(lines: list[str]) -> tuple[str | None, int | None]:
    for row, line in enumerate(lines):
        if len(line.split()) > _SHORT:
            continue
        patterns = [_WORDED]
        if row < 5:
            patterns += [_BARE, _TRAILING, _TITLED]
        for pattern in patterns:
            match = pattern.search(line)
            if match and not _BAD_LETTERS.search(match["mark"]):
                return re.sub(r"\s+", " ", match["mark"]).strip(), row
    return None, None


def _find_date(lines: list[str], mark_row: int | None) -> str | None:
    """The date of the document: beside its mark, said to be its own, or alone under its title."""
    marked = [] if mark_row is None else lines[mark_row : mark_row + 1]
    for line in marked:
        day = _find_line_date(line)
        if day and len(line.split()) <= _SHORT and not _OTHER_DATE.search(line):
            return day
    for line in lines:
        folded = fold(line)
        for period in _PERIOD.finditer(folded):
            if day := _read_date_at(folded, period.end()):
                return day
        for label in _LABEL.finditer(line):
            day = _read_date_at(line, label.end())
            above = (other for other in lines[:_TITLE_LINES] if other != line)
            if day and _is_own(label, LETTERS.findall(fold(" ".join(above)))):
                return day
    return _find_title_date(lines)


def _is_own(label: re.Match[str], title: Sequence[str]) -> bool:
    """Whether a label such as "Report date" is about the document and not about something in it."""
    # "Invoice date" on an invoice, "factuurdatum" on a "Factuur".
    whole = fold(label["label"])
    ending = next(word for word in _DATE_WORDS if whole.endswith(word))
    words = [*LETTERS.findall(fold(label["of"])), *filter(None, [whole.removesuffix(ending)])]
    return all(word in _OWN_WORDS or word in title for word in words)


def find_period(line: str) -> str | None:
    """What a line says of the period that a document is about, up to its last day, or None."""
    folded = fold(line)
    for period in _PERIOD.finditer(folded):
        found = _find_date_at(folded, period.end())
        # Folding may change lengths: then the places do not fit the line.
        if found and len(folded) == len(line):
            words = line[: found.end].split()
            return " ".join(word for word in words if any(char.isalnum() for char in word))
    return None


def starts_with_date(text: str) -> bool:
    """Whether the first line of a text is a date and nothing else."""
    return _is_date_line(text.partition("\n")[0].strip())


def _is_date_line(line: str) -> bool:
    """Whether a line is a date, with a weekday or place before it and a time behind it."""
    dates = _list_dates(line)
    if len(dates) != 1:
        return False
    before, time = line[: dates[0].start], _TIME.fullmatch(line, dates[0].end)
    words = before.replace(",", " ").split()
    return bool(time) and len(words) <= 2 and all(map(str.isalpha, words))


def _find_title_date(lines: list[str]) -> str | None:
    """A date on a line of its own, or a printed moment, or the only day, above the first prose."""
    days: set[str] = set()
    several = False
    for line in lines[:_TITLE_BLOCK]:
        if len(line.split()) > _SHORT:
            return None
        dates, other = _list_dates(line), _OTHER_DATE.search(line)
        if dates and not other:
            time = _TIME.match(line, dates[0].end)
            moment = time and time["second"]
            dated = _VERSION.search(line[: dates[0].start]) and not line[dates[0].end :].strip(
                " )."
            )
            if (moment or dated or _is_date_line(line)) and (day := _find_line_date(line)):
                return day
        several = several or len(dates) > 1 or bool(dates and other)
        days.update(filter(None, map(_write_date, dates)))
    (day,) = days if len(days) == 1 and not several else ("",)
    return day if len(day) == len("2025-05-01") else None


def _find_date_at(line: str, start: int) -> Date | None:
    """The date right behind a label, unless a time span begins with it."""
    before = _BEFORE_DATE.match(line, start)
    return next(
        (
            found
            for found in _list_dates(line)
            if before and found.start == before.end() and not _SPAN.match(line, found.end)
        ),
        None,
    )


def _read_date_at(line: str, start: int) -> str | None:
    found = _find_date_at(line, start)
    return _write_date(found) if found else None


def _find_line_date(line: str) -> str | None:
    return next(filter(None, map(_write_date, _list_dates(line))), None)


def _list_dates(line: str) -> list[Date]:
    """The dates of a line that name their year in full, days and months."""
    if not has_digit(line):
        return []
    dates = [found for found in find_dates(line, "und") if YEAR.search(found.text)]
    for month in _ISO_MONTH.finditer(line):
        reading = (int(month[1]), int(month[2]), 0)
        dates.append(Date(*month.span(), month[0], frozenset({reading})))
    return sorted(dates, key=attrgetter("start"))


def _write_date(found: Date) -> str | None:
    """A date in ISO 8601; None for one that can be read in two ways: 03/04/2026."""
    if len(found.readings) != 1:
        return None
    ((year, month, day),) = found.readings
    try:
        whole = date(year, month, day or 1)
    except ValueError:
        return None
    return whole.isoformat() if day else f"{year:04d}-{month:02d}"
