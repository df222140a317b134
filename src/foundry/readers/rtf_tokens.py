"""RTF as a stream of tokens: groups, control words, characters.

Follows the Rich Text Format specification 1.9.1. Knows no meaning of any word except
``bin``, whose raw bytes must be stepped over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class Token:
    """``text`` is a control word or characters; ``number`` its parameter or a byte."""

    kind: Kind
    text: str = ""
    number: int | None = None


def read_tokens(data: bytes) -> Iterator[Token]:
    """The tokens of an RTF file; raw bytes come as the characters of Latin-1."""
    source = data.decode("latin-1")
    place = 0
    while match := _TOKEN.match(source, place):
        place = match.end()
        if match["word"]:
            number = int(match["number"]) if match["number"] else None
            if match["word"] == "bin":
                place += max(number or 0, 0)
                continue
            yield Token("word", match["word"], number)
        elif match["byte"]:
            yield Token("byte", number=int(match["byte"], 16))
        elif match["sign"]:
            yield Token("word", match["sign"])
        elif match["brace"]:
            yield Token("open" if match["brace"] == "{" else "close")
        elif match["text"]:
            yield Token("text", match["text"])


def decode_bytes(data: bytes, encoding: str) -> str:
    """Bytes as text; what is not valid becomes U+FFFD."""
    try:
        return data.decode(encoding, errors="replace")
    except LookupError:
        return data.decode("cp1252", errors="replace")
