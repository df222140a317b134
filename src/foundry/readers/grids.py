"""A grid of cells, as a reader finds it → a table whose values have their labels.

Structure is found by form: marks in the file, types of cells, spans, indentation. A row made of
amounts never labels others. Where the structure is in doubt there are fewer labels, and the
table says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from foundry.readers.grid_cells import GridCell, tidy_cells
from foundry.readers.grid_header import GridHeader, find_header
from foundry.readers.grid_rows import find_fields, find_row_paths
from foundry.readers.grid_units import split_caption
from foundry.records import Labels, Table, TableCell

__all__ = ["Grid", "GridCell", "GridReading", "GridValue", "build_cells", "read_grid"]

CELL_BREAK = " | "


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of one table; ``lines_above`` are the lines before it, nearest last."""

    cells: Sequence[GridCell]
    caption: str | None = None
    lines_above: Sequence[str] = ()
    notes: Sequence[str] = ()


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


@dataclass(frozen=True, slots=True)
class GridReading:
    """What a grid says. ``rows`` are its tidy cells, row by row; the first ``header`` name columns."""

    title: str | None = None
    unit: str | None = None
    notes: tuple[str, ...] = ()
    rows: tuple[tuple[GridCell, ...], ...] = ()
    header: int = 0
    values: tuple[GridValue, ...] = field(default=())
    certain: bool = True

    def write(self, offset: int = 0) -> tuple[str, Table | None]:
        """The text of the table's block, one line per row, and the table with offsets into it.

        ``offset`` is where the block begins in the source text.
        """
        lines: list[str] = []
        places: dict[int, int] = {}
        for row in self.rows:
            words = [""] * (row[-1].column + 1)
            start = offset
            for cell in row:
                words[cell.column] = cell.text
                before = CELL_BREAK.join([*words[: cell.column], ""])
                places[id(cell)] = start + len(before)
            lines.append(CELL_BREAK.join(words))
            offset += len(lines[-1]) + 1
        spans = {
            key: (start, start + len(cell.text))
            for row in self.rows
            for cell in row
            for key, start in [(id(cell), places[id(cell)])]
        }
        return "\n".join(lines), self.build_table(spans, tuple(lines[: self.header]))

    def build_table(
        self, spans: dict[int, tuple[int, int]], header: tuple[str, ...]
    ) -> Table | None:
        """The table, with the span of each cell by its ``id``; None without values."""
        if not self.values:
            return None
        cells = (
            TableCell(value.row, value.column, value.cell.text, *spans[id(value.cell)])
            for value in self.values
        )
        ordered = tuple(sorted(cells, key=lambda cell: cell.start))
        return Table(self.title, self.unit, self.notes, ordered, self.certain, header)


def read_grid(grid: Grid) -> GridReading:
    """Find what the rows and columns of a grid are called, and label every value with it."""
    cells = tidy_cells(grid.cells)
    if not cells:
        return GridReading()
    header = find_header(cells)
    fields = None if header.height else find_fields(header.rows)
    if fields is not None:
        values = tuple(_label_fields(header.rows, fields))
        header.certain = True
    else:
        values = tuple(_label_values(header, find_row_paths(header)))
    title, unit = split_caption(grid.caption, grid.lines_above, header.titles, header.corner)
    return GridReading(
        title=title,
        unit=unit,
        notes=tuple(grid.notes),
        rows=tuple(tuple(row) for row in header.rows if row),
        header=header.height,
        values=values,
        certain=header.certain,
    )


def _label_fields(
    rows: Sequence[Sequence[GridCell]], fields: dict[int, Labels]
) -> Iterator[GridValue]:
    for row in rows:
        for cell in row:
            if id(cell) in fields:
                yield GridValue(cell, fields[id(cell)], ())


def _label_values(header: GridHeader, paths: Sequence[Labels]) -> Iterator[GridValue]:
    for number in range(header.height, len(header.rows)):
        for cell in header.rows[number]:
            if header.is_label(cell):
                continue
            for row in range(cell.row, cell.row + cell.row_span):
                for column in header.list_columns(cell):
                    yield GridValue(cell, paths[row], header.get_path(row, column))
