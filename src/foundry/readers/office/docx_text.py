"""The words of a Word paragraph, and the rows and cells of a Word table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from foundry.readers.archive import Element
from foundry.readers.office.docx_numbering import find_integer, find_value, is_on
from foundry.readers.office.openxml import choose_branch, read_equation
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
    """A reference to a note: ``kind`` is "footnote" or "endnote", ``id`` its own."""

    kind: str
    id: str
    custom: bool


@dataclass(slots=True)
class ParagraphText:
    """A paragraph's text with what hangs on it, in reading order."""

    parts: list[str] = field(default_factory=list)
    notes: list[NoteReference] = field(default_factory=list)
    drawings: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The words joined."""
        return "".join(self.parts)


class ParagraphReader:
    """Reads paragraphs in order; fields may run on from one paragraph into the next."""

    def __init__(
        self, hides: Callable[[str | None], bool], mark: Callable[[NoteReference], str]
    ) -> None:
        """``hides`` tells hidden styles; ``mark`` gives a note's printed mark ("[1]")."""
        self._hides = hides
        self._mark = mark
        self._fields: list[bool] = []
        self.hidden = 0
        self.deleted = 0
        self.pictures = 0

    def read(self, paragraph: Element) -> ParagraphText:
        """The words of a ``w.p``."""
        words = ParagraphText()
        self._walk(paragraph, words)
        # A field whose code never ends must not swallow the rest of the document.
        self._fields = [shown for shown in self._fields if shown]
        return words

    def _walk(self, parent: Iterable[Element], words: ParagraphText) -> None:
        for child in parent:
            tag = child.tag
            if tag == "w.r":
                self._run(child, words)
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

    def _run(self, run: Element, words: ParagraphText) -> None:
        properties = run.find("w.rPr")
        if is_on(properties, "w.vanish") or self._hides(find_value(properties, "w.rStyle")):
            self.hidden += 1
            return
        fonts = None if properties is None else properties.find("w.rFonts")
        font = None if fonts is None else fonts.get("w.ascii")
        raised = find_value(properties, "w.vertAlign") == "superscript"
        self._pieces(run, words, font, raised=raised)

    def _pieces(
        self, run: Iterable[Element], words: ParagraphText, font: str | None, *, raised: bool
    ) -> None:
        for piece in run:
            tag = piece.tag
            if tag == "w.t":
                text = read_in_font(piece.text or "", font)
                self._put(words, raise_digits(text) if raised else text)
            elif tag in _FIXED:
                self._put(words, _FIXED[tag])
            elif tag == "w.sym":
                self._put(words, _read_symbol(piece))
            elif tag == "w.fldChar":
                self._field(piece, words)
            elif tag in {"w.footnoteReference", "w.endnoteReference"}:
                self._note(piece, words)
            elif tag in {"w.drawing", "w.pict", "w.object"}:
                self.pictures += 1
                words.drawings.append(piece)
            elif tag == "mc.AlternateContent":
                self._pieces(choose_branch(piece), words, font, raised=raised)
            elif tag in _TRANSPARENT:
                self._walk([piece], words)

    def _put(self, words: ParagraphText, text: str) -> None:
        if all(self._fields):
            words.parts.append(text)

    def _field(self, piece: Element, words: ParagraphText) -> None:
        kind = piece.get("w.fldCharType")
        if kind == "begin":
            self._put(words, _read_form_field(piece))
            self._fields.append(False)
        elif kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _note(self, piece: Element, words: ParagraphText) -> None:
        kind = "footnote" if piece.tag == "w.footnoteReference" else "endnote"
        note = NoteReference(
            kind, piece.get("w.id", ""), is_attribute_on(piece, "w.customMarkFollows")
        )
        words.notes.append(note)
        self._put(words, self._mark(note))


def find_text_boxes(drawing: Element) -> Iterator[Element]:
    """The contents of the text boxes in a drawing, outermost only, each one once."""
    for child in drawing:
        if child.tag == "w.txbxContent":
            yield child
        elif child.tag == "mc.AlternateContent":
            for branch in choose_branch(child):
                yield from find_text_boxes(branch)
        else:
            yield from find_text_boxes(child)


def read_control(control: Element) -> list[Element]:
    """What a content control holds; nothing while it shows its prompt ("Click here …")."""
    content = control.find("w.sdtContent")
    if content is None or is_on(control, "w.sdtPr/w.showingPlcHdr"):
        return []
    return list(content)


def is_attribute_on(element: Element, name: str) -> bool:
    """Whether an on/off attribute is there and on."""
    return element.get(name, "0") not in {"0", "false", "off"}


def _read_symbol(piece: Element) -> str:
    try:
        return read_symbol(int(piece.get("w.char", ""), 16), piece.get("w.font"))
    except (ValueError, OverflowError):
        return ""


def _read_form_field(piece: Element) -> str:
    data = piece.find("w.ffData")
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
    place = find_integer(find_value(choices, "w.result")) or 0
    return entries[place] if 0 <= place < len(entries) else ""


_WRAPPERS = frozenset({"w.customXml", "w.ins", "w.moveTo", "w.smartTag"})
_MAX_SPAN = 100


@dataclass(frozen=True, slots=True)
class DocxCell:
    """A cell and the columns it covers; ``content`` is None where a cell above goes on."""

    content: Element | None
    span: int = 1


def read_rows(table: Element) -> list[list[DocxCell]]:
    """The rows that are not deleted, each with its cells from the first column on."""
    return [_read_cells(row) for row in find_children(table, "w.tr") if not _is_deleted(row)]


def is_layout(
    table: Element, rows: list[list[DocxCell]], is_heading: Callable[[Element], bool]
) -> bool:
    """Whether the table only arranges running text on the page."""
    columns = max((len(row) for row in rows), default=0)
    if len(rows) == 1 and columns == 1:
        return True
    sections = any(map(is_heading, table.iter("w.p")))
    nested = any(item is not table for item in table.iter("w.tbl"))
    if (sections or nested) and 1 in {len(rows), columns}:
        return True
    return sections and any(_opens_section(cell, is_heading) for row in rows for cell in row)


def find_children(parent: Iterable[Element], tag: str) -> Iterator[Element]:
    """Children of a kind, through content controls and tracked insertions."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in _WRAPPERS:
            yield from find_children(child, tag)
        elif child.tag == "w.sdt":
            yield from find_children(read_control(child), tag)


def _read_cells(row: Element) -> list[DocxCell]:
    before = find_integer(find_value(row, "w.trPr/w.gridBefore")) or 0
    cells = [DocxCell(None) for _ in range(min(max(before, 0), _MAX_SPAN))]
    for item in find_children(row, "w.tc"):
        span = find_integer(find_value(item, "w.tcPr/w.gridSpan")) or 1
        merge = item.find("w.tcPr/w.vMerge")
        goes_on = merge is not None and merge.get("w.val", "continue") == "continue"
        cells.append(DocxCell(None if goes_on else item, min(max(span, 1), _MAX_SPAN)))
    return cells


def _is_deleted(row: Element) -> bool:
    return row.find("w.trPr/w.del") is not None


def _opens_section(cell: DocxCell, is_heading: Callable[[Element], bool]) -> bool:
    # A heading with more below it in the same cell is a section, not a column's name.
    content = [] if cell.content is None else list(cell.content)
    for place, item in enumerate(content):
        if item.tag == "w.p" and is_heading(item):
            return any(
                any(text.text for text in below.iter("w.t")) for below in content[place + 1 :]
            )
    return False
