"""Marks the blocks of texts that stay as they are: plain text, and Markdown whose own lines are checked.

A heading of plain text is a numbered line between empty lines that continues the numbering ("3.2
Intervals"), or a line underlined with ``===`` or ``---``. Capitals, short lines and list items are not
headings. A text with times on its lines is read as a transcript. markdown-it gives the lines of each
block of Markdown, so blocks follow CommonMark with GitHub's tables; heading paths show headings
without their markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foundry.analysis.lexer import COMMENT, FRONT_MATTER, TAG, is_rule
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.aligned_text import find_aligned_grid
from foundry.readers.decoding import DecodedText, TextLine, decode, split_lines, split_paragraphs
from foundry.readers.document_builder import TextMarker
from foundry.readers.front.clues import Clues
from foundry.readers.grids import GridCell
from foundry.readers.transcripts import read_timestamped
from foundry.records import BlockKind, Document
from foundry.text.headings import HeadingNumber, NumberSeries, find_heading_number

_UNDERLINE_LEVELS = {"=": 1, "-": 2, "~": 3}
_FIELD = re.compile(r"(?P<mark>:?)(?P<name>[^\W\d_][\w -]{1,30}):(?:[ \t]+(?P<value>.*))?$")
_FIELDS_WITHIN, _FIELDS_UP_TO = 4000, 3
"""Characters and paragraphs at the top in which fields may be."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines between empty lines; ``title`` and ``level`` are set for a heading."""

    lines: tuple[TextLine, ...]
    title: str = ""
    level: int | None = None

    @property
    def span(self) -> tuple[int, int]:
        return self.lines[0].start, self.lines[-1].end


def read_text(path: Path, options: ReadOptions) -> Document:
    """Read a TXT file. Raises ``ReadError`` for binary data and for files without text."""
    decoded = decode(path.read_bytes())
    transcript = read_timestamped(decoded.text, options.name, decoded.warning)
    return transcript or parse_text(decoded.text, options.name, decoded.warning)


def parse_text(text: str, name: str, warning: Message | None = None) -> Document:
    """Read a text that is not a transcript; an underlined first line is its title."""
    marker = TextMarker("txt", text)
    parts = _mark_numbered_headings(list(_split_parts(text)))
    for part in parts:
        start, end = part.span
        if part.level is None:
            grid = find_aligned_grid(text[start:end], start)
            if grid is None:
                marker.mark("paragraph", start, end)
            else:
                marker.mark_table(grid, start, end)
        else:
            marker.mark_heading(part.title, part.level, start, end)
    marker.warn(warning)
    underlined = parts and parts[0].level == 1 and len(parts[0].lines) > 1
    title = parts[0].title if underlined else None
    return marker.build(name, Clues(read_fields(text), True, title, cover=text))


def _split_parts(text: str) -> Iterator[_Part]:
    for paragraph in split_paragraphs(split_lines(text)):
        lines = paragraph
        if len(lines) >= 3 and _is_overlined(*(line.text for line in lines[:3])):
            level = _UNDERLINE_LEVELS[lines[2].text.strip()[0]]
            yield _Part(tuple(lines[:3]), lines[1].text.strip(), level)
            lines = lines[3:]
        if len(lines) >= 2 and _is_underlined(lines[0].text, lines[1].text):
            level = _UNDERLINE_LEVELS[lines[1].text.strip()[0]]
            yield _Part(tuple(lines[:2]), lines[0].text.strip(), level)
            lines = lines[2:]
        if lines:
            yield _Part(tuple(lines))


def _is_overlined(above: str, title: str, below: str) -> bool:
    return above.strip() == below.strip() and _is_underlined(title, below)


def _is_underlined(title: str, rule: str) -> bool:
    line, words = rule.strip(), title.strip()
    if len(line) < 3 or line[0] not in _UNDERLINE_LEVELS or line.strip(line[0]) or is_rule(words):
        return False
    # Authors are rarely exact; a rule of another length separates sections. A guess.
    return abs(len(line) - len(words)) <= 3


