"""Reads the text of a Word paragraph as printed, and the rows and cells of a Word table.

Tracked insertions are kept, deletions dropped; field codes, hidden text and placeholder
prompts are dropped; symbols, checkboxes, equations and raised digits become characters.
Notes and drawings come back beside the text. Many documents use tables for page layout,
with one cell as a frame or whole sections in cells; ``is_layout`` recognises those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from foundry.readers.archive import Element
from foundry.readers.office.openxml import (
    choose_branch,
    find_integer,
    find_value,
    is_on,
    read_equation,
)
from foundry.readers.symbols import raise_digits, read_in_font, read_symbol

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


_WRAPPERS = frozenset({"w.customXml", "w.ins", "w.moveTo", "w.smartTag"})
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
