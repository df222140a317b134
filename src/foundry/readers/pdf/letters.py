"""Texts compared by their letters and digits.

Spaces, punctuation and ligatures differ between an outline and a printed line.
"""

from __future__ import annotations

import re
import unicodedata

_OTHERS = re.compile(r"[\W_]+")


def fold_letters(text: str) -> str:
    """Reduce a text to its letters and digits, without case and ligatures."""
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _OTHERS.sub("", folded.casefold())


def find_prefix_end(text: str, words: str) -> int | None:
    """Return where ``words`` end if ``text`` starts with them as whole words, else None."""
    wanted = fold_letters(words)
    # A fast check first: most texts do not start with them.
    if not wanted or not fold_letters(text[: 2 * len(words) + 20]).startswith(wanted):
        return None
    taken = 0
    for position, char in enumerate(text):
        taken += len(fold_letters(char))
        if taken >= len(wanted):
            after = text[position + 1 : position + 2]
            return position + 1 if taken == len(wanted) and not after.isalnum() else None
    return None
