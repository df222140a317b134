"""Marginal notes: lines in other print down the side of running text, which are no cells beside it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby
from statistics import median

from foundry.readers.pdf.flow import is_text
from foundry.readers.pdf.lines import Row, Segment, build_rows
from foundry.records import Box

_STEP = 2.0  # points between the places that are tried for a gap
_GAP = 0.5
"""Width of the gap between text and notes, relative to the size of print. A guess."""
_NARROW = 0.5
"""Width of the notes, relative to that of the text. A guess."""
_SMALLER = 0.95
"""Size of notes that are not in italics, relative to the text. A guess."""
_FEWER = 0.7
"""Lines of the notes, relative to those of the text: next to a label or cell is less text. A guess."""
_GOING_ON = 0.4
"""Share of the lines of running text that begin in the middle of a sentence. A guess."""
_WORDED = 0.6
"""Share of the characters of notes that are letters: numbers of lines have none. A guess."""


def split_notes(rows: Sequence[Row], whole: Sequence[Box]) -> tuple[list[Row], list[Row]]:
    """Split the rows of a page into its text and its marginal notes.

    No note is beside the boxes in ``whole``.
    """
    for gap in _list_gaps(rows):
        if any(box.x0 < gap < box.x1 for box in whole):
            continue
        segments = [segment for row in rows for segment in row.segments]
        left = [segment for segment in segments if segment.x0 < gap]
        right = [segment for segment in segments if segment.x0 > gap]
        for text, notes in ((left, right), (right, left)):
            if _are_notes(notes, text):
                return _build_rows(text), _build_rows(notes)
    return list(rows), []


def _build_rows(segments: Sequence[Segment]) -> list[Row]:
    return build_rows([word for segment in segments for word in segment.words])


def _list_gaps(rows: Sequence[Row]) -> list[float]:
    """Return the middles of the strips down the page that nothing crosses."""
    if not rows:
        return []
    edges = [(s.x0, max(s.x0, s.x1)) for row in rows for s in row.segments]
    left, right = min([x0 for x0, _ in edges]), max([x1 for _, x1 in edges])
    covered = [0] * (int((right - left) / _STEP) + 2)
    for x0, x1 in edges:
        covered[int((x0 - left) / _STEP)] += 1
        covered[int((x1 - left) / _STEP) + 1] -= 1
    least = _GAP * median([row.size for row in rows]) / _STEP
    gaps, place = [], 0
    for free, run in groupby(accumulate(covered), lambda depth: depth == 0):
        start, place = place, place + len(list(run))
        if free and place - start >= least:
            gaps.append(left + (start + place) / 2 * _STEP)
    return gaps


def _are_notes(notes: Sequence[Segment], text: Sequence[Segment]) -> bool:
    if not notes or len(notes) > _FEWER * len(text) or not is_text(text):
        return False
    going = sum(segment.text[:1].islower() for segment in text)
    said = "".join([segment.text for segment in notes])
    return (
        going >= _GOING_ON * len(text)
        and _measure(notes) <= _NARROW * _measure(text)
        and sum(map(str.isalpha, said)) >= _WORDED * len(said)
        and _is_other_print(notes, text)
    )


def _measure(segments: Sequence[Segment]) -> float:
    return max([s.x1 for s in segments]) - min([s.x0 for s in segments])


def _is_other_print(notes: Sequence[Segment], text: Sequence[Segment]) -> bool:
    size = median([segment.size for segment in text])
    if all(segment.size < _SMALLER * size for segment in notes):
        return True
    return all(_is_italic(segment) for segment in notes) and not all(map(_is_italic, text))


def _is_italic(segment: Segment) -> bool:
    return all(word.font.italic for word in segment.words)
