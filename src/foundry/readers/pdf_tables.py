"""Tables of a PDF as text: one row a line, cells set apart by " | ".

The grid that the layout finds is taken where it holds every word printed there. Where
it does not, the printed lines themselves are taken: a row cut in two is better than a
row that is gone. A row that only goes on with the cells above it is joined to them, and
so is a column that only goes on with the one before it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from foundry.readers.pdf_matching import letters
from foundry.records import Box

SEPARATOR = " | "
_WORD = re.compile(r"\w+")
_GAP = re.compile(r"\s{2,}|\t")


@dataclass(frozen=True, slots=True)
class Item:
    """A run of text on a page, in points from the top left."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """The items that stand beside each other; ``cells`` are set apart by wide gaps."""

    cells: tuple[str, ...]
    box: Box

    @property
    def text(self) -> str:
        """The whole line."""
        return " ".join(self.cells)


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a table, and the lines printed in its place, from the top down."""

    rows: tuple[tuple[str, ...], ...]
    lines: tuple[PrintedLine, ...]

    @property
    def text(self) -> str:
        """One row a line, without columns that hold nothing of their own."""
        rows = _with_joined_columns(_without_empty_columns(self.rows), self.lines)
        return "\n".join(SEPARATOR.join(row).rstrip(" |") for row in rows)

    def find_line(self, row: int) -> int | None:
        """The only line that is a row and no more, or None."""
        wanted = letters(" ".join(self.rows[row]))
        found = [index for index, line in enumerate(self.lines) if letters(line.text) == wanted]
        return found[0] if len(found) == 1 else None

    def part(self, rows: slice, lines: slice) -> Table:
        """A part of the table, as a table."""
        return Table(self.rows[rows], self.lines[lines])


def read_table(
    grid: Sequence[Sequence[str]], lines: Sequence[PrintedLine], elsewhere: str = ""
) -> Table:
    """A table from the layout's grid and from the lines printed in its place.

    ``elsewhere`` is what the layout put into other blocks that reach into the same place.
    """
    rows = [[" ".join(cell.split()) for cell in row] for row in grid]
    rows = _with_whole_cells([row for row in rows if any(row)])
    if _misses_words(rows, lines, elsewhere):
        return Table(tuple(line.cells for line in lines), tuple(lines))
    return Table(tuple(tuple(row) for row in rows), tuple(lines))


def grid_text(lines: Iterable[str]) -> str:
    """The text of a table that comes as lines with wide gaps between the cells."""
    return "\n".join(SEPARATOR.join(_GAP.split(line.strip())) for line in lines if line.strip())


def printed_lines(items: Iterable[Item]) -> list[PrintedLine]:
    """Items grouped into lines, from the top down."""
    chosen = [item for item in items if item.text.strip()]
    rows: list[list[Item]] = []
    for item in sorted(chosen, key=lambda one: (_middle(one.box), one.box.x0)):
        if rows and _stands_beside(rows[-1], item):
            rows[-1].append(item)
        else:
            rows.append([item])
    return [_line(row) for row in rows]


def _line(row: list[Item]) -> PrintedLine:
    row = sorted(row, key=lambda item: item.box.x0)
    cells = [row[0].text.strip()]
    for left, right in pairwise(row):
        gap = right.box.x0 - left.box.x1
        if gap > 0.8 * (right.box.y1 - right.box.y0):
            cells.append(right.text.strip())
        else:
            cells[-1] = f"{cells[-1]} {right.text.strip()}"
    return PrintedLine(tuple(cells), surround([item.box for item in row]))


def surround(boxes: Sequence[Box]) -> Box:
    """The smallest box around at least one."""
    return Box(
        min(one.x0 for one in boxes),
        min(one.y0 for one in boxes),
        max(one.x1 for one in boxes),
        max(one.y1 for one in boxes),
    )


def _stands_beside(row: list[Item], item: Item) -> bool:
    first = row[0].box
    height = min(first.y1 - first.y0, item.box.y1 - item.box.y0)
    return abs(_middle(first) - _middle(item.box)) < 0.5 * height


def _middle(box: Box) -> float:
    return (box.y0 + box.y1) / 2


def _with_whole_cells(rows: list[list[str]]) -> list[list[str]]:
    """Rows that only go on with the cells above them, joined to those."""
    whole: list[list[str]] = []
    for row in rows:
        if whole and _goes_on(whole[-1], row):
            whole[-1] = [f"{one} {two}".strip() for one, two in zip(whole[-1], row, strict=True)]
        else:
            whole.append(row)
    return whole


def _goes_on(above: list[str], row: list[str]) -> bool:
    # An empty first cell may also stand for "the same as above", in a row of its own.
    if len(above) != len(row) or row[0]:
        return False
    filled = [(one, two) for one, two in zip(above, row, strict=True) if two]
    return all(one and (two[0].islower() or two[0] in "(/,") for one, two in filled)


def _misses_words(rows: list[list[str]], lines: Sequence[PrintedLine], elsewhere: str) -> bool:
    printed = Counter(word for line in lines for word in _WORD.findall(line.text))
    held = Counter(word for row in rows for word in _WORD.findall(" ".join(row)))
    missing = printed - held - Counter(_WORD.findall(elsewhere))
    return missing.total() > 0.02 * printed.total()


def _without_empty_columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    width = max((len(row) for row in rows), default=0)
    filled = [
        column for column in range(width) if any(column < len(row) and row[column] for row in rows)
    ]
    return [[row[column] if column < len(row) else "" for column in filled] for row in rows]


def _with_joined_columns(rows: list[list[str]], lines: Sequence[PrintedLine]) -> list[list[str]]:
    """Without the columns that were cut from the one before them at a space."""
    column = 1
    while rows and column < len(rows[0]):
        if not rows[0][column] and _all_go_on(rows, column, lines):
            rows = [
                [*row[: column - 1], f"{row[column - 1]} {row[column]}".strip(), *row[column + 1 :]]
                for row in rows
            ]
        else:
            column += 1
    return rows


def _all_go_on(rows: list[list[str]], column: int, lines: Sequence[PrintedLine]) -> bool:
    # What is printed with no more than a space in between was never two cells.
    printed = "\n" + "".join(f"{cell} \n" for line in lines for cell in line.cells)
    return all(f"\n{row[column - 1]} {row[column]} " in printed for row in rows if row[column])
