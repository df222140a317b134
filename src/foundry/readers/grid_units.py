"""What a caption, a corner or a line above a table says for all its values: title and unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.text.units import find_unit

_LEXICON = load_shared_lexicon()
# "thousand", "thousands", "miljoenen"; "mln" and the like are in the lexicon or are units.
_SCALE = rf"{build_alternation(_LEXICON.numbers.multipliers)}(?:s|en)?"
_SCALED = re.compile(rf"\b{_SCALE}\b|[€$£]\s*(?:x\s*)?1[.,]?000|\bx\s*1[.,]000", re.IGNORECASE)
_IN = re.compile(r"\b(?:in|en)\s+([^\s,;:)]+)", re.IGNORECASE)
_SYMBOLS = frozenset({"%", "$", "€", "£"})
_CODE = re.compile(r"[A-Z]{3}")
_BRACKETED = re.compile(r"[(\[]([^()\[\]]+)[)\]]")
_SENTENCE_END = re.compile(r"[.!?]$")
_MAX_UNIT_WORDS = 16
"""Words of a line that says a unit; a guess above "(In millions, except number of shares, which
are reflected in thousands, and per share amounts)"."""


def find_unit_words(line: str) -> str | None:
    """The part of a line that says the unit of all values, or None.

    It is in brackets, or it is the whole line: "Sales (in millions)", "In thousands of CHF: 2023".
    """
    for part in _BRACKETED.findall(line):
        if _says_unit(part) or part in _SYMBOLS:
            return str(part).strip()
    words = line.strip(" ()[]:")
    if len(words.split()) > _MAX_UNIT_WORDS or _SENTENCE_END.search(words):
        return None
    return words if _says_unit(words) and _opens_with_unit(words) else None


def split_caption(
    above: Sequence[str], titles: Iterable[str], corner: Iterable[str]
) -> tuple[str | None, str | None]:
    """The title and the unit of a table, each None if nothing says it.

    ``above`` are the lines before it, nearest last; ``titles`` are rows above its header and
    ``corner`` the cells above its row labels.
    """
    inner = [*titles]
    unit = next((words for text in [*corner, *inner] if (words := find_unit_words(text))), None)
    names = [text for text in inner if not _says_unit_only(text)]
    for line in reversed(above):
        words = find_unit_words(line)
        unit = unit or words
        if not _says_unit_only(line):
            names.insert(0, line)
            break
    return " – ".join(dict.fromkeys(names)) or None, unit


def _says_unit_only(line: str) -> bool:
    """Whether a line is no more than a unit: "(In millions) (unaudited)"."""
    words = find_unit_words(line)
    return words is not None and (
        words == line.strip(" ()[]:") or not _BRACKETED.sub("", line).strip()
    )


@lru_cache(maxsize=4096)
def _says_unit(text: str) -> bool:
    """Whether a text names a scale ("millions", "x 1.000") or says what values are in ("in CHF")."""
    if _SCALED.search(text):
        return True
    words = (match[1] for match in _IN.finditer(text))
    return any(_CODE.fullmatch(word) or find_unit(word) for word in words)


def _opens_with_unit(words: str) -> bool:
    """Whether a line begins with its unit: "In millions", "$ thousands", "Dollars in millions"."""
    if _IN.match(words) or _SCALED.match(words) or words[0] in "€$£":
        return True
    return find_unit(words.split(maxsplit=1)[0]) is not None
