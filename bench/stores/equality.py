"""The hits of SQLite and of PostgreSQL on the same questions.

Every store is a copy of one project, so chunks and vectors are the same to the last bit. The search of a
large project, which is approximate, is used too, however few chunks there are.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from unittest.mock import patch

from bench.datasets import Run, sample_set
from bench.fusion import difference, find_foreign
from bench.rankings import SETS, Asked, Kept, make_rankings
from bench.stores.server import Server, find_wheel, run_server
from foundry.craft.fusion import fuse_by_scores
from foundry.evaluation.dataset import open_dataset
from foundry.evaluation.runs.request import spread
from foundry.journeys.project import copy_project
from foundry.workspace import Workspace, open_workspace

NAMES = ("scifact_train", "cosqa_dev", "nl_algoritmekader")
QUESTIONS = 150

CHANNELS: Mapping[str, Callable[[Kept, Asked], list[str]]] = {
    "dense": lambda _, asked: [hit.chunk_id for hit in asked.dense],
    "BM25": lambda _, asked: [hit.chunk_id for hit in asked.bm25_parts],
    "hybrid": lambda kept, asked: [
        hit.chunk_id
        for hit in fuse_by_scores(
            asked.dense, asked.bm25_parts, asked.share, find_foreign(kept, asked)
        )
    ],
}


def measure(data: Path | None) -> Iterator[str]:
    if data is None or find_wheel() is None:
        yield "Left out: it needs --data DIR, and a wheel with PostgreSQL."
        return
    yield "| set | search | store | overlap@10 with SQLite | same order | nDCG@10 | difference |"
    yield "|---|---|---|---|---|---|---|"
    runs = [run for run in SETS if run.name in NAMES]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        with run_server(Path(folder) / "server") as server:
            for run in runs:
                yield from _compare(data, run, server)


def _compare(data: Path, run: Run, server: Server) -> Iterator[str]:
    title = "ignore" if run.title == "ignore" else "index"
    dataset, workspace, homes = open_dataset(
        sample_set(data / run.name, run),
        keep_documents=run.keep_documents,
        title=title,
        environment=os.environ,
    )
    asked = [q for q in dataset.queries if any(dataset.qrels.get(q.id, {}).values())]
    rows = [(query.id, query.text, "") for query in spread(asked, QUESTIONS)]

    def rank(opened: Workspace) -> Kept:
        return make_rankings(run.name, opened, rows, dataset.qrels, homes)

    with workspace:
        found = {"SQLite": rank(workspace)}
        with _copy(workspace, server, f"{run.name}_postings") as copy:
            found["PostgreSQL, postings"] = rank(copy)
            with patch("foundry.store.postgres.indexes.FEW_ROWS", 0):
                found["… as for a large project"] = rank(copy)
    yield from _describe(f"{run.name}, {len(found['SQLite'].places):,} chunks", found)


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


def _describe(title: str, found: Mapping[str, Kept]) -> Iterator[str]:
    own = found["SQLite"]
    for channel, rank in CHANNELS.items():
        wanted = {asked.id: rank(own, asked) for asked in own.questions}
        base = own.measure(wanted)
        for store, kept in found.items():
            ranked = {asked.id: rank(kept, asked) for asked in kept.questions}
            figures = own.measure(ranked)
            scores = [figures[query]["ndcg@10"] for query in figures]
            others = [base[query]["ndcg@10"] for query in figures]
            shared = fmean(_overlap(ranked[query], wanted[query]) for query in wanted)
            same = fmean(ranked[query][:10] == wanted[query][:10] for query in wanted)
            yield (
                f"| {title} | {channel} | {store} | {shared:.4f} | {same:.0%} | {fmean(scores):.4f} "
                f"| {'0' if scores == others else difference(others, scores)} |"
            )


def _overlap(found: Sequence[str], wanted: Sequence[str]) -> float:
    first = set(wanted[:10])
    return len(first & set(found[:10])) / len(first) if first else float(not found)
