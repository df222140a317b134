"""How well contradictions are found by rule: own pairs, ConflictNQ, PoisonedRAG.

False alarms stand beside every recall. PoisonedRAG comes without the documents that hold the
right answers, so a right text is made of each poison text by putting the right answer in the
place of the wrong one, where that stands in it once; poison texts of one question agree.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.conflict_pairs import Pair, count, judge, read_pairs
from bench.converters import Row, answer_pairs, exchanged_pairs, passage_pairs
from foundry.evaluation.labelled.conflicts import ConflictFigures

HEAD = [
    "| pairs | conflicts | agreeing | precision | recall | false alarms |",
    "|---|---|---|---|---|---|",
]


def measure(data: Path | None) -> Iterator[str]:
    """Lines of Markdown."""
    yield from HEAD
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
        yield _row(f"own, {half}", count([one for one in outcomes if one.pair.half == half]))
    for kind in sorted({one.pair.kind for one in outcomes}):
        yield _row(f"own, {kind}", count([one for one in outcomes if one.pair.kind == kind]))
    yield _row(f"own, all ({1000 * each:.1f} ms a pair)", count(outcomes))


def _row(name: str, figures: ConflictFigures) -> str:
    rates = [_rate(one) for one in (figures.precision, figures.recall, figures.false_alarm_rate)]
    counts = [str(figures.conflicts), str(figures.agreeing)]
    return f"| {' | '.join([name, *counts, *rates])} |"


def _rate(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:.1f} %"


def _pairs(rows: Iterable[Row]) -> Iterator[Pair]:
    for row in rows:
        yield Pair(row["a"], row["b"], row["label"])
