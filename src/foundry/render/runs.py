"""How sentences of a section stand on the page: as paragraphs, as lists, as rows of a table.

A row that was quoted as ``Parameter: Supply; Min: 18 V; Max: 32 V`` gets its columns back,
together with its neighbours from the same place. No word is added or taken away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from foundry.records import Sentence

_CELL = re.compile(r"([^:;|]{1,40}?): (\S.*)")
_LEAST_COLUMNS = 3
_LONG_PARAGRAPH = 4

STOPS = frozenset(".!?…:;")


@dataclass(slots=True)
class Run:
    """Sentences that stand together; ``columns`` are a table's, in their order."""

    kind: Literal["prose", "list", "table"]
    sentences: list[Sentence] = field(default_factory=list)
    columns: tuple[str, ...] = ()


def find_runs(sentences: Sequence[Sentence]) -> list[Run]:
    """The sentences in their order, gathered into paragraphs, lists and tables."""
    runs: list[Run] = []
    for sentence, entry in zip(sentences, _entries(sentences), strict=True):
        columns = tuple(cells(sentence.text))
        kind = "table" if columns else "list" if entry else "prose"
        last = runs[-1] if runs and runs[-1].kind == kind else None
        if last is None or not _goes_on(last, sentence, columns):
            last = Run(kind, columns=columns)  # type: ignore[arg-type]
            runs.append(last)
        last.sentences.append(sentence)
        last.columns = _merged(last.columns, columns)
    return runs


def cells(text: str) -> dict[str, str]:
    """Column → cell of a row that is told as ``label: cell; label: cell; …``; else empty."""
    found: dict[str, str] = {}
    for part in text.rstrip(".").split("; "):
        match = _CELL.fullmatch(part.strip())
        if match is None or match[1] in found:
            return {}
        found[match[1]] = match[2]
    return found if len(found) >= _LEAST_COLUMNS else {}


def _goes_on(run: Run, sentence: Sentence, columns: Sequence[str]) -> bool:
    before = run.sentences[-1]
    same = before.citations[:1] == sentence.citations[:1]
    if run.kind == "prose":
        return same or len(run.sentences) < _LONG_PARAGRAPH
    if run.kind == "table":
        return same and run.columns[0] == columns[0] and _place(before) == _place(sentence)
    return True


def _place(sentence: Sentence) -> str | None:
    return sentence.quotes[-1].section if sentence.quotes else None


def _merged(known: tuple[str, ...], new: Sequence[str]) -> tuple[str, ...]:
    """Both rows' columns; one that only the later row has stands before its next neighbour there."""
    merged = list(known)
    for at, column in enumerate(new):
        if column not in merged:
            following = next((other for other in new[at + 1 :] if other in merged), None)
            merged.insert(merged.index(following) if following else len(merged), column)
    return tuple(merged)


def _entries(sentences: Sequence[Sentence]) -> Iterator[bool]:
    """Which sentences stand as list items: rows and notes without a full stop, two in a row."""
    ends = [sentence.text.rstrip()[-1:] not in STOPS for sentence in sentences]
    for before, own, after in zip([False, *ends[:-1]], ends, [*ends[1:], False], strict=True):
        yield own and (before or after)
