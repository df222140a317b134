"""A table on a page, and its cells as a grid has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from foundry.readers.grids import GridCell
from foundry.readers.pdf.lines import Row
from foundry.readers.pdf.tables.body import BodyRow
from foundry.readers.pdf.tables.columns import Column, is_amount
from foundry.readers.pdf.tables.header import HeaderCell
from foundry.records import Box


@dataclass(slots=True)
class PageTable:
    """A table on a page: its cells, its place, its columns, and how many rows its header has.

    ``continued`` is the table on the page before that it goes on with.
    """

    cells: list[GridCell]
    box: Box
    columns: list[Column]
    header: int
    rows: list[Row] = field(default_factory=list)
    continued: PageTable | None = None
    lines_above: tuple[str, ...] = ()


def write_cells(header: Sequence[Sequence[HeaderCell]], body: Sequence[BodyRow]) -> list[GridCell]:
    """Return the cells of a header and a body for a grid."""
    cells = write_header(header)
    labels = [row.cells[0] for row in body if 0 in row.cells]
    edge = min((cell.x0 for cell in labels), default=0.0)
    spans = _find_groups(body)
    for number, row in enumerate(body, len(header)):
        for column, cell in row.cells.items():
            indent = cell.x0 - edge if column == 0 else 0.0
            cells.append(
                GridCell(
                    close_signs(cell.text),
                    number,
                    column,
                    spans.get(number - len(header), 1) if column == 0 else 1,
                    cell.last - cell.first + 1,
                    indent=round(indent, 1),
                    bold=cell.bold,
                )
            )
    return cells


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
    return text if text[-1:].isalpha() else text.replace(" ", "")
