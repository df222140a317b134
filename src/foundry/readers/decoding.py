"""Bytes → text, and text → lines with offsets.

Byte order marks are respected, UTF-8 and UTF-16 are recognised, older encodings are
guessed. Binary data raises ``ReadError`` with what it looks like; damaged bytes become
U+FFFD with a warning.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from foundry.analysis.lexer import LINE
from foundry.errors import ReadError
from foundry.messages import Message
from foundry.readers.archive import find_binary_kind

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WESTERN = re.compile(
    r"[A-Za-zÀ-ÖØ-öø-ÿŒœŠšŽžŸ\s\x21-\x7e“”‘’‚„–—…•€£¥§©®°±²³µ·¹º»¼½¾¿¡«×÷´¨ª™\xa0\xad]"
)
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_SAMPLE = 200_000
"""Bytes or characters that are checked: enough for a guess, and fast on large files."""


@dataclass(frozen=True, slots=True)
class DecodedText:
    """Decoded text; ``warning`` says what was lost or guessed, if anything."""

    text: str
    encoding: str
    warning: Message | None = None


def decode(data: bytes) -> DecodedText:
    """Decode a text file without its byte order mark. Raises ``ReadError`` for binary data."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_as(data[len(mark) :], encoding)
    kind = find_binary_kind(data)
    if kind:
        raise _build_not_text_error(Message("readers-looks-like", kind=kind))
    if b"\x00" in data:
        # In Western text in UTF-16 every second byte is zero.
        sample = data[:_SAMPLE]
        zeros_even, zeros_odd = sample[0::2].count(0), sample[1::2].count(0)
        half = max(len(sample) // 2, 1)
        for zeros, other, encoding in (
            (zeros_odd, zeros_even, "utf-16-le"),
            (zeros_even, zeros_odd, "utf-16-be"),
        ):
            if zeros > 0.4 * half and other < 0.05 * half:
                return _decode_as(data, encoding)
        raise _build_not_text_error(Message("readers-zero-bytes"))
    try:
        return _check_plausible(DecodedText(data.decode("utf-8"), "utf-8"))
    except UnicodeDecodeError:
        return _check_plausible(_decode_legacy(data))


def _decode_as(data: bytes, encoding: str) -> DecodedText:
    try:
        return _check_plausible(DecodedText(data.decode(encoding), encoding))
    except UnicodeDecodeError:
        return _check_plausible(_decode_with_replacement(data, encoding))


def _decode_legacy(data: bytes) -> DecodedText:
    lenient = _decode_with_replacement(data, "utf-8")
    broken = lenient.text.count("\ufffd")
    wide = sum(1 for char in lenient.text if char > "\x7f") - broken
    # Ten valid sequences to one invalid: UTF-8 with damage. The ratios here are guesses.
    if wide > 10 * broken:
        return lenient
    western = _find_western(data)
    if western:
        return western
    # So few invalid bytes are damage, not the letters of another alphabet.
    return lenient if 200 * broken < len(data) else _guess_encoding(data)


def _find_western(data: bytes) -> DecodedText | None:
    # charset_normalizer often takes short Western text for Eastern European or Chinese.
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    odd = len(_WESTERN.sub("", text[:_SAMPLE]))
    return DecodedText(text, "cp1252") if odd == 0 else None


def _guess_encoding(data: bytes) -> DecodedText:
    # Imported here: most files are UTF-8 and never need it.
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE]).best()
    if best is None:
        raise _build_not_text_error(Message("readers-no-encoding"))
    try:
        text = data.decode(best.encoding)
    except UnicodeDecodeError:
        return _decode_with_replacement(data, best.encoding)
    warning = Message("readers-encoding-guessed", encoding=best.encoding)
    return DecodedText(text, best.encoding, warning)


def _decode_with_replacement(data: bytes, encoding: str) -> DecodedText:
    text = data.decode(encoding, errors="replace")
    count = text.count("\ufffd")
    warning = Message("readers-invalid-bytes", number=count, encoding=encoding.upper())
    return DecodedText(text, encoding, warning)


def _check_plausible(decoded: DecodedText) -> DecodedText:
    sample = decoded.text[:_SAMPLE]
    if len(_CONTROLS.findall(sample)) > max(2, len(sample) // 200):
        raise _build_not_text_error(Message("readers-control-characters"))
    if sample.count("\ufffd") > max(2, len(sample) // 50):
        raise _build_not_text_error(Message("readers-no-encoding"))
    return decoded


def _build_not_text_error(cause: Message) -> ReadError:
    return ReadError("readers-not-text", cause=cause)


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line without its line break, and its offset in the text."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset where the line ends, before its line break."""
        return self.start + len(self.text)


def split_lines(text: str) -> Iterator[TextLine]:
    """Split a text at CR LF, CR and LF, keeping offsets."""
    for match in LINE.finditer(text):
        if match.start() == len(text) and match.start() > 0:
            return
        yield TextLine(match[1], match.start())


def split_paragraphs(lines: Iterable[TextLine]) -> Iterator[list[TextLine]]:
    """Group the lines between empty lines."""
    for has_text, group in groupby(lines, key=lambda line: bool(line.text.strip())):
        if has_text:
            yield list(group)
