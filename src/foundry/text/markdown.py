"""Markdown as drafts and models write it: CommonMark, tables, struck text and footnote marks.

HTML is treated as text. A footnote mark ``[^1]`` in running text becomes a token;
a bracket that looks like a mark but is malformed becomes a broken one. Footnote definitions are
taken out earlier, by ``craft.footnotes``. ``read_prose`` splits a model's Markdown into pieces of
running text, table rows and lines of code; it does not split sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from foundry.analysis.lexer import FOOTNOTE_MARK as FOOTNOTE_MARK_WRITTEN

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token
    from markdown_it.tree import SyntaxTreeNode

FOOTNOTE_MARK = "footnote_mark"
"""The token type of a mark; ``meta`` has its ``label`` and its position in the block."""
BROKEN_MARK = "broken_mark"
"""The token type of a malformed mark; ``content`` is how it is written."""

_BROKEN = re.compile(r"\[\^[^\]\[\n]{0,20}\]|\[\^[^\]\[\s]{0,40}|\[\d{1,6}\^\]?")


@dataclass(frozen=True, slots=True)
class MarkdownMark:
    """A mark as written; ``label`` is None if it is malformed. Line and column count from 0."""

    label: str | None
    text: str
    line: int
    column: int


def parse_markdown(text: str) -> list[Token]:
    """The block tokens of a text; inline tokens have children."""
    return _draft_parser().parse(text)


def find_marks(text: str) -> Iterator[MarkdownMark]:
    """The marks in running text, in order, without those in code or image descriptions."""
    lines = text.split("\n")
    cursors: dict[int, int] = {}
    first = 0
    for token in parse_markdown(text):
        first = token.map[0] if token.map else first
        if token.type != "inline":
            continue
        spans = _locate_lines(lines, cursors, first, token.content)
        for child in token.children or ():
            if child.type in {FOOTNOTE_MARK, BROKEN_MARK}:
                row, column = child.meta["line"], child.meta["column"]
                start, words = spans[row]
                # Escaped pipes in a cell arrive without their backslash.
                column += 0 if words in lines[first + row] else words.count("|", 0, column)
                label = child.meta.get("label")
                yield MarkdownMark(label, child.content, first + row, start + column)


def lower_headings(text: str) -> str:
    """The text with every heading one level lower (6 at most), except in lists and quotes."""
    lines = text.split("\n")
    for token, inline in pairwise(parse_markdown(text)):
        if token.type == "heading_open" and token.map and token.level == 0:
            start, end = token.map
            words = " ".join(inline.content.split())
            level = min(int(token.tag[1]) + 1, 6)
            lines[start:end] = [f"{'#' * level} {words}"] + [""] * (end - start - 1)
    return "\n".join(lines)


def _locate_lines(
    lines: list[str], cursors: dict[int, int], first: int, content: str
) -> list[tuple[int, str]]:
    """The lines of an inline token's content, each with its column in the text.

    Cells of one row share a line: ``cursors`` remembers how far each line was read.
    """
    spans: list[tuple[int, str]] = []
    for line, words in enumerate(content.split("\n"), first):
        cursor = cursors.get(line, 0)
        places = (lines[line].find(form, cursor) for form in (words, words.replace("|", "\\|")))
        start = next((place for place in places if place >= 0), cursor)
        cursors[line] = start + len(words)
        spans.append((start, words))
    return spans


@cache
def _draft_parser() -> MarkdownIt:
    # Imported here, as in ``_parse_tree``: an answer that quotes its sources reads no Markdown.
    from markdown_it import MarkdownIt

    # Deeper nesting is lost, so only an attack should reach the limit.
    options = {"html": False, "maxNesting": 100}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.inline.ruler.before("link", "footnote_mark", _parse_mark)
    return parser


def _parse_mark(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "[":
        return False
    mark = FOOTNOTE_MARK_WRITTEN.match(state.src, state.pos, state.posMax)
    broken = mark is None
    mark = mark or _BROKEN.match(state.src, state.pos, state.posMax)
    if mark is None:
        return False
    if not silent:
        token = state.push(BROKEN_MARK if broken else FOOTNOTE_MARK, "", 0)
        token.content = mark[0]
        column = state.pos - state.src.rfind("\n", 0, state.pos) - 1
        token.meta = {"line": state.src.count("\n", 0, state.pos), "column": column}
        if not broken:
            token.meta["label"] = mark[1]
    state.pos = mark.end()
    return True


# Models copy the marks of evidence lines out of the prompt.
_LINE_MARK = re.compile(r"^[ \t>]*(?:S\d{1,4}|[BDHR])\|[ \t]?", re.MULTILINE)
_TAG = re.compile(r"^[ \t]*</?context>[ \t]*$", re.MULTILINE | re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?…][\"'”’»)\]*_\s]*(?:\[[^\]]*\]\s*)*$")
_CITED = re.compile(r"\[\^?[sS]?\d{1,4}\]|【")
_MIN_SENTENCE_WORDS = 5


def read_prose(text: str) -> list[str]:
    """The pieces of a model's reply in order, each on one line.

    Skips headings and rules. A list item that is not a sentence gets the words that introduce its
    list; a table row gets its header. Drops emphasis marks and keeps the words.
    """
    plain = _TAG.sub("", _LINE_MARK.sub("", text))
    return [piece for piece in _split_blocks(_parse_tree(plain)) if piece.strip()]


def _parse_tree(text: str) -> SyntaxTreeNode:
    from markdown_it.tree import SyntaxTreeNode

    return SyntaxTreeNode(_prose_parser().parse(text))


@cache
def _prose_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # While a reply streams in, a rule below a line must not turn a sentence into a heading.
    # Models indent lists by four spaces.
    unwanted = ["lheading", "code", "reference", "html_block", "html_inline", "autolink"]
    return MarkdownIt("commonmark").enable("table").disable(unwanted)


def _split_blocks(node: SyntaxTreeNode) -> Iterator[str]:
    opening = ""
    for child in node.children:
        if child.type in ("bullet_list", "ordered_list"):
            yield from _split_items(child, opening)
            opening = ""
            continue
        if opening:
            yield opening
            opening = ""
        if child.type == "paragraph":
            *whole, last = _split_lines(child)
            yield from whole
            # A line that ends in a colon introduces a list and says nothing without it.
            opening = last if last.rstrip("*_ ").endswith(":") else ""
            yield "" if opening else last
        elif child.type == "table":
            yield from _split_rows(child)
        elif child.type == "fence":
            yield from _split_code(child.content)
        elif child.type == "blockquote":
            yield from _split_blocks(child)
    yield opening


def _split_items(node: SyntaxTreeNode, opening: str) -> Iterator[str]:
    for item in node.children:
        pieces = list(_split_blocks(item))
        for piece in pieces:
            whole = _SENTENCE.search(piece) or len(piece.split()) >= _MIN_SENTENCE_WORDS
            yield piece if whole or not opening or not piece else f"{opening} {piece}"


def _split_rows(table: SyntaxTreeNode) -> Iterator[str]:
    """``Parameter: Supply voltage; Max: 36 V`` for every row below a table's header."""
    rows = [row for part in table.children for row in part.children]
    header = [_read_words(cell) for cell in rows[0].children] if rows else []
    for row in rows[1:]:
        cells = [_read_words(cell) for cell in row.children]
        pairs = [(label, cell) for label, cell in zip(header, cells, strict=False) if cell]
        yield "; ".join(f"{label}: {cell}" if label else cell for label, cell in pairs)


