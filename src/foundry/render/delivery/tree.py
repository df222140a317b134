"""A small document tree, from which every export is written, and its reader for Markdown.

Markdown is read as CommonMark with tables; HTML in it is text. Pictures are never fetched, and
links lead only to web and mail addresses: anything else is kept as text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from markdown_it.tree import SyntaxTreeNode

from foundry.text.markdown import parse_markdown

_LINK = re.compile(r"(?:https?://|mailto:)[^\s\x00-\x1f\"<>\\^`{|}]+", re.IGNORECASE)
_PUNCTUATION = frozenset(".,;:!?…)]}”’\"'") | {""}
_MAX_DEPTH = 16
"""Levels of nested lists and quotes: more do not fit on a page."""
_HOLDERS = frozenset({"bullet_list", "ordered_list", "list_item", "blockquote"})
_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Text in a fixed-width font; ``short`` replaces it in print."""

    text: str
    short: str = ""


@dataclass(frozen=True, slots=True)
class Styled:
    """Emphasised text: ``style`` is "strong", "em" or "s" (struck through)."""

    style: str
    inner: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a web or mail address."""

    href: str
    inner: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class NoteMark:
    """The mark of a note; ``follows`` if it comes right after another, separated by a comma."""

    number: int
    follows: bool = False


@dataclass(frozen=True, slots=True)
class Break:
    """A line break within a paragraph."""


Inline = Text | Code | Styled | Link | NoteMark | Break


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 (a chapter) to 6; ``number`` is printed before it."""

    level: int
    inner: tuple[Inline, ...]
    number: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    inner: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list; ``start`` is the first number of an ordered one, None for bullets."""

    items: tuple[tuple[BlockNode, ...], ...]
    start: int | None = None


@dataclass(frozen=True, slots=True)
class TableBlock:
    """Rows of cells, the first of them the header; ``widths`` are relative, () for equal ones.

    ``aligned`` has "left", "center" or "right" for each column.
    """

    rows: tuple[tuple[tuple[Inline, ...], ...], ...]
    aligned: tuple[str, ...]
    widths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Lines in a fixed-width font."""

    text: str


@dataclass(frozen=True, slots=True)
class BlockQuote:
    """A quotation."""

    blocks: tuple[BlockNode, ...]


