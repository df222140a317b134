"""Which blocks of a PDF are headings, of what level, and what was left unnamed.

The outline comes first: each bookmark is looked for on its page. Then come printed
numbers that fit their series, then, where a document has neither, the layout's own
idea of headings as far as it is plausible. A bookmark whose words are not on the page
still opens its section there, without a block: what follows is not the section above.
What may belong to either of two sections stands under the one that holds both.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from foundry.readers.heading_numbers import HeadingNumber, NumberSeries, find_heading_number
from foundry.readers.pdf.facts import OutlineEntry
from foundry.readers.pdf.layout import RawBlock
from foundry.readers.pdf.splits import BlockSplit, split_numbered_rows, split_row, split_text
from foundry.readers.pdf.tables import find_prefix_end, fold_letters

_LEADING_NUMBER = re.compile(r"(?:\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})+)[.)]?\s+")
_CONTENTS_ENTRY = re.compile(r"\s\.?\s*(?:\d{1,4}|[ivxl]{1,6})$|(?:\s?\.){4,}")
_LONGEST = 120
_NEAR = 40.0  # points between a bookmark's place and its heading
_LINE = 12.0  # points: how far off a bookmark's place may be


@dataclass(frozen=True, slots=True)
class PdfPart:
    """A block, or a section that opens without one. ``level`` is set for headings and sections.

    Without a block and a title it closes the sections from ``level`` down.
    """

    block: RawBlock | None
    level: int | None = None
    title: str = ""


def mark_headings(blocks: Sequence[RawBlock], outline: Sequence[OutlineEntry]) -> list[PdfPart]:
    """The blocks of a document in order, with their headings known."""
    parts = [PdfPart(block) for block in (blocks if outline else split_numbered_rows(blocks))]
    if outline:
        parts = _place_outline(parts, outline)
    parts = _mark_numbered(parts, has_outline=bool(outline))
    if not any(part.level for part in parts):
        parts = _mark_hinted(parts)
    return _reopen_parents(parts)


def _reopen_parents(parts: list[PdfPart]) -> list[PdfPart]:
    """The same, with a section left by entering the one around it anew."""
    open_sections: list[tuple[int, str]] = []
    found: list[PdfPart] = []
    for part in parts:
        if not part.level:
            found.append(part)
            continue
        open_sections = [one for one in open_sections if one[0] < part.level]
        if part.block or part.title:
            open_sections.append((part.level, part.block.text if part.block else part.title))
            found.append(part)
        elif open_sections:
            level, title = open_sections[-1]
            found.append(PdfPart(None, level, title))
    return found


# -- Outline --------------------------------------------------------------------


def _place_outline(parts: list[PdfPart], outline: Sequence[OutlineEntry]) -> list[PdfPart]:
    entries: dict[int, list[OutlineEntry]] = defaultdict(list)
    for entry in outline:
        entries[entry.page].append(entry)
    pages: dict[int, list[PdfPart]] = defaultdict(list)
    for part in parts:
        if part.block:
            pages[part.block.page].append(part)
    found: list[PdfPart] = []
    for page in sorted(entries.keys() | pages.keys()):
        found += _place_page_outline(pages[page], entries[page])
    return found


def _place_page_outline(parts: list[PdfPart], entries: list[OutlineEntry]) -> list[PdfPart]:
    after = 0
    waiting: list[PdfPart] = []
    for entry in entries:
        place = _find_heading(parts, entry, after)
        section = PdfPart(None, entry.level, entry.title)
        if place:
            index, taken = place
            new = [*taken.before, *waiting, *taken.parts]
            parts[index : index + len(taken.used)] = new
            after = index + len(taken.before) + len(waiting) + 1
            waiting = []
            continue
        index = _find_section_index(parts, entry, after)
        doubtful = _find_doubtful(parts, entry, after, index)
        if doubtful is not None:
            parts.insert(doubtful, PdfPart(None, entry.level))
            index += 1
        if entry.top is None and doubtful is not None:
            # It begins somewhere before the next heading, and has begun when that comes.
            waiting.append(section)
            after = index
        else:
            parts[index:index] = [*waiting, section]
            after, waiting = index + len(waiting) + 1, []
    return [*parts, *waiting]


def _find_doubtful(parts: list[PdfPart], entry: OutlineEntry, after: int, place: int) -> int | None:
    """The first part that may belong to the section before a bookmark, or to its own."""
    if entry.top is None:
        return after if any(part.block for part in parts[:after]) else None
    for index in range(after, place):
        block = parts[index].block
        if block and block.box and block.box.y0 + _LINE < entry.top < block.box.y1 - _LINE:
            return index
    return None


@dataclass(frozen=True, slots=True)
class _HeadingMatch:
    """The parts that a heading was found in, and those that come in their place.

    ``parts`` begins with the heading; ``before`` is what stood above it in the same block.
    """

    used: tuple[PdfPart, ...]
    parts: tuple[PdfPart, ...]
    whole: bool
    before: tuple[PdfPart, ...] = ()


def _find_heading(
    parts: list[PdfPart], entry: OutlineEntry, after: int
) -> tuple[int, _HeadingMatch] | None:
    found: list[tuple[tuple[bool, bool, float], int, _HeadingMatch]] = []
    for index in range(after, len(parts)):
        taken = _match_heading(parts, index, entry)
        if taken:
            away = _compute_distance(taken.parts[0].block, entry)
            found.append(((away > _NEAR, not taken.whole, away), index, taken))
    if not found:
        return None
    _, index, taken = min(found, key=lambda one: one[0])
    return index, taken


def _match_heading(parts: list[PdfPart], index: int, entry: OutlineEntry) -> _HeadingMatch | None:
    block = parts[index].block
    if block is None or parts[index].level or block.kind == "code":
        return None
    if block.kind == "table":
        return _split_table(parts[index], block, entry)
    if _is_titled(block.text, entry.title):
        return _HeadingMatch((parts[index],), (PdfPart(block, entry.level),), whole=True)
    joined = _join_next(parts, index)
    if joined and _is_titled(joined.text, entry.title):
        used = (parts[index], parts[index + 1])
        return _HeadingMatch(used, (PdfPart(joined, entry.level),), whole=True)
    return _split_text_block(parts[index], block, entry)


def _is_titled(text: str, title: str) -> bool:
    """Whether a text is a title, its number aside where only one of the two has it."""
    if len(text) > 2 * len(title) + 20:
        return False
    if _has_same_letters(text, title):
        return True
    bare = fold_letters(_strip_number(title))
    return bool(bare) and bare in (fold_letters(text), fold_letters(_strip_number(text)))


def _join_next(parts: list[PdfPart], index: int) -> RawBlock | None:
    """Two neighbouring blocks as one: a heading over two lines."""
    first = parts[index].block
    second = parts[index + 1].block if index + 1 < len(parts) else None
    if not first or not second or len(first.text) + len(second.text) > 2 * _LONGEST:
        return None
    return replace(first, text=f"{first.text} {second.text}")


def _split_text_block(part: PdfPart, block: RawBlock, entry: OutlineEntry) -> _HeadingMatch | None:
    """A heading that the layout took together with the text below it."""
    number = _LEADING_NUMBER.match(block.text)
    for start in (0, number.end() if number else 0):
        end = find_prefix_end(block.text[start:], entry.title)
        if end is None or len(fold_letters(entry.title)) < 3:
            continue
        # Prose may begin with the same words; a heading stands where the outline says.
        if start == 0 and _compute_distance(block, entry) > _NEAR and not block.hint:
            continue
        head = replace(block, text=block.text[: start + end].strip())
        rest = replace(block, text=block.text[start + end :].strip(), hint=None)
        return _HeadingMatch((part,), (PdfPart(head, entry.level), PdfPart(rest)), whole=False)
    return _build_match(part, split_text(block, entry.title, entry.top), entry)


def _split_table(part: PdfPart, block: RawBlock, entry: OutlineEntry) -> _HeadingMatch | None:
    """A heading that the layout took for a row of the table above or below it."""
    for row, cells in enumerate(block.table.rows if block.table else ()):
        words = " ".join(cell for cell in cells if cell)
        if not _is_titled(words, entry.title):
            continue
        # Without a place to go by, a row may be named as a section: only its number tells.
        if entry.top is None and not (
            _LEADING_NUMBER.match(words) and _has_same_letters(words, entry.title)
        ):
            continue
        split = split_row(block, row)
        if split and _compute_distance(split.head, entry) <= _NEAR:
            return _build_match(part, split, entry)
    return None


def _has_same_letters(text: str, title: str) -> bool:
    return fold_letters(text) == fold_letters(title)


def _build_match(
    part: PdfPart, split: BlockSplit | None, entry: OutlineEntry
) -> _HeadingMatch | None:
    if split is None:
        return None
    before = (PdfPart(split.before),) if split.before else ()
    after = (PdfPart(split.after),) if split.after else ()
    return _HeadingMatch(
        (part,), (PdfPart(split.head, entry.level), *after), whole=False, before=before
    )


def _compute_distance(block: RawBlock | None, entry: OutlineEntry) -> float:
    if entry.top is None or block is None or block.box is None:
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


# -- Printed numbers ---------------------------------------------------------------


def _mark_numbered(parts: list[PdfPart], *, has_outline: bool) -> list[PdfPart]:
    numbers = [_find_part_number(part) for part in parts]
    contents = _find_contents_pages(parts, numbers)
    shift, usual = _compute_level_shift(parts), _measure_line_heights(parts)
    levels: dict[int, Counter[int]] = defaultdict(Counter)
    series = NumberSeries()
    found: list[PdfPart] = []
    for part, number in zip(parts, numbers, strict=True):
        block = part.block
        if part.level or number is None or block is None or block.page in contents:
            if part.level and number:
                series.accepts(number)
            found.append(part)
            continue
        if number.parts == (1,) and block.hint and not has_outline:
            series = NumberSeries()
        level = max(1, number.level + shift)
        if not _is_set_apart(block, number, usual) or not series.accepts(number):
            found.append(part)
            continue
        if block.hint:
            levels[block.hint][level] += 1
        found.append(PdfPart(block, min(level, 6)))
    return found if has_outline else _mark_unnumbered(found, levels, contents)


def _find_part_number(part: PdfPart) -> HeadingNumber | None:
    block = part.block
    if block is None or block.kind not in {"paragraph", "list_item"}:
        return None
    return find_heading_number(block.text)


def _find_contents_pages(parts: list[PdfPart], numbers: list[HeadingNumber | None]) -> set[int]:
    """Pages with a table of contents: at least three numbered lines that end in a page number."""
    found: Counter[int] = Counter()
    for part, number in zip(parts, numbers, strict=True):
        if (
            part.block
            and (number or part.block.kind == "table")
            and (_CONTENTS_ENTRY.search(part.block.text))
        ):
            found[part.block.page] += 1 + part.block.text.count(" . . .")
    return {page for page, count in found.items() if count >= 3}


def _compute_level_shift(parts: list[PdfPart]) -> int:
    """How much deeper the outline puts numbered headings than their numbers do."""
    shifts: Counter[int] = Counter()
    for part in parts:
        number = _find_part_number(part) if part.level else None
        if part.level and number:
            shifts[part.level - number.level] += 1
    return shifts.most_common(1)[0][0] if shifts else 0


def _is_set_apart(block: RawBlock, number: HeadingNumber, usual: dict[int, float]) -> bool:
    """Whether a numbered line is printed as a heading: larger, bold, or seen so by the layout."""
    if block.hint or (block.bold and block.kind == "paragraph"):
        return True
    if block.kind == "list_item" or block.box is None or number.level < 2:
        return False
    height = _measure_height(block)
    return height < 30 and height > 1.15 * usual.get(block.page, height)


def _measure_line_heights(parts: Sequence[PdfPart]) -> dict[int, float]:
    """The height of an ordinary line on each page: blocks of one line are the lowest ones."""
    heights: dict[int, list[float]] = defaultdict(list)
    for part in parts:
        if part.block and part.block.box:
            heights[part.block.page].append(_measure_height(part.block))
    return {page: sorted(found)[len(found) // 6] for page, found in heights.items()}


def _mark_unnumbered(
    parts: list[PdfPart], levels: dict[int, Counter[int]], contents: set[int]
) -> list[PdfPart]:
    """Headings without a number that are printed as the numbered ones: "References"."""
    if not levels:
        return parts
    known = {hint: counts.most_common(1)[0][0] for hint, counts in levels.items()}
    found = []
    for part in parts:
        block = part.block
        if part.level or not block or block.hint not in known or block.page in contents:
            found.append(part)
        elif block.hint and find_heading_number(block.text) is None and _is_plausible(block):
            found.append(PdfPart(block, known[block.hint]))
        else:
            found.append(part)
    return found


# -- The layout's own headings ---------------------------------------------------------


def _mark_hinted(parts: list[PdfPart]) -> list[PdfPart]:
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
        # Bold lines in a row are an address or a colophon, not a heading.
        and _measure_height(part.block) <= 2.6 * lowest[part.block.hint]
    }
    # Where headings are most of the words, size means something else (slides, posters).
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
        2 < len(text) <= _LONGEST
        and len(words) <= 14
        and text[-1] not in ".,;"
        and sum(char.isalpha() for char in text) > 0.5 * len(fold_letters(text))
        and not _CONTENTS_ENTRY.search(text)
    )
