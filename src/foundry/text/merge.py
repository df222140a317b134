"""Merges two edits of one text line by line, where they do not overlap.

Khanna, Kunal and Pierce, A Formal Investigation of Diff3 (2007). Paragraphs of a draft are lines with
blank ones between them, so edits of two paragraphs never touch.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

_Edit = tuple[int, int, tuple[str, ...]]
"""First line, line after the last, and the lines in their place."""


def merge_texts(base: str, ours: str, theirs: str) -> str | None:
    """Merge two edits of ``base``; None if they touch the same lines."""
    lines = base.splitlines(keepends=True)
    own, others = _list_edits(lines, ours), _list_edits(lines, theirs)
    edits = sorted({*own, *others})
    for pair in pairwise(edits):
        one_side = all(edit in own for edit in pair) or all(edit in others for edit in pair)
        if pair[1][0] <= pair[0][1] and not one_side:
            return None
    for first, last, new in reversed(edits):
        lines[first:last] = new
    return "".join(lines)


def _list_edits(base: Sequence[str], text: str) -> list[_Edit]:
    lines = text.splitlines(keepends=True)
    matcher = SequenceMatcher(None, base, lines, autojunk=False)
    return [
        (first, last, tuple(lines[start:end]))
        for kind, first, last, start, end in matcher.get_opcodes()
        if kind != "equal"
    ]
