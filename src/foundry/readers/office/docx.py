"""Reads Word documents (DOCX, DOCM, DOTX) into blocks under their printed section numbers.

The XML is read directly: mammoth gives good HTML but no automatic numbers, and no library
keeps numbers, text boxes, notes and tracked changes in order at once. Notes and text boxes
follow the paragraph or table that refers to them; page headers and footers come first, once
each. Comments, deleted and hidden text and tables of contents are left out. Word stores no
stable pages, so blocks have none.

Tracked insertions are kept, deletions dropped; field codes, hidden text and placeholder prompts are
dropped; symbols, checkboxes, equations and raised digits become characters. Tables for page layout,
with one cell as a frame or whole sections in cells, are read as running text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.archive import Archive, Element
from foundry.readers.document_builder import (
    MAX_HEADING_CHARS,
    NO_TEXT,
    DocumentBuilder,
    DraftBlock,
    add_blocks,
    draft_furniture,
    draft_table,
    find_clues,
    join_marker,
    write_cell,
)
from foundry.readers.grids import GridCell
from foundry.readers.office.docx_styles import DocxCounter, DocxStyles, ListMarker, Numbering
from foundry.readers.office.openxml import (
    CHANGES_ACCEPTED,
    HIDDEN_SKIPPED,
    PREFIXES,
    Graphics,
    choose_branch,
    count_pictures,
    find_integer,
    find_value,
    get_main_part,
    is_on,
    note_pictures,
    read_equation,
    read_properties,
)
from foundry.readers.symbols import format_roman, raise_digits, read_in_font, read_symbol
from foundry.records import BlockKind, Document

_TRANSPARENT = frozenset(
    {"w.hyperlink", "w.smartTag", "w.customXml", "w.ins", "w.moveTo", "w.dir", "w.bdo"}
    | {"w.fldSimple", "w.sdtContent", "w.ruby", "w.rubyBase", "mc.Choice", "mc.Fallback"}
)
_FIXED = {
    "w.tab": "\t",
    "w.ptab": "\t",
    "w.cr": "\n",
    "w.br": "\n",
    "w.noBreakHyphen": "-",
    "w.softHyphen": "",
}
_CHECKBOXES = {True: "☒", False: "☐"}


@dataclass(frozen=True, slots=True)
class NoteReference:
    """A reference to a note; ``kind`` is "footnote" or "endnote"."""

    kind: str
    id: str
    custom: bool


@dataclass(slots=True)
class ParagraphText:
    """The text of a paragraph, with its notes and drawings in reading order."""

    parts: list[str] = field(default_factory=list)
    notes: list[NoteReference] = field(default_factory=list)
    drawings: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(self.parts)


class ParagraphReader:
    """Reads paragraphs in order; a field may continue in the next paragraph."""

    def __init__(
        self, is_hidden: Callable[[str | None], bool], get_mark: Callable[[NoteReference], str]
    ) -> None:
        """``is_hidden`` checks a style id; ``get_mark`` returns a note's mark ("[1]")."""
        self._is_hidden = is_hidden
        self._get_mark = get_mark
        self._fields: list[bool] = []
        self.hidden = 0
        self.deleted = 0
        self.pictures = 0

    def read(self, paragraph: Element) -> ParagraphText:
        """Read a ``w.p``."""
        words = ParagraphText()
        self._walk(paragraph, words)
        # A field whose code never ends must not hide the rest of the document.
        self._fields = [shown for shown in self._fields if shown]
        return words

    def _walk(self, parent: Iterable[Element], words: ParagraphText) -> None:
        for child in parent:
            tag = child.tag
            if tag == "w.r":
                self._read_run(child, words)
            elif tag in _TRANSPARENT:
                self._walk(child, words)
            elif tag in {"w.del", "w.moveFrom"}:
                self.deleted += 1
            elif tag == "w.sdt":
                self._walk(read_control(child), words)
            elif tag == "mc.AlternateContent":
                self._walk(choose_branch(child), words)
            elif tag == "m.oMath":
                self._put(words, f" {read_equation(child)} ")
            elif tag == "m.oMathPara":
                equations = (read_equation(item) for item in child.iter("m.oMath"))
                self._put(words, "\n" + "\n".join(equations) + "\n")

    def _read_run(self, run: Element, words: ParagraphText) -> None:
        properties = run.find("w.rPr")
        if is_on(properties, "w.vanish") or self._is_hidden(find_value(properties, "w.rStyle")):
            self.hidden += 1
            return
        fonts = None if properties is None else properties.find("w.rFonts")
        font = None if fonts is None else fonts.get("w.ascii")
        raised = find_value(properties, "w.vertAlign") == "superscript"
        self._read_run_items(run, words, font, raised=raised)

    def _read_run_items(
        self, run: Iterable[Element], words: ParagraphText, font: str | None, *, raised: bool
    ) -> None:
        for item in run:
            tag = item.tag
            if tag == "w.t":
                text = read_in_font(item.text or "", font)
                self._put(words, raise_digits(text) if raised else text)
            elif tag in _FIXED:
                self._put(words, _FIXED[tag])
            elif tag == "w.sym":
                self._put(words, _read_symbol(item))
            elif tag == "w.fldChar":
                self._read_field(item, words)
            elif tag in {"w.footnoteReference", "w.endnoteReference"}:
                kind = "footnote" if item.tag == "w.footnoteReference" else "endnote"
                custom = item.get("w.customMarkFollows", "0") not in {"0", "false", "off"}
                note = NoteReference(kind, item.get("w.id", ""), custom)
                words.notes.append(note)
                self._put(words, self._get_mark(note))
            elif tag in {"w.drawing", "w.pict", "w.object"}:
                self.pictures += 1
                words.drawings.append(item)
            elif tag == "mc.AlternateContent":
                self._read_run_items(choose_branch(item), words, font, raised=raised)
            elif tag in _TRANSPARENT:
                self._walk([item], words)

    def _put(self, words: ParagraphText, text: str) -> None:
        if all(self._fields):
            words.parts.append(text)

    def _read_field(self, item: Element, words: ParagraphText) -> None:
        kind = item.get("w.fldCharType")
        if kind == "begin":
            self._put(words, _read_form_field(item))
            self._fields.append(False)
        elif kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()


