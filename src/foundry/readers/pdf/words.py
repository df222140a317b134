"""The words on a page of a PDF, each with its place, size and weight, as pdfium gives them.

A word is asked for by its first and last character only, because asking for every character takes
longer than reading the page, and all words of a page at once, in loops that run in C. Words that run up, down or upside down come in frames of their own,
turned so that they run from left to right.
"""

from __future__ import annotations

import ctypes
import re
from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice, repeat
from math import atan2, hypot, pi
from typing import Any

from foundry.readers.pdf.views import PageView
from foundry.readers.symbols import (
    DOUBTFUL_WIDTHS,
    find_symbol_font,
    raise_digits,
    raise_letter,
    read_printed,
)
from foundry.records import Box

MAX_WORDS = 100_000
"""Most words that are read from a page, against hostile files; a dense page has 2,000."""

# pdfium marks the hyphen at the end of a line with U+FFFE and leaves the line break out.
_WORD = re.compile(r"[^\s\x00-\x20\ufffe\uffff\u200b\u2060\ufeff]+")
# pdfium marks a plain hyphen at the end of a line so, but not the one of automatic hyphenation.
_LINE_HYPHEN = re.compile(r"(?<=\w)\u2010(?=\r?\n)")
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st"}
)
_UNREADABLE = re.compile("[\x00-\x1f\x7f-\x9f\xad\ud800-\udfff\ufffe\uffff]")
_DOUBTFUL = re.compile("[\xa1-\xff\ue000-\uf8ff]")
"""Characters that may stand for another sign, if a font of signs begins within a word."""
_MANY = 4096
"""Boxes of characters that are asked for at once."""
_SAME_WIDTH = 40
"""Tolerance for the width of a sign, in thousandths of the size; two signs differ by more."""
_BOLD = re.compile(r"bold|black|heavy|demi|[-,]bd|\bbd\b|cmbx", re.IGNORECASE)
_MONO = re.compile(
    r"courier|mono|consol|menlo|typewriter|letter ?gothic|nimbusmon|source ?code|(?:cm|ec|lm|sf|tx)tt",
    re.IGNORECASE,
)
_ARTIFACT = "Artifact\0".encode("utf-16-le")
_FIXED, _ITALIC, _FORCE_BOLD = 1, 1 << 6, 1 << 18  # in the flags of a font
_SMALLER = 0.85
"""Size of a raised mark, relative to its word: a guess; programs take .58 to .7."""
_SAME_HEIGHT = 0.05
"""Points by which boxes of equal characters differ at most: they are rounded to less."""
_RAISED = 0.1
"""Height of a raised mark above the baseline, relative to the size of its word. A guess."""
_HANGING = 0.5
"""Widest mark that hangs over the edge of a column, relative to the size of print: one sign. A guess."""
_BEARING = 0.06
"""White behind the last letter, relative to the size of print: fonts have 0.02 to 0.1."""
_STRAIGHT = pi / 36
"""Text that is turned by less runs straight: 5 degrees, a guess."""


def hang_mark(head: str, edge: float, marked: Word) -> float:
    """Return where a word with a raised mark ends: a number where ``head`` does, at ``edge``.

    Numbers below each other end in one place, and their marks hang over it.
    """
    hangs = head[-1:].isdigit() and marked.x1 - edge < _HANGING * marked.size
    return edge if hangs else marked.x1


@dataclass(slots=True)
class Font:
    """A font; ``size`` and ``descent`` are shares of the height of a character's box.

    They hold for boxes of one ``height``, in points: brackets may have a higher one than letters.
    ``signs`` is the font of signs that it is, if any.
    """

    name: str = ""
    bold: bool = False
    italic: bool = False
    mono: bool = False
    size: float = 1.0
    descent: float = 0.2
    height: float = 0.0
    signs: str | None = None


PLAIN = Font()


