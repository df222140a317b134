"""Computes Word's automatic numbers from ``numbering.xml``, as Word shows them.

Follows ECMA-376 part 1 §17.9. Instances (``num``) of one definition (``abstractNum``) share
their counters; a ``startOverride`` restarts them once, at the first use of the instance. A
deeper level restarts after a higher one unless ``lvlRestart`` says otherwise; a skipped
level shows its start value and counts as used. Formats that depend on a language (ordinals
in words …) are not guessed: no number is better than a wrong one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from foundry.readers.archive import Element
from foundry.readers.office.openxml import find_integer, find_value, is_on
from foundry.readers.symbols import format_counter, simplify_bullet

LEVELS = 9
_PLACEHOLDER = re.compile(r"%([1-9])")
_PADDED = re.compile(r"(0+)1,")


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
        self._step(number_id, instance, level, values)
        own = instance.levels[level]
        if own.format == "bullet":
            return ListMarker("bullet", simplify_bullet(own.text))
        if own.format == "none" and not _PLACEHOLDER.search(own.text):
            return ListMarker("number", own.text.strip())
        return ListMarker("number", _format_number(instance.levels, level, values))

    def _step(
        self, number_id: str, instance: NumberingInstance, level: int, values: list[int | None]
    ) -> None:
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
            levels[index] = _read_level(item)
    return levels


def _read_level(item: Element) -> NumberingLevel:
    start = find_integer(find_value(item, "w.start"))
    restart = find_integer(find_value(item, "w.lvlRestart"))
    name, padding = _read_format(item)
    text = item.find("w.lvlText")
    return NumberingLevel(
        start=0 if start is None else start,
        format=name,
        text="" if text is None else text.get("w.val", ""),
        restart_after=None if restart is None else restart - 1,
        legal=is_on(item, "w.isLgl"),
        style=find_value(item, "w.pStyle"),
        padding=padding,
    )


def _read_format(item: Element) -> tuple[str, int]:
    # A custom format ("001, 002") comes as a choice, with a plain format as its fallback.
    custom = item.find("mc.AlternateContent/mc.Choice/w.numFmt")
    element = item.find("w.numFmt") if custom is None else custom
    if element is None:
        return "decimal", 0
    name = element.get("w.val", "decimal")
    padded = _PADDED.match(element.get("w.format", ""))
    return ("decimal", len(padded[1]) + 1) if name == "custom" and padded else (name, 0)


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
