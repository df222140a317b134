"""Parts of a chunk: the windows that are embedded one by one, and the focus that a citation names.

A chunk of 700–1000 tokens is about many things, and one vector of it is close to none of them.
Its windows of a few sentences keep a fact findable however long the chunk is. They depend on the
chunk alone, so they are cut again instead of stored. The focus is the sentence that matches the
query best; whether it answers the question is judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from foundry.analysis import analyse, find_sentences
from foundry.records import Block, Chunk, Focus
from foundry.text.headings import is_contents_line, is_heading_like
from foundry.text.tables import describe_row, find_lines, list_missing_lines

WINDOWS_VERSION = 3
"""Raised when the same chunk gives other windows; vectors are then rebuilt."""

WINDOW_CHARS = 280
"""About 45 words: a window closes at the first sentence end after this many characters. Other
lengths measured no better."""

MIN_WINDOW_CHARS = 90
"""A shorter rest at the end of a chunk joins the last window. About half a sentence; a guess."""


_MAX_ABOVE = 240
"""Characters of a table's title, unit and header in a window: less than the rows below it."""


@dataclass(frozen=True, slots=True)
class ChunkWindow:
    """Sentences of a chunk: ``start`` and ``end`` in the source text, ``text`` on one line.

    ``above`` is what the table says above its rows, which ``text`` begins with if it lacks it.
    """

    start: int
    end: int
    text: str
    above: str = ""


@lru_cache(maxsize=64)
def cut_windows(chunk: Chunk) -> tuple[ChunkWindow, ...]:
    """Cut a chunk into windows in reading order, at least one. A heading opens its window."""
    windows: list[ChunkWindow] = []
    open_: list[ChunkWindow] = []
    for sentence in _split_into_sentences(chunk):
        open_.append(sentence)
        if _count_chars(open_) >= WINDOW_CHARS:
            windows.append(_join_windows(open_))
            open_ = []
    if open_ and windows and _count_chars(open_) < MIN_WINDOW_CHARS:
        windows[-1] = _join_windows([windows[-1], *open_])
    elif open_:
        windows.append(_join_windows(open_))
    return tuple(windows) or (ChunkWindow(chunk.start, chunk.end, chunk.content),)


def build_embedding_texts(chunk: Chunk) -> tuple[str, ...]:
    """The texts to embed: the prefix if there is one, then the windows (decision 22)."""
    windows = tuple(window.text for window in cut_windows(chunk))
    return (chunk.prefix, *windows) if chunk.prefix else windows


def _split_into_sentences(chunk: Chunk) -> Iterator[ChunkWindow]:
    blocks = chunk.blocks or (Block("paragraph", chunk.start, chunk.end),)
    for block in blocks:
        start = max(block.start, chunk.start)
        text = chunk.cut(start, min(block.end, chunk.end))
        spans = find_lines(text) if block.table else find_sentences(text, chunk.language)
        for first, last in spans:
            words = " ".join(text[first:last].split())
            lines = (
                list_missing_lines(block.table, "", text[first:], start + first)
                if block.table
                else ()
            )
            above = " ".join(" ".join(lines).split())[:_MAX_ABOVE]
            yield ChunkWindow(start + first, start + last, words, above)


def _count_chars(windows: list[ChunkWindow]) -> int:
    return sum(len(window.text) for window in windows)


def _join_windows(windows: list[ChunkWindow]) -> ChunkWindow:
    words = [window.text for window in windows]
    # A window of rows means nothing without their header.
    above = next((window.above for window in windows if window.above), "")
    text = " ".join([above, *words] if above and above not in words[0] else words)
    return ChunkWindow(windows[0].start, windows[-1].end, text)


_HEADING_SHARE = 0.5
"""A term in the section's heading, or in a line that reads like one, counts half as much as one in
the sentence. A guess."""


def find_focus(chunk: Chunk, terms: Collection[str]) -> Focus:
    """The sentence (table row, cue) of the chunk that contains most of the analysed terms.

    Distinct terms count once; terms in the headings above count half. Ties go to the block that
    contains more terms, then to the first. Lines of a table of contents are left out. Without a
    match it is the first sentence under a matching heading, else the first that is not a heading.
    """
    wanted = frozenset(terms)
    best: tuple[float, int] = (0.0, 0)
    focus: Focus | None = None
    for block in chunk.blocks:
        if block.kind == "heading":
            continue
        words = chunk.cut(block.start, block.end)
        inside = len(_match_terms(words, chunk.language, wanted))
        if not inside:
            continue
        above = _match_terms(" ".join(block.heading_path), chunk.language, wanted)
        for start, end in _split_block(chunk, block, words):
            said = words[start:end]
            if is_contents_line(said):
                continue
            share = _HEADING_SHARE if _is_title(block, said) else 1
            if block.table:
                said = f"{said} {describe_row(block.table, block.start + start, block.start + end)}"
            matches = _match_terms(said, chunk.language, wanted)
            score = (share * len(matches) + _HEADING_SHARE * len(above - matches), inside)
            if matches and score > best:
                best = score
                focus = _build_focus(block, block.start + start, block.start + end)
    return focus or _choose_fallback(chunk, wanted)


def locate_focus(chunk: Chunk, start: int, end: int) -> Focus:
    """The focus from ``start`` to ``end`` of the source, with the place of the block it begins in."""
    within = [b for b in chunk.blocks if b.start < end and b.end > start]
    bodies = [block for block in within if block.kind != "heading"] or within
    if not bodies:
        return Focus(start, end, chunk.heading_path)
    return _build_focus(bodies[0], max(bodies[0].start, start), end)


def _choose_fallback(chunk: Chunk, wanted: frozenset[str]) -> Focus:
    bodies = [block for block in chunk.blocks if block.kind != "heading"]
    under = [
        block
        for block in bodies
        if _match_terms("".join(block.heading_path[-1:]), chunk.language, wanted)
    ]
    for block in [*under, *bodies, *chunk.blocks]:
        for start, end in _split_block(chunk, block, chunk.cut(block.start, block.end)):
            return _build_focus(block, block.start + start, block.start + end)
    return Focus(chunk.start, chunk.end, chunk.heading_path)


def _is_title(block: Block, line: str) -> bool:
    """Whether a line of running text reads like a heading that its reader did not recognise."""
    return block.kind in {"paragraph", "code"} and is_heading_like(line)


def _build_focus(block: Block, start: int, end: int) -> Focus:
    return Focus(start, end, block.heading_path, block.page, block.page_label, block.time_start)


def _split_block(chunk: Chunk, block: Block, words: str) -> Iterator[tuple[int, int]]:
    if block.kind in ("cue", "caption"):
        yield 0, len(words)
    elif block.table:
        yield from find_lines(words)
    else:
        yield from find_sentences(words, chunk.language)


def _match_terms(text: str, language: str, wanted: frozenset[str]) -> frozenset[str]:
    return wanted.intersection(analyse(text, language))
