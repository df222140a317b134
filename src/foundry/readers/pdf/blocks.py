"""The parts of a PDF in reading order: paragraphs, list items, tables.

Lines are joined while the next word would not have fitted on the line before it; a gap, another
style, a marker or a sentence that ends early begins a new part. Every word of the page is in
exactly one part. Sentences and tables that run over pages are joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, repeat
from statistics import median

from foundry.analysis.lexer import WORD, match_marker
from foundry.readers.pdf.lines import Row, surround
from foundry.readers.pdf.tables.captions import is_bracketed, is_caption, list_lines_around
from foundry.readers.pdf.tables.cells import PageTable
from foundry.readers.pdf.tables.over_pages import (
    build_header_table,
    find_header,
    find_header_rows,
    inherit,
    is_continued,
)
from foundry.records import BlockKind, Box, Recognition, join_recognitions
from foundry.text.tables import says_only_unit

_FOOTNOTE = re.compile(r"(?:[¹²³⁴-⁹*†‡]{1,3}|\(\w{1,2}\)|\d{1,2})\s*\S")
_ENDS = (".", "!", "?", ":", ";", '."', ".”", ".’", "?”", ".)")
_MARKS = ".,;:()[]\"'“”’"
_MIN_LINES_PITCH = 1.35
"""A wider gap than this, relative to the usual distance of lines, begins a part. A guess."""
_KNOWN = 0.7
"""Share of the words in a picture that are on the page as text if it is laid over it. A guess."""
_STYLE = 0.1
"""Difference of sizes that begins a part, relative to the size. A guess."""


@dataclass(slots=True)
class PageBlock:
    """A part of a page. ``full`` says that its last line has no room for another word.

    ``aside`` are marginal notes, watermarks and what the file says is no part of the text.
    """

    kind: BlockKind
    text: str
    page: int
    box: Box
    size: float = 0.0
    bold: bool = False
    italic: bool = False
    lines: int = 1
    gap: float = 0.0
    full: bool = False
    broken: bool = False
    centred: bool = False
    aside: bool = False
    table: PageTable | None = None
    recognition: Recognition | None = None
    rows: Sequence[Row] = ()
    """Its rows, if the last one has a wide gap: it may be the header of a table."""

    @property
    def is_footnote(self) -> bool:
        """Whether it begins with a footnote's mark."""
        return self.table is None and bool(_FOOTNOTE.match(self.text))


class Vocabulary:
    """The words of a document so far, to know which hyphens at line ends belong to a word."""

    def __init__(self) -> None:
        self._words: set[str] = set()

    def add(self, rows: Iterable[Row]) -> None:
        """Remember the words of rows."""
        broken = False
        for row in rows:
            words = row.text.casefold().split()
            # The halves of a word that is cut here are not words.
            whole = words[broken : len(words) - row.segments[-1].broken]
            self._words.update(map(str.strip, whole, repeat(_MARKS)))
            if "-" in row.text:
                for word in whole:
                    self._words.update(word.strip(_MARKS).split("-"))
            broken = row.segments[-1].broken

    def join(self, left: str, right: str) -> str:
        """Join two lines of which the first is cut by a hyphen that is not in its text."""
        head, tail = left.rpartition(" ")[2], right.partition(" ")[0]
        if not (head[-1:].isalpha() and tail[:1].islower()):
            return f"{left}-{right}"
        first, second = head.casefold().strip(_MARKS), tail.casefold().strip(_MARKS)
        both = first.rpartition("-")[2] in self._words and second in self._words
        if first + second not in self._words and (both or f"{first}-{second}" in self._words):
            return f"{left}-{right}"
        return left + right


def build_blocks(
    parts: Sequence[Row | PageTable | PageBlock], page: int, vocabulary: Vocabulary
) -> list[PageBlock]:
    """Return the parts of a group of rows, tables and other parts, from top to bottom."""
    parts = [piece for part in parts for piece in _split_sizes(part)]
    rows = [part for part in parts if isinstance(part, Row)]
    pitch = find_pitch(rows)
    blocks: list[PageBlock] = []
    run: list[Row] = []
    edge = -1e9

    def close() -> None:
        if run:
            blocks.extend(_cut_run(run, page, vocabulary, edge))
            run.clear()

    for part in parts:
        if isinstance(part, PageTable):
            close()
            text = "\n".join(row.text for row in part.rows)
            blocks.append(
                PageBlock("table", text, page, part.box, gap=part.box.y0 - edge, table=part)
            )
            edge = part.box.y1
        elif isinstance(part, PageBlock):
            close()
            part.gap = part.box.y0 - edge
            blocks.append(part)
            edge = part.box.y1
        else:
            size = max(run[-1].size, part.size) if run else 0.0
            if run and part.base - run[-1].base > _MIN_LINES_PITCH * min(pitch, 1.5) * size:
                close()
                edge = rows[rows.index(part) - 1].box.y1
            run.append(part)
    close()
    return blocks


