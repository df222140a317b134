"""A source as text: a part of it as HTML, and places in it that can be found again.

A place is written as the Web Annotation Data Model does: the exact words with some before and
after them (TextQuoteSelector, https://www.w3.org/TR/annotation-model/#text-quote-selector). It
leads to the same words when the source was read again and its offsets have moved.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from foundry.errors import NotFound, UsageError
from foundry.messages import Message
from foundry.records import Block, CorrectedPart, Source
from foundry.render.source_html import render_source
from foundry.text.passages import TextSpan
from foundry.text.tables import find_cells, find_lines
from foundry.workspace import Workspace

CONTEXT = 32
"""Code points before and after a quote in its selector."""
MAX_FOUND = 1000
"""Most places of some words that are looked at."""
WINDOW = 20_000
"""Code points of a window: some eight pages."""
_LONGEST_BLOCK = 10_000
"""A longer block, such as a log file, is cut at a line or a space."""


Direction = Literal["around", "after", "before"]


@dataclass(frozen=True, slots=True)
class SourceWindow:
    """A part of a source's text, from ``start`` to ``end`` of ``length`` code points, as HTML.

    ``render.source_html`` says what the HTML promises. ``previous`` and ``next`` are the offsets
    to ask for what is before and after it, None where there is nothing.
    """

    html: str
    start: int
    end: int
    length: int
    previous: int | None
    next: int | None


@dataclass(frozen=True, slots=True)
class TextSelector:
    """The exact words of a place, with some words before and after it."""

    exact: str
    prefix: str = ""
    suffix: str = ""


def read_window(
    workspace: Workspace,
    source: Source,
    at: int = 0,
    direction: Direction = "around",
    size: int = WINDOW,
) -> SourceWindow:
    """The blocks around the offset ``at``, or those from it on, or those before it."""
    text = workspace.store.source_text(source.id)
    blocks = [
        part
        for block in workspace.store.source_blocks(source.id)
        for part in cut_block(text, block)
    ]
    first, last = _choose(blocks, at, direction, size)
    chosen = blocks[first:last]
    before = (block.page for block in reversed(blocks[:first]) if block.page is not None)
    html = render_source(text, chosen, source.type, page=next(before, None))
    return SourceWindow(
        html,
        chosen[0].start if chosen else 0,
        chosen[-1].end if chosen else 0,
        len(text),
        chosen[0].start if first and chosen else None,
        blocks[last].start if last < len(blocks) else None,
    )


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """The words of a source from ``start`` to ``end`` of ``length`` code points.

    ``block`` is where they begin, None in a source without blocks; ``corrections`` are those of them.
    """

    source: Source
    start: int
    end: int
    length: int
    text: str
    block: Block | None
    corrections: tuple[CorrectedPart, ...] = ()


def read_span(workspace: Workspace, source: Source, start: int, end: int | None) -> SourceSpan:
    """The words from ``start`` to ``end``, ``WINDOW`` code points at most.

    Raises ``UsageError`` if the source has none there.
    """
    text = workspace.store.source_text(source.id)
    end = min(len(text) if end is None else end, len(text), start + WINDOW)
    if not start < end:
        raise UsageError("passage-empty", where=source.path, start=start, length=len(text))
    blocks = workspace.store.source_blocks(source.id)
    block = next((one for one in blocks if one.end > start), None)
    inside = (part for one in blocks for part in one.corrections)
    corrected = tuple(part for part in inside if part.start < end and start < part.end)
    return SourceSpan(source, start, end, len(text), text[start:end], block, corrected)


def read_around(workspace: Workspace, chunk_id: str, neighbours: int) -> SourceSpan:
    """A chunk with so many chunks before and after it. Raises ``NotFound`` for an unknown one."""
    found = workspace.store.get_chunks([chunk_id])
    if not found:
        raise NotFound("passage-unknown", where=chunk_id)
    near = [
        chunk
        for chunk in workspace.store.source_chunks(found[0].source_id)
        if abs(chunk.position - found[0].position) <= neighbours
    ]
    source = workspace.store.get_sources([found[0].source_id])[found[0].source_id]
    start, end = min(chunk.start for chunk in near), max(chunk.end for chunk in near)
    return read_span(workspace, source, start, end)


def split_headers(
    workspace: Workspace, source: Source, spans: Iterable[TextSpan]
) -> tuple[list[TextSpan], list[TextSpan]]:
    """Spans without the lines that name the columns of a table, and those lines by themselves."""
    text, blocks = workspace.store.source_text(source.id), workspace.store.source_blocks(source.id)
    rest: list[TextSpan] = []
    heads: list[TextSpan] = []
    for start, end in spans:
        place = start
        for block in blocks:
            for first, last in _list_headers(text, block, start, end):
                heads.append((first, last))
                rest += [(place, first)] if text[place:first].strip() else []
                place = last + len(text[last:end]) - len(text[last:end].lstrip())
        rest += [(place, end)] if text[place:end].strip() else []
    return rest, heads


def _list_headers(text: str, block: Block, start: int, end: int) -> Iterator[TextSpan]:
    """The parts of a span that are lines of a table without any of its values."""
    start, end = max(start, block.start), min(end, block.end, start + WINDOW)
    if block.table and start < end:
        for first, last in find_lines(text[start:end]):
            if not find_cells(block.table, start + first, start + last):
                yield start + first, start + last


def cut_block(text: str, block: Block) -> Iterator[Block]:
    """Yield a block, or its pieces if it is long."""
    start = block.start
    while block.end - start > _LONGEST_BLOCK:
        stop = start + _LONGEST_BLOCK
        ends = (text.rfind(mark, start + 1, stop) + 1 for mark in ("\n", " "))
        end = next((place for place in ends if place > start), stop)
        # A table continues without the line break between its rows.
        yield replace(block, start=start, end=end - (text[end - 1] == "\n"))
        start = end
        if block.table:
            block = replace(block, table=replace(block.table, continued=True))
    yield replace(block, start=start)


def _choose(blocks: Sequence[Block], at: int, direction: Direction, size: int) -> tuple[int, int]:
    """The first and last + 1 of the blocks that fill a window."""
    starts = [block.start for block in blocks]
    if direction == "before":
        last = first = bisect_right(starts, at - 1)
        room = size
    else:
        first = max(0, bisect_right(starts, at) - 1)
        last = first
        room = size // 3 if direction == "around" else 0
    room_after = size - room if direction != "before" else 0
    while first > 0 and room > 0:
        first -= 1
        room -= blocks[first].end - blocks[first].start
    while last < len(blocks) and room_after > 0:
        room_after -= blocks[last].end - blocks[last].start
        last += 1
    return first, last


def build_selector(text: str, start: int, end: int) -> TextSelector:
    """The selector of a span of a source's text."""
    before, after = text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT]
    return TextSelector(text[start:end], before, after)


