"""How a table's block is laid out: its rows as lines of text, with the merged cells, headers and doubts that its values show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from foundry.records import Block, Labels, TableCell
from foundry.text.tables import TextRow, find_rows

Scope = Literal["", "col", "row"]


@dataclass(frozen=True, slots=True)
class LaidCell:
    """A cell that no merged cell covers; ``start`` and ``end`` span its words in the source, equal if it has none.

    ``scope`` says what it names: "col" its columns, "row" its rows, "" for a value. It is not
    ``certain`` if its labels are in doubt.
    """

    start: int
    end: int
    scope: Scope = ""
    row_span: int = 1
    column_span: int = 1
    certain: bool = True


def find_table_rows(text: str, block: Block) -> list[TextRow]:
    """The rows of a table's block in the text of its source."""
    values = block.table.cells if block.table else ()
    return find_rows(text[block.start : block.end], block.start, values)


def count_header_rows(block: Block) -> int:
    """How many rows of a block name the columns of its table."""
    table = block.table
    return 0 if table is None or table.continued else len(table.header)


class TableLayout:
    """The rows of a table's block, and what the labels of its values say of merged cells and indentation.

    ``depths`` has the indentation of the first cell of each row.
    """

    def __init__(self, text: str, block: Block) -> None:
        self.rows = find_table_rows(text, block)
        self.header = count_header_rows(block)
        self._text = text
        self._lines = {line.strip() for line in block.table.header} if block.table else set()
        self._title = (block.table.title if block.table else None) or ""
        self._values: dict[int, list[TableCell]] = defaultdict(list)
        for cell in block.table.cells if block.table else ():
            self._values[cell.start].append(cell)
        self._names: dict[int, Labels] = {}
        self.depths = [0] * len(self.rows)
        path: Labels = ()
        for number in reversed(range(len(self.rows))):
            spans = [span for span in self.rows[number].cells if span[0] < span[1]]
            path = next((self._values[s][0].row for s, _ in spans if s in self._values), path)
            name = text[slice(*spans[0])] if spans else ""
            self.depths[number] = path.index(name) if name in path else 0
            for column, (start, _) in enumerate(self.rows[number].cells):
                for offset, value in enumerate(self._values.get(start, ())):
                    self._names.setdefault(column + offset, value.column)

    def measure(self, number: int, column: int) -> tuple[int, int]:
        """Return how many rows and columns a cell spans."""
        cells = self.rows[number].cells
        values = self._values.get(cells[column][0], ())
        if values and not values[0].column and any(self._names.values()):
            # A remark over all columns has no name of a column.
            first, last = min(self._names), max(self._names)
            alone = column == first and not any(a < b for a, b in cells[column + 1 :])
            return 1, last - first + 1 if alone else 1
        if values:
            down = len({value.row for value in values})
            return down, len(values) // down
        words = self._text[slice(*cells[column])]
        if number < self.header and len(cells) == 1 and words in self._title:
            return 1, len(self._names) + 1
        across = 1
        while words in self._names.get(column + across, ()) and not any(
            start < end for start, end in cells[column + across : column + across + 1]
        ):
            across += 1
        return 1, across

    def lay_out(self) -> Iterator[list[LaidCell]]:
        """Yield the cells of each row, without those that a merged cell covers."""
        named = {n for n, row in enumerate(self.rows) if self._cut_line(row) in self._lines}
        heads = named or set(range(self.header))
        covered: set[tuple[int, int]] = set()
        for number, row in enumerate(self.rows):
            values = [n for n, (start, _) in enumerate(row.cells) if start in self._values]
            # Without a value, the first cell names the rows below it.
            labels = (min(values) if values else 1) if self._values else 0
            made = []
            for column, (start, end) in enumerate(row.cells):
                if (number, column) in covered and start == end:
                    continue
                down, across = self._fit(number, column) if start < end else (1, 1)
                area = {(number + y, column + x) for y in range(down) for x in range(across)}
                covered |= area if len(area) > 1 else set()
                scope: Scope = ""
                if start < end:
                    scope = "col" if number in heads else "row" if column < labels else ""
                certain = all(value.certain for value in self._values.get(start, ()))
                made.append(LaidCell(start, end, scope, down, across, certain))
            yield made

    def _cut_line(self, row: TextRow) -> str:
        return self._text[self._text.rfind("\n", 0, row.start) + 1 : row.end].strip()

    def _fit(self, number: int, column: int) -> tuple[int, int]:
        """Return the rows and columns that a cell spans, as far as the cells there are empty."""
        down, across = self.measure(number, column)

        def is_free(y: int, x: int) -> bool:
            cells = self.rows[y].cells if y < len(self.rows) else ()
            return y < len(self.rows) and all(a == b for a, b in cells[x : x + 1])

        while across > 1 and not all(is_free(number, column + x) for x in range(1, across)):
            across -= 1
        while down > 1 and not all(
            is_free(number + y, column + x) for y in range(1, down) for x in range(across)
        ):
            down -= 1
        return down, across
