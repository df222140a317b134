"""Word's paragraph styles: the heading level, list and role that they give to a paragraph.

Built-in styles have an English name in every language of Word ("heading 1" with the id
"Kop1"); custom styles inherit through ``basedOn``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from foundry.readers.archive import Element
from foundry.readers.office.docx_numbering import Numbering
from foundry.readers.office.openxml import find_integer, find_value, is_on

Role = Literal["title", "caption", "code", "contents", "body"]

# Other programs name heading styles in the user's language.
_HEADING = re.compile(
    r"(?:heading|kop|überschrift|titre|título|titolo|rubrik|overskrift|nagłówek|otsikko)\s?([1-9])",
    re.IGNORECASE,
)
_CONTENTS = re.compile(
    r"(?:toc|inhopg|index)\s?\d|toc heading|table of (?:figures|authorities)", re.IGNORECASE
)
_CODE = re.compile(
    r"\b(?:source ?code|code(?: block)?|html preformatted|preformatted text|macro|"
    r"macro text|plain code|code listing|verbatim|broncode)\b",
    re.IGNORECASE,
)
_BODY_LEVEL = 9
_MAX_CHAIN = 32
"""Longest chain of ``basedOn``, against loops in damaged files."""


@dataclass(frozen=True, slots=True)
class _Style:
    name: str
    based_on: str | None
    outline: int | None
    number_id: str | None
    number_level: int | None
    hidden: bool


@dataclass(frozen=True, slots=True)
class ListMembership:
    """The list that a paragraph belongs to: numbering id and level from 0."""

    number_id: str
    level: int


class DocxStyles:
    """The styles of a document by id."""

    def __init__(self, root: Element | None, numbering: Numbering) -> None:
        """``root`` is the styles part with ``w.`` names, or None."""
        self._numbering = numbering
        self._styles: dict[str, _Style] = {}
        self._default: str | None = None
        for item in [] if root is None else root.findall("w.style"):
            name = item.get("w.styleId", "")
            self._styles[name] = _read_style(item)
            if item.get("w.type") == "paragraph" and item.get("w.default") in {"1", "true", "on"}:
                self._default = name
        # Resolved once: a document has thousands of paragraphs, but few styles.
        names = (None, *self._styles)
        self._roles = {name: self._resolve_role(name) for name in names}
        self._levels = {name: self._resolve_outline_level(name) for name in names}
        self._memberships = {name: self._resolve_membership(name) for name in names}

    def get_role(self, paragraph: Element) -> Role:
        """Return the kind of text that the paragraph's style is for."""
        return self._roles[self._get_style_id(paragraph)]

    def find_outline_level(self, paragraph: Element) -> int | None:
        """Return the heading level from 1, or None for body text."""
        direct = find_integer(find_value(paragraph, "w.pPr/w.outlineLvl"))
        if direct is not None:
            return direct + 1 if 0 <= direct < _BODY_LEVEL else None
        return self._levels[self._get_style_id(paragraph)]

    def find_membership(self, paragraph: Element) -> ListMembership | None:
        """Return the list that the paragraph is in, by itself or through its style, or None."""
        direct = paragraph.find("w.pPr/w.numPr")
        number_id = find_value(direct, "w.numId")
        level = find_integer(find_value(direct, "w.ilvl"))
        style_id = self._get_style_id(paragraph)
        if number_id is not None:
            if level is None:
                level = self._choose_level(style_id, number_id)
            return ListMembership(number_id, level)
        inherited = self._memberships[style_id]
        if inherited is None or level is None:
            return inherited
        return ListMembership(inherited.number_id, level)

    def is_hidden(self, style_id: str | None) -> bool:
        """Whether text in this character or paragraph style is hidden."""
        return any(style.hidden for _, style in self._walk_chain(style_id, default=False))

    def _get_style_id(self, paragraph: Element) -> str | None:
        style_id = find_value(paragraph, "w.pPr/w.pStyle")
        return style_id if style_id in self._styles else None

    def _resolve_role(self, style_id: str | None) -> Role:
        for _, style in self._walk_chain(style_id):
            name = style.name.strip().lower()
            if name in {"title", "caption"}:
                return "title" if name == "title" else "caption"
            if _CONTENTS.fullmatch(name):
                return "contents"
            if _CODE.search(name):
                return "code"
        return "body"

    def _resolve_outline_level(self, style_id: str | None) -> int | None:
        for _, style in self._walk_chain(style_id):
            if style.outline is not None:
                return style.outline + 1 if 0 <= style.outline < _BODY_LEVEL else None
            heading = _HEADING.fullmatch(style.name.strip())
            if heading:
                return int(heading[1])
        return None

    def _resolve_membership(self, style_id: str | None) -> ListMembership | None:
        ids = (style.number_id for _, style in self._walk_chain(style_id) if style.number_id)
        number_id = next(ids, None)
        if number_id is None or self._numbering.find(number_id) is None:
            return None
        return ListMembership(number_id, self._choose_level(style_id, number_id))

    def _choose_level(self, style_id: str | None, number_id: str) -> int:
        instance = self._numbering.find(number_id)
        chain = list(self._walk_chain(style_id))
        # A level that links to the style decides; the style's own level is only a hint.
        for name, _ in chain:
            linked = instance.find_style_level(name) if instance else None
            if linked is not None:
                return linked
        hints = (style.number_level for _, style in chain if style.number_level is not None)
        return next(hints, 0)

    def _walk_chain(
        self, style_id: str | None, *, default: bool = True
    ) -> Iterator[tuple[str, _Style]]:
        name = style_id if style_id in self._styles else (self._default if default else None)
        for _ in range(_MAX_CHAIN):
            style = self._styles.get(name or "")
            if name is None or style is None:
                return
            yield name, style
            name = style.based_on


def _read_style(item: Element) -> _Style:
    return _Style(
        name=find_value(item, "w.name") or item.get("w.styleId") or "",
        based_on=find_value(item, "w.basedOn"),
        outline=find_integer(find_value(item, "w.pPr/w.outlineLvl")),
        number_id=find_value(item, "w.pPr/w.numPr/w.numId"),
        number_level=find_integer(find_value(item, "w.pPr/w.numPr/w.ilvl")),
        hidden=is_on(item, "w.rPr/w.vanish"),
    )
