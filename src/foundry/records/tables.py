"""A table as data: every value with the labels of its row and column."""

from __future__ import annotations

from dataclasses import dataclass

Labels = tuple[str, ...]
"""Labels of a row or column, outermost first."""


@dataclass(frozen=True, slots=True)
class TableCell:
    """A value with its labels; ``start`` and ``end`` span the value in the source text.

    A value merged over several columns is one cell for each of them, with the same span. ``sign``
    is the "$" or "%" that only the values above and below it have.
    """

    row: Labels
    column: Labels
    value: str
    start: int
    end: int
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """What a table block says, cell by cell in reading order.

    ``unit`` is what the caption, the corner or a line above says of all values ("in millions of
    CHF: January–June 2023"). ``header`` has the lines of text that name
    the columns, as the block would begin with them: a block that continues a table does not, but
    has them here. ``certain`` is False where the structure was in doubt: labels may then be
    missing, but those that are there hold. ``continued`` if it continues the table of the block
    before it. ``corner`` names what the row labels are ("Part").
    """

    title: str | None = None
    unit: str | None = None
    cells: tuple[TableCell, ...] = ()
    certain: bool = True
    header: tuple[str, ...] = ()
    corner: str = ""
    continued: bool = False
