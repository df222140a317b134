"""Cues, times and speakers in transcripts, and plain text with a time on its lines.

Meeting notes and exported transcripts write ``[00:12:34] Name: words``, ``00:12:34 words``,
``Name 0:03``, or ``00:12:34 Name`` with the words on the lines below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from foundry.lexicon import load_shared_lexicon
from foundry.messages import Message
from foundry.readers.decoding import TextLine, split_lines, split_paragraphs
from foundry.readers.document_builder import TextMarker
from foundry.records import Document

STAMP = (
    r"(?:(?P<{0}h>\d{{1,3}}):)?(?P<{0}m>\d{{1,2}}):(?P<{0}s>\d{{2}})(?:[.,](?P<{0}f>\d{{1,6}}))?"
)
"""Matches 1:02:03.5, 02:03 or 00:01:02,500; ``format`` sets the prefix of its groups."""

NAME = r"[^\W\d_][\w.'’\-]*(?:[ \xa0](?:[^\W\d_][\w.'’\-]*|\d{1,2}|\([^)]{1,20}\))){0,4}"
"""Matches what may be a speaker's name; ``is_name`` decides."""

_SPEAKER = re.compile(rf"(?:>>\s*|[-–]\s*)?(?P<name>{NAME}):\s+(?=\S)")
_WORDS = load_shared_lexicon().documents
_NOT_A_NAME = _WORDS.speaker_exclusions
_PARTICLES = _WORDS.name_particles


@dataclass(frozen=True, slots=True)
class Cue:
    """The words at ``start:end`` of the text, spoken from ``begin`` to ``finish`` in seconds."""

    start: int
    end: int
    begin: float
    finish: float | None = None
    speaker: str | None = None


def mark_cue(marker: TextMarker, cue: Cue) -> None:
    """Mark a cue with its times and speaker."""
    marker.mark(
        "cue",
        cue.start,
        cue.end,
        time_start=cue.begin,
        time_end=cue.finish,
        speaker=cue.speaker,
    )


def parse_seconds(match: re.Match[str], side: str) -> float:
    """Return the time of a ``STAMP`` match in seconds; ``side`` is the prefix of its groups."""
    hours, minutes, seconds = (int(match[side + unit] or 0) for unit in "hms")
    return hours * 3600 + minutes * 60 + seconds + float(f"0.{match[side + 'f'] or 0}")


def find_leading_name(words: str) -> tuple[str | None, int]:
    """Return the speaker named at the start and the length of that part, or (None, 0)."""
    match = _SPEAKER.match(words)
    if match and is_name(match["name"]):
        return match["name"], match.end()
    return None, 0


def is_name(words: str) -> bool:
    """Whether words look like a speaker's name: capitalised, short and no label like "Note"."""
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
    rf"(?:(?P<open>[\[(<])\s*)?{_CLOCK}\s*(?P<close>[\])>])?(?:\s*[-–—:]\s+|\s+|$)"
)
_TRAILING = re.compile(rf"\s*(?P<name>{NAME})[\s,]+[\[(]?{_CLOCK}[\])]?\s*:?\s*")
_INSIDE = re.compile(rf"\s*(?P<name>{NAME})\s*[\[(]{_CLOCK}[\])]\s*:?\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class _Entry:
    begin: float
    start: int
    end: int
    speaker: str | None
    name_only: bool


def read_timestamped(text: str, name: str, warning: Message | None = None) -> Document | None:
    """Read a text with a time on its lines, or return None if it is not a transcript.

    Logs and timetables, which show times of day ("09:15:00"), are not transcripts.
    """
    lines = list(split_lines(text))
    entries = [(row, entry) for row, line in enumerate(lines) if (entry := _parse_entry(line))]
    if not _is_transcript(lines, [entry for _, entry in entries]):
        return None
    marker = TextMarker("transcript", text)
    first = entries[0][0]
    for paragraph in split_paragraphs(lines[:first]):
        marker.mark("paragraph", paragraph[0].start, paragraph[-1].end)
    for cue in _build_cues(lines, entries):
        mark_cue(marker, cue)
    marker.warn(warning)
    return marker.build(name)


def _parse_entry(line: TextLine) -> _Entry | None:
    lead = len(line.text) - len(line.text.lstrip())
    match = _LEADING.match(line.text, lead)
    if match and bool(match["open"]) == bool(match["close"]):
        rest = line.text[match.end() :]
        name, length = find_leading_name(rest)
        alone = name is None and is_name(rest.strip().rstrip(":"))
        return _Entry(
            begin=parse_seconds(match, "a"),
            start=line.start + match.end() + length,
            end=line.end,
            speaker=rest.strip().rstrip(":") if alone else name,
            name_only=alone,
        )
    match = _TRAILING.fullmatch(line.text) or _INSIDE.match(line.text)
    if match and is_name(match["name"]):
        begin = parse_seconds(match, "a")
        alone = not line.text[match.end() :].strip()
        return _Entry(begin, line.start + match.end(), line.end, match["name"], alone)
    return None


def _is_transcript(lines: list[TextLine], entries: list[_Entry]) -> bool:
    # Guesses: a time on every fifth line is a pattern, and a few times may be out of order.
    filled = sum(1 for line in lines if line.text.strip())
    if len(entries) < 3 or len(entries) < 0.2 * filled:
        return False
    times = [entry.begin for entry in entries]
    backwards = sum(1 for time, following in pairwise(times) if following < time)
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
            # "00:12 Yes" with nothing below: "Yes" was a word, not a name.
            speaker = None
        finish = max(entry.begin, following[1].begin) if following else None
        yield Cue(start, end, entry.begin, finish, speaker)
