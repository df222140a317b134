"""The title, revision mark and date of a document."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path

_MEANINGLESS = re.compile(
    r"(?:untitled|naamloos|unbenannt|sans titre|document|dokument|presentation|presentatie|"
    r"powerpoint[- ]presentati(?:on|e)|word document|slide|dia|title|titel|home|index|"
    r"new microsoft .*|microsoft word|no title|template|werkblad|book|map)[\s_-]*\d*",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(
    r"(?:microsoft \w+ - .*|[a-z]:\\.*|.*\.(?:docx?|dotx?|pptx?|odt|rtf|html?))", re.IGNORECASE
)
_MAX_CHARS = 300


def choose_title(offers: Iterable[str | None], path: Path) -> str:
    """The first offer that says something, in one line; else the file's name."""
    for offer in offers:
        words = " ".join((offer or "").split())
        if words and len(words) <= _MAX_CHARS and not _is_meaningless(words):
            return words
    return path.stem


def _is_meaningless(words: str) -> bool:
    if not any(char.isalpha() for char in words):
        return True
    return bool(_MEANINGLESS.fullmatch(words) or _FILE_NAME.fullmatch(words))


_MONTHS = {
    name: number
    for names, number in (
        ("january januari januar jan", 1),
        ("february februari februar feb", 2),
        ("march maart märz mrt mar", 3),
        ("april apr", 4),
        ("may mei mai", 5),
        ("june juni jun", 6),
        ("july juli jul", 7),
        ("august augustus aug", 8),
        ("september sept sep", 9),
        ("october oktober oct okt", 10),
        ("november nov", 11),
        ("december dezember dec dez", 12),
    )
    for name in names.split()
}
_LINES = 40
_CHARS = 4000
_SHORT = 12  # words: a longer line is prose

_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DATES = tuple(
    re.compile(rf"(?<![\w.-]){pattern}(?![\w-])", re.IGNORECASE)
    for pattern in (
        rf"{_YEAR}-(?P<number>\d\d)(?:-(?P<day>\d\d))?",
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+{_MONTH},?\s+{_YEAR}",
        rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+{_YEAR}",
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
_WORDED = re.compile(
    rf"{_BEFORE}(?:document\s*)?(?P<mark>(?:rev(?:ision|isie)?|version|versie|ver|issue|uitgave|"
    rf"edition|editie)\b\.?(?:\s*(?:no|nr|number|nummer)\b\.?)?\s*[:#]?\s*"
    rf"(?:[A-Z]{{1,2}}\d{{0,3}}|v?{_NUMBER})){_AFTER}",
    re.IGNORECASE,
)
_BARE = re.compile(rf"{_BEFORE}(?P<mark>v\s?{_NUMBER}){_AFTER}", re.IGNORECASE)
_TRAILING = re.compile(
    rf"\s(?P<mark>(?:Rev(?:ision|isie)?\.?|Versie|Version)\s*(?:[A-Z]{{1,2}}\d{{0,3}}|v?{_NUMBER}))$"
)
# "Datasheet v2": a bare mark counts behind the name of a kind of document, not behind "Bluetooth".
_TITLED = re.compile(
    rf"\b(?:data\s?sheet|manual|guide|specification|spec|report|handbook|bulletin|gegevensblad|"
    rf"datablad|handleiding|gids|specificatie|rapport|handboek)\s+"
    rf"(?P<mark>(?:rev(?:ision|isie)?\.?\s*(?:[A-Z]{{1,2}}\d{{0,3}}|{_NUMBER})|v\s?{_NUMBER}))$",
    re.IGNORECASE,
)
_DATE_LABEL = re.compile(
    r"\b(?:date|datum|issued|revised|updated|published|effective|bijgewerkt|gewijzigd|"
    r"uitgegeven|gepubliceerd|vastgesteld|stand|d\.d\.)\b",
    re.IGNORECASE,
)
_OTHER_DATE = re.compile(
    r"\b(?:print\w*|due|birth|order|invoice|expir\w*|start|end|deadline|delivery|meeting|"
    r"geboorte\w*|verval\w*|afdruk\w*|factuur\w*|bestel\w*)\b",
    re.IGNORECASE,
)
_BAD_LETTERS = re.compile(r"\s(?:[a-z]{1,2}|OF|OR|EN|IS|IN|TO|AN|DE|ED)$")


def find_revision(text: str) -> tuple[str | None, str | None]:
    """(mark, date) printed near the top of ``text``; each None where there is none.

    The mark is as printed ("Rev. B"); the date is ISO 8601, of a day or a month
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
        found = _find_line_date(line)
        if found:
            return found
    return None


def _find_line_date(line: str) -> str | None:
    for pattern in _DATES:
        match = pattern.search(line)
        if match:
            parts = match.groupdict()
            month = int(parts.get("number") or _MONTHS[(parts.get("month") or "jan").lower()])
            found = _format_iso(int(parts["year"]), month, parts.get("day"))
            if found:
                return found
    match = _NUMERIC_DATE.search(line)
    return _parse_numeric_date(match) if match else None


def _parse_numeric_date(match: re.Match[str]) -> str | None:
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    # 03/04/2026 means different days to different readers; 25-03-2026 does not.
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
