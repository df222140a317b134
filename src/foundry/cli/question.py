"""A question from the command line: its words, or standard input for ``-``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from foundry.errors import UsageError

LONGEST_INPUT = 1_000_000
"""Bytes read from standard input: far more than any question, far less than the memory."""


def read_question(words: Sequence[str], what: str = "question") -> str:
    """The words joined, or the text of standard input. Raises ``UsageError`` when it is empty."""
    text = (_from_input(what) if tuple(words) == ("-",) else " ".join(words)).strip()
    if not text:
        raise UsageError(
            f"The {what} is empty.", fix="Put it between quotes, or give - and pipe it in."
        )
    return text


def _from_input(what: str) -> str:
    raw = sys.stdin.buffer.read(LONGEST_INPUT + 1)
    if len(raw) > LONGEST_INPUT:
        raise UsageError(
            f"The {what} is longer than {LONGEST_INPUT:,} bytes.",
            where="standard input",
            fix="Ask a shorter question.",
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"The {what} is not UTF-8 text.", where="standard input", fix="Convert it to UTF-8."
        ) from error
