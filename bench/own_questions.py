"""The example project's own questions: what is found, what is refused, and what is shown.

83 questions with an answer in the sources (30 across languages) and 112 without (62 near misses on
the very same product, 50 off topic), through ``search`` and ``ask`` with the built-in models.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.references import DEPTH, Rankings, Unit
from bench.startup import EXAMPLE
from foundry.evaluation.metrics.statistics import measure_gate
from foundry.journeys.ask import ask
from foundry.journeys.ingest import ingest
from foundry.journeys.search import retrieve
from foundry.records import Answer, Filters, Quote, SearchMode
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


@dataclass(frozen=True)
class OwnSet:
    """Some of the questions with the right sources, and the product's rankings of all sources."""

    name: str
    units: Sequence[Unit]
    queries: Mapping[str, str]
    qrels: Mapping[str, Mapping[str, int]]
    arms: Mapping[str, Rankings]


def own_sets() -> Iterator[OwnSet]:
    """The answerable questions in the language of their source, in another, and Dutch to English."""
    asked = [row for row in _rows() if row["answerable"]]
    across = [row for row in asked if row["kind"] == "cross_language"]
    parts = {
        "own, one language": [row for row in asked if row not in across],
        "own, across languages": across,
        "own, Dutch to English": [row for row in across if row["language"] == "nl"],
    }
    deep = {
        "FOUNDRY_RETRIEVAL__TOP_K_BM25": str(DEPTH),
        "FOUNDRY_RETRIEVAL__TOP_K_DENSE": str(DEPTH),
    }
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        shutil.copytree(EXAMPLE, root)
        with open_workspace(root, environment=deep, cwd=root) as workspace:
            ingest(workspace)
            for name, rows in parts.items():
                yield _own_set(workspace, name, rows)


def _own_set(workspace: Workspace, name: str, rows: Sequence[dict[str, object]]) -> OwnSet:
    sources = workspace.store.list_sources()
    modes: tuple[SearchMode, ...] = ("bm25", "dense", "hybrid")
    homes = {source.id: source.path for source in sources}
    queries = {str(row["id"]): str(row["text"]) for row in rows}
    return OwnSet(
        name,
        [
            Unit(source.path, f"{source.title}\n{workspace.store.source_text(source.id)}")
            for source in sources
        ],
        queries,
        {str(row["id"]): dict.fromkeys(_right(row), 1) for row in rows},
        {
            mode: {query: _ranked(workspace, text, mode, homes) for query, text in queries.items()}
            for mode in modes
        },
    )


def _right(row: Mapping[str, object]) -> list[str]:
    return [str(row["source"]), *(str(one) for one in row.get("also") or ())]  # type: ignore[attr-defined]


def _ranked(
    workspace: Workspace, text: str, mode: SearchMode, homes: Mapping[str, str]
) -> list[str]:
    found = retrieve(workspace, text, Filters(), mode, 1)
    chunks = workspace.store.get_chunks([hit.chunk_id for hit in found.ranking])
    return list(dict.fromkeys(homes[chunk.source_id] for chunk in chunks))


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
        right=_holds(_read_shown(answer), str(row.get("answer", ""))),
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
    for one in (*answer.sources, *answer.passages):
        yield from ((one.evidence.hit.source.id, quote) for quote in one.quotes)


def _read_shown(answer: Answer) -> str:
    """The answer, or without one the exact words of the passages that are shown."""
    quotes = (quote for passage in answer.passages for quote in passage.quotes)
    return answer.text or " ".join(quote.text for quote in quotes)


def _table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield "| questions | n | refused | right source first | in the first 10 | answer shown |"
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
    gate = measure_gate([o.score for o in outcomes], labels, [o.refused for o in outcomes])
    yield ""
    yield f"AUROC {gate.auroc:.3f}; outcomes whose quotes are all exact: "
    yield f"{_share(o.quotes_exact for o in outcomes)}."


def _share(flags: Iterator[bool]) -> str:
    values = list(flags)
    return f"{sum(values) / len(values):.2f}" if values else "-"
