"""Finds the characters of quoted words on a page: those that are meant, or none.

A quote is known by its block: its page, its box, and the words around it. A phrase that a page has
twice is found where the block is; where that leaves a choice, nothing is found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import chain

from foundry.readers.pages.characters import Letters, PageText, fold_character, fold_letters
from foundry.records import BlockKind, Box
from foundry.text.tables import find_rows

_INSIDE = 0.9
"""Share of the characters that are in the block's box where the block is found. A guess."""
_CONTEXT = (200, 80, 30, 10, 0)
"""Letters around a quote that are compared with it, the most first. A guess."""
_CUT_BACK = 40
"""Letters of the next page's text that may by chance go on with this one's. A guess."""
_LEAST_HEAD = 12
"""Letters of a block at the end of its page, at least. A guess."""
_ALIGNED = 4000
"""Most letters of a box that are aligned one by one."""
_LEAST_RUN = 3
"""Letters that agree in a row where texts are aligned, at least. A guess: fewer agree by chance."""

FindPage = Callable[[int], PageText | None]
"""The page with a number from 1; None if there is none or it cannot be read."""

Found = dict[int, list[int]]
"""Page number → indexes of characters, in the order of the quote."""


@dataclass(frozen=True, slots=True)
class QuotedBlock:
    """A block of a source, and the part of its text from ``start`` to ``end`` that is quoted.

    ``recognised`` if it was read by OCR: its words are not among the page's characters.
    """

    text: str
    start: int
    end: int
    page: int
    box: Box
    kind: BlockKind = "paragraph"
    recognised: bool = False


def find_quoted(block: QuotedBlock, find_page: FindPage) -> Found:
    """The characters of the quoted part of a block on its page and the next; empty if in doubt."""
    found = _find_letters(block, find_page)
    quote = block.text[block.start : block.end]
    size = next((i for i, char in enumerate(quote) if fold_character(char)), 0)
    rest = next((i for i, char in enumerate(reversed(quote)) if fold_character(char)), 0)
    marks = ["".join(part.split()) for part in (quote[:size], quote[len(quote) - rest :])]
    complete: Found = {}
    for number, indexes in found.items():
        page = find_page(number)
        before = marks[0] if number == min(found) else ""
        after = marks[1] if number == max(found) else "-"
        complete[number] = page.add_marks(indexes, before, after) if page else []
    return complete


def _find_letters(block: QuotedBlock, find_page: FindPage) -> Found:
    page = find_page(block.page)
    if page is None:
        return {}
    search = BlockSearch(block, page)
    if search.first == search.last:
        return {}
    indexes = search.find_whole(page.letters) or search.find_near(page.letters)
    if indexes:
        return {block.page: indexes}
    if block.kind != "table":
        after = find_page(block.page + 1)
        broken = search.find_broken(after) if after else None
        if broken:
            pages = zip((block.page, block.page + 1), broken, strict=True)
            return {number: found for number, found in pages if found}
    inside = page.list_inside(block.box)
    visual = page.fold(page.order_visually(inside))
    indexes = search.find_whole(visual) or search.find_near(visual)
    if not indexes and block.kind == "table":
        # A cell of several lines is in one piece only as the file has it, if at all.
        orders = (page.fold(inside), visual)
        indexes = _find_cells(block.text, (block.start, block.end), orders, page)
    indexes = indexes or search.align(visual)
    return {block.page: indexes} if indexes else {}


class BlockSearch:
    """A search for the letters ``first`` to ``last`` of a block on one page."""

    def __init__(self, block: QuotedBlock, page: PageText) -> None:
        self._block, self._page = block, page
        self._letters = fold_letters(block.text)
        self.first, self.last = self._letters.find_range(block.start, block.end)

    def find_whole(self, where: Letters) -> list[int]:
        """The quote in the whole block, if this is in one piece in its box."""
        whole = self._letters.text
        found = self._list_inside(where, where.find_all(whole), len(whole))
        return _cut(where, found[0] + self.first, found[0] + self.last) if found else []

    def find_near(self, where: Letters) -> list[int]:
        """The quote with words around it that are as often in the box as in the block."""
        size = len(self._letters.text)
        for around in _CONTEXT:
            low, high = max(0, self.first - around), min(size, self.last + around)
            phrase = self._letters.text[low:high]
            begins, ends = self._letters.is_border(low), self._letters.is_border(high)
            known = self._letters.find_all(phrase, begins=begins, ends=ends)
            found = where.find_all(phrase, begins=begins, ends=ends)
            found = self._list_inside(where, found, len(phrase))
            several = len(found) > 1 and self._block.kind == "table"
            if low not in known or len(found) != len(known) or several:
                continue
            order = self._page.order_visually([where.places[start] for start in found])
            found.sort(key=lambda start: order.index(where.places[start]))
            start = found[known.index(low)] + self.first - low
            return _cut(where, start, start + self.last - self.first)
        return []

    def find_broken(self, after: PageText) -> tuple[list[int], list[int]] | None:
        """The quote in a block that ends on the page ``after``; on either page it may be empty."""
        whole, here, there = self._letters.text, self._page.letters, after.letters
        ends = [
            (start, _count_common(here.text, start, whole))
            for start in here.find_all(whole[:_LEAST_HEAD])
        ]
        for start, length in sorted(ends, key=lambda item: -item[1]):
            for cut in range(length, max(_LEAST_HEAD, length - _CUT_BACK) - 1, -1):
                if not self._list_inside(here, [start], cut):
                    continue
                rest = there.find_all(whole[cut:]) if whole[cut:] else []
                if rest:
                    begin, end = min(self.first, cut), min(self.last, cut)
                    tail = rest[0] + max(self.first, cut) - cut, rest[0] + max(self.last, cut) - cut
                    return _cut(here, start + begin, start + end), _cut(there, *tail)
        return None

    def align(self, where: Letters) -> list[int]:
        """The position of each letter of the quote, if runs of equal letters cover them all."""
        size = len(self._letters.text)
        low, high = max(0, self.first - _CONTEXT[0]), min(size, self.last + _CONTEXT[0])
        if len(where.text) > _ALIGNED or high - low > _ALIGNED:
            return []
        phrase = self._letters.text[low:high]
        matcher = SequenceMatcher(None, phrase, where.text, autojunk=False)
        places: dict[int, int] = {}
        for run in matcher.get_matching_blocks():
            if run.size >= min(_LEAST_RUN, len(phrase)):
                places |= {low + run.a + i: where.places[run.b + i] for i in range(run.size)}
        wanted = range(self.first, self.last)
        if any(number not in places for number in wanted):
            return []
        return list(dict.fromkeys(places[number] for number in wanted))

    def _list_inside(self, where: Letters, starts: Sequence[int], length: int) -> list[int]:
        return [
            start
            for start in starts
            if self._page.count_inside(where.places[start : start + length], self._block.box)
            >= _INSIDE
        ]


