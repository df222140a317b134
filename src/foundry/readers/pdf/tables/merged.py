"""Cells of a table without ruling that hold for several columns: texts in the middle of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foundry.readers.pdf.lines import Row, Segment
from foundry.readers.pdf.tables.columns import (
    Column,
    find_columns,
    is_amount,
    place_segment,
)
from foundry.readers.pdf.tables.spans import Grid, Span, build_grid

_FLUSH = 1.0
"""Points within which a text begins or ends with its column, at the side where its values do. A guess."""


@dataclass(slots=True)
class _Value:
    """A value in its column, by which the alignment of the column is known."""

    first: int
    last: int
    x0: float
    x1: float


def build_value_grid(rows: Sequence[Row], columns: Sequence[Column]) -> Grid:
    """Find the cells of columns from how their values are aligned: the narrowest show it."""
    narrow: dict[int, _Value] = {}
    for row in rows:
        for segment in row.segments[1:]:
            place = place_segment(segment, columns)[0]
            old = narrow.get(place)
            if is_amount(segment.text) and (
                old is None or segment.x1 - segment.x0 < old.x1 - old.x0
            ):
                narrow[place] = _Value(place, place, segment.x0, segment.x1)
    return build_grid(columns, [*narrow.values()], 1)


def find_merged(segment: Segment, row: Row, columns: Sequence[Column], grid: Grid) -> Span | None:
    """Return the columns in whose middle a text is, if it is in none of its own and no other is there."""
    if len(row.segments) >= len(columns):
        return None
    reached = place_segment(segment, columns)
    if not reached[0] or _is_in_column(segment, columns, grid):
        return None
    if is_amount(segment.text) and any(column.overlap(segment) > 0 for column in columns):
        return None
    taken = {
        place
        for other in row.segments
        if other is not segment
        for first, last in (place_segment(other, columns),)
        for place in range(first, last + 1)
    }
    spans = [
        (first, last)
        for first in range(1, reached[0] + 1)
        for last in range(max(reached[1], first + 1), len(columns))
        if taken.isdisjoint(range(first, last + 1)) and grid.fits(segment, (first, last))
    ]
    return min(spans, key=lambda span: grid.measure(segment, span), default=None)


def _is_in_column(segment: Segment, columns: Sequence[Column], grid: Grid) -> bool:
    """Whether a text begins or ends where its column does, or is in the middle of it."""
    first, last = place_segment(segment, columns)
    left = grid.flush != grid.ends and abs(segment.x0 - columns[first].x0) < _FLUSH
    right = grid.flush != grid.starts and abs(segment.x1 - columns[last].x1) < _FLUSH
    return left or right or (first == last and grid.fits(segment, (first, last)))


def drop_merged(rows: Sequence[Row]) -> list[Row]:
    """Return rows without texts that span several columns, so that columns can be found."""
    counts = [sum(is_amount(segment.text) for segment in row.segments) for row in rows]
    most = max(counts, default=0)
    full = [row for row, count in zip(rows, counts, strict=True) if count == most]
    columns = find_columns(full) if most > 1 and 1 < len(full) < len(rows) else []
    if len(columns) <= most:
        return list(rows)
    grid = build_value_grid(full, columns)
    below = next(number for number, count in enumerate(counts) if count)
    kept = list(rows[:below])
    for row in rows[below:]:
        own = [s for s in row.segments if find_merged(s, row, columns, grid) is None]
        kept += [row if len(own) == len(row.segments) else Row(own, row.led)] if own else []
    return kept
