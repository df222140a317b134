"""Walks the body of a Word document and yields its pieces in reading order.

Puts together what the styles, the numbering and the words of each paragraph say.
Notes and text boxes follow the paragraph or table they hang on. Knows nothing of
files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from foundry.readers.archive import Element
from foundry.readers.counting import roman
from foundry.readers.docx_numbering import Counter, Marker, Numbering, value_of
from foundry.readers.docx_styles import Styles
from foundry.readers.docx_tables import Cell, is_layout, read_rows
from foundry.readers.docx_text import Note, Words, WordsReader, content_of, text_boxes
from foundry.readers.openxml import Graphics, chosen
from foundry.readers.pieces import Piece, write_cell, write_table
from foundry.records import BlockKind

_WRAPPERS = frozenset({"w.customXml", "w.ins", "w.moveTo", "w.smartTag", "w.sdtContent"})
_GONE_MARKS = ("w.pPr/w.rPr/w.del", "w.pPr/w.rPr/w.moveFrom")
_MAX_HEADING = 200
"""Longer "headings" are whole clauses in a heading style: text, not the name of a section."""


class Notes:
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
            if (value_of(settings, f"w.{kind}Pr/w.numRestart") or "continuous") != "continuous"
        }
        self._counts = dict.fromkeys(parts, 0)
        self._marks: dict[tuple[str, str], str] = {}

    def mark(self, note: Note) -> str:
        """What stands in the text for a note: "[2]", endnotes "[ii]", unknown numbers "[*]"."""
        key = (note.kind, note.id)
        if key not in self._marks:
            self._marks[key] = "" if note.custom else f"[{self._number(note.kind)}]"
        return self._marks[key]

    def find(self, note: Note) -> Element | None:
        """The note's own content, or None if it is missing."""
        return self._notes.get((note.kind, note.id))

    def _number(self, kind: str) -> str:
        self._counts[kind] += 1
        if kind in self._unknown:
            return "*"
        count = self._counts[kind]
        return str(count) if kind == "footnote" else roman(count) or str(count)


class Body:
    """One walk through a document. ``title`` and the counts are known when it is done."""

    def __init__(
        self,
        styles: Styles,
        numbering: Numbering,
        notes: Notes,
        graphics: Graphics,
    ) -> None:
        self._styles = styles
        self._numbering = numbering
        self._notes = notes
        self._graphics = graphics
        self._counter = Counter(numbering)
        self._aside = Counter(numbering)
        self._carried: list[Words] = []
        self._hanging: list[Words] = []
        self.words = WordsReader(styles.hides, notes.mark)
        self.title: str | None = None
        self.embedded = 0
        self.unnumbered = 0

    def pieces(self, elements: Iterable[Element]) -> Iterator[Piece]:
        """The pieces of block elements (``w.p``, ``w.tbl`` …), with what hangs on them."""
        for element in _unwrapped(elements):
            if element.tag == "w.p":
                yield from self._paragraph(element)
            elif element.tag == "w.tbl":
                yield from self._table(element)
            elif element.tag == "w.altChunk":
                self.embedded += 1
            yield from self._hung()

    def _paragraph(self, paragraph: Element) -> Iterator[Piece]:
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

    def _count(self, paragraph: Element) -> Marker | None:
        membership = self._styles.membership(paragraph, self._numbering)
        if membership is None:
            return None
        return self._counter.count(membership.number_id, membership.level)

    def _piece(self, paragraph: Element, text: str, marker: Marker | None) -> Piece | None:
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
            return Piece("heading", _joined(number, text), min(level, 6))
        return Piece(_kind(role, marker), _joined(marker.text if marker else None, text))

    def _table(self, table: Element) -> Iterator[Piece]:
        rows = read_rows(table)
        if is_layout(table, rows, self._is_heading):
            for row in rows:
                for cell in row:
                    yield from self.pieces(cell.content or ())
            return
        text = write_table([self._row(row) for row in rows])
        if text:
            yield Piece("table", text)

    def _row(self, row: list[Cell]) -> list[str]:
        texts: list[str] = []
        for cell in row:
            texts.append("" if cell.content is None else write_cell(self._in_cell(cell.content)))
            texts += [""] * (cell.span - 1)
        return texts

    def _in_cell(self, content: Element) -> Iterator[Piece]:
        # What hangs on a cell's words follows the table, so that rows stay whole.
        for element in _unwrapped(content):
            if element.tag == "w.p":
                yield from self._paragraph(element)
            elif element.tag == "w.tbl":
                rows = [self._row(row) for row in read_rows(element)]
                yield Piece("table", write_table(rows))

    def _is_heading(self, paragraph: Element) -> bool:
        return self._styles.outline_level(paragraph) is not None

    def _hung(self) -> Iterator[Piece]:
        hanging, self._hanging = self._hanging, []
        for words in hanging:
            for note in words.notes:
                yield from self._note(note)
            for drawing in words.drawings:
                yield from self._drawing(drawing)

    def _note(self, note: Note) -> Iterator[Piece]:
        content = self._notes.find(note)
        if content is not None:
            text = write_cell(self._elsewhere(content))
            yield Piece("paragraph", _joined(self._notes.mark(note) or None, text) if text else "")

    def _drawing(self, drawing: Element) -> Iterator[Piece]:
        for box in text_boxes(drawing):
            yield from self._elsewhere(box)
        yield from self._graphics.pieces(drawing)

    def _elsewhere(self, content: Element) -> list[Piece]:
        # Notes and text boxes count their lists apart from the body.
        self._counter, self._aside = self._aside, self._counter
        carried, self._carried = self._carried, []
        pieces = list(self.pieces(content))
        self._carried = carried
        self._counter, self._aside = self._aside, self._counter
        return pieces


def _unwrapped(elements: Iterable[Element]) -> Iterator[Element]:
    for element in elements:
        if element.tag in _WRAPPERS:
            yield from _unwrapped(element)
        elif element.tag == "w.sdt":
            yield from _unwrapped(content_of(element))
        elif element.tag == "mc.AlternateContent":
            yield from _unwrapped(chosen(element))
        else:
            yield element


def _kind(role: str, marker: Marker | None) -> BlockKind:
    if role == "caption":
        return "caption"
    if role == "code":
        return "code"
    return "list_item" if marker else "paragraph"


def _joined(marker: str | None, text: str) -> str:
    return f"{marker} {text.strip()}" if marker else text
