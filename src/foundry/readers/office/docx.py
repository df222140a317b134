"""Reads Word documents (DOCX, DOCM, DOTX) into blocks under their printed section numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from foundry.ports import ReadOptions
from foundry.readers.archive import Archive, Element
from foundry.readers.document_builder import (
    CHECK_EMPTY,
    DocumentBuilder,
    DraftBlock,
    add_blocks,
    find_block_revision,
    find_first_heading,
    write_cell,
    write_table,
)
from foundry.readers.metadata import choose_title
from foundry.readers.office.docx_numbering import DocxCounter, ListMarker, Numbering, find_value
from foundry.readers.office.docx_styles import DocxStyles
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
    PREFIXES,
    Graphics,
    choose_branch,
    find_property_title,
    get_main_part,
)
from foundry.readers.symbols import format_roman
from foundry.records import BlockKind, Document

_WRAPPERS = frozenset({"w.customXml", "w.ins", "w.moveTo", "w.smartTag", "w.sdtContent"})
_GONE_MARKS = ("w.pPr/w.rPr/w.del", "w.pPr/w.rPr/w.moveFrom")
_MAX_HEADING = 200
"""Longer "headings" are whole clauses in a heading style: text, not the name of a section."""


class DocxNotes:
    """The notes of a document and the marks they print, numbered as they are met."""

    def __init__(self, parts: Mapping[str, Element | None], settings: Element | None) -> None:
        """``parts``: "footnote" and "endnote" → its part, or None."""
        self._notes = {
            (kind, item.get("w.id", "")): item
            for kind, root in parts.items()
            for item in ([] if root is None else root.findall(f"w.{kind}"))
        }
        # Numbers that begin again on every page cannot be known without pages.
        self._unknown = {
            kind
            for kind in parts
            if (find_value(settings, f"w.{kind}Pr/w.numRestart") or "continuous") != "continuous"
        }
        self._counts = dict.fromkeys(parts, 0)
        self._marks: dict[tuple[str, str], str] = {}

    def mark(self, note: NoteReference) -> str:
        """What stands in the text for a note: "[2]", endnotes "[ii]", unknown numbers "[*]"."""
        key = (note.kind, note.id)
        if key not in self._marks:
            self._marks[key] = "" if note.custom else f"[{self._number(note.kind)}]"
        return self._marks[key]

    def find(self, note: NoteReference) -> Element | None:
        """The note's own content, or None if it is missing."""
        return self._notes.get((note.kind, note.id))

    def _number(self, kind: str) -> str:
        self._counts[kind] += 1
        if kind in self._unknown:
            return "*"
        count = self._counts[kind]
        return str(count) if kind == "footnote" else format_roman(count) or str(count)


class DocxBody:
    """One walk through a document. ``title`` and the counts are known when it is done."""

    def __init__(
        self,
        styles: DocxStyles,
        numbering: Numbering,
        notes: DocxNotes,
        graphics: Graphics,
    ) -> None:
        self._styles = styles
        self._numbering = numbering
        self._notes = notes
        self._graphics = graphics
        self._counter = DocxCounter(numbering)
        self._aside = DocxCounter(numbering)
        self._carried: list[ParagraphText] = []
        self._hanging: list[ParagraphText] = []
        self.words = ParagraphReader(styles.hides, notes.mark)
        self.title: str | None = None
        self.embedded = 0
        self.unnumbered = 0

    def pieces(self, elements: Iterable[Element]) -> Iterator[DraftBlock]:
        """The pieces of block elements (``w.p``, ``w.tbl`` …), with what hangs on them."""
        for element in _unwrap(elements):
            if element.tag == "w.p":
                yield from self._paragraph(element)
            elif element.tag == "w.tbl":
                yield from self._table(element)
            elif element.tag == "w.altChunk":
                self.embedded += 1
            yield from self._hung()

    def _paragraph(self, paragraph: Element) -> Iterator[DraftBlock]:
        words = self.words.read(paragraph)
        self._hanging.append(words)
        if any(paragraph.find(mark) is not None for mark in _GONE_MARKS):
            # Its end is deleted: what is left of it opens the next paragraph.
            self._carried.append(words)
            return
        text = "".join(part.text for part in (*self._carried, words))
        self._carried = []
        marker = self._count(paragraph)
        if text.strip():
            piece = self._piece(paragraph, text, marker)
            if piece:
                yield piece

    def _count(self, paragraph: Element) -> ListMarker | None:
        membership = self._styles.membership(paragraph, self._numbering)
        if membership is None:
            return None
        return self._counter.count(membership.number_id, membership.level)

    def _piece(self, paragraph: Element, text: str, marker: ListMarker | None) -> DraftBlock | None:
        role = self._styles.role(paragraph)
        if role == "contents":
            return None
        if marker is not None and marker.text is None:
            self.unnumbered += 1
        level = self._styles.outline_level(paragraph)
        if level is None and role == "title":
            self.title = self.title or " ".join(text.split())
            level = 1
        if level is not None and len(text) <= _MAX_HEADING:
            number = marker.text if marker and marker.kind == "number" else None
            return DraftBlock("heading", _join_marker(number, text), min(level, 6))
        return DraftBlock(
            _choose_kind(role, marker), _join_marker(marker.text if marker else None, text)
        )

    def _table(self, table: Element) -> Iterator[DraftBlock]:
        rows = read_rows(table)
        if is_layout(table, rows, self._is_heading):
            for row in rows:
                for cell in row:
                    yield from self.pieces(cell.content or ())
            return
        text = write_table([self._row(row) for row in rows])
        if text:
            yield DraftBlock("table", text)

    def _row(self, row: list[DocxCell]) -> list[str]:
        texts: list[str] = []
        for cell in row:
            texts.append("" if cell.content is None else write_cell(self._in_cell(cell.content)))
            texts += [""] * (cell.span - 1)
        return texts

    def _in_cell(self, content: Element) -> Iterator[DraftBlock]:
        # What hangs on a cell's words follows the table, so that rows stay whole.
        for element in _unwrap(content):
            if element.tag == "w.p":
                yield from self._paragraph(element)
            elif element.tag == "w.tbl":
                rows = [self._row(row) for row in read_rows(element)]
                yield DraftBlock("table", write_table(rows))

    def _is_heading(self, paragraph: Element) -> bool:
        return self._styles.outline_level(paragraph) is not None

    def _hung(self) -> Iterator[DraftBlock]:
        hanging, self._hanging = self._hanging, []
        for words in hanging:
            for note in words.notes:
                yield from self._note(note)
            for drawing in words.drawings:
                yield from self._drawing(drawing)

    def _note(self, note: NoteReference) -> Iterator[DraftBlock]:
        content = self._notes.find(note)
        if content is not None:
            text = write_cell(self._elsewhere(content))
            yield DraftBlock(
                "paragraph", _join_marker(self._notes.mark(note) or None, text) if text else ""
            )

    def _drawing(self, drawing: Element) -> Iterator[DraftBlock]:
        for box in find_text_boxes(drawing):
            yield from self._elsewhere(box)
        yield from self._graphics.pieces(drawing)

    def _elsewhere(self, content: Element) -> list[DraftBlock]:
        # Notes and text boxes count their lists apart from the body.
        self._counter, self._aside = self._aside, self._counter
        carried, self._carried = self._carried, []
        pieces = list(self.pieces(content))
        self._carried = carried
        self._counter, self._aside = self._aside, self._counter
        return pieces


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


