"""Places the bookmarks of a PDF: the headings they name, and the sections they open.

Each bookmark is looked for on its page. A bookmark whose words are not there still opens
its section without a heading, because what follows is not the section above. A part that
may belong to either of two sections comes under the section that contains both.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from foundry.analysis.lexer import HEADING_NUMBER, strip_number
from foundry.readers.pdf.blocks import PageBlock
from foundry.readers.pdf.facts import OutlineEntry

LONGEST_HEADING = 120
"""Characters; longer parts are text. A guess: about one and a half lines."""
# Points. Guesses: programs put a bookmark at most three lines from its heading.
_NEAR = 40.0
"""Distance between the place of a bookmark and its heading."""
_LINE = 12.0
"""Error in the place of a bookmark: one line."""


@dataclass(frozen=True, slots=True)
class PdfPart:
    """A block, or a section that opens without one; ``level`` is set for headings and sections.

    A part without block and title closes the sections from ``level`` down.
    """

    block: PageBlock | None
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
            below = [PdfPart(heading.rest)] if heading.rest else []
            head = PdfPart(heading.head, entry.level)
            parts[index : index + heading.used] = [*waiting, head, *below]
            after = index + len(waiting) + 1
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
        if block and block.box.y0 + _LINE < entry.top < block.box.y1 - _LINE:
            return index
    return None


@dataclass(frozen=True, slots=True)
class _HeadingMatch:
    """A heading found in ``used`` parts, and the text behind it in the same part."""

    head: PageBlock
    rest: PageBlock | None = None
    used: int = 1


def _find_heading(
    parts: list[PdfPart], entry: OutlineEntry, after: int
) -> tuple[int, _HeadingMatch] | None:
    matches: list[tuple[tuple[bool, bool, float], int, _HeadingMatch]] = []
    for index in range(after, len(parts)):
        match = _match_heading(parts, index, entry)
        if match:
            distance = _compute_distance(match.head, entry)
            matches.append(((distance > _NEAR, bool(match.rest), distance), index, match))
    if not matches:
        return None
    _, index, match = min(matches, key=lambda item: item[0])
    return index, match


def _match_heading(parts: list[PdfPart], index: int, entry: OutlineEntry) -> _HeadingMatch | None:
    block = parts[index].block
    if block is None or parts[index].level or block.kind in {"code", "table"}:
        return None
    if _is_titled(block.text, entry.title):
        return _HeadingMatch(block)
    joined = _join_next(parts, index)
    if joined and _is_titled(joined.text, entry.title):
        return _HeadingMatch(joined, used=2)
    # Find a heading on the line of the text below it.
    number = HEADING_NUMBER.match(block.text)
    for start in (0, number.end() if number else 0):
        end = find_prefix_end(block.text[start:], entry.title)
        if end is None or len(fold_letters(entry.title)) < 3:
            continue
        # Prose may start with the same words; a heading is where the outline says.
        if start == 0 and _compute_distance(block, entry) > _NEAR:
            continue
        head = replace(block, text=block.text[: start + end].strip())
        return _HeadingMatch(head, replace(block, text=block.text[start + end :].strip()))
    return None


def _is_titled(text: str, title: str) -> bool:
    """Whether a text is a title; a number that only one of the two has is ignored."""
    if len(text) > 2 * len(title) + 20:
        return False
    if fold_letters(text) == fold_letters(title):
        return True
    bare = fold_letters(strip_number(title))
    return bool(bare) and bare in (fold_letters(text), fold_letters(strip_number(text)))


def _join_next(parts: list[PdfPart], index: int) -> PageBlock | None:
    """Join two neighbouring parts, because a heading may take two lines."""
    first = parts[index].block
    second = parts[index + 1].block if index + 1 < len(parts) else None
    if not first or not second or len(first.text) + len(second.text) > 2 * LONGEST_HEADING:
        return None
    return None if second.table else replace(first, text=f"{first.text} {second.text}")


def _compute_distance(block: PageBlock, entry: OutlineEntry) -> float:
    if entry.top is None or block.box.y0 <= entry.top <= block.box.y1:
        return 0.0
    return min(abs(block.box.y0 - entry.top), abs(block.box.y1 - entry.top))


def _find_section_index(parts: list[PdfPart], entry: OutlineEntry, after: int) -> int:
    if entry.top is None:
        return after
    for index in range(after, len(parts)):
        block = parts[index].block
        if block and block.box.y0 >= entry.top - 2:
            return index
    return len(parts)


def fold_letters(text: str) -> str:
    """Reduce a text to its letters and digits, without case and ligatures."""
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return "".join(filter(str.isalnum, folded.casefold()))


def find_prefix_end(text: str, words: str) -> int | None:
    """Return where ``words`` end if ``text`` starts with them as whole words, else None."""
    wanted = fold_letters(words)
    # A fast check first: most texts do not start with them.
    if not wanted or not fold_letters(text[: 2 * len(words) + 20]).startswith(wanted):
        return None
    taken = 0
    for position, char in enumerate(text):
        taken += len(fold_letters(char))
        if taken >= len(wanted):
            after = text[position + 1 : position + 2]
            return position + 1 if taken == len(wanted) and not after.isalnum() else None
    return None
