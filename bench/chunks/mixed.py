"""How a chunk's score is made of its nearest window and of its vector as a whole.

On the sets that ``foundry eval dataset`` (or ``python -m bench datasets``) has embedded before, in
their cached projects; nothing is embedded here but questions. The whole is the mean of prefix and
windows, which is stored already: such a mixture costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from bench.chunks.corpora import Asked, Place
from bench.chunks.embedded import Vectored
from bench.chunks.kept import KeptEmbedder
from bench.chunks.measured import Arm
from bench.chunks.ranked import Scored, dense_scores
from bench.chunks.tables import halves, table
from foundry.analysis import query_terms
from foundry.craft.fusion import fuse
from foundry.evaluation.beir import Dataset, read_dataset
from foundry.evaluation.dataset import spread_queries
from foundry.evaluation.metrics import figures_by_query
from foundry.records import ChannelHit, Filters
from foundry.workspace import Workspace, open_workspace

CACHE = Path.home() / ".cache" / "foundry" / "datasets"
SETS = (
    "anthropic_docs",
    "nl_algoritmekader",
    "clapnq",
    "squad2_half",
    "cosqa_dev",
    "scifact_train",
)
MOST = 400
"""Questions of a set."""

SHARES = (0.1, 0.2, 0.3, 0.5)
DEPTH = 100
TODAY = "nearest window"
COLUMNS = ("recall@1", "ndcg@10", "recall@10")


def measure_mixtures(data: Path | None, names: Sequence[str] = SETS) -> Iterator[str]:
    if data is None:
        yield "Left out: give --data DIR."
        return
    for name in names:
        roots = sorted(CACHE.glob(f"{name}-*"))
        if not roots:
            yield f"{name}: left out, `python -m bench datasets` has not embedded it here.\n"
            continue
        with open_workspace(roots[0], environment={}, cwd=roots[0], read_only=True) as workspace:
            yield from _report(name, workspace, read_dataset(data / name))


def _report(name: str, workspace: Workspace, dataset: Dataset) -> Iterator[str]:
    sources = {source.id: source.path for source in workspace.store.list_sources()}
    homes = {
        chunk.id: sources[source]
        for source in sources
        for chunk in workspace.store.source_chunks(source)
    }
    asked = _questions(dataset, homes)
    near, both = _arms(workspace, homes, asked)
    yield f"### {name}: {len(asked)} questions, {len(homes)} chunks\n"
    for title, arms in (("Dense alone", near), ("Hybrid", both)):
        yield f"{title}:\n"
        yield from table(arms, TODAY, COLUMNS, [q.id for q in asked])
        yield from halves(arms, TODAY, ("ndcg@10",), asked)


def _questions(dataset: Dataset, homes: Mapping[str, str]) -> list[Asked]:
    """Those with a document that is in the project, evenly spread."""
    there = set(homes.values())
    paths = {d.id: f"corpus/{n:07d}.txt" for n, d in enumerate(dataset.documents, 1)}
    judged = []
    for query in dataset.queries:
        found = dataset.qrels.get(query.id, {})
        gold = [d for d, relevance in found.items() if relevance > 0 and paths.get(d) in there]
        if gold:
            judged.append(query)
    return [
        Asked(
            query.id,
            query.text,
            "",
            tuple(Place(paths[d]) for d, r in dataset.qrels[query.id].items() if r > 0),
        )
        for query in spread_queries(judged, MOST)
    ]


def _arms(
    workspace: Workspace, homes: Mapping[str, str], asked: Sequence[Asked]
) -> tuple[dict[str, Arm], dict[str, Arm]]:
    ids = list(homes)
    stored = workspace.store.get_vectors(workspace.config.embedding.model, ids)
    ids = [chunk for chunk in ids if chunk in stored]
    starts = np.cumsum([0, *(len(stored[chunk].windows) for chunk in ids)])
    windows = Vectored(np.concatenate([stored[chunk].windows for chunk in ids]), starts)
    wholes = np.stack([stored[chunk].whole for chunk in ids])
    embedder = KeptEmbedder()
    languages = sorted(workspace.store.languages())
    near: dict[str, dict[str, Mapping[str, float]]] = {}
    both: dict[str, dict[str, Mapping[str, float]]] = {}
    for q in asked:
        words = query_terms(q.text, languages)
        terms = list(dict.fromkeys(term for word in words for term in word.terms))
        text = workspace.store.search_text(terms, DEPTH, Filters())
        for name, scores in _ways(windows, wholes, embedder.embed_query(q.text)).items():
            order = np.argsort(-scores, kind="stable")[:DEPTH]
            dense = [ChannelHit(ids[i], n, float(scores[i])) for n, i in enumerate(order, 1)]
            near.setdefault(name, {})[q.id] = _figures(q, homes, [h.chunk_id for h in dense])
            merged = fuse(dense, text, 60)
            both.setdefault(name, {})[q.id] = _figures(q, homes, [h.chunk_id for h in merged])
    return dict(near), dict(both)


def _ways(windows: Vectored, wholes: np.ndarray, query: np.ndarray) -> dict[str, np.ndarray]:
    near, mean = dense_scores(windows, query), wholes @ query
    ways = {TODAY: near}
    ways |= {f"{a} of the whole": (1 - a) * near + a * mean for a in SHARES}
    ways["the whole alone"] = mean
    ways["two nearest"] = dense_scores(windows, query, Scored(best=2))
    ways[".7 nearest, .3 second and third"] = 0.7 * near + 0.3 * dense_scores(
        windows, query, Scored(best=3)
    )
    return ways


def _figures(asked: Asked, homes: Mapping[str, str], chunks: Sequence[str]) -> Mapping[str, float]:
    documents = list(dict.fromkeys(homes[chunk] for chunk in chunks))
    gold = {place.path: 1 for place in asked.places}
    return figures_by_query({asked.id: documents}, {asked.id: gold}, cuts=(1, 10))[asked.id]