def _choose_kind(role: str, marker: ListMarker | None) -> BlockKind:
    if role == "caption":
        return "caption"
    if role == "code":
        return "code"
    return "list_item" if marker else "paragraph"


def _join_marker(marker: str | None, text: str) -> str:
    return f"{marker} {text.strip()}" if marker else text


_KIND = "a Word document"
_UNNUMBERED = (
    "Some automatic numbers are in a format that is not known here: "
    "those headings and items stand without their number."
)


def read_docx(path: Path, options: ReadOptions) -> Document:
    """Read a DOCX file; raises ``ReadError`` when it is none, is locked or has no text."""
    with Archive(path, _KIND) as archive:
        main = get_main_part(archive, _KIND, "word/document.xml")
        builder = DocumentBuilder("docx")
        body = _build_body(archive, main)
        root = archive.get_xml(main, PREFIXES)
        pieces = list(body.pieces(root.findall("w.body/*")))
        add_blocks(builder, pieces)
        _add_warnings(builder, archive, main, body)
        revision = find_block_revision(pieces, _read_headers(archive, main))
        offers = (find_property_title(archive), body.title, find_first_heading(pieces))
    title = choose_title(offers, Path(options.name))
    return builder.build(title, None, *revision, **_explain_empty(body))


def _build_body(archive: Archive, main: str) -> DocxBody:
    def part(kind: str) -> Element | None:
        target = archive.related(main, kind)
        return None if target is None else archive.find_xml(target, PREFIXES)

    notes = DocxNotes(
        {"footnote": part("footnotes"), "endnote": part("endnotes")},
        settings=part("settings"),
    )
    styles, numbering = DocxStyles(part("styles")), Numbering(part("numbering"))
    return DocxBody(styles, numbering, notes, Graphics(archive, main))


def _read_headers(archive: Archive, main: str) -> str:
    targets = [to for kind, to in archive.relations(main).values() if kind in {"header", "footer"}]
    roots = [archive.find_xml(target, PREFIXES) for target in targets]
    paragraphs = (item for root in roots if root is not None for item in root.iter("w.p"))
    return "\n".join("".join(_read_header_words(paragraph)) for paragraph in paragraphs)


def _read_header_words(paragraph: Element) -> Iterator[str]:
    for item in paragraph.iter():
        if item.tag == "w.t":
            yield item.text or ""
        elif item.tag in {"w.tab", "w.ptab"}:
            yield "\t"


def _add_warnings(builder: DocumentBuilder, archive: Archive, main: str, body: DocxBody) -> None:
    for count, sentence in (
        (body.words.deleted, "Tracked changes: insertions were kept and deletions left out."),
        (body.words.hidden, "Hidden text was left out."),
        (_count_comments(archive, main), "Comments were left out."),
        (body.embedded, "Documents embedded in this one (altChunk) were not read."),
        (body.unnumbered, _UNNUMBERED),
    ):
        if count:
            builder.warn(sentence)


def _count_comments(archive: Archive, main: str) -> int:
    part = archive.related(main, "comments")
    root = archive.find_xml(part, PREFIXES) if part else None
    return 0 if root is None else sum(1 for text in root.iter("w.t") if text.text)


def _explain_empty(body: DocxBody) -> dict[str, str]:
    if body.words.pictures:
        return {
            "reason": "The document holds pictures and no text.",
            "fix": "Export it as a PDF, and install Tesseract to have the pictures read.",
        }
    return {"fix": CHECK_EMPTY}
