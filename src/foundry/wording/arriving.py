"""A reply that is still arriving → the statements that further text cannot change.

The last statement may still grow or get its marks, so it is always left out. Works
on the structured form and on prose, like ``replies``; decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from pydantic_core import from_json

from foundry.wording.replies import Statement, parse_reply

_STRUCTURED = re.compile(r"\s*(?:```[\w-]*\s*)?(?=[{\[])")
_THINKING = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
# A prose reply may open its JSON after a few words; until they are a sentence, wait.
_LEAST_PROSE = 20
# A mark that is not closed yet belongs to the sentence before it.
_OPEN_MARK = re.compile(r"\s*[\[【(][^\[\]【】()]{0,80}\Z")


def may_settle(piece: str) -> bool:
    """True when a piece can end a statement: only then is looking again worth it."""
    return any(mark in piece for mark in "}.!?\n")


def settled(text: str, allowed: Collection[str], language: str) -> tuple[Statement, ...]:
    """The statements of an unfinished reply but the last; () while it might be a refusal."""
    plain = _THINKING.sub("", text)
    opening = _STRUCTURED.match(plain)
    if opening:
        whole = _whole_items(plain[opening.end() :])
        if not whole:
            return ()
        return parse_reply("", {"sentences": whole}, allowed, language).statements
    if len(plain) < _LEAST_PROSE or "{" in plain:
        return ()
    return parse_reply(_OPEN_MARK.sub("", plain), None, allowed, language).statements[:-1]


def _whole_items(text: str) -> list[Any]:
    """The sentences of a JSON text that has no end yet, without the last."""
    try:
        found = from_json(text, allow_partial=True)
    except ValueError:
        return []
    if isinstance(found, dict):
        lists = [value for value in found.values() if isinstance(value, list)]
        found = lists[0] if lists else []
    return found[:-1] if isinstance(found, list) else []
