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

from foundry.evaluation.labelled.conflicts import (
    ConflictFigures,
    TextPair,
    find_contradictions,
    measure_conflicts,
)
from foundry.text.glossary import parse_glossary

ROOT = Path(__file__).parents[1]
PAIRS = ROOT / "tests" / "craft" / "conflict_pairs.jsonl"
_GLOSSARY_FILE = ROOT / "examples" / "dmx-controller" / "glossary.toml"
GLOSSARY = parse_glossary(_GLOSSARY_FILE.read_text(encoding="utf-8"), str(_GLOSSARY_FILE))
"""The pairs are about electronics: the example project's words for it."""


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


def read_pairs(path: Path = PAIRS) -> list[Pair]:
    """The pairs of a file with "a", "b" and "label" on each line."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [Pair(row["a"], row["b"], row["label"] == "conflict", row["kind"]) for row in rows]


def judge(pairs: Iterable[Pair]) -> list[Outcome]:
    """What the detector says of each pair."""
    asked = list(pairs)
    found = find_contradictions(
        [TextPair(one.a, one.b, one.conflict) for one in asked], glossary=GLOSSARY
    )
    return [Outcome(pair, one is not None) for pair, one in zip(asked, found, strict=True)]


def count(outcomes: Sequence[Outcome]) -> ConflictFigures:
    """The figures of a set of outcomes."""
    return measure_conflicts(
        [one.found for one in outcomes], [one.pair.conflict for one in outcomes]
    )