def find_text_boxes(drawing: Element) -> Iterator[Element]:
    """Find the contents of the outermost text boxes in a drawing, each once."""
    for child in drawing:
        if child.tag == "w.txbxContent":
            yield child
        elif child.tag == "mc.AlternateContent":
            for branch in choose_branch(child):
                yield from find_text_boxes(branch)
        else:
            yield from find_text_boxes(child)


def read_control(control: Element) -> list[Element]:
    """Return the content of a content control; nothing while it shows its prompt."""
    content = control.find("w.sdtContent")
    if content is None or is_on(control, "w.sdtPr/w.showingPlcHdr"):
        return []
    return list(content)


def _read_symbol(item: Element) -> str:
    try:
        return read_symbol(int(item.get("w.char", ""), 16), item.get("w.font"))
    except (ValueError, OverflowError):
        return ""


def _read_form_field(item: Element) -> str:
    data = item.find("w.ffData")
    if data is None:
        return ""
    box = data.find("w.checkBox")
    if box is not None:
        state = "w.checked" if box.find("w.checked") is not None else "w.default"
        return _CHECKBOXES[is_on(box, state)]
    choices = data.find("w.ddList")
    if choices is None:
        return ""
    entries = [item.get("w.val", "") for item in choices.findall("w.listEntry")]
    index = find_integer(find_value(choices, "w.result")) or 0
    return entries[index] if 0 <= index < len(entries) else ""


_MAX_SPAN = 100
"""Most columns that a cell may cover, so that a damaged file cannot fill the memory."""


@dataclass(frozen=True, slots=True)
class DocxCell:
    """A cell and how many columns it covers; ``content`` is None below a merged cell.

    ``merged`` if it continues the cell above; ``header`` if its row is marked as a header.
    """

    content: Element | None
    span: int = 1
    merged: bool = False
    header: bool = False


def read_rows(table: Element) -> list[list[DocxCell]]:
    """Return the rows that are not deleted, with their cells from the first column on."""
    rows = _find_children(table, "w.tr")
    return [_read_cells(row) for row in rows if row.find("w.trPr/w.del") is None]


