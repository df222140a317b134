"""What a report says, before it is a page or Markdown: tables of cells, in the reader's language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tone = Literal["", "good", "bad"]


@dataclass(frozen=True, slots=True)
class Cell:
    """``small`` stands below ``text``, a line each. ``tone`` marks a clear change and a fault."""

    text: str
    small: tuple[str, ...] = ()
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Column:
    """``kind``: "label" heads its row, "text" is anybody's words, "code" an identifier."""

    name: str
    kind: Literal["label", "text", "number", "code"] = "number"


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of a table under a heading of their own, empty where there is only one."""

    name: str
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """``note`` says below it how it is read."""

    caption: str
    columns: tuple[Column, ...]
    groups: tuple[Group, ...]
    note: str = ""

    @property
    def size(self) -> int:
        """How many rows there are."""
        return sum(len(group.rows) for group in self.groups)


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing with what stands below it; a narrow one needs no whole line."""

    title: str
    svg: str
    caption: str = ""
    narrow: bool = False


@dataclass(frozen=True, slots=True)
class Quote:
    """A place that was expected or cited, with its words where there are some.

    ``said`` tells where it was found, or whether it is right.
    """

    place: str
    right: bool | None = None
    said: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One of the worst questions: what was asked, what was expected, what came.

    ``below`` says what the hits leave open. ``answered`` is False where no answer was due.
    """

    number: int
    key: str
    question: str
    language: str
    faults: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    expected: tuple[Quote, ...]
    hits: Table | None
    below: str
    answered: bool
    answer: str
    citations: tuple[Quote, ...]
    error: str
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Worst:
    """Of one run; ``said`` tells how many there are and how many of them are shown."""

    run: str
    said: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole report but for its plots; ``headline`` are the chief figures, by the run's label."""

    language: str
    title: str
    subtitle: str
    summary: tuple[str, ...]
    warnings: tuple[str, ...]
    headline: Table
    runs: tuple[Table, ...]
    differing: tuple[Table, ...]
    notices: tuple[tuple[str, tuple[str, ...]], ...]
    settings: tuple[Table, ...]
    measures: tuple[Table, ...]
    left_out: tuple[str, ...]
    moved: tuple[Table, ...]
    breakdowns: tuple[Table, ...]
    rule: str
    worst: tuple[Worst, ...]
    questions: Table
    meanings: tuple[tuple[str, str], ...]
