"""The example project's own questions: what is found, what is refused, and whether it is right.

83 questions with an answer in the sources (30 across languages) and 112 without (62 near misses on
the very same product, 50 off topic), through ``search`` and ``ask`` with the built-in models.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.startup import EXAMPLE
from foundry.ask import ask
from foundry.evaluation.metrics import measure_gate
from foundry.ingest import ingest
from foundry.records import Answer
from foundry.workspace import Workspace, open_workspace

QUESTIONS = EXAMPLE.parent / "questions.jsonl"
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


def measure(_data: Path | None) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        shutil.copytree(EXAMPLE, root)
        with open_workspace(root, environment={}, cwd=root) as workspace:
            ingest(workspace)
            outcomes = [_outcome(workspace, row) for row in _rows()]
    yield from _table(outcomes)


def _rows() -> list[dict[str, object]]:
    return [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]


def _outcome(workspace: Workspace, row: dict[str, object]) -> Outcome:
    answer = ask(workspace, str(row["text"]))
    paths = [hit.source.path for hit in answer.search.hits]
    wanted = {row.get("source"), *(row.get("also") or ())}  # type: ignore[misc]
    return Outcome(
        kind=str(row["kind"]),
        answerable=bool(row["answerable"]),
        score=answer.search.gate.score,
        refused=answer.verdict == "no_evidence",
        rank=next((i for i, path in enumerate(paths, 1) if path in wanted), None),
        right=_holds(answer.text, str(row.get("answer", ""))),
        quotes_exact=_exact(workspace, answer),
    )


def _holds(text: str, expected: str) -> bool:
    """Every number of the expected answer, or one of its longer words, stands in the text."""
    numbers = _NUMBER.findall(expected.replace(",", "."))
    if numbers:
        return set(numbers) <= set(_NUMBER.findall(text.replace(",", ".")))
    words = re.findall(r"\w{4,}", expected.casefold())
    return any(word in text.casefold() for word in words)


def _exact(workspace: Workspace, answer: Answer) -> bool:
    for cited in answer.sources:
        text = workspace.store.source_text(cited.evidence.hit.source.id)
        if any(text[quote.start : quote.end] != quote.text for quote in cited.quotes):
            return False
    return True


def _table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield "| questions | n | refused | right source first | in the first 10 | answer right |"
    yield "|---|---|---|---|---|---|"
    same = [o for o in outcomes if o.answerable and o.kind != "cross_language"]
    across = [o for o in outcomes if o.answerable and o.kind == "cross_language"]
    for name, part in (("answerable, one language", same), ("answerable, across", across)):
        yield (
            f"| {name} | {len(part)} | {_share(o.refused for o in part)} "
            f"| {_share(o.rank == 1 for o in part)} | {_share(o.rank is not None for o in part)} "
            f"| {_share(o.right for o in part)} |"
        )
    for kind in ("near_miss", "off_topic"):
        part = [o for o in outcomes if o.kind == kind]
        yield f"| {kind} | {len(part)} | {_share(o.refused for o in part)} | - | - | - |"
    labels = [o.answerable for o in outcomes]
    gate = measure_gate([o.score for o in outcomes], labels, [o.refused for o in outcomes], 0.2)
    yield ""
    yield f"AUROC {gate.auroc:.3f}; answers whose quotes all stand byte for byte in their source: "
    yield f"{_share(o.quotes_exact for o in outcomes)}."


def _share(flags: Iterator[bool]) -> str:
    values = list(flags)
    return f"{sum(values) / len(values):.2f}" if values else "-"
