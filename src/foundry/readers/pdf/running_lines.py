"""Finds running headers, footers and page numbers over the whole document and removes them.

A line is running if it is near the edge of the page, set apart from the text, with the
same words (apart from the page number) at the same height on at least three pages close to
each other. Lines of tables stay, however alike they are, unless the layout took a running
line for the first row. What a page says once stays too.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.readers.pdf.layout import EDGE, PageLayout, RawBlock
from foundry.readers.pdf.tables import (
    PrintedLine,
    find_prefix_end,
    find_suffix_start,
    fold_letters,
    surround,
)
from foundry.records import Box

# Lines on two pages may be alike by chance; on three they are a pattern. The others are guesses.
_MIN_PAGES = 3
_REACH = 2
"""Pages between two running lines: left and right pages may differ."""
_DRIFT = 4.0
"""Points by which the height of a running line may differ between pages."""
_OUTERMOST = 3
"""Lines at each edge that may be running."""
_CLEAR = 0.9
"""Smallest gap between a running line and the text, as a share of the line's height."""
_LEAST = 6
"""Fewest characters by which a part of a line is recognised."""
_TOKEN = re.compile(r"[^\W_]+")
_WORDS = load_shared_lexicon().documents
_OF = build_alternation(_WORDS.page_of)
_WORDED_NUMBER = re.compile(
    rf"\W*{build_alternation(_WORDS.page_labels)}\.?\s*(\w+)(?:\s*(?:{_OF}|/)\s*\w+)?\W*|"
    rf"\W*(\d+)\s*(?:{_OF}|/)\s*\d+\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _EdgeLine:
    """A line near an edge: ``depth`` lines from it, ``gap`` points from the next line inwards.

    ``keys`` are its words with # for the page number; ``cell_keys`` are those of its cells.
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
    """A line to remove, and those of its cells to remove where they are blocks themselves."""

    line: PrintedLine
    cells: tuple[str, ...]


def remove_running_lines(
    pages: Sequence[PageLayout], labels: Sequence[str | None]
) -> list[PageLayout]:
    """Return the pages without running lines; ``labels`` are the page labels, if any."""
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
    """Return the ids of tables whose first row is a running line on two pages without table."""
    tables: dict[str, list[RawBlock]] = defaultdict(list)
    count: Counter[str] = Counter()
    for page in pages:
        for item in running.get(page.number, ()):
            words = fold_letters(item.line.text)
            hits = [block for block in page.blocks if _starts_with_line(block, item.line, words)]
            tables[words] += hits
            count[words] += not hits
    return {id(block) for words in tables if count[words] >= 2 for block in tables[words]}


def _starts_with_line(block: RawBlock, line: PrintedLine, words: str) -> bool:
    if block.kind != "table" or not block.box or not _overlaps(block.box, line.box):
        return False
    return fold_letters(block.text.partition("\n")[0]) == words


def _remove_first_rows(blocks: Sequence[RawBlock], misread: set[int]) -> list[RawBlock]:
    kept = [block for block in blocks if id(block) not in misread]
    for block in blocks:
        table = block.table
        if id(block) not in misread or table is None or len(table.rows) < 2:
            continue
        rest = table.part(slice(1, None), slice(0, None))
        words = set(_TOKEN.findall(rest.text))
        own = [line for line in rest.lines if words.issuperset(_TOKEN.findall(line.text))]
        box = surround([line.box for line in own]) if own else block.box
        rest = replace(rest, lines=tuple(own))
        # The running line had moved the table to the edge of the page.
        below = (i for i, other in enumerate(kept) if box and _is_below(other, box))
        index = next(below, len(kept))
        kept.insert(index, replace(block, text=rest.text, table=rest, box=box))
    return kept


def _is_below(block: RawBlock, box: Box) -> bool:
    return block.box is not None and block.box.y0 >= box.y0


def _find_edge_lines(
    page: PageLayout, labels: Sequence[str | None], offset: int | None
) -> list[_EdgeLine]:
    numbers = _list_page_numbers(page.number, labels, offset)
    middle = page.height / 2
    downwards = [line for line in page.edges if line.box.y0 < middle]
    upwards = [line for line in reversed(page.edges) if line.box.y0 >= middle]
    lines = []
    for inwards in (downwards, upwards):
        for depth, line in enumerate(inwards[:_OUTERMOST]):
            if not EDGE * page.height < _compute_centre(line.box) < (1 - EDGE) * page.height:
                after = inwards[depth + 1] if depth + 1 < len(inwards) else None
                top = inwards is downwards
                lines.append(
                    _build_edge_line(page.number, line, after, numbers, top=top, depth=depth)
                )
    return lines


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
    """Return printed page number minus page index, if three or more lines agree on it."""
    offsets: Counter[int] = Counter()
    for page in pages:
        for line in page.edges:
            number = line.text.strip(" -–—|")
            if number.isascii() and number.isdigit() and len(number) <= 5:
                offsets[int(number) - page.number] += 1
    if not offsets:
        return None
    offset, count = offsets.most_common(1)[0]
    return offset if count >= _MIN_PAGES else None


def _find_running(lines: list[_EdgeLine]) -> list[tuple[int, _RunningLine]]:
    """Return the running lines, each with its page number."""
    same: dict[tuple[bool, str], list[_EdgeLine]] = defaultdict(list)
    for line in lines:
        for key in line.keys.union(*line.cell_keys):
            same[line.top, key].append(line)
    repeated: dict[int, set[str]] = defaultdict(set)
    for (_, key), group in same.items():
        for line_id in _find_repeated(group):
            repeated[line_id].add(key)
    # A header with the chapter's title changes, but has the page number in the same place.
    numbered = [line for line in lines if line.numbered]
    sure = {id(line) for line in numbered if _WORDED_NUMBER.fullmatch(line.line.text)}
    for line_id in _find_repeated(numbered) | sure:
        repeated[line_id].add("")
    outermost = _select_outermost([line for line in lines if id(line) in repeated])
    return [(line.page, _build_running_line(line, repeated[id(line)])) for line in outermost]


def _build_running_line(line: _EdgeLine, repeated: set[str]) -> _RunningLine:
    cells = line.line.cells
    if not line.keys & repeated:
        # A title beside a running name appears once, and stays.
        both = zip(cells, line.cell_keys, strict=True)
        cells = tuple(cell for cell, keys in both if keys & repeated)
    return _RunningLine(line.line, cells)


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
        while chain and chain[-1].gap < _CLEAR * (chain[-1].line.box.y1 - chain[-1].line.box.y0):
            chain.pop()
        outermost += chain
    return outermost


def _find_repeated(group: Sequence[_EdgeLine]) -> set[int]:
    """Return the ids of lines with two others at their height on pages close by."""
    pages: dict[int, list[_EdgeLine]] = defaultdict(list)
    for line in group:
        pages[line.page].append(line)
    return {id(line) for line in group if _is_in_run(line, pages)}


def _is_in_run(line: _EdgeLine, pages: Mapping[int, Sequence[_EdgeLine]]) -> bool:
    # Three pages in a run are at most twice the reach apart.
    reach = range(line.page - 2 * _REACH, line.page + 2 * _REACH + 1)
    alike = [page for page in reach if any(_is_level(line, item) for item in pages.get(page, ()))]
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
    for item in running:
        for index, block in enumerate(blocks):
            rest = _find_rest(block, item.line)
            if rest is not None:
                blocks[index] = replace(block, text=rest)
                break
        else:
            # The layout may have split the line into several blocks.
            blocks = [block for block in blocks if not _is_part(block, item)]
    rest_blocks = tuple(block for block in blocks if block.text.strip())
    # If nothing else is left, the lines are the text of the page.
    return replace(page, blocks=rest_blocks) if rest_blocks else page


def _is_part(block: RawBlock, running: _RunningLine) -> bool:
    """Whether a block consists only of neighbouring cells of a running line."""
    box, line = block.box, running.line.box
    if block.kind == "table" or not box or not line.y0 - 1 <= _compute_centre(box) <= line.y1 + 1:
        return False
    if box.y1 - box.y0 > 1.5 * (line.y1 - line.y0):
        return False
    words, cells = fold_letters(block.text), [fold_letters(cell) for cell in running.cells]
    stretches = combinations(range(len(cells) + 1), 2)
    return any(words == "".join(cells[start:end]) for start, end in stretches)


def _find_rest(block: RawBlock, line: PrintedLine) -> str | None:
    """Return the block's text without the line, or None if it does not start or end with it."""
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
