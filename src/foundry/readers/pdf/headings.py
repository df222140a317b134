"""Decides which blocks of a PDF are headings, and of what level.

The outline comes first, then printed numbers that continue their series. A document with
neither falls back on the headings of the layout analysis, as far as they are plausible.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from foundry.readers.heading_numbers import HeadingNumber, NumberSeries, find_heading_number
from foundry.readers.pdf.facts import OutlineEntry
from foundry.readers.pdf.layout import RawBlock
from foundry.readers.pdf.outline import (
    LONGEST_HEADING,
    PdfPart,
    place_outline,
    split_numbered_rows,
)
from foundry.readers.pdf.tables import fold_letters

_CONTENTS_ENTRY = re.compile(r"\s\.?\s*(?:\d{1,4}|[ivxl]{1,6})$|(?:\s?\.){4,}")


def mark_headings(blocks: Sequence[RawBlock], outline: Sequence[OutlineEntry]) -> list[PdfPart]:
    """Return the blocks of a document in order, with headings and sections marked."""
    parts = [PdfPart(block) for block in (blocks if outline else split_numbered_rows(blocks))]
    if outline:
        parts = place_outline(parts, outline)
    parts = _mark_numbered(parts, has_outline=bool(outline))
    if not any(part.level for part in parts):
        parts = _mark_hinted(parts)
    return _reopen_parents(parts)


def _reopen_parents(parts: list[PdfPart]) -> list[PdfPart]:
    """Replace parts that only close sections by opening the section around them again."""
    open_sections: list[tuple[int, str]] = []
    reopened: list[PdfPart] = []
    for part in parts:
        if not part.level:
            reopened.append(part)
            continue
        open_sections = [section for section in open_sections if section[0] < part.level]
        if part.block or part.title:
            open_sections.append((part.level, part.block.text if part.block else part.title))
            reopened.append(part)
        elif open_sections:
            level, title = open_sections[-1]
            reopened.append(PdfPart(None, level, title))
    return reopened


def _mark_numbered(parts: list[PdfPart], *, has_outline: bool) -> list[PdfPart]:
    numbers = [_find_part_number(part) for part in parts]
    contents = _find_contents_pages(parts, numbers)
    shift, usual = _compute_level_shift(parts), _measure_line_heights(parts)
    levels: dict[int, Counter[int]] = defaultdict(Counter)
    series = NumberSeries()
    marked: list[PdfPart] = []
    for part, number in zip(parts, numbers, strict=True):
        block = part.block
        if part.level or number is None or block is None or block.page in contents:
            if part.level and number:
                series.accepts(number)
            marked.append(part)
            continue
        if number.parts == (1,) and block.hint and not has_outline:
            series = NumberSeries()
        level = max(1, number.level + shift)
        if not _is_set_apart(block, number, usual) or not series.accepts(number):
            marked.append(part)
            continue
        if block.hint:
            levels[block.hint][level] += 1
        marked.append(PdfPart(block, min(level, 6)))
    return marked if has_outline else _mark_unnumbered(marked, levels, contents)


def _find_part_number(part: PdfPart) -> HeadingNumber | None:
    block = part.block
    if block is None or block.kind not in {"paragraph", "list_item"}:
        return None
    return find_heading_number(block.text)


def _find_contents_pages(parts: list[PdfPart], numbers: list[HeadingNumber | None]) -> set[int]:
    """Return pages with a table of contents: three or more lines that end in a page number.

    Three is a guess: references to pages rarely end so many blocks on one page.
    """
    entries: Counter[int] = Counter()
    for part, number in zip(parts, numbers, strict=True):
        block = part.block
        if block is None or not (number or block.kind == "table"):
            continue
        if _CONTENTS_ENTRY.search(block.text):
            entries[block.page] += 1 + block.text.count(" . . .")
    return {page for page, count in entries.items() if count >= 3}


def _compute_level_shift(parts: list[PdfPart]) -> int:
    """Return how much deeper numbered headings are in the outline than by their numbers."""
    shifts: Counter[int] = Counter()
    for part in parts:
        number = _find_part_number(part) if part.level else None
        if part.level and number:
            shifts[part.level - number.level] += 1
    return shifts.most_common(1)[0][0] if shifts else 0


def _is_set_apart(block: RawBlock, number: HeadingNumber, usual: dict[int, float]) -> bool:
    """Whether a numbered line looks like a heading: larger, bold, or one to the layout."""
    if block.hint or (block.bold and block.kind == "paragraph"):
        return True
    if block.kind == "list_item" or block.box is None or number.level < 2:
        return False
    height = _measure_height(block)
    # Guesses: a heading is clearly higher than a line of text, and 30 points are several lines.
    return height < 30 and height > 1.15 * usual.get(block.page, height)


def _measure_line_heights(parts: Sequence[PdfPart]) -> dict[int, float]:
    """Return the height of an ordinary line on each page; the lowest blocks have one line."""
    heights: dict[int, list[float]] = defaultdict(list)
    for part in parts:
        if part.block and part.block.box:
            heights[part.block.page].append(_measure_height(part.block))
    return {page: sorted(values)[len(values) // 6] for page, values in heights.items()}


def _mark_unnumbered(
    parts: list[PdfPart], levels: dict[int, Counter[int]], contents: set[int]
) -> list[PdfPart]:
    """Mark headings without a number that look like the numbered ones ("References")."""
    known = {hint: counts.most_common(1)[0][0] for hint, counts in levels.items()}

    def mark(part: PdfPart) -> PdfPart:
        block = part.block
        if part.level or not block or block.hint not in known or block.page in contents:
            return part
        if find_heading_number(block.text) is not None or not _is_plausible(block):
            return part
        return PdfPart(block, known[block.hint])

    return [mark(part) for part in parts]


def _mark_hinted(parts: list[PdfPart]) -> list[PdfPart]:
    """Mark the headings of the layout analysis that are plausible."""
    hinted = [part.block for part in parts if part.block and part.block.hint]
    repeated = Counter(fold_letters(block.text) for block in hinted)
    lowest: dict[int | None, float] = {}
    for block in hinted:
        lowest[block.hint] = min(lowest.get(block.hint, 1e9), _measure_height(block))
    chosen = {
        index
        for index, part in enumerate(parts)
        if part.block
        and part.block.hint
        and _is_plausible(part.block)
        and repeated[fold_letters(part.block.text)] <= 2
        # A block of several bold lines is an address or a colophon.
        and _measure_height(part.block) <= 2.6 * lowest[part.block.hint]
    }
    # With so many words in headings, size means something else (slides, posters). A guess.
    sizes = [len(fold_letters(part.block.text)) if part.block else 0 for part in parts]
    if sum(sizes[index] for index in chosen) > 0.25 * sum(sizes):
        return parts
    return [
        PdfPart(part.block, part.block.hint) if index in chosen and part.block else part
        for index, part in enumerate(parts)
    ]


def _measure_height(block: RawBlock) -> float:
    return block.box.y1 - block.box.y0 if block.box else 0.0


def _is_plausible(block: RawBlock) -> bool:
    text = block.text.strip()
    words = text.split()
    return (
        2 < len(text) <= LONGEST_HEADING
        and len(words) <= 14
        and text[-1] not in ".,;"
        and sum(char.isalpha() for char in text) > 0.5 * len(fold_letters(text))
        and not _CONTENTS_ENTRY.search(text)
    )
