"""Tables in text that is aligned with spaces or tabs: receipts, listings, plain text files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from foundry.analysis.lexer import is_rule
from foundry.readers.grid_cells import GridCell, classify

_CELL = re.compile(r"\S+(?: \S+)*")
_TAB = 8
_MIN_ROWS = 3
"""Least rows with amounts at their end; fewer are as often a signature or an address. A guess."""
_MIN_SHARE = 0.5
"""Least share of the lines that are rows with an amount at their end. A guess: receipts name each
article on a line of its own."""


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    left: int
    right: int
    offset: int


def find_aligned_grid(text: str, offset: int = 0) -> list[GridCell] | None:
    """The cells of a text whose lines are rows of aligned cells, or None if they are not.

    At least half of the lines end in an amount behind a gap of two spaces or a tab. ``offset`` is
    where the text begins in the source; cells get their spans from it.
    """
    rows = _find_rows(text, offset)
    wide = [row for row in rows if len(row) > 1]
    ended = sum(classify(row[-1].text) in {"amount", "dash"} for row in wide)
    if ended < _MIN_ROWS or ended < _MIN_SHARE * len(rows):
        return None
    edges = _find_columns(wide)
    cells = []
    for number, row in enumerate(rows):
        taken = -1
        for cell in row:
            column = max(_find_column(edges, cell), taken + 1)
            last = max(column, _find_last(edges, cell)) if len(row) > 1 else column
            taken = last
            cells.append(
                GridCell(
                    cell.text,
                    number,
                    column,
                    column_span=last - column + 1,
                    indent=cell.left if cell is row[0] else 0,
                    start=cell.offset,
                    end=cell.offset + len(cell.text),
                )
            )
    return cells


def _find_rows(text: str, offset: int) -> list[list[_Cell]]:
    rows = []
    for line in text.splitlines(keepends=True):
        if not is_rule(line):
            rows.append([_place(line, match, offset) for match in _CELL.finditer(line)])
        offset += len(line)
    return rows


def _place(line: str, match: re.Match[str], offset: int) -> _Cell:
    left = len(line[: match.start()].expandtabs(_TAB))
    return _Cell(match[0], left, left + len(match[0]), offset + match.start())


def _find_columns(rows: Sequence[Sequence[_Cell]]) -> list[tuple[int, int]]:
    """The extents of columns: runs of places where some row has text, between empty ones.

    Only rows with the usual number of cells count: a long label crosses the columns of others.
    """
    counts = [len(row) for row in rows]
    usual = max(set(counts), key=lambda count: (counts.count(count), count))
    spans = sorted((cell.left, cell.right) for row in rows if len(row) == usual for cell in row)
    columns: list[tuple[int, int]] = []
    for left, right in spans:
        if columns and left < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return columns


def _find_column(columns: Sequence[tuple[int, int]], cell: _Cell) -> int:
    """The first column that a cell touches, else the nearest one."""
    touched = [
        i for i, (left, right) in enumerate(columns) if cell.left < right and left < cell.right
    ]
    if touched:
        return touched[0]
    return min(
        range(len(columns)),
        key=lambda i: min(abs(columns[i][0] - cell.right), abs(cell.left - columns[i][1])),
    )


def _find_last(columns: Sequence[tuple[int, int]], cell: _Cell) -> int:
    touched = [
        i for i, (left, right) in enumerate(columns) if cell.left < right and left < cell.right
    ]
    return touched[-1] if touched else 0
