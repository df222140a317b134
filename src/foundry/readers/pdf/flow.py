"""The order in which a page is read: text columns one after the other, from top to bottom.

Columns of text differ from columns of a table in their lines, which are full of words.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby, pairwise

from foundry.readers.pdf.lines import Row, Segment, build_rows, count_words
from foundry.readers.pdf.words import Word
from foundry.records import Box

_MIN_LINES = 5
"""Lines that a text column has at least. A guess: a wrapped cell has fewer."""
_MIN_WORDS = 3.5
"""Words on an average line of a text column. A guess: cells have fewer."""
_FULL = 0.6
"""Share of the column's width that an average line fills. A guess: cells fill less."""
_FILLED = 0.8
"""Share of the column's width that the words of a full line take. A guess."""
_PROSE = 0.25
"""Share of the lines that are full in a text column with tables and figures. A guess."""
_CROSSED = 0.35
"""Share of the rows that may cross the gap between columns: titles, wide tables. A guess."""
_GOING_ON = 0.4
"""Share of the lines beside a table that begin in the middle of a sentence. A guess."""
_STEP = 2.0  # points between the places that are tried for a gap
_GAP = 0.9
"""Width of the gap between columns, relative to the size of print. A guess."""

_APART_GAP = 5.0
"""Width of the gap between two pages on one sheet, relative to the size of print. A guess."""
_BESIDE = 1.5
"""Lines on both sides of a gap for each row, below which the sides are no cells. A guess."""


def order_rows(rows: Sequence[Row], whole: Sequence[Box] = ()) -> list[list[Row]]:
    """Return groups of rows in reading order; the rows of a group are below each other.

    No gap between columns runs through one of the boxes in ``whole``.
    """
    return _order(list(rows), whole, depth=0) if rows else []


def _order(rows: list[Row], whole: Sequence[Box], depth: int) -> list[list[Row]]:
    gap = _find_gap(rows, whole) if depth < 3 else None
    if gap is None:
        return [rows]
    groups: list[list[Row]] = []
    for crossing, run in _split_runs(rows, gap, whole):
        sides = _take_sides(run, gap) if not crossing else None
        if sides is None:
            if groups and not isinstance(groups[-1], _Column):
                groups[-1] += run
            else:
                groups.append(list(run))
            continue
        for side in sides:
            groups += [_Column(part) for part in _order(build_rows(side), whole, depth + 1)]
    return groups


class _Column(list[Row]):
    """The rows of a text column."""


