"""What the name of a paragraph style says of its text, in Word, RTF and OpenDocument.

Built-in styles have English names in every language of Word; other programs name heading styles in
the user's language.
"""

from __future__ import annotations

import re
from typing import Literal

Role = Literal["title", "caption", "code", "contents", "body"]

MAX_CHAIN = 32
"""Longest chain of styles that inherit, against loops in damaged files."""
_HEADING = re.compile(
    r"(?:heading|kop|überschrift|titre|título|titolo|rubrik|overskrift|nagłówek|otsikko)\s?([1-9])"
)
_CONTENTS = re.compile(r"(?:toc|inhopg|index)\s?\d|toc heading|table of (?:figures|authorities)")
_CODE = re.compile(
    r"\b(?:source ?(?:code|text)|code(?: (?:block|listing))?|(?:html )?preformatted(?: text)?|macro(?: text)?"
    r"|verbatim|broncode)\b"
)
_ROLES: dict[str, Role] = {
    "title": "title",
    **dict.fromkeys(("caption", "illustration", "figure", "table", "drawing"), "caption"),
}
_BODY_LEVEL = 9


def find_role(name: str) -> Role:
    """The kind of text that a style is for; "body" if its name does not say."""
    plain = name.strip("; ").lower()
    if _CONTENTS.fullmatch(plain):
        return "contents"
    return _ROLES.get(plain, "code" if _CODE.search(plain) else "body")


def find_level(name: str) -> int | None:
    """The level of a heading style, from 1."""
    heading = _HEADING.fullmatch(name.strip("; ").lower())
    return int(heading[1]) if heading else None


def convert_outline_level(outline: int) -> int | None:
    """An outline level from 0 as a heading level from 1; None for body text."""
    return outline + 1 if 0 <= outline < _BODY_LEVEL else None
