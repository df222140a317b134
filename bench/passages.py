"""Whether the passages shown hold the words that answer: ``python -m bench passages --data DIR``.

The questions with an answer and the project are those of ``bench written``. A question counts if the
words of its gold quote are in one of the first three, or five, excerpts of at most 120 words; where a
reader split them, nine in ten of its words suffice. *Or answer*: one of the three has every number and
seven in ten of the content words of the answer, wherever it is from. *whole* are the three first
passages uncut, *all* whatever the evidence has: no choice of windows can do better. Refused questions
count as not shown.

The second table is of what is said beside the passages: *refused*; *said*, which counts those too, if
a name, period, number or kind of value is missing; *uncovered*, which adds words that no source has;
*not shown* alone, what none of the three passages has.

The weights are fitted on ``FITTED``; the other groups were left out. *words only* is the control: the
lines with most of the question's words, without weights. CPU is that of search and choice, in
milliseconds for a question.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from unittest.mock import patch

from bench.tables import share, write_head, write_row
from bench.written import WrittenQuestion, find_group, has_words, load_questions, open_project
from foundry.analysis import analyse
from foundry.craft import excerpts
from foundry.craft.excerpts import choose_excerpts
from foundry.journeys.ask import explain_gaps
from foundry.journeys.evidence import gather_evidence
from foundry.journeys.search import search
from foundry.records import Excerpt
from foundry.workspace import Workspace

FITTED = ("developer", "encyclopedia")
SAMPLE = 420
"""Questions with an answer, and half as many without: some five minutes."""

SAID = frozenset(("gate-unmentioned", "gate-separate", "gate-value-unstated", "ask-not-shown"))

_MOST = 0.7
"""Share of an answer's words. A guess: an answer is written in other words than its source."""

_WORDS_ONLY = {name: float(name == "words") for name in excerpts.WEIGHTS}


@dataclass(frozen=True)
class Judged:
    """Whether the quote is shown, by column; ``cpu`` in milliseconds; what is said beside it."""

    question: WrittenQuestion
    holds: dict[str, bool]
    cpu: float
    refused: bool
    codes: frozenset[str]

    @property
    def group(self) -> str:
        """The group of documents that its quote is from."""
        return find_group(self.question.path)


COLUMNS = ("one", "three", "three, or answer", "five", "three, words only", "whole", "all")


def measure(data: Path, *, sample: int = SAMPLE) -> Iterator[str]:
    """The table by group, fitted or left out, and by kind."""
    questions = load_questions(data)
    asked = _draw([one for one in questions if one.answerable], sample)
    rest = _draw([one for one in questions if not one.answerable], sample // 2)
    with open_project(data) as workspace:
        judged = [_judge(workspace, question) for question in asked]
        without = [_judge(workspace, question) for question in rest]
    yield from _list_shown(judged)
    yield ""
    yield from _list_said((*judged, *without))


def _draw(questions: list[WrittenQuestion], sample: int) -> list[WrittenQuestion]:
    random.Random(7).shuffle(questions)
    return questions[:sample]


def _list_shown(judged: Sequence[Judged]) -> Iterator[str]:
    parts: defaultdict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        fitted = one.group in FITTED
        for name in ("all", "fitted" if fitted else "left out", one.group, one.question.kind):
            parts[name if name != one.question.kind else f"- {name}"].append(one)
    yield from write_head("questions", "n", *COLUMNS, "CPU")
    for name, part in sorted(parts.items(), key=lambda pair: pair[0].startswith("-")):
        shares = (share(one.holds[key] for one in part) for key in COLUMNS)
        yield write_row(name, len(part), *shares, f"{fmean(one.cpu for one in part):.0f}")


def _list_said(judged: Sequence[Judged]) -> Iterator[str]:
    yield from write_head("questions", "n", "refused", "said", "uncovered", "not shown")
    kinds = sorted({one.question.kind for one in judged if not one.question.answerable})
    for kind in ("answerable", "without", *kinds):
        part = [one for one in judged if kind in (_name_answer(one), one.question.kind)]
        said = [one.refused or not SAID.isdisjoint(one.codes) for one in part]
        flags = (
            [one.refused for one in part],
            said,
            [own or "gate-uncovered" in one.codes for own, one in zip(said, part, strict=True)],
            ["ask-not-shown" in one.codes for one in part],
        )
        yield write_row(kind, len(part), *map(share, flags))


def _name_answer(one: Judged) -> str:
    return "answerable" if one.question.answerable else "without"


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
    one, three, *more = (
        any(has_words(text, question.quote) for text in some) for some in (*read, texts[:3], texts)
    )
    answer = three or any(_has_answer(text, question) for text in read[1])
    holds = dict(zip(COLUMNS, (one, three, answer, *more), strict=True))
    codes = frozenset(reason.code for reason in explain_gaps(found, shown[:3]))
    return Judged(question, holds, cpu, found.gate.decision == "no_evidence", codes)


def _has_answer(text: str, question: WrittenQuestion) -> bool:
    """Whether a text has every number and seven in ten of the content words of the answer."""
    wanted = set(analyse(question.answer, question.language))
    own = wanted & set(analyse(text, question.language))
    numbers = {term for term in wanted if any(map(str.isdigit, term))}
    return bool(wanted) and numbers <= own and len(own) >= _MOST * len(wanted)


def _read(excerpt: Excerpt) -> str:
    """The words of an excerpt as its source has them, in its order."""
    quotes = sorted(excerpt.quotes, key=lambda quote: quote.start)
    return " ".join(quote.text for quote in quotes)