def _split_code(content: str) -> Iterator[str]:
    """Lines of code one by one; a fence around prose is removed."""
    if _SENTENCE.search(content) or _CITED.search(content):
        yield from _split_blocks(_parse_tree(content))
    else:
        yield from content.splitlines()


def _split_lines(paragraph: SyntaxTreeNode) -> list[str]:
    """A paragraph as one line, or as several if each ends with a full stop or a mark."""
    lines: list[str] = []
    for line in _read_inline(paragraph).split("\n"):
        if lines and not _SENTENCE.search(lines[-1]) and not lines[-1].endswith(("]", "】")):
            lines[-1] = f"{lines[-1]} {line.strip()}"
        else:
            lines.append(line.strip())
    return lines or [""]


def _read_words(node: SyntaxTreeNode) -> str:
    return " ".join(_read_inline(node).split())


def _read_inline(node: SyntaxTreeNode) -> str:
    """The words of a node without emphasis; an image gives its description."""
    if node.type in ("softbreak", "hardbreak"):
        return "\n"
    if node.type in ("text", "code_inline", "image"):
        return node.content
    return "".join(_read_inline(child) for child in node.children)


HTML_TAGS = frozenset(
    """a abbr acronym address area article aside audio b base bdi bdo big blockquote body br button
    canvas caption center cite code col colgroup data dd del details dfn dialog dir div dl dt em embed
    fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe
    img input ins kbd label legend li link main map mark menu meta meter nav nobr noscript object ol
    optgroup option output p param picture pre progress q rp rt ruby s samp script search section
    select small source span strike strong style sub summary sup svg table tbody td template tfoot th
    thead time tr track tt u ul var video wbr""".split()  # noqa: SIM905  a list takes 110 lines
)
"""The tags of HTML, as people write them in Markdown; "x < 5" and "<name>" are words."""
_MARKUP = frozenset("*_`[]<>\\&")
_WITHIN_WORD = re.compile(r"(?<=\w)\*(?=\w)")
# Emphasis that opens in one sentence and closes in another one.
_HALF = re.compile(r"(?<!\w)(?:\*{1,3}|__)(?=\w)|(?<=[\w.,:;!?)])(?:\*{1,3}|__)(?!\w)")


@lru_cache(maxsize=1 << 12)
def read_inline(text: str) -> str:
    """The words of inline Markdown on one line; "5*3*2" has no emphasis."""
    if _MARKUP.isdisjoint(text):
        return " ".join(text.split())
    parts: list[str] = []
    for token in _inline_parser().parseInline(_WITHIN_WORD.sub(r"\\*", text)):
        for child in token.children or ():
            if child.type == "html_inline":
                tag = child.content.strip("</>").lower().partition(" ")[0].partition("/")[0]
                known = tag in HTML_TAGS or tag.startswith("!--")
                parts.append(" " if known else child.content)
            elif child.type in {"text", "code_inline"}:
                parts.append(child.content)
            elif child.type in {"softbreak", "hardbreak"}:
                parts.append(" ")
    return " ".join(_HALF.sub("", "".join(parts)).split())


@cache
def _inline_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")
