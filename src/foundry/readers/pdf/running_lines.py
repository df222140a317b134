"""Finds running headers, footers and page numbers over neighbouring pages and removes them.

A line is running if only running lines are outside of it, if it is set apart from the text, and if
at least three pages close to each other have the same words (apart from the page number) in its
place. Lines of tables stay, however alike they are, and so does what a page says once.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from foundry.analysis.lexer import LETTERS_AND_DIGITS
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.readers.pdf.lines import Row, Segment

# Lines on two pages may be alike by chance; on three they are a pattern. The others are guesses.
_MIN_PAGES = 3
REACH = 2
"""Pages between two running lines: left and right pages may differ."""
_DRIFT = 4.0
"""Points by which the place of a running line may differ between pages."""
_OUTERMOST = 3
"""Lines at each edge that may be running."""
_CLEAR = 0.9
"""Smallest gap between a running line and the text, as a share of the line's height."""
_LEAST = 6
"""Fewest characters by which a part of a line is recognised."""
_WORDS = load_shared_lexicon().documents
_OF = build_alternation(_WORDS.page_of)
_WORDED_NUMBER = re.compile(
    rf"\W*{build_alternation(_WORDS.page_labels)}\.?\s*(\w+)(?:\s*(?:{_OF}|/)\s*\w+)?\W*|"
    rf"\W*(\d+)\s*(?:{_OF}|/)\s*\d+\W*",
    re.IGNORECASE,
)


@dataclass(slots=True)
class PageRows:
    """The rows of a page from top to bottom; ``label`` is its printed number, if the file has it."""

    number: int
    rows: list[Row]
    label: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _EdgeLine:
    """A line near an edge: ``depth`` lines from it, ``gap`` points from the next line inwards.

    ``keys`` are its words with # for the page number; ``cell_keys`` are those of its segments.
    """

    page: int
    row: Row
    top: bool
    depth: int
    gap: float
    keys: frozenset[str]
    cell_keys: tuple[frozenset[str], ...]
    numbered: bool


@dataclass(slots=True)
class RunningLines:
    """Removes running lines from the pages of one document, some pages at a time."""

    offsets: Counter[int] = field(default_factory=Counter)
    """Printed page numbers minus page indexes, as far as lines consist of a number."""

    def remove(self, pages: Sequence[PageRows], chosen: range) -> None:
        """Remove the running lines from the ``chosen`` pages; the others are their neighbours."""
        for page in pages:
            if page.number in chosen:
                self._count_offsets(page)
        offset = self._find_offset()
        lines = [line for page in pages for line in _find_edge_lines(page, offset)]
        running: dict[int, dict[int, list[Segment]]] = defaultdict(dict)
        for line, segments in _find_running(lines):
            running[line.page][id(line.row)] = segments
        for page in pages:
            if page.number in chosen:
                _cut_page(page, running[page.number])

    def _count_offsets(self, page: PageRows) -> None:
        for row in [*page.rows[:_OUTERMOST], *page.rows[-_OUTERMOST:]]:
            number = row.text.strip(" -–—|")
            if number.isascii() and number.isdigit() and len(number) <= 5:
                self.offsets[int(number) - page.number] += 1

    def _find_offset(self) -> int | None:
        if not self.offsets:
            return None
        offset, count = self.offsets.most_common(1)[0]
        return offset if count >= _MIN_PAGES else None


def _find_edge_lines(page: PageRows, offset: int | None) -> list[_EdgeLine]:
    numbers = {str(page.number)}
    if page.label:
        numbers.add(page.label.casefold())
    if offset is not None:
        numbers.add(str(page.number + offset))
    lines = []
    half = (len(page.rows) + 1) // 2
    for top in (True, False):
        inwards = page.rows if top else page.rows[::-1]
        for depth, row in enumerate(inwards[: min(_OUTERMOST, half)]):
            after = inwards[depth + 1] if depth + 1 < len(inwards) else None
            lines.append(_build_edge_line(page.number, row, after, numbers, top=top, depth=depth))
    return lines


def _build_edge_line(
    page: int, row: Row, after: Row | None, numbers: set[str], *, top: bool, depth: int
) -> _EdgeLine:
    tokens = LETTERS_AND_DIGITS.findall(row.text.casefold())
    numbered = bool(tokens) and (tokens[0] in numbers or tokens[-1] in numbers)
    worded = _WORDED_NUMBER.fullmatch(row.text)
    if worded and (worded[1] or worded[2]).casefold() in numbers:
        numbered = True
    keys = _build_keys(tokens, numbers)
    cell_keys = tuple(
        frozenset(
            key
            for key in _build_keys(LETTERS_AND_DIGITS.findall(s.text.casefold()), numbers)
            if len(key) >= _LEAST or key == "#"
        )
        for s in row.segments
    )
    gap = float("inf")
    if after and not _are_cells(row, after):
        gap = after.box.y0 - row.box.y1 if top else row.box.y0 - after.box.y1
    elif after:
        gap = 0.0
    return _EdgeLine(page, row, top, depth, gap, keys, cell_keys, numbered)


