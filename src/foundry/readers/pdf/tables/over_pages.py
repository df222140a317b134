"""Tables over pages: what a table at the top of a page has from the page before.

Its header may be there, alone at the foot of the page or above the first rows, and the heading of the
section that it goes on with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from foundry.readers.document_builder import read_cells
from foundry.readers.grids import GridCell
from foundry.readers.pdf.lines import Row, surround
from foundry.readers.pdf.rules import Rules
from foundry.readers.pdf.tables.cells import PageTable, write_header
from foundry.readers.pdf.tables.columns import is_amount, place_segment
from foundry.readers.pdf.tables.header import build_header

_DEEPER = 0.9
"""Points of indentation that make a row part of a section."""
_DRIFT = 6.0
"""Points by which the columns of a table may move from page to page. A guess."""
_HEADER_ROWS = 4
"""Most rows of a header alone at the foot of a page. A guess."""


def is_continued(upper: PageTable, lower: PageTable) -> bool:
    """Whether a table at the top of a page continues the one at the end of the page before."""
    if len(upper.columns) != len(lower.columns):
        return False
    pairs = list(zip(upper.columns, lower.columns, strict=True))
    near = sum(
        min(abs(a.x0 - b.x0), abs(a.x1 - b.x1), abs(a.middle - b.middle)) < _DRIFT for a, b in pairs
    )
    return near >= 0.8 * len(pairs)


def find_header(upper: PageTable, lower: PageTable) -> PageTable | None:
    """Return the last table of a page as the header of the amounts below it on the next page, or None.

    It has no amount, and names no row but in its corner.
    """
    if lower.header or not is_continued(upper, lower) or len(upper.rows) > _HEADER_ROWS:
        return None
    amounts = [cell for cell in lower.cells if cell.column and is_amount(cell.text)]
    corner = [cell for cell in upper.cells if cell.column == 0]
    if not amounts or len(corner) > 1 or any(is_amount(c.text) for c in upper.cells if c.column):
        return None
    if not upper.drawn:
        return build_header_table(upper.rows, lower)
    cells = [replace(cell, header=True) for cell in upper.cells]
    return replace(upper, cells=cells, header=1 + max(cell.row for cell in cells))


def inherit(upper: PageTable, lower: PageTable, section: str | None = None) -> None:
    """Give a table what holds from the page before: header, if it has none, and open section."""
    lower.continued = upper
    if not upper.header and not lower.header:
        upper.header = _count_header(upper) if not _count_header(lower) else 0
    if upper.header and not lower.header:
        head = [cell for cell in upper.cells if cell.row < upper.header]
        lower.cells = [*head, *(_move(cell, upper.header) for cell in lower.cells)]
        lower.header = upper.header
        lower.doubtful |= upper.doubtful
    label = GridCell(section, 0, 0) if section else _find_open_section(upper)
    if label:
        row = lower.header
        moved = [_move(cell, 1) if cell.row >= row else cell for cell in lower.cells]
        lower.cells = [*moved, replace(label, row=row, row_span=1)]


def find_header_rows(rows: Sequence[Row], table: PageTable) -> list[Row]:
    """Return the last rows of a page that name the columns of a table on the next one, from the top."""
    if table.header:
        return []
    head: list[Row] = []
    for row in reversed(rows[-_HEADER_ROWS:]):
        if not _is_over(row, table, whole=not head):
            break
        head.insert(0, row)
    return head


def _is_over(row: Row, table: PageTable, *, whole: bool) -> bool:
    """Whether each text of a row is over columns of its own; if ``whole``, all columns have one."""
    texts = [segment.text for segment in row.segments]
    if len(texts) < 2 or any(map(is_amount, texts)):
        return False
    places = [place_segment(segment, table.columns) for segment in row.segments]
    apart = all(left[1] < right[0] for left, right in pairwise(places))
    covered = {n for first, last in places for n in range(first, last + 1)}
    named = covered >= set(range(1, len(table.columns)))
    return apart and (named or not whole)


def build_header_table(rows: Sequence[Row], table: PageTable) -> PageTable:
    """Return a table of header rows alone, on the columns of the table that has the values."""
    levels, doubtful = build_header(rows, table.columns, Rules())
    box = surround([row.box for row in rows])
    cells = write_header(levels)
    return PageTable(cells, box, table.columns, len(levels), list(rows), doubtful=doubtful)


def _count_header(table: PageTable) -> int:
    """How many rows are the header of a table whose cells are drawn, so that no row is told apart yet."""
    rows = sorted({cell.row for cell in table.cells if cell.text.strip()})
    count = read_cells(table.cells).header
    return rows[count - 1] + 1 if count else 0


def _find_open_section(table: PageTable) -> GridCell | None:
    """Return the last row that is only a label, if all rows below it are indented more."""
    rows: dict[int, list[GridCell]] = {}
    for cell in table.cells:
        if cell.row >= table.header:
            rows.setdefault(cell.row, []).append(cell)
    labels = [number for number, cells in rows.items() if [c.column for c in cells] == [0]]
    if not labels:
        return None
    label = rows[max(labels)][0]
    below = [cells[0] for number, cells in rows.items() if number > label.row]
    if all(cell.column == 0 and cell.indent > label.indent + _DEEPER for cell in below):
        return label
    return None


def _move(cell: GridCell, rows: int) -> GridCell:
    return replace(cell, row=cell.row + rows)
