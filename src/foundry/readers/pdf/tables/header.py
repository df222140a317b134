"""The header of a table without ruling: lines joined to cells, cells spread over their columns.

A cell over several columns is known by the rule below it, else by standing in the middle of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foundry.readers.pdf.lines import Row, Segment, join_words
from foundry.readers.pdf.rules import Rules
from foundry.readers.pdf.tables.columns import Column, place_segment

_NEXT_LINE = 1.55
"""Distance of lines in one cell, relative to the size of print: statements have 1.5, rounded."""
_IN_CELL = 1.3
"""Distance of lines that are surely in one cell, relative to the size of print. A guess."""

_CENTRED = 1.2
"""Distance of a cell from the middle of its columns, relative to the size of print. A guess."""
_NONE = float("inf")
_KINDS = 4


@dataclass(slots=True)
class HeaderCell:
    """A cell over the columns ``first`` to ``last``; ``top`` and ``base`` are its outer baselines.

    It is not ``certain`` if its first line may as well be a heading over several columns.
    """

    text: str
    first: int
    last: int
    top: float
    base: float
    size: float
    bold: bool
    x0: float
    x1: float
    certain: bool = True

    @property
    def middle(self) -> float:
        """Its middle."""
        return (self.x0 + self.x1) / 2


def build_header(
    rows: Sequence[Row], columns: Sequence[Column], rules: Rules
) -> list[list[HeaderCell]]:
    """Return the rows of a header's cells, from the top; the first column holds the stub head."""
    levels: list[list[HeaderCell]] = []
    for row in reversed(rows):
        _add_row(levels, row, columns, rules)
    for level in levels:
        _widen_level(level, [other for other in levels if other is not level], len(columns) - 1)
    return levels[::-1]


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
    offset = own[0].first - 1
    if any(cell.first != offset + 1 + place * each for place, cell in enumerate(own)):
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
    levels: list[list[HeaderCell]], row: Row, columns: Sequence[Column], rules: Rules
) -> None:
    """Add the row above: its segments continue the cells below them, or form a new level."""
    new: list[HeaderCell] = []
    lower = levels[-1] if levels else ()
    ruled = any(_find_ruled(segment, columns, rules) for segment in row.segments)
    shared, doubted = ({}, set()) if ruled else _share_out(row, columns, lower, rules)
    for index, segment in enumerate(row.segments):
        over = shared.get(index) or _spread(index, row, columns, lower, rules)
        cell = _build_cell(segment, over)
        below = _find_below(levels, cell.first, cell.last)
        same = below and (below.first, below.last) == (cell.first, cell.last)
        if below and same and _continues(segment, below, columns, rules):
            below.text = join_words(segment.text, below.text, broken=segment.broken)
            below.top, below.certain = segment.base, below.certain and index not in doubted
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


def _spread(
    index: int, row: Row, columns: Sequence[Column], below: Sequence[HeaderCell], rules: Rules
) -> tuple[int, int]:
    """Return the columns that a segment of a header row covers."""
    segment = row.segments[index]
    first, last = place_segment(segment, columns)
    if first == 0:
        return 0, 0 if segment.x1 < columns[0].x1 or len(columns) < 2 else last
    lower = next((cell for cell in below if _stands_on(segment, cell, columns, rules)), None)
    if lower:
        return lower.first, lower.last
    low, high = 1, len(columns) - 1
    if index:
        low = max(low, place_segment(row.segments[index - 1], columns)[1] + 1)
    if index + 1 < len(row.segments):
        high = min(high, place_segment(row.segments[index + 1], columns)[0] - 1)
    limits = (min(low, first), max(high, last))
    ruled = _find_ruled(segment, columns, rules)
    if ruled and limits[0] <= ruled[0] <= first and last <= ruled[1] <= limits[1]:
        return ruled
    own = sum(place_segment(s, columns)[0] > 0 for s in row.segments)
    return _centre(segment, (first, last), limits, columns, below, alone=own == 1)


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


_Way = tuple[float, tuple[tuple[int, int], ...]]
"""How far segments are from the middle of their columns in all, and these columns."""


def _share_out(
    row: Row, columns: Sequence[Column], below: Sequence[HeaderCell], rules: Rules
) -> tuple[dict[int, tuple[int, int]], set[int]]:
    """Return which columns each segment covers if together they cover all cells below them.

    Two segments or more, each in the middle of its columns, share these out: "2024" and "2023" over
    "Q1 | Q2 | Q1 | Q2" have two columns each. No columns are returned if they do not fit, or if a
    segment may be the upper line of a cell and the cells below the segments differ; those segments
    are the second result, and in doubt.
    """
    places = [(i, s, place_segment(s, columns)) for i, s in enumerate(row.segments)]
    own = [place for place in places if place[2][0] > 0]
    named = {column for cell in below for column in range(max(1, cell.first), cell.last + 1)}
    if len(own) < 2 or len(named) <= len(own):
        return {}, set()
    segments = [(segment, over) for _, segment, over in own]
    ways = [_find_way(segments, columns, below, named, kind) for kind in range(_KINDS)]
    cost, groups = min(ways)
    names = {
        tuple(cell.text for cell in below if first <= cell.first <= last) for first, last in groups
    }
    upper = {
        index: cell.first + cell.last == sum(group)
        for (index, segment, _), group in zip(own, groups, strict=False)
        for cell in below
        if _stands_on(segment, cell, columns, rules)
    }
    if cost == _NONE or not all(upper.values()):
        return {}, set()
    if upper and len(names) > 1:
        return {}, set(upper)
    return dict(zip([index for index, _, _ in own], groups, strict=True)), set()


