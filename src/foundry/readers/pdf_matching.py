"""Finding known words in a block's text, by letters and digits only.

Spaces, punctuation and ligatures differ between an outline, a printed line and a
block made of it; their letters and digits do not.
"""

from __future__ import annotations

import re
import unicodedata

_OTHERS = re.compile(r"[\W_]+")


def letters(text: str) -> str:
    """The letters and digits of a text, without case and ligatures."""
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _OTHERS.sub("", folded.casefold())


def find_end(text: str, words: str) -> int | None:
    """Where ``words`` end if ``text`` begins with them as whole words, else None."""
    wanted = letters(words)
    # Most texts do not: that much is seen without a walk from letter to letter.
    if not wanted or not letters(text[: 2 * len(words) + 20]).startswith(wanted):
        return None
    taken = 0
    for position, char in enumerate(text):
        taken += len(letters(char))
        if taken >= len(wanted):
            after = text[position + 1 : position + 2]
            return position + 1 if taken == len(wanted) and not after.isalnum() else None
    return None


def find_start(text: str, words: str) -> int | None:
    """Where ``words`` begin if ``text`` ends with them as whole words, else None."""
    wanted = letters(words)
    if not wanted or not letters(text[-2 * len(words) - 20 :]).endswith(wanted):
        return None
    taken = 0
    for position in range(len(text) - 1, -1, -1):
        taken += len(letters(text[position]))
        if taken >= len(wanted):
            before = text[position - 1 : position] if position else ""
            return position if taken == len(wanted) and not before.isalnum() else None
    return None
