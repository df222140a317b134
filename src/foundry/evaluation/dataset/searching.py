"""Asking every query of a set in one way of searching, and keeping what came of it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foundry.errors import ModelError, UsageError
from foundry.evaluation.dataset.beir import DatasetQuery, Span
from foundry.evaluation.dataset.setups import CANDIDATES
from foundry.journeys.search import Retrieval, require_query, retrieve
from foundry.ports import Progress, Step
from foundry.records import Filters, SearchMode, Verdict
from foundry.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a query found: documents and chunks, best first, and what the gate said of it.

    ``error`` says why it could not be asked; nothing else then counts.
    """

    documents: tuple[str, ...] = ()
    chunks: tuple[Span, ...] = ()
    score: float = 0.0
    verdict: Verdict = "no_evidence"
    milliseconds: float = 0.0
    error: str | None = None


def search_all(
    workspace: Workspace,
    queries: Sequence[DatasetQuery],
    homes: Mapping[str, str],
    arm: SearchMode,
    progress: Progress,
) -> dict[str, Outcome]:
    """Query id → outcome; times are from question to judged ranking."""
    outcomes = {}
    retrieve(workspace, "warm up", Filters(), arm, 1)
    for number, query in enumerate(queries, start=1):
        outcomes[query.id] = _search(workspace, query, homes, arm)
        progress(Step(f"search {arm}", number, len(queries), "queries"))
    return outcomes


def _search(
    workspace: Workspace, query: DatasetQuery, homes: Mapping[str, str], arm: SearchMode
) -> Outcome:
    started = time.perf_counter()
    try:
        found = retrieve(workspace, require_query(query.text), Filters(), arm, 1)
    except (UsageError, ModelError) as error:
        return Outcome(error=error.message)
    elapsed = (time.perf_counter() - started) * 1000
    chunks = _chunks(workspace, found, homes)
    return Outcome(
        documents=tuple(dict.fromkeys(chunk.document for chunk in chunks))[:CANDIDATES],
        chunks=chunks[:CANDIDATES],
        score=found.gate.score,
        verdict=found.gate.decision,
        milliseconds=elapsed,
    )


def _chunks(workspace: Workspace, found: Retrieval, homes: Mapping[str, str]) -> tuple[Span, ...]:
    """The ranked chunks as places in documents."""
    chunks = workspace.store.get_chunks([hit.chunk_id for hit in found.ranking])
    return tuple(Span(homes[chunk.source_id], chunk.start, chunk.end) for chunk in chunks)
