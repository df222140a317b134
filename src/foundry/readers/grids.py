"""A grid of cells, as a reader finds it → a table whose values have their labels.

Structure is found by form: marks in the file, types of cells, spans, indentation. A row made of
amounts never labels others. Where the structure is in doubt there are fewer labels, and the
values say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from foundry.readers.grid_cells import GridCell, tidy_cells
from foundry.readers.grid_header import GridHeader, GridShape, find_header
from foundry.readers.grid_rows import find_fields, find_row_paths
from foundry.records import Labels, Table, TableCell
from foundry.text.tables import find_unit_words, split_caption, spread_signs

__all__ = ["GridCell", "GridReading", "GridShape", "GridValue", "build_cells", "read_grid"]

CELL_BREAK = " | "


def build_cells(rows: Iterable[Iterable[str]]) -> list[GridCell]:
    """The cells of a grid without spans, given as rows of texts."""
    return [
        GridCell(text, number, column)
        for number, row in enumerate(rows)
        for column, text in enumerate(row)
    ]


@dataclass(frozen=True, slots=True)
class GridValue:
    """A value and the labels of its row and column."""

    cell: GridCell
    row: Labels
    column: Labels
    sign: str = ""
    certain: bool = True


@dataclass(frozen=True, slots=True)
class GridReading:
    """What a grid says. ``rows`` are its tidy cells, row by row; the first ``header`` name columns.

    ``titles`` are the rows above its header, ``corner`` the cells above its row labels. ``above`` has
    the lines of the header if ``rows`` go on without it (``continued``).
    """

    rows: tuple[tuple[GridCell, ...], ...] = ()
    header: int = 0
    values: tuple[GridValue, ...] = ()
    titles: tuple[str, ...] = ()
    corner: tuple[str, ...] = ()
    title: str | None = None
    unit: str | None = None
    above: tuple[str, ...] = ()
    continued: bool = False

    def name(self, lines_above: Sequence[str]) -> GridReading:
        """The same with its title and unit; ``lines_above`` are those before it, nearest last."""
        title, unit = split_caption(lines_above, self.titles, self.corner)
        return replace(self, title=title, unit=unit)

    def split(self, most: int, *, continued: bool = False) -> Iterator[GridReading]:
        """Parts whose text has at most ``most`` characters where rows allow it.

        ``continued`` leaves out the header, because the table has begun in another block.
        """
        header = tuple(_write_row(row) for row in self.rows[: self.header])
        first = self.header if continued else 0
        for end in self._find_ends(first, most):
            numbers = {cell.row for row in self.rows[first:end] for cell in row}
            yield replace(
                self,
                rows=self.rows[first:end],
                header=0 if continued else self.header,
                values=tuple(value for value in self.values if value.cell.row in numbers),
                above=header,
                continued=continued,
            )
            first, continued = end, True

    def _find_ends(self, first: int, most: int) -> list[int]:
        ends, size = [], 0
        for number in range(first, len(self.rows)):
            length = sum(len(cell.text) + len(CELL_BREAK) for cell in self.rows[number])
            if size + length > most and number > max(self.header, first):
                ends.append(number)
                size = 0
            size += length
        return [*ends, len(self.rows)] if first < len(self.rows) else ends

    def write(self, offset: int = 0) -> tuple[str, Table | None]:
        """The text of the table's block, one line per row, and the table with offsets into it.

        ``offset`` is where the block begins in the source text.
        """
        lines: list[str] = []
        spans: dict[int, tuple[int, int]] = {}
        for row in self.rows:
            for cell, place in _place_cells(row):
                spans[id(cell)] = (offset + place, offset + place + len(cell.text))
            lines.append(_write_row(row))
            offset += len(lines[-1]) + 1
        return "\n".join(lines), self.build_table(spans, self.above or tuple(lines[: self.header]))

    def build_table(
        self, spans: Mapping[int, tuple[int, int]], header: tuple[str, ...]
    ) -> Table | None:
        """The table, with the span of each cell by its ``id``; None without values."""
        if not self.values:
            return None
        cells = (
            TableCell(
                *(value.row, value.column, value.cell.text, *spans[id(value.cell)]),
                value.sign,
                value.certain,
            )
            for value in self.values
        )
        ordered = tuple(sorted(cells, key=lambda cell: cell.start))
        return Table(
            title=self.title,
            unit=self.unit,
            cells=ordered,
            header=header,
            corner=" ".join(text for text in self.corner if not find_unit_words(text)),
            continued=self.continued,
        )


def _place_cells(row: Sequence[GridCell]) -> Iterator[tuple[GridCell, int]]:
    """Each cell of a row and its offset in the row's line."""
    offset, column = 0, 0
    for cell in row:
        offset += len(CELL_BREAK) * (cell.column - column)
        yield cell, offset
        offset, column = offset + len(cell.text), cell.column


def _write_row(row: Sequence[GridCell]) -> str:
    words = [""] * (row[-1].column + 1)
    for cell in row:
        words[cell.column] = cell.text
    return CELL_BREAK.join(words)


def read_grid(grid: Iterable[GridCell], said: GridShape | None = None) -> GridReading:
    """Find what the rows and columns of a grid are called, and label every value with it.

    ``said`` is what a person says of them, in a tidy grid.
    """
    said = said or GridShape()
    cells = tidy_cells(grid)
    if not cells:
        return GridReading()
    found = find_header(cells, said)
    form = not found.height and said.columns is None
    fields = find_fields(found.rows) if form else None
    if fields is not None:
        values = tuple(_label_fields(found.rows, fields))
    else:
        values = tuple(_label_values(found, find_row_paths(found)))
    return GridReading(
        rows=tuple(tuple(row) for row in found.rows if row),
        header=found.height,
        values=values,
        titles=tuple(found.titles),
        corner=tuple(found.corner),
    )


def _label_fields(
    rows: Sequence[Sequence[GridCell]], fields: dict[int, Labels]
) -> Iterator[GridValue]:
    for row in rows:
        for cell in row:
            if id(cell) in fields:
                yield GridValue(cell, fields[id(cell)], (), certain=cell.certain)


def _label_values(header: GridHeader, paths: Sequence[Labels]) -> Iterator[GridValue]:
    columns: dict[int, list[GridCell]] = {}
    for cell in chain.from_iterable(header.rows[header.height :]):
        columns.setdefault(cell.column, []).append(cell)
    signs = {
        id(cell): sign
        for column in columns.values()
        for cell, sign in zip(column, spread_signs([cell.text for cell in column]), strict=True)
    }
    for number in range(header.height, len(header.rows)):
        for cell in header.rows[number]:
            if header.is_label(cell):
                continue
            for row in range(cell.row, cell.row + cell.row_span):
                for column in header.list_columns(cell):
                    labels = paths[row], header.get_path(row, column)
                    certain = cell.certain and header.is_certain(row, column)
                    yield GridValue(cell, *labels, signs[id(cell)], certain)