def _are_cells(row: Row, after: Row) -> bool:
    """Whether two lines are rows of one table: two or more of their cells line up."""
    if min(len(row.segments), len(after.segments)) < 2:
        return False
    edges = [s.x0 for s in after.segments] + [s.x1 for s in after.segments]
    hits = sum(any(abs(x - e) < 1 for e in edges for x in (s.x0, s.x1)) for s in row.segments)
    return hits >= 2


def _build_keys(tokens: list[str], numbers: set[str]) -> frozenset[str]:
    numbered = " ".join(["#" if token in numbers else token for token in tokens])
    return frozenset((numbered, " ".join(tokens)))


def _find_running(lines: list[_EdgeLine]) -> list[tuple[_EdgeLine, list[Segment]]]:
    """Return the running lines, each with the segments of it to remove."""
    same: dict[tuple[bool, str], list[_EdgeLine]] = defaultdict(list)
    for line in lines:
        for key in line.keys.union(*line.cell_keys):
            if key:
                same[line.top, key].append(line)
    repeated: dict[int, set[str]] = defaultdict(set)
    for (_, key), group in same.items():
        for line_id in _find_repeated(group):
            repeated[line_id].add(key)
    # A header with the chapter's title changes, but has the page number in the same place.
    numbered = [line for line in lines if line.numbered]
    sure = {id(line) for line in numbered if _WORDED_NUMBER.fullmatch(line.row.text)}
    for line_id in _find_repeated(numbered) | sure:
        repeated[line_id].add("")
    # The number of the page alone at its foot needs no other page.
    for line in numbered:
        if line.depth == 0 and not line.top and line.gap > 2 * line.row.size and "#" in line.keys:
            repeated[id(line)].add("")
    outermost = _select_outermost([line for line in lines if id(line) in repeated])
    return [(line, _list_segments(line, repeated[id(line)])) for line in outermost]


def _list_segments(line: _EdgeLine, repeated: set[str]) -> list[Segment]:
    segments = line.row.segments
    if line.keys & repeated or "" in repeated:
        return segments
    # A title beside a running name appears once, and stays.
    both = zip(segments, line.cell_keys, strict=True)
    return [segment for segment, keys in both if keys & repeated]


def _select_outermost(lines: list[_EdgeLine]) -> list[_EdgeLine]:
    """Keep the lines with only running lines outside of them, and a clear gap to the text."""
    sides: dict[tuple[int, bool], dict[int, _EdgeLine]] = defaultdict(dict)
    for line in lines:
        sides[line.page, line.top][line.depth] = line
    outermost = []
    for side in sides.values():
        chain: list[_EdgeLine] = []
        while len(chain) in side:
            chain.append(side[len(chain)])
        # Paragraphs may start alike on every page, but without a gap.
        while chain and chain[-1].gap < _CLEAR * chain[-1].row.size:
            chain.pop()
        outermost += chain
    return outermost


def _find_repeated(group: Sequence[_EdgeLine]) -> set[int]:
    """Return the ids of lines with two others in their place on pages close by."""
    pages: dict[int, list[_EdgeLine]] = defaultdict(list)
    for line in group:
        pages[line.page].append(line)
    return {id(line) for line in group if _is_in_run(line, pages)}


def _is_in_run(line: _EdgeLine, pages: Mapping[int, Sequence[_EdgeLine]]) -> bool:
    # Three pages in a run are at most twice the reach apart.
    reach = range(line.page - 2 * REACH, line.page + 2 * REACH + 1)
    alike = [page for page in reach if any(_is_level(line, item) for item in pages.get(page, ()))]
    here = alike.index(line.page)
    count = 1
    for step in (1, -1):
        position = here
        while 0 <= position + step < len(alike) and (
            abs(alike[position + step] - alike[position]) <= REACH
        ):
            position += step
            count += 1
    return count >= _MIN_PAGES


def _is_level(line: _EdgeLine, other: _EdgeLine) -> bool:
    """Whether two lines have the same place: from the edge of the page, or from the other lines.

    Browsers print the last line of a page below its text, wherever that ends.
    """
    if line.top != other.top:
        return False
    if abs(other.row.base - line.row.base) <= _DRIFT:
        return True
    middles = (row.x0 + row.x1 for row in (line.row, other.row))
    left, right = middles
    return line.depth == other.depth and abs(left - right) <= _DRIFT


def _cut_page(page: PageRows, running: Mapping[int, list[Segment]]) -> None:
    rows = []
    for row in page.rows:
        removed = running.get(id(row))
        if not removed:
            rows.append(row)
            continue
        kept = [segment for segment in row.segments if segment not in removed]
        if kept:
            rows.append(Row(kept, row.led))
    # If nothing else is left, the lines are the text of the page.
    page.rows = rows or page.rows
