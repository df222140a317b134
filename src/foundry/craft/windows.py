"""A chunk cut into windows of a few sentences: what is embedded one by one.

A chunk of 700–1000 tokens is many things at once, and one vector of it is near
to none of them. Its windows keep a fact findable, and comparable with a question
across languages, however long the chunk around it. The cut depends on the chunk
alone, so a window's place can be found again without being stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from foundry.analysis import sentence_spans
from foundry.records import Block, Chunk

WINDOWS_VERSION = 2
"""Raised when the same chunk gives other windows: vectors are then made anew."""

LENGTH = 280
"""Characters, some 45 words: a window closes at the first sentence end after this many."""

REST = 90
"""Fewer characters than this at the end of a chunk join the window before."""


@dataclass(frozen=True, slots=True)
class Window:
    """Sentences of a chunk: ``start`` and ``end`` in the source text, ``text`` on one line."""

    start: int
    end: int
    text: str


def cut_windows(chunk: Chunk, length: int = LENGTH, rest: int = REST) -> tuple[Window, ...]:
    """The windows of a chunk in reading order; at least one. Headings open theirs.

    ``length`` and ``rest`` (characters) are for experiments: what is stored is cut by the defaults.
    """
    windows: list[Window] = []
    open_: list[Window] = []
    for sentence in _sentences(chunk):
        open_.append(sentence)
        if _length(open_) >= length:
            windows.append(_joined(open_))
            open_ = []
    if open_ and windows and _length(open_) < rest:
        windows[-1] = _joined([windows[-1], *open_])
    elif open_:
        windows.append(_joined(open_))
    return tuple(windows) or (Window(chunk.start, chunk.end, chunk.content),)


def embedded_texts(chunk: Chunk) -> tuple[str, ...]:
    """Prefix, then windows: decision D0004's ``prefix + blank line + text``, piece by piece."""
    windows = tuple(window.text for window in cut_windows(chunk))
    return (chunk.prefix, *windows) if chunk.prefix else windows


def _sentences(chunk: Chunk) -> Iterator[Window]:
    blocks = chunk.blocks or (Block("paragraph", chunk.start, chunk.end),)
    for block in blocks:
        start = max(block.start, chunk.start)
        text = chunk.text[start - chunk.start : min(block.end, chunk.end) - chunk.start]
        for first, last in sentence_spans(text, chunk.language):
            yield Window(start + first, start + last, " ".join(text[first:last].split()))


def _length(windows: list[Window]) -> int:
    return sum(len(window.text) for window in windows)


def _joined(windows: list[Window]) -> Window:
    return Window(windows[0].start, windows[-1].end, " ".join(w.text for w in windows))
