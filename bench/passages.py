"""Whether the passages shown hold the words that answer: ``python -m bench passages --data DIR``.

The questions with an answer and the project are those of ``bench written``. A question counts if the
words of its gold quote are in one of the first three, or five, excerpts of at most 120 words; where a
reader split them, nine in ten of its words suffice. *whole* are the three first passages uncut, *all*
whatever the evidence has: no choice of windows can do better. Refused questions count as not shown.

The weights are fitted on ``FITTED``; the other groups were left out. *words only* is the control: the
lines with most of the question's words, without weights. CPU is that of search and choice, in
milliseconds for a question.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from bench.written import (
    WrittenQuestion,
    find_group,
    has_words,
    load_questions,
    open_project,
)
from foundry.craft import excerpts
from foundry.craft.excerpts import choose_excerpts
from foundry.journeys.evidence import gather_evidence
from foundry.journeys.search import search
from foundry.records import Excerpt
from foundry.workspace import Workspace

FITTED = ("developer", "encyclopedia")
SAMPLE = 420
"""Questions: about two minutes."""

_WORDS_ONLY = {name: float(name == "words") for name in excerpts.WEIGHTS}


@dataclass(frozen=True)
class Judged:
    """Whether the quote is shown, by column; ``cpu`` in milliseconds."""

    question: WrittenQuestion
    holds: dict[str, bool]
    cpu: float

    @property
    def group(self) -> str:
        """The group of documents that its quote is from."""
        return find_group(self.question.path)


COLUMNS = ("one", "three", "five", "three, words only", "whole", "all")


def measure(
    data: Path | None, *, sample: int | None = SAMPLE, samples: int = 0, seed: int = 7
) -> Iterator[str]:
    """The table by group, fitted or left out, and by kind; ``samples`` questions that failed."""
    if data is None:
        yield "Left out: give --data DIR"
        return
    questions = [one for one in load_questions(data) if one.answerable]
    random.Random(seed).shuffle(questions)
    with open_project(data) as workspace:
        judged = [_judge(workspace, question) for question in questions[:sample]]
    parts: defaultdict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        fitted = one.group in FITTED
        for name in ("all", "fitted" if fitted else "left out", one.group, one.question.kind):
            parts[name if name != one.question.kind else f"- {name}"].append(one)
    yield f"| questions | n | {' | '.join(COLUMNS)} | CPU |"
    yield "|---|---|" + "---|" * (len(COLUMNS) + 1)
    for name, part in sorted(parts.items(), key=lambda pair: pair[0].startswith("-")):
        shares = (sum(one.holds[key] for one in part) / len(part) for key in COLUMNS)
        cpu = sum(one.cpu for one in part) / len(part)
        yield f"| {name} | {len(part)} | {' | '.join(f'{s:.3f}' for s in shares)} | {cpu:.0f} |"
    failed = [one.question for one in judged if not one.holds["five"]]
    for question in failed[:samples]:
        yield f"\n{question.id} ({question.kind}, {question.path}): {question.text}"
        yield f"  gold: {' '.join(question.quote.split())}"


def _judge(workspace: Workspace, question: WrittenQuestion) -> Judged:
    started = time.process_time()
    found = search(workspace, question.text)
    gathered = gather_evidence(workspace, found, conflicts=False)
    shown = choose_excerpts(question.text, gathered.evidence, limit=5)
    cpu = 1e3 * (time.process_time() - started)
    with patch.dict(excerpts.WEIGHTS, _WORDS_ONLY):
        control = choose_excerpts(question.text, gathered.evidence, limit=3)
    texts = [item.hit.chunk.text for item in gathered.evidence]
    read = [list(map(_read, some)) for some in (shown[:1], shown[:3], shown, control)]
    holds = [
        any(has_words(text, question.quote) for text in some) for some in (*read, texts[:3], texts)
    ]
    return Judged(question, dict(zip(COLUMNS, holds, strict=True)), cpu)


def _read(excerpt: Excerpt) -> str:
    """The words of an excerpt as its source has them, in its order."""
    quotes = sorted(excerpt.quotes, key=lambda quote: quote.start)
    return " ".join(quote.text for quote in quotes)
