"""Measure a data set in BEIR form through the product's own ingest and search.

No project is needed: one is made in a cache folder, keyed by the corpus and by everything that
decides its chunks and vectors, so that a second run measures at once. Each document becomes one
source; a ranking of chunks becomes a ranking of documents by each document's best chunk.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import numpy as np

from foundry.annotations import made_by
from foundry.config import CONFIG_NAME
from foundry.evaluation.beir import CorpusDocument, Dataset, DatasetQuery, read_dataset
from foundry.evaluation.metrics import (
    GateFigures,
    RankingFigures,
    measure_gate,
    measure_rankings,
)
from foundry.identity import content_hash
from foundry.indexing import (
    IngestedFile,
    IngestOptions,
    embed_pending,
    ingest_recipe,
    open_index,
    save_document,
)
from foundry.ports import Progress, Step
from foundry.readers.text import parse_text
from foundry.records import Filters, SearchMode, Verdict
from foundry.search import Retrieval, require_query, retrieve
from foundry.workspace import Workspace, open_workspace

CANDIDATES = 100
"""Per channel: recall@100 is measured, whatever a project's own configuration asks for."""


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """One search mode's figures; times are per query, from question to judged ranking."""

    ranking: RankingFigures
    p50_ms: float
    p95_ms: float

    def as_dict(self) -> dict[str, float | None]:
        """The arm as ``--json`` prints it."""
        return {
            "ndcg@10": _rounded(self.ranking.ndcg_at_10),
            "recall@10": _rounded(self.ranking.recall_at_10),
            "recall@100": _rounded(self.ranking.recall_at_100),
            "mrr@10": _rounded(self.ranking.mrr_at_10),
            "p50_ms": round(self.p50_ms, 1),
            "p95_ms": round(self.p95_ms, 1),
        }


@dataclass(frozen=True, slots=True)
class DatasetReport:
    """The figures of a set; ``gate`` is None where the queries carry no ``answerable``."""

    dataset: str
    documents: int
    queries: int
    arms: Mapping[str, ArmFigures]
    gate: GateFigures | None
    notices: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The report as ``--json`` prints it."""
        gate = self.gate
        return {
            "dataset": self.dataset,
            "documents": self.documents,
            "queries": self.queries,
            "arms": {name: arm.as_dict() for name, arm in self.arms.items()},
            "gate": gate
            and {
                "auroc": _rounded(gate.auroc),
                "refusal_precision": _rounded(gate.refusal_precision),
                "refusal_recall": _rounded(gate.refusal_recall),
                "false_refusal_rate": _rounded(gate.false_refusal_rate),
                "threshold": gate.threshold,
            },
            "notices": list(self.notices),
        }


@dataclass(frozen=True, slots=True)
class _Judged:
    """One query's outcome in one arm."""

    documents: tuple[str, ...]
    score: float
    decision: Verdict
    milliseconds: float


def evaluate_dataset(
    directory: Path,
    *,
    keep_documents: bool = False,
    title: Literal["index", "ignore"] = "index",
    arms: Sequence[SearchMode] = ("bm25", "dense", "hybrid"),
    limit: int | None = None,
    environment: Mapping[str, str],
    progress: Progress = lambda _step: None,
) -> DatasetReport:
    """Ingest the set once (cached) and search every query in every arm.

    ``keep_documents`` makes each document one chunk; ``limit`` takes that many
    queries, evenly spread over the file. Gate figures come from the hybrid arm,
    or the last arm where hybrid is not asked for.
    """
    dataset = read_dataset(directory)
    queries = spread_queries(dataset.queries, limit)
    with _cached_project(dataset, keep_documents, title, environment) as workspace:
        notices = _fill(workspace, dataset, keep_documents, title, progress)
        outcomes = {
            arm: _run_arm(workspace, dataset, queries, arm, progress) for arm in dict.fromkeys(arms)
        }
        threshold = workspace.config.retrieval.min_score
    return DatasetReport(
        dataset=dataset.name,
        documents=len(dataset.documents),
        queries=len(queries),
        arms={arm: _figures(judged, dataset) for arm, judged in outcomes.items()},
        gate=_gate(outcomes, queries, threshold),
        notices=notices,
    )


def spread_queries(queries: Sequence[DatasetQuery], limit: int | None) -> list[DatasetQuery]:
    """``limit`` queries at even distances: sets are often sorted by kind."""
    if limit is None or limit >= len(queries):
        return list(queries)
    return [queries[int(place)] for place in np.linspace(0, len(queries) - 1, limit)]


def _cached_project(
    dataset: Dataset, keep_documents: bool, title: str, environment: Mapping[str, str]
) -> Workspace:
    """A project of the set's own, under the user's cache folder, with 100 candidates a channel."""
    cache = environment.get("FOUNDRY_CACHE_DIR") or environment.get("XDG_CACHE_HOME")
    base = Path(cache) if cache else Path(environment.get("HOME", ".")) / ".cache"
    key = _corpus_key(dataset, keep_documents, title)
    root = base / "foundry" / "datasets" / f"{dataset.name}-{key}"
    root.mkdir(parents=True, exist_ok=True)
    config = root / CONFIG_NAME
    config.write_text(
        f"project: {{name: {_quoted(dataset.name)}, id: dataset}}\n"
        "retrieval: {hyde: false}\n"
        "generation: {model: builtin/extractive}\n",
        encoding="utf-8",
    )
    depth = {
        "FOUNDRY_RETRIEVAL__TOP_K_BM25": str(CANDIDATES),
        "FOUNDRY_RETRIEVAL__TOP_K_DENSE": str(CANDIDATES),
    }
    return open_workspace(root, environment={**environment, **depth}, cwd=root)


