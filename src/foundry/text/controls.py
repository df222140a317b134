"""Control characters: they move the cursor, start new lines or reorder text on a screen."""

from __future__ import annotations

import re

BIDI = "\u202a-\u202e\u2066-\u2069"
"""The marks that reorder text, as a range of a character class."""
_CONTROL = re.compile(f"[\x00-\x1f\x7f-\x9f\u2028\u2029{BIDI}]")


def has_controls(name: str) -> bool:
    """Whether a name contains a control character, line breaks and tabs included."""
    return _CONTROL.search(name) is not None


def escape_controls(text: str) -> str:
    r"""The text on one line, with ``\n`` and ``\x1b`` written out."""
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)
