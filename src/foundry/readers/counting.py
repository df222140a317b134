"""Writes numbers the way office programs print them: 4, iv, D; 5 for 5.0.

Shared by the readers that must resolve automatic numbers and show cells. A counter
that cannot be written gives None: a missing number is better than a wrong one.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

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


def roman(value: int) -> str | None:
    """Lower-case Roman digits, 1–3999; None outside."""
    if not 0 < value < 4000:
        return None
    digits = []
    for weight, sign in _ROMAN:
        times, value = divmod(value, weight)
        digits.append(sign * times)
    return "".join(digits)


def letters(value: int) -> str | None:
    """The letters a … z, then aa, bb … as Word and Writer print them; None below 1."""
    if value < 1:
        return None
    times, place = divmod(value - 1, 26)
    return chr(ord("a") + place) * (times + 1) if times < _MAX_LETTERS else None


def write_counter(value: int, form: str) -> str | None:
    """A counter in one of Word's formats ("upperRoman"); None for an unknown format."""
    write = _FORMS.get(form)
    return None if write is None else write(value)


def read_integer(text: str | None, default: int) -> int:
    """An attribute as an integer, or the default when it is missing or no integer."""
    try:
        return int(text) if text else default
    except ValueError:
        return default


def write_number(value: float) -> str:
    """A cell's number with the 15 digits that spreadsheets show: 5.0 → "5", 0.1+0.2 → "0.3"."""
    if isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.15g}"


def _upper(text: str | None) -> str | None:
    return None if text is None else text.upper()


_FORMS: dict[str, Callable[[int], str | None]] = {
    "decimal": str,
    "decimalZero": lambda value: f"{value:02d}",
    "lowerRoman": roman,
    "upperRoman": lambda value: _upper(roman(value)),
    "lowerLetter": letters,
    "upperLetter": lambda value: _upper(letters(value)),
    "numberInDash": lambda value: f"- {value} -",
    "none": lambda _: "",
}
