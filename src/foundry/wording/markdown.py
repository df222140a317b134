"""Markdown as drafts are written in it: CommonMark, tables, struck text and footnote marks.

HTML is text here. A mark ``[^1]`` in running text becomes a token of its own with
its label; a bracket that looks like a mark and is none becomes one that is broken.
Definitions of footnotes are not read here: ``craft.footnotes`` takes them out first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

MARK = "footnote_mark"
"""The token type of a mark; ``meta`` has its ``label``, and its place in the block's words."""
BROKEN_MARK = "broken_mark"
"""The token type of what looks like a mark; ``content`` is how it is written."""

_MARK = re.compile(r"\[\^([^\]\[\s]+)\]")
_BROKEN = re.compile(r"\[\^[^\]\[\n]{0,20}\]|\[\^[^\]\[\s]{0,40}|\[\d{1,6}\^\]?")


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark as it is written; ``label`` is None where it is broken. Lines, columns from 0."""

    label: str | None
    text: str
    line: int
    column: int


def parse_markdown(text: str) -> list[Token]:
    """The block tokens of a text, each inline one with its children."""
    return _parser().parse(text)


def find_marks(text: str) -> Iterator[Mark]:
    """Every mark in running text, in order; those in code or a picture's description do not count."""
    lines = text.split("\n")
    cursors: dict[int, int] = {}
    first = 0
    for token in parse_markdown(text):
        first = token.map[0] if token.map else first
        if token.type != "inline":
            continue
        spans = _spans(lines, cursors, first, token.content)
        for child in token.children or ():
            if child.type in {MARK, BROKEN_MARK}:
                row, column = child.meta["line"], child.meta["column"]
                start, words = spans[row]
                # A cell's escaped pipes come without their backslash.
                column += 0 if words in lines[first + row] else words.count("|", 0, column)
                label = child.meta.get("label")
                yield Mark(label, child.content, first + row, start + column)


def lower_headings(text: str) -> str:
    """The text with every heading one level deeper, at most 6; those in lists and quotes stay."""
    lines = text.split("\n")
    for token, inline in pairwise(parse_markdown(text)):
        if token.type == "heading_open" and token.map and token.level == 0:
            start, end = token.map
            words = " ".join(inline.content.split())
            level = min(int(token.tag[1]) + 1, 6)
            lines[start:end] = [f"{'#' * level} {words}"] + [""] * (end - start - 1)
    return "\n".join(lines)


def _spans(
    lines: list[str], cursors: dict[int, int], first: int, content: str
) -> list[tuple[int, str]]:
    """The lines of an inline token's content, each with its column in its line of the text.

    Cells of one row share a line: ``cursors`` says how far each line has been read.
    """
    spans: list[tuple[int, str]] = []
    for at, words in enumerate(content.split("\n"), first):
        cursor = cursors.get(at, 0)
        places = (lines[at].find(one, cursor) for one in (words, words.replace("|", "\\|")))
        start = next((place for place in places if place >= 0), cursor)
        cursors[at] = start + len(words)
        spans.append((start, words))
    return spans


@cache
def _parser() -> MarkdownIt:
    # What is nested deeper is lost, so the limit is one that only an attack reaches.
    options = {"html": False, "maxNesting": 100}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.inline.ruler.before("link", "footnote_mark", _mark_rule)
    return parser


def _mark_rule(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "[":
        return False
    found = _MARK.match(state.src, state.pos, state.posMax)
    broken = found is None
    found = found or _BROKEN.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        token = state.push(BROKEN_MARK if broken else MARK, "", 0)
        token.content = found[0]
        column = state.pos - state.src.rfind("\n", 0, state.pos) - 1
        token.meta = {"line": state.src.count("\n", 0, state.pos), "column": column}
        if not broken:
            token.meta["label"] = found[1]
    state.pos = found.end()
    return True