def _find_gap(rows: Sequence[Row], whole: Sequence[Box]) -> float | None:
    """Return the middle of the emptiest strip down the rows that has text columns beside it."""
    if len(rows) < _MIN_LINES:
        return None
    left, right = min(row.x0 for row in rows), max(row.x1 for row in rows)
    size = sorted(row.size for row in rows)[len(rows) // 2]
    count = int((right - left) / _STEP) + 1
    covered = [0] * (count + 1)
    for row in rows:
        for segment in row.segments:
            covered[int((segment.x0 - left) / _STEP)] += 1
            covered[min(count, int((segment.x1 - left) / _STEP) + 1)] -= 1
    depths = list(accumulate(covered))
    strips = _find_strips(depths, _CROSSED * len(rows))
    inner = [
        left + sum(_find_emptiest(depths, a, b)) / 2 * _STEP
        for a, b in strips
        if (b - a) * _STEP >= _GAP * size and a > 0.15 * count and b < 0.85 * count
    ]
    return next(
        (
            x
            for x in inner
            if any(
                _take_sides(run, x) for crossing, run in _split_runs(rows, x, whole) if not crossing
            )
        ),
        None,
    )


def _find_strips(depths: Sequence[int], most: float) -> list[tuple[int, int]]:
    """Return the start and end of each run of places that at most ``most`` rows cover."""
    strips, place = [], 0
    for free, run in groupby(depths, lambda depth: depth <= most):
        start, place = place, place + len(list(run))
        if free:
            strips.append((start, place))
    return strips


def _find_emptiest(depths: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """Return the widest part of a strip with the least coverage, since indented lines widen a strip."""
    runs = _find_strips(depths[start:end], min(depths[start:end]))
    low, high = max(runs, key=lambda run: run[1] - run[0])
    return start + low, start + high


def _split_runs(
    rows: Sequence[Row], gap: float, whole: Sequence[Box]
) -> list[tuple[bool, list[Row]]]:
    """Split rows into runs that cross a gap and runs that do not."""
    runs: list[tuple[bool, list[Row]]] = []
    boxes = [box for box in whole if box.x0 < gap < box.x1]
    for row in rows:
        crossing = any(segment.x0 < gap < segment.x1 for segment in row.segments)
        crossing = crossing or any(box.y0 < row.base < box.y1 for box in boxes)
        # The short last line of a text that crosses the gap.
        if runs and runs[-1][0] and not crossing and _goes_on(runs[-1][1], row, gap):
            crossing = True
        if runs and runs[-1][0] == crossing:
            runs[-1][1].append(row)
        else:
            runs.append((crossing, [row]))
    return runs


def _goes_on(run: Sequence[Row], row: Row, gap: float) -> bool:
    above = run[-1]
    beside = row.x0 < gap < row.x1 or row.x0 > gap
    crosses = any(segment.x0 < gap < segment.x1 for segment in above.segments)
    close = row.base - above.base < 1.6 * row.size and abs(row.size - above.size) < 0.6
    return crosses and close and not beside and row.x0 < above.x0 + 1


def _take_sides(rows: Sequence[Row], gap: float) -> tuple[list[Word], list[Word]] | None:
    """Return the words on both sides of a gap if both are columns of text."""
    sides = _split_lines(rows, gap)
    left, right = ([segment for line in side for segment in line] for side in sides)
    text = is_text(left), is_text(right)
    if (
        not all(text)
        and not all(map(_has_prose, sides))
        and not _stand_apart(rows, left, right)
        and not (any(text) and (_is_running(left) or _is_running(right)) and _has_cells(rows, gap))
    ):
        return None
    return [w for s in left for w in s.words], [w for s in right for w in s.words]


def _split_lines(
    rows: Sequence[Row], gap: float
) -> tuple[list[list[Segment]], list[list[Segment]]]:
    """Return the lines on both sides of a gap."""
    left = [[s for s in row.segments if s.x1 <= gap] for row in rows]
    right = [[s for s in row.segments if s.x0 >= gap] for row in rows]
    return [line for line in left if line], [line for line in right if line]


def _has_prose(lines: Sequence[Sequence[Segment]]) -> bool:
    """Whether many lines are full of words; figures and tables may be among them."""
    if not lines:
        return False
    width = max(line[-1].x1 for line in lines) - min(line[0].x0 for line in lines)
    full = sum(_is_full(line, width) for line in lines)
    return full >= _MIN_LINES and full >= _PROSE * len(lines)


def _is_full(line: Sequence[Segment], width: float) -> bool:
    return count_words(line) >= 4 and sum(s.x1 - s.x0 for s in line) > _FILLED * width


def _stand_apart(rows: Sequence[Row], left: Sequence[Segment], right: Sequence[Segment]) -> bool:
    """Whether lines with few words are beside a wide gap, most with nothing on its other side."""
    if not left or not right:
        return False
    lines = [len({round(segment.base) for segment in side}) for side in (left, right)]
    words = [count_words(side) for side in (left, right)]
    gap = min(segment.x0 for segment in right) - max(segment.x1 for segment in left)
    return (
        gap > _APART_GAP * rows[0].size
        and min(lines) >= 2 * _MIN_LINES
        and sum(lines) < _BESIDE * len(rows)
        and all(count >= _MIN_WORDS * number for count, number in zip(words, lines, strict=True))
    )


def _is_running(segments: Sequence[Segment]) -> bool:
    """Whether lines go on in the middle of sentences, as those of cells do not."""
    bases = sorted(segment.base for segment in segments)
    gaps = [low - high for high, low in pairwise(bases)]
    # The rows of a table are further apart than the lines in its cells.
    even = sum(gap > 1.1 * min(gaps) for gap in gaps) <= 0.2 * len(gaps)
    going = sum(segment.text[:1].islower() for segment in segments[1:])
    return even and is_text(segments) and going >= _GOING_ON * len(gaps)


def _has_cells(rows: Sequence[Row], gap: float) -> bool:
    """Whether one side of a gap has rows of two or more cells."""
    sides = [[sum((s.x0 >= gap) == side for s in row.segments) for row in rows] for side in (0, 1)]
    return any(sum(count > 1 for count in side) > 2 for side in sides)


def is_text(segments: Sequence[Segment]) -> bool:
    """Whether segments are lines of a text column, full of words and below each other."""
    if len(segments) < _MIN_LINES or count_words(segments) < _MIN_WORDS * len(segments):
        return False
    width = max(s.x1 for s in segments) - min(s.x0 for s in segments)
    filled = sum(s.x1 - s.x0 for s in segments)
    if filled < _FULL * width * len(segments):
        return False
    # Lines below each other, not cells beside each other.
    bases = sorted(s.base for s in segments)
    apart = sum(b - a > 0.5 * segments[0].size for a, b in pairwise(bases))
    return apart >= 0.8 * (len(bases) - 1)
