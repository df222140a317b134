"""Reads RTF documents into blocks: headings, lists, tables and notes.

RTF stores every automatic number as text beside its paragraph, so list and section numbers
are exact. Headers, footers, comments, pictures, hidden and deleted text are left out. A
text stripper would keep the words, but not the headings, cells and numbers that citations
refer to. Groups are kept on a stack instead of recursing, so no nesting can exhaust it.
Follows the Rich Text Format specification 1.9.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.archive import build_wrong_kind_error, name_kind
from foundry.readers.document_builder import (
    MAX_HEADING_CHARS,
    DocumentBuilder,
    DraftBlock,
    add_blocks,
    draft_table,
    find_clues,
    join_marker,
    write_cell,
)
from foundry.readers.grids import build_cells
from foundry.readers.office.openxml import (
    CHANGES_ACCEPTED,
    HIDDEN_SKIPPED,
    MAX_CHAIN,
    Role,
    convert_outline_level,
    find_level,
    find_role,
)
from foundry.readers.symbols import raise_digits, read_in_font, simplify_bullet
from foundry.records import BlockKind, Document

Kind = Literal["open", "close", "word", "byte", "text"]

_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,10})? ?"
    r"|\\'(?P<byte>[0-9A-Fa-f]{2})"
    r"|\\(?P<sign>[^A-Za-z])"
    r"|(?P<brace>[{}])"
    r"|(?P<text>[^\\{}\r\n]+)"
    r"|[\r\n]+|\\",
    re.DOTALL,
)


_SKIPPED_WORDS = """
    colortbl pict object nonshppict shprslt filetbl revtbl fldinst header headerl headerr
    headerf footer footerl footerr footerf xe tc rxe annotation atnid atnauthor nonesttables
    pnseclvl listtable listoverridetable shpinst upr"""
SKIPPED = frozenset(_SKIPPED_WORDS.split())
"""Groups whose content is left out."""
KEPT = frozenset({"ud", "moMath", "nesttableprops"})
"""Parts of skipped groups, or words that only newer programs know, with text to keep."""
MARKERS = frozenset({"listtext", "pntext"})
TARGETS = MARKERS | frozenset(
    {"fonttbl", "stylesheet", "info", "title", "footnote", "shptxt", "nesttableprops"}
)
"""Groups whose content goes somewhere else than into the running text."""
CHARACTERS = {
    "tab": "\t",
    "line": "\n",
    "emdash": "—",
    "endash": "–",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "bullet": "•",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
    "~": "\xa0",
    "_": "-",
    "{": "{",
    "}": "}",
    "\\": "\\",
    "mden": "/",
    "msup": "^",
    "msub": "_",
    "nestcell": ", ",
}
"""Control words for single characters."""


@dataclass(frozen=True, slots=True)
class RtfToken:
    """A token; ``text`` is a control word or characters, ``number`` its parameter or a byte."""

    kind: Kind
    text: str = ""
    number: int | None = None


def read_tokens(data: bytes) -> Iterator[RtfToken]:
    """Split an RTF file into tokens; raw bytes become the characters of Latin-1."""
    source = data.decode("latin-1")
    place = 0
    while match := _TOKEN.match(source, place):
        place = match.end()
        if match["word"]:
            number = int(match["number"]) if match["number"] else None
            if match["word"] == "bin":
                place += max(number or 0, 0)
                continue
            yield RtfToken("word", match["word"], number)
        elif match["byte"]:
            yield RtfToken("byte", number=int(match["byte"], 16))
        elif match["sign"]:
            yield RtfToken("word", match["sign"])
        elif match["brace"]:
            yield RtfToken("open" if match["brace"] == "{" else "close")
        elif match["text"]:
            yield RtfToken("text", match["text"])


def decode_bytes(data: bytes, encoding: str) -> str:
    """Decode bytes; invalid ones become U+FFFD."""
    try:
        return data.decode(encoding, errors="replace")
    except LookupError:
        return data.decode("cp1252", errors="replace")


_CODE_PAGES = {77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "big5"}
_CODE_PAGES |= {161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256"}
_CODE_PAGES |= {186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 255: "cp437"}


@dataclass(slots=True)
class _Font:
    name: str = ""
    encoding: str | None = None


@dataclass(slots=True)
class _Style:
    name: str = ""
    outline: int | None = None
    based_on: int | None = None


@dataclass(slots=True)
class RtfFonts:
    """Fonts by number; ``encoding`` is that of the document, ``default`` the font of plain text."""

    encoding: str = "cp1252"
    default: int | None = None
    _fonts: dict[int, _Font] = field(default_factory=dict)

    def add_name(self, number: int | None, text: str) -> None:
        """Add a part of a font's name."""
        self._get(number).name += text

    def set_charset(self, number: int | None, charset: int | None) -> None:
        """Set the character set of a font."""
        self._get(number).encoding = _CODE_PAGES.get(charset or 0)

    def find_name(self, number: int | None) -> str:
        """Return the name of a font, or ""."""
        return self._get(self.default if number is None else number).name.rstrip("; ")

    def find_encoding(self, number: int | None) -> str:
        """Return the encoding of text in a font; symbol fonts keep their codes."""
        font = self._get(self.default if number is None else number)
        if font.name.lower().startswith(("symbol", "wingdings")):
            return "latin-1"
        return font.encoding or self.encoding

    def _get(self, number: int | None) -> _Font:
        return self._fonts.setdefault(-1 if number is None else number, _Font())