def _split_sizes(part: Row | PageTable | PageBlock) -> list[Row | PageTable | PageBlock]:
    """Cut a row where its print changes size behind a wide gap: a title and a date beside it."""
    if not isinstance(part, Row) or len(part.segments) < 2:
        return [part]
    pieces = [[part.segments[0]]]
    for left, right in pairwise(part.segments):
        if abs(left.size - right.size) > 2 * _STYLE * max(left.size, right.size):
            pieces.append([right])
        else:
            pieces[-1].append(right)
    return [Row(piece) for piece in pieces]


def find_pitch(rows: Sequence[Row]) -> float:
    """Return the usual distance of lines, relative to their size; 1.2 if there are none."""
    gaps = [
        (low.base - high.base) / low.size
        for high, low in pairwise(rows)
        if abs(low.size - high.size) < _STYLE * low.size and 0 < low.base - high.base < 2 * low.size
    ]
    return median(gaps) if gaps else 1.2


def _cut_run(
    rows: Sequence[Row], page: int, vocabulary: Vocabulary, edge: float
) -> list[PageBlock]:
    """Cut rows without wide gaps between them into parts."""
    right = max(row.x1 for row in rows)
    left = min(row.x0 for row in rows)
    groups: list[list[Row]] = [[rows[0]]]
    for row in rows[1:]:
        if _begins_part(groups[-1], row, left, right):
            groups.append([row])
        else:
            groups[-1].append(row)
    blocks = []
    for group in groups:
        blocks.append(_build_block(group, page, vocabulary, (left, right), group[0].top - edge))
        edge = group[-1].bottom
    return blocks


def _begins_part(group: Sequence[Row], row: Row, left: float, right: float) -> bool:
    above = group[-1]
    if _differs(above, row):
        return True
    if is_marked(row.text) and (
        row.x0 <= group[0].x0 + 0.5 * row.size or not row.text[:1].isalnum()
    ):
        return True
    unit = is_bracketed(row.text) or (is_caption(above.text) and says_only_unit(row.text))
    if row.x1 < above.x0 or row.x0 > above.x1 or unit:
        return True
    if above.segments[-1].broken:
        return False
    first = row.segments[0].words[0]
    centred = abs(row.x0 + row.x1 - above.x0 - above.x1) < 3 and abs(row.x0 - above.x0) > row.size
    room = (right - above.x1) * (2 if centred else 1)
    fits = first.x1 - first.x0 + 0.6 * row.size < room
    text = above.text
    if not fits:
        # A paragraph without a gap above it begins with an indented line.
        indented = row.x0 > above.x0 + 0.8 * row.size and len(group) > 1
        return indented and text.endswith(_ENDS) and row.x0 > left + 0.8 * row.size
    return not row.text[:1].islower() or text.endswith(_ENDS)


def _differs(above: Row, row: Row) -> bool:
    """Whether two lines are printed in different styles."""
    if abs(above.size - row.size) > _STYLE * max(above.size, row.size):
        return True
    words, others = ({id(w.font): w.font for w in line.words}.values() for line in (above, row))
    bold = [font.bold for font in words], [font.bold for font in others]
    italic = [font.italic for font in words], [font.italic for font in others]
    return any(
        (all(one) and not any(two)) or (not any(one) and all(two)) for one, two in (bold, italic)
    )


def _build_block(
    rows: Sequence[Row], page: int, vocabulary: Vocabulary, edges: tuple[float, float], gap: float
) -> PageBlock:
    text = rows[0].text
    broken = rows[0].segments[-1].broken
    for row in rows[1:]:
        text = join_lines(text, row.text, vocabulary, broken=broken)
        broken = row.segments[-1].broken
    last, words = rows[-1], [word for row in rows for word in row.words]
    bold = sum([len(word.text) for word in words if word.font.bold])
    middle = (rows[0].x0 + rows[0].x1) / 2
    return PageBlock(
        "paragraph",
        text,
        page,
        surround([row.box for row in rows]),
        max(row.size for row in rows),
        2 * bold > sum([len(word.text) for word in words]),
        all(word.font.italic for word in words),
        len(rows),
        gap,
        full=edges[1] - last.x1 < 6 * last.size,
        broken=broken,
        centred=abs(middle - sum(edges) / 2) < last.size and rows[0].x0 > edges[0] + last.size,
        rows=rows if len(last.segments) > 1 else (),
    )


