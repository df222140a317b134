"""The characters of a PDF page, each with its box as the page is shown.

They are compared with a source's text by their letters and digits only, because the reader of PDFs
joins hyphenated words, leaves out spaces between letters, and raises digits.
"""

from __future__ import annotations

import ctypes
import unicodedata
from bisect import bisect_left
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from itertools import pairwise
from math import atan2, pi
from typing import Any

from foundry.readers.pdf.views import PageView, view_page
from foundry.readers.pdf.words import Frame, TextCalls, bind_calls
from foundry.readers.symbols import read_in_font
from foundry.records import Box, PageLine

MAX_CHARACTERS = 200_000
"""Most characters of a page that are looked at, against hostile files; a dense page has 8,000."""
_LINE_HYPHENS = frozenset((2, 0xAD, 0xFFFE))
_MAX_FOUND = 200
"""Most places of a phrase on a page that are compared."""
_FLAT = 0.1
"""Points of height below which a box belongs to turned text: pdfium gives it none."""
_SAME_LINE = 0.5
"""Share of the lower of two boxes that overlaps the other one if they are on one line. A guess."""
_GAP = 1.5
"""Gap in a line, relative to its height, that begins another rectangle: cells, columns. A guess."""
_LINE_GAP = 0.8
"""The same for words that are laid over a page: a browser spreads its own letters evenly over a line,
so one with a bullet and its gap would have all words beside their places. A guess."""
_BACK = 0.6
"""How far a character may begin before the end of the one before it, relative to its height."""


@lru_cache(maxsize=65536)
def fold_character(char: str) -> str:
    """The letters and digits of a character, without accents, ligatures and case; often one."""
    if char.isascii():
        return char.lower() if char.isalnum() else ""
    shown = read_in_font(char, None)
    parts = unicodedata.normalize("NFKD", shown).casefold()
    return "".join(part for part in parts if part.isalnum())


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters and digits of a text in order.

    ``places`` has the index of each in the text, ``starts`` the numbers of those that begin a word.
    """

    text: str
    places: Sequence[int]
    starts: frozenset[int]

    def find_range(self, start: int, end: int) -> tuple[int, int]:
        """The letters of the text from ``start`` to ``end``."""
        return bisect_left(self.places, start), bisect_left(self.places, end)

    def is_border(self, number: int) -> bool:
        """Whether a word begins at a letter, or the text ends before it."""
        return number in self.starts or number >= len(self.text)

    def find_all(self, phrase: str, *, begins: bool = False, ends: bool = False) -> list[int]:
        """Where a phrase is; with ``begins`` and ``ends`` it must begin and end as words do."""
        found: list[int] = []
        start = self.text.find(phrase) if phrase else -1
        while start >= 0 and len(found) < _MAX_FOUND:
            if (not begins or self.is_border(start)) and (
                not ends or self.is_border(start + len(phrase))
            ):
                found.append(start)
            start = self.text.find(phrase, start + 1)
        return found


def fold_letters(text: str) -> Letters:
    """The letters and digits of a text."""
    words = (i for i, char in enumerate(text) if i == 0 or not text[i - 1].isalnum())
    return _fold(text, range(len(text)), frozenset(words))


def _fold(characters: Iterable[str], places: Iterable[int], begins: Container[int]) -> Letters:
    letters: list[str] = []
    found: list[int] = []
    starts: list[int] = []
    for place, char in zip(places, characters, strict=True):
        for number, part in enumerate(fold_character(char)):
            if not number and place in begins:
                starts.append(len(letters))
            letters.append(part)
            found.append(place)
    return Letters("".join(letters), found, frozenset(starts))


@dataclass(slots=True)
class PlacedCharacter:
    """A printed character: its box on the page, and by how many quarters it is turned left."""

    char: str
    box: Box
    turns: int

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of its box."""
        return (self.box.x0 + self.box.x1) / 2, (self.box.y0 + self.box.y1) / 2


