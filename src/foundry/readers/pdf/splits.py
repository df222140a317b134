"""Blocks of a PDF cut in two where the layout took a heading into them.

A table is cut at one of its rows, a text at the words of a heading. Whether those are
a heading is for ``pdf_headings`` to say, but for numbered lines in larger print.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from foundry.readers.heading_numbers import find_heading_number
from foundry.readers.pdf.layout import RawBlock
from foundry.readers.pdf.tables import PdfTable, PrintedLine
from foundry.records import Box

_LARGER = 1.2
_SLACK = 24.0  # points: two lines


@dataclass(frozen=True, slots=True)
class BlockSplit:
    """What stands before a heading in a block, the heading, and what stands after it."""

    before: RawBlock | None
    head: RawBlock
    after: RawBlock | None


def split_row(block: RawBlock, row: int) -> BlockSplit | None:
    """Cut a table at a row, which becomes a paragraph; None if its line is not known for sure."""
    table, box = block.table, block.box
    at = table.find_line(row) if table else None
    if table is None or box is None or at is None:
        return None
    line = table.lines[at]
    above = table.part(slice(0, row), slice(0, at))
    below = table.part(slice(row + 1, None), slice(at + 1, None))
    words = " ".join(cell for cell in table.rows[row] if cell)
    return BlockSplit(
        _build_part(block, above, replace(box, y1=_find_edge(above.lines, line, box.y0))),
        replace(block, kind="paragraph", text=words, box=line.box, table=None),
        _build_part(block, below, replace(box, y0=line.box.y1)),
    )


def split_text(block: RawBlock, words: str, top: float | None) -> BlockSplit | None:
    """Cut a text at words that it says once, at about ``top`` points from the page's top."""
    box = block.box
    if box is None or top is None or not box.y0 + 8 < top < box.y1 or len(words) < 3:
        return None
    start = block.text.find(words)
    end = start + len(words)
    if start < 0 or block.text.count(words) > 1 or block.text[end : end + 1].isalnum():
        return None
    expected = box.y0 + (box.y1 - box.y0) * start / len(block.text)
    if abs(expected - top) > _SLACK or block.text[start - 1 : start].isalnum():
        return None
    before, after = block.text[:start].strip(), block.text[end:].strip()
    return BlockSplit(
        replace(block, text=before, box=replace(box, y1=top), hint=None) if before else None,
        replace(block, kind="paragraph", text=words, box=replace(box, y0=top)),
        replace(block, text=after, box=replace(box, y0=top), hint=None) if after else None,
    )


def split_numbered_rows(blocks: Sequence[RawBlock]) -> list[RawBlock]:
    """Blocks with tables cut at rows that are one numbered cell in larger print."""
    found: list[RawBlock] = []
    for block in blocks:
        rest: RawBlock | None = block
        while rest:
            split = _split_at_numbered_row(rest)
            if split is None:
                found.append(rest)
                break
            found += [*([split.before] if split.before else []), replace(split.head, bold=True)]
            rest = split.after
    return found


def _split_at_numbered_row(block: RawBlock) -> BlockSplit | None:
    table = block.table
    if table is None or len(table.lines) < 3:
        return None
    usual = median(_measure_line(line) for line in table.lines)
    if not any(_measure_line(line) >= _LARGER * usual for line in table.lines):
        return None
    for row, cells in enumerate(table.rows):
        filled = [cell for cell in cells if cell]
        if len(filled) != 1 or find_heading_number(filled[0]) is None:
            continue
        at = table.find_line(row)
        if at is not None and _measure_line(table.lines[at]) >= _LARGER * usual:
            return split_row(block, row)
    return None


def _measure_line(line: PrintedLine) -> float:
    return line.box.y1 - line.box.y0


def _find_edge(lines: Sequence[PrintedLine], line: PrintedLine, top: float) -> float:
    """Where a part above a line ends."""
    return max(top, min(lines[-1].box.y1, line.box.y0)) if lines else line.box.y0


def _build_part(block: RawBlock, table: PdfTable, box: Box) -> RawBlock | None:
    return replace(block, text=table.text, box=box, table=table) if table.rows else None