@dataclass(slots=True)
class RtfStyles:
    """Paragraph styles by number."""

    _styles: dict[int, _Style] = field(default_factory=dict)
    _open: int = 0

    def begin(self, number: int | None) -> None:
        """Start the declaration of a style."""
        self._open = number or 0
        self._styles[self._open] = _Style()

    def add_name(self, text: str) -> None:
        """Add a part of the name of the open style."""
        self._styles.setdefault(self._open, _Style()).name += text

    def set_outline(self, level: int | None) -> None:
        """Set the outline level of the open style, from 0."""
        self._styles.setdefault(self._open, _Style()).outline = level

    def set_base(self, number: int | None) -> None:
        """Set the parent of the open style."""
        self._styles.setdefault(self._open, _Style()).based_on = number

    def find_role(self, number: int) -> Role:
        """The kind of text that a style is for."""
        style = self._styles.get(number)
        return find_role(style.name) if style else "body"

    def find_level(self, number: int, direct: int | None) -> int | None:
        """Return the heading level from 1, or None; ``direct`` is the paragraph's own level."""
        if direct is not None:
            return convert_outline_level(direct)
        current: int | None = number
        for _ in range(MAX_CHAIN):
            style = self._styles.get(-1 if current is None else current)
            if style is None:
                return None
            level = find_level(style.name)
            if level or style.outline is not None:
                return level or convert_outline_level(style.outline or 0)
            current = style.based_on if style.based_on != current else None
        return None


def read_rtf(path: Path, options: ReadOptions) -> Document:
    """Read an RTF file. Raises ``ReadError`` if it is another kind or without text."""
    data = path.read_bytes()
    if not data.lstrip()[:5].lower().startswith(b"{\\rtf"):
        raise build_wrong_kind_error(
            name_kind(data[:2048]) or Message("readers-kind-binary"), Message("readers-kind-rtf")
        )
    document = RtfDocument()
    for token in read_tokens(data.lstrip()):
        document.feed(token)
    blocks = document.finish()
    builder = DocumentBuilder("rtf")
    add_blocks(builder, blocks)
    for has_it, sentence in (
        (document.is_cut, Message("readers-rtf-cut")),
        (document.deleted, CHANGES_ACCEPTED),
        (document.hidden, HIDDEN_SKIPPED),
    ):
        builder.warn(sentence if has_it else None)
    clues = find_clues(blocks, {"title": document.property_title}, document.title)
    return builder.build(options.name, clues)


@dataclass(slots=True)
class _Group:
    """The state that a group inherits from the group around it."""

    target: str = "text"
    skipped: bool = False
    starred: bool = False
    unicode_skip: int = 1
    font: int | None = None
    hidden: bool = False
    deleted: bool = False
    raised: bool = False


@dataclass(slots=True)
class _Paragraph:
    style: int = 0
    outline: int | None = None
    in_table: bool = False
    marker: str = ""
    parts: list[str] = field(default_factory=list)


