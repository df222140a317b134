"""Escapes text for Markdown, so that nothing in it becomes markup or a link."""

from __future__ import annotations

import re

from foundry.text.spotlight import drop_hidden

# An underscore within a word needs no escape: "LC-512_manual.pdf" stays readable.
_SPECIAL = re.compile(r"[\\`*\[\]<>&|~$^]|(?<![^\W_])_|_(?![^\W_])")
_AT_START = re.compile(r"^(?=[#+=:-]|>)|^(\d+)(?=[.)])")
_LINKS = re.compile(r"(?<=\w)(:)(?=//)|(?i:(?<=\bwww)(\.))|(?<=\w)(@)(?=\w)")


def escape(text: str) -> str:
    """The text on one line, escaped for the start of a line."""
    return _AT_START.sub(
        lambda match: f"{match[1]}\\" if match[1] else "\\", escape_within(text), count=1
    )


def escape_within(text: str) -> str:
    """The text on one line, escaped for the middle of a line, such as a table cell."""
    # Before white space goes: a hidden character first would leave a space at the start.
    shown = _SPECIAL.sub(lambda match: f"\\{match[0]}", " ".join(drop_hidden(text).split()))
    return _LINKS.sub(lambda match: f"\\{match[0]}", shown)
