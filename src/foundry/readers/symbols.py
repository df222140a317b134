"""Characters that mean something else than their code: symbol fonts and raised digits.

Office files keep "Ω" as a "W" in the font Symbol and "10³" as a raised "3": read
plainly they become "W" and "103". Fonts that are not known here are left alone.
"""

from __future__ import annotations

import re

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
        return "".join(read_symbol(ord(char), font) or _public(char) for char in text)
    if _PRIVATE_USE.search(text):
        return "".join(
            read_symbol(ord(char), None) if ord(char) in _PRIVATE else char for char in text
        )
    return text


def _public(char: str) -> str:
    return "" if ord(char) in _PRIVATE else char


def raise_digits(text: str) -> str:
    """Raised text: "3" → "³", "-1" → "⁻¹"; words ("st", "TM") stay as they are."""
    bare = text.strip()
    return text.translate(_RAISED) if bare and all(char in _RAISABLE for char in bare) else text
