"""Text that can leave Python: lone surrogates, as broken files hold them, become "?"."""

from __future__ import annotations


def encodable(text: str) -> str:
    """The text itself where UTF-8 can hold it."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
