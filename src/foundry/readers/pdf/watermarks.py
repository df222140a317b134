"""Words laid over a page that are no part of its text: large ones over lines of print, or slanted ones.

A file need not mark its watermark. What sets it apart is its place: its letters cross lines of smaller
print or run slanted. It is kept once, behind the text of the first page that has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from foundry.readers.pdf.words import Frame, Word
from foundry.records import Box

_LARGER = 1.5
"""Size of a watermark, relative to the usual print of its page. A guess."""
_LETTERS = 3
"""Fewest letters of a word: signs of sums and brackets are as large, and print runs below them."""
_CAPITALS = 0.7
"""Height of capitals, relative to the size of print."""
_CROSSED = 2
"""Fewest words that a watermark crosses: a mark may touch one."""
_TILES = 3
"""Times that a slanted phrase is on a page if it covers the page. A guess."""
_MOST_WORDS = 60
"""Most large words of a page that are compared with the others, against hostile files."""


@dataclass(frozen=True, slots=True)
class Watermark:
    """What is laid over a page, and where."""

    text: str
    box: Box


@dataclass(slots=True)
class Watermarks:
    """The watermarks of the pages so far."""

    texts: list[str] = field(default_factory=list)
    _seen: set[tuple[str, int, int]] = field(default_factory=set)

    def select_new(self, marks: Sequence[Watermark]) -> list[Watermark]:
        """Return the watermarks that no page before has in the same place."""
        new = []
        for mark in marks:
            key = mark.text, round(mark.box.x0 / 10), round(mark.box.y0 / 10)
            if key not in self._seen:
                self._seen.add(key)
                new.append(mark)
            if mark.text not in self.texts:
                self.texts.append(mark.text)
        return new


def take_watermarks(frames: Sequence[Frame]) -> list[Watermark]:
    """Take the watermarks of a page out of its frames."""
    sizes = sorted([word.size for frame in frames if not frame.slanted for word in frame.words])
    least = _LARGER * sizes[len(sizes) // 2] if sizes else 0.0
    marks = []
    for frame in frames:
        large = [word for word in frame.words if word.size > least and _is_worded(word)]
        if frame.slanted:
            found = large or (frame.words if _count_tiles(frame.words) >= _TILES else [])
        else:
            found = _find_laid_over(frame.words, large)
        if found:
            taken = {id(word) for word in found}
            marks.append(_build_mark(frame, found))
            frame.words = [word for word in frame.words if id(word) not in taken]
    return marks


def _is_worded(word: Word) -> bool:
    return sum(map(str.isalpha, word.text)) >= _LETTERS


def _find_laid_over(words: Sequence[Word], large: Sequence[Word]) -> list[Word]:
    """Return the lines of large words whose letters cross smaller words."""
    found: list[Word] = []
    if len(large) > _MOST_WORDS:
        return found
    ordered = sorted(large, key=_get_line)
    for _, group in groupby(ordered, key=_get_line):
        line = list(group)
        crossed = sum(_crosses(word, other) for word in line for other in words)
        found += line if crossed >= _CROSSED else []
    return found


def _get_line(word: Word) -> tuple[int, int]:
    return round(word.base), round(word.size)


def _crosses(word: Word, other: Word) -> bool:
    """Whether the middle of a smaller word is within the letters of a large one."""
    middle, height = (other.x0 + other.x1) / 2, other.base - 0.3 * other.size
    return (
        word.size > _LARGER * other.size
        and word.x0 < middle < word.x1
        and word.base - _CAPITALS * word.size < height < word.base
    )


def _count_tiles(words: Sequence[Word]) -> int:
    """Return how often words say one phrase, 1 if they say several."""
    texts = [word.text for word in words]
    for size in range(1, len(texts) // _TILES + 1):
        if len(texts) % size == 0 and texts == texts[:size] * (len(texts) // size):
            return len(texts) // size
    return 1


def _build_mark(frame: Frame, words: Sequence[Word]) -> Watermark:
    once = words[: len(words) // _count_tiles(words)]
    box = Box(
        min([word.x0 for word in words]),
        min([word.base - 0.8 * word.size for word in words]),
        max([word.x1 for word in words]),
        max([word.base + 0.25 * word.size for word in words]),
    )
    return Watermark(" ".join([word.text for word in once]), frame.place(box))
