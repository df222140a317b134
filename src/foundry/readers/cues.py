"""What all transcripts share: lines with offsets, cues, times and speakers' names.

It reads no files and knows no format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from foundry.readers.building import TextMarker

STAMP = (
    r"(?:(?P<{0}h>\d{{1,3}}):)?(?P<{0}m>\d{{1,2}}):(?P<{0}s>\d{{2}})(?:[.,](?P<{0}f>\d{{1,6}}))?"
)
"""A time such as 1:02:03.5, 02:03 or 00:01:02,500; ``format`` takes a prefix for its groups."""

NAME = r"[^\W\d_][\w.'’\-]*(?:[ \xa0](?:[^\W\d_][\w.'’\-]*|\d{1,2}|\([^)]{1,20}\))){0,4}"
"""What may be a speaker's name; ``is_name`` decides."""

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|$)")
_SPEAKER = re.compile(rf"(?:>>\s*|[-–]\s*)?(?P<name>{NAME}):\s+(?=\S)")
_NOT_NAMES = """
    note nb warning caution example question answer remark result conclusion summary problem
    let opgelet opmerking vraag antwoord voorbeeld conclusie samenvatting actie action todo
    besluit decision http https"""
_NOT_A_NAME = frozenset(_NOT_NAMES.split())
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
class Line:
    """A line without its line end, and where it stands in the text."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """Where the line's own characters end."""
        return self.start + len(self.text)


def split_lines(text: str) -> Iterator[Line]:
    for match in _LINE.finditer(text):
        if match.start() == len(text) and match.start() > 0:
            return
        yield Line(match[1], match.start())


def mark_cue(marker: TextMarker, cue: Cue) -> None:
    marker.mark(
        "cue",
        cue.start,
        cue.end,
        time_start=cue.begin,
        time_end=cue.finish,
        speaker=cue.speaker,
    )


def seconds(match: re.Match[str], side: str) -> float:
    hours, minutes, seconds = (int(match[side + unit] or 0) for unit in "hms")
    return hours * 3600 + minutes * 60 + seconds + float(f"0.{match[side + 'f'] or 0}")


def leading_name(words: str) -> tuple[str | None, int]:
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
