"""A table on a page: its lines joined to rows, their segments to cells, these as a grid has them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median

from foundry.readers.document_builder import read_cells
from foundry.readers.grids import GridCell, GridReading
from foundry.readers.pdf.lines import Row, Segment, join_words
from foundry.readers.pdf.rules import Rules
from foundry.readers.pdf.tables.columns import (
    Column,
    cut_segment,
    has_values,
    is_amount,
    place_segment,
)
from foundry.readers.pdf.tables.header import HeaderCell
from foundry.readers.pdf.tables.merged import find_merged
from foundry.readers.pdf.tables.spans import Grid
from foundry.records import Box

_SAME_LINE = 0.5
"""Distance of cells that are higher or lower in one row, relative to the size of print. A
guess."""
_SAME_ROW = 0.95
"""Distance of lines in one row, relative to that of the rows. A guess."""
_GAP = re.compile(r"(?<=[^\d)])\s+|\s+(?=[^\d(])|(?<=\d)\s+(?=\()")
_NUMBERS = re.compile(r"\S*\d\S*(?:\s+(?!\d{3}(?!\d))[^\s\w]*\d\S*)+")
CENTRED = 1.5
"""Distance of a heading of rows from the middle of its table, relative to the size of print. A
guess."""
_ALIGNED = 0.7
"""Distance of a heading from the edges and the middle of a column, relative to the size. A guess."""
_DEEPER = 0.4
"""Indentation of a continued label, relative to the size of print. A guess."""


@dataclass(slots=True)
class PageTable:
    """A table on a page: its cells, its place, its columns, and how many rows its header has.

    ``continued`` is the table on the page before that it goes on with. ``doubtful`` are the columns
    whose labels are in doubt. ``drawn`` if rules make its cells.
    """

    cells: list[GridCell]
    box: Box
    columns: list[Column]
    header: int
    rows: list[Row] = field(default_factory=list)
    continued: PageTable | None = None
    lines_above: tuple[str, ...] = ()
    doubtful: frozenset[int] = frozenset()
    drawn: bool = False

    def read(self) -> GridReading:
        """Read the table. A cell with several numbers puts its row and columns in doubt."""
        body = [cell for cell in self.cells if cell.row >= self.header and cell.column]
        several = [cell for cell in body if _NUMBERS.fullmatch(cell.text)]
        rows = {cell.row for cell in several}
        columns = self.doubtful.union(cell.column for cell in several)
        if not columns:
            return read_cells(self.cells)
        own = {id(cell) for cell in body}
        return read_cells(
            replace(cell, certain=False)
            if id(cell) in own
            and (cell.row in rows or columns.intersection(range(cell.column, cell.last_column + 1)))
            else cell
            for cell in self.cells
        )


def write_cells(header: Sequence[Sequence[HeaderCell]], body: Sequence[BodyRow]) -> list[GridCell]:
    """Return the cells of a header and a body for a grid."""
    labels = [row.cells[0] for row in body if 0 in row.cells]
    edge = min((cell.x0 for cell in labels), default=0.0)
    return [
        replace(cell, indent=round(cell.indent - edge, 1) if cell.column == 0 else 0.0)
        if cell.row >= len(header)
        else cell
        for cell in [*write_header(header), *write_body(body, len(header))]
    ]


def write_body(body: Sequence[BodyRow], start: int) -> list[GridCell]:
    """Return the cells of rows for a grid, from the row ``start`` on, indented by their places."""
    spans = _find_groups(body)
    return [
        GridCell(
            close_signs(cell.text),
            number,
            column,
            spans.get(number - start, 1) if column == 0 else 1,
            cell.last - cell.first + 1,
            indent=cell.x0,
            bold=cell.bold,
        )
        for number, row in enumerate(body, start)
        for column, cell in row.cells.items()
    ]


def _find_groups(body: Sequence[BodyRow]) -> dict[int, int]:
    """Return how many rows each label holds for, if a second label tells these rows apart."""
    second = [row.cells.get(1) for row in body]
    if not all(cell and not is_amount(cell.text) for cell in second) or len(body) < 3:
        return {}
    starts = [index for index, row in enumerate(body) if 0 in row.cells]
    if not starts or starts[0] or len(starts) == len(body):
        return {}
    return {start: end - start for start, end in pairwise([*starts, len(body)])}


def write_header(header: Sequence[Sequence[HeaderCell]]) -> list[GridCell]:
    """Return the cells of a header for a grid."""
    return [
        GridCell(
            cell.text,
            number,
            cell.first,
            column_span=cell.last - cell.first + 1,
            bold=cell.bold,
            header=True,
        )
        for number, level in enumerate(header)
        for cell in level
    ]


def close_signs(text: str) -> str:
    """Close the gaps that are printed between an amount and its signs: "$ 5,931" → "$5,931"."""
    if not is_amount(text) or " " not in text:
        return text
    return text if text[-1:].isalpha() else _GAP.sub("", text)


@dataclass(slots=True)
class BodyCell:
    """A cell over the columns ``first`` to ``last``."""

    text: str
    first: int
    last: int
    x0: float
    x1: float
    size: float
    bold: bool
    broken: bool = False


@dataclass(slots=True)
class BodyRow:
    """The cells of one row; ``base`` is the baseline of its last line.

    ``heading`` if it is a text in the middle over the rows of a part of the table.
    """

    cells: dict[int, BodyCell] = field(default_factory=dict)
    base: float = 0.0
    top: float = 0.0
    lines: int = 1
    heading: bool = False

    @property
    def label(self) -> BodyCell | None:
        """The cell in the first column."""
        return self.cells.get(0)

    @property
    def is_label(self) -> bool:
        """Whether only the first column is filled."""
        return list(self.cells) == [0]


def build_body(
    rows: Sequence[Row], columns: Sequence[Column], rules: Rules, grid: Grid | None = None
) -> list[BodyRow]:
    """Return the rows of a table's body from the lines below its header.

    With the ``grid`` of its values, texts in the middle of several columns are cells over these.
    """
    headings = find_headings(rows, columns)
    lines = [
        _place_heading(row, columns)
        if id(row) in headings and _is_above_values(rows[number + 1 :], columns)
        else _place_row(row, columns, grid)
        for number, row in enumerate(rows)
    ]
    pitch = _find_pitch(lines)
    starts = _find_starts(lines)
    labels = [line.label.x1 for line in lines if line.label and line.label.last == 0]
    edge = max([columns[0].x1, *(x for x in labels if x < columns[1].x0)])
    joined: list[BodyRow] = []
    for line in lines:
        if (
            joined
            and not joined[-1].heading
            and not line.heading
            and not _is_ruled_off(joined[-1], line, columns, rules)
            and _is_continued(joined[-1], line, edge, pitch)
            and not _starts_row(joined[-1], line, starts)
        ):
            _join(joined[-1], line)
        else:
            joined.append(line)
    return joined


def _is_above_values(rows: Sequence[Row], columns: Sequence[Column]) -> bool:
    """Whether the next row has values, possibly after more lines of its label."""
    below = next((row for row in rows if len(row.segments) > 1 or row.x0 > columns[0].x1), None)
    return below is not None and has_values(below)


def _find_starts(lines: Sequence[BodyRow]) -> dict[int, float]:
    """Map the left edges of labels that follow a row with values to the least gap above such a row."""
    starts: dict[int, float] = {}
    for above, line in pairwise(lines):
        if line.label and not line.is_label and not above.is_label:
            place, gap = round(line.label.x0), line.top - above.base
            starts[place] = min(gap, starts.get(place, gap))
    return starts


def _starts_row(above: BodyRow, line: BodyRow, starts: Mapping[int, float]) -> bool:
    """Whether a label below a heading is indented like labels that surely begin a row."""
    old, label = above.label, line.label
    if old is None or label is None or line.is_label or not above.is_label:
        return False
    deeper = label.x0 - old.x0 > _DEEPER * label.size
    least = starts.get(round(label.x0))
    apart = least is not None and line.top - above.base >= _SAME_ROW * least
    return deeper and apart and not label.text[:1].islower()


def _place_heading(row: Row, columns: Sequence[Column]) -> BodyRow:
    placed = BodyRow(base=row.base, top=row.base, heading=True)
    _put(placed, row.segments[0], 0, 0)
    placed.cells[0].x0 = columns[0].x0
    return placed


def _place_row(row: Row, columns: Sequence[Column], grid: Grid | None) -> BodyRow:
    placed = BodyRow(base=row.base, top=row.base)
    for whole in row.segments:
        merged = find_merged(whole, row, columns, grid) if grid else None
        if merged:
            _put(placed, whole, *merged)
            continue
        first, last = place_segment(whole, columns)
        parts = cut_segment(whole, columns) if last > first else [whole]
        for segment in parts:
            first, last = place_segment(segment, columns)
            starts = abs(segment.x0 - columns[first].x0) < 0.5 * segment.size
            if last > first and (first == 0 or (starts and not is_amount(segment.text))):
                last = first
            _put(placed, segment, first, last)
    return placed


def find_headings(rows: Sequence[Row], columns: Sequence[Column]) -> set[int]:
    """Return the ``id`` of the rows that head rows of the table: also those with the middle of one.

    A heading may by chance begin where a column does.
    """
    found = [row for row in rows if is_heading(row, columns)]
    middles = {round((row.x0 + row.x1) / 2) + d for row in found for d in (-1, 0, 1)}
    alike = [
        row
        for row in rows
        if len(row.segments) == 1
        and round((row.x0 + row.x1) / 2) in middles
        and row.x0 > columns[0].x0 + row.size
        and not is_amount(row.text)
    ]
    return {id(row) for row in (*found, *alike)}


def is_heading(row: Row, columns: Sequence[Column]) -> bool:
    """Whether a row is a text alone over the rows of a part of the table, in no column of its own."""
    text = row.segments[0]
    column = columns[place_segment(text, columns)[0]]
    middle = (text.x0 + text.x1) / 2
    apart = abs(middle - (columns[0].x0 + columns[-1].x1) / 2) < CENTRED * text.size or all(
        abs(one - other) > _ALIGNED * text.size
        for one, other in ((text.x0, column.x0), (text.x1, column.x1), (middle, column.middle))
    )
    return len(row.segments) == 1 and apart and text.x0 > columns[0].x1 and not is_amount(text.text)


def _put(placed: BodyRow, segment: Segment, first: int, last: int) -> None:
    cell = placed.cells.get(first)
    if cell is None:
        placed.cells[first] = BodyCell(
            segment.text,
            first,
            last,
            segment.x0,
            segment.x1,
            segment.size,
            segment.bold,
            segment.broken,
        )
    else:
        cell.text = f"{cell.text} {segment.text}"
        cell.x1, cell.last, cell.broken = segment.x1, max(cell.last, last), segment.broken


def _find_pitch(lines: Sequence[BodyRow]) -> float:
    """Return the usual distance of rows that have values."""
    full = [line for line in lines if any(is_amount(c.text) for c in line.cells.values())]
    gaps = [b.base - a.base for a, b in pairwise(full) if b.base > a.base]
    return median(gaps) if gaps else 0.0


def _is_continued(above: BodyRow, line: BodyRow, edge: float, pitch: float) -> bool:
    """Whether a line continues the row above it."""
    size = max(cell.size for cell in line.cells.values())
    gap = line.top - above.base
    both = [i for i in line.cells if i in above.cells]
    label, old = line.label, above.label
    if gap > 1.6 * size or any(is_amount(line.cells[i].text) for i in both if i):
        return False
    if not both and gap < _SAME_LINE * size:
        return True
    if label is None:
        if old and above.is_label:
            # The values of a label are on its last line or in its middle.
            return not old.text.endswith(":") and gap < 1.35 * size
        return _continues_cells(above, line, both)
    if old is None or abs(label.size - old.size) > 0.6 or label.bold != old.bold:
        return False
    # Values on both lines, in different columns: two rows.
    fits = _continues_cells(above, line, both) if any(both) else above.is_label or line.is_label
    return fits and _continues_label((above, line), (old, label), edge, pitch)


def _continues_cells(above: BodyRow, line: BodyRow, both: Sequence[int]) -> bool:
    """Whether every cell of a line continues a text above it."""
    if len(both) < len(line.cells):
        return False
    for index in both:
        if index == 0:
            continue
        upper, lower = above.cells[index], line.cells[index]
        if is_amount(upper.text) or is_amount(lower.text) or abs(upper.size - lower.size) > 0.6:
            return False
    return True


def _continues_label(
    rows: tuple[BodyRow, BodyRow], labels: tuple[BodyCell, BodyCell], edge: float, pitch: float
) -> bool:
    """Whether the label of a line continues the one above it."""
    (above, line), (old, label) = rows, labels
    deeper = label.x0 - old.x0
    if deeper < -1 or (old.text.endswith((":", ";")) and not old.broken):
        return False
    first = label.text.split()[0]
    close = bool(pitch) and line.top - above.base < _SAME_ROW * pitch
    small = first[:1].islower() or first[:1] in "(&/" or old.broken
    open_end = old.text.endswith((",", "—", "-", "(", "/")) or old.text.rsplit(" ", 1)[-1] in _OPEN
    indented = deeper > _DEEPER * label.size
    if not above.is_label:
        return line.is_label and (small or open_end or (close and indented))
    # The next word had no room on the line above.
    width = (label.x1 - label.x0) * len(first) / len(label.text)
    full = width > edge - old.x1 - 0.3 * label.size
    return close or small or (full and (open_end or indented))


_OPEN_WORDS = "of and or the in to for from with on by at van en de het met voor op bij &"
_OPEN = frozenset(_OPEN_WORDS.split())


def _is_ruled_off(above: BodyRow, line: BodyRow, columns: Sequence[Column], rules: Rules) -> bool:
    """Whether a rule runs between a row and the next line, or the boxes of its cells begin there."""
    width = columns[-1].x1 - columns[0].x0
    low, high = above.base, line.top - 0.5 * max(cell.size for cell in line.cells.values())
    ruled = any(
        low < y < high and x1 - x0 > 0.8 * width and x0 < columns[0].x0 + 0.1 * width
        for x0, x1, y in rules.across
    )
    begun = [band for band in rules.bands if low < band.y0 < high and band.y1 > line.top]
    return ruled or all(
        any(band.x0 - 1 < column.middle < band.x1 + 1 for band in begun)
        for column in (columns[0], columns[-1])
    )


def _join(above: BodyRow, line: BodyRow) -> None:
    for index, cell in line.cells.items():
        old = above.cells.get(index)
        if old is None:
            above.cells[index] = cell
            continue
        old.text = join_words(old.text, cell.text, broken=old.broken)
        old.x1, old.broken, old.last = max(old.x1, cell.x1), cell.broken, max(old.last, cell.last)
    above.base = line.base
    above.lines += 1
