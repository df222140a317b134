"""The header of a table without ruling: lines joined to cells, cells spread over their columns.

A cell over several columns is known by the rule below it, else by standing in the middle of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foundry.readers.pdf.lines import Row, Segment, join_words
from foundry.readers.pdf.rules import Rules
from foundry.readers.pdf.tables.columns import Column, cut_segment, place_segment
from foundry.readers.pdf.tables.spans import (
    Grid,
    Span,
    build_grid,
    count_left,
    list_differing,
    list_spans,
    share_out,
)

_NEXT_LINE = 1.55
"""Distance of lines in one cell, relative to the size of print: statements have 1.5, rounded."""
_IN_CELL = 1.3
"""Distance of lines that are surely in one cell, relative to the size of print. A guess."""


@dataclass(slots=True)
class HeaderCell:
    """A cell over the columns ``first`` to ``last``; ``top`` and ``base`` are its outer baselines."""

    text: str
    first: int
    last: int
    top: float
    base: float
    size: float
    bold: bool
    x0: float
    x1: float

    @property
    def middle(self) -> float:
        """Its middle."""
        return (self.x0 + self.x1) / 2


def build_header(
    rows: Sequence[Row], columns: Sequence[Column], rules: Rules, stubs: int = 1
) -> tuple[list[list[HeaderCell]], frozenset[int]]:
    """Return the rows of a header's cells, from the top, and the columns whose labels are in doubt.

    The first columns, ``stubs``, hold the names of what labels the rows.
    """
    levels: list[list[HeaderCell]] = []
    doubtful = [_add_row(levels, _cut(row, columns), columns, rules, stubs) for row in rows[::-1]]
    for level in levels:
        _widen_level(level, [other for other in levels if other is not level], len(columns) - 1)
    return levels[::-1], frozenset().union(*doubtful)


def _cut(row: Row, columns: Sequence[Column]) -> Row:
    """Cut column names that are close together; a single segment is left whole."""
    if len(row.segments) < 2:
        return row
    return Row([part for one in row.segments for part in cut_segment(one, columns)])


def _widen_level(
    level: Sequence[HeaderCell], others: Sequence[Sequence[HeaderCell]], width: int
) -> None:
    """Spread cells that are printed over one column of each group, such as the last, over it.

    The other labels repeat from group to group, so that columns would be called the same without it.
    """
    own = sorted((cell for cell in level if cell.first), key=lambda cell: cell.first)
    each, rest = divmod(width, max(1, len(own)))
    if len(own) < 2 or each < 2 or rest or any(cell.first != cell.last for cell in own):
        return
    paths = [
        tuple(cell.text for other in others for cell in other if cell.first <= column <= cell.last)
        for column in range(1, width + 1)
    ]
    group = paths[:each]
    if all(group) and len(set(group)) == each and paths == group * len(own):
        for place, cell in enumerate(own):
            cell.first, cell.last = 1 + place * each, (place + 1) * each


def _add_row(
    levels: list[list[HeaderCell]],
    row: Row,
    columns: Sequence[Column],
    rules: Rules,
    stubs: int,
) -> frozenset[int]:
    """Add the row above: its segments continue the cells below them, or form a new level.

    The columns are returned that they may cover or not.
    """
    new: list[HeaderCell] = []
    spans, doubtful = _find_spans(row, columns, levels, rules, stubs)
    for segment, over in zip(row.segments, spans, strict=True):
        cell = _build_cell(segment, over)
        below = _find_below(levels, cell.first, cell.last)
        same = below and (below.first, below.last) == (cell.first, cell.last)
        if below and same and _continues(segment, below, columns, rules):
            below.text = join_words(segment.text, below.text, broken=segment.broken)
            below.top = segment.base
        elif new and new[-1].last >= cell.first:
            new[-1].text = f"{new[-1].text} {segment.text}"
            new[-1].last = max(new[-1].last, cell.last)
        else:
            new.append(cell)
    # A cell beside a level, on lines of its own, is part of that level.
    if new and levels and all(_is_beside(levels[-1], cell) for cell in new):
        levels[-1] += new
    elif new:
        levels.append(new)
    return doubtful


def _find_spans(
    row: Row,
    columns: Sequence[Column],
    levels: Sequence[Sequence[HeaderCell]],
    rules: Rules,
    stubs: int,
) -> tuple[list[Span], frozenset[int]]:
    """Return the columns of each segment of a row, and those that are in doubt."""
    below = levels[-1] if levels else ()
    reached = [place_segment(segment, columns) for segment in row.segments]
    names = [_build_cell(*pair) for pair in zip(row.segments, reached, strict=True)]
    if levels:
        names = [cell for level in reversed(levels) for cell in level]
    elif sum(first >= stubs for first, _ in reached) == 1:
        names = []
    grid = build_grid(columns, names, stubs)
    edges = stubs, len(columns) - 1
    choices: list[list[Span]] = []
    for segment, over in zip(row.segments, reached, strict=True):
        ruled = _find_ruled(segment, columns, grid, rules)
        if over[0] < stubs:
            inside = segment.x1 < columns[over[0]].x1 or len(columns) < 2
            choices.append([(over[0], over[0] if inside else over[1])])
        elif ruled and stubs <= ruled[0] <= over[0] and over[1] <= ruled[1]:
            choices.append([ruled])
        else:
            choices.append(list_spans(segment, over, below, grid, edges))
    if not below:
        first = [own[:1] for own in choices]
        return share_out(row.segments, reached, first, frozenset(), grid)[0], frozenset()
    named = {n for cell in below for n in range(max(stubs, cell.first), cell.last + 1)}
    spans, doubtful = share_out(row.segments, reached, choices, named, grid)
    lines = [_find_lower(segment, below, columns, rules) for segment in row.segments]
    if not any(lines):
        return spans, doubtful
    # A segment may be the upper line of a cell: "Net" above "sales".
    pairs = zip(lines, choices, strict=True)
    known = [[(cell.first, cell.last)] if cell else own for cell, own in pairs]
    narrow, other = share_out(row.segments, reached, known, named, grid)
    if count_left(spans, named) or len(spans) < 2:
        return narrow, other
    groups = {tuple(c.text for c in below if a <= c.first <= b) for a, b in spans if a >= stubs}
    # Groups of the same columns have names of their own.
    if len(groups) == 1 and len({segment.text for segment in row.segments}) == len(spans):
        return spans, doubtful
    return narrow, frozenset(list_differing(narrow, spans))


def _find_lower(
    segment: Segment, below: Sequence[HeaderCell], columns: Sequence[Column], rules: Rules
) -> HeaderCell | None:
    """Return the cell whose upper line a segment is."""
    return next((cell for cell in below if _stands_on(segment, cell, columns, rules)), None)


def _build_cell(segment: Segment, over: tuple[int, int]) -> HeaderCell:
    base, across = segment.base, (segment.x0, segment.x1)
    return HeaderCell(segment.text, *over, base, base, segment.size, segment.bold, *across)


def _is_beside(level: Sequence[HeaderCell], cell: HeaderCell) -> bool:
    lowest = min(other.top for other in level)
    free = _find_below([level], cell.first, cell.last) is None
    return free and lowest - cell.base < _NEXT_LINE * cell.size


def _find_below(levels: Sequence[Sequence[HeaderCell]], first: int, last: int) -> HeaderCell | None:
    for level in reversed(levels):
        for cell in level:
            if cell.first <= last and first <= cell.last:
                return cell
    return None


def _continues(
    segment: Segment, below: HeaderCell, columns: Sequence[Column], rules: Rules
) -> bool:
    if below.top - segment.base > _NEXT_LINE * max(segment.size, below.size):
        return False
    left, right = columns[below.first].x0, columns[below.last].x1
    return not any(
        segment.base < y < below.top - 0.3 * below.size and min(x1, right) - max(x0, left) > 2
        for x0, x1, y in rules.across
    )


def _stands_on(segment: Segment, cell: HeaderCell, columns: Sequence[Column], rules: Rules) -> bool:
    """Whether a segment is the line above a cell, close to it and in line with it."""
    lines = (segment.x0, segment.x1, (segment.x0 + segment.x1) / 2)
    near = (0.1, 0.1, 0.5)
    places = zip(lines, (cell.x0, cell.x1, cell.middle), near, strict=True)
    close = cell.top - segment.base < _IN_CELL * segment.size
    return (
        cell.first > 0
        and close
        and any(abs(one - other) < most * segment.size for one, other, most in places)
        and _continues(segment, cell, columns, rules)
    )


def _find_ruled(
    segment: Segment, columns: Sequence[Column], grid: Grid, rules: Rules
) -> Span | None:
    """Return the columns over which the rule right below a segment runs."""
    middle = (segment.x0 + segment.x1) / 2
    width = columns[-1].x1 - columns[0].x0
    lines = [
        (y, x0, x1)
        for x0, x1, y in rules.across
        if 0 < y - segment.base < 0.9 * segment.size and x1 - x0 < 0.97 * width
    ]
    size = segment.size
    below = [y for y, x0, x1 in lines if x0 - size <= middle <= x1 + size]
    if not below:
        return None
    top = min(below)
    # A rule may be drawn in pieces, one for each column below it.
    pieces = sorted((x0, x1) for y, x0, x1 in lines if abs(y - top) < 1.5)
    if pieces[0][0] < columns[0].x1 - segment.size:
        return None
    hits = [i for i, c in enumerate(columns) if any(a - 2 <= c.middle <= b + 2 for a, b in pieces)]
    own = next((p for p in _join_pieces(pieces) if p[0] - 1 <= middle <= p[1] + 1), pieces[0])
    inside = [i for i in hits if own[0] - 2 <= columns[i].middle <= own[1] + 2]
    over = place_segment(segment, columns)
    if inside and inside[0] <= over[0] and over[1] <= inside[-1]:
        return inside[0], inside[-1]
    groups = [(a, b) for a in hits for b in hits if a <= over[0] and over[1] <= b]
    even = [group for group in groups if grid.fits(segment, group)]
    return max(even, key=lambda group: group[1] - group[0], default=None)


def _join_pieces(pieces: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    joined = list(pieces[:1])
    for x0, x1 in pieces[1:]:
        if x0 <= joined[-1][1] + 0.6:
            joined[-1] = joined[-1][0], max(joined[-1][1], x1)
        else:
            joined.append((x0, x1))
    return joined
