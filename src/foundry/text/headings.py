"""Headings: those that say nothing of their content, lines that read like one, printed numbers.

They decide only how a line is used, never whether a sentence is true. In doubt a numbered line is
no heading: quantities ("3.3 V supply"), list items and dates are excluded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from foundry.analysis import fold
from foundry.analysis.lexer import LEADERS, LETTERS, strip_number
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import is_closed

_SHARED = load_shared_lexicon()
_WORDS = _SHARED.headings
_PAGE = build_alternation(_SHARED.documents.page_words)
_FURNITURE = re.compile(
    rf"^{_PAGE}\s*\d+"
    rf"|\b{_PAGE}\s+\d+\s+(?:{build_alternation(_SHARED.documents.page_of)}|/)\s*\d+"
    rf"|^©|^copyright\b|(?:\. ?){{5,}}|{build_alternation(_SHARED.documents.rights)}"
    r"|^https?://\S+$|^www\.\S+$",
    re.IGNORECASE,
)
CAPTION = re.compile(
    rf"{build_alternation(_WORDS.captions)}\.?\s*\d+(?:[.-]\d+)*(?:\s*(?P<end>[.:–—-]|$)\s*|\s+)",
    re.IGNORECASE,
)
"""The number of a caption; in "Table 3 shows" nothing ends it."""
MAX_LABEL = 40
"""Characters of a label; what stands before a colon is mostly a clause where it is longer."""
_MIN_CAPITALISED = 0.6
"""Share of the longer words. A guess: titles have nearly all, sentences a name or two."""


def find_label(text: str) -> str | None:
    """The label that opens a line, or the term of a word list: ``Basepoint: the local origin``."""
    label, colon, rest = text.partition(": ")
    whole = colon and ":" not in label and 0 < len(label) <= MAX_LABEL and rest[:1].strip()
    return label if whole else None


def is_generic(heading: str) -> bool:
    """Whether a heading is "Introduction" or the like: the text below may be about anything."""
    return fold(strip_number(heading)) in _WORDS.generic


def is_administrative(heading: str) -> bool:
    """Whether a heading is "Revision history" or the like."""
    return fold(strip_number(heading)) in _WORDS.administrative


def is_contents_line(text: str) -> bool:
    """Whether a line of a table of contents: ``3.2 Supply ........ 14``."""
    return LEADERS.search(text) is not None


def is_furniture(text: str) -> bool:
    """Whether a line is of the page, not of the text: a page number, a copyright line, an address."""
    return _FURNITURE.search(text) is not None


def is_heading_like(text: str) -> bool:
    """Whether a line reads like a heading: no stop, no "name: value", capitalised longer words."""
    line = text.strip("#*_ \t\n")
    if is_closed(line, ".!?…;:,") or re.search(r"[:=|]", line):
        return False
    words = [word for word in LETTERS.findall(line) if len(word) > 3]
    capitalised = sum(word[0].isupper() for word in words)
    return bool(words) and capitalised >= _MIN_CAPITALISED * len(words)


# Printed numbers

_NUMBERED = re.compile(
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,5}|[A-Z](?:\.\d{1,3}){1,4})(?P<stop>[.)]?)[ \t\xa0]+(?P<title>\S.*)"
)
_UNIT_WORDS = build_alternation(
    word for words in _SHARED.units.words.values() for word in words if word.isalpha()
)
_NAMED = re.compile(
    rf"(?P<word>{build_alternation(_SHARED.documents.numbered_headings)})"
    r"[ \t\xa0]+(?P<number>\d{1,3}(?:\.\d{1,3})*|[A-Z]|[IVXLC]{1,6})\b(?P<rest>.*)",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"(?:[pnuµmkMGT]?(?:V|A|W|Hz|Ω|F|H|B|bit|s|m|g|l|L|Pa|bar|Nm|N|J|dB)|V[AD]C|°C|°F|K|ppm|rpm|"
    rf"inch|in|ft|min|{_UNIT_WORDS}|EUR|USD|x|×)\b|[%°€$±]"
)
# Guesses: longer lines that start with a number are usually clauses or list items.
_MAX_WORDS = 14
_MAX_CHARS = 120


@dataclass(frozen=True, slots=True)
class HeadingNumber:
    """A printed number as integers ("3.2" → (3, 2)), with the heading level it implies from 1.

    ``series`` is "" for decimal numbers, "letter" for "A.1", else the word before the number.
    """

    parts: tuple[int, ...]
    level: int
    series: str


def find_heading_number(line: str) -> HeadingNumber | None:
    """Return the number at the start of a heading line; None for any other line."""
    line = line.strip()
    if len(line) > _MAX_CHARS or len(line.split()) > _MAX_WORDS:
        return None
    match = _NUMBERED.fullmatch(line)
    if match and _is_title(match["title"]):
        first, *rest = match["number"].split(".")
        lettered = first.isalpha()
        parts = (ord(first) - 64 if lettered else int(first), *map(int, rest))
        # "1)" numbers a list item, and a large number is a year or a quantity.
        if match["stop"] == ")" or parts[0] > 199:
            return None
        parts = parts[:-1] if rest and parts[-1] == 0 and not lettered else parts
        return HeadingNumber(parts, len(parts), "letter" if lettered else "")
    match = _NAMED.fullmatch(line)
    if match and _is_named_rest(match["rest"]):
        return HeadingNumber(_parse_named_number(match["number"]), 1, match["word"].lower())
    return None


def _is_title(title: str) -> bool:
    title = title.strip()
    if not title or title[-1] in ".,;:?!" or _is_quantity(title):
        return False
    # A lower-case start means prose, a dotted line a table of contents.
    if title[0].isascii() and not title[0].isupper():
        return False
    return not LEADERS.search(title) and any(char.isalpha() for char in title)


def _is_quantity(title: str) -> bool:
    # "3.3 V supply" is a quantity; in "3.3 A fuse for every channel" the "A" is an article.
    unit = _UNIT.match(title)
    return unit is not None and len(title[unit.end() :].split()) <= 2


def _is_named_rest(rest: str) -> bool:
    rest = rest.strip()
    return not rest or (rest[-1] not in ".,;!" and (rest[0] in ":.-–—" or rest[0].isupper()))


def _parse_named_number(number: str) -> tuple[int, ...]:
    if number[0].isdigit():
        return tuple(int(part) for part in number.split("."))
    if len(number) == 1 and number.upper() not in "IVX":
        return (ord(number.upper()) - 64,)
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
    digits = [values[char] for char in number.upper()]
    pairs = zip(digits, [*digits[1:], 0], strict=True)
    return (sum(-digit if digit < following else digit for digit, following in pairs),)


class NumberSeries:
    """Follows the heading numbers of a document and decides which can come next.

    A number is higher than the last one by a small step at some depth: 3.2 may be followed
    by 3.2.1, 3.3, 4 or, with numbers missing, 3.5, but not by 3.1, 9 or 3.40.
    """

    MAX_GAP = 3
    """Largest step between two headings. A guess: readers miss a heading or two in a row."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[int, ...]] = {}

    def accepts(self, number: HeadingNumber) -> bool:
        """Return whether a number can come next, and if so, remember it as the last one."""
        last = self._last.get(number.series)
        if last is not None and not self._follows(last, number.parts):
            return False
        opens_decimals = last is None and number.series == "" and number.level == 1
        if opens_decimals and number.parts[0] > self.MAX_GAP:
            return False
        self._last[number.series] = number.parts
        return True

    def _follows(self, last: tuple[int, ...], parts: tuple[int, ...]) -> bool:
        same = 0
        while same < min(len(last), len(parts)) and last[same] == parts[same]:
            same += 1
        if same == len(parts):
            return False
        before = last[same] if same < len(last) else 0
        return 0 < parts[same] - before <= self.MAX_GAP and all(
            part <= self.MAX_GAP for part in parts[same + 1 :]
        )
