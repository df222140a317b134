"""Tables whose cells are drawn: with rules between all columns and between all rows.

A cell is what lies between four rules; where a rule is missing, cells are one. The words in a cell
are its text, on however many lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from foundry.readers.grids import GridCell
from foundry.readers.pdf.lines import SAME_LINE, Row, Segment, build_rows, join_words
from foundry.readers.pdf.rules import Rules
from foundry.readers.pdf.tables.cells import (
    CENTRED,
    PageTable,
    build_body,
    close_signs,
    write_body,
    write_header,
)
from foundry.readers.pdf.tables.columns import Column, is_amount, place_segment
from foundry.readers.pdf.tables.header import build_header
from foundry.readers.pdf.words import Word
from foundry.records import Box

# Points, guesses: rules that meet may miss each other by a line's width.
_TOUCH = 2.5
_MIN_LENGTH = 8.0
_COVERED = 0.6
"""Share of a cell's side that a rule covers."""
_DOUBTFUL = 0.2
"""Share of the cells of a column with columns of their own from which rules are no cells. A guess."""
_LEFTS = 0.34
"""Most places where row labels begin, relative to their number, if indentation tells them apart. A
guess."""
_MAX_LINES = 400
"""Most rules that are compared with each other, against drawings."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A rule from ``start`` to ``end`` at ``place``."""

    start: float
    end: float
    place: float


Lattices = list[tuple[list[_Line], list[_Line]]]


def place_ruled_tables(rows: Sequence[Row], lattices: Lattices) -> list[Row | PageTable]:
    """Return rows from top to bottom, those of ruled tables replaced by the tables."""
    tables: list[PageTable] = []
    rest = list(rows)
    for across, down in lattices:
        table, outside = _build_table(rest, across, down)
        if table:
            tables.append(table)
            rest = outside
    placed: list[Row | PageTable] = list(rest)
    for table in tables:
        above = sum(part.box.y0 <= table.box.y0 for part in placed)
        placed.insert(above, table)
    return placed


def measure_lattices(lattices: Lattices) -> list[Box]:
    """Return the places of ruled tables on their page."""
    boxes = []
    for across, down in lattices:
        xs, ys = [line.place for line in down], [line.place for line in across]
        boxes.append(Box(min(xs), min(ys), max(xs), max(ys)))
    return boxes


def find_lattices(rules: Rules) -> list[tuple[list[_Line], list[_Line]]]:
    """Return groups of rules that meet, if they form at least two rows and two columns."""
    across, down = _merge(rules.across), _merge(rules.down)
    if len(across) < 2 or not down or len(across) + len(down) > _MAX_LINES:
        return []
    groups: list[tuple[list[_Line], list[_Line]]] = []
    waiting = set(range(len(down)))
    free = set(range(len(across)))
    while waiting:
        todo = [waiting.pop()]
        group: tuple[list[_Line], list[_Line]] = ([], [])
        while todo:
            line = down[todo.pop()]
            group[1].append(line)
            for index in [i for i in free if _meet(across[i], line)]:
                free.remove(index)
                group[0].append(across[index])
                linked = [j for j in waiting if _meet(across[index], down[j])]
                waiting.difference_update(linked)
                todo += linked
        if not group[0]:
            continue
        closed = (
            [*group[0], *_find_open_sides(group[1], group[0])],
            [*group[1], *_find_open_sides(group[0], group[1])],
        )
        if all(len({line.place for line in lines}) > 2 for lines in closed):
            groups.append(closed)
    return groups


def _find_open_sides(lines: Sequence[_Line], others: Sequence[_Line]) -> list[_Line]:
    """Return the sides of a table without a rule, where most of the rules across them end."""
    starts, ends = [line.start for line in lines], [line.end for line in lines]
    sides = []
    for edge, places in ((min(starts), starts), (max(ends), ends)):
        own = [
            line.place
            for line, place in zip(lines, places, strict=True)
            if abs(place - edge) <= _TOUCH
        ]
        far = all(abs(other.place - edge) > _MIN_LENGTH for other in others)
        if far and len(set(own)) > max(1, 0.5 * len({line.place for line in lines})):
            sides.append(_Line(min(own), max(own), edge))
    return sides


def _merge(lines: Iterable[tuple[float, float, float]]) -> list[_Line]:
    """Join pieces of rules, and rules that are drawn twice."""
    merged: list[_Line] = []
    place = -1e9
    ordered = []
    for start, end, at in sorted(lines, key=lambda line: line[2]):
        place = at if at - place > _TOUCH / 2 else place
        ordered.append((place, start, end))
    for at, start, end in sorted(ordered):
        last = merged[-1] if merged else None
        if last and last.place == at and start - last.end <= _TOUCH:
            merged[-1] = _Line(last.start, max(last.end, end), at)
        else:
            merged.append(_Line(start, end, at))
    return [line for line in merged if line.end - line.start >= _MIN_LENGTH]


