"""Places the bookmarks of a PDF: the headings they name, and the sections they open.

Each bookmark is looked for on its page. A bookmark whose words are not there still opens
its section without a heading, because what follows is not the section above. A block that
may belong to either of two sections comes under the section that contains both. Blocks that
the layout merged with a heading are cut: tables at a row, texts at the heading's words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from foundry.readers.heading_numbers import find_heading_number
from foundry.readers.pdf.facts import OutlineEntry
from foundry.readers.pdf.layout import RawBlock
from foundry.readers.pdf.tables import PdfTable, PrintedLine, find_prefix_end, fold_letters
from foundry.records import Box

LONGEST_HEADING = 120
"""Characters; longer blocks are text. A guess: about one and a half lines."""
_LEADING_NUMBER = re.compile(r"(?:\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})+)[.)]?\s+")
# Points. Guesses: programs put a bookmark at most three lines from its heading.
_NEAR = 40.0
"""Distance between the place of a bookmark and its heading."""
_LINE = 12.0
"""Error in the place of a bookmark: one line."""
_SLACK = 24.0
"""Error in the estimated place of words in a block: two lines."""
_LARGER = 1.2
"""Height of a heading in a table, relative to the other lines."""


@dataclass(frozen=True, slots=True)
class PdfPart:
    """A block, or a section that opens without one; ``level`` is set for headings and sections.

    A part without block and title closes the sections from ``level`` down.
    """

    block: RawBlock | None
    level: int | None = None
    title: str = ""


def place_outline(parts: list[PdfPart], outline: Sequence[OutlineEntry]) -> list[PdfPart]:
    """Mark the headings that the outline names, and add its sections without a heading."""
    entries: dict[int, list[OutlineEntry]] = defaultdict(list)
    for entry in outline:
        entries[entry.page].append(entry)
    pages: dict[int, list[PdfPart]] = defaultdict(list)
    for part in parts:
        if part.block:
            pages[part.block.page].append(part)
    return [
        part
        for page in sorted(entries.keys() | pages.keys())
        for part in _place_page_outline(pages[page], entries[page])
    ]


def _place_page_outline(parts: list[PdfPart], entries: list[OutlineEntry]) -> list[PdfPart]:
    after = 0
    waiting: list[PdfPart] = []
    for entry in entries:
        match = _find_heading(parts, entry, after)
        section = PdfPart(None, entry.level, entry.title)
        if match:
            index, heading = match
            before = [PdfPart(heading.before)] if heading.before else []
            below = [PdfPart(heading.after)] if heading.after else []
            head = PdfPart(heading.head, entry.level)
            parts[index : index + heading.used] = [*before, *waiting, head, *below]
            after = index + len(before) + len(waiting) + 1
            waiting = []
            continue
        index = _find_section_index(parts, entry, after)
        doubtful = _find_doubtful(parts, entry, after, index)
        if doubtful is not None:
            parts.insert(doubtful, PdfPart(None, entry.level))
            index += 1
        if entry.top is None and doubtful is not None:
            # It starts somewhere before the next heading, so it is open when that comes.
            waiting.append(section)
            after = index
        else:
            parts[index:index] = [*waiting, section]
            after, waiting = index + len(waiting) + 1, []
    return [*parts, *waiting]


def _find_doubtful(parts: list[PdfPart], entry: OutlineEntry, after: int, stop: int) -> int | None:
    """Return the first part that may belong either to the previous section or to the entry's."""
    if entry.top is None:
        return after if any(part.block for part in parts[:after]) else None
    for index in range(after, stop):
        block = parts[index].block
        if block and block.box and block.box.y0 + _LINE < entry.top < block.box.y1 - _LINE:
            return index
    return None


@dataclass(frozen=True, slots=True)
class _HeadingMatch:
    """A heading found in ``used`` parts, and the text above and below it in the same block.

    ``whole`` is True if the heading is not a part of a block.
    """

    before: RawBlock | None
    head: RawBlock
    after: RawBlock | None
    used: int = 1
    whole: bool = False


def _find_heading(
    parts: list[PdfPart], entry: OutlineEntry, after: int
) -> tuple[int, _HeadingMatch] | None:
    matches: list[tuple[tuple[bool, bool, float], int, _HeadingMatch]] = []
    for index in range(after, len(parts)):
        match = _match_heading(parts, index, entry)
        if match:
            distance = _compute_distance(match.head, entry)
            matches.append(((distance > _NEAR, not match.whole, distance), index, match))
    if not matches:
        return None
    _, index, match = min(matches, key=lambda item: item[0])
    return index, match


def _match_heading(parts: list[PdfPart], index: int, entry: OutlineEntry) -> _HeadingMatch | None:
    block = parts[index].block
    if block is None or parts[index].level or block.kind == "code":
        return None
    if block.kind == "table":
        return _split_table(block, entry)
    if _is_titled(block.text, entry.title):
        return _HeadingMatch(None, block, None, whole=True)
    joined = _join_next(parts, index)
    if joined and _is_titled(joined.text, entry.title):
        return _HeadingMatch(None, joined, None, used=2, whole=True)
    return _split_text_block(block, entry)


