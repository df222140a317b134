"""What one revision of a document says otherwise than another, sentence by sentence and cell by cell.

Sentences, list items and rows that both have in the same order are aligned first (difflib's longest
common runs); what only moved is no change. In what is left, those are pairs that have the same row
name, or most words in common. Nothing is said of meaning: the reader sees both words.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from foundry.analysis import fold
from foundry.analysis.lexer import strip_marker
from foundry.records import ComparedLine, RevisedCell
from foundry.records.revisions import ChangeKind, TraceKind
from foundry.text.passages import Passage
from foundry.text.spotlight import drop_hidden

_ALIKE = 0.6
"""Least share of words in common, and in order, for two sentences to be one that changed: from where
difflib calls two sequences close matches."""
_MOST_PAIRS = 250_000
"""Sentences compared with each other in one stretch; in a longer one those at the same place are."""


@dataclass(frozen=True, slots=True)
class PassageChange:
    """A sentence, list item, row or heading that was added, removed or changed."""

    kind: ChangeKind
    old: Passage | None
    new: Passage | None
    cells: tuple[RevisedCell, ...] = ()


def compare_revisions(
    old: Sequence[Passage], new: Sequence[Passage]
) -> tuple[tuple[PassageChange, ...], int]:
    """The changes from ``old`` to ``new``, both in reading order, and how many of ``new`` are the same."""
    ours, theirs = _list_said(old), _list_said(new)
    keys = [_build_key(one) for one in ours], [_build_key(one) for one in theirs]
    moved = _count_moved(*keys)
    changes: list[PassageChange] = []
    matcher = SequenceMatcher(None, *keys, autojunk=False)
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "equal":
            continue
        gone = [
            p
            for p, key in zip(ours[first:last], keys[0][first:last], strict=True)
            if not _take(moved[0], key)
        ]
        come = [
            p
            for p, key in zip(theirs[start:end], keys[1][start:end], strict=True)
            if not _take(moved[1], key)
        ]
        changes += _pair(gone, come)
    return tuple(changes), len(theirs) - sum(change.new is not None for change in changes)


def compare_lines(old: str, new: str) -> tuple[ComparedLine, ...]:
    """Compare two texts line by line: lines that are the same, removed or added."""
    ours, theirs = old.splitlines(), new.splitlines()
    found: list[ComparedLine] = []
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "equal":
            found += [ComparedLine("same", line) for line in theirs[start:end]]
            continue
        found += [ComparedLine("removed", line) for line in ours[first:last]]
        found += [ComparedLine("added", line) for line in theirs[start:end]]
    return tuple(found)


def _list_said(passages: Sequence[Passage]) -> list[Passage]:
    return [one for one in passages if one.kind != "contents" and not one.labels]


def _build_key(passage: Passage) -> tuple[str, ...]:
    """What a passage says, without its bullet and white space; of a row its labelled cells."""
    if passage.columns:
        return tuple(" ".join(part.split()) for cell in passage.columns for part in cell)
    return (" ".join(strip_marker(passage.text).split()),)


def _count_moved(
    ours: Sequence[tuple[str, ...]], theirs: Sequence[tuple[str, ...]]
) -> tuple[Counter[tuple[str, ...]], Counter[tuple[str, ...]]]:
    """How often each text is in both, wherever it is: a counter for either side to count down."""
    both = Counter(ours) & Counter(theirs)
    return both.copy(), both


def _take(left: Counter[tuple[str, ...]], key: tuple[str, ...]) -> bool:
    if not left[key]:
        return False
    left[key] -= 1
    return True


def _pair(gone: Sequence[Passage], come: Sequence[Passage]) -> Iterator[PassageChange]:
    """Pairs by row name, then by words; the rest was added or removed."""
    pairs = _find_pairs(gone, come)
    taken = set(pairs.values())
    for at, passage in enumerate(gone):
        if at not in pairs:
            yield PassageChange("removed", passage, None)
    partners = {b: a for a, b in pairs.items()}
    for at, passage in enumerate(come):
        if at in taken:
            old = gone[partners[at]]
            yield PassageChange("changed", old, passage, tuple(_compare_cells(old, passage)))
        else:
            yield PassageChange("added", None, passage)


def _find_pairs(gone: Sequence[Passage], come: Sequence[Passage]) -> dict[int, int]:
    """Index in ``gone`` → index in ``come``; the most alike first, and each only once."""
    pairs: dict[int, int] = {}
    if len(gone) * len(come) > _MOST_PAIRS:
        scored = [(_compare(a, b), n, n) for n, (a, b) in enumerate(zip(gone, come, strict=False))]
    else:
        scored = [(_compare(a, b), n, m) for n, a in enumerate(gone) for m, b in enumerate(come)]
    taken: set[int] = set()
    for score, ours, theirs in sorted(
        scored, key=lambda one: (-one[0], abs(one[1] - one[2]), one[1:])
    ):
        if score >= _ALIKE and ours not in pairs and theirs not in taken:
            pairs[ours] = theirs
            taken.add(theirs)
    return pairs


def _compare(old: Passage, new: Passage) -> float:
    """How alike two passages are, 0 to 1; rows of one name are one row."""
    if (old.kind == "heading") != (new.kind == "heading") or bool(old.columns) != bool(new.columns):
        return 0.0
    if old.columns and new.columns:
        named = fold(old.columns[0][1]) == fold(new.columns[0][1]) != ""
        if named:
            return 1.0
    words = SequenceMatcher(None, fold(old.text).split(), fold(new.text).split(), autojunk=False)
    return words.ratio() if words.quick_ratio() >= _ALIKE else 0.0


def _compare_cells(old: Passage, new: Passage) -> Iterator[RevisedCell]:
    """The cells of a row that differ, by the label of their column, then by their order in it."""
    ours, theirs = _group_cells(old), _group_cells(new)
    for label in dict.fromkeys((*ours, *theirs)):
        before, after = ours.get(label, []), theirs.get(label, [])
        for at in range(max(len(before), len(after))):
            a = before[at] if at < len(before) else ""
            b = after[at] if at < len(after) else ""
            if a.split() != b.split():
                yield RevisedCell(label, a, b)


def _group_cells(row: Passage) -> dict[str, list[str]]:
    cells: dict[str, list[str]] = defaultdict(list)
    for label, words in row.columns:
        cells[label].append(words)
    return cells


@dataclass(frozen=True, slots=True)
class QuoteTrace:
    """Whether a document still has the words of a quotation: kept, changed to ``now``, or lost."""

    kind: TraceKind
    now: Passage | None = None


class QuoteTracer:
    """Looks up in a document what was quoted from another revision of it."""

    def __init__(self, text: str, passages: Sequence[Passage]) -> None:
        """``text`` is that of the document and ``passages`` are all its passages."""
        self._text = fold_space(text)
        self._passages = [one for one in passages if one.kind != "contents"]
        self._known: dict[str, QuoteTrace] = {}

    def trace(self, quote: str) -> QuoteTrace:
        """Kept if its exact words are anywhere; else the passage that is most like it, if any is."""
        # Many answers quote the same words.
        if quote not in self._known:
            self._known[quote] = self._look_up(quote)
        return self._known[quote]

    def _look_up(self, quote: str) -> QuoteTrace:
        # An item keeps its words where others before it were added or removed.
        words = fold_space(strip_marker(quote))
        if has_words(self._text, words):
            return QuoteTrace("kept")
        asked = words.lower().split()
        matcher = SequenceMatcher(None, autojunk=False)
        matcher.set_seq2(asked)
        best, nearest = 0.0, None
        for passage in self._passages:
            matcher.set_seq1(passage.text.lower().split())
            if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best:
                score = matcher.ratio()
                best, nearest = (score, passage) if score > best else (best, nearest)
        return QuoteTrace("changed", nearest) if best >= _ALIKE else QuoteTrace("lost")


def fold_space(text: str) -> str:
    """The text as a reader sees it: single spaces, no hidden characters."""
    return " ".join(drop_hidden(text).split())


def has_words(text: str, words: str) -> bool:
    """Whether a text has whole words, both with ``fold_space``: "5 V" is not in "1.5 V" or "5 Vac"."""
    before = r"(?<![\w.,+−-])" if words[:1].isdigit() else r"(?<!\w)"
    after = r"(?!\w|[.,]\d)" if words[-1:].isdigit() else r"(?!\w)"
    return re.search(f"{before}{re.escape(words)}{after}", text) is not None