def _mark_numbered_headings(parts: list[_Part]) -> list[_Part]:
    numbers = [
        find_heading_number(part.lines[0].text)
        if len(part.lines) == 1 and part.level is None
        else None
        for part in parts
    ]
    series = NumberSeries()
    marked: list[_Part] = []
    for index, (part, number) in enumerate(zip(parts, numbers, strict=True)):
        if number and _is_section(numbers, index, number) and series.accepts(number):
            title = part.lines[0].text.strip()
            marked.append(_Part(part.lines, title, min(number.level, 6)))
        else:
            marked.append(part)
    return marked


def _is_section(numbers: list[HeadingNumber | None], index: int, number: HeadingNumber) -> bool:
    # A list with empty lines between its items looks like headings without text below.
    if index + 1 == len(numbers):
        return False
    below = numbers[index + 1]
    return below is None or below.level > number.level or number.level > 1


_HTML_HEADING = re.compile(r"\s*<h([1-6])\b[^>]*>(.*?)</h\1>\s*", re.DOTALL | re.IGNORECASE)
# The words between two bars, as "\\|" is no bar.
_CELL = re.compile(r"(?:\\.|[^\\|\r\n])*(?=\||\r|\n|$)")
_ATTRIBUTES = re.compile(r"\s*\{[#.][^{}]*\}\s*$")
_LEAVES: dict[str, BlockKind] = {
    "paragraph_open": "paragraph",
    "table_open": "table",
    "fence": "code",
    "code_block": "code",
}


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A leaf block on the lines ``first:last``, ``last`` excluded."""

    kind: BlockKind | None
    first: int
    last: int
    words: str = ""
    level: int = 0


def mark_markdown(decoded: DecodedText, name: str) -> Document:
    """Mark the blocks of a Markdown text that stays as it is written, with its lines and marks.

    The title is that of the front matter, else the first H1, else the stem.
    """
    text = decoded.text
    properties, body = read_front_matter(text)
    marker = TextMarker("markdown", text)
    starts = [body + line.start for line in split_lines(text[body:])]
    starts.append(len(text))
    for leaf in _find_leaves(text[body:]):
        start, end = starts[leaf.first], starts[min(leaf.last, len(starts) - 1)]
        if leaf.level:
            marker.mark_heading(leaf.words, leaf.level, start, end)
        elif leaf.kind == "table":
            marker.mark_table(_read_cells(text[start:end], start), start, end)
        elif leaf.kind:
            marker.mark(leaf.kind, start, end)
    marker.warn(decoded.warning)
    clues = Clues(properties, True, heading=marker.find_heading(1), cover=text[body:])
    return marker.build(name, clues)


def _read_cells(text: str, offset: int) -> Iterator[GridCell]:
    """The cells of a table; its first line is the header and its second a rule."""
    for number, line in enumerate(text.splitlines(keepends=True)):
        column = 0
        for match in _CELL.finditer(line) if number != 1 else ():
            start, words = match.start() + len(match[0]) - len(match[0].lstrip()), match[0].strip()
            at = offset + start
            mark = True if number == 0 else None
            # What comes before the first bar is outside the table, unless there is no such bar.
            if words or column or match.start() > 0:
                yield GridCell(words, number, column, header=mark, start=at, end=at + len(words))
                column += 1
        offset += len(line)


def read_front_matter(text: str) -> tuple[dict[str, Any], int]:
    """Return the properties in the front matter, and the offset of the text below it."""
    match = FRONT_MATTER.match(text)
    if not match:
        return {}, 0
    # Imported here: most files have no front matter, and workers start often.
    import tomllib

    import yaml

    try:
        body = match["body"]
        properties = tomllib.loads(body) if match["fence"] == "+++" else yaml.safe_load(body)
    except (tomllib.TOMLDecodeError, yaml.YAMLError, RecursionError, ValueError):
        # Not front matter: just text between two rules.
        return {}, 0
    if not isinstance(properties, dict):
        return {}, match.end() if properties is None else 0
    return {str(key).lower(): value for key, value in properties.items()}, match.end()


def read_fields(text: str) -> dict[str, str]:
    """The fields in the first paragraphs of a text: lines ``:Status: Draft``, or a header of ``Name: value``."""
    paragraphs = text[:_FIELDS_WITHIN].split("\n\n")[:_FIELDS_UP_TO]
    for number, paragraph in enumerate(paragraphs):
        lines = [line for line in paragraph.strip("\n").split("\n") if line[:1] not in {" ", "\t"}]
        fields = [match for match in map(_FIELD.match, lines) if match]
        marked = all(field["mark"] for field in fields)
        if len(fields) == len(lines) > 1 and (marked or (number == 0 and len(lines) > 2)):
            return {field["name"].lower(): (field["value"] or "").strip() for field in fields}
    return {}


def _find_leaves(text: str) -> Iterator[_Leaf]:
    # Imported here: only workers that read Markdown need it.
    from markdown_it import MarkdownIt

    # Only the words of headings are needed, and inline markup takes most of the time.
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable(["inline", "text_join"])
    references: dict[str, Any] = {}
    tokens = parser.parse(text, references)
    containers: list[str] = []
    item_line: int | None = None
    for position, token in enumerate(tokens):
        if token.type in {"bullet_list_open", "ordered_list_open", "blockquote_open"}:
            containers.append(token.type)
        elif token.type in {"bullet_list_close", "ordered_list_close", "blockquote_close"}:
            containers.pop()
        elif token.type == "list_item_open":
            item_line = token.map[0] if token.map else None
        words = ""
        if token.type == "heading_open":
            inline = tokens[position + 1].content
            children: list[Any] = []
            parser.inline.parse(inline, parser, references, children)
            words = _join_heading(children)
        leaf = _read_leaf(token, words)
        if leaf is None:
            continue
        in_list = any(name != "blockquote_open" for name in containers)
        yield _fit_into_container(leaf, containers, item_line if in_list else None)
        item_line = None


def _read_leaf(token: Any, words: str) -> _Leaf | None:
    if not token.map:
        return None
    first, last = token.map
    if token.type == "heading_open":
        return _Leaf(None, first, last, words, int(token.tag[1]))
    if token.type == "html_block":
        heading = _HTML_HEADING.fullmatch(token.content)
        words = " ".join(
            TAG.sub(" ", heading[2] if heading else COMMENT.sub("", token.content)).split()
        )
        if not words:
            return None
        return _Leaf("paragraph", first, last, words, int(heading[1]) if heading else 0)
    if token.type in _LEAVES:
        return _Leaf(_LEAVES[token.type], first, last)
    return None


def _fit_into_container(leaf: _Leaf, containers: list[str], item_line: int | None) -> _Leaf:
    """Adjust the kind and first line of a leaf within a list or a quotation."""
    in_list = any(name != "blockquote_open" for name in containers)
    # Only a heading at the top level opens a section.
    kind: BlockKind | None = "paragraph" if containers and leaf.level else leaf.kind
    level = 0 if containers else leaf.level
    if in_list and kind == "paragraph":
        kind = "list_item"
    first = leaf.first if item_line is None else min(item_line, leaf.first)
    return _Leaf(kind, first, leaf.last, leaf.words, level)


def _join_heading(children: Iterable[Any]) -> str:
    parts: list[str] = []
    for child in children:
        # "text_special" is an escaped character or an entity.
        if child.type in {"text", "text_special", "code_inline", "image"}:
            parts.append(child.content)
        elif child.type in {"softbreak", "hardbreak"}:
            parts.append(" ")
    return _ATTRIBUTES.sub("", "".join(parts)).strip()