@dataclass
class PageText:
    """A page: its size in points as shown, and its characters in the order of the file.

    White space is left out; ``begins`` are the indexes of characters behind white space.
    """

    width: float
    height: float
    characters: list[PlacedCharacter] = field(default_factory=list)
    begins: set[int] = field(default_factory=set)

    @cached_property
    def letters(self) -> Letters:
        """The letters of the page in the order of the file."""
        return self.fold(range(len(self.characters)))

    def fold(self, indexes: Sequence[int]) -> Letters:
        """The letters of characters, in the order in which these are given."""
        return _fold((self.characters[index].char for index in indexes), indexes, self._begins)

    @cached_property
    def _begins(self) -> frozenset[int]:
        """The characters that begin a word."""
        marks = (i + 1 for i, char in enumerate(self.characters) if not fold_character(char.char))
        return frozenset(self.begins).union(marks)

    def list_inside(self, box: Box, margin: float = 2.0) -> list[int]:
        """The characters whose middle is in a box or at most ``margin`` points from it."""
        return [
            index
            for index, char in enumerate(self.characters)
            if _contains(box, *char.middle, margin)
        ]

    def count_inside(self, indexes: Iterable[int], box: Box, margin: float = 2.0) -> float:
        """The share of characters that are in a box, 0 to 1."""
        inside = [_contains(box, *self.characters[index].middle, margin) for index in indexes]
        return sum(inside) / len(inside) if inside else 0.0

    def surround(self, indexes: Iterable[int]) -> Box:
        """The smallest box around characters."""
        return reduce(_join, [self.characters[index].box for index in indexes])

    def order_visually(self, indexes: Iterable[int]) -> list[int]:
        """Characters line by line from top to bottom, each line from left to right."""
        rest = [(self._turn(index), index) for index in indexes]
        rest.sort(key=lambda item: (item[0].y0 + item[0].y1, item[0].x0))
        lines: list[list[tuple[Box, int]]] = []
        for item in rest:
            if lines and _share_line(lines[-1][0][0], item[0]):
                lines[-1].append(item)
            else:
                lines.append([item])
        return [index for line in lines for _, index in sorted(line, key=lambda item: item[0].x0)]

    def outline(self, indexes: Iterable[int]) -> list[Box]:
        """Rectangles over characters: one for each line, two where a wide gap is in the line."""
        lines: list[tuple[int, Box]] = []
        for index in indexes:
            turns, box = self.characters[index].turns, self._turn(index)
            if lines and lines[-1][0] == turns and _goes_on(lines[-1][1], box):
                lines[-1] = (turns, _join(lines[-1][1], box))
            else:
                lines.append((turns, box))
        return [self._frame(turns).place(box) for turns, box in _merge(lines)]

    def list_lines(self) -> list[PageLine]:
        """The words line by line in the order of the file; a wide gap begins another line."""
        lines: list[tuple[str, int, Box]] = []
        for index, char in enumerate(self.characters):
            box = self._turn(index)
            if lines and lines[-1][1] == char.turns and _goes_on(lines[-1][2], box, _LINE_GAP):
                text, turns, line = lines[-1]
                space = " " if index in self.begins else ""
                lines[-1] = (f"{text}{space}{char.char}", turns, _join(line, box))
            else:
                lines.append((char.char, char.turns, box))
        return [PageLine(text, self._frame(turns).place(box)) for text, turns, box in lines]

    def add_marks(self, indexes: Sequence[int], before: str = "", after: str = "") -> list[int]:
        """Letters with the punctuation among them, and ``before`` and ``after`` them if it is there."""
        if not indexes:
            return []
        marked = [*self._match_marks(indexes[0], -1, before[::-1])[::-1], indexes[0]]
        for index, following in pairwise(indexes):
            between = range(index + 1, following)
            if following > index and not any(self._is_letter(number) for number in between):
                marked += between
            else:
                marked += self._list_attached(index, 1)
                marked += self._list_attached(following, -1)[::-1]
            marked.append(following)
        return marked + self._match_marks(indexes[-1], 1, after)

    def _is_letter(self, index: int) -> bool:
        return bool(fold_character(self.characters[index].char))

    def _match_marks(self, index: int, step: int, marks: str) -> list[int]:
        found: list[int] = []
        for mark in marks:
            index += step
            if not 0 <= index < len(self.characters) or self.characters[index].char != mark:
                break
            found.append(index)
        return found

    def _list_attached(self, index: int, step: int) -> list[int]:
        """The punctuation right behind (``step`` 1) or before a letter, without a space between."""
        found: list[int] = []
        while 0 <= index + step < len(self.characters) and not self._is_letter(index + step):
            if max(index, index + step) in self.begins:
                break
            index += step
            found.append(index)
        return found

    def _frame(self, turns: int) -> Frame:
        size = (self.height, self.width) if turns % 2 else (self.width, self.height)
        return Frame(turns, *size)

    def _turn(self, index: int) -> Box:
        """The box of a character in a frame where its text runs from left to right."""
        char = self.characters[index]
        if not char.turns:
            return char.box
        frame = self._frame(char.turns)
        box = char.box
        (x0, y0), (x1, y1) = frame.find(box.x0, box.y0), frame.find(box.x1, box.y1)
        return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def read_characters(page: Any) -> PageText:
    """The characters of an open page."""
    view = view_page(page)
    text = PageText(*view.size)
    text_page = page.get_textpage()
    try:
        _read_all(text, text_page.raw, view)
    finally:
        text_page.close()
    return text


