"""What OCR reads: lines of words with their places in a picture, and how two engines differ.

Engines confuse letters in ways that a reader notices; a sign, digit or unit that is read wrong
says something else and looks right. Where two engines differ in one, both readings are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from statistics import median

from foundry.records import Doubt

TALL, DEEP = 0.73, 0.21
"""How far tall letters reach above the baseline and "g" below it, relative to the size of print."""
LOW = 0.53
"""How far small letters reach above the baseline, relative to the size of print."""
_TELLING = re.compile(r"[\d±+−–<>≤≥=%‰°µμΩ€$£¥²³×~()-]")
"""Characters that change a quantity: digits, signs and marks of units."""
_SAME = str.maketrans({"μ": "µ", "−": "-", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"'})
_MAX_UNIT = 5
"""Longest unit behind a number ("mm/min" aside): a guess."""

_SURE = 0.6
"""Lines of the other engine that it read with less confidence say nothing against the first: a
guess; on noisy pages they hold a letter salad."""


@dataclass(slots=True)
class ScannedWord:
    """A word in pixels from the top left of its picture.

    ``y0`` is the top of tall letters, ``y1`` the foot of deep ones, whichever the word has.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(slots=True)
class ScannedLine:
    """Words from left to right; ``confidence`` 0–1; ``slope`` is that of the line, 0 if level."""

    words: list[ScannedWord]
    confidence: float
    slope: float = 0.0
    doubts: tuple[Doubt, ...] = ()

    @property
    def text(self) -> str:
        """Its words with spaces between them."""
        return " ".join(word.text for word in self.words)

    @property
    def edges(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        return (
            min(word.x0 for word in self.words),
            min(word.y0 for word in self.words),
            max(word.x1 for word in self.words),
            max(word.y1 for word in self.words),
        )


def compare_readings(first: Sequence[str], second: Sequence[str]) -> tuple[Doubt, ...]:
    """Where two readings of a line differ in digits, signs or units, word by word."""
    left, right = [[simplify_word(word) for word in words] for words in (first, second)]
    doubts = []
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    for kind, start, end, begin, stop in matcher.get_opcodes():
        # Spaces are a matter of taste: "24V", "24 V".
        if kind == "equal" or "".join(left[start:end]) == "".join(right[begin:stop]):
            continue
        if not (_tells(left, start, end) or _tells(right, begin, stop)):
            continue
        # What only one engine read is said with the word before or behind it.
        alone = start == end or begin == stop
        back, ahead = (int(alone and start > 0), int(alone and start == 0))
        read = " ".join(first[start - back : end + ahead])
        doubts.append(Doubt(read, " ".join(second[begin - back : stop + ahead])))
    return tuple(doubts)


def simplify_word(word: str) -> str:
    """A word with one of the signs that are alike, and without punctuation around it."""
    simple = word.translate(_SAME)
    return simple.strip(".,;:'\"|") or simple


def _tells(words: Sequence[str], start: int, end: int) -> bool:
    """Whether some of the words are a quantity, or may be the unit behind a number."""
    if any(map(tells_quantity, words[start:end])):
        return True
    behind_number = 0 < start < end and words[start - 1][-1:].isdigit()
    return behind_number and len(words[start]) <= _MAX_UNIT


def tells_quantity(word: str) -> bool:
    """Whether a word has a digit, a sign or a mark of a unit."""
    return _TELLING.search(word) is not None


def merge_readings(main: Sequence[ScannedLine], other: Sequence[ScannedLine]) -> list[ScannedLine]:
    """The lines of ``main`` with their doubts, and those lines that only ``other`` has."""
    claimed: set[int] = set()
    sure = [line for line in other if line.confidence >= _SURE]
    for line in main:
        words = list(_find_words(line, sure))
        claimed.update(id(word) for word in words)
        if words:
            line.doubts = compare_readings(
                [word.text for word in line.words], [word.text for word in words]
            )
    extra = [
        line
        for line in sure
        if sum(id(word) in claimed for word in line.words) < 0.5 * len(line.words)
    ]
    return [*main, *extra]


def _find_words(line: ScannedLine, others: Sequence[ScannedLine]) -> Iterator[ScannedWord]:
    """The words of other lines in the place of a line, from left to right."""
    x0, y0, x1, y1 = line.edges
    found = [
        word
        for other in others
        for word in other.words
        if x0 <= (word.x0 + word.x1) / 2 <= x1 and y0 <= (word.y0 + word.y1) / 2 <= y1
    ]
    yield from sorted(found, key=lambda word: word.x0)


def weigh_confidence(lines: Sequence[ScannedLine]) -> float:
    """The mean confidence of the characters, 0–1; 0 without lines."""
    count = sum(len(line.text) for line in lines)
    return sum(line.confidence * len(line.text) for line in lines) / count if count else 0.0


def find_slope(lines: Sequence[ScannedLine]) -> float:
    """How far the picture is askew: the median slope of its long lines."""
    slopes = [line.slope for line in lines if len(line.words) >= 4]
    return median(slopes) if slopes else 0.0
