"""Reads OpenDocument texts and presentations (ODT, OTT, ODP) into blocks.

The XML is read directly to keep outline numbers, lists, notes and text boxes in order.
Notes and text boxes follow the paragraph or table that refers to them; page headers and footers
come first, once each. Comments, tracked deletions, hidden text and tables of contents are left
out. Texts have no stable pages; the pages of a presentation are its slides.
A list level with an unknown number format gives no number rather than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.archive import (
    Archive,
    Element,
    build_encryption_error,
    build_wrong_kind_error,
    name_mimetype,
)
from foundry.readers.document_builder import (
    MAX_HEADING_CHARS,
    DocumentBuilder,
    DraftBlock,
    add_blocks,
    draft_furniture,
    draft_table,
    find_clues,
    join_marker,
    write_cell,
)
from foundry.readers.front.document_names import FRONT_BLOCKS
from foundry.readers.grids import GridCell
from foundry.readers.office.openxml import (
    CHANGES_ACCEPTED,
    MAX_CHAIN,
    Role,
    find_role,
    note_pictures,
)
from foundry.readers.symbols import format_counter, parse_integer, raise_digits, simplify_bullet
from foundry.records import BlockKind, Document

PREFIXES = {
    **{
        f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0": prefix
        for name, prefix in (
            ("office", "office"),
            ("text", "text"),
            ("table", "table"),
            ("drawing", "draw"),
            ("style", "style"),
            ("presentation", "presentation"),
            ("meta", "meta"),
            ("manifest", "manifest"),
        )
    },
    "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0": "loext",
    "http://www.w3.org/1999/xlink": "xlink",
    "http://www.w3.org/XML/1998/namespace": "xml",
    "http://www.w3.org/1998/Math/MathML": "math",
    "http://purl.org/dc/elements/1.1/": "dc",
}
"""Namespaces of OpenDocument → prefix."""

LEVELS = 10
_FORMS = {
    "1": "decimal",
    "a": "lowerLetter",
    "A": "upperLetter",
    "i": "lowerRoman",
    "I": "upperRoman",
}
_PLACEHOLDER = re.compile(r"%(\d+)%")


@dataclass(frozen=True, slots=True)
class ListLevel:
    """A level of a list; ``form`` is None for a bullet and "" for no number."""

    form: str | None = ""
    prefix: str = ""
    suffix: str = ""
    pattern: str | None = None
    shown_levels: int = 1
    start: int = 1
    bullet: str = "•"


@dataclass(frozen=True, slots=True)
class _Style:
    parent: str | None
    name: str
    list_style: str | None
    raised: bool
    hidden: bool


class OdtStyles:
    """The common and automatic styles of a document."""

    def __init__(self, roots: Iterable[Element]) -> None:
        """``roots`` are the styles part and the content part, if they exist."""
        self._styles: dict[str, _Style] = {}
        self._lists: dict[str, dict[int, ListLevel]] = {}
        self.outline: dict[int, ListLevel] = {}
        for root in roots:
            for item in root.iter("style.style"):
                properties = item.find("style.text-properties")
                position = "" if properties is None else properties.get("style.text-position", "")
                shift = position.split(" ", 1)[0]
                self._styles[item.get("style.name", "")] = _Style(
                    parent=item.get("style.parent-style-name"),
                    name=item.get("style.display-name") or item.get("style.name") or "",
                    list_style=item.get("style.list-style-name"),
                    raised=shift == "super"
                    or (shift.endswith("%") and parse_integer(shift[:-1], 0) > 0),
                    hidden=properties is not None and properties.get("text.display") == "none",
                )
            for item in root.iter("text.list-style"):
                self._lists[item.get("style.name", "")] = _read_levels(item)
            for item in root.iter("text.outline-style"):
                self.outline = _read_levels(item)

    def get_role(self, name: str | None) -> Role:
        """Return the kind of text that a paragraph style is for."""
        for style in self._walk_chain(name):
            role = find_role(style.name.replace("_20_", " "))
            if role != "body":
                return role
        return "body"

    def find_list_style(self, name: str | None) -> str | None:
        """Return the list style of a paragraph style; "" turns lists off, None is undefined."""
        names = (style.list_style for style in self._walk_chain(name))
        return next((name for name in names if name is not None), None)

    def get_list_levels(self, name: str | None) -> dict[int, ListLevel]:
        """Return the levels of a list style by number from 1; empty for an unknown style."""
        return self._lists.get(name or "", {})

    def is_raised(self, name: str | None) -> bool:
        """Whether a text style is superscript."""
        return any(style.raised for style in self._walk_chain(name))

    def is_hidden(self, name: str | None) -> bool:
        """Whether a text or paragraph style is hidden."""
        return any(style.hidden for style in self._walk_chain(name))

    def _walk_chain(self, name: str | None) -> Iterator[_Style]:
        for _ in range(MAX_CHAIN):
            style = self._styles.get(name or "")
            if style is None:
                return
            yield style
            name = style.parent


class OdtCounter:
    """The counters of a list or of the outline, by level from 1."""

    def __init__(self) -> None:
        self._values: dict[int, int] = {}

    def count(
        self, levels: dict[int, ListLevel], level: int, start: int | None = None
    ) -> str | None:
        """Count an item and return its marker, or None if it has none."""
        level = min(max(level, 1), LEVELS)
        own = levels.get(level)
        for above in range(1, level):
            # A skipped level shows its start value and counts as used.
            self._values.setdefault(above, levels.get(above, ListLevel()).start)
        first = own.start if own else 1
        self._values[level] = start if start is not None else self._values.get(level, first - 1) + 1
        for deeper in range(level + 1, LEVELS + 1):
            self._values.pop(deeper, None)
        if own is None or own.form == "":
            return None
        return own.bullet if own.form is None else self._format(levels, own, level)

    def _format(self, levels: dict[int, ListLevel], own: ListLevel, level: int) -> str | None:
        if own.pattern is not None:
            numbers = {int(item) for item in _PLACEHOLDER.findall(own.pattern)}
            texts = {number: self._format_number(levels, number) for number in numbers}
            if any(text is None for text in texts.values()):
                return None
            return _PLACEHOLDER.sub(lambda item: texts[int(item[1])] or "", own.pattern).strip()
        shown = range(max(level - own.shown_levels + 1, 1), level + 1)
        parts = [self._format_number(levels, number) for number in shown]
        if any(part is None for part in parts):
            return None
        number = ".".join(part for part in parts if part)
        return f"{own.prefix}{number}{own.suffix}".strip()

    def _format_number(self, levels: dict[int, ListLevel], level: int) -> str | None:
        own = levels.get(level)
        if own is None or not own.form:
            return ""
        form = _FORMS.get(own.form)
        return format_counter(self._values.get(level, own.start), form) if form else None


def _read_levels(item: Element) -> dict[int, ListLevel]:
    return {parse_integer(child.get("text.level"), 0): _read_level(child) for child in item}


def _read_level(item: Element) -> ListLevel:
    if not item.tag.endswith(("level-style-number", "outline-level-style")):
        return ListLevel(form=None, bullet=simplify_bullet(item.get("text.bullet-char", "•")))
    return ListLevel(
        form=item.get("style.num-format", ""),
        prefix=item.get("style.num-prefix", ""),
        suffix=item.get("style.num-suffix", ""),
        pattern=item.get("loext.num-list-format"),
        shown_levels=parse_integer(item.get("text.display-levels"), 1),
        start=parse_integer(item.get("text.start-value"), 1),
    )


_KIND = Message("readers-kind-odf-text")
_MIMETYPES = tuple(
    f"application/vnd.oasis.opendocument.{kind}" for kind in ("text", "presentation")
)
_CONTAINERS = frozenset(
    {"text.section", "text.index-body", "text.bibliography", "draw.text-box", "draw.g", "draw.a"}
)
_INDEXES = ("table-of-content", "alphabetical", "illustration", "table", "object", "user")
_SKIPPED = frozenset(
    {"text.table-of-content", "office.forms", "presentation.notes"}
    | {f"text.{name}-index" for name in _INDEXES}
)
_ROW_GROUPS = frozenset({"table.table-header-rows", "table.table-rows", "table.table-row-group"})
_NOT_PRINTED = frozenset(
    {"office.annotation", "office.annotation-end", "text.number", "text.ruby-text"}
)
_FURNITURE = frozenset({"date-time", "footer", "header", "page-number"})
_MAX_REPEAT = 100
"""Most repeated cells or spaces that are read, so that a small file cannot fill the memory."""


def read_odt(path: Path, options: ReadOptions) -> Document:
    """Read an ODT or ODP. Raises ``ReadError`` if it is another kind, protected or empty."""
    suffix = Path(options.name).suffix.lower()
    with Archive(path, _KIND) as archive:
        _refuse_other_kinds(archive)
        content = archive.get_xml("content.xml", PREFIXES)
        styles = archive.find_xml("styles.xml", PREFIXES)
        body = OdtBody(OdtStyles([root for root in (styles, content) if root is not None]), archive)
        builder = DocumentBuilder("odp" if suffix == ".odp" else "odt")
        headers = _read_headers(styles)
        start, pages = _add_content(builder, body, content, draft_furniture(headers))
        builder.warn(CHANGES_ACCEPTED if body.has_changes else None)
        builder.warn(Message("readers-comments-left-out") if body.has_comments else None)
        pictures = sum(1 for name in archive.names if name.startswith("Pictures/"))
        builder.warn(note_pictures(pictures))
        clues = find_clues(start, _read_properties(archive), body.title, running=headers)
    return builder.build(options.name, clues, pages=pages)


def _read_properties(archive: Archive) -> dict[str, str]:
    """Title and the properties that a person added."""
    meta = archive.find_properties("meta.xml", PREFIXES)
    if meta is None:
        return {}
    own = meta.iterfind("office.meta/meta.user-defined")
    return {
        **{item.get("meta.name", "").lower(): item.text or "" for item in own},
        "title": meta.findtext("office.meta/dc.title") or "",
    }


def _add_content(
    builder: DocumentBuilder, body: OdtBody, content: Element, furniture: list[DraftBlock]
) -> tuple[list[DraftBlock], int | None]:
    slides = content.findall("office.body/office.presentation/draw.page")
    if not slides:
        blocks = list(body.read_blocks(content.findall("office.body/office.text/*")))
        add_blocks(builder, [*(furniture if blocks else ()), *blocks])
        return blocks, None
    start: list[DraftBlock] = []
    for number, slide in enumerate(slides, 1):
        blocks = body.read_slide(slide, number)
        add_blocks(builder, blocks, page=number, page_label=str(number))
        start += blocks if len(start) < FRONT_BLOCKS else []
    return start, len(slides)


def _refuse_other_kinds(archive: Archive) -> None:
    mimetype = (archive.find("mimetype") or b"").decode("ascii", "replace").strip()
    if mimetype and not mimetype.startswith(_MIMETYPES):
        raise build_wrong_kind_error(name_mimetype(mimetype), _KIND)
    manifest = archive.find_xml("META-INF/manifest.xml", PREFIXES)
    if manifest is not None and next(manifest.iter("manifest.encryption-data"), None) is not None:
        raise build_encryption_error()


def _read_headers(styles: Element | None) -> str:
    lines: list[str] = []
    for name in ("style.header", "style.footer"):
        for part in [] if styles is None else styles.iter(name):
            lines += ["".join(paragraph.itertext()) for paragraph in part.iter("text.p")]
    return "\n".join(lines)


@dataclass(slots=True)
class _OpenList:
    """The list that an item belongs to."""

    levels: dict[int, ListLevel]
    counter: OdtCounter
    level: int


class OdtBody:
    """Reads the body once; the title and the flags are complete after that."""

    def __init__(self, styles: OdtStyles, archive: Archive) -> None:
        self._styles = styles
        self._archive = archive
        self._outline = OdtCounter()
        self._counters: dict[str, OdtCounter] = {}
        self._by_id: dict[str, OdtCounter] = {}
        self._attached: list[Element] = []
        self.title: str | None = None
        self.has_changes = False
        self.has_comments = False

    def read_blocks(self, elements: Iterable[Element]) -> Iterator[DraftBlock]:
        """Read block elements, each followed by its notes and drawings."""
        for element in elements:
            yield from self._read_block(element, None)
            yield from self._read_attached()

    def read_slide(self, page: Element, number: int) -> list[DraftBlock]:
        """Read a slide, its title first and its speaker notes last."""
        frames = [
            item
            for item in page
            if item.get("presentation.class") not in _FURNITURE and item.tag not in _SKIPPED
        ]
        titles = [item for item in frames if item.get("presentation.class") == "title"]
        title = write_cell(self.read_blocks(titles))
        blocks = list(self.read_blocks(item for item in frames if item not in titles))
        for notes in page.findall("presentation.notes"):
            spoken = [item for item in notes if item.get("presentation.class") == "notes"]
            text = "\n".join(block.text for block in self.read_blocks(spoken))
            blocks += [DraftBlock("paragraph", f"Speaker notes: {text}")] if text.strip() else []
        if not title and not blocks:
            return []
        return [DraftBlock("heading", title or f"Slide {number}", 1), *blocks]

    def _read_block(self, element: Element, item: _OpenList | None) -> Iterator[DraftBlock]:
        tag = element.tag
        if tag == "text.h":
            yield from self._read_heading(element, item)
        elif tag == "text.p":
            yield from self._read_paragraph(element, item)
        elif tag == "text.list":
            yield from self._read_list(element, item)
        elif tag == "table.table":
            yield from self._read_table(element)
        elif tag == "text.tracked-changes":
            self.has_changes = True
        elif tag in _CONTAINERS and element.get("text.display") != "none":
            for child in element:
                yield from self._read_block(child, None)
        elif tag.startswith("draw."):
            yield from self._read_drawing(element)
        elif tag == "text.numbered-paragraph":
            yield from self._read_numbered(element)

    def _read_heading(self, heading: Element, item: _OpenList | None) -> Iterator[DraftBlock]:
        level = parse_integer(heading.get("text.outline-level"), 1)
        marker = self._choose_marker(heading, item, level)
        text = self._read_words(heading).strip()
        if text and len(text) > MAX_HEADING_CHARS:
            yield DraftBlock("paragraph", join_marker(marker, text))
        elif text:
            yield DraftBlock("heading", join_marker(marker, text), min(max(level, 1), 6))

    def _choose_marker(self, heading: Element, item: _OpenList | None, level: int) -> str | None:
        printed = heading.findtext("text.number")
        if heading.get("text.is-list-header") == "true":
            return None
        if item is not None:
            marker = item.counter.count(item.levels, item.level)
            return printed or (None if marker == "•" else marker)
        named = self._styles.find_list_style(heading.get("text.style-name"))
        if named == "":
            return None
        if named and self._styles.get_list_levels(named):
            levels = self._styles.get_list_levels(named)
            return printed or self._counters.setdefault(named, OdtCounter()).count(levels, level)
        restart = heading.get("text.restart-numbering") == "true"
        start = parse_integer(heading.get("text.start-value"), 1) if restart else None
        return printed or self._outline.count(self._styles.outline, level, start)

    def _read_paragraph(self, paragraph: Element, item: _OpenList | None) -> Iterator[DraftBlock]:
        style = paragraph.get("text.style-name")
        marker = item.counter.count(item.levels, item.level) if item else None
        if self._styles.is_hidden(style):
            return
        text = self._read_words(paragraph)
        if not text.strip():
            return
        role = self._styles.get_role(style)
        if role == "title":
            self.title = self.title or " ".join(text.split())
            yield DraftBlock("heading", text, 1)
            return
        kinds: dict[str, BlockKind] = {"caption": "caption", "code": "code"}
        kind = kinds.get(role, "list_item" if item else "paragraph")
        yield DraftBlock(kind, join_marker(paragraph.findtext("text.number") or marker, text))

    def _read_list(self, element: Element, outer: _OpenList | None) -> Iterator[DraftBlock]:
        if outer is not None:
            inner = _OpenList(outer.levels, outer.counter, outer.level + 1)
            named = self._styles.get_list_levels(element.get("text.style-name"))
            inner.levels = named or outer.levels
        else:
            inner = self._open_list(element)
        for child in element:
            if child.tag == "text.list-header":
                for part in child:
                    yield from self._read_block(part, None)
            elif child.tag == "text.list-item":
                yield from self._read_item(child, inner)

    def _open_list(self, element: Element) -> _OpenList:
        name = element.get("text.style-name", "")
        counter = self._by_id.get(element.get("text.continue-list", ""))
        if counter is None and element.get("text.continue-numbering") == "true":
            counter = self._counters.get(name)
        counter = counter or OdtCounter()
        self._counters[name] = counter
        identity = element.get("xml.id")
        if identity:
            self._by_id[identity] = counter
        return _OpenList(self._styles.get_list_levels(name), counter, 1)

    def _read_item(self, element: Element, inner: _OpenList) -> Iterator[DraftBlock]:
        start = element.get("text.start-value")
        if start is not None:
            # Counting the item itself adds one.
            inner.counter.count(inner.levels, inner.level, parse_integer(start, 1) - 1)
        first = True
        for child in element:
            if child.tag == "text.list":
                yield from self._read_list(child, inner)
                continue
            yield from self._read_block(child, inner if first else None)
            first = False

    def _read_numbered(self, element: Element) -> Iterator[DraftBlock]:
        name = element.get("text.style-name", "")
        key = element.get("text.list-id") or name
        counter = self._counters.setdefault(key, OdtCounter())
        level = parse_integer(element.get("text.level"), 1)
        item = _OpenList(self._styles.get_list_levels(name), counter, level)
        for child in element:
            yield from self._read_block(child, item)

    def _read_table(self, table: Element) -> Iterator[DraftBlock]:
        rows = list(_find_rows(table))
        cells = [cell for row in rows for cell in row if cell.tag == "table.table-cell"]
        if len(cells) == 1:
            yield from self.read_blocks(cells[0])
            return
        marked = {id(row) for part in table.iter("table.table-header-rows") for row in part}
        placed = [
            cell
            for number, row in enumerate(rows)
            for cell in self._read_row(row, number, id(row) in marked)
        ]
        yield draft_table(placed)

    def _read_row(self, row: Element, number: int, marked: bool) -> Iterator[GridCell]:
        column = 0
        for cell in row:
            if cell.tag not in {"table.table-cell", "table.covered-table-cell"}:
                continue
            if cell.tag == "table.table-cell":
                # Notes and drawings follow the whole table, so that its rows stay together.
                blocks = [block for part in cell for block in self._read_block(part, None)]
                down = max(parse_integer(cell.get("table.number-rows-spanned"), 1), 1)
                across = max(parse_integer(cell.get("table.number-columns-spanned"), 1), 1)
                yield GridCell(
                    write_cell(blocks), number, column, down, across, header=marked or None
                )
            times = parse_integer(cell.get("table.number-columns-repeated"), 1)
            # Repeat only the place, not the content: nested tables would multiply it.
            column += min(max(times, 1), _MAX_REPEAT)

    def _read_attached(self) -> Iterator[DraftBlock]:
        attached, self._attached = self._attached, []
        for element in attached:
            if element.tag == "text.note":
                body = element.find("text.note-body")
                text = write_cell(self.read_blocks(body if body is not None else ()))
                yield DraftBlock("paragraph", f"{_format_citation(element)} {text}" if text else "")
            else:
                yield from self._read_drawing(element)
                yield from self._read_attached()

    def _read_drawing(self, element: Element) -> Iterator[DraftBlock]:
        for child in element:
            if child.tag in {"text.p", "text.h", "text.list", "table.table", "draw.text-box"}:
                yield from self._read_block(child, None)
            elif child.tag.startswith("draw."):
                yield from self._read_drawing(child)

    def _read_words(self, element: Element) -> str:
        parts: list[str] = []
        self._read_inline(element, parts)
        return "".join(parts)

    def _read_inline(self, element: Element, parts: list[str]) -> None:
        parts.append(_collapse(element.text))
        for child in element:
            self._read_inner(child, parts)
            parts.append(_collapse(child.tail))

    def _read_inner(self, child: Element, parts: list[str]) -> None:
        tag = child.tag
        if tag == "text.s":
            parts.append(" " * min(parse_integer(child.get("text.c"), 1), _MAX_REPEAT))
        elif tag == "text.tab":
            parts.append("\t")
        elif tag == "text.line-break":
            parts.append("\n")
        elif tag == "text.note":
            parts.append(_format_citation(child))
            self._attached.append(child)
        elif tag in _NOT_PRINTED:
            self.has_comments = self.has_comments or tag == "office.annotation"
        elif tag.startswith("draw."):
            self._read_object(child, parts)
        elif not self._is_hidden(child):
            inner: list[str] = []
            self._read_inline(child, inner)
            text = "".join(inner)
            raised = tag == "text.span" and self._styles.is_raised(child.get("text.style-name"))
            parts.append(raise_digits(text) if raised else text)

    def _is_hidden(self, element: Element) -> bool:
        if element.get("text.is-hidden") == "true":
            return True
        return element.tag == "text.span" and self._styles.is_hidden(element.get("text.style-name"))

    def _read_object(self, drawing: Element, parts: list[str]) -> None:
        """Read an equation as text in the line; other drawings follow the paragraph."""
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
        self._attached.append(drawing)


def _find_rows(parent: Element) -> Iterator[Element]:
    for child in parent:
        if child.tag == "table.table-row":
            yield child
        elif child.tag in _ROW_GROUPS:
            yield from _find_rows(child)


def _format_citation(note: Element) -> str:
    return f"[{note.findtext('text.note-citation') or '*'}]"


def _collapse(text: str | None) -> str:
    # White space collapses (ODF 1.3 §6.1.2); significant spaces are elements.
    if not text:
        return ""
    words = " ".join(text.split())
    lead = " " if text[0].isspace() else ""
    trail = " " if words and text[-1].isspace() else ""
    return f"{lead}{words}{trail}"
