"""A model's prose, which is mostly Markdown → its pieces of running text, rows and code lines.

Headings and rules state nothing and are left out. An item of a list that is no
sentence is read with the words that open its list; a row of a table with its
header. Marks of emphasis go, the words stay. Sentences are cut elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

# The marks that evidence lines have in a prompt, repeated by a model that copies them.
_LINE_MARK = re.compile(r"^[ \t>]*(?:S\d{1,4}|[BDHR])\|[ \t]?", re.MULTILINE)
_TAG = re.compile(r"^\s*</?context>\s*$", re.MULTILINE | re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?…][\"'”’»)\]*_\s]*(?:\[[^\]]*\]\s*)*$")
_CITED = re.compile(r"\[\^?[sS]?\d{1,4}\]|【")
_LEAST_WORDS = 5


def read_prose(text: str) -> list[str]:
    """The pieces of a reply in their order, each on one line."""
    plain = _TAG.sub("", _LINE_MARK.sub("", text))
    tree = SyntaxTreeNode(_parser().parse(plain))
    return [piece for piece in _pieces(tree) if piece.strip()]


@cache
def _parser() -> MarkdownIt:
    # A rule under a line must not make a heading of what was a sentence a moment ago, and
    # four blanks are a model's way to indent a list.
    unwanted = ["lheading", "code", "reference", "html_block", "html_inline", "autolink"]
    return MarkdownIt("commonmark").enable("table").disable(unwanted)


def _pieces(node: SyntaxTreeNode) -> Iterator[str]:
    opening = ""
    for child in node.children:
        if child.type in ("bullet_list", "ordered_list"):
            yield from _items(child, opening)
            opening = ""
            continue
        if opening:
            yield opening
            opening = ""
        if child.type == "paragraph":
            *whole, last = _lines(child)
            yield from whole
            # What ends in a colon opens a list, and says nothing without it.
            opening = last if last.rstrip("*_ ").endswith(":") else ""
            yield "" if opening else last
        elif child.type == "table":
            yield from _rows(child)
        elif child.type == "fence":
            yield from _code(child.content)
        elif child.type == "blockquote":
            yield from _pieces(child)
    yield opening


def _items(node: SyntaxTreeNode, opening: str) -> Iterator[str]:
    for item in node.children:
        pieces = list(_pieces(item))
        for piece in pieces:
            whole = _SENTENCE.search(piece) or len(piece.split()) >= _LEAST_WORDS
            yield piece if whole or not opening or not piece else f"{opening} {piece}"


def _rows(table: SyntaxTreeNode) -> Iterator[str]:
    """``Parameter: Supply voltage; Max: 36 V`` for every row under a table's header."""
    rows = [row for part in table.children for row in part.children]
    header = [_words(cell) for cell in rows[0].children] if rows else []
    for row in rows[1:]:
        cells = [_words(cell) for cell in row.children]
        pairs = [(label, cell) for label, cell in zip(header, cells, strict=False) if cell]
        yield "; ".join(f"{label}: {cell}" if label else cell for label, cell in pairs)


def _code(content: str) -> Iterator[str]:
    """Lines of code one by one; a fence around prose is taken off."""
    if _SENTENCE.search(content) or _CITED.search(content):
        yield from _pieces(SyntaxTreeNode(_parser().parse(content)))
    else:
        yield from content.splitlines()


def _lines(paragraph: SyntaxTreeNode) -> list[str]:
    """A paragraph on one line, or on several where each is closed by a stop or a mark."""
    lines: list[str] = []
    for line in _inline(paragraph).split("\n"):
        if lines and not _SENTENCE.search(lines[-1]) and not lines[-1].endswith(("]", "】")):
            lines[-1] = f"{lines[-1]} {line.strip()}"
        else:
            lines.append(line.strip())
    return lines or [""]


def _words(node: SyntaxTreeNode) -> str:
    return " ".join(_inline(node).split())


def _inline(node: SyntaxTreeNode) -> str:
    """The words of a node, without emphasis; a picture is its caption."""
    if node.type in ("softbreak", "hardbreak"):
        return "\n"
    if node.type in ("text", "code_inline", "image"):
        return node.content
    return "".join(_inline(child) for child in node.children)
