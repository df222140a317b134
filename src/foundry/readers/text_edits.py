"""Applies corrections of words and rows to a text, and maps offsets to the result."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from foundry.records import Block, Correction


@dataclass(frozen=True, slots=True)
class Edit:
    """The span of a text that a correction replaces; ``old`` and ``new`` are the whole words there."""

    start: int
    end: int
    correction: Correction
    old: str
    new: str


def plan_edit(text: str, block: Block, correction: Correction) -> Edit:
    """The edit of a block's text that a correction of words or rows is."""
    start, end = block.start + correction.start, block.start + correction.end
    if correction.kind == "row":
        old, new = (
            " ".join(words.replace("|", " ").split())
            for words in (correction.before, correction.after)
        )
        before = text.rfind("\n", block.start, start)
        # The line break before a row goes with it.
        start = before if before >= 0 and not correction.after else start
        return Edit(start, end, correction, old, new)
    first, last = start, end
    while first > block.start and text[first - 1].isalnum():
        first -= 1
    while last < block.end and text[last].isalnum():
        last += 1
    new = text[first:start] + correction.after + text[end:last]
    return Edit(start, end, correction, text[first:last], new)


class TextEdits:
    """Edits of one text in order, which do not overlap; moves offsets to the corrected text."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self.edits = sorted(edits, key=lambda edit: edit.start)
        self._starts = [edit.start for edit in self.edits]
        growths = (len(e.correction.after) - (e.end - e.start) for e in self.edits)
        self._shifts = [0, *accumulate(growths)]

    def apply(self, text: str) -> str:
        """The corrected text."""
        parts, last = [], 0
        for edit in self.edits:
            parts += [text[last : edit.start], edit.correction.after]
            last = edit.end
        return "".join([*parts, text[last:]])

    def move(self, offset: int, *, end: bool = False) -> int:
        """Where an offset is in the corrected text; within an edit, where that starts or ends."""
        index = bisect_right(self._starts, offset - 1 if end else offset)
        if index == 0:
            return offset
        edit = self.edits[index - 1]
        if offset >= edit.end:
            return offset + self._shifts[index]
        start = edit.start + self._shifts[index - 1]
        return start + len(edit.correction.after) if end else start

    def restore(self, offset: int, *, end: bool = False) -> int:
        """Where an offset of the corrected text was as read; within an edit, where that starts or ends."""
        starts = [
            edit.start + shift for edit, shift in zip(self.edits, self._shifts[:-1], strict=True)
        ]
        index = bisect_right(starts, offset - 1 if end else offset)
        if index == 0:
            return offset
        edit = self.edits[index - 1]
        if offset >= starts[index - 1] + len(edit.correction.after):
            return offset - self._shifts[index]
        return edit.end if end else edit.start

    def find(self, start: int, end: int) -> list[Edit]:
        """The edits within a span of the text as read."""
        return [edit for edit in self.edits if start <= edit.start and edit.end <= end]


def replace_words(text: str, edit: Edit) -> str:
    """A title or label with the words of an edit put right, where it has them."""
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, edit.old.split())) + r"(?!\w)"
    return re.sub(pattern, lambda _match: edit.new, text)
