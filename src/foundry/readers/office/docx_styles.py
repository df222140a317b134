"""What Word's paragraph styles say: heading level, list membership, kind of text.

Built-in styles carry an English name in every language of Word ("heading 1" under
the id "Kop1"); styles of one's own inherit through ``basedOn``. Knows nothing of
the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

from foundry.readers.archive import Element
from foundry.readers.office.docx_numbering import Numbering, find_integer, find_value, is_on

T = TypeVar("T")
Role = Literal["title", "caption", "code", "contents", "body"]

# Programs other than Word name heading styles in the user's own language.
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
    """The list a paragraph belongs to: numbering id and level from 0."""

    number_id: str
    level: int


class DocxStyles:
    """The styles of a document by id."""

    def __init__(self, root: Element | None) -> None:
        """``root`` is the styles part with ``w.`` names, or None if there is none."""
        self._styles: dict[str, _Style] = {}
        self._default: str | None = None
        # What a style says is the same for its thousands of paragraphs.
        self._roles: dict[str | None, Role] = {}
        self._outlines: dict[str | None, int | None] = {}
        self._memberships: dict[str | None, ListMembership | None] = {}
        for item in [] if root is None else root.findall("w.style"):
            name = item.get("w.styleId", "")
            self._styles[name] = _read_style(item)
            if item.get("w.type") == "paragraph" and item.get("w.default") in {"1", "true", "on"}:
                self._default = name

    def role(self, paragraph: Element) -> Role:
        """What kind of text the paragraph's style is for."""
        return _recall(self._roles, _find_style_id(paragraph), self._role)

    def outline_level(self, paragraph: Element) -> int | None:
        """The heading level from 1, or None for text that is no heading."""
        direct = find_integer(find_value(paragraph, "w.pPr/w.outlineLvl"))
        if direct is not None:
            return direct + 1 if 0 <= direct < _BODY_LEVEL else None
        return _recall(self._outlines, _find_style_id(paragraph), self._outline)

    def membership(self, paragraph: Element, numbering: Numbering) -> ListMembership | None:
        """The list that the paragraph is numbered in, by itself or through its style."""
        direct = paragraph.find("w.pPr/w.numPr")
        number_id = find_value(direct, "w.numId")
        level = find_integer(find_value(direct, "w.ilvl"))
        style_id = _find_style_id(paragraph)
        if number_id is not None:
            hint = self._level(style_id, numbering, number_id) if level is None else level
            return ListMembership(number_id, hint)
        inherited = _recall(
            self._memberships, style_id, lambda style: self._inherited(style, numbering)
        )
        if inherited is None or level is None:
            return inherited
        return ListMembership(inherited.number_id, level)

    def hides(self, style_id: str | None) -> bool:
        """Whether text in this character or paragraph style is hidden."""
        return any(style.hidden for _, style in self._chain(style_id, default=False))

    def _role(self, style_id: str | None) -> Role:
        for _, style in self._chain(style_id):
            name = style.name.strip().lower()
            if name in {"title", "caption"}:
                return "title" if name == "title" else "caption"
            if _CONTENTS.fullmatch(name):
                return "contents"
            if _CODE.search(name):
                return "code"
        return "body"

    def _outline(self, style_id: str | None) -> int | None:
        for _, style in self._chain(style_id):
            if style.outline is not None:
                return style.outline + 1 if 0 <= style.outline < _BODY_LEVEL else None
            heading = _HEADING.fullmatch(style.name.strip())
            if heading:
                return int(heading[1])
        return None

    def _inherited(self, style_id: str | None, numbering: Numbering) -> ListMembership | None:
        ids = (style.number_id for _, style in self._chain(style_id) if style.number_id)
        number_id = next(ids, None)
        if number_id is None or numbering.find(number_id) is None:
            return None
        return ListMembership(number_id, self._level(style_id, numbering, number_id))

    def _level(self, style_id: str | None, numbering: Numbering, number_id: str) -> int:
        instance = numbering.find(number_id)
        chain = list(self._chain(style_id))
        # A level that names the style decides; the style's own level is only a hint.
        for name, _ in chain:
            linked = instance.level_of_style(name) if instance else None
            if linked is not None:
                return linked
        hints = (style.number_level for _, style in chain if style.number_level is not None)
        return next(hints, 0)

    def _chain(self, style_id: str | None, *, default: bool = True) -> Iterator[tuple[str, _Style]]:
        name = style_id if style_id in self._styles else (self._default if default else None)
        for _ in range(_MAX_CHAIN):
            style = self._styles.get(name or "")
            if name is None or style is None:
                return
            yield name, style
            name = style.based_on


def _recall(memory: dict[str | None, T], key: str | None, find: Callable[[str | None], T]) -> T:
    if key not in memory:
        memory[key] = find(key)
    return memory[key]


def _find_style_id(paragraph: Element) -> str | None:
    return find_value(paragraph, "w.pPr/w.pStyle")


def _read_style(item: Element) -> _Style:
    return _Style(
        name=find_value(item, "w.name") or item.get("w.styleId") or "",
        based_on=find_value(item, "w.basedOn"),
        outline=find_integer(find_value(item, "w.pPr/w.outlineLvl")),
        number_id=find_value(item, "w.pPr/w.numPr/w.numId"),
        number_level=find_integer(find_value(item, "w.pPr/w.numPr/w.ilvl")),
        hidden=is_on(item, "w.rPr/w.vanish"),
    )
