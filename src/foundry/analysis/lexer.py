"""What plain things look like, once for all: words, years, list markers, heading numbers, rules.

A pattern here says what is printed and not what it means: that is decided where it is used.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable

WORD = re.compile(r"\w+")
LETTERS = re.compile(r"[^\W\d_]+")
"""A run of letters."""
LETTERS_AND_DIGITS = re.compile(r"[^\W_]+")
LETTER_THEN_DIGIT = re.compile(r"[^\W\d_].*\d")
"""What begins like a word and has a number: an identifier, a dated heading."""
JOINED_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
"""A word with what apostrophes, stops and hyphens join to it."""
LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|$)")
"""A line and how it ends."""
TAG = re.compile(r"</?[A-Za-z\d][^<>]*>|\{\\[^{}]*\}")
"""A tag of HTML or of captions."""
FOOTNOTE = re.compile(r" {0,3}\[\^(?P<label>[^\[\]\s]+)\]:[ \t]*(?P<text>.*)")
"""The first line of a footnote's definition in Markdown."""
FOOTNOTE_MARK = re.compile(r"\[\^([^\]\[\s]+)\]")
SIGNED_NUMBER = re.compile(r"(?:[-+−±] ?)?\d+(?:[.,]\d+)*")
LINK_ONLY = re.compile(r"\s*(?:(?:[-*+]|\d+[.)])\s+)?!?\[[^\]]*\]\([^)]*\)\s*")
"""A line of Markdown that is only a link or an image."""
THINKING = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
"""What a model thought before it replied."""
UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
"""Control characters and lone surrogates: they carry no text and break databases, JSON and XML."""
YEAR = re.compile(r"(?:19|20)\d\d")
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
"""A comment of HTML; one that never ends goes on to the end."""
FILE_SUFFIX = re.compile(
    r"(?<=[\w)])\.(?:pdf|do[ct][xm]?|pp[ts][xm]?|xls[xmb]?|od[tsp]|rtf|html?|epub|md|txt|eml|msg|vtt|srt|csv|json"
    r"|indd|tex|dvi)\b",
    re.IGNORECASE,
)
LEADERS = re.compile(r"(?:[.·•‥]\s?){4,}|…{2,}")
"""The dots that lead to a page number."""
WEB_ADDRESS = re.compile(r"https?://|www\.", re.IGNORECASE)
FRONT_MATTER = re.compile(
    r"\A(?P<fence>---|\+\+\+)[ \t]*(?:\r\n|\r|\n)(?P<body>.*?)^(?:(?P=fence)|\.{3})[ \t]*(?:\r\n|\r|\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
"""The properties at the top of a Markdown file, between two fences; YAML may end with "..."."""
BULLETS = "-–—*+•·‣⁃▪■□◦●○►➢➡❖✓✔"
_LIST_MARKER = re.compile(
    rf"\s*(?:[{BULLETS}]|\(?(?P<number>\d{{1,3}}|[a-z]|[ivx]{{1,5}}|(?<=\()[A-Z](?=\)))[.)]"
    r"|(?P<initial>\(?[A-Z]|[IVX]{1,5})[.)])\s+"
)

HEADING_NUMBER = re.compile(
    r"(?:[§#]\s*)?(?P<number>(?:\d+|[A-Za-z](?=[.)]))(?:\.\d+)*)[.)]?(?:\s+|$)"
)
_RULE = re.compile(r"[\s|:+=_.*·—–-]*")


def has_digit(text: str) -> bool:
    """Whether a text has a decimal digit."""
    return any(map(str.isdecimal, text))


def match_marker(line: str, *, initials: bool = False) -> re.Match[str] | None:
    """The mark of a list item with the space behind it; its ``number`` may be a letter.

    A capital with a stop is one only if ``initials``: it may be a name's, as in "A. Smith".
    """
    match = _LIST_MARKER.match(line)
    return None if match and match["initial"] and not initials else match


def strip_marker(line: str) -> str:
    """The line without the mark of a list item."""
    match = match_marker(line)
    return line[match.end() :] if match else line


def strip_number(heading: str) -> str:
    """``3.2 Intervals`` → ``Intervals``."""
    match = HEADING_NUMBER.match(heading)
    return (heading[match.end() :] if match else heading).strip() or heading


def trim_span(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without the white space at its ends; one of white space alone is empty."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return (start + left, start + len(piece.rstrip())) if left < len(piece) else (start, start)


def is_rule(line: str) -> bool:
    """Whether a line is drawn: nothing, or only what separates rows and sections."""
    return _RULE.fullmatch(line) is not None


class TakenSpans:
    """Spans of a text that do not overlap; asking takes a time that hardly grows with their number."""

    def __init__(self, spans: Iterable[tuple[int, int]] = ()) -> None:
        """``spans`` are (start, end) in any order."""
        self._spans = sorted(spans)

    def add(self, start: int, end: int) -> None:
        """Take a free span."""
        self._spans.insert(bisect_left(self._spans, (start, end)), (start, end))

    def is_free(self, start: int, end: int) -> bool:
        """Whether no taken span overlaps this one."""
        index = bisect_left(self._spans, (end, end))
        return index == 0 or self._spans[index - 1][1] <= start
