"""What both retrievers return for every question of a set, searched once and cached.

``fusion`` tries ways to merge them in seconds. A set is a cached project of
``foundry eval dataset``, or the example project with its own questions. Kept under
``bench/results/rankings``; rebuilt when the set, the analysis or the embedding changes.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.datasets import Run, sample_set
from bench.own_questions import _rows
from bench.startup import EXAMPLE
from foundry.analysis import (
    ANALYSIS_VERSION,
    analyse_query,
    detect_query_language,
    split_compounds,
)
from foundry.evaluation.dataset import open_dataset
from foundry.evaluation.metrics.ranking import figures_by_query
from foundry.evaluation.runs.request import spread
from foundry.journeys.ingest import ingest
from foundry.journeys.search import COVERAGE_HITS, compute_found_share
from foundry.records import Chunk, Filters, QueryTerm, Question, RetrieverHit, Source
from foundry.store import StoreView
from foundry.workspace import Workspace, open_workspace

KEPT = Path("bench/results/rankings")
DEPTH = 100
OWN = "own questions"

SETS = (
    Run("nl_algoritmekader", title="ignore"),
    Run("anthropic_docs"),
    Run("clapnq", keep_documents=True),
    Run("squad2_half", keep_documents=True, limit=1500),
    Run("conflict_nq_val", keep_documents=True),
    Run("cosqa_dev", keep_documents=True, documents=1500),
    Run("scifact_train", keep_documents=True, limit=300, documents=1300),
    Run("nl_coronamelder", keep_documents=True),
)


@dataclass(frozen=True)
class Asked:
    """A question with what the retrievers return for it, to a depth of ``DEPTH``."""

    id: str
    text: str
    kind: str
    language: str
    words: tuple[QueryTerm, ...]
    dense: tuple[RetrieverHit, ...]
    bm25: tuple[RetrieverHit, ...]
    parts: tuple[str, ...] = ()
    """Terms of the parts of words that no chunk contains."""
    bm25_parts: tuple[RetrieverHit, ...] = ()
    """What BM25 finds with those too, as the product does."""
    share: float = 0.0
    """The largest share of the question that one of the best of these covers."""


@dataclass(frozen=True)
class Place:
    """A chunk: the document it is judged as, and its language."""

    document: str
    language: str


@dataclass(frozen=True)
class Kept:
    """A set's questions and chunks."""

    name: str
    questions: tuple[Asked, ...]
    qrels: Mapping[str, Mapping[str, int]]
    places: Mapping[str, Place]

    def documents(self, chunk_ids: Sequence[str]) -> tuple[str, ...]:
        """A ranking of chunks as one of documents, each at the place of its best chunk."""
        return tuple(dict.fromkeys(self.places[chunk].document for chunk in chunk_ids))

    def measure(self, rankings: Mapping[str, Sequence[str]]) -> dict[str, dict[str, float]]:
        """Question → figures of its ranking of chunks."""
        found = {query: self.documents(ids) for query, ids in rankings.items()}
        return figures_by_query(found, self.qrels, cuts=(1, 10))


def is_development(question_id: str) -> bool:
    """Rules are chosen on this half, by a hash of the question's id, and reported on the other."""
    return hashlib.sha256(question_id.encode()).digest()[0] % 2 == 0


def load(data: Path, run: Run) -> Kept:
    """The cached rankings of a set, computed first if there are none."""
    folder = sample_set(data / run.name, run)
    title = "ignore" if run.title == "ignore" else "index"
    dataset, workspace, homes = open_dataset(
        folder, keep_documents=run.keep_documents, title=title, environment=os.environ
    )
    with workspace:
        path = _path(run.name, workspace, str(run.limit))
        if path.exists():
            return _read(path)
        queries = spread(dataset.queries, run.limit)
        rows = [(q.id, q.text, "") for q in queries if any(dataset.qrels.get(q.id, {}).values())]
        kept = make_rankings(run.name, workspace, rows, dataset.qrels, homes)
        return _write(path, kept)


