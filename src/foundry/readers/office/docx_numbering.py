"""Word's automatic numbers, worked out from ``numbering.xml`` as Word shows them.

Follows ECMA-376 part 1 §17.9: instances (``num``) of one definition
(``abstractNum``) share their counters; a ``startOverride`` restarts them once, at
the instance's first use; a deeper level restarts after a higher one, unless
``lvlRestart`` says otherwise; a level that was skipped shows its start value and
counts as used. Formats that depend on a language (ordinals in words …) are not
guessed: such a paragraph has no number rather than a wrong one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from foundry.readers.archive import Element
from foundry.readers.symbols import format_counter

LEVELS = 9
_PLACEHOLDER = re.compile(r"%([1-9])")
_PLAIN_BULLETS = frozenset("-–—*►▪■□●○◦•✓✔→➢❖")
_PADDED = re.compile(r"(0+)1,")


@dataclass(frozen=True, slots=True)
class NumberingLevel:
    """One level of a list definition; ``restart_after`` is a 0-based level, -1 for never."""

    start: int = 1
    format: str = "decimal"
    text: str = ""
    restart_after: int | None = None
    legal: bool = False
    style: str | None = None
    padding: int = 0


@dataclass(frozen=True, slots=True)
class NumberingInstance:
    """A ``num``: a definition with this instance's own levels and start values."""

    definition: str
    levels: tuple[NumberingLevel, ...]
    overrides: frozenset[int] = frozenset()

    def level_of_style(self, style: str) -> int | None:
        """The level that is linked to a paragraph style, or None."""
        found = (index for index, level in enumerate(self.levels) if level.style == style)
        return next(found, None)


@dataclass(frozen=True, slots=True)
class ListMarker:
    """What stands before a paragraph: a number, a bullet, or (text None) something unknown."""

    kind: Literal["number", "bullet"]
    text: str | None


@dataclass(slots=True)
class _CounterValues:
    values: list[int | None] = field(default_factory=lambda: [None] * LEVELS)


class Numbering:
    """The list definitions of a document: numbering id → ``NumberingInstance``."""

    def __init__(self, root: Element | None) -> None:
        """``root`` is the numbering part with ``w.`` names, or None if there is none."""
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
        """The instance of a ``numId``, or None ("0" means: no numbering)."""
        return self._instances.get(number_id)


class DocxCounter:
    """Counts the paragraphs of one story (the body, the notes …) in reading order."""

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering
        self._counters: dict[str, _CounterValues] = {}
        self._restarted: set[tuple[str, int]] = set()

    def count(self, number_id: str, level: int) -> ListMarker | None:
        """Count a paragraph and return what Word shows before it; None if it is no list."""
        instance = self._numbering.find(number_id)
        if instance is None or not 0 <= level < LEVELS:
            return None
        values = self._counters.setdefault(instance.definition, _CounterValues()).values
        self._step(number_id, instance, level, values)
        own = instance.levels[level]
        if own.format == "bullet":
            return ListMarker("bullet", own.text.strip() if own.text in _PLAIN_BULLETS else "•")
        if own.format == "none" and not _PLACEHOLDER.search(own.text):
            return ListMarker("number", own.text.strip())
        return ListMarker("number", _format_shown(instance.levels, level, values))

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


def find_value(parent: Element | None, path: str) -> str | None:
    """The ``w.val`` of a child, or None."""
    child = None if parent is None else parent.find(path)
    return None if child is None else child.get("w.val")


def find_integer(text: str | None) -> int | None:
    """An integer attribute, or None when it is missing or no integer."""
    try:
        return None if text is None else int(text)
    except ValueError:
        return None


def is_on(parent: Element | None, path: str) -> bool:
    """Whether an on/off property is there and not switched off."""
    child = None if parent is None else parent.find(path)
    return child is not None and child.get("w.val", "1") not in {"0", "false", "off"}


def _follow_links(definition: str, definitions: dict[str, Element]) -> str:
    # A definition may only point at a numbering style, which another definition holds.
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
    # A custom format ("001, 002") stands as one of two choices beside its plain fallback.
    custom = item.find("mc.AlternateContent/mc.Choice/w.numFmt")
    element = item.find("w.numFmt") if custom is None else custom
    if element is None:
        return "decimal", 0
    name = element.get("w.val", "decimal")
    padded = _PADDED.match(element.get("w.format", ""))
    return ("decimal", len(padded[1]) + 1) if name == "custom" and padded else (name, 0)


def _format_shown(
    levels: tuple[NumberingLevel, ...], level: int, values: list[int | None]
) -> str | None:
    own = levels[level]
    parts: list[str] = []
    end = 0
    for match in _PLACEHOLDER.finditer(own.text):
        index = int(match[1]) - 1
        value = values[index] if index <= level else None
        shown = None if value is None else _format_level(levels[index], value, legal=own.legal)
        if shown is None:
            return None
        parts += [own.text[end : match.start()], shown]
        end = match.end()
    return "".join([*parts, own.text[end:]]).strip()


def _format_level(level: NumberingLevel, value: int, *, legal: bool) -> str | None:
    plain = legal and level.format != "decimalZero"
    text = format_counter(value, "decimal" if plain else level.format)
    return text if text is None else text.zfill(level.padding)
