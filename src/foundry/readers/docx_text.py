"""The words of one Word paragraph, as a reader of the printed page sees them.

Tracked insertions stay and deletions go; field codes, hidden text and placeholder
prompts go; symbols, checkboxes, equations and raised digits become characters.
Notes and text boxes are handed back beside the text, for the body to place. Does
not know styles, lists or tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from foundry.readers.archive import Element
from foundry.readers.docx_numbering import integer, is_on, value_of
from foundry.readers.equations import read_equation
from foundry.readers.openxml import chosen
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
class Note:
    """A reference to a note: ``kind`` is "footnote" or "endnote", ``id`` its own."""

    kind: str
    id: str
    custom: bool


@dataclass(slots=True)
class Words:
    """A paragraph's text with what hangs on it, in reading order."""

    parts: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    drawings: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The words joined."""
        return "".join(self.parts)


class WordsReader:
    """Reads paragraphs in order; fields may run on from one paragraph into the next."""

    def __init__(self, hides: Callable[[str | None], bool], mark: Callable[[Note], str]) -> None:
        """``hides`` tells hidden styles; ``mark`` gives a note's printed mark ("[1]")."""
        self._hides = hides
        self._mark = mark
        self._fields: list[bool] = []
        self.hidden = 0
        self.deleted = 0
        self.pictures = 0

    def read(self, paragraph: Element) -> Words:
        """The words of a ``w.p``."""
        words = Words()
        self._walk(paragraph, words)
        # A field whose code never ends must not swallow the rest of the document.
        self._fields = [shown for shown in self._fields if shown]
        return words

    def _walk(self, parent: Iterable[Element], words: Words) -> None:
        for child in parent:
            tag = child.tag
            if tag == "w.r":
                self._run(child, words)
            elif tag in _TRANSPARENT:
                self._walk(child, words)
            elif tag in {"w.del", "w.moveFrom"}:
                self.deleted += 1
            elif tag == "w.sdt":
                self._walk(content_of(child), words)
            elif tag == "mc.AlternateContent":
                self._walk(chosen(child), words)
            elif tag == "m.oMath":
                self._put(words, f" {read_equation(child)} ")
            elif tag == "m.oMathPara":
                equations = (read_equation(item) for item in child.iter("m.oMath"))
                self._put(words, "\n" + "\n".join(equations) + "\n")

    def _run(self, run: Element, words: Words) -> None:
        properties = run.find("w.rPr")
        if is_on(properties, "w.vanish") or self._hides(value_of(properties, "w.rStyle")):
            self.hidden += 1
            return
        fonts = None if properties is None else properties.find("w.rFonts")
        font = None if fonts is None else fonts.get("w.ascii")
        raised = value_of(properties, "w.vertAlign") == "superscript"
        self._pieces(run, words, font, raised=raised)

    def _pieces(
        self, run: Iterable[Element], words: Words, font: str | None, *, raised: bool
    ) -> None:
        for piece in run:
            tag = piece.tag
            if tag == "w.t":
                text = read_in_font(piece.text or "", font)
                self._put(words, raise_digits(text) if raised else text)
            elif tag in _FIXED:
                self._put(words, _FIXED[tag])
            elif tag == "w.sym":
                self._put(words, _symbol(piece))
            elif tag == "w.fldChar":
                self._field(piece, words)
            elif tag in {"w.footnoteReference", "w.endnoteReference"}:
                self._note(piece, words)
            elif tag in {"w.drawing", "w.pict", "w.object"}:
                self.pictures += 1
                words.drawings.append(piece)
            elif tag == "mc.AlternateContent":
                self._pieces(chosen(piece), words, font, raised=raised)
            elif tag in _TRANSPARENT:
                self._walk([piece], words)

    def _put(self, words: Words, text: str) -> None:
        if all(self._fields):
            words.parts.append(text)

    def _field(self, piece: Element, words: Words) -> None:
        kind = piece.get("w.fldCharType")
        if kind == "begin":
            self._put(words, _form_field(piece))
            self._fields.append(False)
        elif kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _note(self, piece: Element, words: Words) -> None:
        kind = "footnote" if piece.tag == "w.footnoteReference" else "endnote"
        note = Note(kind, piece.get("w.id", ""), is_attribute_on(piece, "w.customMarkFollows"))
        words.notes.append(note)
        self._put(words, self._mark(note))


def text_boxes(drawing: Element) -> Iterator[Element]:
    """The contents of the text boxes in a drawing, outermost only, each one once."""
    for child in drawing:
        if child.tag == "w.txbxContent":
            yield child
        elif child.tag == "mc.AlternateContent":
            for branch in chosen(child):
                yield from text_boxes(branch)
        else:
            yield from text_boxes(child)


def content_of(control: Element) -> list[Element]:
    """What a content control holds; nothing while it shows its prompt ("Click here …")."""
    content = control.find("w.sdtContent")
    if content is None or is_on(control, "w.sdtPr/w.showingPlcHdr"):
        return []
    return list(content)


def is_attribute_on(element: Element, name: str) -> bool:
    """Whether an on/off attribute is there and on."""
    return element.get(name, "0") not in {"0", "false", "off"}


def _symbol(piece: Element) -> str:
    try:
        return read_symbol(int(piece.get("w.char", ""), 16), piece.get("w.font"))
    except (ValueError, OverflowError):
        return ""


def _form_field(piece: Element) -> str:
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
    place = integer(value_of(choices, "w.result")) or 0
    return entries[place] if 0 <= place < len(entries) else ""
