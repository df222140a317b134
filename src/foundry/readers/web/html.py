"""Reads web pages (HTML): the main content under its headings, without the site around it.

Menus, banners, footers and cookie notices are left out if the page marks them as such; if
nothing else is left, the whole page is read. Links are not followed and scripts not run,
so text that a script would write is missing.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.aligned_text import find_aligned_grid
from foundry.readers.decoding import DecodedText, decode
from foundry.readers.document_builder import (
    DocumentBuilder,
    DraftBlock,
    add_blocks,
    draft_table,
    find_clues,
    write_cell,
)
from foundry.readers.grids import GridCell
from foundry.readers.symbols import format_counter, parse_integer, raise_digits
from foundry.records import BlockKind, Document

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
_ANCHORS = frozenset({"¶", "🔗", "⚓"})
_PERMALINKS = _ANCHORS | {"#", "§", "link", "permalink"}
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

TAB = "data-foundry-tab"
"""Attribute of a section that is one of several alternatives, with its title."""

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
        self._level = 0

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
        if tag == "a" and node.text().strip() in _ANCHORS:
            return
        level = HEADINGS.get(tag) or _find_aria_level(node)
        if level:
            self._write_heading(node, level)
        elif TAB in node.attributes:
            self._write_tab(node)
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
            self._level = level
            self.blocks.append(DraftBlock("heading", text, level))

    def _write_tab(self, node: LexborNode) -> None:
        """A section of its own that ends with its element, unlike one below a heading."""
        self.flush()
        above, self._level = self._level, self._level + 1
        title = " ".join((node.attributes.get(TAB) or "").split())
        self.blocks.append(DraftBlock("heading", title, self._level))
        self.visit(node)
        self.flush()
        self._level = above
        self.blocks.append(DraftBlock("heading", "", above + 1))

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


_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_HEAD_BYTES = 4096
_SITE_ROLES = frozenset({"navigation", "contentinfo", "search", "menu", "menubar", "toolbar"})
_SITE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|menu|sidebar|breadcrumbs?|pagination|pager|footer|toc|share|social|"
    r"skip-?(?:link|nav|to)?|related|advert\w*)(?:$|[\s_-])",
    re.IGNORECASE,
)
_COOKIE_NAMES = re.compile(r"cookie-?(?:banner|consent|notice|bar)|consent-banner", re.IGNORECASE)
_MAX_LEVELS = 2_000
"""Deepest nesting. The walk gives up at some hundreds of levels, but parsing takes their square."""
_MAX_ATTRIBUTES = 2_000
"""Most attributes of an element, of which parsing takes the square; real ones have some dozens."""
_MARKUP = re.compile(
    r"""<!--(?:-?>|.*?(?:--!?>|\Z))|<(script|style|textarea|title|xmp)\b.*?(?:</\1|\Z)"""
    r"""|<(?P<end>/?)(?P<tag>[a-z][^\s/>]*)(?P<attributes>(?:[^>"']+|"[^"]*"|'[^']*')*)""",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""[^\s=/"'>]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?""")
_EMPTY_TAGS = "area base br col embed hr img input link meta param source track wbr html body"
_EMPTY = frozenset(_EMPTY_TAGS.split())
_ENDED_TAGS = "a nobr p li dt dd option optgroup rp rt tr td th thead tbody tfoot caption colgroup"
# The next of its kind ends it.
_ENDED = frozenset(_ENDED_TAGS.split())
_INLINE_TAGS = """
    abbr b big cite code em font i ins kbd mark q s samp small span strike strong sub sup tt u"""
_INLINE = _ENDED | frozenset(_INLINE_TAGS.split())
_FAR = 200
"""Elements looked back at to find the one that ends, so that this takes no minutes either."""
_INSIDE_CONTENT = frozenset({"article", "main", "section", "blockquote", "dialog"})
_MOSTLY_LINKS = 0.6
"""Share of text in links above which a sidebar or list is navigation. A guess."""
_ENOUGH_OF_PAGE = 0.2
"""Share of the page's text below which a ``main`` element is not the main content. A guess."""


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """The title, the blocks and the properties of a web page."""

    title: str | None
    blocks: list[DraftBlock]
    properties: Mapping[str, str] = field(default_factory=dict)


def read_html(path: Path, options: ReadOptions) -> Document:
    """Read an HTML file. Raises ``ReadError`` for binary data and pages without text."""
    decoded = decode_html(path.read_bytes())
    page = read_page(decoded.text)
    builder = DocumentBuilder("html")
    add_blocks(builder, page.blocks)
    builder.warn(decoded.warning)
    clues = find_clues(page.blocks, {**page.properties, "title": page.title})
    return builder.build(options.name, clues, reason=Message("readers-html-empty"))


def decode_html(data: bytes) -> DecodedText:
    """Decode a page in the encoding that it declares, if possible."""
    declared = _CHARSET.search(data[:_HEAD_BYTES])
    if declared and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        name = declared[1].decode("ascii", "replace").lower()
        # Browsers read these as Windows-1252, and so do their authors.
        name = "cp1252" if name in {"iso-8859-1", "us-ascii", "ascii", "latin1"} else name
        try:
            return DecodedText(data.decode(name), name)
        except (LookupError, ValueError):
            pass
    return decode(data)


def read_page(html: str, *, whole: bool = False) -> HtmlPage:
    """Read a page; ``whole`` for books and e-mails, which have no site around them."""
    _refuse_bombs(html)
    tree = LexborHTMLParser(html)
    body = tree.body
    if body is None:
        return HtmlPage(None, [])
    blocks: list[DraftBlock] = []
    if not whole:
        blocks = _read_main_content(body)
    if not blocks:
        blocks = walk_html(body)
    return HtmlPage(_find_page_title(tree, body), blocks, _read_properties(tree))


def _refuse_bombs(html: str) -> None:
    """Raise ``ReadError`` for markup that would take the parser minutes, before it is parsed.

    An estimate: a page that is made to deceive it runs into the time limit of the parser.
    """
    opened: list[str] = []
    for match in _MARKUP.finditer(html):
        tag, attributes = (match["tag"] or "").lower(), match["attributes"] or ""
        if len(attributes) > _MAX_ATTRIBUTES and (
            sum(1 for _ in _ATTRIBUTE.finditer(attributes)) > _MAX_ATTRIBUTES
        ):
            raise ReadError("readers-html-attributes", limit=_MAX_ATTRIBUTES)
        if not tag or tag in _EMPTY:
            continue
        if match["end"] or tag in _ENDED:
            _close_element(opened, tag)
        if not match["end"] and not (attributes.endswith("/") and "svg" in opened):
            opened.append(tag)
        if len(opened) > _MAX_LEVELS:
            raise ReadError("readers-html-nested", limit=_MAX_LEVELS)


def _close_element(opened: list[str], tag: str) -> None:
    """Close the last element with this tag, and what it contains; an inline one ends no block."""
    for index in range(len(opened) - 1, max(len(opened) - _FAR, 0) - 1, -1):
        if opened[index] == tag:
            del opened[index:]
            return
        if tag in _INLINE and opened[index] not in _INLINE:
            return


def _read_main_content(body: LexborNode) -> list[DraftBlock]:
    main = _find_main(body)
    if main is None:
        return walk_html(body, _is_site)
    blocks = walk_html(main, lambda node: _is_site(node, inside=True))
    above = [item for item in body.css("h1") if not is_unseen(item)]
    if blocks and not main.css("h1") and len(above) == 1 and not main.css_matches("h1"):
        # Many sites put the heading of the page above its main element.
        blocks.insert(0, DraftBlock("heading", read_words(above[0]), 1))
    return blocks


def _find_main(body: LexborNode) -> LexborNode | None:
    candidates = body.css("main, [role=main]")
    if not candidates:
        articles = body.css("article")
        candidates = articles if len(articles) == 1 else []
    best = max(candidates, key=lambda node: len(node.text()), default=None)
    if best is None or len(best.text()) < _ENOUGH_OF_PAGE * len(body.text()):
        return None
    return best


def _is_site(node: LexborNode, *, inside: bool = False) -> bool:
    """Whether an element belongs to the site rather than to the content of the page."""
    tag = node.tag
    role = node.attributes.get("role") or ""
    if tag == "nav" or role in _SITE_ROLES:
        return True
    names = f"{node.attributes.get('class') or ''} {node.attributes.get('id') or ''}"
    if _COOKIE_NAMES.search(names):
        return True
    if tag == "footer" or (tag == "header" and node.css_first(", ".join(HEADINGS)) is None):
        return not inside and not _is_in_content(node)
    if tag == "aside" or (tag in {"div", "ul", "section", "p"} and _SITE_NAMES.search(names)):
        return _compute_link_share(node) > _MOSTLY_LINKS
    return False


def _is_in_content(node: LexborNode) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag in _INSIDE_CONTENT:
            return True
        parent = parent.parent
    return False


def _compute_link_share(node: LexborNode) -> float:
    links = sum(len(link.text(strip=True)) for link in node.css("a"))
    return links / max(len(node.text(strip=True)), 1)


def _read_properties(tree: LexborHTMLParser) -> dict[str, str]:
    """What the head of a page says of it: "dcterms.modified" as "modified"."""
    found: dict[str, str] = {}
    for item in tree.css("head meta[content]"):
        name = item.attributes.get("name") or item.attributes.get("property") or ""
        found.setdefault(re.split(r"[.:]", name.lower())[-1], item.attributes.get("content") or "")
    return found


def _find_page_title(tree: LexborHTMLParser, body: LexborNode) -> str | None:
    element = tree.css_first("title")
    title = " ".join(element.text().split()) if element else ""
    headings = [read_words(item) for item in body.css("h1") if not is_unseen(item)]
    if len(headings) == 1 and headings[0] and headings[0] in title:
        # "Intervals – Manual – Acme" → "Intervals"
        return headings[0]
    return title or None
