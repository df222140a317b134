"""A small tree of what a document is made of: the form that every export writes from.

Markdown is read as CommonMark with tables; HTML in it is text. Pictures are never
fetched and links go to web or mail addresses only: everything else stays as words.
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
# What reorders text on screen or prints nothing: an XML file may not hold the controls at all.
_PUNCTUATION = frozenset(".,;:!?…)]}”’\"'") | {""}
_MAX_DEPTH = 16
_HOLDERS = frozenset({"bullet_list", "ordered_list", "list_item", "blockquote"})
_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True, slots=True)
class Text:
    """Words as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Words in a fixed pitch; ``short`` is what print shows in their place."""

    text: str
    short: str = ""


@dataclass(frozen=True, slots=True)
class Styled:
    """Words that stand out: "strong", "em" or "s" (struck)."""

    style: str
    inner: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead to a web or mail address."""

    href: str
    inner: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class NoteMark:
    """The mark of a note of the document's one list; ``follows`` another, so a comma parts them."""

    number: int
    follows: bool = False


@dataclass(frozen=True, slots=True)
class Break:
    """A new line within a paragraph."""


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
    """Rows of cells, the first row its header; ``widths`` are parts of the line, () for even ones.

    ``aligned`` is "left", "center" or "right" per column.
    """

    rows: tuple[tuple[tuple[Inline, ...], ...], ...]
    aligned: tuple[str, ...]
    widths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Lines in a fixed pitch."""

    text: str


@dataclass(frozen=True, slots=True)
class BlockQuote:
    """Words of another."""

    blocks: tuple[BlockNode, ...]


@dataclass(frozen=True, slots=True)
class Callout:
    """A warning that must be seen."""

    title: str
    blocks: tuple[BlockNode, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the page."""


BlockNode = Heading | Paragraph | ListBlock | TableBlock | CodeBlock | BlockQuote | Callout | Rule


def clean(text: str) -> str:
    """Text that every format can hold: no control characters, no marks that reorder, no halves."""
    return "".join(filter(_is_printable, text))


def extract_text(inner: Iterable[Inline]) -> str:
    """The words of running text without marks and styles."""
    parts: list[str] = []
    for one in inner:
        if isinstance(one, Text | Code):
            parts.append(one.text)
        elif isinstance(one, Styled | Link):
            parts.append(extract_text(one.inner))
        elif isinstance(one, Break):
            parts.append(" ")
    return "".join(parts)


def compute_column_widths(table: TableBlock) -> tuple[int, ...]:
    """Parts of the line by the longest cell of each column, none starved and none greedy."""
    longest = (
        max(len(extract_text(cell)) for cell in column) for column in zip(*table.rows, strict=False)
    )
    return tuple(min(max(length, 6), 40) for length in longest)


def read_tree(markdown: str, notes: AbstractSet[int] = frozenset()) -> tuple[BlockNode, ...]:
    """The blocks of a text; marks of ``notes`` become note marks, any others stay words."""
    root = SyntaxTreeNode(parse_markdown(clean(markdown)))
    return _read_blocks(root.children, notes)


def read_inline(markdown: str) -> tuple[Inline, ...]:
    """One line of Markdown as running text, whatever block it would begin."""
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
    made: list[BlockNode] = []
    for node in nodes:
        if node.level >= _MAX_DEPTH and node.type in _HOLDERS:
            # What is nested deeper than any page can show stands in one column.
            made += _read_blocks(node.children, notes)
        else:
            made.append(_read_block(node, notes))
    return tuple(made)


def _read_block(node: SyntaxTreeNode, notes: AbstractSet[int]) -> BlockNode:
    made: BlockNode
    match node.type:
        case "heading":
            made = Heading(int(node.tag[1]), _read_content(node, notes))
        case "bullet_list" | "ordered_list":
            items = tuple(_read_blocks(item.children, notes) for item in node.children)
            made = ListBlock(items, _find_start(node))
        case "table":
            made = _read_table(node, notes)
        case "blockquote":
            made = BlockQuote(_read_blocks(node.children, notes))
        case "fence" | "code_block":
            made = CodeBlock(node.content.rstrip("\n").expandtabs(4))
        case "hr":
            made = Rule()
        case "paragraph":
            made = Paragraph(_read_content(node, notes))
        case _:
            # A kind of block that this tree has no place for keeps its words.
            made = Paragraph((Text(node.content or " ".join(x.content for x in node.walk())),))
    return made


def _find_start(node: SyntaxTreeNode) -> int | None:
    return int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None


def _read_table(node: SyntaxTreeNode, notes: AbstractSet[int]) -> TableBlock:
    rows = [row for group in node.children for row in group.children]
    cells = tuple(tuple(_read_content(cell, notes) for cell in row.children) for row in rows)
    aligned = tuple(_find_alignment(cell) for cell in rows[0].children)
    return TableBlock(cells, aligned)


def _find_alignment(cell: SyntaxTreeNode) -> str:
    found = str(cell.attrs.get("style", "")).removeprefix("text-align:")
    return found if found in {"center", "right"} else "left"


def _read_content(node: SyntaxTreeNode, notes: AbstractSet[int]) -> tuple[Inline, ...]:
    inner = [child for one in node.children if one.type == "inline" for child in one.children]
    return _read_inlines(inner, notes)


def _read_inlines(nodes: Sequence[SyntaxTreeNode], notes: AbstractSet[int]) -> tuple[Inline, ...]:
    pieces: list[Inline] = []
    for one in (piece for node in nodes for piece in _read_inline(node, notes)):
        before = pieces[-1] if pieces else None
        if isinstance(one, NoteMark) and isinstance(before, NoteMark):
            pieces.append(NoteMark(one.number, follows=True))
            continue
        if isinstance(one, NoteMark) and extract_text(pieces[-1:])[-1:] not in _PUNCTUATION:
            # Without a gap "32 V" and "mm²" would seem to have an exponent.
            pieces.append(Text("\u00a0"))
        pieces.append(one)
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
