"""Which blocks of a PDF are headings, of what level, and what was left unnamed.

The outline comes first: each bookmark is looked for on its page. Then come printed
numbers that fit their series, then, where a document has neither, the layout's own
idea of headings as far as it is plausible. A bookmark whose words are not on the page
still opens its section there, without a block: what follows is not the section above.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from foundry.readers.numbering import HeadingNumber, NumberSeries, find_number
from foundry.readers.pdf_file import OutlineEntry
from foundry.readers.pdf_layout import RawBlock
from foundry.readers.pdf_matching import find_end, letters

_LEADING_NUMBER = re.compile(r"(?:\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})+)[.)]?\s+")
_CONTENTS_ENTRY = re.compile(r"\s\.?\s*(?:\d{1,4}|[ivxl]{1,6})$|(?:\s?\.){4,}")
_LONGEST = 120
_NEAR = 40.0  # points between a bookmark's place and its heading


@dataclass(frozen=True, slots=True)
class Part:
    """A block, or a section that opens without one. ``level`` is set for headings and sections."""

    block: RawBlock | None
    level: int | None = None
    title: str = ""


def with_headings(blocks: Sequence[RawBlock], outline: Sequence[OutlineEntry]) -> list[Part]:
    """The blocks of a document in order, with their headings known."""
    parts = [Part(block) for block in blocks]
    if outline:
        parts = _with_outline(parts, outline)
    parts = _with_numbers(parts, has_outline=bool(outline))
    if not any(part.level for part in parts):
        parts = _with_hints(parts)
    return parts


# -- Outline --------------------------------------------------------------------


def _with_outline(parts: list[Part], outline: Sequence[OutlineEntry]) -> list[Part]:
    entries: dict[int, list[OutlineEntry]] = defaultdict(list)
    for entry in outline:
        entries[entry.page].append(entry)
    pages: dict[int, list[Part]] = defaultdict(list)
    for part in parts:
        if part.block:
            pages[part.block.page].append(part)
    found: list[Part] = []
    for page in sorted(entries.keys() | pages.keys()):
        found += _page_with_outline(pages[page], entries[page])
    return found


def _page_with_outline(parts: list[Part], entries: list[OutlineEntry]) -> list[Part]:
    after = 0
    for entry in entries:
        place = _find_heading(parts, entry, after)
        if place is None:
            after = _section_place(parts, entry, after)
            parts.insert(after, Part(None, entry.level, entry.title))
        else:
            after, taken = place
            parts[after : after + len(taken.used)] = taken.parts
        after += 1
    return parts


@dataclass(frozen=True, slots=True)
class _Taken:
    """The parts that a heading was found in, and those that come in their place."""

    used: tuple[Part, ...]
    parts: tuple[Part, ...]
    whole: bool


def _find_heading(parts: list[Part], entry: OutlineEntry, after: int) -> tuple[int, _Taken] | None:
    found: list[tuple[tuple[bool, bool, float], int, _Taken]] = []
    for index in range(after, len(parts)):
        taken = _take_heading(parts, index, entry)
        if taken:
            away = _distance(taken.used[0].block, entry)
            found.append(((away > _NEAR, not taken.whole, away), index, taken))
    if not found:
        return None
    _, index, taken = min(found, key=lambda one: one[0])
    return index, taken


def _take_heading(parts: list[Part], index: int, entry: OutlineEntry) -> _Taken | None:
    block = parts[index].block
    if block is None or parts[index].level or block.kind in {"table", "code"}:
        return None
    if _is_titled(block.text, entry.title):
        return _Taken((parts[index],), (Part(block, entry.level),), whole=True)
    joined = _joined(parts, index)
    if joined and _is_titled(joined.text, entry.title):
        used = (parts[index], parts[index + 1])
        return _Taken(used, (Part(joined, entry.level),), whole=True)
    return _split(parts[index], block, entry)


def _is_titled(text: str, title: str) -> bool:
    """Whether a text is a title, its number aside where only one of the two has it."""
    if len(text) > 2 * len(title) + 20:
        return False
    if letters(text) == letters(title):
        return True
    bare = letters(_without_number(title))
    return bool(bare) and bare in (letters(text), letters(_without_number(text)))


def _joined(parts: list[Part], index: int) -> RawBlock | None:
    """Two neighbouring blocks as one: a heading over two lines."""
    first = parts[index].block
    second = parts[index + 1].block if index + 1 < len(parts) else None
    if not first or not second or len(first.text) + len(second.text) > 2 * _LONGEST:
        return None
    return replace(first, text=f"{first.text} {second.text}")


def _split(part: Part, block: RawBlock, entry: OutlineEntry) -> _Taken | None:
    """A heading that the layout took together with the text below it."""
    number = _LEADING_NUMBER.match(block.text)
    for start in (0, number.end() if number else 0):
        end = find_end(block.text[start:], entry.title)
        if end is None or len(letters(entry.title)) < 3:
            continue
        # Prose may begin with the same words; a heading stands where the outline says.
        if start == 0 and _distance(block, entry) > _NEAR and not block.hint:
            continue
        head = replace(block, text=block.text[: start + end].strip())
        rest = replace(block, text=block.text[start + end :].strip(), hint=None)
        return _Taken((part,), (Part(head, entry.level), Part(rest)), whole=False)
    return None


def _distance(block: RawBlock | None, entry: OutlineEntry) -> float:
    if entry.top is None or block is None or block.box is None:
        return 0.0
    if block.box.y0 <= entry.top <= block.box.y1:
        return 0.0
    return min(abs(block.box.y0 - entry.top), abs(block.box.y1 - entry.top))


def _section_place(parts: list[Part], entry: OutlineEntry, after: int) -> int:
    if entry.top is None:
        return after
    for index in range(after, len(parts)):
        block = parts[index].block
        if block and block.box and block.box.y0 >= entry.top - 2:
            return index
    return len(parts)


def _without_number(text: str) -> str:
    return _LEADING_NUMBER.sub("", text, count=1)


# -- Printed numbers ---------------------------------------------------------------


def _with_numbers(parts: list[Part], *, has_outline: bool) -> list[Part]:
    numbers = [_candidate(part) for part in parts]
    contents = _contents_pages(parts, numbers)
    shift, usual = _level_shift(parts), _line_heights(parts)
    levels: dict[int, Counter[int]] = defaultdict(Counter)
    series = NumberSeries()
    found: list[Part] = []
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
        if not _looks_set_apart(block, number, usual) or not series.accepts(number):
            found.append(part)
            continue
        if block.hint:
            levels[block.hint][level] += 1
        found.append(Part(block, min(level, 6)))
    return found if has_outline else _with_unnumbered(found, levels, contents)


def _candidate(part: Part) -> HeadingNumber | None:
    block = part.block
    if block is None or block.kind not in {"paragraph", "list_item"}:
        return None
    return find_number(block.text)


def _contents_pages(parts: list[Part], numbers: list[HeadingNumber | None]) -> set[int]:
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


def _level_shift(parts: list[Part]) -> int:
    """How much deeper the outline puts numbered headings than their numbers do."""
    shifts: Counter[int] = Counter()
    for part in parts:
        number = _candidate(part) if part.level else None
        if part.level and number:
            shifts[part.level - number.level] += 1
    return shifts.most_common(1)[0][0] if shifts else 0


def _looks_set_apart(block: RawBlock, number: HeadingNumber, usual: dict[int, float]) -> bool:
    """Whether a numbered line is printed as a heading: larger, bold, or seen so by the layout."""
    if block.hint or (block.bold and block.kind == "paragraph"):
        return True
    if block.kind == "list_item" or block.box is None or number.level < 2:
        return False
    height = _height(block)
    return height < 30 and height > 1.15 * usual.get(block.page, height)


def _line_heights(parts: Sequence[Part]) -> dict[int, float]:
    """The height of an ordinary line on each page: blocks of one line are the lowest ones."""
    heights: dict[int, list[float]] = defaultdict(list)
    for part in parts:
        if part.block and part.block.box:
            heights[part.block.page].append(_height(part.block))
    return {page: sorted(found)[len(found) // 6] for page, found in heights.items()}


def _with_unnumbered(
    parts: list[Part], levels: dict[int, Counter[int]], contents: set[int]
) -> list[Part]:
    """Headings without a number that are printed as the numbered ones: "References"."""
    if not levels:
        return parts
    known = {hint: counts.most_common(1)[0][0] for hint, counts in levels.items()}
    found = []
    for part in parts:
        block = part.block
        if part.level or not block or block.hint not in known or block.page in contents:
            found.append(part)
        elif block.hint and find_number(block.text) is None and _is_plausible(block):
            found.append(Part(block, known[block.hint]))
        else:
            found.append(part)
    return found


# -- The layout's own headings ---------------------------------------------------------


def _with_hints(parts: list[Part]) -> list[Part]:
    hinted = [part.block for part in parts if part.block and part.block.hint]
    repeated = Counter(letters(block.text) for block in hinted)
    lowest: dict[int | None, float] = {}
    for block in hinted:
        lowest[block.hint] = min(lowest.get(block.hint, 1e9), _height(block))
    chosen = {
        index
        for index, part in enumerate(parts)
        if part.block
        and part.block.hint
        and _is_plausible(part.block)
        and repeated[letters(part.block.text)] <= 2
        # Bold lines in a row are an address or a colophon, not a heading.
        and _height(part.block) <= 2.6 * lowest[part.block.hint]
    }
    # Where headings are most of the words, size means something else (slides, posters).
    sizes = [len(letters(part.block.text)) if part.block else 0 for part in parts]
    if sum(sizes[index] for index in chosen) > 0.25 * sum(sizes):
        return parts
    return [
        Part(part.block, part.block.hint) if index in chosen and part.block else part
        for index, part in enumerate(parts)
    ]


def _height(block: RawBlock) -> float:
    return block.box.y1 - block.box.y0 if block.box else 0.0


def _is_plausible(block: RawBlock) -> bool:
    text = block.text.strip()
    words = text.split()
    return (
        2 < len(text) <= _LONGEST
        and len(words) <= 14
        and text[-1] not in ".,;"
        and sum(char.isalpha() for char in text) > 0.5 * len(letters(text))
        and not _CONTENTS_ENTRY.search(text)
    )