def _is_titled(text: str, title: str) -> bool:
    """Whether a text is a title; a number that only one of the two has is ignored."""
    if len(text) > 2 * len(title) + 20:
        return False
    if _has_same_letters(text, title):
        return True
    bare = fold_letters(_strip_number(title))
    return bool(bare) and bare in (fold_letters(text), fold_letters(_strip_number(text)))


def _join_next(parts: list[PdfPart], index: int) -> RawBlock | None:
    """Join two neighbouring blocks, because a heading may take two lines."""
    first = parts[index].block
    second = parts[index + 1].block if index + 1 < len(parts) else None
    if not first or not second or len(first.text) + len(second.text) > 2 * LONGEST_HEADING:
        return None
    return replace(first, text=f"{first.text} {second.text}")


def _split_text_block(block: RawBlock, entry: OutlineEntry) -> _HeadingMatch | None:
    """Find a heading that the layout merged with the text around it."""
    number = _LEADING_NUMBER.match(block.text)
    for start in (0, number.end() if number else 0):
        end = find_prefix_end(block.text[start:], entry.title)
        if end is None or len(fold_letters(entry.title)) < 3:
            continue
        # Prose may start with the same words; a heading is where the outline says.
        if start == 0 and _compute_distance(block, entry) > _NEAR and not block.hint:
            continue
        head = replace(block, text=block.text[: start + end].strip())
        rest = replace(block, text=block.text[start + end :].strip(), hint=None)
        return _HeadingMatch(None, head, rest)
    return _split_text(block, entry.title, entry.top)


def _split_table(block: RawBlock, entry: OutlineEntry) -> _HeadingMatch | None:
    """Find a heading that the layout took for a row of the table above or below it."""
    for row, cells in enumerate(block.table.rows if block.table else ()):
        words = " ".join(cell for cell in cells if cell)
        if not _is_titled(words, entry.title):
            continue
        # Without a place, a row may just have the same name; only a number is proof.
        if entry.top is None and not (
            _LEADING_NUMBER.match(words) and _has_same_letters(words, entry.title)
        ):
            continue
        split = _split_row(block, row)
        if split and _compute_distance(split.head, entry) <= _NEAR:
            return split
    return None


def _has_same_letters(text: str, title: str) -> bool:
    return fold_letters(text) == fold_letters(title)


def _compute_distance(block: RawBlock, entry: OutlineEntry) -> float:
    if entry.top is None or block.box is None:
        return 0.0
    if block.box.y0 <= entry.top <= block.box.y1:
        return 0.0
    return min(abs(block.box.y0 - entry.top), abs(block.box.y1 - entry.top))


def _find_section_index(parts: list[PdfPart], entry: OutlineEntry, after: int) -> int:
    if entry.top is None:
        return after
    for index in range(after, len(parts)):
        block = parts[index].block
        if block and block.box and block.box.y0 >= entry.top - 2:
            return index
    return len(parts)


def _strip_number(text: str) -> str:
    return _LEADING_NUMBER.sub("", text, count=1)


def _split_row(block: RawBlock, row: int) -> _HeadingMatch | None:
    """Cut a table at a row, which becomes a paragraph; None if its line is uncertain."""
    table, box = block.table, block.box
    index = table.find_line(row) if table else None
    if table is None or box is None or index is None:
        return None
    line = table.lines[index]
    above = table.part(slice(0, row), slice(0, index))
    below = table.part(slice(row + 1, None), slice(index + 1, None))
    words = " ".join(cell for cell in table.rows[row] if cell)
    return _HeadingMatch(
        _build_part(block, above, replace(box, y1=_find_edge(above.lines, line, box.y0))),
        replace(block, kind="paragraph", text=words, box=line.box, table=None),
        _build_part(block, below, replace(box, y0=line.box.y1)),
    )


def _split_text(block: RawBlock, words: str, top: float | None) -> _HeadingMatch | None:
    """Cut a text at words that it has once, about ``top`` points from the top of the page."""
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
    return _HeadingMatch(
        replace(block, text=before, box=replace(box, y1=top), hint=None) if before else None,
        replace(block, kind="paragraph", text=words, box=replace(box, y0=top)),
        replace(block, text=after, box=replace(box, y0=top), hint=None) if after else None,
    )


def split_numbered_rows(blocks: Sequence[RawBlock]) -> list[RawBlock]:
    """Cut tables at rows that consist of one numbered cell in larger print."""
    cut: list[RawBlock] = []
    for block in blocks:
        rest: RawBlock | None = block
        while rest:
            split = _split_at_numbered_row(rest)
            if split is None:
                cut.append(rest)
                break
            cut += [*([split.before] if split.before else []), replace(split.head, bold=True)]
            rest = split.after
    return cut


def _split_at_numbered_row(block: RawBlock) -> _HeadingMatch | None:
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
        index = table.find_line(row)
        if index is not None and _measure_line(table.lines[index]) >= _LARGER * usual:
            return _split_row(block, row)
    return None


def _measure_line(line: PrintedLine) -> float:
    return line.box.y1 - line.box.y0


def _find_edge(lines: Sequence[PrintedLine], line: PrintedLine, top: float) -> float:
    """Return where the part above a line ends, in points."""
    return max(top, min(lines[-1].box.y1, line.box.y0)) if lines else line.box.y0


def _build_part(block: RawBlock, table: PdfTable, box: Box) -> RawBlock | None:
    return replace(block, text=table.text, box=box, table=table) if table.rows else None