def _corpus_key(dataset: Dataset, keep_documents: bool, title: str) -> str:
    digest = hashlib.sha256(f"{keep_documents} {title}".encode())
    for document in dataset.documents:
        digest.update(repr((document.id, document.title, document.text)).encode())
    return digest.hexdigest()[:16]


def _fill(
    workspace: Workspace, dataset: Dataset, keep_documents: bool, title: str, progress: Progress
) -> tuple[str, ...]:
    """Bring the cached project up to date; a second run finds everything there."""
    recipe = ingest_recipe(workspace)
    with workspace.store.ingest_lock(lambda: progress(Step("wait", 0, 1, "", "another run"))):
        open_index(workspace)
        known = {source.path: source for source in workspace.store.list_sources()}
        empty = 0
        for number, document in enumerate(dataset.documents, start=1):
            source = known.get(_path(number))
            if not document.text.strip():
                empty += 1
            elif source is None or not made_by(source, recipe):
                _save(workspace, number, document, keep_documents, title)
            progress(Step("read", number, len(dataset.documents), "documents"))
        embed_pending(workspace, progress)
    return (f"{empty} documents have no text and cannot be found.",) if empty else ()


def _save(
    workspace: Workspace, number: int, document: CorpusDocument, keep_documents: bool, title: str
) -> None:
    parsed = parse_text(document.text, _path(number))
    parsed = replace(parsed, title=document.title if title == "index" else "")
    data = document.text.encode("utf-8", "surrogatepass")
    file = IngestedFile(_path(number), content_hash(data), len(data), datetime.now(UTC))
    save_document(workspace, file, parsed, None, IngestOptions(), keep_whole=keep_documents)


def _path(number: int) -> str:
    return f"corpus/{number:07d}.txt"


def _run_arm(
    workspace: Workspace,
    dataset: Dataset,
    queries: Sequence[DatasetQuery],
    arm: SearchMode,
    progress: Progress,
) -> dict[str, _Judged]:
    homes = _document_of_source(workspace, dataset)
    judged = {}
    retrieve(workspace, "warm up", Filters(), arm, 1)
    for number, query in enumerate(queries, start=1):
        started = time.perf_counter()
        found = retrieve(workspace, require_query(query.text), Filters(), arm, 1)
        elapsed = (time.perf_counter() - started) * 1000
        documents = _documents(workspace, found, homes)
        judged[query.id] = _Judged(documents, found.gate.score, found.gate.decision, elapsed)
        progress(Step(f"search {arm}", number, len(queries), "queries"))
    return judged


def _document_of_source(workspace: Workspace, dataset: Dataset) -> dict[str, str]:
    by_path = {_path(n): document.id for n, document in enumerate(dataset.documents, start=1)}
    return {source.id: by_path[source.path] for source in workspace.store.list_sources()}


def _documents(workspace: Workspace, found: Retrieval, homes: Mapping[str, str]) -> tuple[str, ...]:
    """The ranked documents: each at the place of its best chunk."""
    chunks = workspace.store.get_chunks([hit.chunk_id for hit in found.ranking])
    return tuple(dict.fromkeys(homes[chunk.source_id] for chunk in chunks))


def _figures(judged: Mapping[str, _Judged], dataset: Dataset) -> ArmFigures:
    times = [outcome.milliseconds for outcome in judged.values()] or [0.0]
    rankings = {query: outcome.documents[:CANDIDATES] for query, outcome in judged.items()}
    return ArmFigures(
        ranking=measure_rankings(rankings, dataset.qrels),
        p50_ms=float(np.percentile(times, 50)),
        p95_ms=float(np.percentile(times, 95)),
    )


def _gate(
    outcomes: Mapping[SearchMode, Mapping[str, _Judged]],
    queries: Sequence[DatasetQuery],
    threshold: float,
) -> GateFigures | None:
    labelled = [query for query in queries if query.answerable is not None]
    if not labelled or not outcomes:
        return None
    judged = outcomes.get("hybrid") or list(outcomes.values())[-1]
    return measure_gate(
        [judged[query.id].score for query in labelled],
        [bool(query.answerable) for query in labelled],
        [judged[query.id].decision == "no_evidence" for query in labelled],
        threshold,
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def open_dataset(
    directory: Path,
    *,
    keep_documents: bool = False,
    title: Literal["index", "ignore"] = "index",
    environment: Mapping[str, str],
    progress: Progress = lambda _step: None,
) -> tuple[Dataset, Workspace, Mapping[str, str]]:
    """The set, its cached project filled, and source id → document id; the caller closes it."""
    dataset = read_dataset(directory)
    workspace = _cached_project(dataset, keep_documents, title, environment)
    _fill(workspace, dataset, keep_documents, title, progress)
    return dataset, workspace, _document_of_source(workspace, dataset)
