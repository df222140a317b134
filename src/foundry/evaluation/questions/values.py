"""Values as files write them: numbers in text, lists in a cell, yes and no in two languages."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_TRUE = frozenset({"true", "yes", "y", "1", "ja", "j", "waar", "x"})
_FALSE = frozenset({"false", "no", "n", "0", "nee", "onwaar"})
_PAIR = re.compile(r"(\d{1,15})\s*[-–:]\s*(\d{1,15})")


class Unusable(Exception):
    """A row that cannot be understood: why, and the way out."""

    def __init__(self, reason: str, fix: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.fix = fix


def as_text(value: Any, name: str) -> str:
    """A text, or a number as one; trimmed."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Unusable(f"Its {name} is no text.", "Put a single text or number there.")
    text = str(value).strip()
    try:
        text.encode()
    except UnicodeEncodeError as error:
        reason = f"Its {name} holds half a character (a lone surrogate)."
        raise Unusable(reason, "Write the file anew as UTF-8.") from error
    return text.replace("\0", "")


def as_texts(value: Any) -> list[str]:
    """One text, or a list of them; without the empty ones."""
    if isinstance(value, Mapping):
        return as_texts(value.get("text", []))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [text for one in value if (text := as_text(one, "list of texts"))]
    text = as_text(value, "value")
    return [text] if text else []


def as_flag(value: Any, name: str) -> bool:
    """True or false, also as 1, 0, yes, no, ja, nee."""
    said = str(value).strip().lower()
    if said in _TRUE or said in _FALSE:
        return said in _TRUE
    if said in {"1.0", "0.0"}:
        return said == "1.0"
    raise Unusable(
        f"Its {name} is {_short(value)}, neither true nor false.", "Write true or false."
    )


def as_whole(value: Any, name: str) -> int:
    """A whole number from 0 on."""
    number = as_number(value, name)
    if number != int(number):
        raise Unusable(f"Its {name} is {_short(value)}, no whole number.", "Write a whole number.")
    return int(number)


def as_number(value: Any, name: str) -> float:
    """A number from 0 on; a comma may stand for the point."""
    try:
        number = float(str(value).strip().replace(",", "."))
    except ValueError:
        number = -1.0
    if isinstance(value, bool) or not 0 <= number < 1e15:
        raise Unusable(f"Its {name} is {_short(value)}, no number.", "Write a number from 0 on.")
    return number


def as_pairs(value: Any) -> list[tuple[int, int]]:
    """Spans: ``[[12, 40], …]``, ``[12, 40]``, ``{"start": 12, "end": 40}`` or ``12-40|50-60``."""
    if isinstance(value, str):
        return _pairs_in_text(value)
    if isinstance(value, Mapping):
        return [_pair(value.get("start", value.get("start_index")),
                      value.get("end", value.get("end_index")))]  # fmt: skip
    if isinstance(value, Sequence) and len(value) == 2 and not any(map(_is_nested, value)):
        return [_pair(*value)]
    if isinstance(value, Sequence):
        return [pair for one in value for pair in as_pairs(one)]
    raise _no_span(value)


def _pairs_in_text(text: str) -> list[tuple[int, int]]:
    if text.strip().startswith("["):
        try:
            return as_pairs(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise _no_span(text) from error
    found = []
    for part in re.split(r"[|,;\n]", text):
        match = _PAIR.fullmatch(part.strip())
        if match is None:
            raise _no_span(text)
        found.append(_pair(match[1], match[2]))
    return found


def _pair(start: Any, end: Any) -> tuple[int, int]:
    first, last = as_whole(start, "span"), as_whole(end, "span")
    if first >= last:
        raise Unusable(f"Its span {first}-{last} is empty.", "The end lies after the start.")
    return first, last


def _is_nested(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple)


def _no_span(value: Any) -> Unusable:
    return Unusable(
        f"Its spans are {_short(value)}, no places in a text.", "Write [[START, END], …]."
    )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
