"""How well contradictions are found by rule, on labelled pairs of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foundry.craft.conflicts import find_contradiction
from foundry.evaluation.lines import Row, require_label, require_text
from foundry.ports import Progress, Step
from foundry.records import Conflict
from foundry.text.glossary import EMPTY_GLOSSARY, Glossary


@dataclass(frozen=True, slots=True)
class TextPair:
    """Two texts; ``label`` says whether they contradict each other."""

    a: str
    b: str
    label: bool


@dataclass(frozen=True, slots=True)
class ConflictFigures:
    """Counts, and the rates made of them; None where there is nothing to divide by.

    ``hits`` are the contradictions that were reported, ``alarms`` the agreeing pairs that were.
    """

    conflicts: int
    agreeing: int
    hits: int
    alarms: int

    @property
    def n(self) -> int:
        """Pairs."""
        return self.conflicts + self.agreeing

    @property
    def precision(self) -> float | None:
        """Of the reported pairs, the share that contradicts."""
        found = self.hits + self.alarms
        return self.hits / found if found else None

    @property
    def recall(self) -> float | None:
        """Of the contradicting pairs, the share that was reported."""
        return self.hits / self.conflicts if self.conflicts else None

    @property
    def false_alarm_rate(self) -> float | None:
        """Of the agreeing pairs, the share that was reported."""
        return self.alarms / self.agreeing if self.agreeing else None


def read_pair(row: Row) -> TextPair:
    """A line's pair. Raises ``UnusableLine``."""
    return TextPair(require_text(row, "a"), require_text(row, "b"), require_label(row))


def find_contradictions(
    pairs: Sequence[TextPair],
    progress: Progress = lambda _step: None,
    glossary: Glossary = EMPTY_GLOSSARY,
) -> list[Conflict | None]:
    """What the detector reports of each pair; None for nothing."""
    found = []
    for number, pair in enumerate(pairs, start=1):
        found.append(find_contradiction(pair.a, pair.b, glossary))
        progress(Step("compare", number, len(pairs), "pairs"))
    return found


def measure_conflicts(reported: Sequence[bool], labels: Sequence[bool]) -> ConflictFigures:
    """The figures of what was reported; both run in parallel."""
    pairs = list(zip(reported, labels, strict=True))
    true = sum(labels)
    return ConflictFigures(
        conflicts=true,
        agreeing=len(labels) - true,
        hits=pairs.count((True, True)),
        alarms=pairs.count((True, False)),
    )
