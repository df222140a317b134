"""How well contradictions are found by rule: own pairs, ConflictNQ, PoisonedRAG.

False alarms stand beside every recall. PoisonedRAG comes without the documents that hold the
right answers, so a right text is made of each poison text by putting the right answer in the
place of the wrong one, where that stands in it once; poison texts of one question agree.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.conflict_pairs import Figures, Pair, count, judge, read_pairs

HEAD = [
    "| pairs | conflicts | agreeing | precision | recall | false alarms |",
    "|---|---|---|---|---|---|",
]
_MOST_ITEMS = 1500


def measure(data: Path | None) -> Iterator[str]:
    """Lines of Markdown."""
    yield from HEAD
    yield from _own()
    if data is None:
        yield ""
        yield "ConflictNQ and PoisonedRAG are left out: no `--data`."
        return
    yield _row("ConflictNQ, passages", count(judge(_conflict_nq(data))))
    yield _row("PoisonedRAG, answer exchanged", count(judge(_poisoned(data))))
    yield _row("PoisonedRAG, bare answers", count(judge(_bare_answers(data))))


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


def _row(name: str, figures: Figures) -> str:
    rates = [_rate(one) for one in (figures.precision, figures.recall, figures.alarm_rate)]
    counts = [str(figures.conflicts), str(figures.agreeing)]
    return f"| {' | '.join([name, *counts, *rates])} |"


def _rate(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:.1f} %"


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def _conflict_nq(data: Path) -> Iterable[Pair]:
    folder = data / "conflict_nq_val"
    texts = {row["id"]: row["text"] for row in _rows(folder / "corpus.jsonl")}
    items = _rows(folder / "items.jsonl")
    chosen = random.Random(4).sample(items, min(_MOST_ITEMS, len(items)))
    return [Pair(texts[row["a"]], texts[row["b"]], row["conflict"]) for row in chosen]


def _poisoned(data: Path) -> Iterable[Pair]:
    for row in _rows(data / "poisonedrag" / "items.jsonl"):
        poison: Sequence[str] = row["poison_texts"]
        wrong = re.compile(rf"(?<!\w){re.escape(row['wrong_answer'])}(?!\w)", re.IGNORECASE)
        for text in poison:
            if len(wrong.findall(text)) == 1:
                before, after = wrong.split(text)
                yield Pair(text, f"{before}{row['answer']}{after}", conflict=True)
        for one, other in pairwise(poison):
            yield Pair(one, other, conflict=False)


def _bare_answers(data: Path) -> Iterable[Pair]:
    """The poison against the question with its right answer behind it, as a label has its value."""
    for row in _rows(data / "poisonedrag" / "items.jsonl"):
        right = f"{row['question'].rstrip('? ')}: {row['answer']}"
        for text in row["poison_texts"]:
            yield Pair(text, right, conflict=True)
