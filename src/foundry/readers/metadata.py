"""The revision mark and date of a document.

A revision mark must plainly belong to the document itself: "Rev. B" on its own
line or after a separator counts, "needs Bluetooth v5.0" does not. A missing mark is better
than a wrong one, and the day of a date is never made up: "2026-03" stays a month.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from foundry.analysis import fold
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.text.dates import MONTHS

_LEXICON = load_shared_lexicon()
# Large enough for a title page with a revision table, small enough to leave out the body.
_LINES = 40
_CHARS = 4000
_SHORT = 12
"""Words; a longer line is prose. A guess."""

_MONTH = rf"(?P<month>{build_alternation(MONTHS)})\.?"
_SUFFIX = build_alternation(_LEXICON.dates.ordinal_suffixes)
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DATES = tuple(
    re.compile(rf"(?<![\w.-]){pattern}(?![\w-])", re.IGNORECASE)
    for pattern in (
        rf"{_YEAR}-(?P<number>\d\d)(?:-(?P<day>\d\d))?",
        rf"(?P<day>\d{{1,2}})(?:{_SUFFIX}|\.)?\s+{_MONTH},?\s+{_YEAR}",
        rf"{_MONTH}\s+(?P<day>\d{{1,2}}){_SUFFIX}?,?\s+{_YEAR}",
        rf"{_MONTH}\s+{_YEAR}",
    )
)
_NUMERIC_DATE = re.compile(
    r"(?<![\w.-])(?P<first>\d{1,2})(?P<mark>[-/.])(?P<second>\d{1,2})(?P=mark)"
    r"(?P<year>(?:19|20)\d\d)(?![\w-])"
)
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
_WORD = re.compile(r"[^\W\d_]+")
_DATE_WORDS = tuple(sorted(_WORDS.date_labels, key=len, reverse=True))
_OWN_WORDS = frozenset(_WORDS.own_dates | _WORDS.document_types | _WORDS.words | _WORDS.date_labels)
_OTHER_DATE = re.compile(rf"\b{build_alternation(_WORDS.other_dates)}\b", re.IGNORECASE)
_LABEL = re.compile(
    rf"(?:(?<=\s)|(?<![^\W]))(?P<of>(?:[^\W\d_]+\s+)?)"
    rf"(?P<label>\w*{build_alternation(_WORDS.date_labels)})\b",
    re.IGNORECASE,
)
_PERIOD = re.compile(rf"\b{build_alternation(_WORDS.period_labels)}\b", re.IGNORECASE)
_ANY_DATE = (
    r"(?:(?:19|20)\d\d-\d\d(?:-\d\d)?|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d"
    rf"|\d{{1,2}}(?:{_SUFFIX}|\.)?\s+{build_alternation(MONTHS)}\.?,?\s+(?:19|20)\d\d"
    rf"|{build_alternation(MONTHS)}\.?\s+(?:\d{{1,2}}{_SUFFIX}?,?\s+)?(?:19|20)\d\d)"
)
_DATE_START = re.compile(
    rf"[\s:|.–—*_-]*(?:{build_alternation(_WORDS.date_prepositions)}\s+)?(?P<date>{_ANY_DATE})"
    rf"(?!\w|\s*(?:[-–—]|{build_alternation(_LEXICON.numbers.to)}\b)\s*\d)",
    re.IGNORECASE,
)
_TIME = r"(?:[\s,@T]*\d{1,2}[:.h]\d\d(?:[:.]\d\d)?(?:\s*[AaPp]\.?[Mm]\.?)?)"
_DATE_LINE = re.compile(
    rf"(?:[^\W\d_]+,?\s+){{0,2}}{_ANY_DATE}{_TIME}?(?:\s+[A-Z]{{2,4}})?\W*", re.IGNORECASE
)
_VERSION_DATE = re.compile(
    rf"\b{build_alternation(_WORDS.words)}\s+{_NUMBER},?\s+\(?{_ANY_DATE}\W*$", re.IGNORECASE
)
_MOMENT = re.compile(rf"{_ANY_DATE}[\s,@T]*\d{{1,2}}:\d\d:\d\d", re.IGNORECASE)
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
            if day and _is_own(label, _WORD.findall(fold(" ".join(above)))):
                return day
    return _find_title_date(lines)


def _is_own(label: re.Match[str], title: Sequence[str]) -> bool:
    """Whether a label such as "Report date" is about the document and not about something in it."""
    # "Invoice date" on an invoice, "factuurdatum" on a "Factuur".
    whole = fold(label["label"])
    ending = next(word for word in _DATE_WORDS if whole.endswith(word))
    words = [*_WORD.findall(fold(label["of"])), *filter(None, [whole.removesuffix(ending)])]
    return all(word in _OWN_WORDS or word in title for word in words)


def find_period(line: str) -> str | None:
    """What a line says of the period that a document is about, up to its last day, or None."""
    folded = fold(line)
    for period in _PERIOD.finditer(folded):
        match = _DATE_START.match(folded, period.end())
        # Folding may change lengths: then the places do not fit the line.
        if match and len(folded) == len(line):
            words = line[: match.end()].split()
            return " ".join(word for word in words if any(char.isalnum() for char in word))
    return None


def starts_with_date(text: str) -> bool:
    """Whether the first line of a text is a date and nothing else."""
    return _DATE_LINE.fullmatch(text.partition("\n")[0].strip()) is not None


def _find_title_date(lines: list[str]) -> str | None:
    """A date on a line of its own, or a printed moment, above the first prose."""
    for line in lines[:_TITLE_BLOCK]:
        if len(line.split()) > _SHORT:
            return None
        day = _find_line_date(line)
        alone = _DATE_LINE.fullmatch(line)
        if (
            day
            and (alone or _MOMENT.search(line) or _VERSION_DATE.search(line))
            and not _OTHER_DATE.search(line)
        ):
            return day
    return _find_only_date(lines)


def _find_only_date(lines: list[str]) -> str | None:
    """The only day named above the first prose, whatever its label: "Valid from 1 May 2025"."""
    days: set[str] = set()
    for line in lines[:_TITLE_BLOCK]:
        if len(line.split()) > _SHORT:
            break
        dates = [match[0] for match in re.finditer(_ANY_DATE, line, re.IGNORECASE)]
        if dates and (len(dates) > 1 or _OTHER_DATE.search(line)):
            return None
        days.update(filter(None, map(_find_line_date, dates)))
    (day,) = days if len(days) == 1 else (None,)
    return day if day and len(day) == len("2025-05-01") else None


def _read_date_at(line: str, start: int) -> str | None:
    match = _DATE_START.match(line, start)
    return _find_line_date(match["date"]) if match else None


def _find_line_date(line: str) -> str | None:
    for pattern in _DATES:
        match = pattern.search(line)
        if match:
            parts = match.groupdict()
            month = int(parts.get("number") or MONTHS[(parts.get("month") or "jan").lower()])
            day = _format_iso(int(parts["year"]), month, parts.get("day"))
            if day:
                return day
    match = _NUMERIC_DATE.search(line)
    return _parse_numeric_date(match) if match else None


def _parse_numeric_date(match: re.Match[str]) -> str | None:
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    # 03/04/2026 is ambiguous; 25-03-2026 is not.
    if first > 12 or first == second:
        return _format_iso(year, second, str(first))
    if second > 12 and match["mark"] == "/":
        return _format_iso(year, first, str(second))
    return None


def _format_iso(year: int, month: int, day: str | None) -> str | None:
    try:
        whole = date(year, month, int(day) if day else 1)
    except ValueError:
        return None
    return whole.isoformat() if day else f"{year:04d}-{month:02d}"
