"""Tables whose cells are drawn: with rules between all columns and between all rows.

A cell is what lies between four rules; where a rule is missing, cells are one. The words in a cell
are its text, on however many lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from foundry.readers.grids import GridCell
from foundry.readers.pdf.lines import Row, build_rows, join_words
from foundry.readers.pdf.rules import Rules
from foundry.readers.pdf.tables.columns import Column
from foundry.readers.pdf.tables.regions import PageTable, close_signs
from foundry.readers.pdf.words import Word
from foundry.records import Box

# Points, guesses: rules that meet may miss each other by a line's width.
_TOUCH = 2.5
_MIN_LENGTH = 8.0
_COVERED = 0.6
"""Share of a cell's side that a rule covers."""
_MAX_LINES = 400
"""Most rules that are compared with each other, against drawings."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A rule from ``start`` to ``end`` at ``place``."""

    start: float
    end: float
    place: float


def take_ruled_tables(rows: Sequence[Row], rules: Rules) -> tuple[list[Row], list[PageTable]]:
    """Return the rows outside of ruled tables, and these tables from top to bottom."""
    tables: list[PageTable] = []
    rest = list(rows)
    for across, down in _find_lattices(rules):
        table, outside = _build_table(rest, across, down)
        if table:
            tables.append(table)
            rest = outside
    return rest, sorted(tables, key=lambda table: table.box.y0)


def insert_tables(
    groups: list[list[Row]], tables: Sequence[PageTable]
) -> list[list[Row | PageTable]]:
    """Return groups of rows with the tables put where they stand among them."""
    placed: list[list[Row | PageTable]] = [list(group) for group in groups]
    for table in tables:
        best = min(placed, key=lambda group: _measure_distance(group, table.box), default=None)
        if best is None:
            best = []
            placed.append(best)
        above = sum(_get_top(part) <= table.box.y0 for part in best)
        best.insert(above, table)
    return placed


def _measure_distance(group: Sequence[Row | PageTable], box: Box) -> float:
    """Return how far a box is from the rows of a group, across and down."""
    boxes = [part.box for part in group]
    left, right = min(b.x0 for b in boxes), max(b.x1 for b in boxes)
    top, bottom = min(b.y0 for b in boxes), max(b.y1 for b in boxes)
    across = max(0.0, left - box.x1, box.x0 - right)
    return across + max(0.0, top - box.y1, box.y0 - bottom)


def _get_top(part: Row | PageTable) -> float:
    return part.box.y0


def _find_lattices(rules: Rules) -> list[tuple[list[_Line], list[_Line]]]:
    """Return groups of rules that meet, if they form at least two rows and two columns."""
    across, down = _merge(rules.across), _merge(rules.down)
    if len(across) < 3 or len(down) < 3 or len(across) + len(down) > _MAX_LINES:
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
        if len({line.place for line in group[0]}) > 2 and len({x.place for x in group[1]}) > 2:
            groups.append(group)
    return groups


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
        self.across, self.down = across, down
        self.xs = sorted({line.place for line in down})
        self.ys = sorted({line.place for line in across})
        self.width, self.height = len(self.xs) - 1, len(self.ys) - 1
        self._parent = list(range(self.width * self.height))
        for row in range(self.height):
            for column in range(self.width):
                if column and not self._has_side(row, column):
                    self._unite(row, column, row, column - 1)
                if row and not self._has_top(row, column):
                    self._unite(row, column, row - 1, column)

    @property
    def box(self) -> Box:
        """The place of the table on its page."""
        return Box(self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])

    def find(self, word: Word) -> int | None:
        """Return the cell in which a word stands, None outside of the table."""
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

    def _has_side(self, row: int, column: int) -> bool:
        low, high = self.ys[row], self.ys[row + 1]
        return _is_covered(self.down, self.xs[column], low, high)

    def _has_top(self, row: int, column: int) -> bool:
        low, high = self.xs[column], self.xs[column + 1]
        return _is_covered(self.across, self.ys[row], low, high)

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
        for segment in row.segments:
            for word in segment.words:
                cell = lattice.find(word)
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
    if len({lattice.list_spans()[cell][:2] for cell in texts}) < 4:
        return None, list(rows)
    return _write_table(lattice, texts, inside), outside


def _write_table(lattice: _Lattice, texts: dict[int, list[Word]], rows: list[Row]) -> PageTable:
    spans = lattice.list_spans()
    cells = []
    for cell, words in texts.items():
        row, column, high, wide = spans[cell]
        lines = build_rows(words)
        bold = all(word.bold for word in words)
        cells.append(GridCell(close_signs(_join(lines)), row, column, high, wide, bold=bold))
    columns = [Column(a, b) for a, b in zip(lattice.xs, lattice.xs[1:], strict=False)]
    return PageTable(cells, lattice.box, columns, 0, rows=rows)


def _join(lines: Sequence[Row]) -> str:
    text = lines[-1].text
    for line in reversed(lines[:-1]):
        text = join_words(line.text, text, broken=line.segments[-1].broken)
    return text
