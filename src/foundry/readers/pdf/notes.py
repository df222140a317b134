"""What is beside running text and no part of it: marginal notes, and boxes with text of their own.

Notes are lines in other print down one side of the page. A box is drawn or shaded, on its own, with
running text in it and beside it. Cells of tables look alike, but their boxes touch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby
from statistics import median

from foundry.readers.pdf.flow import is_text
from foundry.readers.pdf.lines import Row, Segment, build_rows
from foundry.readers.pdf.rules import Rules
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
_MOST_BOXES = 200
"""Most boxes of a page that are looked at, against drawings."""
_WORDED = 0.6
"""Share of the characters of notes that are letters: numbers of lines have none. A guess."""


_LEAST_LINES = 2
"""Fewest lines in a box and beside it: with 3, a third of drawn boxes was found, with 2 two thirds, and no
box in 93 real files."""
_LEAST_WORDS = 3
"""Words of an average line of such text. A guess: cells have fewer."""
_TOUCH = 2.5  # points between the boxes of neighbouring cells


def split_boxes(
    rows: Sequence[Row], rules: Rules, whole: Sequence[Box]
) -> tuple[list[Row], list[list[Row]]]:
    """Split the rows of a page into its text and that of each box beside it.

    The boxes in ``whole`` are tables.
    """
    rest, boxed = list(rows), []
    drawn = sorted({*rules.bands, *_find_outlines(rules)}, key=lambda box: (box.y0, box.x0))
    least = _LEAST_LINES * max([row.size for row in rows], default=0.0)
    high = [box for box in drawn if box.y1 - box.y0 > least]
    for box in high[:_MOST_BOXES]:
        if any(_overlaps(box, other) for other in [*whole, *drawn] if not _is_same(box, other)):
            continue
        level = [row for row in rest if box.y0 < row.base < box.y1]
        words = [word for row in level for word in row.words]
        inside = [word for word in words if box.x0 - 1 < word.x0 and word.x1 < box.x1 + 1]
        taken = {id(word) for word in inside}
        beside = [word for word in words if id(word) not in taken]
        if any(word.x0 < box.x1 and word.x1 > box.x0 for word in beside):
            continue
        own = build_rows(inside)
        if _is_running(own) and _is_running(build_rows(beside)):
            boxed.append(own)
            rest = build_rows([word for row in rest for word in row.words if id(word) not in taken])
    return rest, boxed


def _find_outlines(rules: Rules) -> Iterator[Box]:
    """Yield the boxes whose four edges are drawn."""
    across, down = {*rules.across}, {*rules.down}
    ends = {(x0, y): x1 for x0, x1, y in rules.across}
    for y0, y1, x0 in rules.down:
        x1 = ends.get((x0, y0), x0)
        if x1 > x0 and (x0, x1, y1) in across and (y0, y1, x1) in down:
            yield Box(x0, y0, x1, y1)


def _is_same(box: Box, other: Box) -> bool:
    pairs = ((box.x0, other.x0), (box.y0, other.y0), (box.x1, other.x1), (box.y1, other.y1))
    return all(abs(one - two) < _TOUCH for one, two in pairs)


def _overlaps(box: Box, other: Box) -> bool:
    return (
        box.x0 - _TOUCH < other.x1
        and other.x0 < box.x1 + _TOUCH
        and box.y0 - _TOUCH < other.y1
        and other.y0 < box.y1 + _TOUCH
    )


def _is_running(rows: Sequence[Row]) -> bool:
    """Whether rows are lines of text that go on in the middle of sentences."""
    if len(rows) < _LEAST_LINES or any(len(row.segments) > 1 for row in rows):
        return False
    going = sum(row.text[:1].islower() for row in rows)
    words = sum(len(row.words) for row in rows)
    return going >= _GOING_ON * len(rows) and words >= _LEAST_WORDS * len(rows)


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
