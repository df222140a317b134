"""Turns the rows of a sheet into titles and tables.

A sheet is a series of regions separated by empty rows. A region may start with titles, which are
rows with one cell. One empty row does not end a table, nor do empty rows below a header. Rows are
streamed; a long table is read in batches that share its header.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from foundry.messages import Message
from foundry.readers.document_builder import DocumentBuilder, read_cells
from foundry.readers.grid_cells import classify
from foundry.readers.grids import CELL_BREAK, GridCell

_BATCH = 1000
"""Rows that are read as one grid. A guess: far more than the header needs."""
_MAX_LABELLED = 300_000
"""Cells of a file whose labels are kept apart, at some 300 bytes each; later rows name their values
in the text."""
_BLOCK_CHARACTERS = 1200
"""Longest block of rows that name their values, about the size of a chunk."""
_FEW = 3
"""Most rows with one cell that are titles without a table below them. A guess."""
_MAX_HEADER = 5
"""Most rows of a header that empty rows separate from its values. A guess."""
_HEAD_CHARACTERS = 2000
"""Text kept to find a revision mark: about the first page."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """The cells of a row as text; ``spans`` has (rows, columns) of those that are merged."""

    cells: Sequence[str]
    spans: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    @property
    def filled(self) -> list[int]:
        """The columns that are not empty."""
        return [column for column, cell in enumerate(self.cells) if cell.strip()]

    def place(self, number: int) -> Iterator[GridCell]:
        """The cells as row ``number`` of a grid."""
        for column in self.filled:
            down, across = self.spans.get(column, (1, 1))
            text = self.cells[column]
            yield GridCell(text, number, column, down, across, len(text) - len(text.lstrip()))


class SheetWriter:
    """Writes one sheet into a document, up to ``room`` characters."""

    def __init__(self, builder: DocumentBuilder, name: str | None, room: int, labelled: int = 0):
        """``name`` becomes the heading; ``labelled`` counts the cells of earlier sheets.

        After ``write``, ``head`` is the first text and ``title`` a title above all tables.
        """
        self._builder = builder
        self._name = name
        self._room = room
        self._rows: list[SheetRow] = []
        self._header: list[GridCell] = []
        self._continued = False
        self._has_heading = False
        self.labelled = labelled
        self.written = 0
        self.head = ""
        self.title: str | None = None

    def write(self, rows: Iterable[SheetRow]) -> None:
        """Write all rows, or warn where the sheet was cut off."""
        gap = 0
        for number, region in _split_regions(rows):
            if self.written >= self._room:
                self._warn_cut(number)
                break
            if not region:
                gap += 1
                continue
            self._take(region, gap)
            gap = 0
        self._flush()

    def _take(self, region: list[SheetRow], gap: int) -> None:
        if gap and not self._goes_on(region, gap):
            self._flush()
        if not self._rows and not self._continued:
            for row in _take_titles(region):
                self._put(row.cells[row.filled[0]])
        self._rows += region
        if len(self._rows) >= _BATCH:
            self._write_batch()
            self._continued = True

    def _goes_on(self, region: Sequence[SheetRow], gap: int) -> bool:
        """Whether rows after a gap belong to the table above it."""
        if not self._rows or len(region[0].filled) < 2:
            return False
        above = {column for row in self._rows for column in row.filled}
        numbers = {column for row in self._rows for column in row.filled if _is_number(row, column)}
        first = region[0]
        if not numbers:
            values = {column for column in first.filled if _is_number(first, column)}
            return bool(values) and len(self._rows) <= _MAX_HEADER and values <= above
        renames = any(not _is_number(first, column) for column in first.filled if column in numbers)
        within = set(first.filled) <= above
        return within and not renames and (gap == 1 or len(region) == 1)

    def _flush(self) -> None:
        if self._rows:
            self._write_batch()
        self._header, self._continued = [], False

    def _write_batch(self) -> None:
        self._start()
        rows, self._rows = self._rows, []
        if self.labelled >= _MAX_LABELLED:
            self._write_named(rows)
            return
        parts = [rows] if self._continued else _split_side_by_side(rows)
        header, self._header = self._header, []
        for part in parts:
            cells = list(header)
            for number, row in enumerate(part, len(header)):
                cells += row.place(number)
            self.labelled += len(cells)
            reading = read_cells(cells)
            self._builder.add_table(reading, continued=self._continued)
            text = "\n".join(CELL_BREAK.join(filter(None, row.cells)) for row in part)
            self._count(text)
            if len(parts) == 1:
                self._header = [cell for row in reading.rows[: reading.header] for cell in row]

    def _write_named(self, rows: Iterable[SheetRow]) -> None:
        """Write rows that name their values: "Part: R12 | Value: 10 kΩ"."""
        names = {cell.column: cell.text for cell in self._header}
        lines: list[str] = []
        for row in rows:
            pairs = [(names.get(column), row.cells[column]) for column in row.filled]
            lines.append(
                CELL_BREAK.join(f"{name}: {text}" if name else text for name, text in pairs)
            )
            if sum(map(len, lines)) > _BLOCK_CHARACTERS:
                self._builder.add("table", "\n".join(lines))
                self._count("\n".join(lines))
                lines = []
        self._builder.add("table", "\n".join(lines))
        self._count("\n".join(lines))

    def _put(self, text: str) -> None:
        self._start()
        if not self.head:
            self.title = text
        self._builder.add("paragraph", text)
        self._count(text)

    def _start(self) -> None:
        if not self._has_heading and self._name:
            self._builder.add_heading(self._name, 1)
        self._has_heading = True

    def _count(self, text: str) -> None:
        self.written += len(text)
        if len(self.head) < _HEAD_CHARACTERS:
            self.head += text[:_HEAD_CHARACTERS].replace(CELL_BREAK, "  ") + "\n"

    def _warn_cut(self, number: int) -> None:
        place = Message("readers-sheet", name=self._name) if self._name else Message("readers-file")
        self._builder.warn(Message("readers-rows-cut", place=place, row=str(number)))


def _split_regions(rows: Iterable[SheetRow]) -> Iterator[tuple[int, list[SheetRow]]]:
    """Runs of filled rows, at most a batch long, each with its first number; [] for an empty row."""
    region: list[SheetRow] = []
    start = 0
    for number, row in enumerate(rows):
        if row.filled and len(region) < _BATCH:
            start = start if region else number
            region.append(row)
            continue
        if region:
            yield start, region
        region, start = ([row], number) if row.filled else ([], number)
        if not region:
            yield number, []
    if region:
        yield start, region


def _take_titles(region: list[SheetRow]) -> Iterator[SheetRow]:
    """Take the rows with one cell of words above a wider table, or a few such rows alone."""
    widest = max(len(row.filled) for row in region)
    if widest == 1 and len(region) <= _FEW:
        widest = 2
    first = min(column for row in region for column in row.filled)
    while region and widest > 1 and len(region[0].filled) == 1:
        row = region[0]
        column = row.filled[0]
        # A single name merged over later columns names a group of columns.
        if _is_number(row, column) or (column > first and column in row.spans):
            return
        yield region.pop(0)


def _is_number(row: SheetRow, column: int) -> bool:
    return classify(row.cells[column].strip()) in {"amount", "dash"}


def _split_side_by_side(rows: Sequence[SheetRow]) -> list[list[SheetRow]]:
    """The tables of a region from left to right, where an empty column separates them.

    Each has labels of its own; a column that only spaces the values of one table does not count.
    """
    width = max(len(row.cells) for row in rows)
    used = {column for row in rows for column in row.filled}
    for row in rows:
        for column, (_, across) in row.spans.items():
            used.update(range(column, column + across))
    for gap in range(2, width - 2):
        if gap in used or not {gap + 1, gap + 2} <= used or not {gap - 1, gap - 2} <= used:
            continue
        labels = [row for row in rows if gap + 1 in row.filled]
        numbers = sum(_is_number(row, gap + 1) for row in labels)
        if labels and not numbers and _has_numbers(rows, range(gap)):
            left = [_cut_row(row, 0, gap) for row in rows]
            right = [_cut_row(row, gap + 1, width) for row in rows]
            return [_drop_empty(left), *_split_side_by_side(_drop_empty(right))]
    return [list(rows)]


def _has_numbers(rows: Iterable[SheetRow], columns: range) -> bool:
    return any(
        _is_number(row, column) for row in rows for column in row.filled if column in columns
    )


def _cut_row(row: SheetRow, first: int, end: int) -> SheetRow:
    spans = {column - first: span for column, span in row.spans.items() if first <= column < end}
    return replace(row, cells=row.cells[first:end], spans=spans)


def _drop_empty(rows: Sequence[SheetRow]) -> list[SheetRow]:
    filled = [number for number, row in enumerate(rows) if row.filled]
    return list(rows[filled[0] : filled[-1] + 1]) if filled else []
