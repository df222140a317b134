"""The title, revision mark and date of a document.

Programs fill a file's title field with file names and with their own name: those are
skipped. A revision mark must plainly belong to the document itself: "Rev. B" on its own
line or after a separator counts, "needs Bluetooth v5.0" does not. A missing mark is better
than a wrong one, and the day of a date is never made up: "2026-03" stays a month.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.text.dates import MONTHS

_LEXICON = load_shared_lexicon()
_MEANINGLESS = re.compile(
    rf"(?:{build_alternation(_LEXICON.documents.placeholder_titles)}"
    r"|new microsoft .*|microsoft word)[\s_-]*\d*",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(
    r"(?:microsoft \w+ - .*|[a-z]:\\.*|.*\.(?:docx?|dotx?|pptx?|odt|rtf|html?))", re.IGNORECASE
)
_MAX_TITLE_CHARS = 300
"""Longer "titles" are abstracts or whole paragraphs. A guess."""


def choose_title(candidates: Iterable[str | None], path: Path) -> str:
    """Return the first meaningful candidate on one line, else the file name without its suffix."""
    for candidate in candidates:
        words = " ".join((candidate or "").split())
        if words and len(words) <= _MAX_TITLE_CHARS and not _is_meaningless(words):
            return words
    return path.stem


def _is_meaningless(words: str) -> bool:
    if not any(char.isalpha() for char in words):
        return True
    return bool(_MEANINGLESS.fullmatch(words) or _FILE_NAME.fullmatch(words))


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
_DATE_LABEL = re.compile(rf"\b{build_alternation(_WORDS.date_labels)}\b", re.IGNORECASE)
_OTHER_DATE = re.compile(rf"\b{build_alternation(_WORDS.other_dates)}\b", re.IGNORECASE)
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
    near = [] if mark_row is None else lines[mark_row : mark_row + 1]
    labelled = [line for line in lines if _DATE_LABEL.search(line)]
    alone = [line for line in lines[:12] if len(line.split()) <= 6]
    for line in (*near, *labelled, *alone):
        if len(line.split()) > _SHORT or _OTHER_DATE.search(line):
            continue
        day = _find_line_date(line)
        if day:
            return day
    return None


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
