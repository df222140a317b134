"""Builds the document of a format that is read as the page it makes: reStructuredText, XML, APIs …

Each reader writes HTML, the reader of web pages reads that, and what is not read is named once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.readers.decoding import DecodedText, decode
from foundry.readers.document_builder import DocumentBuilder, add_blocks, read_front
from foundry.readers.front.clues import Clues
from foundry.readers.web.html import TAB, read_page
from foundry.records import Document

MAX_BYTES = 50_000_000
"""Largest file of these formats, some 15,000 pages, as a tree of its parts takes many times that."""
_FIRST = re.compile(r"\A\s*<p>(?P<words>.*?)</p>", re.DOTALL)
_SHOWN = 20
"""Names in one warning; a site's index has hundreds."""


@dataclass(slots=True)
class WrittenPage:
    """A page as HTML, and what a reader found besides.

    ``properties`` are those of front matter, ``printed`` is a title that is no heading.
    """

    html: str = ""
    properties: dict[str, Any] = field(default_factory=dict)
    includes: list[str] = field(default_factory=list)
    """Names of files that belong to the text and are not read as part of it."""
    unread: list[str] = field(default_factory=list)
    """What else is not read, by its name in the format: a directive, a kind of output."""
    unknown: list[str] = field(default_factory=list)
    """Names that stand for a text that is not in the file."""
    warnings: list[Message] = field(default_factory=list)
    printed: str = ""


def load_bytes(path: Path) -> bytes:
    """The bytes of a file. Raises ``ReadError`` for a file that is too large."""
    if path.stat().st_size > MAX_BYTES:
        size, limit = round(path.stat().st_size / 1e6), MAX_BYTES // 1_000_000
        raise ReadError("readers-written-too-large", size=size, limit=limit)
    return path.read_bytes()


def load_text(path: Path) -> DecodedText:
    """The text of a file. Raises ``ReadError`` for a file that is too large or no text."""
    return decode(load_bytes(path))


def build_page(kind: str, page: WrittenPage, name: str, warning: Message | None = None) -> Document:
    """The document of a page; its title is the stated one, else the first H1, else the stem."""
    blocks = read_page(page.html, whole=True).blocks
    builder = DocumentBuilder(kind)
    add_blocks(builder, blocks)
    builder.warn(warning)
    for message in page.warnings:
        builder.warn(message)
    for code, names in (
        ("readers-written-includes", page.includes),
        ("readers-written-unread", page.unread),
        ("readers-written-unknown", page.unknown),
    ):
        if shown := list(dict.fromkeys(filter(None, names))):
            more = len(shown) - _SHOWN
            listed = (*shown[:_SHOWN], f"… (+{more})") if more > 0 else tuple(shown)
            builder.warn(Message(code, names=listed))
    if pictures := page.html.count("<img"):
        builder.warn(Message("readers-pictures-left-out", number=pictures))
    heading = next((block.text for block in blocks if block.level == 1), None)
    printed = None if heading else page.printed
    return builder.build(name, Clues(page.properties, True, printed, heading, read_front(blocks)))


def write_heading(text: str, level: int, inner: str = "") -> str:
    """A heading; ``inner`` is HTML in place of the text. Deeper ones have the level 6."""
    level = min(max(level, 1), 6)
    return f"<h{level}>{inner or escape(text)}</h{level}>\n"


def write_table(header: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """A table of cells that are HTML, without the columns that are empty; "" if it has no rows."""
    kept = [row for row in rows if any(row)]
    columns = [index for index, _ in enumerate(header) if any(row[index] for row in kept)]
    if not columns:
        return ""
    head = "".join(f"<th>{header[index]}</th>" for index in columns)
    lines = ("".join(f"<td>{row[index]}</td>" for index in columns) for row in kept)
    body = "".join(f"<tr>{line}</tr>\n" for line in lines)
    title = f"<caption>{caption}</caption>" if caption else ""
    return f"<table>{title}<tr>{head}</tr>\n{body}</table>\n"


def write_cell(inner: str, across: int = 1, down: int = 1, *, header: bool = False) -> str:
    """A cell of a table that covers so many columns and rows."""
    tag = "th" if header else "td"
    return f'<{tag} colspan="{across}"' + f' rowspan="{down}">{inner}</{tag}>'


def write_code(text: str) -> str:
    """Lines that keep their form."""
    # The parser drops one line break after the tag.
    return f"<pre>\n{escape(text, quote=False)}</pre>\n"


def write_definition(term: str, inner: str) -> str:
    """A term and what it means; the first words follow on its line."""
    return f"<dt>{term}</dt><dd>{open_first(inner)}</dd>\n"


def open_first(html: str) -> str:
    """The HTML without the tags of its first paragraph, so that words before it are on its line."""
    return _FIRST.sub(r"\g<words>", html, count=1)


def write_tab(title: str, inner: str) -> str:
    """One of several alternatives, as a section that ends with it."""
    return f'<section {TAB}="{escape(title)}">{inner}</section>\n'


_HEADING_TAG = re.compile(r"(</?h)([1-6])(?=[\s>])", re.IGNORECASE)


def lower_page(html: str, levels: int) -> str:
    """A page within another: its headings so many levels lower."""
    return _HEADING_TAG.sub(lambda tag: f"{tag[1]}{min(int(tag[2]) + levels, 6)}", html)