def _meet(across: _Line, down: _Line) -> bool:
    return (
        across.start - _TOUCH <= down.place <= across.end + _TOUCH
        and down.start - _TOUCH <= across.place <= down.end + _TOUCH
    )


class _Lattice:
    """The elementary cells between rules, and which of them are one cell."""

    def __init__(self, across: Sequence[_Line], down: Sequence[_Line]) -> None:
        self.xs = sorted({line.place for line in down})
        self.ys = sorted({line.place for line in across})
        self.width, self.height = len(self.xs) - 1, len(self.ys) - 1
        self._parent = list(range(self.width * self.height))
        for row in range(self.height):
            for column in range(self.width):
                x, y = self.xs[column], self.ys[row]
                if column and not _is_covered(down, x, y, self.ys[row + 1]):
                    self._unite(row, column, row, column - 1)
                if row and not _is_covered(across, y, x, self.xs[column + 1]):
                    self._unite(row, column, row - 1, column)

    @property
    def box(self) -> Box:
        """The place of the table on its page."""
        return Box(self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])

    def find(self, word: Word) -> int | None:
        """Return the cell around a word, None outside the table."""
        x, y = (word.x0 + word.x1) / 2, word.base - 0.3 * word.size
        column, row = bisect_right(self.xs, x) - 1, bisect_right(self.ys, y) - 1
        if not (0 <= row < self.height and 0 <= column < self.width):
            return None
        return self._root(row * self.width + column)

    def list_spans(self) -> dict[int, tuple[int, int, int, int]]:
        """Return for each cell its first row and column and how many it covers."""
        members: dict[int, list[tuple[int, int]]] = {}
        for index in range(self.width * self.height):
            place = divmod(index, self.width)
            members.setdefault(self._root(index), []).append(place)
        spans = {}
        for root, places in members.items():
            rows, columns = [row for row, _ in places], [column for _, column in places]
            high, wide = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
            spans[root] = (min(rows), min(columns), high, wide)
        return spans

    def _unite(self, row: int, column: int, other_row: int, other_column: int) -> None:
        one = self._root(row * self.width + column)
        two = self._root(other_row * self.width + other_column)
        self._parent[max(one, two)] = min(one, two)

    def _root(self, index: int) -> int:
        while self._parent[index] != index:
            index = self._parent[index]
        return index


def _is_covered(lines: Sequence[_Line], place: float, low: float, high: float) -> bool:
    covered = sum(
        max(0.0, min(line.end, high) - max(line.start, low))
        for line in lines
        if line.place == place
    )
    return covered >= _COVERED * (high - low)


def _build_table(
    rows: Sequence[Row], across: Sequence[_Line], down: Sequence[_Line]
) -> tuple[PageTable | None, list[Row]]:
    lattice = _Lattice(across, down)
    texts: dict[int, list[Word]] = {}
    outside: list[Row] = []
    inside: list[Row] = []
    for row in rows:
        kept = []
        heading = _find_heading(row, lattice)
        for segment in row.segments:
            for word in segment.words:
                cell = lattice.find(word) if heading is None else heading
                if cell is None:
                    kept.append(word)
                else:
                    texts.setdefault(cell, []).append(word)
        if len(kept) == len(row.words):
            outside.append(row)
            continue
        inside.append(row)
        if kept:
            outside += build_rows(kept)
    spans = lattice.list_spans()
    places = [spans[cell][:2] for cell in texts]
    if any(len(set(sides)) < 2 for sides in zip(*places, strict=True)) or not texts:
        return None, list(rows)
    cut = Counter(spans[cell][1] for cell, words in texts.items() if _is_cut(words))
    whole = Counter(column for _, column in places)
    if any(count > max(1, _DOUBTFUL * whole[column]) for column, count in cut.items()):
        return None, list(rows)
    header = _take_header(outside, lattice)
    if header is None:
        return None, list(rows)
    rest = [part for row in outside for part in _leave(row, header)]
    return _write_table(lattice, texts, [*header, *inside], header), rest


def _find_heading(row: Row, lattice: _Lattice) -> int | None:
    """Return the cell for a text alone in the middle of a table that runs across rules between columns."""
    cells = [lattice.find(word) for word in row.words]
    middle = abs(row.x0 + row.x1 - lattice.xs[0] - lattice.xs[-1]) / 2
    crossed = any(row.x0 < x < row.x1 for x in lattice.xs)
    if len(row.segments) > 1 or not crossed or None in cells or is_amount(row.text):
        return None
    return cells[0] if middle < CENTRED * row.size else None


def _leave(row: Row, header: Sequence[Row]) -> list[Row]:
    """Return what is left of a row that is partly in a header."""
    taken = {id(segment) for part in header for segment in part.segments}
    kept = [segment for segment in row.segments if id(segment) not in taken]
    return [Row(kept, row.led)] if kept else []


