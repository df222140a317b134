"""Bytes → text for files that should be text.

Honours byte order marks, takes UTF-8 and UTF-16, and guesses older encodings. It
refuses what is not text at all (and says what it looks like), and never drops a
byte without saying so.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from foundry.errors import ReadError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with UTF-16's
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MAGIC = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\xd0\xcf\x11\xe0", "an old Microsoft Office document"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"SQLite format 3", "a SQLite database"),
)
_WESTERN = re.compile(
    r"[A-Za-zÀ-ÖØ-öø-ÿŒœŠšŽžŸ\s\x21-\x7e“”‘’‚„–—…•€£¥§©®°±²³µ·¹º»¼½¾¿¡«×÷´¨ª™\xa0\xad]"
)
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_SAMPLE = 200_000


@dataclass(frozen=True, slots=True)
class DecodedText:
    """Text with how it was read; ``warning`` is a sentence when something was lost or guessed."""

    text: str
    encoding: str
    warning: str | None = None


def decode(data: bytes) -> DecodedText:
    """The text in ``data``, without its byte order mark. Raises ``ReadError`` for binary data."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_as(data[len(mark) :], encoding)
    for magic, name in _MAGIC:
        if data.startswith(magic):
            raise _build_not_text_error(f"it looks like {name}")
    if b"\x00" in data:
        return _decode_wide(data)
    try:
        return _check_plausible(DecodedText(data.decode("utf-8"), "utf-8"))
    except UnicodeDecodeError:
        return _check_plausible(_decode_legacy(data))


def _decode_as(data: bytes, encoding: str) -> DecodedText:
    try:
        return _check_plausible(DecodedText(data.decode(encoding), encoding))
    except UnicodeDecodeError:
        return _check_plausible(_decode_with_replacement(data, encoding))


def _decode_wide(data: bytes) -> DecodedText:
    # Western text in UTF-16 without a mark: every second byte is zero.
    sample = data[:_SAMPLE]
    zeros_even, zeros_odd = sample[0::2].count(0), sample[1::2].count(0)
    half = max(len(sample) // 2, 1)
    for zeros, other, encoding in (
        (zeros_odd, zeros_even, "utf-16-le"),
        (zeros_even, zeros_odd, "utf-16-be"),
    ):
        if zeros > 0.4 * half and other < 0.05 * half:
            return _decode_as(data, encoding)
    raise _build_not_text_error("it holds zero bytes")


def _decode_legacy(data: bytes) -> DecodedText:
    lenient = _decode_with_replacement(data, "utf-8")
    broken = lenient.text.count("\ufffd")
    wide = sum(1 for char in lenient.text if char > "\x7f") - broken
    if wide > 10 * broken:
        return lenient
    western = _find_western(data)
    if western:
        return western
    # So few cannot be the letters of another alphabet: they are damage.
    return lenient if 200 * broken < len(data) else _guess_encoding(data)


def _find_western(data: bytes) -> DecodedText | None:
    # Guessers often take short Western text for Eastern European or Chinese.
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    odd = len(_WESTERN.sub("", text[:_SAMPLE]))
    return DecodedText(text, "cp1252") if odd == 0 else None


def _guess_encoding(data: bytes) -> DecodedText:
    # Imported here: most files are UTF-8 and never need the guesser.
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE]).best()
    if best is None:
        raise _build_not_text_error("its bytes fit no text encoding")
    try:
        text = data.decode(best.encoding)
    except UnicodeDecodeError:
        return _decode_with_replacement(data, best.encoding)
    sentence = f"The encoding is not stated; the text was read as {best.encoding}."
    return DecodedText(text, best.encoding, sentence)


def _decode_with_replacement(data: bytes, encoding: str) -> DecodedText:
    text = data.decode(encoding, errors="replace")
    count = text.count("\ufffd")
    return DecodedText(
        text,
        encoding,
        f"{count} place{'s are' if count != 1 else ' is'} not valid {encoding.upper()} "
        "and read as \ufffd.",
    )


def _check_plausible(decoded: DecodedText) -> DecodedText:
    sample = decoded.text[:_SAMPLE]
    if len(_CONTROLS.findall(sample)) > max(2, len(sample) // 200):
        raise _build_not_text_error("it is full of control characters")
    if sample.count("\ufffd") > max(2, len(sample) // 50):
        raise _build_not_text_error("its bytes fit no text encoding")
    return decoded


def _build_not_text_error(why: str) -> ReadError:
    return ReadError(
        f"This is not a text file: {why}.",
        fix="Give the file the extension of what it really is, or leave it out.",
    )
