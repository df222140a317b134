"""Walks parsed HTML and builds its blocks: headings, paragraphs, lists, tables, code.

Leaves out what the page does not show: scripts, styles, hidden elements, deleted text. The
caller decides what else to leave out, such as menus.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborNode

from foundry.readers.aligned_text import find_aligned_grid
from foundry.readers.document_builder import DraftBlock, draft_table, write_cell
from foundry.readers.grids import GridCell
from foundry.readers.symbols import format_counter, parse_integer, raise_digits
from foundry.records import BlockKind

HEADINGS = {f"h{level}": level for level in range(1, 7)}
_UNSEEN_TAGS = """
    script style noscript template iframe object embed canvas svg audio video map select option
    datalist button textarea head title meta link base rp rt del dialog progress meter"""
_UNSEEN = frozenset(_UNSEEN_TAGS.split())
_BLOCK_TAGS = """
    address article aside blockquote body center details dialog div fieldset figure footer form
    header hgroup hr main nav p section summary search noframes dir"""
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_CAPTIONS = frozenset({"figcaption", "caption", "legend"})
_ORDERED = {
    "a": "lowerLetter",
    "A": "upperLetter",
    "i": "lowerRoman",
    "I": "upperRoman",
}
_PERMALINKS = frozenset({"¶", "#", "§", "🔗", "⚓", "link", "permalink"})
_INVISIBLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_WHITE = re.compile(r"[ \t\n\r\f\xa0]+")
# White space in the source collapses; line breaks of the page (<br>) must not.
_LINE = "\x0b"
_AROUND_LINE = re.compile(r" *\x0b *")
_MAX_SPAN = 100
"""Most columns that a cell may cover, so that a small page cannot fill the memory."""

_INDENT = re.compile(
    r"(?:padding-left|text-indent|margin-left)\s*:\s*(-?\d*\.?\d+)\s*(pt|px|em)", re.IGNORECASE
)
_POINTS = {"pt": 1.0, "px": 0.75, "em": 12.0}
_BOLD = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)

LeaveOut = Callable[[LexborNode], bool]


def walk_html(root: LexborNode, leave_out: LeaveOut = lambda _: False) -> list[DraftBlock]:
    """Return the blocks below ``root`` in reading order, without what ``leave_out`` selects."""
    walker = _Walker(leave_out)
    walker.visit(root)
    walker.flush()
    return walker.blocks


def read_words(node: LexborNode) -> str:
    """Return the visible text of an element on one line."""
    return write_cell(walk_html(node))


def is_unseen(node: LexborNode) -> bool:
    """Whether the page does not show an element."""
    if node.tag in _UNSEEN:
        return True
    attributes = node.attributes
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    return bool(_INVISIBLE.search(attributes.get("style") or ""))


class _Walker:
    def __init__(self, leave_out: LeaveOut) -> None:
        self.blocks: list[DraftBlock] = []
        self._leave_out = leave_out
        self._buffer: list[str] = []
        self._marker: str | None = None

    def visit(self, parent: LexborNode) -> None:
        for node in parent.iter(include_text=True):
            if node.is_text_node:
                self._buffer.append(_WHITE.sub(" ", node.text(deep=False)))
            elif node.is_element_node and not is_unseen(node) and not self._leave_out(node):
                self._visit_element(node)

    def flush(self, kind: BlockKind = "paragraph") -> None:
        """Finish the current block."""
        text = "".join(self._buffer)
        self._buffer = []
        text = _AROUND_LINE.sub("\n", re.sub(" {2,}", " ", text)).strip()
        if not text:
            return
        if self._marker is not None:
            kind, text = "list_item", f"{self._marker} {text}"
            self._marker = None
        self.blocks.append(DraftBlock(kind, text))

    def _visit_element(self, node: LexborNode) -> None:
        tag = node.tag or ""
        level = HEADINGS.get(tag) or _find_aria_level(node)
        if level:
            self._write_heading(node, level)
        elif tag in _LISTS:
            self._write_list(node)
        elif tag in _CAPTIONS:
            self._write_block(node, "caption")
        elif tag in _BLOCKS:
            self._write_block(node, "paragraph")
        elif tag in _SPECIAL:
            _SPECIAL[tag](self, node)
        else:
            self.visit(node)

    def _write_block(self, node: LexborNode, kind: BlockKind) -> None:
        self.flush()
        self.visit(node)
        self.flush(kind)

    def _write_heading(self, node: LexborNode, level: int) -> None:
        self.flush()
        self._marker = None
        text = write_cell(
            walk_html(node, lambda link: self._leave_out(link) or _is_permalink(link))
        )
        if text:
            self.blocks.append(DraftBlock("heading", text, level))

    def _write_list(self, node: LexborNode) -> None:
        self.flush()
        outer = self._marker
        step = -1 if "reversed" in node.attributes else 1
        items = [item for item in node.iter() if item.tag == "li" and not is_unseen(item)]
        number = parse_integer(node.attributes.get("start"), len(items) if step < 0 else 1)
        form = _ORDERED.get(node.attributes.get("type") or "", "decimal")
        for item in node.iter():
            if item.tag != "li":
                self._visit_element(item)
                continue
            if is_unseen(item) or self._leave_out(item):
                continue
            number = parse_integer(item.attributes.get("value"), number)
            written = format_counter(number, form) or str(number)
            self._marker = f"{written}." if node.tag == "ol" else "•"
            self.visit(item)
            self.flush()
            number += step
        self._marker = outer if outer is None else None

    def _write_term(self, node: LexborNode) -> None:
        self.flush()
        self.visit(node)
        term = "".join(self._buffer).strip()
        # The first definition follows on the line of its term.
        self._buffer = [term, "" if term.endswith((":", "?")) else ":", " "] if term else []

    def _write_definition(self, node: LexborNode) -> None:
        self.visit(node)
        self.flush("list_item")

    def _write_table(self, node: LexborNode) -> None:
        self.flush()
        self._marker = None
        rows = [list(_find_cells(row)) for row in _find_rows(node)]
        if _is_layout(node, rows):
            for cell in (cell for row in rows for cell in row):
                self._write_block(cell, "paragraph")
            return
        for caption in node.iter():
            if caption.tag == "caption":
                self._write_block(caption, "caption")
        self.blocks.append(draft_table(self._read_grid(rows)))

    def _read_grid(self, rows: list[list[LexborNode]]) -> Iterator[GridCell]:
        covered: dict[int, int] = {}
        for number, row in enumerate(rows):
            column = 0
            for node in row:
                while covered.get(column, 0) > number:
                    column += 1
                columns = min(max(parse_integer(node.attributes.get("colspan"), 1), 1), _MAX_SPAN)
                # 0 means "to the end".
                down = parse_integer(node.attributes.get("rowspan"), 1) or len(rows)
                down = min(max(down, 1), len(rows) - number)
                covered |= dict.fromkeys(range(column, column + columns), number + down)
                text = write_cell(walk_html(node, self._leave_out))
                header = node.tag == "th"
                indent = _find_indent(node)
                bold = header or _is_bold(node)
                yield GridCell(text, number, column, down, columns, indent, bold, header or None)
                column += columns

    def _write_code(self, node: LexborNode) -> None:
        self.flush()
        text = textwrap.dedent(node.text()).strip("\n").rstrip()
        grid = find_aligned_grid(text)
        if grid is not None:
            self.blocks.append(draft_table(grid))
        elif text:
            self.blocks.append(DraftBlock("code", text))

    def _write_break(self, _: LexborNode) -> None:
        self._buffer.append(_LINE)

    def _write_raised(self, node: LexborNode) -> None:
        text = _WHITE.sub(" ", node.text())
        self._buffer.append(raise_digits(text))

    def _write_input(self, node: LexborNode) -> None:
        if (node.attributes.get("type") or "").lower() in {"checkbox", "radio"}:
            self._buffer.append("☒ " if "checked" in node.attributes else "☐ ")

    def _write_formula(self, node: LexborNode) -> None:
        written = node.attributes.get("alttext") or _read_annotation(node) or node.text()
        self._buffer.append(f" {_WHITE.sub(' ', written).strip()} ")


_SPECIAL: dict[str, Callable[[_Walker, LexborNode], None]] = {
    "dl": lambda walker, node: walker._write_block(node, "paragraph"),  # noqa: SLF001  the table of the class
    "dt": _Walker._write_term,  # noqa: SLF001
    "dd": _Walker._write_definition,  # noqa: SLF001
    "table": _Walker._write_table,  # noqa: SLF001
    "pre": _Walker._write_code,  # noqa: SLF001
    "listing": _Walker._write_code,  # noqa: SLF001
    "br": _Walker._write_break,  # noqa: SLF001
    "sup": _Walker._write_raised,  # noqa: SLF001
    "input": _Walker._write_input,  # noqa: SLF001
    "math": _Walker._write_formula,  # noqa: SLF001
}


def _find_rows(table: LexborNode) -> Iterator[LexborNode]:
    for node in table.iter():
        if is_unseen(node):
            continue
        if node.tag == "tr":
            yield node
        elif node.tag in {"thead", "tbody", "tfoot", "form"}:
            yield from _find_rows(node)


def _find_cells(row: LexborNode) -> Iterator[LexborNode]:
    return (node for node in row.iter() if node.tag in {"td", "th"} and not is_unseen(node))


def _is_layout(table: LexborNode, rows: list[list[LexborNode]]) -> bool:
    if (table.attributes.get("role") or "") in {"presentation", "none"}:
        return True
    if sum(map(len, rows)) == 1:
        return True
    if any(cell.tag == "th" for row in rows for cell in row):
        return False
    inner = ", ".join(f"td {tag}" for tag in ("table", *HEADINGS))
    columns = max(map(len, rows), default=0)
    return 1 in {len(rows), columns} and table.css_first(inner) is not None


def _find_indent(cell: LexborNode) -> float:
    """How far a cell's text is indented: by its style in points, or by non-breaking spaces."""
    nodes = [cell, *cell.css("div, p, span")[:2]]
    stated = (_INDENT.search(node.attributes.get("style") or "") for node in nodes)
    points = sum(float(match[1]) * _POINTS[match[2].lower()] for match in stated if match)
    text = cell.text()
    return points + len(text) - len(text.lstrip("\xa0\u2003\u2002"))


def _is_bold(cell: LexborNode) -> bool:
    """Whether a cell's text begins in bold type."""
    if cell.css_first("b, strong") is not None:
        return True
    nodes = [cell, *cell.css("div, p, span, font")[:3]]
    return any(_BOLD.search(node.attributes.get("style") or "") for node in nodes)


def _find_aria_level(node: LexborNode) -> int | None:
    if node.attributes.get("role") != "heading":
        return None
    return min(max(parse_integer(node.attributes.get("aria-level"), 2), 1), 6)


def _is_permalink(node: LexborNode) -> bool:
    return node.tag == "a" and node.text().strip().lower() in _PERMALINKS


def _read_annotation(node: LexborNode) -> str:
    note = node.css_first("annotation")
    return note.text() if note else ""
