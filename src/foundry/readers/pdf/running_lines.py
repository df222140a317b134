"""Running headers, footers and page numbers: found over the whole document, and cut out.

A line counts as running when it stands near a page's edge, at the same height and
with the same words (but for the page's own number) on at least three pages close to
each other, set apart from the text. Lines of a table are never cut, however alike they
look, but for a first row that is none on other pages; and neither is what a page says once.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from foundry.readers.pdf.layout import EDGE, PageLayout, RawBlock
from foundry.readers.pdf.tables import (
    PrintedLine,
    find_prefix_end,
    find_suffix_start,
    fold_letters,
    surround,
)
from foundry.records import Box

_MIN_PAGES = 3
_REACH = 2  # left and right pages may differ: every second page is close enough
_DRIFT = 4.0  # points
_OUTERMOST = 3
_CLEAR = 0.9  # of the line's height
_LEAST = 6  # characters of a part of a line that is enough to know it by
_TOKEN = re.compile(r"[^\W_]+")
_WORDED_NUMBER = re.compile(
    r"\W*(?:page|pagina|pag\.?|blz\.?|seite|sheet|blad)\s*(\w+)(?:\s*(?:of|van|von|/)\s*\w+)?\W*|"
    r"\W*(\d+)\s*(?:of|van|von|/)\s*\d+\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _EdgeLine:
    """A line near an edge, ``depth`` lines from it and ``gap`` points from the next one inwards.

    ``keys`` are its words with # for the page's own number, and ``cell_keys`` those of its cells.
    """

    page: int
    line: PrintedLine
    top: bool
    depth: int
    gap: float
    keys: frozenset[str]
    cell_keys: tuple[frozenset[str], ...]
    numbered: bool


@dataclass(frozen=True, slots=True)
class _RunningLine:
    """A line to be cut, and those of its cells that may go where they stand alone."""

    line: PrintedLine
    cells: tuple[str, ...]


def remove_running_lines(
    pages: Sequence[PageLayout], labels: Sequence[str | None]
) -> list[PageLayout]:
    """The same pages, without what runs along their tops and bottoms."""
    offset = _find_offset(pages)
    lines = [line for page in pages for line in _find_edge_lines(page, labels, offset)]
    running: dict[int, list[_RunningLine]] = defaultdict(list)
    for number, line in _find_running(lines):
        running[number].append(line)
    misread = _find_misread_tables(pages, running)
    return [_cut_page(page, running[page.number], misread) for page in pages]


def _find_misread_tables(
    pages: Sequence[PageLayout], running: Mapping[int, Sequence[_RunningLine]]
) -> set[int]:
    """Tables, by id, whose first row is a line that runs along two other pages outside tables."""
    tables: dict[str, list[RawBlock]] = defaultdict(list)
    count: Counter[str] = Counter()
    for page in pages:
        for one in running.get(page.number, ()):
            words = fold_letters(one.line.text)
            found = [block for block in page.blocks if _starts_with_line(block, one.line, words)]
            tables[words] += found
            count[words] += not found
    return {id(block) for words in tables if count[words] >= 2 for block in tables[words]}


def _starts_with_line(block: RawBlock, line: PrintedLine, words: str) -> bool:
    if block.kind != "table" or not block.box or not _overlaps(block.box, line.box):
        return False
    return fold_letters(block.text.partition("\n")[0]) == words


def _remove_first_rows(blocks: Sequence[RawBlock], misread: set[int]) -> list[RawBlock]:
    found = [block for block in blocks if id(block) not in misread]
    for block in blocks:
        table = block.table
        if id(block) not in misread or table is None or len(table.rows) < 2:
            continue
        rest = table.part(slice(1, None), slice(0, None))
        words = set(_TOKEN.findall(rest.text))
        own = [line for line in rest.lines if words.issuperset(_TOKEN.findall(line.text))]
        box = surround([line.box for line in own]) if own else block.box
        rest = replace(rest, lines=tuple(own))
        # The running line had drawn it to the page's edge, out of its place among the others.
        place = next((i for i, one in enumerate(found) if box and _is_below(one, box)), len(found))
        found.insert(place, replace(block, text=rest.text, table=rest, box=box))
    return found


def _is_below(block: RawBlock, box: Box) -> bool:
    return block.box is not None and block.box.y0 >= box.y0


def _find_edge_lines(
    page: PageLayout, labels: Sequence[str | None], offset: int | None
) -> list[_EdgeLine]:
    numbers = _list_page_numbers(page.number, labels, offset)
    middle = page.height / 2
    downwards = [line for line in page.edges if line.box.y0 < middle]
    upwards = [line for line in reversed(page.edges) if line.box.y0 >= middle]
    found = []
    for inwards in (downwards, upwards):
        for depth, line in enumerate(inwards[:_OUTERMOST]):
            if not EDGE * page.height < _compute_centre(line.box) < (1 - EDGE) * page.height:
                after = inwards[depth + 1] if depth + 1 < len(inwards) else None
                top = inwards is downwards
                found.append(
                    _build_edge_line(page.number, line, after, numbers, top=top, depth=depth)
                )
    return found


def _build_edge_line(
    page: int,
    line: PrintedLine,
    after: PrintedLine | None,
    numbers: set[str],
    *,
    top: bool,
    depth: int,
) -> _EdgeLine:
    tokens = _TOKEN.findall(line.text.casefold())
    numbered = bool(tokens) and (tokens[0] in numbers or tokens[-1] in numbers)
    worded = _WORDED_NUMBER.fullmatch(line.text)
    if worded and (worded[1] or worded[2]).casefold() in numbers:
        numbered = True
    keys = frozenset((_build_key(line.text, numbers), _build_key(line.text, set())))
    cell_keys = tuple(
        frozenset(
            key
            for key in (_build_key(cell, numbers), _build_key(cell, set()))
            if len(key) >= _LEAST
        )
        for cell in line.cells
    )
    gap = float("inf")
    if after:
        gap = after.box.y0 - line.box.y1 if top else line.box.y0 - after.box.y1
    return _EdgeLine(page, line, top, depth, gap, keys, cell_keys, numbered)


def _compute_centre(box: Box) -> float:
    return (box.y0 + box.y1) / 2


def _build_key(text: str, numbers: set[str]) -> str:
    tokens = _TOKEN.findall(text.casefold())
    return " ".join("#" if token in numbers else token for token in tokens)


def _list_page_numbers(page: int, labels: Sequence[str | None], offset: int | None) -> set[str]:
    numbers = {str(page)}
    label = labels[page - 1] if page <= len(labels) else None
    if label:
        numbers.add(label.casefold())
    if offset is not None:
        numbers.add(str(page + offset))
    return numbers


def _find_offset(pages: Sequence[PageLayout]) -> int | None:
    """How far printed page numbers are from the count of pages, where they are printed alone."""
    found: Counter[int] = Counter()
    for page in pages:
        for line in page.edges:
            alone = line.text.strip(" -–—|")
            if alone.isascii() and alone.isdigit() and len(alone) <= 5:
                found[int(alone) - page.number] += 1
    if not found:
        return None
    offset, count = found.most_common(1)[0]
    return offset if count >= _MIN_PAGES else None


def _find_running(lines: list[_EdgeLine]) -> list[tuple[int, _RunningLine]]:
    """The lines that run along the pages, each with its page."""
    same: dict[tuple[bool, str], list[_EdgeLine]] = defaultdict(list)
    for line in lines:
        for key in line.keys.union(*line.cell_keys):
            same[line.top, key].append(line)
    found: dict[int, set[str]] = defaultdict(set)
    for (_, key), group in same.items():
        for one in _find_repeated(group):
            found[one].add(key)
    # A header that names the chapter changes, but carries the page's number where others do.
    numbered = [line for line in lines if line.numbered]
    sure = {id(line) for line in numbered if _WORDED_NUMBER.fullmatch(line.line.text)}
    for one in _find_repeated(numbered) | sure:
        found[one].add("")
    outermost = _select_outermost([line for line in lines if id(line) in found])
    return [(line.page, _build_running_line(line, found[id(line)])) for line in outermost]


def _build_running_line(line: _EdgeLine, repeated: set[str]) -> _RunningLine:
    cells = line.line.cells
    if not line.keys & repeated:
        # A title may stand beside a running name: it is said once, and stays.
        both = zip(cells, line.cell_keys, strict=True)
        cells = tuple(cell for cell, keys in both if keys & repeated)
    return _RunningLine(line.line, cells)


def _select_outermost(lines: list[_EdgeLine]) -> list[_EdgeLine]:
    """Those that nothing of the page's own stands outside of, and that stand clear of the text."""
    sides: dict[tuple[int, bool], dict[int, _EdgeLine]] = defaultdict(dict)
    for line in lines:
        sides[line.page, line.top][line.depth] = line
    found = []
    for side in sides.values():
        chain: list[_EdgeLine] = []
        while len(chain) in side:
            chain.append(side[len(chain)])
        # A paragraph may begin alike on every page; a running line is set apart from it.
        while chain and chain[-1].gap < _CLEAR * (chain[-1].line.box.y1 - chain[-1].line.box.y0):
            chain.pop()
        found += chain
    return found