def _is_cut(words: list[Word]) -> bool:
    """Whether the words of a cell are in columns of their own, so that it is no cell."""
    return any(
        right.x0 - left.x1 > 3 * right.size
        for row in build_rows(words)
        for left, right in pairwise(row.segments)
    )


def _take_header(rows: Sequence[Row], lattice: _Lattice) -> list[Row] | None:
    """Return the rows right above a table that name its columns; None if they have other ones."""
    columns = [Column(a, b) for a, b in pairwise(lattice.xs)]
    left, top, right = lattice.xs[0] - 2, lattice.ys[0], lattice.xs[-1] + 2
    header: list[Row] = []
    for row in reversed([row for row in rows if row.base < top]):
        segments = [s for s in row.segments if left <= s.x0 and s.x1 <= right]
        over = bool(header and segments) and segments[0].x0 > columns[0].x1
        if top - row.base > 1.8 * row.size or (len(segments) < 2 and not over):
            break
        places = [place_segment(segment, columns) for segment in segments]
        if not all(one[1] < two[0] for one, two in pairwise(places)):
            return None if len(segments) > 2 else header
        header.insert(0, Row(segments))
        top = row.base - 0.8 * row.size
    return header


def _write_table(
    lattice: _Lattice, texts: dict[int, list[Word]], rows: list[Row], header: Sequence[Row]
) -> PageTable:
    spans = lattice.list_spans()
    columns = [Column(a, b) for a, b in pairwise(lattice.xs)]
    levels, doubtful = build_header(header, columns, Rules())
    bands: dict[int, list[list[Row]]] = {}
    for cell, words in texts.items():
        if spans[cell][2] == 1:
            bands.setdefault(spans[cell][0], []).append(build_rows(words))
    bodies = {
        number: build_body(_align(lines), columns, Rules())
        for number, lines in bands.items()
        if _holds_rows(lines)
    }
    heights = (len(bodies.get(number, "1")) for number in range(lattice.height))
    starts = list(accumulate(heights, initial=len(levels)))
    cells = write_header(levels)
    for cell, words in texts.items():
        row, column, high, wide = spans[cell]
        if high > 1 or row not in bodies:
            cells.append(
                GridCell(
                    close_signs(_join(build_rows(words))),
                    starts[row],
                    column,
                    starts[row + high] - starts[row],
                    wide,
                    indent=min(word.x0 for word in words),
                    bold=all(word.bold for word in words),
                )
            )
    for number, body in bodies.items():
        cells += write_body(body, starts[number])
    settled = _settle_indents(cells)
    return PageTable(
        settled, lattice.box, columns, len(levels), rows, doubtful=doubtful, drawn=True
    )


def _holds_rows(cells: Sequence[Sequence[Row]]) -> bool:
    """Whether drawn cells side by side hold several rows: amounts below each other on the same lines.

    Each cell is given as its lines.
    """
    stacks = [
        [line.base for line in lines]
        for lines in cells
        if len(lines) > 1 and all(is_amount(line.text) for line in lines)
    ]
    size = max(line.size for lines in cells for line in lines)
    others = [[line.base for line in lines] for lines in cells if len(lines) > 1]
    return any(
        sum(all(_is_near(base, other, size) for base in stack) for other in others) > 1
        for stack in stacks
    )


def _is_near(base: float, others: Sequence[float], size: float) -> bool:
    return any(abs(base - other) <= SAME_LINE * size for other in others)


def _align(cells: Sequence[Sequence[Row]]) -> list[Row]:
    """Return the lines of cells side by side, those on one baseline as one row."""
    segments = [Segment(line.words) for lines in cells for line in lines]
    rows: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda segment: segment.base):
        if rows and segment.base - rows[-1][0].base <= SAME_LINE * segment.size:
            rows[-1].append(segment)
        else:
            rows.append([segment])
    return [Row(sorted(row, key=lambda segment: segment.x0)) for row in rows]


def _settle_indents(cells: Sequence[GridCell]) -> list[GridCell]:
    """Return cells with the indentation of row labels that begin in few places, unlike centred ones."""
    labels = [cell for cell in cells if not cell.column and cell.column_span == 1]
    lefts = [round(cell.indent) for cell in labels]
    kept = len(set(lefts)) <= max(1, _LEFTS * len(lefts))
    edge = min(lefts, default=0)
    own = {id(cell) for cell in labels} if kept else set()
    return [
        replace(cell, indent=max(0.0, cell.indent - edge) if id(cell) in own else 0.0)
        for cell in cells
    ]


def _join(lines: Sequence[Row]) -> str:
    text = lines[-1].text
    for line in reversed(lines[:-1]):
        text = join_words(line.text, text, broken=line.segments[-1].broken)
    return text
