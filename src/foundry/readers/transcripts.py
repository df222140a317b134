"""Reads transcripts into cues with times and speakers: captions, and text with times on its lines.

Captions are VTT, SRT and YouTube JSON. The text of a VTT or SRT file stays as it is: a cue's block
covers the spoken words, without the timing line, the voice tag and the speaker's name. Meeting notes
and exported transcripts write ``[00:12:34] Name: words``, ``00:12:34 words``, ``Name 0:03``, or
``00:12:34 Name`` with the words on the lines below. A file without cues raises ``ReadError``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from foundry.analysis.lexer import TAG
from foundry.errors import ReadError
from foundry.lexicon import load_shared_lexicon
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.decoding import TextLine, decode, split_lines, split_paragraphs
from foundry.readers.document_builder import DocumentBuilder, TextMarker
from foundry.readers.front.clues import Clues
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
    backwards = sum(following < time for time, following in pairwise(times))
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


_TIMING = re.compile(r"\s*" + STAMP.format("a") + r"\s*-->\s*" + STAMP.format("b") + r"(?=\s|$).*")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
_LEAD = re.compile(rf"(?:\s|{TAG.pattern})*")
_INLINE_TIME = re.compile(r"<\d{1,2}:\d{2}")


def read_vtt(path: Path, options: ReadOptions) -> Document:
    """Read WebVTT; hours and milliseconds are optional; NOTE, STYLE and REGION are skipped."""
    return _read_subtitles("vtt", path, options)


def read_srt(path: Path, options: ReadOptions) -> Document:
    """Read SubRip; a cue may contain empty lines."""
    return _read_subtitles("srt", path, options)


def read_youtube(path: Path, options: ReadOptions) -> Document:
    """Read a YouTube transcript: ``{"events": …}``, or a list of texts with start and duration."""
    decoded = decode(path.read_bytes())
    try:
        data = json.loads(decoded.text)
    except (ValueError, RecursionError) as error:
        raise ReadError("readers-transcript-not-json", cause=str(error)) from error
    builder = DocumentBuilder("youtube")
    for begin, finish, speaker, words in _parse_json_cues(data):
        builder.add("cue", words, time_start=begin, time_end=finish, speaker=speaker)
    builder.warn(decoded.warning)
    clues = Clues({"title": _find_json_title(data)})
    return builder.build(options.name, clues, reason=Message("readers-transcript-no-cues"))


def _read_subtitles(kind: str, path: Path, options: ReadOptions) -> Document:
    decoded = decode(path.read_bytes())
    marker = TextMarker(kind, decoded.text)
    marker.warn(decoded.warning)
    if kind == "vtt" and not decoded.text.lstrip().startswith("WEBVTT"):
        marker.warn(Message("readers-transcript-no-webvtt"))
    for cue in _parse_cues(decoded.text, kind):
        mark_cue(marker, cue)
    first = decoded.text.strip().split("\n", 1)[0].strip()[:60]
    return marker.build(
        options.name,
        reason=Message("readers-subtitles-no-cues", start=first),
    )


def _parse_cues(text: str, kind: str) -> Iterator[Cue]:
    cues = _find_cues(list(split_lines(text)), kind)
    if _INLINE_TIME.search(text):
        cues = _merge_rolling(text, cues)
    for cue in cues:
        yield from _split_voices(text, cue)


def _find_cues(lines: list[TextLine], kind: str) -> Iterator[Cue]:
    timings = [
        (row, match)
        for row, line in enumerate(lines)
        if "-->" in line.text and (match := _TIMING.fullmatch(line.text))
    ]
    for position, (row, match) in enumerate(timings):
        stop = timings[position + 1][0] if position + 1 < len(timings) else len(lines)
        payload = _select_payload(lines[row + 1 : stop], kind, last=stop == len(lines))
        if payload:
            begin, finish = parse_seconds(match, "a"), parse_seconds(match, "b")
            yield Cue(payload[0].start, payload[-1].end, begin, max(begin, finish))


def _select_payload(lines: list[TextLine], kind: str, *, last: bool) -> list[TextLine]:
    if kind == "vtt":
        blank = next((row for row, line in enumerate(lines) if not line.text), len(lines))
        lines = lines[:blank]
    else:
        while lines and not lines[-1].text.strip():
            lines = lines[:-1]
        # A number above the next timing line belongs to the next cue.
        if not last and lines and lines[-1].text.strip().isdigit():
            lines = lines[:-1]
    return [line for line in lines if line.text.strip()]


def _merge_rolling(text: str, cues: Iterable[Cue]) -> Iterator[Cue]:
    # Automatic captions roll: each line appears word by word with inline times, then
    # clean, then again above the next line. Keep the clean line, once.
    pending: Cue | None = None
    for cue in cues:
        for line in split_lines(text[cue.start : cue.end]):
            words = _strip_tags(line.text)
            if not words:
                continue
            here = replace(cue, start=cue.start + line.start, end=cue.start + line.end)
            if pending and _strip_tags(text[pending.start : pending.end]) == words:
                if "<" in text[pending.start : pending.end] and "<" not in line.text:
                    pending = replace(here, begin=pending.begin)
                continue
            if pending:
                yield pending
            pending = here
    if pending:
        yield pending


def _split_voices(text: str, cue: Cue) -> Iterator[Cue]:
    """Split a cue by voice, and trim tags and speakers' names from its words."""
    voices = list(_VOICE.finditer(text, cue.start, cue.end))
    if not voices:
        yield from _find_speakers(text, cue)
        return
    if voices[0].start() > cue.start:
        yield from _find_speakers(text, replace(cue, end=voices[0].start()))
    for voice, following in zip(voices, [*voices[1:], None], strict=True):
        end = following.start() if following else cue.end
        speaker = re.sub(r"\s+", " ", voice[1]).strip() or None
        yield from _trim_cue(text, replace(cue, start=voice.end(), end=end, speaker=speaker))


