"""Cues, times and speakers, and plain text whose lines carry times."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from foundry.readers.document_builder import TextMarker
from foundry.records import Document

STAMP = (
    r"(?:(?P<{0}h>\d{{1,3}}):)?(?P<{0}m>\d{{1,2}}):(?P<{0}s>\d{{2}})(?:[.,](?P<{0}f>\d{{1,6}}))?"
)
"""A time such as 1:02:03.5, 02:03 or 00:01:02,500; ``format`` takes a prefix for its groups."""

NAME = r"[^\W\d_][\w.'’\-]*(?:[ \xa0](?:[^\W\d_][\w.'’\-]*|\d{1,2}|\([^)]{1,20}\))){0,4}"
"""What may be a speaker's name; ``is_name`` decides."""

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|$)")
_SPEAKER = re.compile(rf"(?:>>\s*|[-–]\s*)?(?P<name>{NAME}):\s+(?=\S)")
_NOT_NAME_WORDS = """
    note nb warning caution example question answer remark result conclusion summary problem
    let opgelet opmerking vraag antwoord voorbeeld conclusie samenvatting actie action todo
    besluit decision http https"""
_NOT_A_NAME = frozenset(_NOT_NAME_WORDS.split())
_PARTICLES = frozenset(
    (
        "van",
        "de",
        "der",
        "den",
        "ter",
        "ten",
        "von",
        "zu",
        "da",
        "di",
        "la",
        "le",
        "el",
        "bin",
        "al",
        "en",
        "and",
    )
)


@dataclass(frozen=True, slots=True)
class Cue:
    """Spoken words at ``start:end`` of the text, from ``begin`` to ``finish`` in seconds."""

    start: int
    end: int
    begin: float
    finish: float | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line without its line end, and where it stands in the text."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """Where the line's own characters end."""
        return self.start + len(self.text)


def split_lines(text: str) -> Iterator[TextLine]:
    for match in _LINE.finditer(text):
        if match.start() == len(text) and match.start() > 0:
            return
        yield TextLine(match[1], match.start())


def mark_cue(marker: TextMarker, cue: Cue) -> None:
    marker.mark(
        "cue",
        cue.start,
        cue.end,
        time_start=cue.begin,
        time_end=cue.finish,
        speaker=cue.speaker,
    )


def parse_seconds(match: re.Match[str], side: str) -> float:
    hours, minutes, seconds = (int(match[side + unit] or 0) for unit in "hms")
    return hours * 3600 + minutes * 60 + seconds + float(f"0.{match[side + 'f'] or 0}")


def find_leading_name(words: str) -> tuple[str | None, int]:
    """(the speaker named at the start, how many characters that took) or (None, 0)."""
    match = _SPEAKER.match(words)
    if match and is_name(match["name"]):
        return match["name"], match.end()
    return None, 0


def is_name(words: str) -> bool:
    parts = words.split()
    if not parts or len(words) > 40 or parts[0].lower() in _NOT_A_NAME or words[-1] in ".!?,;":
        return False
    if not re.fullmatch(NAME, words):
        return False
    return all(
        part[0].isupper() or part[0] == "(" or part[0].isdigit() or part.lower() in _PARTICLES
        for part in parts
    ) and (parts[0][0].isupper() or parts[0].lower() in _PARTICLES)


_CLOCK = STAMP.format("a")
_LEADING = re.compile(
    rf"\s*(?P<open>[\[(<])?\s*{_CLOCK}\s*(?P<close>[\])>])?(?:\s*[-–—:]\s+|\s+|$)"
)
_TRAILING = re.compile(rf"\s*(?P<name>{NAME})[\s,]+[\[(]?{_CLOCK}[\])]?\s*:?\s*")
_INSIDE = re.compile(rf"\s*(?P<name>{NAME})\s*[\[(]{_CLOCK}[\])]\s*:?\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class _Entry:
    begin: float
    start: int
    end: int
    speaker: str | None
    bracketed: bool
    name_only: bool


def read_timestamped(text: str, title: str, warning: str | None = None) -> Document | None:
    """The document of a text whose lines carry times, or None if this is no such text.

    Understands ``[00:12:34] Name: words``, ``00:12:34 words``, ``Name 0:03`` and
    ``00:12:34 Name`` with the words on the lines below. Times in other forms, or
    a clock's ("09:15:00"), leave the text as it is.
    """
    lines = list(split_lines(text))
    entries = [(row, entry) for row, line in enumerate(lines) if (entry := _parse_entry(line))]
    if not _is_transcript(lines, [entry for _, entry in entries]):
        return None
    marker = TextMarker("transcript", text)
    first = entries[0][0]
    for start, end in _find_paragraphs(lines[:first]):
        marker.mark("paragraph", start, end)
    for cue in _build_cues(lines, entries):
        mark_cue(marker, cue)
    if warning:
        marker.warn(warning)
    return marker.build(title)


def _parse_entry(line: TextLine) -> _Entry | None:
    match = _LEADING.match(line.text)
    if match and bool(match["open"]) == bool(match["close"]):
        rest = line.text[match.end() :]
        name, length = find_leading_name(rest)
        alone = name is None and is_name(rest.strip().rstrip(":"))
        return _Entry(
            begin=parse_seconds(match, "a"),
            start=line.start + match.end() + length,
            end=line.end,
            speaker=rest.strip().rstrip(":") if alone else name,
            bracketed=bool(match["open"]),
            name_only=alone,
        )
    match = _TRAILING.fullmatch(line.text) or _INSIDE.match(line.text)
    if match and is_name(match["name"]):
        begin = parse_seconds(match, "a")
        alone = not line.text[match.end() :].strip()
        return _Entry(begin, line.start + match.end(), line.end, match["name"], True, alone)
    return None


def _is_transcript(lines: list[TextLine], entries: list[_Entry]) -> bool:
    filled = sum(1 for line in lines if line.text.strip())
    if len(entries) < 3 or len(entries) < 0.2 * filled:
        return False
    times = [entry.begin for entry in entries]
    backwards = sum(1 for one, after in pairwise(times) if after < one)
    if backwards > 0.05 * len(times):
        return False
    named = sum(1 for entry in entries if entry.speaker)
    # A log or a timetable starts at a time of day, a recording near zero.
    return times[0] < 3600 or named > 0.5 * len(entries)


def _build_cues(lines: list[TextLine], entries: list[tuple[int, _Entry]]) -> Iterator[Cue]:
    for position, (row, entry) in enumerate(entries):
        following = entries[position + 1] if position + 1 < len(entries) else None
        below = lines[row + 1 : following[0] if following else len(lines)]
        filled = [line for line in below if line.text.strip()]
        start, end, speaker = entry.start, entry.end, entry.speaker
        if filled:
            start = filled[0].start if entry.name_only else start
            end = filled[-1].end
        elif entry.name_only:
            # "00:12 Yes" with nothing below: that was no name but a word.
            speaker = None
        finish = max(entry.begin, following[1].begin) if following else None
        yield Cue(start, end, entry.begin, finish, speaker)


def _find_paragraphs(lines: list[TextLine]) -> Iterator[tuple[int, int]]:
    start: int | None = None
    end = 0
    for line in lines:
        if line.text.strip():
            start = line.start if start is None else start
            end = line.end
        elif start is not None:
            yield start, end
            start = None
    if start is not None:
        yield start, end
