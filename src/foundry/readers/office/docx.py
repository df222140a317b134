"""Reads Word documents (DOCX, DOCM, DOTX) into blocks under their printed section numbers.

The XML is read directly: mammoth gives good HTML but no automatic numbers, and no library
keeps numbers, text boxes, notes and tracked changes in order at once. Notes and text boxes
follow the paragraph or table that refers to them; page headers and footers come first, once
each. Comments, deleted and hidden text and tables of contents are left out. Word stores no
stable pages, so blocks have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
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
    build_document,
    draft_furniture,
    draft_table,
    join_marker,
    write_cell,
)
from foundry.readers.grids import Grid, GridCell
from foundry.readers.office.docx_styles import DocxCounter, DocxStyles, ListMarker, Numbering
from foundry.readers.office.docx_text import (
    DocxCell,
    NoteReference,
    ParagraphReader,
    ParagraphText,
    find_text_boxes,
    is_layout,
    read_control,
    read_rows,
)
from foundry.readers.office.openxml import (
    CHANGES_ACCEPTED,
    HIDDEN_SKIPPED,
    PREFIXES,
    Graphics,
    choose_branch,
    count_pictures,
    find_integer,
    find_property_title,
    find_value,
    get_main_part,
    is_on,
    note_pictures,
)
from foundry.readers.symbols import format_roman
from foundry.records import BlockKind, Document

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
        elements = (item for root in roots if root is not None for item in root)
        headers = "\n".join(block.text for block in body.read_blocks(elements))
        # A file of pictures under a letterhead still has no text.
        add_blocks(builder, [*(draft_furniture(headers) if blocks else ()), *blocks])
        _add_warnings(builder, archive, main, body)
        titles = (find_property_title(archive), body.title)
    return build_document(
        builder,
        blocks,
        titles,
        options.name,
        headers=headers,
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
        yield draft_table(Grid(self._read_grid(rows)))

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
                yield draft_table(Grid(self._read_grid(read_rows(element))))

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
