"""Fields as files and people write them: numbers in text, lists in a cell, ids, set names, languages.

A set name has no slash, so the first slash of ``set/id`` separates the two; an id may contain any.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from foundry.analysis.languages import UNKNOWN, list_languages
from foundry.craft.prompting import LANGUAGE_NAMES
from foundry.errors import UsageError
from foundry.ids import hash_text
from foundry.messages import Message, Parameter

DEFAULT_SET: Final = "questions"
_TRUE = frozenset({"true", "yes", "y", "1", "ja", "j", "waar", "x"})
_FALSE = frozenset({"false", "no", "n", "0", "nee", "onwaar"})
_PAIR = re.compile(r"(\d{1,15})\s*[-–:]\s*(\d{1,15})")
_SET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_MAX_ID = 200
_ID_DIGITS = 10
_LANGUAGE_NAMES = {
    **{name.lower(): code for code, name in LANGUAGE_NAMES.items()},
    "dut": "nl", "nld": "nl", "nederlands": "nl", "vlaams": "nl", "eng": "en", "engels": "en",
    "deu": "de", "ger": "de", "duits": "de", "deutsch": "de", "fra": "fr", "fre": "fr", "frans": "fr",
}  # fmt: skip


class UnusableRow(Exception):
    """A row that cannot be understood, with the reason and a fix."""

    def __init__(self, code: str, **params: Parameter) -> None:
        self.reason = Message(code, **params)
        super().__init__(self.reason)


def as_text(value: Any, name: str) -> str:
    """A text, trimmed; a number becomes text. Raises ``UnusableRow``."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UnusableRow("eval-row-not-text", name=name)
    text = str(value).strip()
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UnusableRow("eval-row-half-character", name=name) from error
    return text.replace("\0", "")


def as_texts(value: Any) -> list[str]:
    """One text or a list of texts, without empty ones."""
    if isinstance(value, Mapping):
        return as_texts(value.get("text", []))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [text for item in value if (text := as_text(item, "list of texts"))]
    text = as_text(value, "value")
    return [text] if text else []


def as_flag(value: Any, name: str) -> bool:
    """True or false; accepts 1, 0, yes, no, ja, nee."""
    word = str(value).strip().lower()
    word = {"1.0": "1", "0.0": "0"}.get(word, word)
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise UnusableRow("eval-row-not-flag", name=name, value=_shorten(value))


def as_whole(value: Any, name: str) -> int:
    """A whole number, 0 or more."""
    number = as_number(value, name)
    if number != int(number):
        raise UnusableRow("eval-row-not-whole", name=name, value=_shorten(value))
    return int(number)


def as_number(value: Any, name: str) -> float:
    """A number, 0 or more; accepts a decimal comma."""
    try:
        number = float(str(value).strip().replace(",", "."))
    except ValueError:
        number = -1.0
    if isinstance(value, bool) or not 0 <= number < 1e15:
        raise UnusableRow("eval-row-not-number", name=name, value=_shorten(value))
    return number


def as_pairs(value: Any) -> list[tuple[int, int]]:
    """Spans: ``[[12, 40], …]``, ``[12, 40]``, ``{"start": 12, "end": 40}`` or ``12-40|50-60``."""
    if isinstance(value, str):
        return _parse_pairs(value)
    if isinstance(value, Mapping):
        return [_make_pair(value.get("start", value.get("start_index")),
                           value.get("end", value.get("end_index")))]  # fmt: skip
    if isinstance(value, Sequence) and len(value) == 2 and not any(map(_is_nested, value)):
        return [_make_pair(*value)]
    if isinstance(value, Sequence):
        return [pair for item in value for pair in as_pairs(item)]
    raise _invalid_spans(value)


def check_set(name: str) -> str:
    """The name of a set. Raises ``UnusableRow`` for an invalid one."""
    if not _SET.fullmatch(name):
        raise UnusableRow("eval-set-name-invalid", name=name[:40])
    return name


def check_id(name: str) -> str:
    """A question's id: any text on one line. Raises ``UnusableRow`` otherwise."""
    if not name or _CONTROL.search(name):
        raise UnusableRow("eval-id-invalid")
    if len(name) > _MAX_ID:
        raise UnusableRow("eval-id-too-long", n=len(name), limit=_MAX_ID)
    return name


def require_set(name: str, where: str = "--set") -> str:
    """``check_set`` for a command. Raises ``UsageError``."""
    try:
        return check_set(name)
    except UnusableRow as error:
        raise UsageError(error.reason, where=where) from error


def id_of_text(text: str) -> str:
    """The id of a question without one: equal words give the same id on every machine."""
    return f"q{hash_text(' '.join(text.split()))[:_ID_DIGITS]}"


def find_language(name: str) -> str | None:
    """The ISO 639-1 code of a language ("nl-BE", "NL", "Dutch" → nl), "und", or None."""
    plain = name.strip().lower()
    code = _LANGUAGE_NAMES.get(plain) or plain.replace("_", "-").partition("-")[0]
    code = _LANGUAGE_NAMES.get(code, code)
    return code if code == UNKNOWN or code in list_languages() else None


def _parse_pairs(text: str) -> list[tuple[int, int]]:
    if text.strip().startswith("["):
        try:
            return as_pairs(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise _invalid_spans(text) from error
    pairs = []
    for part in re.split(r"[|,;\n]", text):
        match = _PAIR.fullmatch(part.strip())
        if match is None:
            raise _invalid_spans(text)
        pairs.append(_make_pair(match[1], match[2]))
    return pairs


def _make_pair(start: Any, end: Any) -> tuple[int, int]:
    first, last = as_whole(start, "span"), as_whole(end, "span")
    if first >= last:
        raise UnusableRow("eval-span-empty", span=f"{first}-{last}")
    return first, last


def _is_nested(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple)


def _invalid_spans(value: Any) -> UnusableRow:
    return UnusableRow("eval-spans-invalid", value=_shorten(value))


def _shorten(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
