"""Which of the titles that a file offers is one that a person would recognise.

Programs fill the title field with file names and their own name; those are passed
over. Invents nothing: the last resort is the file's name without its extension.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_MEANINGLESS = re.compile(
    r"(?:untitled|naamloos|unbenannt|sans titre|document|dokument|presentation|presentatie|"
    r"powerpoint[- ]presentati(?:on|e)|word document|slide|dia|title|titel|home|index|"
    r"new microsoft .*|microsoft word|no title|template|werkblad|book|map)[\s_-]*\d*",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(
    r"(?:microsoft \w+ - .*|[a-z]:\\.*|.*\.(?:docx?|dotx?|pptx?|odt|rtf|html?))", re.IGNORECASE
)
_MAX_CHARS = 300


def choose_title(offers: Iterable[str | None], path: Path) -> str:
    """The first offer that says something, in one line; else the file's name."""
    for offer in offers:
        words = " ".join((offer or "").split())
        if words and len(words) <= _MAX_CHARS and not _is_meaningless(words):
            return words
    return path.stem


def _is_meaningless(words: str) -> bool:
    if not any(char.isalpha() for char in words):
        return True
    return bool(_MEANINGLESS.fullmatch(words) or _FILE_NAME.fullmatch(words))