@contextmanager
def own_project() -> Iterator[Workspace]:
    """The example project, ingested once."""
    root = Path("bench/results/projects/own")
    if not root.exists():
        root.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(EXAMPLE, root)
    with open_workspace(root.resolve(), environment={}, cwd=root.resolve()) as workspace:
        ingest(workspace)
        yield workspace


def load_own() -> Kept:
    """The example project's own questions; relevant is the source that answers."""
    with own_project() as workspace:
        path = _path("own", workspace, "")
        if path.exists():
            return _read(path)
        rows = [row for row in _rows() if row["answerable"]]
        qrels = {
            str(row["id"]): {str(p): 1 for p in (row["source"], *(row.get("also") or ()))}  # type: ignore[misc]
            for row in rows
        }
        homes = {source.id: source.path for source in workspace.store.list_sources()}
        asked = [(str(r["id"]), str(r["text"]), str(r["kind"])) for r in rows]
        return _write(path, make_rankings(OWN, workspace, asked, qrels, homes))


def make_rankings(
    name: str,
    workspace: Workspace,
    rows: Sequence[tuple[str, str, str]],
    qrels: Mapping[str, Mapping[str, int]],
    homes: Mapping[str, str],
) -> Kept:
    store = workspace.store
    places = {
        chunk.id: Place(homes[source.id], chunk.language)
        for source in store.list_sources()
        for chunk in store.source_chunks(source.id)
    }
    languages = sorted(store.languages())
    asked = tuple(
        _ask(workspace, row, workspace.embedder.embed_query(row[1]), languages) for row in rows
    )
    return Kept(name, asked, {row[0]: qrels[row[0]] for row in rows}, places)


def _ask(
    workspace: Workspace, row: tuple[str, str, str], vector: np.ndarray, languages: Sequence[str]
) -> Asked:
    identity, text, kind = row
    words = analyse_query(text, languages)
    terms = list(dict.fromkeys(term for word in words for term in word.terms))
    store, model = workspace.store, workspace.config.embedding.model
    counts = store.document_frequencies(terms)
    strange = [word.word for word in words if not any(counts[term] for term in word.terms)]
    parts = split_compounds(strange, languages, store.document_frequencies)
    found = store.search_text([*terms, *parts], DEPTH, Filters())
    question = Question(text, "", words, counts, sum(store.languages().values()))
    return Asked(
        id=identity,
        text=text,
        kind=kind,
        language=detect_query_language(text),
        words=words,
        dense=tuple(store.search_vectors(model, vector, DEPTH, Filters())),
        bm25=tuple(store.search_text(terms, DEPTH, Filters())),
        parts=tuple(parts),
        bm25_parts=tuple(found),
        share=compute_found_share(question, _read_best(store, found)),
    )


def _read_best(store: StoreView, hits: Sequence[RetrieverHit]) -> Iterator[tuple[Chunk, Source]]:
    chunks = store.get_chunks([hit.chunk_id for hit in hits[:COVERAGE_HITS]])
    sources = store.get_sources({chunk.source_id for chunk in chunks})
    return ((chunk, source) for chunk in chunks if (source := sources[chunk.source_id]))


def _path(name: str, workspace: Workspace, limit: str) -> Path:
    total = sum(workspace.store.languages().values())
    parts = (name, str(total), limit, str(ANALYSIS_VERSION), workspace.fingerprint(), "6")
    key = hashlib.sha256(" ".join(parts).encode()).hexdigest()[:12]
    return KEPT / f"{name}-{key}.pickle"


def _read(path: Path) -> Kept:
    with path.open("rb") as file:
        kept: Kept = pickle.load(file)
    return kept


def _write(path: Path, kept: Kept) -> Kept:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        pickle.dump(kept, file)
    return kept