def find_selector(text: str, selector: TextSelector) -> tuple[int, int] | Message:
    """The span of a selector's words in a source's text, or why there is none.

    White space may differ. Of several places it is the one whose surroundings agree most.
    """
    spans = find_words(text, selector.exact, exact=True)
    if not spans:
        return Message("page-words-gone")
    scores = [_compare(text, span, selector) for span in spans]
    best = max(scores)
    if scores.count(best) > 1:
        return Message("page-words-several", n=len(spans))
    return spans[scores.index(best)]


def find_words(
    text: str, words: str, *, exact: bool = False, limit: int = MAX_FOUND
) -> list[tuple[int, int]]:
    """Where words occur in a text, at most ``limit`` spans; case counts if they are ``exact``."""
    parts = [re.escape(part) for part in words.split()]
    if not parts:
        return []
    found = re.finditer(r"\s+".join(parts), text, re.NOFLAG if exact else re.IGNORECASE)
    return [match.span() for match, _ in zip(found, range(limit), strict=False)]


def _compare(text: str, span: tuple[int, int], selector: TextSelector) -> int:
    """How many code points before and after a span are as in the selector."""
    before = _count_common(text[max(0, span[0] - CONTEXT) : span[0]][::-1], selector.prefix[::-1])
    return before + _count_common(text[span[1] : span[1] + CONTEXT], selector.suffix)


def _count_common(one: str, other: str) -> int:
    one, other = (
        "".join(" " if char.isspace() else char for char in text) for text in (one, other)
    )
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