def _read_all(text: PageText, raw_page: Any, view: PageView) -> None:
    from pypdfium2 import raw

    calls, address = bind_calls(), ctypes.cast(raw_page, ctypes.c_void_p)
    count = min(max(0, raw.FPDFText_CountChars(raw_page)), MAX_CHARACTERS)
    behind_space = True
    for index in range(count):
        code = calls.get_unicode(address, index)
        # A hyphen at the end of a line is marked so, and has its place all the same.
        code = ord("-") if code in _LINE_HYPHENS else code
        char = chr(code) if 0x20 < code <= 0x10FFFF else " "
        if char.isspace() or char == "\uffff":
            behind_space = True
            continue
        if behind_space:
            text.begins.add(len(text.characters))
        behind_space = False
        box, turns = _read_box(calls, address, index, view)
        text.characters.append(PlacedCharacter(char, box, turns))


def _read_box(calls: TextCalls, page: Any, index: int, view: PageView) -> tuple[Box, int]:
    edges, matrix = (ctypes.c_float * 4)(), (ctypes.c_float * 6)()
    calls.get_matrix(page, index, ctypes.byref(matrix))
    angle = (atan2(matrix[1], matrix[0]) if matrix[1] or matrix[0] < 0 else 0.0) / (pi / 2)
    calls.get_box(page, index, ctypes.byref(edges))
    left, top, right, bottom = edges
    if top - bottom < _FLAT or round(angle) % 4:
        sides = [ctypes.c_double() for _ in range(4)]
        calls.get_tight_box(page, index, *map(ctypes.byref, sides))
        left, right, bottom, top = (side.value for side in sides)
    return view.show_box(left, bottom, right, top), round(angle - view.rotation) % 4


def _contains(box: Box, x: float, y: float, margin: float) -> bool:
    return box.x0 - margin <= x <= box.x1 + margin and box.y0 - margin <= y <= box.y1 + margin


def _join(one: Box, other: Box) -> Box:
    return Box(
        min(one.x0, other.x0), min(one.y0, other.y0), max(one.x1, other.x1), max(one.y1, other.y1)
    )


def _share_line(one: Box, other: Box) -> bool:
    common = min(one.y1, other.y1) - max(one.y0, other.y0)
    return common >= _SAME_LINE * min(one.y1 - one.y0, other.y1 - other.y0)


def _goes_on(line: Box, box: Box, gap: float = _GAP) -> bool:
    height = line.y1 - line.y0
    return _share_line(line, box) and -_BACK * height <= box.x0 - line.x1 <= gap * height


def _merge(lines: list[tuple[int, Box]]) -> list[tuple[int, Box]]:
    """Join rectangles that touch in a line: text from right to left, marks that were moved."""
    merged: list[tuple[int, Box]] = []
    for turns, box in lines:
        for place, (other_turns, other) in enumerate(merged):
            height = max(other.y1 - other.y0, box.y1 - box.y0)
            near = box.x0 - other.x1 < 0.4 * height and other.x0 - box.x1 < 0.4 * height
            if turns == other_turns and near and _share_line(other, box):
                merged[place] = (turns, _join(other, box))
                break
        else:
            merged.append((turns, box))
    return merged
