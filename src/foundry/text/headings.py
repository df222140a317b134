"""Headings that say nothing of their content, or under which a document speaks of itself.

They decide only how a heading is used, never whether a sentence is true.
"""

from __future__ import annotations

import re

from foundry.analysis import fold
from foundry.lexicon import load_shared_lexicon

_WORDS = load_shared_lexicon().headings
_NUMBER = re.compile(r"^(?:[§#]\s*)?(?:\d+|[A-Za-z])(?:\.\d+)*[.)]?\s+")


def strip_number(heading: str) -> str:
    """``3.2 Intervals`` → ``Intervals``."""
    return _NUMBER.sub("", heading).strip()


def is_generic(heading: str) -> bool:
    """Whether a heading is "Introduction" or the like: the text below may be about anything."""
    return fold(strip_number(heading)) in _WORDS.generic


def is_administrative(heading: str) -> bool:
    """Whether a heading is "Revision history" or the like."""
    return fold(strip_number(heading)) in _WORDS.administrative
