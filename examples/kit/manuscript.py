"""A content file (front matter and Markdown) → its parts in order, for any writer.

Knows the few kinds of parts that the example documents use, and refuses the
rest: a content file with an image from the network, raw HTML or a nested list
is a mistake, not something to guess at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

Runs = tuple[tuple[str, bool], ...]
"""Pieces of one paragraph: text, and whether it is bold."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; ``numbered`` is False for those that end in ``{-}``."""

    level: int
    text: str
    numbered: bool


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of text."""

    runs: Runs


@dataclass(frozen=True, slots=True)
class Listing:
    """A flat list."""

    ordered: bool
    items: tuple[Runs, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with one header row."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning box: ``> **WARNING** text``."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing from ``kit.figures``: ``![caption](figure:name)``."""

    caption: str
    name: str


@dataclass(frozen=True, slots=True)
class Mark:
    """``<!-- page -->``, ``<!-- main -->`` or ``<!-- contents: Title -->``."""

    kind: str
    text: str = ""


Part = Heading | Paragraph | Listing | Table | Notice | Figure | Mark


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A content file: ``about`` is its front matter."""

    about: dict[str, Any]
    parts: tuple[Part, ...]

    @property
    def created(self) -> datetime:
        """The moment that every date inside the written file carries."""
        return moment(self.about["created"])


def number_headings(parts: Iterable[Part]) -> Iterator[tuple[str, Part]]:
    """Each part with the title of its section as a reader sees it: "3.2 Intervallen"."""
    counts = [0, 0, 0]
    title = ""
    for part in parts:
        if isinstance(part, Heading):
            title = part.text
            if part.numbered:
                counts[part.level - 1] += 1
                counts[part.level :] = [0] * (3 - part.level)
                title = f"{'.'.join(str(n) for n in counts[: part.level])} {part.text}"
        yield title, part


def moment(value: datetime | str) -> datetime:
    """A date from YAML, in UTC."""
    found = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)


def read_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """``---`` YAML ``---`` body → (values, body)."""
    _, head, body = text.split("---\n", 2)
    return yaml.safe_load(head), body.lstrip("\n")


def read_manuscript(path: Path) -> Manuscript:
    """Read one Markdown content file. Raises ``ValueError`` for what the kit cannot write."""
    about, body = read_front_matter(path.read_text(encoding="utf-8"))
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    return Manuscript(about, tuple(_parts(tokens)))


def _parts(tokens: list[Token]) -> Iterator[Part]:
    position = 0
    while position < len(tokens):
        end = _end_of(tokens, position)
        yield _part(tokens[position : end + 1])
        position = end + 1


def _end_of(tokens: list[Token], start: int) -> int:
    depth = 0
    for position in range(start, len(tokens)):
        depth += tokens[position].nesting
        if depth == 0:
            return position
    raise ValueError("a block of the content file does not end")


def _part(tokens: list[Token]) -> Part:
    first = tokens[0]
    match first.type:
        case "heading_open":
            return _heading(int(first.tag[1]), tokens[1].content)
        case "paragraph_open":
            return _paragraph(tokens[1])
        case "bullet_list_open" | "ordered_list_open":
            items = tuple(_runs(token) for token in tokens if token.type == "inline")
            return Listing(first.type == "ordered_list_open", items)
        case "table_open":
            return _table(tokens)
        case "blockquote_open":
            return _notice(tokens)
        case "html_block":
            return _mark(first.content)
    raise ValueError(f"the kit cannot write a {first.type}: {first.content[:60]!r}")


def _heading(level: int, text: str) -> Heading:
    plain = text.removesuffix("{-}").strip()
    return Heading(level, plain, numbered=plain == text)


def _paragraph(inline: Token) -> Part:
    children = inline.children or []
    if children and children[0].type == "image":
        source = str(children[0].attrs["src"])
        return Figure(children[0].content, source.removeprefix("figure:"))
    return Paragraph(_runs(inline))


def _runs(inline: Token) -> Runs:
    runs: list[tuple[str, bool]] = []
    bold = False
    for child in inline.children or []:
        if child.type in ("strong_open", "strong_close"):
            bold = child.type == "strong_open"
        elif child.type == "softbreak":
            runs.append((" ", bold))
        elif child.content:
            runs.append((child.content, bold))
    return tuple(runs)


def _table(tokens: list[Token]) -> Table:
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(token.content)
    return Table(tuple(rows[0]), tuple(tuple(row) for row in rows[1:]))


def _notice(tokens: list[Token]) -> Notice:
    runs = next(_runs(token) for token in tokens if token.type == "inline")
    (label, bold), *rest = runs
    if not bold:
        raise ValueError(f"a notice starts with its bold label: {label[:60]!r}")
    return Notice(label, "".join(text for text, _ in rest).strip())


def _mark(content: str) -> Mark:
    found = re.fullmatch(r"<!-- (page|main|contents)(?:: (.+))? -->", content.strip())
    if not found:
        raise ValueError(f"unknown mark {content.strip()!r}")
    return Mark(found[1], found[2] or "")