def _find_way(
    segments: Sequence[tuple[Segment, tuple[int, int]]],
    columns: Sequence[Column],
    below: Sequence[HeaderCell],
    named: set[int],
    kind: int,
) -> _Way:
    """Return the best way from the left to the right, with the middles of one ``kind``.

    Columns in front of the first segment may be left out: they have labels of rows.
    """
    ways: dict[int, _Way] = {
        end: (float(len(named.intersection(range(end + 1)))), ())
        for end in range(segments[0][1][0])
    }
    for segment, (first, last) in segments:
        longer: dict[int, _Way] = {}
        for end, (cost, groups) in ways.items():
            start = next((i for i in range(end + 1, first) if i in named), first)
            for stop in range(max(start, last), len(columns)):
                off = _list_offsets(segment, (start, stop), columns, below)[kind] / segment.size
                if end < first and off < _CENTRED and cost + off < longer.get(stop, (_NONE,))[0]:
                    longer[stop] = cost + off, (*groups, (start, stop))
        ways = longer
    whole = [way for end, way in ways.items() if named.isdisjoint(range(end + 1, len(columns)))]
    return min(whole, default=(_NONE, ()))


def _measure(
    segment: Segment, over: tuple[int, int], columns: Sequence[Column], below: Sequence[HeaderCell]
) -> float:
    """Return how far a segment is from the middle of columns, or of the cells over them."""
    return min(_list_offsets(segment, over, columns, below)[:3])


def _list_offsets(
    segment: Segment, over: tuple[int, int], columns: Sequence[Column], below: Sequence[HeaderCell]
) -> tuple[float, ...]:
    """Return how far a segment is from the middles of columns: of their texts, of the cells below.

    Then of the drawn cells, should amounts be at their right or at their left.
    """
    first, last = over
    middle = (segment.x0 + segment.x1) / 2
    inner = [cell.middle for cell in below if cell.first >= first and cell.last <= last]
    edges = (columns[first].x0 + columns[last].x1) / 2
    shown = (min(inner) + max(inner)) / 2 if inner else edges
    # Where amounts are at the right of their cells, a cell begins where the one before ends.
    start = columns[first - 1].x1 if first > 1 else 2 * columns[first].x1 - columns[last].x1
    if first == 1 and last > first:
        start = columns[first].x1 - (columns[last].x1 - columns[first].x1) / (last - first)
    right = (start + columns[last].x1) / 2
    end = columns[last + 1].x0 if last + 1 < len(columns) else columns[last].x1
    if last > first and last + 1 == len(columns):
        end = columns[last].x0 + (columns[last].x0 - columns[first].x0) / (last - first)
    left = (columns[first].x0 + end) / 2
    return tuple(abs(place - middle) for place in (edges, shown, right, left))


def _find_ruled(
    segment: Segment, columns: Sequence[Column], rules: Rules
) -> tuple[int, int] | None:
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
    even = [g for g in groups if _measure(segment, g, columns, ()) < 0.6 * segment.size]
    return max(even, key=lambda group: group[1] - group[0], default=None)


def _join_pieces(pieces: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    joined = list(pieces[:1])
    for x0, x1 in pieces[1:]:
        if x0 <= joined[-1][1] + 0.6:
            joined[-1] = joined[-1][0], max(joined[-1][1], x1)
        else:
            joined.append((x0, x1))
    return joined


def _centre(
    segment: Segment,
    over: tuple[int, int],
    limits: tuple[int, int],
    columns: Sequence[Column],
    below: Sequence[HeaderCell],
    *,
    alone: bool,
) -> tuple[int, int]:
    """Return the columns around ``over`` in whose middle a segment is.

    A heading alone on its line, set apart from the cells below it, covers as many as it can.
    """
    size = segment.size
    groups = [
        (first, last)
        for first in range(limits[0], over[0] + 1)
        for last in range(over[1], limits[1] + 1)
    ]
    near = [group for group in groups if _measure(segment, group, columns, below) < 0.6 * size]
    apart = min((cell.top for cell in below), default=0.0) - segment.base > _IN_CELL * size
    if alone and apart and near:
        return max(near, key=lambda group: group[1] - group[0])
    if over[0] == over[1] and _measure(segment, over, columns, below) <= 1.2 * size:
        return over
    best = min(
        groups,
        key=lambda g: (round(_measure(segment, g, columns, below) / size), g[1] - g[0]),
    )
    return best if _measure(segment, best, columns, below) < 1.2 * size else over