def _cut(where: Letters, start: int, end: int) -> list[int]:
    return list(dict.fromkeys(where.places[start:end]))


def _count_common(text: str, start: int, other: str) -> int:
    length = 0
    for one, two in zip(text[start : start + len(other)], other, strict=False):
        if one != two:
            break
        length += 1
    return length


# Tables whose file has their cells in another order. Each cell is looked for by its words; one that
# is there several times is found by its row and its place in it.

_MAX_CELLS = 3000
"""Most cells of a block of a table; a block has some 4,000 characters."""
_ROUNDS = 6
"""Times that cells that were found settle others. A guess."""


@dataclass(slots=True)
class _Cell:
    """A cell from ``start`` in the table's text, with the characters that may be it."""

    start: int
    letters: Letters
    found: list[tuple[tuple[int, ...], Box]] = field(default_factory=list)

    @property
    def box(self) -> Box | None:
        """Where it is, if there is one place only."""
        return self.found[0][1] if len(self.found) == 1 else None


def _find_cells(
    text: str, span: tuple[int, int], orders: Sequence[Letters], page: PageText
) -> list[int]:
    """The characters of the quoted ``span`` of a table's text; empty if a cell is in doubt.

    ``orders`` are the letters in the table's box, in the orders in which cells are looked for.
    """
    rows = _list_rows(text, orders, page)
    if sum(map(len, rows)) > _MAX_CELLS:
        return []
    for _ in range(_ROUNDS):
        if not sum([_narrow_row(rows, number) for number in range(len(rows))]):
            break
    indexes: list[int] = []
    for cell in chain.from_iterable(rows):
        first, last = cell.letters.find_range(span[0] - cell.start, span[1] - cell.start)
        if first < last:
            if len(cell.found) != 1:
                return []
            indexes += cell.found[0][0][first:last]
    return list(dict.fromkeys(indexes))


def _list_rows(text: str, orders: Sequence[Letters], page: PageText) -> list[list[_Cell]]:
    rows: list[list[_Cell]] = []
    for row in find_rows(text, 0):
        rows.append([])
        for start, end in row.cells:
            letters = fold_letters(text[start:end])
            if letters.text:
                places = {
                    tuple(where.places[found : found + len(letters.text)])
                    for where in orders
                    for found in where.find_all(letters.text, begins=True, ends=True)
                }
                boxes = [(place, page.surround(place)) for place in sorted(places)]
                rows[-1].append(_Cell(start, letters, boxes))
    return rows


def _narrow_row(rows: Sequence[Sequence[_Cell]], at: int) -> int:
    """Leave out places of a row's cells that those found already exclude; count the cells settled."""
    row = rows[at]
    band = [cell.box for cell in row if cell.box]
    above, below = _find_edge(rows[:at][::-1]), _find_edge(rows[at + 1 :])
    taken = {cell.found[0][0] for cell in row if cell.box}
    settled = 0
    for number, cell in enumerate(row):
        if len(cell.found) < 2:
            continue
        left = max((box.x1 for other in row[:number] if (box := other.box)), default=-1e9)
        right = min((box.x0 for other in row[number + 1 :] if (box := other.box)), default=1e9)
        fitting = [
            (place, box)
            for place, box in cell.found
            if place not in taken
            and left - 1 <= box.x0
            and box.x1 <= right + 1
            and (above is None or box.y1 > above)
            and (below is None or box.y0 < below)
            and (not band or any(_overlap(box, other) for other in band))
        ]
        if fitting and len(fitting) < len(cell.found):
            cell.found = fitting
            if cell.box:
                settled += 1
                band.append(cell.box)
                taken.add(cell.found[0][0])
    return settled


def _find_edge(rows: Sequence[Sequence[_Cell]]) -> float | None:
    """The height of the nearest row with a cell that was found."""
    for row in rows:
        middles = [(box.y0 + box.y1) / 2 for cell in row if (box := cell.box)]
        if middles:
            return sum(middles) / len(middles)
    return None


def _overlap(one: Box, other: Box) -> bool:
    common = min(one.y1, other.y1) - max(one.y0, other.y0)
    return common > 0.3 * min(one.y1 - one.y0, other.y1 - other.y0)
