"""The lines around a table that may say what it shows and what its values are in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from foundry.text.headings import CAPTION
from foundry.text.tables import find_line_unit, says_only_unit

if TYPE_CHECKING:
    from foundry.readers.pdf.blocks import PageBlock
    from foundry.readers.pdf.tables.cells import PageTable

_MAX_CAPTION = 30
"""Most words of a caption. A guess: longer ones are text."""
_NEAR = 2.5
"""Distance of a caption or unit below its table, relative to the size of print. A guess."""


def list_lines_around(blocks: Sequence[PageBlock], index: int) -> list[str]:
    """Return the lines around a table that may say what it shows, the nearest last.

    A numbered caption may be above or below: it belongs to the table that it is nearer to, and so
    does a line that says the unit. If there is a caption no other line is the title.
    """
    table: PageTable | None = blocks[index].table
    above = [line for line in _list_above(blocks, index) if _owns(blocks, index, line)]
    below = list(_list_below(blocks, index))
    captions = [line for line in (*reversed(above), *below) if is_caption(blocks[line].text)][:1]
    if captions:
        units = [line for line in (*above, *below) if _says_unit(blocks[line].text)]
        return [blocks[line].text for line in (*captions, *units)]
    lines = [blocks[line].text for line in above]
    named = [line for line in lines if not is_bracketed(line) or find_line_unit(line)]
    lines = (named or lines)[-2:] + [blocks[line].text for line in below]
    if not lines and table and table.continued:
        return list(table.continued.lines_above)
    return lines


def is_caption(text: str) -> bool:
    """Whether a line is the numbered caption of a table: "Table 3 – Limits", not "Table 3 shows …"."""
    match = CAPTION.match(text)
    if match is None or len(text.split()) > _MAX_CAPTION:
        return False
    return match["end"] is not None or not text.endswith(".")


def _says_unit(text: str) -> bool:
    return not is_caption(text) and says_only_unit(text)


def is_bracketed(text: str) -> bool:
    """Whether a line is all in brackets: "(in millions)"."""
    return text[0] == "(" and text[-1] == ")" and text.count("(") == 1


def _list_above(blocks: Sequence[PageBlock], index: int) -> list[int]:
    """Return the short lines right above a table, from the top."""
    lines: list[int] = []
    edge = blocks[index].box.y0
    for place in _walk(blocks, index, -1):
        block = blocks[place]
        short = len(block.text.split()) <= 16 and not block.text.endswith(".")
        introduces = short or block.text.endswith(":") or is_caption(block.text)
        if block.table or not introduces or edge - block.box.y1 > 4 * block.size:
            break
        lines.insert(0, place)
        edge = block.box.y0
        if len(lines) == 3:
            break
    return lines


def _list_below(blocks: Sequence[PageBlock], index: int) -> Iterator[int]:
    """Yield the lines right below a table that say its unit or are its caption."""
    edge = blocks[index].box.y1
    for place in _walk(blocks, index, 1):
        block = blocks[place]
        if block.table or not (is_caption(block.text) or _says_unit(block.text)):
            return
        if block.box.y0 - edge > _NEAR * block.size or not _owns(blocks, index, place):
            return
        yield place
        edge = block.box.y1


def _walk(blocks: Sequence[PageBlock], index: int, step: int) -> Iterator[int]:
    """Yield the parts of the same page above or below a part, in the same column."""
    own = blocks[index]
    place = index + step
    while 0 <= place < len(blocks):
        block = blocks[place]
        if block.page != own.page or block.kind == "contents":
            return
        if block.box.x1 >= own.box.x0 and block.box.x0 <= own.box.x1:
            yield place
        place += step


def _owns(blocks: Sequence[PageBlock], index: int, line: int) -> bool:
    """Whether a caption or unit is this table's, not that of a nearer one at its other side."""
    if not (is_caption(blocks[line].text) or _says_unit(blocks[line].text)):
        return True
    above, below = _measure(blocks, line, -1), _measure(blocks, line, 1)
    return (above < below) == (index < line) or min(above, below) == float("inf")


def _measure(blocks: Sequence[PageBlock], line: int, step: int) -> float:
    """Return the widest gap from a line to the table above or below it; infinite if there is text."""
    widest, before = 0.0, blocks[line]
    for place in _walk(blocks, line, step):
        block = blocks[place]
        upper, lower = (block, before) if step < 0 else (before, block)
        widest = max(widest, lower.box.y0 - upper.box.y1)
        if block.table:
            return widest
        if not (is_caption(block.text) or _says_unit(block.text)):
            break
        before = block
    return float("inf")
