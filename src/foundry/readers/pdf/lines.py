"""Words → rows and segments: what is on one baseline, cut where wide gaps are."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import attrgetter

from foundry.analysis.lexer import BULLETS, match_marker
from foundry.readers.pdf.words import Word, hang_mark
from foundry.readers.symbols import raise_digits, raise_letter
from foundry.records import Box

WIDE = 0.8
"""A gap between cells, relative to the size of print. A guess: even in justified text, spaces
between words are narrower."""
_CLOSE = 0.45
"""A gap between numbers of neighbouring columns, relative to the size of print. A guess."""
SAME_LINE = 0.25
"""Difference of baselines on one line, relative to the size of print. A guess."""
_SPACED = 5
"""Letters apart that are a word; fewer may be marks or names of columns. A guess."""
_UNEVEN = 0.25
"""Difference of the gaps between such letters, relative to the size of print. A guess."""
_MARK_SIZE = 0.82
"""Size of raised marks, relative to the word before them; programs take .58 to .7. A guess."""
_ORDINALS = frozenset("eoa")
_MARKS = frozenset("o§¹²³⁴⁵⁶⁷⁸⁹")
_SIGNS = frozenset("$€£¥")
_BEFORE = _SIGNS | {"("}
_DOTS = frozenset(".·•_‥…")
_LEADS = re.compile(r"(?:[.·•_‥]{3,}|…+)$")
_FIGURE = re.compile(r"[($€£¥+−–-]*\.?\d(?:[\d.,'’]*\d)?[)%]*[¹²³⁴-⁹*†‡]*")
_THOUSANDS = re.compile(r"\d{3}(?:[.,]\d+)?[)%]*[¹²³⁴-⁹*†‡]*")
_by_base, _by_left = attrgetter("base"), attrgetter("x0")
_NUMBER = re.compile(r"[$€£¥(+<>~±−–-]*\.?\d[\d.,'’]*[)%]*|[—–-]|—%")


class Segment:
    """Neighbouring words on one line, without a wide gap between them."""

    __slots__ = ("base", "size", "text", "words", "x0", "x1")

    def __init__(self, words: list[Word]) -> None:
        self.words = words
        self.x0 = words[0].x0
        self.base = words[0].base
        if len(words) == 1:
            self.x1, self.size, self.text = words[0].x1, words[0].size, words[0].text
            return
        self.x1 = max([word.x1 for word in words])
        self.size = max([word.size for word in words])
        self.text = " ".join([word.text for word in words])

    @property
    def bold(self) -> bool:
        """Whether most of it is bold."""
        bold = sum([len(word.text) for word in self.words if word.font.bold])
        return 2 * bold > sum([len(word.text) for word in self.words])

    @property
    def aside(self) -> bool:
        """Whether the file marks it as no part of the text."""
        return self.words[0].aside

    @property
    def broken(self) -> bool:
        """Whether it ends with a hyphen that is not in its text."""
        return self.words[-1].broken

    def __repr__(self) -> str:
        return f"Segment({self.text!r}, {self.x0:.0f}–{self.x1:.0f})"


class Row:
    """What is on one baseline, from left to right; ``led`` if dots lead to its last word.

    ``base``, ``x0``, ``x1`` are in points from the top left, ``size`` is that of its largest print,
    ``text`` is the whole row.
    """

    __slots__ = ("base", "led", "segments", "size", "text", "x0", "x1")

    def __init__(self, segments: list[Segment], led: bool = False) -> None:
        self.segments = segments
        self.led = led
        self.base = segments[0].base
        self.x0 = segments[0].x0
        self.x1 = segments[0].x1
        self.size = segments[0].size
        self.text = segments[0].text
        if len(segments) > 1:
            self.x1 = max([segment.x1 for segment in segments])
            self.size = max([segment.size for segment in segments])
            self.text = " ".join([segment.text for segment in segments])

    @property
    def words(self) -> list[Word]:
        """All words from left to right."""
        return [word for segment in self.segments for word in segment.words]

    @property
    def top(self) -> float:
        """The upper edge of its letters."""
        return self.base - 0.8 * self.size

    @property
    def bottom(self) -> float:
        """The lower edge of its letters."""
        return self.base + 0.25 * self.size

    @property
    def box(self) -> Box:
        """The place of the row on its page."""
        return Box(self.x0, self.top, self.x1, self.bottom)


def split_asides(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Split rows into the text and what is marked as not part of it."""
    parts: tuple[list[Row], list[Row]] = ([], [])
    for row in rows:
        for aside, part in enumerate(parts):
            kept = [segment for segment in row.segments if segment.aside == bool(aside)]
            if kept:
                part.append(row if len(kept) == len(row.segments) else Row(kept, row.led))
    return parts


