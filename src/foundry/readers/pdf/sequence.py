"""The parts of all pages as one text: sentences and tables that run over pages are joined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from foundry.readers.grids import GridCell
from foundry.readers.pdf.blocks import PageBlock, Vocabulary, join_lines
from foundry.readers.pdf.table_regions import PageTable

_ENDS = (".", "!", "?", ":", ";", '."', ".”", ".)", "?”")
_DRIFT = 6.0
"""Points by which the columns of a table may move from page to page. A guess."""


def join_pages(pages: Iterable[Sequence[PageBlock]], vocabulary: Vocabulary) -> list[PageBlock]:
    """Return the parts of all pages in order; footnotes come after the text of their page."""
    blocks: list[PageBlock] = []
    start = 0
    for page in pages:
        rest = list(page)
        last = _find_last_text(blocks, start)
        if last is not None and rest:
            if _continues_text(blocks[last], rest[0]):
                blocks[last] = _join(blocks[last], rest.pop(0), vocabulary)
            elif _continues_table(blocks[last], rest[0]):
                _inherit(blocks[last], rest[0])
        start = len(blocks)
        blocks += rest
    return blocks


def _find_last_text(blocks: Sequence[PageBlock], start: int) -> int | None:
    """Return the index of the last part of a page that is no footnote."""
    index = len(blocks) - 1
    while index > start and blocks[index].is_footnote and _is_small(blocks, index, start):
        index -= 1
    return index if index >= start else None


def _is_small(blocks: Sequence[PageBlock], index: int, start: int) -> bool:
    largest = max((block.size for block in blocks[start:index]), default=0.0)
    return blocks[index].size < 0.95 * largest


def _continues_text(last: PageBlock, block: PageBlock) -> bool:
    kinds = {"paragraph", "list_item"}
    if last.kind not in kinds or block.kind not in kinds or last.bold != block.bold:
        return False
    if abs(last.size - block.size) > 0.1 * last.size or not (last.full or last.broken):
        return False
    return last.broken or (block.text[:1].islower() and not last.text.endswith(_ENDS))


def _join(last: PageBlock, block: PageBlock, vocabulary: Vocabulary) -> PageBlock:
    text = join_lines(last.text, block.text, vocabulary, broken=last.broken)
    return replace(
        last, text=text, lines=last.lines + block.lines, full=block.full, broken=block.broken
    )


def _continues_table(last: PageBlock, block: PageBlock) -> bool:
    """Whether a table at the top of a page goes on with the one at the end of the page before."""
    upper, lower = last.table, block.table
    if upper is None or lower is None or len(upper.columns) != len(lower.columns):
        return False
    pairs = list(zip(upper.columns, lower.columns, strict=True))
    near = sum(
        min(abs(a.x0 - b.x0), abs(a.x1 - b.x1), abs(a.middle - b.middle)) < _DRIFT for a, b in pairs
    )
    return near >= 0.8 * len(pairs)


def _inherit(last: PageBlock, block: PageBlock) -> None:
    """Give a table without a header the one of the page before."""
    upper, lower = last.table, block.table
    assert upper is not None and lower is not None
    lower.continued = upper
    if lower.header or not upper.header:
        return
    head = [cell for cell in upper.cells if cell.row < upper.header]
    lower.cells = [*head, *(_move(cell, upper.header) for cell in lower.cells)]
    lower.header = upper.header


def _move(cell: GridCell, rows: int) -> GridCell:
    return replace(cell, row=cell.row + rows)


def list_lines_above(blocks: Sequence[PageBlock], index: int) -> list[str]:
    """Return the lines right above a table that may say what it shows, the nearest last."""
    table: PageTable | None = blocks[index].table
    lines: list[str] = []
    edge = blocks[index].box.y0
    for block in reversed(blocks[:index]):
        if block.page != blocks[index].page or block.table or block.kind == "contents":
            break
        short = len(block.text.split()) <= 16 and not block.text.endswith(".")
        if not (short or block.text.endswith(":")) or edge - block.box.y1 > 4 * block.size:
            break
        lines.insert(0, block.text)
        edge = block.box.y0
        if len(lines) == 2:
            break
    if not lines and table and table.continued:
        return list(table.continued.lines_above)
    return lines
