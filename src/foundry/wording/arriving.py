"""A reply that is still arriving → the statements that further text cannot change.

The last statement may still grow or get its marks, so it is always left out. Works
on the structured form and on prose, like ``replies``; decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from foundry.wording.replies import Statement, parse_reply, read_unfinished

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
    items = read_unfinished(plain)
    if items is not None:
        return parse_reply("", {"sentences": items[:-1]}, allowed, language).statements
    if len(plain) < _LEAST_PROSE or "{" in plain:
        return ()
    return parse_reply(_OPEN_MARK.sub("", plain), None, allowed, language).statements[:-1]