def surround(boxes: Sequence[Box]) -> Box:
    """Return the smallest box around one or more boxes."""
    return Box(
        min([box.x0 for box in boxes]),
        min([box.y0 for box in boxes]),
        max([box.x1 for box in boxes]),
        max([box.y1 for box in boxes]),
    )


def build_rows(words: Sequence[Word]) -> list[Row]:
    """Group words into rows, from top to bottom."""
    words = _settle_marks(words)
    rows: list[list[Word]] = []
    base = size = 0.0
    row: list[Word] = []
    for word in sorted(words, key=_by_base):
        size = max(size, word.size) if row else size
        if row and word.base - base <= SAME_LINE * size:
            row.append(word)
        else:
            row = [word]
            rows.append(row)
            base, size = word.base, word.size
    leading = [any(_is_leader(word.text) for word in row if word.text[:1] in _DOTS) for row in rows]
    return [Row(_cut(row, led), led) for row, led in zip(rows, leading, strict=True)]


def _is_leader(text: str) -> bool:
    dots = text.replace(" ", "")
    return _DOTS.issuperset(dots) and (len(dots) > 2 or "…" in dots)


def _settle_marks(words: Sequence[Word]) -> list[Word]:
    """Put raised and lowered marks on the lines of the words before them."""
    sizes: Counter[float] = Counter()
    for size, count in Counter([word.size for word in words]).items():
        sizes[round(size, 1)] += count
    usual = sizes.most_common(1)[0][0] if sizes else 0.0
    most = _MARK_SIZE * usual
    small = [word for word in words if word.size < most and len(word.text) <= 4]
    # In a text in small print, such as a footnote, the marks are the rarest size.
    small = small if len(small) < 0.5 * len(words) else []
    if not small:
        return list(words)
    ordered = sorted(words, key=_by_base)
    bases = [word.base for word in ordered]
    joined: set[int] = set()
    for mark in small:
        low = bisect_left(bases, mark.base - 0.4 * usual)
        high = bisect_right(bases, mark.base + 0.75 * usual)
        marked = _find_marked(mark, ordered[low:high])
        if marked is None:
            continue
        letter, raised = None, mark.base < marked.base - 0.05 * marked.size
        if raised:
            letter = _raise_letter(mark, marked)
            mark.text = letter or raise_digits(mark.text)
        mark.base, mark.size = marked.base, marked.size
        close = mark.x0 >= marked.x0 and mark.x0 - marked.x1 < 0.12 * marked.size
        # The letter of a footnote is no part of the word or number before it.
        if letter and close:
            mark.x0 = mark.x1 = marked.x1
        elif close and not marked.broken:
            head, edge = marked.text, marked.x1
            marked.text, marked.x1 = head + mark.text, max(edge, mark.x1)
            if raised:
                marked.x1 = hang_mark(head, edge, marked)
            joined.add(id(mark))
    return [word for word in words if id(word) not in joined]


def _raise_letter(mark: Word, marked: Word) -> str | None:
    """Return the raised letter of a footnote behind a word or number; None for "2e" and "xn"."""
    ordinal = marked.text.isdigit() and len(marked.text) < 3 and mark.text in _ORDINALS
    if mark.x0 < marked.x1 - 0.3 * marked.size or ordinal or len(marked.text) < 2:
        return None
    return raise_letter(mark.text)


def _find_marked(mark: Word, words: Sequence[Word]) -> Word | None:
    """Return the larger word beside a mark that is a little above or below its baseline."""
    for word in words:
        size = word.size
        if mark.size >= _MARK_SIZE * size or abs(word.base - mark.base) < 0.08 * size:
            continue
        if not -0.4 < (word.base - mark.base) / size < 0.75:
            continue
        behind, before = mark.x0 - word.x1, word.x0 - mark.x1
        if -0.3 * size < behind < 0.4 * size or -0.1 * size < before < 1.2 * size:
            return word
    return None


