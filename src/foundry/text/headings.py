"""Headings that say nothing of their content, or under which a document speaks of itself.

Also lines that read like headings or contents, which a reader took for text. They decide only how
such a line is used, never whether a sentence is true.
"""

from __future__ import annotations

import re

from foundry.analysis import fold
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
_NUMBER = re.compile(r"^(?:[§#]\s*)?(?:\d+|[A-Za-z])(?:\.\d+)*[.)]?\s+")
MAX_LABEL = 40
"""Characters of a label; what stands before a colon is mostly a clause where it is longer."""
_LABEL = re.compile(rf"([^:]{{1,{MAX_LABEL}}}): \S")
_LEADERS = re.compile(r"(?:\. ?){4}|…{2}")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_MIN_CAPITALISED = 0.6
"""Share of the longer words. A guess: titles have nearly all, sentences a name or two."""


def strip_number(heading: str) -> str:
    """``3.2 Intervals`` → ``Intervals``."""
    return _NUMBER.sub("", heading).strip()


def find_label(text: str) -> str | None:
    """The label that opens a line, or the term of a word list: ``Basepoint: the local origin``."""
    match = _LABEL.match(text)
    return match[1] if match else None


def is_generic(heading: str) -> bool:
    """Whether a heading is "Introduction" or the like: the text below may be about anything."""
    return fold(strip_number(heading)) in _WORDS.generic


def is_administrative(heading: str) -> bool:
    """Whether a heading is "Revision history" or the like."""
    return fold(strip_number(heading)) in _WORDS.administrative


def is_contents_line(text: str) -> bool:
    """Whether a line of a table of contents: ``3.2 Supply ........ 14``."""
    return _LEADERS.search(text) is not None


def is_furniture(text: str) -> bool:
    """Whether a line is of the page, not of the text: a page number, a copyright line, an address."""
    return _FURNITURE.search(text) is not None


def is_heading_like(text: str) -> bool:
    """Whether a line reads like a heading: no stop, no "name: value", capitalised longer words."""
    line = text.strip("#*_ \t\n")
    if is_closed(line, ".!?…;:,") or re.search(r"[:=|]", line):
        return False
    words = _LONG_WORD.findall(line)
    capitalised = sum(word[0].isupper() for word in words)
    return bool(words) and capitalised >= _MIN_CAPITALISED * len(words)
