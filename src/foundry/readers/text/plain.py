"""Plain text → paragraphs, with the headings that are plainly headings.

The text stays as it is in the file. A heading is a numbered line alone between
empty lines that fits the series of numbers ("3.2 Intervals"), or a line underlined
with ``===`` or ``---``. It takes no capitals, no short lines and no list items for
headings. A text whose lines carry times is read as a transcript.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from foundry.ports import ReadOptions
from foundry.readers.decoding import decode
from foundry.readers.document_builder import TextMarker
from foundry.readers.heading_numbers import HeadingNumber, NumberSeries, find_heading_number
from foundry.readers.metadata import find_revision
from foundry.readers.transcripts.timestamps import TextLine, read_timestamped, split_lines
from foundry.records import Document

_RULE = re.compile(r"(={3,}|-{3,}|~{3,})\s*")
_UNDERLINE_LEVELS = {"=": 1, "-": 2, "~": 3}


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines between empty lines; ``title`` and ``level`` are set for a heading."""

    lines: tuple[TextLine, ...]
    title: str = ""
    level: int | None = None

    @property
    def span(self) -> tuple[int, int]:
        return self.lines[0].start, self.lines[-1].end


def read_text(path: Path, options: ReadOptions) -> Document:
    """Read a TXT file; raises ``ReadError`` for binary data and for a file of white space."""
    decoded = decode(path.read_bytes())
    stem = Path(options.name).stem
    transcript = read_timestamped(decoded.text, stem, decoded.warning)
    return transcript or parse_text(decoded.text, stem, decoded.warning)


def parse_text(text: str, stem: str, warning: str | None = None) -> Document:
    """A text that is no transcript as a document; ``stem`` is its title unless it opens with one."""
    marker = TextMarker("txt", text)
    parts = _mark_numbered_headings(list(_split_parts(text)))
    for part in parts:
        start, end = part.span
        if part.level is None:
            marker.mark("paragraph", start, end)
        else:
            marker.heading(part.title, part.level, start, end)
    if warning:
        marker.warn(warning)
    # An underlined first line is the title of the document.
    titled = bool(parts) and parts[0].level == 1 and len(parts[0].lines) == 2
    return marker.build(parts[0].title if titled else stem, *find_revision(text))


def _split_parts(text: str) -> Iterator[_Part]:
    lines: list[TextLine] = []
    for line in split_lines(text):
        if line.text.strip():
            lines.append(line)
            continue
        yield from _split_underlined(lines)
        lines = []
    yield from _split_underlined(lines)


def _split_underlined(lines: list[TextLine]) -> Iterator[_Part]:
    """One part, or a heading underlined in the first two lines and the rest."""
    if not lines:
        return
    if len(lines) >= 2 and _is_underlined(lines[0].text, lines[1].text):
        level = _UNDERLINE_LEVELS[lines[1].text.strip()[0]]
        yield _Part(tuple(lines[:2]), lines[0].text.strip(), level)
        lines = lines[2:]
    if lines:
        yield _Part(tuple(lines))


def _is_underlined(title: str, rule: str) -> bool:
    if not _RULE.fullmatch(rule.lstrip()) or _RULE.fullmatch(title.strip()):
        return False
    return abs(len(rule.strip()) - len(title.strip())) <= 3


def _mark_numbered_headings(parts: list[_Part]) -> list[_Part]:
    numbers = [
        find_heading_number(part.lines[0].text)
        if len(part.lines) == 1 and part.level is None
        else None
        for part in parts
    ]
    series = NumberSeries()
    found: list[_Part] = []
    for index, (part, number) in enumerate(zip(parts, numbers, strict=True)):
        if number and _is_section(numbers, index, number) and series.accepts(number):
            title = part.lines[0].text.strip()
            found.append(_Part(part.lines, title, min(number.level, 6)))
        else:
            found.append(part)
    return found


def _is_section(numbers: list[HeadingNumber | None], index: int, number: HeadingNumber) -> bool:
    # A list with empty lines between its items looks like headings with nothing below.
    if index + 1 == len(numbers):
        return False
    below = numbers[index + 1]
    return below is None or below.level > number.level or number.level > 1