def is_marked(text: str) -> bool:
    """Whether a line begins with a bullet, also "o" as one, or the number of an item."""
    marked = match_marker(text, initials=True) is not None and text[0] != "+"
    return marked or text.startswith("o ")


def is_list_item(block: PageBlock) -> bool:
    """Whether a text begins with a bullet or the number of an item."""
    return block.kind == "paragraph" and is_marked(block.text)


def join_lines(left: str, right: str, vocabulary: Vocabulary, *, broken: bool) -> str:
    """Join a line and the next one; ``broken`` says that a hyphen was left out between them."""
    if broken:
        return vocabulary.join(left, right)
    if left[-1:] in "-—/" and left[-2:-1].isalnum() and right[:1].isalnum():
        return left + right
    return f"{left} {right}"


def join_pages(pages: Iterable[Sequence[PageBlock]], vocabulary: Vocabulary) -> list[PageBlock]:
    """Return the parts of all pages in order; footnotes come after the text of their page."""
    blocks: list[PageBlock] = []
    start = 0
    for page in pages:
        rest = list(page)
        last = _find_last_text(blocks, start)
        first = next((index for index, block in enumerate(rest) if not block.aside), None)
        if last is not None and first is not None:
            if _continues_text(blocks[last], rest[first]):
                blocks[last] = _join(blocks[last], rest.pop(first), vocabulary)
            elif rest[first].table:
                _continue_table(blocks, last, start, rest[first], vocabulary)
        start = len(blocks)
        blocks += rest
    return blocks


def _find_last_text(blocks: Sequence[PageBlock], start: int) -> int | None:
    """Return the index of the last part of a page that is no footnote and no aside."""
    index = len(blocks) - 1
    while index > start and (
        blocks[index].aside or (blocks[index].is_footnote and _is_small(blocks, index, start))
    ):
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
        last,
        text=text,
        lines=last.lines + block.lines,
        full=block.full,
        broken=block.broken,
        recognition=join_recognitions((last.recognition, block.recognition)),
    )


def _continue_table(
    blocks: list[PageBlock], last: int, start: int, block: PageBlock, vocabulary: Vocabulary
) -> None:
    """Give the table at the top of a page what holds from the page before, whose blocks end at ``last``."""
    table, upper = block.table, blocks[last].table
    if table is None:
        return
    if upper and (header := find_header(upper, table)):
        header.lines_above = tuple(list_lines_around(blocks, last))
        blocks.pop(last)
        inherit(header, table)
    elif upper and is_continued(upper, table):
        inherit(upper, table)
    elif _opens_section(blocks, last, start) and (
        (upper := blocks[last - 1].table) and is_continued(upper, table)
    ):
        inherit(upper, table, blocks.pop(last).text)
    else:
        _take_header(blocks, last, start, table, vocabulary)


def _take_header(
    blocks: list[PageBlock], last: int, start: int, table: PageTable, vocabulary: Vocabulary
) -> None:
    """Take the rows at the foot of a page that are the header of a table on the next one."""
    first = last
    while first > start and blocks[first - 1].rows and blocks[first].gap < blocks[first].size:
        first -= 1
    rows = [row for block in blocks[first : last + 1] for row in block.rows]
    head = find_header_rows(rows, table)
    if not head:
        return
    upper = build_header_table(head, table)
    rest = rows[: len(rows) - len(head)]
    page, gap = blocks[first].page, blocks[first].gap
    left = build_blocks(rest, page, vocabulary) if rest else []
    if left:
        left[0].gap = gap
    blocks[first : last + 1] = left
    mark = PageBlock("table", "", page, upper.box, table=upper)
    at = first + len(left)
    upper.lines_above = tuple(list_lines_around([*blocks[:at], mark], at))
    inherit(upper, table)


def _opens_section(blocks: Sequence[PageBlock], index: int, start: int) -> bool:
    """Whether the last part of a page may be the heading of rows on the next one."""
    block = blocks[index]
    return index > start and block.lines == 1 and block.gap < 1.5 * block.size


def drop_known(blocks: Sequence[PageBlock], seen: Sequence[PageBlock]) -> list[PageBlock]:
    """Drop the blocks of a picture whose words are on the page as text, laid over it."""

    def is_known(block: PageBlock) -> bool:
        over = [other.text for other in seen if _overlap(block.box, other.box)]
        known = set(WORD.findall(" ".join(over).casefold()))
        words = WORD.findall(block.text.casefold())
        return sum(word in known for word in words) > _KNOWN * len(words)

    return [block for block in blocks if not is_known(block)]


def _overlap(one: Box, other: Box) -> bool:
    across = one.x0 < other.x1 and other.x0 < one.x1
    return across and one.y0 < other.y1 and other.y0 < one.y1
