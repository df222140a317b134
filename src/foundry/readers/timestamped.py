"""Plain text whose lines carry times: meeting notes and exported transcripts.

Understands ``[00:12:34] Name: words``, ``00:12:34 words``, ``Name 0:03`` and
``00:12:34 Name`` with the words on the lines below. It refuses nothing: a text in
another form, or with a clock's times ("09:15:00"), is simply not its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from foundry.readers.building import TextMarker
from foundry.readers.cues import (
    NAME,
    STAMP,
    Cue,
    Line,
    is_name,
    leading_name,
    mark_cue,
    seconds,
    split_lines,
)
from foundry.records import Document

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
    entries = [(row, entry) for row, line in enumerate(lines) if (entry := _stamped(line))]
    if not _is_transcript(lines, [entry for _, entry in entries]):
        return None
    marker = TextMarker("transcript", text)
    first = entries[0][0]
    for start, end in _paragraphs(lines[:first]):
        marker.mark("paragraph", start, end)
    for cue in _stamped_cues(lines, entries):
        mark_cue(marker, cue)
    if warning:
        marker.warn(warning)
    return marker.build(title)


def _stamped(line: Line) -> _Entry | None:
    match = _LEADING.match(line.text)
    if match and bool(match["open"]) == bool(match["close"]):
        rest = line.text[match.end() :]
        name, length = leading_name(rest)
        alone = name is None and is_name(rest.strip().rstrip(":"))
        return _Entry(
            begin=seconds(match, "a"),
            start=line.start + match.end() + length,
            end=line.end,
            speaker=rest.strip().rstrip(":") if alone else name,
            bracketed=bool(match["open"]),
            name_only=alone,
        )
    match = _TRAILING.fullmatch(line.text) or _INSIDE.match(line.text)
    if match and is_name(match["name"]):
        begin = seconds(match, "a")
        alone = not line.text[match.end() :].strip()
        return _Entry(begin, line.start + match.end(), line.end, match["name"], True, alone)
    return None


def _is_transcript(lines: list[Line], entries: list[_Entry]) -> bool:
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


def _stamped_cues(lines: list[Line], entries: list[tuple[int, _Entry]]) -> Iterator[Cue]:
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


def _paragraphs(lines: list[Line]) -> Iterator[tuple[int, int]]:
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
