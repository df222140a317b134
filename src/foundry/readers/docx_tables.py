"""The rows and cells of a Word table, and whether it is a table at all.

Many documents use tables as a page layout: one cell as a frame, or cells that hold
whole sections. Those are read as running text. Does not read the cells' content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from foundry.readers.archive import Element
from foundry.readers.docx_numbering import integer, value_of
from foundry.readers.docx_text import content_of

_WRAPPERS = frozenset({"w.customXml", "w.ins", "w.moveTo", "w.smartTag"})
_MAX_SPAN = 100


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell and the columns it covers; ``content`` is None where a cell above goes on."""

    content: Element | None
    span: int = 1


def read_rows(table: Element) -> list[list[Cell]]:
    """The rows that are not deleted, each with its cells from the first column on."""
    return [_cells(row) for row in within(table, "w.tr") if not _is_deleted(row)]


def is_layout(
    table: Element, rows: list[list[Cell]], is_heading: Callable[[Element], bool]
) -> bool:
    """Whether the table only arranges running text on the page."""
    columns = max((len(row) for row in rows), default=0)
    if len(rows) == 1 and columns == 1:
        return True
    sections = any(map(is_heading, table.iter("w.p")))
    nested = any(item is not table for item in table.iter("w.tbl"))
    if (sections or nested) and 1 in {len(rows), columns}:
        return True
    return sections and any(_opens_section(cell, is_heading) for row in rows for cell in row)


def within(parent: Iterable[Element], tag: str) -> Iterator[Element]:
    """Children of a kind, through content controls and tracked insertions."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in _WRAPPERS:
            yield from within(child, tag)
        elif child.tag == "w.sdt":
            yield from within(content_of(child), tag)


def _cells(row: Element) -> list[Cell]:
    before = integer(value_of(row, "w.trPr/w.gridBefore")) or 0
    cells = [Cell(None) for _ in range(min(max(before, 0), _MAX_SPAN))]
    for item in within(row, "w.tc"):
        span = integer(value_of(item, "w.tcPr/w.gridSpan")) or 1
        merge = item.find("w.tcPr/w.vMerge")
        goes_on = merge is not None and merge.get("w.val", "continue") == "continue"
        cells.append(Cell(None if goes_on else item, min(max(span, 1), _MAX_SPAN)))
    return cells


def _is_deleted(row: Element) -> bool:
    return row.find("w.trPr/w.del") is not None


def _opens_section(cell: Cell, is_heading: Callable[[Element], bool]) -> bool:
    # A heading with more below it in the same cell is a section, not a column's name.
    content = [] if cell.content is None else list(cell.content)
    for place, item in enumerate(content):
        if item.tag == "w.p" and is_heading(item):
            return any(
                any(text.text for text in below.iter("w.t")) for below in content[place + 1 :]
            )
    return False