class RtfDocument:
    """Turns tokens into blocks; the public attributes are complete after ``finish``."""

    def __init__(self) -> None:
        self.property_title = ""
        self.title: str | None = None
        self.deleted = False
        self.hidden = False
        self.is_cut = False
        self._group = _Group()
        self._stack: list[_Group] = []
        self._fonts = RtfFonts()
        self._styles = RtfStyles()
        self._bytes = bytearray()
        self._to_skip = 0
        self._paragraph = _Paragraph()
        self._interrupted: list[_Paragraph] = []
        self._cell: list[DraftBlock] = []
        self._row: list[str] = []
        self._rows: list[list[str]] = []
        self._attached: list[DraftBlock] = []
        self._note_count = 0
        self._blocks: list[DraftBlock] = []

    def feed(self, token: RtfToken) -> None:
        """Process the next token."""
        if token.kind == "byte":
            if self._to_skip:
                self._to_skip -= 1
            else:
                self._bytes.append(token.number or 0)
            return
        self._flush_bytes()
        if token.kind == "text":
            self._add_characters(token.text)
        elif token.kind == "word":
            self._handle_word(token.text, token.number)
        else:
            self._to_skip = 0
            if token.kind == "open":
                self._stack.append(self._group)
                self._group = replace(self._group, starred=False)
            else:
                self._close_group()

    def finish(self) -> list[DraftBlock]:
        """Return all blocks, after the last token."""
        self._flush_bytes()
        self.is_cut = bool(self._stack)
        self._group = _Group()
        self._end_paragraph()
        self._end_table()
        return self._blocks

    def _close_group(self) -> None:
        ended = self._group
        if not self._stack:
            return
        self._group = self._stack.pop()
        if ended.target != self._group.target and ended.target in _ENDINGS:
            _ENDINGS[ended.target](self, ended)

    def _handle_word(self, word: str, number: int | None) -> None:
        is_fallback, self._to_skip = bool(self._to_skip), 0
        group = self._group
        if word == "*":
            group.starred = True
            return
        if word in CHARACTERS:
            # Right after a Unicode character it is only a fallback for it.
            self._put("" if is_fallback else CHARACTERS[word])
        elif word in _WORDS:
            _WORDS[word](self, number)
        elif word in KEPT or word in TARGETS:
            self._open_target(word)
        elif word in SKIPPED or group.starred:
            group.skipped = True
        group.starred = False

    def _open_target(self, word: str) -> None:
        group = self._group
        group.skipped = group.skipped and word not in {"ud", "shptxt"}
        if word in TARGETS:
            group.target = word
        if word in {"footnote", "shptxt"}:
            self._interrupted.append(self._paragraph)
            self._paragraph = _Paragraph()

    def _flush_bytes(self) -> None:
        if self._bytes:
            data = bytes(self._bytes)
            self._bytes.clear()
            self._put(decode_bytes(data, self._fonts.find_encoding(self._group.font)))

    def _add_characters(self, text: str) -> None:
        skip = min(self._to_skip, len(text))
        self._to_skip -= skip
        text = text[skip:]
        if not text.isascii():
            data = text.encode("latin-1")
            text = decode_bytes(data, self._fonts.find_encoding(self._group.font))
        self._put(text)

    def _add_unicode(self, number: int | None) -> None:
        self._put(chr((number or 0) % 0x10000))
        self._to_skip = self._group.unicode_skip

    def _put(self, text: str) -> None:
        group = self._group
        if group.skipped or group.target == "info":
            return
        if group.target == "fonttbl":
            self._fonts.add_name(group.font, text)
        elif group.target == "stylesheet":
            self._styles.add_name(text)
        elif group.target == "title":
            self.property_title += text
        else:
            self._put_visible(group, text)

    def _put_visible(self, group: _Group, text: str) -> None:
        text = read_in_font(text, self._fonts.find_name(group.font))
        if group.target in MARKERS:
            self._paragraph.marker += text
        elif group.deleted:
            self.deleted = True
        elif group.hidden:
            self.hidden = True
        else:
            self._paragraph.parts.append(raise_digits(text) if group.raised else text)

    def _set_font(self, number: int | None) -> None:
        self._group.font = number

    def _set_style(self, number: int | None) -> None:
        if self._group.target == "stylesheet":
            self._styles.begin(number)
        elif self._group.target not in MARKERS:
            self._paragraph.style = number or 0

    def _set_outline(self, number: int | None) -> None:
        if self._group.target == "stylesheet":
            self._styles.set_outline(number)
        elif self._group.target not in MARKERS:
            self._paragraph.outline = number

    def _set_base(self, number: int | None) -> None:
        if self._group.target == "stylesheet":
            self._styles.set_base(number)

    def _set_in_table(self, _: int | None) -> None:
        self._paragraph.in_table = True

    def _reset_paragraph(self, _: int | None) -> None:
        # A list number has its own formatting, which is not that of the paragraph.
        if self._group.target not in MARKERS:
            self._paragraph.style = 0
            self._paragraph.outline = None
            self._paragraph.in_table = False

    def _reset_characters(self, _: int | None) -> None:
        group = self._group
        group.hidden = group.deleted = group.raised = False
        group.font = None

    def _put_note_mark(self, _: int | None) -> None:
        if self._group.target != "footnote":
            self._note_count += 1
        self._put(f"[{self._note_count}]")

    def _end_paragraph(self, _: int | None = None) -> None:
        if self._group.skipped or self._group.target in MARKERS:
            return
        if self._group.target == "footnote":
            self._paragraph.parts.append(" ")
            return
        blocks = self._take_blocks()
        if self._group.target == "shptxt":
            self._attached += blocks
        elif self._paragraph.in_table:
            self._cell += blocks
        else:
            self._end_table()
            self._blocks += [*blocks, *self._attached]
            self._attached = []

    def _take_blocks(self) -> list[DraftBlock]:
        """Return the block of the paragraph, if it has text; its properties stay for the next."""
        paragraph = self._paragraph
        self._paragraph = replace(paragraph, marker="", parts=[])
        text = _join_surrogates("".join(paragraph.parts))
        role = self._styles.find_role(paragraph.style)
        if not text.strip() or role == "contents":
            return []
        marker = _simplify_marker(_join_surrogates(paragraph.marker).strip())
        level = self._styles.find_level(paragraph.style, paragraph.outline)
        if level is None and role == "title":
            self.title = self.title or " ".join(text.split())
            level = 1
        if level is not None and len(text) <= MAX_HEADING_CHARS:
            number = marker if any(map(str.isalnum, marker)) else ""
            return [DraftBlock("heading", f"{number} {text.strip()}".strip(), min(level, 6))]
        kind: BlockKind = "list_item" if marker else "paragraph"
        kind = role if role in {"caption", "code"} else kind
        return [DraftBlock(kind, join_marker(marker, text))]

    def _end_cell(self, _: int | None) -> None:
        if not self._group.skipped:
            self._row.append(write_cell([*self._cell, *self._take_blocks()]))
            self._cell = []

    def _end_row(self, _: int | None = None) -> None:
        if self._row:
            self._rows.append(self._row)
        self._row = []

    def _end_table(self) -> None:
        if self._cell:
            # The file ends in a cell.
            self._row.append(write_cell(self._cell))
            self._cell = []
        self._end_row()
        if self._rows:
            self._blocks += [draft_table(build_cells(self._rows)), *self._attached]
            self._rows, self._attached = [], []

    def _end_note(self, ended: _Group) -> None:
        text = " ".join(_join_surrogates("".join(self._paragraph.parts)).split())
        self._paragraph = self._interrupted.pop()
        if text and not ended.skipped:
            self._attached.append(DraftBlock("paragraph", text))

    def _end_box(self, _: _Group) -> None:
        self._attached += self._take_blocks()
        self._paragraph = self._interrupted.pop()

    def _end_nested_row(self, _: _Group) -> None:
        self._put("; ")


