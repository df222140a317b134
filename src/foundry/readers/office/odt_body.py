"""Walks the body of an OpenDocument file and yields its pieces in reading order.

Notes and text boxes follow the paragraph or table they hang on. An item counts in its
list only if it has a paragraph of its own. Knows nothing of files, except that
equations are small files of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from foundry.readers.archive import Archive, Element
from foundry.readers.document_builder import DraftBlock, write_cell, write_table
from foundry.readers.office.odt_styles import PREFIXES, ListLevel, OdtCounter, OdtStyles
from foundry.readers.symbols import parse_integer, raise_digits
from foundry.records import BlockKind

_CONTAINERS = frozenset(
    {"text.section", "text.index-body", "text.bibliography", "draw.text-box", "draw.g", "draw.a"}
)
_SKIPPED = frozenset(
    {
        "text.table-of-content",
        "text.alphabetical-index",
        "text.illustration-index",
        "text.table-index",
        "text.object-index",
        "text.user-index",
        "office.forms",
        "presentation.notes",
    }
)
_ROW_GROUPS = frozenset({"table.table-header-rows", "table.table-rows", "table.table-row-group"})
_UNSHOWN = frozenset(
    {"office.annotation", "office.annotation-end", "text.number", "text.ruby-text"}
)
_FURNITURE = frozenset({"date-time", "footer", "header", "page-number"})
_MAX_HEADING = 200
_MAX_REPEAT = 100


@dataclass(slots=True)
class _OpenList:
    """The list that an item stands in."""

    levels: dict[int, ListLevel]
    counter: OdtCounter
    level: int


class OdtBody:
    """One walk through a document; ``title`` is known when it is done."""

    def __init__(self, styles: OdtStyles, archive: Archive) -> None:
        self._styles = styles
        self._archive = archive
        self._outline = OdtCounter()
        self._counters: dict[str, OdtCounter] = {}
        self._by_id: dict[str, OdtCounter] = {}
        self._hanging: list[Element] = []
        self.title: str | None = None
        self.has_changes = False
        self.has_comments = False

    def pieces(self, elements: Iterable[Element]) -> Iterator[DraftBlock]:
        """The pieces of block elements, with what hangs on them."""
        for element in elements:
            yield from self._block(element, None)
            yield from self._hung()

    def slide(self, page: Element, number: int) -> list[DraftBlock]:
        """The pieces of a slide, its title first, its notes last."""
        frames = [
            item
            for item in page
            if item.get("presentation.class") not in _FURNITURE and item.tag not in _SKIPPED
        ]
        titles = [item for item in frames if item.get("presentation.class") == "title"]
        title = write_cell(self.pieces(titles))
        pieces = list(self.pieces(item for item in frames if item not in titles))
        for notes in page.findall("presentation.notes"):
            said = [item for item in notes if item.get("presentation.class") == "notes"]
            text = "\n".join(piece.text for piece in self.pieces(said))
            pieces += [DraftBlock("paragraph", f"Speaker notes: {text}")] if text.strip() else []
        if not title and not pieces:
            return []
        return [DraftBlock("heading", title or f"Slide {number}", 1), *pieces]

    def _block(self, element: Element, item: _OpenList | None) -> Iterator[DraftBlock]:
        tag = element.tag
        if tag == "text.h":
            yield from self._heading(element, item)
        elif tag == "text.p":
            yield from self._paragraph(element, item)
        elif tag == "text.list":
            yield from self._list(element, item)
        elif tag == "table.table":
            yield from self._table(element)
        elif tag == "text.tracked-changes":
            self.has_changes = True
        elif tag in _CONTAINERS and element.get("text.display") != "none":
            for child in element:
                yield from self._block(child, None)
        elif tag.startswith("draw."):
            yield from self._drawing(element)
        elif tag == "text.numbered-paragraph":
            yield from self._numbered(element)

    def _heading(self, heading: Element, item: _OpenList | None) -> Iterator[DraftBlock]:
        level = parse_integer(heading.get("text.outline-level"), 1)
        marker = self._heading_marker(heading, item, level)
        text = self._words(heading).strip()
        if text and len(text) > _MAX_HEADING:
            yield DraftBlock("paragraph", _join_marker(marker, text))
        elif text:
            yield DraftBlock("heading", _join_marker(marker, text), min(max(level, 1), 6))

    def _heading_marker(self, heading: Element, item: _OpenList | None, level: int) -> str | None:
        printed = heading.findtext("text.number")
        if heading.get("text.is-list-header") == "true":
            return None
        if item is not None:
            marker = item.counter.count(item.levels, item.level)
            return printed or (None if marker == "•" else marker)
        named = self._styles.list_style(heading.get("text.style-name"))
        if named == "":
            return None
        if named and self._styles.list_levels(named):
            levels = self._styles.list_levels(named)
            return printed or self._counters.setdefault(named, OdtCounter()).count(levels, level)
        restart = heading.get("text.restart-numbering") == "true"
        start = parse_integer(heading.get("text.start-value"), 1) if restart else None
        return printed or self._outline.count(self._styles.outline, level, start)

    def _paragraph(self, paragraph: Element, item: _OpenList | None) -> Iterator[DraftBlock]:
        style = paragraph.get("text.style-name")
        marker = item.counter.count(item.levels, item.level) if item else None
        if self._styles.is_hidden(style):
            return
        text = self._words(paragraph)
        if not text.strip():
            return
        role = self._styles.role(style)
        if role == "title":
            self.title = self.title or " ".join(text.split())
            yield DraftBlock("heading", text, 1)
            return
        kinds: dict[str, BlockKind] = {"caption": "caption", "code": "code"}
        kind = kinds.get(role, "list_item" if item else "paragraph")
        yield DraftBlock(kind, _join_marker(paragraph.findtext("text.number") or marker, text))

    def _list(self, element: Element, outer: _OpenList | None) -> Iterator[DraftBlock]:
        if outer is not None:
            inner = _OpenList(outer.levels, outer.counter, outer.level + 1)
            named = self._styles.list_levels(element.get("text.style-name"))
            inner.levels = named or outer.levels
        else:
            inner = self._top_list(element)
        for child in element:
            if child.tag == "text.list-header":
                for part in child:
                    yield from self._block(part, None)
            elif child.tag == "text.list-item":
                yield from self._item(child, inner)

    def _top_list(self, element: Element) -> _OpenList:
        name = element.get("text.style-name", "")
        counter = self._by_id.get(element.get("text.continue-list", ""))
        if counter is None and element.get("text.continue-numbering") == "true":
            counter = self._counters.get(name)
        counter = counter or OdtCounter()
        self._counters[name] = counter
        identity = element.get("xml.id")
        if identity:
            self._by_id[identity] = counter
        return _OpenList(self._styles.list_levels(name), counter, 1)

    def _item(self, element: Element, inner: _OpenList) -> Iterator[DraftBlock]:
        start = element.get("text.start-value")
        if start is not None:
            # The item itself adds one.
            inner.counter.count(inner.levels, inner.level, parse_integer(start, 1) - 1)
        first = True
        for child in element:
            if child.tag == "text.list":
                yield from self._list(child, inner)
                continue
            yield from self._block(child, inner if first else None)
            first = False

    def _numbered(self, element: Element) -> Iterator[DraftBlock]:
        name = element.get("text.style-name", "")
        key = element.get("text.list-id") or name
        counter = self._counters.setdefault(key, OdtCounter())
        level = parse_integer(element.get("text.level"), 1)
        item = _OpenList(self._styles.list_levels(name), counter, level)
        for child in element:
            yield from self._block(child, item)

    def _table(self, table: Element) -> Iterator[DraftBlock]:
        rows = list(_find_rows(table))
        cells = [cell for row in rows for cell in row if cell.tag == "table.table-cell"]
        if len(cells) == 1:
            yield from self.pieces(cells[0])
            return
        text = write_table([self._row(row) for row in rows])
        if text:
            yield DraftBlock("table", text)

    def _row(self, row: Element) -> list[str]:
        texts: list[str] = []
        for cell in row:
            if cell.tag not in {"table.table-cell", "table.covered-table-cell"}:
                continue
            own = cell.tag == "table.table-cell"
            # What hangs on a cell's words follows the table, so that rows stay whole.
            pieces = [piece for part in cell for piece in self._block(part, None)] if own else []
            text = write_cell(pieces)
            times = parse_integer(cell.get("table.number-columns-repeated"), 1)
            # Repeating content, and that within nested tables, would let a file explode.
            texts += [text, *[""] * (min(max(times, 1), _MAX_REPEAT) - 1)]
        return texts

    def _hung(self) -> Iterator[DraftBlock]:
        hanging, self._hanging = self._hanging, []
        for element in hanging:
            if element.tag == "text.note":
                body = element.find("text.note-body")
                text = write_cell(self.pieces(body if body is not None else ()))
                yield DraftBlock("paragraph", f"{_format_citation(element)} {text}" if text else "")
            else:
                yield from self._drawing(element)
                yield from self._hung()

    def _drawing(self, element: Element) -> Iterator[DraftBlock]:
        for child in element:
            if child.tag in {"text.p", "text.h", "text.list", "table.table", "draw.text-box"}:
                yield from self._block(child, None)
            elif child.tag.startswith("draw."):
                yield from self._drawing(child)

    def _words(self, element: Element) -> str:
        parts: list[str] = []
        self._inline(element, parts)
        return "".join(parts)

    def _inline(self, element: Element, parts: list[str]) -> None:
        parts.append(_collapse(element.text))
        for child in element:
            self._inner(child, parts)
            parts.append(_collapse(child.tail))

    def _inner(self, child: Element, parts: list[str]) -> None:
        tag = child.tag
        if tag == "text.s":
            parts.append(" " * min(parse_integer(child.get("text.c"), 1), _MAX_REPEAT))
        elif tag == "text.tab":
            parts.append("\t")
        elif tag == "text.line-break":
            parts.append("\n")
        elif tag == "text.note":
            parts.append(_format_citation(child))
            self._hanging.append(child)
        elif tag in _UNSHOWN:
            self.has_comments = self.has_comments or tag == "office.annotation"
        elif tag.startswith("draw."):
            self._object(child, parts)
        elif not self._is_hidden(child):
            inner: list[str] = []
            self._inline(child, inner)
            text = "".join(inner)
            raised = tag == "text.span" and self._styles.is_raised(child.get("text.style-name"))
            parts.append(raise_digits(text) if raised else text)

    def _is_hidden(self, element: Element) -> bool:
        if element.get("text.is-hidden") == "true":
            return True
        return element.tag == "text.span" and self._styles.is_hidden(element.get("text.style-name"))

    def _object(self, drawing: Element, parts: list[str]) -> None:
        """An equation goes on in the line; other drawings hang on it."""
        for item in drawing.iter("draw.object"):
            formula = item.find("math.math")
            link = item.get("xlink.href", "").removeprefix("./")
            if formula is None and link:
                formula = self._archive.find_xml(f"{link}/content.xml", PREFIXES)
            if formula is not None and formula.tag == "math.math":
                note = next(formula.iter("math.annotation"), None)
                text = "".join(formula.itertext()) if note is None else note.text or ""
                parts.append(f" {' '.join(text.split())} ")
                return
        self._hanging.append(drawing)


def _find_rows(parent: Element) -> Iterator[Element]:
    for child in parent:
        if child.tag == "table.table-row":
            yield child
        elif child.tag in _ROW_GROUPS:
            yield from _find_rows(child)


def _format_citation(note: Element) -> str:
    return f"[{note.findtext('text.note-citation') or '*'}]"


def _collapse(text: str | None) -> str:
    # White space of the file collapses (ODF 1.3 §6.1.2); wanted spaces are elements.
    if not text:
        return ""
    words = " ".join(text.split())
    lead = " " if text[0].isspace() else ""
    trail = " " if words and text[-1].isspace() else ""
    return f"{lead}{words}{trail}"


def _join_marker(marker: str | None, text: str) -> str:
    return f"{marker} {text.strip()}" if marker else text
