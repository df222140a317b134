"""JSON in a model's reply: the first object, repaired, or the entries of one that is cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json

from foundry.analysis.lexer import THINKING

# A comma before a closing bracket; strings are matched first, so that theirs stay.
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+(?:"|\Z))|,(?=\s*[}\]])', re.DOTALL)
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d]+|[^\s\w{}\[\]\"':,\\]")
"""A number with its separators, a word, or a symbol such as a sign; not JSON's own punctuation."""

# A page of braces must not take minutes: repair is slow on deep nesting. Both are guesses.
_MOST_STARTS = 50
_MOST_REPAIRED = 20_000
_STRUCTURED = re.compile(r"\s*(?:```[\w-]*\s*)?(?=[{\[][\s\"{\[])")


def read_object(text: str) -> dict[str, Any] | None:
    """The first JSON object in a model's reply, or None if there is no complete one.

    Surrounding prose, code fences, reasoning in ``<think>`` tags and trailing commas are
    skipped. Other mistakes (single quotes, missing commas) are repaired, but a truncated
    object is not. Check the result with ``find_mismatch``.
    """
    plain = _TRAILING_COMMA.sub(lambda match: match[1] or "", _drop_thinking(text))
    data = _decode_object(plain)
    return _clean(_repair_object(plain) if data is None else data)


def _clean(data: dict[str, Any] | None) -> dict[str, Any] | None:
    """The data without halves of surrogate pairs, which JSON may escape and nothing can save."""
    try:
        text = json.dumps(data, ensure_ascii=False)
        clean = replace_surrogates(text)
        return data if clean == text else json.loads(clean)
    except RecursionError:
        return None


def _drop_thinking(text: str) -> str:
    end = text.lower().rfind("</think>") + 1
    # Only where a thought ends: each of many that do not would be followed to the text's end.
    return THINKING.sub("", text[: end + 7]) + text[end + 7 :] if end else text


def _decode_object(text: str) -> dict[str, Any] | None:
    # strict=False: models write raw line breaks inside strings.
    decoder = json.JSONDecoder(strict=False)
    start = text.find("{")
    for _ in range(_MOST_STARTS):
        # Inside an unclosed brace there are only parts of what was asked for.
        if start < 0 or text.count("{", 0, start) > text.count("}", 0, start):
            return None
        try:
            data, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
        else:
            return data if isinstance(data, dict) else None
    return None


def _repair_object(text: str) -> dict[str, Any] | None:
    """The text from the first brace to the last as an object, if repair loses nothing of it.

    Repair may drop what it cannot place, such as the "not" after a stray quote, a minus sign or
    the comma in "24,5", which would change a statement. Such a reply, or one with unbalanced brackets, is unreadable.
    """
    braces = text[text.find("{") : text.rfind("}") + 1]
    balanced = all(braces.count(left) == braces.count(right) for left, right in ("{}", "[]"))
    if not braces or not balanced or len(braces) > _MOST_REPAIRED:
        return None
    # Imported here: few replies need repair.
    import json_repair

    try:
        data = json_repair.loads(braces, skip_json_loads=True)
    except (ValueError, RecursionError):
        return None
    kept = json.dumps(data, ensure_ascii=False)
    is_whole = _TOKEN.findall(braces.lower()) == _TOKEN.findall(kept.lower())
    return data if isinstance(data, dict) and is_whole else None


def parse_partial_json(text: str) -> list[Any] | None:
    """The complete items of a JSON reply that may be cut off, or None if it is not JSON."""
    opening = _STRUCTURED.match(text)
    if opening is None:
        return None
    try:
        parsed = from_json(text[opening.end() :], allow_partial=True)
    except ValueError:
        return None
    if isinstance(parsed, dict):
        parsed = next((value for value in parsed.values() if isinstance(value, list)), None)
    return parsed if isinstance(parsed, list) else None


def list_entries(
    data: Mapping[str, Any] | None, text: str, key: str, *, last: str
) -> list[Any] | None:
    """The entries under a key of a reply, or those before the cut of a truncated one; None if none.

    An entry of a truncated reply is complete if it has the key ``last``.
    """
    entries = data.get(key) if data is not None else None
    if isinstance(entries, list):
        return entries
    partial = parse_partial_json(text) or []
    return [one for one in partial if isinstance(one, Mapping) and last in one] or None


def replace_surrogates(text: str) -> str:
    """The text without halves of surrogate pairs, which JSON may escape and nothing can save."""
    return text.encode("utf-8", "replace").decode()