def _find_repeated(group: Sequence[_EdgeLine]) -> set[int]:
    """The lines of a group that have two others at their height on pages close by, by id."""
    pages: dict[int, list[_EdgeLine]] = defaultdict(list)
    for line in group:
        pages[line.page].append(line)
    return {id(line) for line in group if _is_in_run(line, pages)}


def _is_in_run(line: _EdgeLine, pages: Mapping[int, Sequence[_EdgeLine]]) -> bool:
    # Three pages in a row are never further from each other than twice the reach.
    reach = range(line.page - 2 * _REACH, line.page + 2 * _REACH + 1)
    alike = [page for page in reach if any(_is_level(line, one) for one in pages.get(page, ()))]
    here = alike.index(line.page)
    count = 1
    for step in (1, -1):
        position = here
        while 0 <= position + step < len(alike) and (
            abs(alike[position + step] - alike[position]) <= _REACH
        ):
            position += step
            count += 1
    return count >= _MIN_PAGES


def _is_level(line: _EdgeLine, other: _EdgeLine) -> bool:
    same_side = line.top == other.top
    return same_side and abs(other.line.box.y0 - line.line.box.y0) <= _DRIFT


def _cut_page(page: PageLayout, running: Sequence[_RunningLine], misread: set[int]) -> PageLayout:
    blocks = _remove_first_rows(page.blocks, misread)
    for one in running:
        for index, block in enumerate(blocks):
            rest = _find_rest(block, one.line)
            if rest is not None:
                blocks[index] = replace(block, text=rest)
                break
        else:
            # The layout made several blocks of the line.
            blocks = [block for block in blocks if not _is_part(block, one)]
    left = tuple(block for block in blocks if block.text.strip())
    # Where every page says the same, it is the text and runs along nothing.
    return replace(page, blocks=left) if left else page


