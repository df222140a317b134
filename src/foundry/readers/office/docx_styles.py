"""Word's paragraph styles and automatic numbers: level, list, role and number of a paragraph.

Built-in styles have an English name in every language of Word ("heading 1" with the id "Kop1");
custom styles inherit through ``basedOn``. Numbers follow ECMA-376 part 1 §17.9: instances (``num``)
of one definition (``abstractNum``) share their counters; a ``startOverride`` restarts them once, at
the first use of the instance. A deeper level restarts after a higher one unless ``lvlRestart`` says
otherwise; a skipped level shows its start value and counts as used. Formats that depend on a language
(ordinals in words …) are not guessed: no number is better than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from foundry.readers.archive import Element
from foundry.readers.office.openxml import (
    MAX_CHAIN,
    Role,
    convert_outline_level,
    find_integer,
    find_level,
    find_role,
    find_value,
    is_on,
)
from foundry.readers.symbols import format_counter, simplify_bullet

LEVELS = 9
_PLACEHOLDER = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class NumberingLevel:
    """A level of a list definition; ``restart_after`` is a level from 0, or -1 for never."""

    start: int = 1
    format: str = "decimal"
    text: str = ""
    restart_after: int | None = None
    legal: bool = False
    style: str | None = None
    padding: int = 0


@dataclass(frozen=True, slots=True)
class NumberingInstance:
    """A ``num``: a definition with its own levels and start values."""

    definition: str
    levels: tuple[NumberingLevel, ...]
    overrides: frozenset[int] = frozenset()

    def find_style_level(self, style: str) -> int | None:
        """Return the level that is linked to a paragraph style, or None."""
        levels = (index for index, level in enumerate(self.levels) if level.style == style)
        return next(levels, None)


@dataclass(frozen=True, slots=True)
class ListMarker:
    """The number or bullet before a paragraph; ``text`` is None if its format is unknown."""

    kind: Literal["number", "bullet"]
    text: str | None


class Numbering:
    """The list definitions of a document: numbering id → ``NumberingInstance``."""

    def __init__(self, root: Element | None) -> None:
        """``root`` is the numbering part with ``w.`` names, or None."""
        self._instances: dict[str, NumberingInstance] = {}
        if root is None:
            return
        definitions = {
            item.get("w.abstractNumId", ""): item for item in root.findall("w.abstractNum")
        }
        for item in root.findall("w.num"):
            definition = find_value(item, "w.abstractNumId")
            if definition in definitions:
                resolved = _follow_links(definition, definitions)
                self._instances[item.get("w.numId", "")] = _build_instance(
                    resolved, definitions[resolved], item
                )

    def find(self, number_id: str) -> NumberingInstance | None:
        """Return the instance of a ``numId``, or None; "0" means no numbering."""
        return self._instances.get(number_id)


class DocxCounter:
    """Counts the paragraphs of a story (the body, the notes …) in reading order."""

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering
        self._counters: dict[str, list[int | None]] = {}
        self._restarted: set[tuple[str, int]] = set()

    def count(self, number_id: str, level: int) -> ListMarker | None:
        """Count a paragraph and return its marker; None if it is not in a list."""
        instance = self._numbering.find(number_id)
        if instance is None or not 0 <= level < LEVELS:
            return None
        values = self._counters.setdefault(instance.definition, [None] * LEVELS)
        for index in range(level):
            if values[index] is None:
                values[index] = instance.levels[index].start
        before = values[level]
        if before is None or self._restarts(number_id, instance, level):
            values[level] = instance.levels[level].start
        else:
            values[level] = before + 1
        for index in range(level + 1, LEVELS):
            after = instance.levels[index].restart_after
            if after is None or level <= after:
                values[index] = None
        own = instance.levels[level]
        if own.format == "bullet":
            return ListMarker("bullet", simplify_bullet(own.text))
        if own.format == "none" and not _PLACEHOLDER.search(own.text):
            return ListMarker("number", own.text.strip())
        return ListMarker("number", _format_number(instance.levels, level, values))

    def _restarts(self, number_id: str, instance: NumberingInstance, level: int) -> bool:
        key = (number_id, level)
        if level not in instance.overrides or key in self._restarted:
            return False
        self._restarted.add(key)
        return True


def _follow_links(definition: str, definitions: dict[str, Element]) -> str:
    # A definition may only refer to a numbering style, which another one defines.
    style = find_value(definitions[definition], "w.numStyleLink")
    if style is None:
        return definition
    for name, item in definitions.items():
        if find_value(item, "w.styleLink") == style:
            return name
    return definition


def _build_instance(name: str, definition: Element, number: Element) -> NumberingInstance:
    levels = _read_levels(definition, [NumberingLevel() for _ in range(LEVELS)])
    overrides = set()
    for item in number.findall("w.lvlOverride"):
        index = find_integer(item.get("w.ilvl"))
        if index is None or not 0 <= index < LEVELS:
            continue
        levels = _read_levels(item, levels)
        start = find_integer(find_value(item, "w.startOverride"))
        if start is not None:
            levels[index] = replace(levels[index], start=start)
            overrides.add(index)
    return NumberingInstance(name, tuple(levels), frozenset(overrides))


def _read_levels(parent: Element, levels: list[NumberingLevel]) -> list[NumberingLevel]:
    levels = list(levels)
    for item in parent.findall("w.lvl"):
        index = find_integer(item.get("w.ilvl"))
        if index is not None and 0 <= index < LEVELS:
            start = find_integer(find_value(item, "w.start"))
            restart = find_integer(find_value(item, "w.lvlRestart"))
            name, padding = _read_format(item)
            text = item.find("w.lvlText")
            levels[index] = NumberingLevel(
                start=0 if start is None else start,
                format=name,
                text="" if text is None else text.get("w.val", ""),
                restart_after=None if restart is None else restart - 1,
                legal=is_on(item, "w.isLgl"),
                style=find_value(item, "w.pStyle"),
                padding=padding,
            )
    return levels


def _read_format(item: Element) -> tuple[str, int]:
    # A custom format ("001, 002") comes as a choice, with a plain format as its fallback.
    custom = item.find("mc.AlternateContent/mc.Choice/w.numFmt")
    element = item.find("w.numFmt") if custom is None else custom
    if element is None:
        return "decimal", 0
    name = element.get("w.val", "decimal")
    first = element.get("w.format", "").partition(",")[0]
    padded = name == "custom" and len(first) > 1 and first.strip("0") == "1"
    return ("decimal", len(first)) if padded else (name, 0)


def _format_number(
    levels: tuple[NumberingLevel, ...], level: int, values: list[int | None]
) -> str | None:
    own = levels[level]
    parts: list[str] = []
    end = 0
    for match in _PLACEHOLDER.finditer(own.text):
        index = int(match[1]) - 1
        value = values[index] if index <= level else None
        number = None if value is None else _format_level(levels[index], value, legal=own.legal)
        if number is None:
            return None
        parts += [own.text[end : match.start()], number]
        end = match.end()
    return "".join([*parts, own.text[end:]]).strip()


def _format_level(level: NumberingLevel, value: int, *, legal: bool) -> str | None:
    plain = legal and level.format != "decimalZero"
    text = format_counter(value, "decimal" if plain else level.format)
    return text if text is None else text.zfill(level.padding)


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
            return convert_outline_level(direct)
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
            role = find_role(style.name)
            if role != "body":
                return role
        return "body"

    def _resolve_outline_level(self, style_id: str | None) -> int | None:
        for _, style in self._walk_chain(style_id):
            if style.outline is not None:
                return convert_outline_level(style.outline)
            level = find_level(style.name)
            if level:
                return level
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
        for _ in range(MAX_CHAIN):
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
