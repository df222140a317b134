"""Reads captions (VTT, SRT, YouTube JSON) into cues with times and speakers.

The text of a VTT or SRT file stays as it is: a cue's block covers the spoken words,
without the timing line, the voice tag and the speaker's name. A file without cues raises
``ReadError``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.decoding import TextLine, decode, split_lines
from foundry.readers.document_builder import DocumentBuilder, TextMarker
from foundry.readers.front.titles import TitleCandidates
from foundry.readers.transcripts.timestamps import (
    STAMP,
    Cue,
    find_leading_name,
    mark_cue,
    parse_seconds,
)
from foundry.records import Document

_TIMING = re.compile(r"\s*" + STAMP.format("a") + r"\s*-->\s*" + STAMP.format("b") + r"(?=\s|$).*")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
_TAG = re.compile(r"</?[A-Za-z\d][^<>]*>")
_LEAD = re.compile(rf"(?:\s|{_TAG.pattern})*")
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
    titles = TitleCandidates(_find_json_title(data))
    return builder.build(options.name, titles, reason=Message("readers-transcript-no-cues"))


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
        (row, match) for row, line in enumerate(lines) if (match := _match_timing(line.text))
    ]
    for position, (row, match) in enumerate(timings):
        stop = timings[position + 1][0] if position + 1 < len(timings) else len(lines)
        payload = _select_payload(lines[row + 1 : stop], kind, last=stop == len(lines))
        if payload:
            begin, finish = parse_seconds(match, "a"), parse_seconds(match, "b")
            yield Cue(payload[0].start, payload[-1].end, begin, max(begin, finish))


def _match_timing(line: str) -> re.Match[str] | None:
    return _TIMING.fullmatch(line) if "-->" in line else None


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
        if tag < 0 or not _TAG.fullmatch(text, tag, end):
            yield replace(cue, start=start, end=end)
            return
        end = tag


def _strip_tags(line: str) -> str:
    return " ".join(_TAG.sub("", line).split())


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
