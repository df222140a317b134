"""How well contradictions are found by rule: own pairs, ConflictNQ, PoisonedRAG.

``python -m bench conflicts --data DIR``: false alarms are printed beside every recall. PoisonedRAG comes
without the documents with the right answers, so a right text is made of each poison text by
putting the right answer in the place of the wrong one, if that occurs once; poison texts of one
question agree.

``python -m bench conflicts FILE.jsonl`` measures lines of {"a": text, "b": text, "label": true if
they contradict each other}.

The own pairs are split in halves by a hash of their words: the development half was used to write
the rules, the other was looked at only in figures.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten

from bench.converters import answer_pairs, exchanged_pairs, passage_pairs
from bench.example import EXAMPLE
from bench.labelled import LineMeasurement, LineReport, require_label, require_text, round_rate
from bench.labelled import Row as Line
from bench.plain_texts import find_contradiction
from bench.tables import Row, read_rows, write_head, write_row
from foundry.records import Conflict
from foundry.text.glossary import EMPTY_GLOSSARY, Glossary, parse_glossary

PAIRS = Path(__file__).parents[1] / "tests" / "craft" / "conflict_pairs.jsonl"
_GLOSSARY_FILE = EXAMPLE / "glossary.toml"
GLOSSARY = parse_glossary(_GLOSSARY_FILE.read_text(encoding="utf-8"), str(_GLOSSARY_FILE))
"""The own pairs are about electronics: the example project's words for it."""


@dataclass(frozen=True)
class Pair:
    """Two texts; ``conflict`` says whether they contradict each other. ``kind`` may differ."""

    a: str
    b: str
    conflict: bool
    kind: str = ""

    @property
    def half(self) -> str:
        digest = hashlib.sha256(f"{self.a}\n{self.b}".encode()).digest()
        return "development" if digest[0] % 2 else "held back"


@dataclass(frozen=True)
class Outcome:
    """A pair with what the detector reports of it; None for nothing."""

    pair: Pair
    conflict: Conflict | None


@dataclass(frozen=True, slots=True)
class ConflictFigures:
    """Counts and the rates made of them; None if there is nothing to divide by.

    ``hits`` are the contradictions that were reported, ``alarms`` the agreeing pairs that were.
    """

    conflicts: int
    agreeing: int
    hits: int
    alarms: int

    @property
    def precision(self) -> float | None:
        """Of the reported pairs, the share that contradicts."""
        reported = self.hits + self.alarms
        return self.hits / reported if reported else None

    @property
    def recall(self) -> float | None:
        """Of the contradicting pairs, the share that was reported."""
        return self.hits / self.conflicts if self.conflicts else None

    @property
    def false_alarm_rate(self) -> float | None:
        """Of the agreeing pairs, the share that was reported."""
        return self.alarms / self.agreeing if self.agreeing else None


def read_pairs(path: Path = PAIRS) -> list[Pair]:
    """The pairs of a file with "a", "b" and "label" on each line."""
    return [
        Pair(one["a"], one["b"], one["label"] == "conflict", one["kind"]) for one in read_rows(path)
    ]


def judge(pairs: Iterable[Pair], glossary: Glossary = GLOSSARY) -> list[Outcome]:
    """The detector's result for each pair."""
    return [Outcome(pair, find_contradiction(pair.a, pair.b, glossary)) for pair in pairs]


def count(outcomes: Sequence[Outcome]) -> ConflictFigures:
    """The figures of a set of outcomes."""
    pairs = [(outcome.conflict is not None, outcome.pair.conflict) for outcome in outcomes]
    true = sum(label for _, label in pairs)
    return ConflictFigures(
        true, len(pairs) - true, pairs.count((True, True)), pairs.count((True, False))
    )


def read_line(line: Line) -> Pair:
    """A line's pair. Raises ``UnusableLine``."""
    return Pair(require_text(line, "a"), require_text(line, "b"), require_label(line))


def measure_lines(pairs: Sequence[Pair], _with_model: bool) -> LineReport:
    """The figures of a file's pairs, and the pairs that are judged wrongly."""
    outcomes = judge(pairs, EMPTY_GLOSSARY)
    figures = count(outcomes)
    wrong = [
        f"{' / '.join(outcome.conflict.values) if outcome.conflict else 'not found'}\n"
        f"  a: {shorten(outcome.pair.a, 160)}\n  b: {shorten(outcome.pair.b, 160)}"
        for outcome in outcomes
        if outcome.pair.conflict != (outcome.conflict is not None)
    ]
    return LineReport(
        {
            "n": len(outcomes),
            "precision": round_rate(figures.precision),
            "recall": round_rate(figures.recall),
            "false_alarm_rate": round_rate(figures.false_alarm_rate),
            "conflicts": figures.conflicts,
            "agreeing": figures.agreeing,
        },
        wrong,
    )


LINES = LineMeasurement(read_line, measure_lines)


def measure(data: Path | None) -> Iterator[str]:
    """Lines of Markdown."""
    yield from write_head("pairs", "conflicts", "agreeing", "precision", "recall", "false alarms")
    yield from _own()
    if data is None:
        yield ""
        yield "ConflictNQ and PoisonedRAG are left out: no `--data`."
        return
    yield _row("ConflictNQ, passages", count(judge(_pairs(passage_pairs(data)))))
    yield _row("PoisonedRAG, answer exchanged", count(judge(_pairs(exchanged_pairs(data)))))
    yield _row("PoisonedRAG, bare answers", count(judge(_pairs(answer_pairs(data)))))


def _own() -> Iterator[str]:
    pairs = read_pairs()
    # The first call loads the word lists.
    judge(pairs[:1])
    started = time.perf_counter()
    outcomes = judge(pairs)
    each = (time.perf_counter() - started) / len(outcomes)
    for half in ("development", "held back"):
        yield _row(
            f"own, {half}", count([outcome for outcome in outcomes if outcome.pair.half == half])
        )
    for kind in sorted({outcome.pair.kind for outcome in outcomes}):
        yield _row(
            f"own, {kind}", count([outcome for outcome in outcomes if outcome.pair.kind == kind])
        )
    yield _row(f"own, all ({1000 * each:.1f} ms a pair)", count(outcomes))


def _row(name: str, figures: ConflictFigures) -> str:
    rates = [_rate(one) for one in (figures.precision, figures.recall, figures.false_alarm_rate)]
    return write_row(name, figures.conflicts, figures.agreeing, *rates)


def _rate(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:.1f} %"


def _pairs(rows: Iterable[Row]) -> Iterator[Pair]:
    for one in rows:
        yield Pair(one["a"], one["b"], one["label"])