def _find_speakers(text: str, cue: Cue) -> Iterator[Cue]:
    for bare in _trim_cue(text, cue):
        name, length = find_leading_name(text[bare.start : bare.end])
        yield replace(bare, start=bare.start + length, speaker=name)


def _trim_cue(text: str, cue: Cue) -> Iterator[Cue]:
    lead = _LEAD.match(text, cue.start, cue.end)
    start, end = lead.end() if lead else cue.start, cue.end
    while start < end:
        end = start + len(text[start:end].rstrip())
        tag = text.rfind("<", start, end)
        if tag < 0 or not TAG.fullmatch(text, tag, end):
            yield replace(cue, start=start, end=end)
            return
        end = tag


def _strip_tags(line: str) -> str:
    return " ".join(TAG.sub("", line).split())


_JsonCue = tuple[float, float | None, str | None, str]


def _parse_json_cues(data: Any) -> Iterator[_JsonCue]:
    if isinstance(data, dict) and isinstance(data.get("events"), list):
        return _parse_events(data["events"])
    items = data if isinstance(data, list) else _find_list(data)
    if items and all(
        isinstance(item, dict) and "text" in item and "start" in item for item in items
    ):
        return _parse_items(items)
    raise ReadError("readers-transcript-unknown")


def _find_list(data: Any) -> list[Any] | None:
    if not isinstance(data, dict):
        return None
    for key in ("transcript", "segments", "captions", "snippets"):
        if isinstance(data.get(key), list):
            return list(data[key])
    return None


def _parse_events(events: list[Any]) -> Iterator[_JsonCue]:
    for event in events:
        if not isinstance(event, dict) or not isinstance(event.get("segs"), list):
            continue
        words = "".join(str(seg.get("utf8", "")) for seg in event["segs"] if isinstance(seg, dict))
        begin = _parse_number(event.get("tStartMs"), 0.0) / 1000
        yield (
            begin,
            begin + _parse_number(event.get("dDurationMs"), 0.0) / 1000,
            None,
            _flatten(words),
        )


def _parse_items(items: list[Any]) -> Iterator[_JsonCue]:
    for item in items:
        begin = _parse_number(item["start"], 0.0)
        finish = _parse_number(item.get("end"), begin + _parse_number(item.get("duration"), 0.0))
        speaker = item.get("speaker")
        yield begin, finish, str(speaker) if speaker else None, _flatten(str(item["text"]))


def _parse_number(value: Any, default: float) -> float:
    try:
        return max(0.0, float(value))
    except (TypeError, ValueError):
        return default


def _flatten(words: str) -> str:
    return " ".join(words.split())


def _find_json_title(data: Any) -> str | None:
    if not isinstance(data, dict):
        return None
    for key in ("title", "videoTitle", "video_title"):
        if isinstance(data.get(key), str) and data[key].strip():
            return str(data[key])
    return None