def _cut(words: list[Word], led: bool = False) -> list[Segment]:
    """Cut a row into segments at wide gaps, and where dots lead to a number at its end."""
    words.sort(key=_by_left)
    led = led and _NUMBER.fullmatch(words[-1].text) is not None
    if sum([len(word.text) == 1 for word in words]) >= _SPACED:
        words = _join_letters(words)
    part = [words[0]]
    parts = [part]
    right = words[0].x1
    for word in words[1:]:
        gap = word.x0 - right
        # Two amounts side by side may be closer than words of a text are.
        leads = led and bool(_LEADS.search(word.text)) != bool(_LEADS.search(part[-1].text))
        if (
            leads
            or word.aside != part[-1].aside
            or (
                gap > 0.3 * word.size
                and (
                    gap > WIDE * word.size
                    or (word.text in _SIGNS and _NUMBER.fullmatch(part[-1].text))
                    or (gap > _CLOSE * word.size and _are_figures(part[-1].text, word.text))
                )
            )
        ):
            part = []
            parts.append(part)
        part.append(word)
        right = max(right, word.x1)
    return [Segment(part) for part in _join_parts(parts)]


def _are_figures(left: str, right: str) -> bool:
    """Whether two words are numbers, and not one with spaces between its thousands."""
    return (
        _FIGURE.fullmatch(right) is not None
        and _FIGURE.fullmatch(left) is not None
        and _THOUSANDS.fullmatch(right) is None
    )


def _join_letters(words: Sequence[Word]) -> list[Word]:
    """Join the letters of words that are set apart: "C O N T E N T S"."""
    runs: list[list[Word]] = []
    for word in words:
        if runs and _goes_on(runs[-1], word):
            runs[-1].append(word)
        else:
            runs.append([word])
    joined: list[Word] = []
    for run in runs:
        text = "".join([letter.text for letter in run])
        # The alphabet over an index is no word.
        if len(run) >= _SPACED and [*text] != sorted(text):
            across = run[0].x0, run[-1].x1
            joined.append(Word(text, across, run[0].base, run[0].size, run[0].font))
        else:
            joined += run
    return joined


def _goes_on(run: Sequence[Word], word: Word) -> bool:
    """Whether a letter follows others as far apart as these are."""
    if len(run[-1].text) > 1 or len(word.text) > 1 or not (run[-1].text + word.text).isupper():
        return False
    gap, usual = word.x0 - run[-1].x1, (run[1] if run[1:] else word).x0 - run[0].x1
    return usual < word.size and abs(gap - usual) < _UNEVEN * word.size


def _join_parts(parts: list[list[Word]]) -> list[list[Word]]:
    """Join a marker with its text, and a sign with its number; leave leaders out."""
    if len(parts) == 1:
        return parts
    kept = [
        part
        for part in parts
        if part[0].text[0] not in _DOTS or not _is_leader(" ".join([w.text for w in part]))
    ]
    if len(kept) < 2:
        return kept or parts
    joined = [kept[0]]
    for place, part in enumerate(kept[1:], 1):
        before = joined[-1]
        sign = before[-1].text.removeprefix("US").removeprefix("C")
        is_sign = 0 < len(sign) < 3 and _BEFORE.issuperset(sign) and _NUMBER.match(part[0].text)
        gap = part[0].x0 - before[-1].x1
        if is_sign or (place == 1 and _is_marker(kept, gap)):
            before.extend(part)
        else:
            joined.append(part)
    return joined


def _is_marker(parts: list[list[Word]], gap: float) -> bool:
    """Whether the first part is the marker of a list item, not a cell of its own."""
    first, text = parts[0], parts[1]
    word = first[0].text
    # A sign alone may be an amount, and so are three digits in brackets.
    amount = word in "+-" or (len(word) > 4 and word[1:-1].isdecimal())
    marked = match_marker(f"{word} ", initials=True) or _MARKS.issuperset(word)
    if len(first) > 1 or len(parts) > 2 or amount or not marked:
        return False
    bullet = word in BULLETS and word not in "–—*"
    return bullet or (gap < 5 * first[0].size and len(text) > 2)


def count_words(segments: Iterable[Segment]) -> int:
    """Count the words of segments."""
    return sum(len(segment.words) for segment in segments)


def join_words(left: str, right: str, *, broken: bool) -> str:
    """Join two lines of a cell; ``broken`` says that a hyphen was left out between them."""
    if broken:
        joiner = "-" if left[-1:].isupper() or not right[:1].islower() else ""
        return f"{left}{joiner}{right}"
    return f"{left}{right}" if left[-1:] in "—/-" and left[-2:-1].isalnum() else f"{left} {right}"
