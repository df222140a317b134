"""Which of two revisions of one document is the later, by the dates and marks printed in them."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from foundry.analysis import fold
from foundry.records import Source

_MARK = re.compile(
    r"(?<![^\W_])(?:(?:rev(?:ision|isie)?|version|versie|ver|issue|uitgave|edition|editie|v|r)"
    r"[\s._:-]*(?:[a-z]{1,2}\d{0,2}|v?\d+(?:\.\d+)*[a-z]?)(?![^\W_])"
    r"|(?:19|20)\d\d(?:[-_.]?\d\d){0,2}(?![^\W_]))"
)
_LETTERS = re.compile(r"[a-z]{1,2}")
_WORDED = re.compile(
    r"^(?:rev(?:ision|isie)?|version|versie|ver|issue|uitgave|edition|editie)?\W*"
    r"(?:(?:no|nr|number|nummer)\b\W*)?"
)
Order = tuple[str, tuple[int, ...]]


def is_later(one: Source, other: Source) -> bool | None:
    """True when ``one`` follows ``other``, None where nothing printed decides.

    Dates go before marks where both have one; a month equals any of its days.
    """
    ours, theirs = one.revision_date, other.revision_date
    if ours and theirs:
        size = min(len(ours), len(theirs))
        if ours[:size] != theirs[:size]:
            return ours > theirs
    marks = mark_order(one.revision or ""), mark_order(other.revision or "")
    if marks[0] is None or marks[1] is None or marks[0][0] != marks[1][0]:
        return None
    return None if marks[0] == marks[1] else marks[0] > marks[1]


def mark_order(mark: str) -> Order | None:
    """What a mark is ordered by: letters (A < B < AA) and numbers (1.2 < 1.10) apart."""
    rest = _WORDED.sub("", fold(mark).strip())
    letters = re.fullmatch(r"([a-z]{1,2})(\d{0,3})", rest)
    if letters and letters[1] != "v":
        value = 0
        for letter in letters[1]:
            value = 27 * value + ord(letter) - 96
        return "letters", (value, int(letters[2] or 0))
    numbers = re.fullmatch(r"v?\s?(\d+(?:\.\d+)*)([a-z]?)", rest)
    if numbers is None:
        return None
    parts = [int(part) for part in numbers[1].split(".")]
    while parts and parts[-1] == 0:
        parts.pop()
    tail = ord(numbers[2]) - 96 if numbers[2] else 0
    return "numbers", (*(2 * part for part in parts), *((-1, tail) if tail else ()))


def are_revisions(one: Source, other: Source) -> bool:
    """True when title or file name are the same apart from revision marks and dates."""
    if one.path == other.path:
        return False
    titles = _plain(one.title), _plain(other.title)
    names = _plain(PurePosixPath(one.path).stem), _plain(PurePosixPath(other.path).stem)
    if names[0] and names[0] == names[1]:
        return True
    # A title of one word ("Manual") is many a document's.
    return len(titles[0].split()) >= 2 and titles[0] == titles[1]


def _plain(text: str) -> str:
    words = _MARK.sub(" ", fold(text).replace("_", " "))
    return " ".join(re.findall(r"[^\W_]+", words))


def describe(source: Source) -> str:
    """``Rev. B of 2026-03``, ``Rev. B`` or ``the issue of 2026-03``."""
    if source.revision and source.revision_date:
        return f"{source.revision} of {source.revision_date}"
    return source.revision or f"the issue of {source.revision_date}"
