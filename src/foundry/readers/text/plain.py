"""Reads plain text into paragraphs and unmistakable headings, without changing the text.

A heading is a numbered line between empty lines that continues the numbering ("3.2
Intervals"), or a line underlined with ``===`` or ``---``. Capitals, short lines and list
items are not headings. A text with times on its lines is read as a transcript.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from foundry.analysis.lexer import is_rule
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.aligned_text import find_aligned_grid
from foundry.readers.decoding import TextLine, decode, split_lines, split_paragraphs
from foundry.readers.document_builder import TextMarker
from foundry.readers.front.titles import TitleCandidates, find_revision
from foundry.readers.transcripts import read_timestamped
from foundry.records import Document
from foundry.text.headings import HeadingNumber, NumberSeries, find_heading_number

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
    """Read a TXT file. Raises ``ReadError`` for binary data and for files without text."""
    decoded = decode(path.read_bytes())
    transcript = read_timestamped(decoded.text, options.name, decoded.warning)
    return transcript or parse_text(decoded.text, options.name, decoded.warning)


def parse_text(text: str, name: str, warning: Message | None = None) -> Document:
    """Read a text that is not a transcript; an underlined first line is its title."""
    marker = TextMarker("txt", text)
    parts = _mark_numbered_headings(list(_split_parts(text)))
    for part in parts:
        start, end = part.span
        if part.level is None:
            grid = find_aligned_grid(text[start:end], start)
            if grid is None:
                marker.mark("paragraph", start, end)
            else:
                marker.mark_table(grid, start, end)
        else:
            marker.mark_heading(part.title, part.level, start, end)
    marker.warn(warning)
    underlined = parts and parts[0].level == 1 and len(parts[0].lines) == 2
    title = parts[0].title if underlined else None
    return marker.build(name, TitleCandidates(printed=title), find_revision(text))


def _split_parts(text: str) -> Iterator[_Part]:
    for paragraph in split_paragraphs(split_lines(text)):
        lines = paragraph
        if len(lines) >= 2 and _is_underlined(lines[0].text, lines[1].text):
            level = _UNDERLINE_LEVELS[lines[1].text.strip()[0]]
            yield _Part(tuple(lines[:2]), lines[0].text.strip(), level)
            lines = lines[2:]
        if lines:
            yield _Part(tuple(lines))


def _is_underlined(title: str, rule: str) -> bool:
    line, words = rule.strip(), title.strip()
    if len(line) < 3 or line[0] not in _UNDERLINE_LEVELS or line.strip(line[0]) or is_rule(words):
        return False
    # Authors are rarely exact; a rule of another length separates sections. A guess.
    return abs(len(line) - len(words)) <= 3


def _mark_numbered_headings(parts: list[_Part]) -> list[_Part]:
    numbers = [
        find_heading_number(part.lines[0].text)
        if len(part.lines) == 1 and part.level is None
        else None
        for part in parts
    ]
    series = NumberSeries()
    marked: list[_Part] = []
    for index, (part, number) in enumerate(zip(parts, numbers, strict=True)):
        if number and _is_section(numbers, index, number) and series.accepts(number):
            title = part.lines[0].text.strip()
            marked.append(_Part(part.lines, title, min(number.level, 6)))
        else:
            marked.append(part)
    return marked


def _is_section(numbers: list[HeadingNumber | None], index: int, number: HeadingNumber) -> bool:
    # A list with empty lines between its items looks like headings without text below.
    if index + 1 == len(numbers):
        return False
    below = numbers[index + 1]
    return below is None or below.level > number.level or number.level > 1
