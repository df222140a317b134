"""The labelled pairs of statements: read, split in halves, and counted.

A pair's half follows from a hash of its words: the development half was used to write the
rules, the other was looked at only in figures.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from foundry.craft.conflicts import contradicts

PAIRS = Path(__file__).parents[1] / "tests" / "craft" / "conflict_pairs.jsonl"


@dataclass(frozen=True)
class Pair:
    """Two texts; ``conflict`` says whether both can be true. ``kind`` is what may differ."""

    a: str
    b: str
    conflict: bool
    kind: str = ""

    @property
    def half(self) -> str:
        """The half that it belongs to."""
        digest = hashlib.sha256(f"{self.a}\n{self.b}".encode()).digest()
        return "development" if digest[0] % 2 else "held back"


@dataclass(frozen=True)
class Outcome:
    """A pair with what the detector said."""

    pair: Pair
    found: bool


@dataclass(frozen=True)
class Figures:
    """Counts, and the rates made of them; None where there is nothing to divide by."""

    conflicts: int
    agreeing: int
    hits: int
    alarms: int

    @property
    def precision(self) -> float | None:
        found = self.hits + self.alarms
        return self.hits / found if found else None

    @property
    def recall(self) -> float | None:
        return self.hits / self.conflicts if self.conflicts else None

    @property
    def alarm_rate(self) -> float | None:
        return self.alarms / self.agreeing if self.agreeing else None


def read_pairs(path: Path = PAIRS) -> list[Pair]:
    """The pairs of a file with "a", "b" and "label" on each line."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [Pair(row["a"], row["b"], row["label"] == "conflict", row["kind"]) for row in rows]


def judge(pairs: Iterable[Pair]) -> list[Outcome]:
    """What the detector says of each pair."""
    return [Outcome(pair, contradicts(pair.a, pair.b) is not None) for pair in pairs]


def count(outcomes: Sequence[Outcome]) -> Figures:
    """The figures of a set of outcomes."""
    conflicts = [one for one in outcomes if one.pair.conflict]
    agreeing = [one for one in outcomes if not one.pair.conflict]
    hits, alarms = (sum(one.found for one in part) for part in (conflicts, agreeing))
    return Figures(len(conflicts), len(agreeing), hits, alarms)