class Word:
    """A word in points from the top left of its frame; ``base`` is its baseline.

    ``broken`` is True if a hyphen follows at the end of its line, which is not in the text. ``aside``
    if the file says that it is no part of the text: a watermark, a running line.
    """

    __slots__ = ("aside", "base", "broken", "font", "size", "text", "x0", "x1")

    def __init__(
        self, text: str, across: tuple[float, float], base: float, size: float, font: Font
    ) -> None:
        self.text = text
        self.x0, self.x1 = across
        self.base = base
        self.size = size
        self.font = font
        self.broken = False
        self.aside = False

    @property
    def bold(self) -> bool:
        """Whether it is printed in bold."""
        return self.font.bold

    def __repr__(self) -> str:
        return (
            f"Word({self.text!r}, {self.x0:.1f}, {self.x1:.1f}, {self.base:.1f}, {self.size:.1f})"
        )


@dataclass(slots=True)
class Frame:
    """Words that run in one direction, turned to the left by so many quarters (``turns``).

    Those of a ``slanted`` frame are turned by a part of a quarter more.
    """

    turns: int
    width: float
    height: float
    words: list[Word] = field(default_factory=list)
    slanted: bool = False

    def place(self, box: Box) -> Box:
        """Return where a box of the frame is on the page."""
        width, height = self.width, self.height
        if self.turns == 1:
            return Box(box.y0, width - box.x1, box.y1, width - box.x0)
        if self.turns == 2:
            return Box(width - box.x1, height - box.y1, width - box.x0, height - box.y0)
        if self.turns == 3:
            return Box(height - box.y1, box.x0, height - box.y0, box.x1)
        return box

    def find(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the page is in the frame."""
        if self.turns == 1:
            return self.width - y, x
        if self.turns == 2:
            return self.width - x, self.height - y
        if self.turns == 3:
            return y, self.height - x
        return x, y


def read_words(page: Any, view: PageView) -> list[Frame]:
    """Return the frames of a page, the upright one first, with words in the order of the file."""
    text_page = page.get_textpage()
    try:
        return _WordReader(text_page.raw, view).read()
    finally:
        text_page.close()


class TextCalls:
    """The functions of pdfium that are called for every word.

    They are bound to plain addresses and keep the interpreter's lock: twice as fast. Those that are
    called for every character take the page as ``c_void_p``. ``boxes`` has room for the boxes of many
    characters, and ``box_places`` points to each.
    """

    def __init__(self) -> None:
        from pypdfium2 import raw

        place, number = ctypes.c_void_p, ctypes.c_int
        decimal = ctypes.c_double
        self.find_object = bind_untyped(raw.FPDFText_GetTextObject, place)
        self.find_font = bind(raw.FPDFTextObj_GetFont, place, place)
        self.get_box = bind_untyped(raw.FPDFText_GetLooseCharBox, number)
        self.get_tight_box = bind(raw.FPDFText_GetCharBox, number, place, number, *[place] * 4)
        self.get_matrix = bind(raw.FPDFText_GetMatrix, number, place, number, place)
        self.get_size = bind(raw.FPDFText_GetFontSize, decimal, place, number)
        self.get_origin = bind(raw.FPDFText_GetCharOrigin, number, place, number, place, place)
        self.get_mark = bind(raw.FPDFPageObj_GetMark, place, place, ctypes.c_ulong)
        self.get_unicode = bind(raw.FPDFText_GetUnicode, ctypes.c_uint, place, number)
        self._get_name = bind(
            raw.FPDFPageObjMark_GetName, number, place, place, ctypes.c_ulong, place
        )
        self._name, self._size = ctypes.create_string_buffer(64), ctypes.c_ulong()
        # Left, top, right, bottom, as in FS_RECTF.
        self.boxes = (ctypes.c_float * (4 * _MANY))()
        start = ctypes.addressof(self.boxes)
        self.box_places = [place(start + 16 * index) for index in range(_MANY)]

    def is_artifact(self, mark: int) -> bool:
        """Whether a mark around a part of the page says that it is no part of the text."""
        found = self._get_name(mark, self._name, len(self._name), ctypes.byref(self._size))
        return bool(found) and self._name.raw[: self._size.value] == _ARTIFACT


def bind(function: Any, *types: Any) -> Any:
    """Bind a function of pdfium again, with the given types of its result and arguments."""
    return ctypes.PYFUNCTYPE(*types)(ctypes.cast(function, ctypes.c_void_p).value or 0)


def bind_untyped(function: Any, result: Any) -> Any:
    """Bind a function of pdfium whose arguments are whole numbers and ``c_void_p`` objects.

    They are passed on without a look at their types, which takes a third of the time of a call.
    """
    return bind(function, result)


@cache
def bind_calls() -> TextCalls:
    """The functions, bound once."""
    return TextCalls()


_Ends = tuple[float, float, float, float, float, float, float, float]
"""Left, top, right and bottom of the first character of a word, then of its last one."""


class _WordReader:
    """Reads one page."""

    def __init__(self, text_page: Any, view: PageView) -> None:
        self._calls, self._raw_page, self._view = bind_calls(), text_page, view
        self._page = ctypes.cast(text_page, ctypes.c_void_p)
        self._fonts: dict[int | None, Font] = {}
        self._signs: dict[int | None, str | None] = {}
        self._angles: dict[int | None, float] = {}
        self._fitted: dict[tuple[int | None, float], Font] = {}
        # Left, top, right, bottom, as in FS_RECTF.
        self._box = (ctypes.c_float * 4)()
        self._box_place = ctypes.byref(self._box)
        self._matrix = (ctypes.c_float * 6)()
        self._matrix_place = ctypes.byref(self._matrix)
        self._point = (ctypes.c_double * 2)()
        self._point_places = ctypes.byref(self._point), ctypes.byref(self._point, 8)
        self._frames = {0: Frame(0, *view.size)}
        self._words = self._frames[0].words
        self._thing: int | None = None
        self._font = PLAIN

    def read(self) -> list[Frame]:
        text = _LINE_HYPHEN.sub("\ufffe", self._read_text())
        spans = [match.span() for match in islice(_WORD.finditer(text), MAX_WORDS)]
        starts = [start for start, _ in spans]
        things = list(map(self._calls.find_object, repeat(self._page), starts))
        handles = {thing: self._calls.find_font(thing) for thing in {*things}}
        asides = self._find_asides(handles)
        has_broken = "\ufffe" in text
        words, left, top = self._words, self._view.left, self._view.top
        turned = bool(self._view.rotation)
        for (start, end), thing, (x0, y1, _, y0, last_x0, last_y1, x1, last_y0) in zip(
            spans, things, self._list_ends(spans), strict=True
        ):
            handle = handles[thing]
            font = self._fonts.get(handle) or self._find_font(thing, handle, start)
            printed = text[start:end]
            shown = printed
            if font.signs or not printed.isascii():
                shown = self._show(printed, start, font)
            if not shown:
                continue
            high, low = y1 - y0, last_y1 - last_y0
            # The box of a turned character may have no height, those of its word are not side by
            # side, and those of slanted words drift away.
            standing = last_x0 <= x0 or abs(last_y0 - y0) > 0.5 * high
            if turned or high <= 0 or standing:
                angle = self._angles.get(thing)
                angle = self._find_word_angle(thing, start) if angle is None else angle
                word = self._read_turned(shown, (start, end), font, angle, flat=high <= 0)
                if word:
                    word.broken = text[end : end + 1] == "\ufffe"
                    continue
            if abs(high - font.height) > _SAME_HEIGHT:
                font = self._fit_font(font, handle, start, high)
            base = top - y0 - high * font.descent
            word = Word(shown, (x0 - left, x1 - left), base, high * font.size, font)
            if (low < _SMALLER * high or high < _SMALLER * low) and shown == printed:
                words.extend(self._split_mark(word, start, end))
                word = words[-1]
            else:
                words.append(word)
            if has_broken and text[end : end + 1] == "\ufffe":
                word.broken = True
            if thing in asides:
                word.aside = True
        return [self._frames[angle] for angle in sorted(self._frames)]

    def _find_asides(self, things: Iterable[int | None]) -> set[int | None]:
        """Return the text objects marked as artifacts, which are not part of the text."""
        asides: set[int | None] = set()
        artifact: dict[int, bool] = {}  # The objects of a part of the page share its mark.
        get_mark = self._calls.get_mark
        for thing in things:
            index = 0
            while thing and (mark := get_mark(thing, index)):
                index += 1
                if mark not in artifact:
                    artifact[mark] = self._calls.is_artifact(mark)
                if artifact[mark]:
                    asides.add(thing)
        return asides

    def _list_ends(self, spans: Sequence[tuple[int, int]]) -> Iterator[_Ends]:
        """Return the boxes of the first and last character of words."""
        calls, values = self._calls, array("f")
        # One character after the other: pdfium finds neighbours faster.
        indexes = [index for first, end in spans for index in (first, end - 1)]
        for start in range(0, len(indexes), _MANY):
            some = indexes[start : start + _MANY]
            deque(map(calls.get_box, repeat(self._page), some, calls.box_places), maxlen=0)
            values.frombytes(memoryview(calls.boxes).cast("B")[: 16 * len(some)])
        return zip(*[iter(values)] * 8, strict=True)

    def _read_text(self) -> str:
        from pypdfium2 import raw

        count = max(0, raw.FPDFText_CountChars(self._raw_page))
        buffer = ctypes.create_string_buffer(2 * count + 2)
        short = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
        written = raw.FPDFText_GetText(self._raw_page, 0, count, short) - 1
        if written == count:
            text = buffer.raw[: 2 * count].decode("utf-16-le", "replace")
            if len(text) == count:
                return text
        # Characters beyond the basic plane take two places there: read them one by one.
        codes = (self._calls.get_unicode(self._page, index) for index in range(count))
        return "".join("\ufffe" if code == 2 else chr(min(code, 0x10FFFF)) for code in codes)

    def _show(self, printed: str, start: int, font: Font) -> str:
        """Return a word as its fonts show it: "μV" may be a sign and a letter in two fonts."""
        if font.signs or _DOUBTFUL.search(printed):
            printed = "".join(
                self._read_sign(char, index) if font.signs or _DOUBTFUL.match(char) else char
                for index, char in enumerate(printed, start)
            )
        return _UNREADABLE.sub("", printed.translate(_LIGATURES))

    def _read_sign(self, char: str, index: int) -> str:
        signs = self._find_signs(index)
        if signs == "symbol" and char in DOUBTFUL_WIDTHS:
            self._calls.get_box(self._page, index, self._box_place)
            width = 1000 * abs(self._box[2] - self._box[0]) / (self._find_size(index) or 1.0)
            signs = signs if abs(width - DOUBTFUL_WIDTHS[char]) < _SAME_WIDTH else None
        return read_printed(char, signs)

    def _find_signs(self, index: int) -> str | None:
        """Return the font of signs in which a character is printed, if it is one."""
        handle = self._calls.find_font(self._calls.find_object(self._page, index))
        if handle not in self._signs:
            self._signs[handle] = find_symbol_font(self._read_name(handle))
        return self._signs[handle]

    def _read_name(self, handle: int | None) -> str:
        from pypdfium2 import raw

        if not handle:
            return ""
        buffer = ctypes.create_string_buffer(256)
        pointer = ctypes.cast(handle, raw.FPDF_FONT)
        length = raw.FPDFFont_GetBaseFontName(pointer, buffer, 256)
        return buffer.raw[: max(0, length - 1)].decode("utf-8", "replace")

    def _find_font(self, thing: int | None, handle: int | None, index: int) -> Font:
        """Return the font of a text object, to which the character at ``index`` belongs."""
        if thing is None or thing != self._thing:
            self._thing, self._font = thing, self._read_font(handle, index)
        return self._font

    def _find_word_angle(self, thing: int | None, index: int) -> float:
        """Return how far a word is turned; all characters of a text object are turned alike."""
        angle = self._find_angle(index)
        if thing:
            self._angles[thing] = angle
        return angle

    def _find_angle(self, index: int) -> float:
        """Return how far a character is turned to the left, in radians."""
        self._calls.get_matrix(self._page, index, self._matrix_place)
        a, b, _, _, _, _ = self._matrix
        return (atan2(b, a) if b or a < 0 else 0.0) - self._view.rotation * pi / 2

    def _read_font(self, handle: int | None, index: int) -> Font:
        from pypdfium2 import raw

        name, flags = self._read_name(handle), 0
        if handle:
            flags = raw.FPDFFont_GetFlags(ctypes.cast(handle, raw.FPDF_FONT))
        self._calls.get_box(self._page, index, self._box_place)
        _, top, _, bottom = self._box
        height = top - bottom
        font = Font(name, bool(_BOLD.search(name) or flags & _FORCE_BOLD))
        font.italic = bool(flags & _ITALIC or re.search("italic|oblique", name, re.IGNORECASE))
        font.signs = find_symbol_font(name)
        font.mono = bool(flags & _FIXED or _MONO.search(name))
        if height > 0 and not self._find_angle(index):
            self._measure(font, index, bottom, height)
            self._fonts[handle] = font
        return font

    def _fit_font(self, font: Font, handle: int | None, index: int, height: float) -> Font:
        """Return the font with the shares that hold for a character's box of another height."""
        key = handle, round(height, 1)
        fitted = self._fitted.get(key)
        if fitted is None:
            fitted = font
            if font.height and not self._find_angle(index):
                self._calls.get_box(self._page, index, self._box_place)
                fitted = replace(font)
                self._measure(fitted, index, self._box[3], height)
            self._fitted[key] = fitted
        return fitted

    def _measure(self, font: Font, index: int, bottom: float, height: float) -> None:
        font.height = height
        font.size = self._find_size(index) / height
        font.descent = (self._find_origin(index)[1] - bottom) / height

    def _find_size(self, index: int) -> float:
        """Return the size of print of a character in points."""
        self._calls.get_matrix(self._page, index, self._matrix_place)
        _, _, c, d, _, _ = self._matrix
        return abs(float(self._calls.get_size(self._page, index)) * hypot(c, d))

    def _find_origin(self, index: int) -> tuple[float, float]:
        """Return where a character is, in the points of the file."""
        self._calls.get_origin(self._page, index, *self._point_places)
        x, y = self._point
        return x, y

    def _split_mark(self, word: Word, start: int, end: int) -> list[Word]:
        """Return a word and the raised mark that pdfium took for a part of it."""
        bases = [self._find_origin(index)[1] for index in range(start, end)]
        least = _RAISED * word.size
        cut = next((i for i, base in enumerate(bases) if abs(base - bases[0]) > least), None)
        if cut is None:
            return [word]
        head, tail = word.text[:cut], word.text[cut:]
        raised = bases[cut] > bases[0]
        size = self._find_size(start + cut)
        if not raised and size <= word.size:
            return [word]
        self._calls.get_box(self._page, start + cut, self._box_place)
        middle, base = self._box[0] - self._view.left, self._view.top - bases[cut]
        if raised and not raise_letter(tail):
            word.text = head + raise_digits(tail)
            word.x1 = hang_mark(head, middle, word)
            return [word]
        thing = self._calls.find_object(self._page, start + cut)
        handle = self._calls.find_font(thing)
        font = self._fonts.get(handle) or self._find_font(thing, handle, start + cut)
        rest = Word(tail, (middle, word.x1), base, size, font)
        if raised:
            return [Word(head, (word.x0, middle), word.base, word.size, word.font), rest]
        return [Word(raise_digits(head), (word.x0, middle), base, size, word.font), rest]

    def _read_turned(
        self, text: str, span: tuple[int, int], font: Font, angle: float, *, flat: bool
    ) -> Word | None:
        """Read a word that does not run straight; ``flat`` says that its box has no height."""
        start, end = span
        if not (self._view.rotation or abs(angle) > _STRAIGHT or flat):
            return None
        sides = [ctypes.c_double() for _ in range(4)]
        quarters = round(angle / (pi / 2))
        turns = quarters % 4
        width, height = self._view.size
        # Slanted words, such as a watermark, are kept from the lines that they cross.
        slanted = abs(angle - quarters * pi / 2) > _STRAIGHT
        key = round(angle * 180 / pi) % 360 + 360 if slanted else turns
        area = (height, width) if turns % 2 else (width, height)
        frame = self._frames.setdefault(key, Frame(turns, *area, slanted=slanted))
        places = []
        for index in (start, end - 1):
            self._calls.get_tight_box(self._page, index, *map(ctypes.byref, sides))
            left, right, bottom, top = (side.value for side in sides)
            places += [
                frame.find(*self._view.show(x, y)) for x in (left, right) for y in (bottom, top)
            ]
        pen, base = frame.find(*self._view.show(*self._find_origin(start)))
        across = [x for x, _ in places]
        size = self._find_size(start)
        # The boxes are those of the ink; a word begins and ends a little before and behind it.
        edges = min(pen, *across), max(across) + _BEARING * size
        word = Word(text, edges, base, size, font)
        frame.words.append(word)
        return word
