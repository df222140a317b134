"""The example project's own questions: what is found, what is refused, and what is shown.

83 questions with an answer in the sources (30 across languages) and 112 without (62 near misses on
the very same product, 50 off topic), through ``search`` and ``ask`` with the built-in models.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.example import QUESTIONS, open_example
from bench.tables import Row, read_rows, share, write_head, write_row
from foundry.evaluation.metrics.statistics import measure_gate
from foundry.journeys.ask import ask
from foundry.records import Answer, CitedSource, Excerpt, Quote
from foundry.workspace import Workspace

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class Outcome:
    kind: str
    answerable: bool
    score: float
    refused: bool
    rank: int | None
    right: bool
    quotes_exact: bool


def measure() -> Iterator[str]:
    with open_example() as workspace:
        outcomes = [_outcome(workspace, row) for row in read_rows(QUESTIONS)]
    yield from _table(outcomes)


def _outcome(workspace: Workspace, asked: Row) -> Outcome:
    answer = ask(workspace, str(asked["text"]))
    paths = [hit.source.path for hit in answer.search.hits]
    wanted = {asked.get("source"), *(asked.get("also") or ())}
    return Outcome(
        kind=str(asked["kind"]),
        answerable=bool(asked["answerable"]),
        score=answer.search.gate.score,
        refused=answer.verdict == "no_evidence",
        rank=next((i for i, path in enumerate(paths, 1) if path in wanted), None),
        right=_holds(_read_shown(answer), str(asked.get("answer", ""))),
        quotes_exact=_exact(workspace, answer),
    )


def _holds(text: str, expected: str) -> bool:
    """Whether the text has every number of the expected answer, or one of its longer words.

    "Two" has no longer word: then any counts.
    """
    numbers = _NUMBER.findall(expected.replace(",", "."))
    if numbers:
        return set(numbers) <= set(_NUMBER.findall(text.replace(",", ".")))
    words = re.findall(r"\w{4,}", expected.casefold()) or re.findall(r"\w+", expected.casefold())
    return any(word in text.casefold() for word in words)


def _exact(workspace: Workspace, answer: Answer) -> bool:
    return all(
        workspace.store.source_text(source)[quote.start : quote.end] == quote.text
        for source, quote in _list_quotes(answer)
    )


def _list_quotes(answer: Answer) -> Iterator[tuple[str, Quote]]:
    """The quotes that are cited or shown, each with the id of its source."""
    shown: list[CitedSource | Excerpt] = [*answer.sources, *answer.passages]
    for one in shown:
        yield from ((one.evidence.hit.source.id, quote) for quote in one.quotes)


def _read_shown(answer: Answer) -> str:
    """The answer, or without one the exact words of the passages that are shown."""
    quotes = (quote for passage in answer.passages for quote in passage.quotes)
    return answer.text or " ".join(quote.text for quote in quotes)


def _table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield from write_head(
        "questions", "n", "refused", "right source first", "in the first 10", "answer shown"
    )
    same = [o for o in outcomes if o.answerable and o.kind != "cross_language"]
    across = [o for o in outcomes if o.answerable and o.kind == "cross_language"]
    for name, part in (("answerable, one language", same), ("answerable, across", across)):
        flags = (
            [o.refused for o in part],
            [o.rank == 1 for o in part],
            [o.rank is not None for o in part],
            [o.right for o in part],
        )
        yield write_row(name, len(part), *(share(one, 2) for one in flags))
    for kind in ("near_miss", "off_topic"):
        part = [o for o in outcomes if o.kind == kind]
        yield write_row(kind, len(part), share((o.refused for o in part), 2), "-", "-", "-")
    labels = [o.answerable for o in outcomes]
    gate = measure_gate([o.score for o in outcomes], labels, [o.refused for o in outcomes])
    exact = share((o.quotes_exact for o in outcomes), 2)
    yield ""
    yield f"AUROC {gate.auroc:.3f}; outcomes whose quotes are all exact: {exact}."
