"""OpenDocument styles: list and outline numbers, roles of paragraphs, raised and hidden text.

A list level with an unknown number format gives no number rather than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from foundry.readers.archive import Element
from foundry.readers.office.style_names import MAX_CHAIN, Role, find_role
from foundry.readers.symbols import format_counter, parse_integer, simplify_bullet

PREFIXES = {
    **{
        f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0": prefix
        for name, prefix in (
            ("office", "office"),
            ("text", "text"),
            ("table", "table"),
            ("drawing", "draw"),
            ("style", "style"),
            ("presentation", "presentation"),
            ("meta", "meta"),
            ("manifest", "manifest"),
        )
    },
    "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0": "loext",
    "http://www.w3.org/1999/xlink": "xlink",
    "http://www.w3.org/XML/1998/namespace": "xml",
    "http://www.w3.org/1998/Math/MathML": "math",
    "http://purl.org/dc/elements/1.1/": "dc",
}
"""Namespaces of OpenDocument → prefix."""

LEVELS = 10
_FORMS = {
    "1": "decimal",
    "a": "lowerLetter",
    "A": "upperLetter",
    "i": "lowerRoman",
    "I": "upperRoman",
}
_PLACEHOLDER = re.compile(r"%(\d+)%")


@dataclass(frozen=True, slots=True)
class ListLevel:
    """A level of a list; ``form`` is None for a bullet and "" for no number."""

    form: str | None = ""
    prefix: str = ""
    suffix: str = ""
    pattern: str | None = None
    shown_levels: int = 1
    start: int = 1
    bullet: str = "•"


@dataclass(frozen=True, slots=True)
class _Style:
    parent: str | None
    name: str
    list_style: str | None
    raised: bool
    hidden: bool


class OdtStyles:
    """The common and automatic styles of a document."""

    def __init__(self, roots: Iterable[Element]) -> None:
        """``roots`` are the styles part and the content part, if they exist."""
        self._styles: dict[str, _Style] = {}
        self._lists: dict[str, dict[int, ListLevel]] = {}
        self.outline: dict[int, ListLevel] = {}
        for root in roots:
            for item in root.iter("style.style"):
                properties = item.find("style.text-properties")
                position = "" if properties is None else properties.get("style.text-position", "")
                shift = position.split(" ", 1)[0]
                self._styles[item.get("style.name", "")] = _Style(
                    parent=item.get("style.parent-style-name"),
                    name=item.get("style.display-name") or item.get("style.name") or "",
                    list_style=item.get("style.list-style-name"),
                    raised=shift == "super"
                    or (shift.endswith("%") and parse_integer(shift[:-1], 0) > 0),
                    hidden=properties is not None and properties.get("text.display") == "none",
                )
            for item in root.iter("text.list-style"):
                self._lists[item.get("style.name", "")] = _read_levels(item)
            for item in root.iter("text.outline-style"):
                self.outline = _read_levels(item)

    def get_role(self, name: str | None) -> Role:
        """Return the kind of text that a paragraph style is for."""
        for style in self._walk_chain(name):
            role = find_role(style.name.replace("_20_", " "))
            if role != "body":
                return role
        return "body"

    def find_list_style(self, name: str | None) -> str | None:
        """Return the list style of a paragraph style; "" turns lists off, None is undefined."""
        names = (style.list_style for style in self._walk_chain(name))
        return next((name for name in names if name is not None), None)

    def get_list_levels(self, name: str | None) -> dict[int, ListLevel]:
        """Return the levels of a list style by number from 1; empty for an unknown style."""
        return self._lists.get(name or "", {})

    def is_raised(self, name: str | None) -> bool:
        """Whether a text style is superscript."""
        return any(style.raised for style in self._walk_chain(name))

    def is_hidden(self, name: str | None) -> bool:
        """Whether a text or paragraph style is hidden."""
        return any(style.hidden for style in self._walk_chain(name))

    def _walk_chain(self, name: str | None) -> Iterator[_Style]:
        for _ in range(MAX_CHAIN):
            style = self._styles.get(name or "")
            if style is None:
                return
            yield style
            name = style.parent


class OdtCounter:
    """The counters of a list or of the outline, by level from 1."""

    def __init__(self) -> None:
        self._values: dict[int, int] = {}

    def count(
        self, levels: dict[int, ListLevel], level: int, start: int | None = None
    ) -> str | None:
        """Count an item and return its marker, or None if it has none."""
        level = min(max(level, 1), LEVELS)
        own = levels.get(level)
        for above in range(1, level):
            # A skipped level shows its start value and counts as used.
            self._values.setdefault(above, levels.get(above, ListLevel()).start)
        first = own.start if own else 1
        self._values[level] = start if start is not None else self._values.get(level, first - 1) + 1
        for deeper in range(level + 1, LEVELS + 1):
            self._values.pop(deeper, None)
        if own is None or own.form == "":
            return None
        return own.bullet if own.form is None else self._format(levels, own, level)

    def _format(self, levels: dict[int, ListLevel], own: ListLevel, level: int) -> str | None:
        if own.pattern is not None:
            numbers = {int(item) for item in _PLACEHOLDER.findall(own.pattern)}
            texts = {number: self._format_number(levels, number) for number in numbers}
            if any(text is None for text in texts.values()):
                return None
            return _PLACEHOLDER.sub(lambda item: texts[int(item[1])] or "", own.pattern).strip()
        shown = range(max(level - own.shown_levels + 1, 1), level + 1)
        parts = [self._format_number(levels, number) for number in shown]
        if any(part is None for part in parts):
            return None
        number = ".".join(part for part in parts if part)
        return f"{own.prefix}{number}{own.suffix}".strip()

    def _format_number(self, levels: dict[int, ListLevel], level: int) -> str | None:
        own = levels.get(level)
        if own is None or not own.form:
            return ""
        form = _FORMS.get(own.form)
        return format_counter(self._values.get(level, own.start), form) if form else None


def _read_levels(item: Element) -> dict[int, ListLevel]:
    return {parse_integer(child.get("text.level"), 0): _read_level(child) for child in item}


def _read_level(item: Element) -> ListLevel:
    if not item.tag.endswith(("level-style-number", "outline-level-style")):
        return ListLevel(form=None, bullet=simplify_bullet(item.get("text.bullet-char", "•")))
    return ListLevel(
        form=item.get("style.num-format", ""),
        prefix=item.get("style.num-prefix", ""),
        suffix=item.get("style.num-suffix", ""),
        pattern=item.get("loext.num-list-format"),
        shown_levels=parse_integer(item.get("text.display-levels"), 1),
        start=parse_integer(item.get("text.start-value"), 1),
    )