def _is_part(block: RawBlock, running: _RunningLine) -> bool:
    """Whether a block is nothing but some of a line's cells beside each other."""
    box, line = block.box, running.line.box
    if block.kind == "table" or not box or not line.y0 - 1 <= _compute_centre(box) <= line.y1 + 1:
        return False
    if box.y1 - box.y0 > 1.5 * (line.y1 - line.y0):
        return False
    words, cells = fold_letters(block.text), [fold_letters(cell) for cell in running.cells]
    stretches = combinations(range(len(cells) + 1), 2)
    return any(words == "".join(cells[start:end]) for start, end in stretches)


def _find_rest(block: RawBlock, line: PrintedLine) -> str | None:
    """What is left of a block without the line, or None if the line is not its beginning or end."""
    if block.kind == "table" or not block.box or not _overlaps(block.box, line.box):
        return None
    end = find_prefix_end(block.text, line.text)
    if end is not None:
        return block.text[end:].lstrip(" .|-–—")
    start = find_suffix_start(block.text, line.text)
    return None if start is None else block.text[:start].rstrip()


def _overlaps(box: Box, line: Box) -> bool:
    return (
        box.y0 - 1 <= _compute_centre(line) <= box.y1 + 1
        and box.x0 <= line.x1
        and line.x0 <= box.x1
    )