def is_layout(
    table: Element, rows: list[list[DocxCell]], is_heading: Callable[[Element], bool]
) -> bool:
    """Whether the table is only page layout for running text."""
    columns = max((len(row) for row in rows), default=0)
    if len(rows) == 1 and columns == 1:
        return True
    sections = any(map(is_heading, table.iter("w.p")))
    nested = any(item is not table for item in table.iter("w.tbl"))
    if (sections or nested) and 1 in {len(rows), columns}:
        return True
    return sections and any(_has_section(cell, is_heading) for row in rows for cell in row)


def _find_children(parent: Iterable[Element], tag: str) -> Iterator[Element]:
    # Content controls and tracked insertions may surround the children.
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in _WRAPPERS:
            yield from _find_children(child, tag)
        elif child.tag == "w.sdt":
            yield from _find_children(read_control(child), tag)


def _read_cells(row: Element) -> list[DocxCell]:
    before = find_integer(find_value(row, "w.trPr/w.gridBefore")) or 0
    cells = [DocxCell(None) for _ in range(min(max(before, 0), _MAX_SPAN))]
    header = is_on(row, "w.trPr/w.tblHeader")
    for item in _find_children(row, "w.tc"):
        span = find_integer(find_value(item, "w.tcPr/w.gridSpan")) or 1
        merge = item.find("w.tcPr/w.vMerge")
        is_merged = merge is not None and merge.get("w.val", "continue") == "continue"
        content = None if is_merged else item
        cells.append(DocxCell(content, min(max(span, 1), _MAX_SPAN), is_merged, header))
    return cells


def _has_section(cell: DocxCell, is_heading: Callable[[Element], bool]) -> bool:
    # A heading with text below it in the same cell opens a section; alone it names a column.
    content = [] if cell.content is None else list(cell.content)
    for index, item in enumerate(content, 1):
        if item.tag == "w.p" and is_heading(item):
            return any(any(text.text for text in below.iter("w.t")) for below in content[index:])
    return False


_KIND = Message("readers-kind-word")
_UNNUMBERED = Message("readers-docx-unnumbered")
_WRAPPERS = frozenset({"w.customXml", "w.ins", "w.moveTo", "w.smartTag", "w.sdtContent"})
_HEADERS = frozenset({"header", "footer"})
_DELETED_ENDS = ("w.pPr/w.rPr/w.del", "w.pPr/w.rPr/w.moveFrom")


def read_docx(path: Path, options: ReadOptions) -> Document:
    """Read a DOCX file. Raises ``ReadError`` if it is another kind, protected or without text."""
    with Archive(path, _KIND) as archive:
        main = get_main_part(archive, _KIND, "word/document.xml")
        builder = DocumentBuilder("docx")
        body = _build_body(archive, main)
        blocks = list(body.read_blocks(archive.get_xml(main, PREFIXES).findall("w.body/*")))
        relations = archive.read_relations(main).values()
        roots = [archive.find_xml(to, PREFIXES) for kind, to in relations if kind in _HEADERS]
        present = [root for root in roots if root is not None]
        headers = "\n".join(
            b.text for b in body.read_blocks(item for root in present for item in root)
        )
        # A file of pictures under a letterhead still has no text.
        add_blocks(builder, [*(draft_furniture(headers) if blocks else ()), *blocks])
        _add_warnings(builder, archive, main, body)
        marks = [
            item.get("string", "")
            for root in present
            for item in root.iter()
            if isinstance(item.tag, str) and item.tag.endswith("textpath")
        ]
        clues = find_clues(
            blocks, read_properties(archive), body.title, running=headers, watermarks=tuple(marks)
        )
    return builder.build(
        options.name,
        clues,
        reason=Message("readers-docx-only-pictures") if body.words.pictures else NO_TEXT,
    )


def _build_body(archive: Archive, main: str) -> DocxBody:
    def find_part(kind: str) -> Element | None:
        target = archive.find_related(main, kind)
        return None if target is None else archive.find_xml(target, PREFIXES)

    notes = DocxNotes(
        {"footnote": find_part("footnotes"), "endnote": find_part("endnotes")},
        settings=find_part("settings"),
    )
    numbering = Numbering(find_part("numbering"))
    styles = DocxStyles(find_part("styles"), numbering)
    return DocxBody(styles, numbering, notes, Graphics(archive, main))


