"""Characters and numbers as office programs show them.

Files keep "Ω" as a "W" in the font Symbol and "10³" as a raised "3"; read literally they
become "W" and "103". List counters and cell values are formatted as on screen. Unknown
fonts are left alone, and a counter in an unknown format is None: a missing number is
better than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite

_SYMBOL_LOW = (
    "!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
)
_SYMBOL_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…│─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑"
_SYMBOL = {
    **{0x21 + place: char for place, char in enumerate(_SYMBOL_LOW)},
    **{0xA0 + place: char for place, char in enumerate(_SYMBOL_HIGH)},
    0x20: " ",
    0xF1: "〉",
    0xF2: "∫",
}
_WINGDINGS_CODES = bytes.fromhex("20282a464a4c6c6e6f71769fa7a8d8dfe0e1e2f0fbfcfdfe")
_WINGDINGS = dict(zip(_WINGDINGS_CODES, " ☎✉☞☺☹●■□❑❖•▪☐➢←→↑↓⇨✗✓☒☑", strict=True))
_WINGDINGS_2 = {0x20: " ", 0x4F: "✗", 0x50: "✓", 0x52: "☑", 0x54: "☒", 0xA3: "☐"}
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2}

_PRIVATE = range(0xF020, 0xF100)
_PRIVATE_USE = re.compile("[\uf020-\uf0ff]")
_RAISED = str.maketrans("0123456789+-−–=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾")
_RAISABLE = frozenset("0123456789+-−–")


def read_symbol(code: int, font: str | None) -> str:
    """Return what a symbol font shows for ``code``, with or without 0xF000; "" if unknown."""
    table = _FONTS.get((font or "symbol").lower())
    if table is None:
        return "" if code in _PRIVATE else chr(code)
    return table.get(code - 0xF000 if code in _PRIVATE else code, "")


def read_in_font(text: str, font: str | None) -> str:
    """Return text as ``font`` shows it; private-use characters belong to the font Symbol."""
    if font and font.lower() in _FONTS:
        return "".join(read_symbol(ord(char), font) or _PRIVATE_USE.sub("", char) for char in text)
    return _PRIVATE_USE.sub(lambda match: read_symbol(ord(match[0]), None), text)


def raise_digits(text: str) -> str:
    """Raise numbers ("3" → "³", "-1" → "⁻¹"); words ("st", "TM") stay as they are."""
    bare = text.strip()
    return text.translate(_RAISED) if bare and all(char in _RAISABLE for char in bare) else text


_ROMAN_VALUES = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
_ROMAN_DIGITS = ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i")
_MAX_LETTERS = 30
"""Longest run of one letter ("aa", "bbb"): longer ones mean a damaged counter. A guess."""
_PLAIN_BULLETS = frozenset("-–—*►▪■□●○◦•✓✔→➢❖")


def format_roman(value: int) -> str | None:
    """Format 1–3999 in lower-case Roman digits; None for other numbers."""
    if not 0 < value < 4000:
        return None
    digits = []
    for weight, sign in zip(_ROMAN_VALUES, _ROMAN_DIGITS, strict=True):
        times, value = divmod(value, weight)
        digits.append(sign * times)
    return "".join(digits)


def format_letters(value: int) -> str | None:
    """Format a counter as a … z, aa, bb … like Word and Writer; None below 1."""
    if value < 1:
        return None
    times, place = divmod(value - 1, 26)
    return chr(ord("a") + place) * (times + 1) if times < _MAX_LETTERS else None


def format_counter(value: int, form: str) -> str | None:
    """Format a counter in one of Word's formats ("upperRoman"); None if it is unknown."""
    write = _COUNTER_FORMATS.get(form)
    return None if write is None else write(value)


def simplify_bullet(bullet: str) -> str:
    """Return a bullet that every font has: the same one, or "•"."""
    return bullet if bullet in _PLAIN_BULLETS else "•"


def parse_integer(text: str | None, default: int) -> int:
    """Parse an attribute as an integer; the default if it is missing or malformed."""
    try:
        return int(text) if text else default
    except ValueError:
        return default


def format_number(value: float) -> str:
    """Format a cell with the 15 digits that spreadsheets show: 5.0 → "5", 0.1+0.2 → "0.3"."""
    if isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.15g}"


def _upper(text: str | None) -> str | None:
    return text and text.upper()


_COUNTER_FORMATS: dict[str, Callable[[int], str | None]] = {
    "decimal": str,
    "decimalZero": lambda value: f"{value:02d}",
    "lowerRoman": format_roman,
    "upperRoman": lambda value: _upper(format_roman(value)),
    "lowerLetter": format_letters,
    "upperLetter": lambda value: _upper(format_letters(value)),
    "numberInDash": lambda value: f"- {value} -",
    "none": lambda _: "",
}