@dataclass(frozen=True, slots=True)
class Callout:
    """A highlighted warning."""

    title: str
    blocks: tuple[BlockNode, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the page."""


BlockNode = Heading | Paragraph | ListBlock | TableBlock | CodeBlock | BlockQuote | Callout | Rule


def clean(text: str) -> str:
    """The text without what a format cannot contain or a reader should not get.

    Control characters (not allowed in XML), marks that reorder text, and lone surrogates go.
    """
    return "".join(filter(_is_printable, text))


def extract_text(inner: Iterable[Inline]) -> str:
    """The plain text, without note marks and styles."""
    parts: list[str] = []
    for item in inner:
        if isinstance(item, Text | Code):
            parts.append(item.text)
        elif isinstance(item, Styled | Link):
            parts.append(extract_text(item.inner))
        elif isinstance(item, Break):
            parts.append(" ")
    return "".join(parts)


def compute_column_widths(table: TableBlock) -> tuple[int, ...]:
    """Relative widths by the longest cell of each column, limited to 6 … 40 characters.

    The limits are a guess: a narrow column stays readable, a wide one leaves room for others.
    """
    longest = (
        max(len(extract_text(cell)) for cell in column) for column in zip(*table.rows, strict=False)
    )
    return tuple(min(max(length, 6), 40) for length in longest)


def read_tree(markdown: str, notes: AbstractSet[int] = frozenset()) -> tuple[BlockNode, ...]:
    """The blocks of a text. Marks of ``notes`` become note marks, other marks stay text."""
    root = SyntaxTreeNode(parse_markdown(clean(markdown)))
    return _read_blocks(root.children, notes)


def read_inline(markdown: str) -> tuple[Inline, ...]:
    """One line of Markdown as running text, even if it would start another kind of block."""
    root = SyntaxTreeNode(parse_markdown(clean(markdown)))
    if len(root.children) == 1 and root.children[0].type == "paragraph":
        return _read_content(root.children[0], frozenset())
    return (Text(" ".join(clean(markdown).split())),)


def _is_printable(character: str) -> bool:
    if character in "\n\t":
        return True
    if character in _REORDERING or ord(character) & 0xFFFE == 0xFFFE:
        return False
    return unicodedata.category(character) not in {"Cc", "Cs"}


def _read_blocks(nodes: Sequence[SyntaxTreeNode], notes: AbstractSet[int]) -> tuple[BlockNode, ...]:
    blocks: list[BlockNode] = []
    for node in nodes:
        if node.level >= _MAX_DEPTH and node.type in _HOLDERS:
            # Deeper levels are shown at the deepest one.
            blocks += _read_blocks(node.children, notes)
        else:
            blocks.append(_read_block(node, notes))
    return tuple(blocks)


def _read_block(node: SyntaxTreeNode, notes: AbstractSet[int]) -> BlockNode:
    block: BlockNode
    match node.type:
        case "heading":
            block = Heading(int(node.tag[1]), _read_content(node, notes))
        case "bullet_list" | "ordered_list":
            items = tuple(_read_blocks(item.children, notes) for item in node.children)
            start = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
            block = ListBlock(items, start)
        case "table":
            block = _read_table(node, notes)
        case "blockquote":
            block = BlockQuote(_read_blocks(node.children, notes))
        case "fence" | "code_block":
            block = CodeBlock(node.content.rstrip("\n").expandtabs(4))
        case "hr":
            block = Rule()
        case "paragraph":
            block = Paragraph(_read_content(node, notes))
        case _:
            # An unknown kind of block is kept as text.
            block = Paragraph((Text(node.content or " ".join(x.content for x in node.walk())),))
    return block


def _read_table(node: SyntaxTreeNode, notes: AbstractSet[int]) -> TableBlock:
    rows = [row for group in node.children for row in group.children]
    cells = tuple(tuple(_read_content(cell, notes) for cell in row.children) for row in rows)
    aligned = tuple(_find_alignment(cell) for cell in rows[0].children)
    return TableBlock(cells, aligned)


def _find_alignment(cell: SyntaxTreeNode) -> str:
    side = str(cell.attrs.get("style", "")).removeprefix("text-align:")
    return side if side in {"center", "right"} else "left"


def _read_content(node: SyntaxTreeNode, notes: AbstractSet[int]) -> tuple[Inline, ...]:
    inner = [child for part in node.children if part.type == "inline" for child in part.children]
    return _read_inlines(inner, notes)


def _read_inlines(nodes: Sequence[SyntaxTreeNode], notes: AbstractSet[int]) -> tuple[Inline, ...]:
    pieces: list[Inline] = []
    for piece in (piece for node in nodes for piece in _read_inline(node, notes)):
        before = pieces[-1] if pieces else None
        if isinstance(piece, NoteMark) and isinstance(before, NoteMark):
            pieces.append(NoteMark(piece.number, follows=True))
            continue
        if isinstance(piece, NoteMark) and extract_text(pieces[-1:])[-1:] not in _PUNCTUATION:
            # Without a gap the mark would look like an exponent: "32 V¹".
            pieces.append(Text("\u00a0"))
        pieces.append(piece)
    return tuple(pieces)


def _read_inline(node: SyntaxTreeNode, notes: AbstractSet[int]) -> tuple[Inline, ...]:
    made: tuple[Inline, ...]
    match node.type:
        case "softbreak":
            made = (Text(" "),)
        case "hardbreak":
            made = (Break(),)
        case "code_inline":
            made = (Code(node.content),)
        case "strong" | "em" | "s":
            made = (Styled(node.type, _read_inlines(node.children, notes)),)
        case "link":
            made = _read_link(str(node.attrs.get("href", "")), _read_inlines(node.children, notes))
        case "image":
            made = (Text(f"{node.content} ({node.attrs.get('src', '')})".strip()),)
        case "footnote_mark":
            label = str(node.meta["label"])
            known = label.isascii() and label.isdigit() and int(label) in notes
            made = (NoteMark(int(label)),) if known else (Text(node.content),)
        case _:
            made = (Text(node.content),)
    return made


def _read_link(href: str, inner: tuple[Inline, ...]) -> tuple[Inline, ...]:
    if _LINK.fullmatch(href):
        return (Link(href, inner),)
    return (*inner, Text(f" ({href})")) if href else inner
