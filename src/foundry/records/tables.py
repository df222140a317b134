"""A table as data: every value with the labels of its row and column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from foundry.doc import HIDDEN, Doc

Labels = tuple[str, ...]
"""Labels of a row or column, outermost first."""


@dataclass(frozen=True, slots=True)
class TableCell:
    """A value with its labels; ``start`` and ``end`` span the value in the source text.

    A value merged over several columns is one cell for each of them, with the same span. ``sign``
    is the "$" or "%" that only the values above and below it have. Not ``certain`` where the structure
    of its row, its column or a heading over several is in doubt: labels may be missing or another's.
    """

    row: Annotated[Labels, Doc("label of the row, outermost first")]
    column: Annotated[Labels, Doc("label of the column, outermost first")]
    value: str
    start: Annotated[int, HIDDEN]
    end: Annotated[int, HIDDEN]
    sign: Annotated[str, HIDDEN] = ""
    certain: Annotated[bool, Doc("false if its labels are in doubt")] = True


@dataclass(frozen=True, slots=True)
class Table:
    """What a table block says, cell by cell in reading order.

    ``unit`` is what the caption, the corner or a line above says of all values ("in millions of
    CHF: January–June 2023"). ``header`` has the lines of text that name
    the columns, as the block would begin with them: a block that continues a table does not, but
    has them here. ``continued`` if it continues the table of the block before it. ``corner`` names
    what the row labels are ("Part").
    """

    title: str | None = None
    unit: Annotated[str | None, Doc("what the table says of all its values")] = None
    cells: tuple[TableCell, ...] = ()
    header: Annotated[tuple[str, ...], HIDDEN] = ()
    corner: Annotated[str, HIDDEN] = ""
    continued: Annotated[bool, HIDDEN] = False

    @property
    def certain(self) -> Annotated[bool, Doc("false if the labels of some cells are in doubt")]:
        """Whether no cell is in doubt."""
        return all(cell.certain for cell in self.cells)
