"""A name that people gave, as every file system takes it."""

from __future__ import annotations

import re
import unicodedata

_LONGEST = 80


def file_name(name: str) -> str:
    """The name in letters, digits, ``-`` and ``_``; ``document`` where nothing is left of it."""
    plain = re.sub(r"[^\w.-]+", "-", unicodedata.normalize("NFC", name)).strip("-._")
    return plain[:_LONGEST].rstrip("-._") or "document"