def _simplify_marker(marker: str) -> str:
    """Keep a printed number, and replace a bullet by one that every font has."""
    if not marker or (any(map(str.isalnum, marker)) and marker != "o"):
        return marker
    return simplify_bullet(marker)


def _join_surrogates(text: str) -> str:
    # Characters beyond the basic plane come as two surrogates.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _build_flag_setter(name: str, *, on: bool = True) -> Callable[[RtfDocument, int | None], None]:
    def switch(document: RtfDocument, number: int | None) -> None:
        setattr(document._group, name, on and number != 0)

    return switch


# ruff: noqa: SLF001  the tables below belong to the class above
_WORDS: dict[str, Callable[[RtfDocument, int | None], None]] = {
    "u": RtfDocument._add_unicode,
    "uc": lambda document, number: setattr(document._group, "unicode_skip", max(number or 0, 0)),
    "ansicpg": lambda document, number: setattr(document._fonts, "encoding", f"cp{number}"),
    "mac": lambda document, _: setattr(document._fonts, "encoding", "mac_roman"),
    "pc": lambda document, _: setattr(document._fonts, "encoding", "cp437"),
    "pca": lambda document, _: setattr(document._fonts, "encoding", "cp850"),
    "deff": lambda document, number: setattr(document._fonts, "default", number),
    "f": RtfDocument._set_font,
    "fcharset": lambda document, number: document._fonts.set_charset(document._group.font, number),
    "s": RtfDocument._set_style,
    "sbasedon": RtfDocument._set_base,
    "outlinelevel": RtfDocument._set_outline,
    "intbl": RtfDocument._set_in_table,
    "pard": RtfDocument._reset_paragraph,
    "plain": RtfDocument._reset_characters,
    "v": _build_flag_setter("hidden"),
    "deleted": _build_flag_setter("deleted"),
    "super": _build_flag_setter("raised"),
    "nosupersub": _build_flag_setter("raised", on=False),
    "sub": _build_flag_setter("raised", on=False),
    "chftn": RtfDocument._put_note_mark,
    "par": RtfDocument._end_paragraph,
    "sect": RtfDocument._end_paragraph,
    "\n": RtfDocument._end_paragraph,
    "\r": RtfDocument._end_paragraph,
    "cell": RtfDocument._end_cell,
    "row": RtfDocument._end_row,
}
_ENDINGS: dict[str, Callable[[RtfDocument, _Group], None]] = {
    "footnote": RtfDocument._end_note,
    "shptxt": RtfDocument._end_box,
    "nesttableprops": RtfDocument._end_nested_row,
}