def _add_warnings(builder: DocumentBuilder, archive: Archive, main: str, body: DocxBody) -> None:
    for count, sentence in (
        (body.words.deleted, CHANGES_ACCEPTED),
        (body.words.hidden, HIDDEN_SKIPPED),
        (_count_comments(archive, main), Message("readers-comments-left-out")),
        (body.embedded, Message("readers-docx-embedded")),
        (body.unnumbered, _UNNUMBERED),
    ):
        if count:
            builder.warn(sentence)
    builder.warn(note_pictures(count_pictures(archive, main)))


def _count_comments(archive: Archive, main: str) -> int:
    part = archive.find_related(main, "comments")
    root = archive.find_xml(part, PREFIXES) if part else None
    return 0 if root is None else sum(1 for text in root.iter("w.t") if text.text)


class DocxNotes:
    """The footnotes and endnotes of a document, numbered in the order of their references."""

    def __init__(self, parts: Mapping[str, Element | None], settings: Element | None) -> None:
        """``parts`` maps "footnote" and "endnote" to their part, or None."""
        self._notes = {
            (kind, item.get("w.id", "")): item
            for kind, root in parts.items()
            for item in ([] if root is None else root.findall(f"w.{kind}"))
        }
        # Numbers that restart on each page cannot be known without pages.
        self._unknown = {
            kind
            for kind in parts
            if (find_value(settings, f"w.{kind}Pr/w.numRestart") or "continuous") != "continuous"
        }
        self._counts = dict.fromkeys(parts, 0)
        self._marks: dict[tuple[str, str], str] = {}

    def get_mark(self, note: NoteReference) -> str:
        """Return the mark in the text: "[2]" for footnotes, "[ii]" for endnotes, or "[*]"."""
        key = (note.kind, note.id)
        if key not in self._marks:
            self._marks[key] = "" if note.custom else f"[{self._count(note.kind)}]"
        return self._marks[key]

    def find(self, note: NoteReference) -> Element | None:
        """Return the content of a note, or None if it is missing."""
        return self._notes.get((note.kind, note.id))

    def _count(self, kind: str) -> str:
        self._counts[kind] += 1
        if kind in self._unknown:
            return "*"
        count = self._counts[kind]
        return str(count) if kind == "footnote" else format_roman(count) or str(count)


