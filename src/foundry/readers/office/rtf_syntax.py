"""The syntax of RTF: tokens, control words, and the font and style tables.

Follows the Rich Text Format specification 1.9.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from foundry.readers.office.style_names import (
    MAX_CHAIN,
    Role,
    convert_outline_level,
    find_level,
    find_role,
)

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
