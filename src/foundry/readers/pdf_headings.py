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

from foundry.readers.numbering import HeadingNumber, NumberSeries, find_number
from foundry.readers.pdf_file import OutlineEntry
from foundry.readers.pdf_layout import RawBlock
from foundry.readers.pdf_matching import find_end, letters
from foundry.readers.pdf_splits import Split, split_row, split_text, with_numbered_rows

_LEADING_NUMBER = re.compile(r"(?:\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})+)[.)]?\s+")
_CONTENTS_ENTRY = re.compile(r"\s\.?\s*(?:\d{1,4}|[ivxl]{1,6})$|(?:\s?\.){4,}")
_LONGEST = 120
_NEAR = 40.0  # points between a bookmark's place and its heading
_LINE = 12.0  # points: how far off a bookmark's place may be


@dataclass(frozen=True, slots=True)
class Part:
    """A block, or a section that opens without one. ``level`` is set for headings and sections.

    Without a block and a title it closes the sections from ``level`` down.
    """

    block: RawBlock | None
    level: int | None = None
    title: str = ""


def with_headings(blocks: Sequence[RawBlock], outline: Sequence[OutlineEntry]) -> list[Part]:
    """The blocks of a document in order, with their headings known."""
    parts = [Part(block) for block in (blocks if outline else with_numbered_rows(blocks))]
    if outline:
        parts = _with_outline(parts, outline)
    parts = _with_numbers(parts, has_outline=bool(outline))
    if not any(part.level for part in parts):
        parts = _with_hints(parts)
    return _with_parents(parts)


def _with_parents(parts: list[Part]) -> list[Part]:
    """The same, with a section left by entering the one around it anew."""
    open_sections: list[tuple[int, str]] = []
    found: list[Part] = []
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
            found.append(Part(None, level, title))
    return found


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
    waiting: list[Part] = []
    for entry in entries:
        place = _find_heading(parts, entry, after)
        section = Part(None, entry.level, entry.title)
        if place:
            index, taken = place
            new = [*taken.before, *waiting, *taken.parts]
            parts[index : index + len(taken.used)] = new
            after = index + len(taken.before) + len(waiting) + 1
            waiting = []
            continue
        index = _section_place(parts, entry, after)
        doubtful = _first_doubtful(parts, entry, after, index)
        if doubtful is not None:
            parts.insert(doubtful, Part(None, entry.level))
            index += 1
        if entry.top is None and doubtful is not None:
            # It begins somewhere before the next heading, and has begun when that comes.
            waiting.append(section)
            after = index
        else:
            parts[index:index] = [*waiting, section]
            after, waiting = index + len(waiting) + 1, []
    return [*parts, *waiting]


def _first_doubtful(parts: list[Part], entry: OutlineEntry, after: int, place: int) -> int | None:
    """The first part that may belong to the section before a bookmark, or to its own."""
    if entry.top is None:
        return after if any(part.block for part in parts[:after]) else None
    for index in range(after, place):
        block = parts[index].block
        if block and block.box and block.box.y0 + _LINE < entry.top < block.box.y1 - _LINE:
            return index
    return None


@dataclass(frozen=True, slots=True)
class _Taken:
    """The parts that a heading was found in, and those that come in their place.

    ``parts`` begins with the heading; ``before`` is what stood above it in the same block.
    """

    used: tuple[Part, ...]
    parts: tuple[Part, ...]
    whole: bool
    before: tuple[Part, ...] = ()


def _find_heading(parts: list[Part], entry: OutlineEntry, after: int) -> tuple[int, _Taken] | None:
    found: list[tuple[tuple[bool, bool, float], int, _Taken]] = []
    for index in range(after, len(parts)):
        taken = _take_heading(parts, index, entry)
        if taken:
            away = _distance(taken.parts[0].block, entry)
            found.append(((away > _NEAR, not taken.whole, away), index, taken))
    if not found:
        return None
    _, index, taken = min(found, key=lambda one: one[0])
    return index, taken


def _take_heading(parts: list[Part], index: int, entry: OutlineEntry) -> _Taken | None:
    block = parts[index].block
    if block is None or parts[index].level or block.kind == "code":
        return None
    if block.kind == "table":
        return _split_table(parts[index], block, entry)
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
    if _same(text, title):
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
    return _taken(part, split_text(block, entry.title, entry.top), entry)


def _split_table(part: Part, block: RawBlock, entry: OutlineEntry) -> _Taken | None:
    """A heading that the layout took for a row of the table above or below it."""
    for row, cells in enumerate(block.table.rows if block.table else ()):
        words = " ".join(cell for cell in cells if cell)
        if not _is_titled(words, entry.title):
            continue
        # Without a place to go by, a row may be named as a section: only its number tells.
        if entry.top is None and not (_LEADING_NUMBER.match(words) and _same(words, entry.title)):
            continue
        split = split_row(block, row)
        if split and _distance(split.head, entry) <= _NEAR:
            return _taken(part, split, entry)
    return None


def _same(text: str, title: str) -> bool:
    return letters(text) == letters(title)


def _taken(part: Part, split: Split | None, entry: OutlineEntry) -> _Taken | None:
    if split is None:
        return None
    before = (Part(split.before),) if split.before else ()
    after = (Part(split.after),) if split.after else ()
    return _Taken((part,), (Part(split.head, entry.level), *after), whole=False, before=before)


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