class DocxBody:
    """Reads the body once; the title and the counts are complete after that."""

    def __init__(
        self, styles: DocxStyles, numbering: Numbering, notes: DocxNotes, graphics: Graphics
    ) -> None:
        self._styles = styles
        self._notes = notes
        self._graphics = graphics
        self._counter = DocxCounter(numbering)
        self._aside_counter = DocxCounter(numbering)
        self._unfinished: list[ParagraphText] = []
        self._attached: list[ParagraphText] = []
        self.words = ParagraphReader(styles.is_hidden, notes.get_mark)
        self.title: str | None = None
        self.embedded = 0
        self.unnumbered = 0

    def read_blocks(self, elements: Iterable[Element]) -> Iterator[DraftBlock]:
        """Read paragraphs and tables, each followed by its notes, text boxes and graphics."""
        for element in _unwrap(elements):
            if element.tag == "w.p":
                yield from self._read_paragraph(element)
            elif element.tag == "w.tbl":
                yield from self._read_table(element)
            elif element.tag == "w.altChunk":
                self.embedded += 1
            yield from self._read_attached()

    def _read_paragraph(self, paragraph: Element) -> Iterator[DraftBlock]:
        words = self.words.read(paragraph)
        self._attached.append(words)
        if any(paragraph.find(mark) is not None for mark in _DELETED_ENDS):
            # Its end is deleted, so its text joins the next paragraph.
            self._unfinished.append(words)
            return
        text = "".join(part.text for part in (*self._unfinished, words))
        self._unfinished = []
        marker = self._count(paragraph)
        if text.strip():
            yield from self._build_block(paragraph, text, marker)

    def _count(self, paragraph: Element) -> ListMarker | None:
        membership = self._styles.find_membership(paragraph)
        if membership is None:
            return None
        return self._counter.count(membership.number_id, membership.level)

    def _build_block(
        self, paragraph: Element, text: str, marker: ListMarker | None
    ) -> Iterator[DraftBlock]:
        role = self._styles.get_role(paragraph)
        if role == "contents":
            return
        if marker is not None and marker.text is None:
            self.unnumbered += 1
        level = self._styles.find_outline_level(paragraph)
        if level is None and role == "title":
            self.title = self.title or " ".join(text.split())
            level = 1
        if level is not None and len(text) <= MAX_HEADING_CHARS:
            number = marker.text if marker and marker.kind == "number" else None
            yield DraftBlock("heading", join_marker(number, text), min(level, 6))
            return
        kinds: dict[str, BlockKind] = {"caption": "caption", "code": "code"}
        kind = kinds.get(role, "list_item" if marker else "paragraph")
        yield DraftBlock(kind, join_marker(marker.text if marker else None, text))

    def _read_table(self, table: Element) -> Iterator[DraftBlock]:
        rows = read_rows(table)
        if is_layout(table, rows, self._is_heading):
            for row in rows:
                for cell in row:
                    yield from self.read_blocks(cell.content or ())
            return
        yield draft_table(self._read_grid(rows))

    def _read_grid(self, rows: list[list[DocxCell]]) -> list[GridCell]:
        cells: dict[tuple[int, int], GridCell] = {}
        open_at: dict[int, tuple[int, int]] = {}
        for number, row in enumerate(rows):
            column = 0
            for cell in row:
                if cell.content is not None:
                    open_at[column] = (number, column)
                    cells[number, column] = self._read_grid_cell(cell, number, column)
                elif cell.merged and column in open_at:
                    above = cells[open_at[column]]
                    cells[open_at[column]] = replace(above, row_span=number - above.row + 1)
                column += cell.span
        return list(cells.values())

    def _read_grid_cell(self, cell: DocxCell, row: int, column: int) -> GridCell:
        content = cell.content if cell.content is not None else ()
        text = write_cell(self._read_cell(content))
        paragraph = next((item for item in content if item.tag == "w.p"), None)
        runs = [] if paragraph is None else paragraph.findall("w.r")
        return GridCell(
            text,
            row,
            column,
            column_span=cell.span,
            indent=_find_indent(paragraph),
            bold=bool(runs) and all(is_on(run, "w.rPr/w.b") for run in runs),
            header=cell.header or None,
        )

    def _read_cell(self, content: Iterable[Element]) -> Iterator[DraftBlock]:
        # Notes and text boxes follow the whole table, so that its rows stay together.
        for element in _unwrap(content):
            if element.tag == "w.p":
                yield from self._read_paragraph(element)
            elif element.tag == "w.tbl":
                yield draft_table(self._read_grid(read_rows(element)))

    def _is_heading(self, paragraph: Element) -> bool:
        return self._styles.find_outline_level(paragraph) is not None

    def _read_attached(self) -> Iterator[DraftBlock]:
        attached, self._attached = self._attached, []
        for words in attached:
            for note in words.notes:
                content = self._notes.find(note)
                text = "" if content is None else write_cell(self._read_aside(content))
                if text:
                    yield DraftBlock("paragraph", join_marker(self._notes.get_mark(note), text))
            for drawing in words.drawings:
                for box in find_text_boxes(drawing):
                    yield from self._read_aside(box)
                yield from self._graphics.read_blocks(drawing)

    def _read_aside(self, content: Element) -> list[DraftBlock]:
        # Lists in notes and text boxes are counted separately from the body.
        self._counter, self._aside_counter = self._aside_counter, self._counter
        unfinished, self._unfinished = self._unfinished, []
        blocks = list(self.read_blocks(content))
        self._unfinished = unfinished
        self._counter, self._aside_counter = self._aside_counter, self._counter
        return blocks


def _find_indent(paragraph: Element | None) -> float:
    """The left indentation of a paragraph in points."""
    indent = None if paragraph is None else paragraph.find("w.pPr/w.ind")
    left = None if indent is None else indent.get("w.left") or indent.get("w.start")
    return (find_integer(left) or 0) / 20


def _unwrap(elements: Iterable[Element]) -> Iterator[Element]:
    for element in elements:
        if element.tag in _WRAPPERS:
            yield from _unwrap(element)
        elif element.tag == "w.sdt":
            yield from _unwrap(read_control(element))
        elif element.tag == "mc.AlternateContent":
            yield from _unwrap(choose_branch(element))
        else:
            yield element
