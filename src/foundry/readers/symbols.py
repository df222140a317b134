"""Symbols, list numbers and cell values as office programs show them."""

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
_WINGDINGS = {
    0x20: " ",
    0x28: "☎",
    0x2A: "✉",
    0x46: "☞",
    0x4A: "☺",
    0x4C: "☹",
    0x6C: "●",
    0x6E: "■",
    0x6F: "□",
    0x71: "❑",
    0x76: "❖",
    0x9F: "•",
    0xA7: "▪",
    0xA8: "☐",
    0xD8: "➢",
    0xDF: "←",
    0xE0: "→",
    0xE1: "↑",
    0xE2: "↓",
    0xF0: "⇨",
    0xFB: "✗",
    0xFC: "✓",
    0xFD: "☒",
    0xFE: "☑",
}
_WINGDINGS_2 = {0x20: " ", 0x4F: "✗", 0x50: "✓", 0x52: "☑", 0x54: "☒", 0xA3: "☐"}
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2}

_PRIVATE = range(0xF020, 0xF100)
_PRIVATE_USE = re.compile("[\uf020-\uf0ff]")
_RAISED = str.maketrans("0123456789+-−–=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾")
_RAISABLE = frozenset("0123456789+-−–")


def read_symbol(code: int, font: str | None) -> str:
    """The character that a symbol font shows for ``code`` (0xF000 added or not); "" if unknown."""
    table = _FONTS.get((font or "symbol").lower())
    if table is None:
        return "" if code in _PRIVATE else chr(code)
    return table.get(code - 0xF000 if code in _PRIVATE else code, "")


def read_in_font(text: str, font: str | None) -> str:
    """Text as ``font`` shows it; private-use characters are those of the font Symbol."""
    if font and font.lower() in _FONTS:
        return "".join(read_symbol(ord(char), font) or _drop_private(char) for char in text)
    if _PRIVATE_USE.search(text):
        return "".join(
            read_symbol(ord(char), None) if ord(char) in _PRIVATE else char for char in text
        )
    return text


def _drop_private(char: str) -> str:
    return "" if ord(char) in _PRIVATE else char


def raise_digits(text: str) -> str:
    """Raised text: "3" → "³", "-1" → "⁻¹"; words ("st", "TM") stay as they are."""
    bare = text.strip()
    return text.translate(_RAISED) if bare and all(char in _RAISABLE for char in bare) else text


_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)
_MAX_LETTERS = 30


def format_roman(value: int) -> str | None:
    """Lower-case Roman digits, 1–3999; None outside."""
    if not 0 < value < 4000:
        return None
    digits = []
    for weight, sign in _ROMAN:
        times, value = divmod(value, weight)
        digits.append(sign * times)
    return "".join(digits)


def format_letters(value: int) -> str | None:
    """The letters a … z, then aa, bb … as Word and Writer print them; None below 1."""
    if value < 1:
        return None
    times, place = divmod(value - 1, 26)
    return chr(ord("a") + place) * (times + 1) if times < _MAX_LETTERS else None


def format_counter(value: int, form: str) -> str | None:
    """A counter in one of Word's formats ("upperRoman"); None for an unknown format."""
    write = _COUNTER_FORMATS.get(form)
    return None if write is None else write(value)


def parse_integer(text: str | None, default: int) -> int:
    """An attribute as an integer, or the default when it is missing or no integer."""
    try:
        return int(text) if text else default
    except ValueError:
        return default


def format_number(value: float) -> str:
    """A cell's number with the 15 digits that spreadsheets show: 5.0 → "5", 0.1+0.2 → "0.3"."""
    if isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.15g}"


def _to_upper(text: str | None) -> str | None:
    return None if text is None else text.upper()


_COUNTER_FORMATS: dict[str, Callable[[int], str | None]] = {
    "decimal": str,
    "decimalZero": lambda value: f"{value:02d}",
    "lowerRoman": format_roman,
    "upperRoman": lambda value: _to_upper(format_roman(value)),
    "lowerLetter": format_letters,
    "upperLetter": lambda value: _to_upper(format_letters(value)),
    "numberInDash": lambda value: f"- {value} -",
    "none": lambda _: "",
}
