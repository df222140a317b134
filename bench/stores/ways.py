"""The ways to search a generated project from this interpreter: Foundry's stores, numpy and bm25s.

``python -m bench.stores.ways TASK`` times one of them.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.stores.generated import MODEL, PROJECT
from bench.stores.kept import Query, read_kept
from bench.stores.timing import Task, Way, run_process
from foundry.craft.fusion import fuse
from foundry.records import Filters, RetrieverHit
from foundry.store import Store, open_store

HITS = 100
"""What a search asks of each retriever."""
SHOWN = 10
RRF_K = 60


class StoreWay:
    """A store of Foundry, by the verbs that a search calls.

    ``hybrid`` fuses both retrievers and reads the ten best chunks with their sources; ``search``
    adds the statistics and windows that a whole search reads.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def search(self, kind: str, query: Query, tag: str) -> list[str]:
        filters = Filters(tags=(tag,)) if tag else Filters()
        if kind == "dense":
            return _list_ids(self._store.search_vectors(MODEL, query.vector, HITS, filters))
        if kind == "bm25":
            return _list_ids(self._store.search_text(query.terms, HITS, filters))
        if kind == "search":
            self._store.index_status(MODEL)
            self._store.languages()
            self._store.document_frequencies(query.terms)
            self._store.count_mentions(query.terms)
        dense = self._store.search_vectors(MODEL, query.vector, HITS, filters)
        text = self._store.search_text(query.terms, HITS, filters)
        best = [hit.chunk_id for hit in fuse(dense, text, RRF_K, frozenset())[:SHOWN]]
        chunks = self._store.get_chunks(best)
        self._store.get_sources({chunk.source_id for chunk in chunks})
        if kind == "search":
            self._store.get_windows(MODEL, best)
        return best

    def close(self) -> None:
        self._store.close()


def _list_ids(hits: list[RetrieverHit]) -> list[str]:
    return [hit.chunk_id for hit in hits]


class ArrayWay:
    """Arrays in memory: products of numpy, and bm25s. ``windows`` compares every window."""

    def __init__(self, folder: Path, kind: str, *, windows: bool) -> None:
        self._kept = kept = read_kept(folder)
        self._ids = np.array(kept.ids)
        self._tags = np.array(kept.tags)
        self._windows = windows
        self._vectors = self._index = None
        if kind != "bm25":
            vectors = kept.windows if windows else kept.wholes
            self._vectors = np.array(vectors, dtype=np.float32).reshape(-1, vectors.shape[-1])
        if kind != "dense":
            self._index = _open_index(folder, kept.terms)

    def search(self, kind: str, query: Query, tag: str) -> list[str]:
        mask = self._tags == tag if tag else None
        found = []
        if kind != "bm25":
            found.append(self._compare(query, mask))
        if kind != "dense":
            found.append(self._match(query, mask))
        if len(found) == 1:
            return [str(chunk) for chunk in self._ids[found[0]]]
        hits = [
            [RetrieverHit(str(self._ids[place]), rank, 0.0) for rank, place in enumerate(list_, 1)]
            for list_ in found
        ]
        return [hit.chunk_id for hit in fuse(hits[0], hits[1], RRF_K, frozenset())[:SHOWN]]

    def _compare(self, query: Query, mask: Any) -> Any:
        assert self._vectors is not None
        cosines = self._vectors @ query.vector
        if self._windows:
            cosines = cosines.reshape(len(self._ids), -1).max(axis=1)
        if mask is not None:
            cosines[~mask] = -np.inf
        return _choose_best(cosines, cosines > -np.inf)

    def _match(self, query: Query, mask: Any) -> Any:
        assert self._index is not None
        known = [term for term in query.terms if term in self._index.vocab_dict]
        scores = self._index.get_scores(known)
        if mask is not None:
            scores = scores * mask
        return _choose_best(scores, scores > 0)

    def close(self) -> None:
        pass


def _choose_best(scores: Any, allowed: Any) -> Any:
    places = np.flatnonzero(allowed)
    if len(places) > HITS:
        places = places[np.argpartition(-scores[places], HITS - 1)[:HITS]]
    return places[np.argsort(-scores[places], kind="stable")]


def _open_index(folder: Path, terms: list[str]) -> Any:
    """The index of bm25s in the folder, built first if it is missing; it takes a minute."""
    import bm25s

    if not (folder / "bm25s").exists():
        index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        started = time.perf_counter()
        index.index([text.split() for text in terms], show_progress=False)
        seconds = time.perf_counter() - started
        index.save(folder / "bm25s")
        (folder / "bm25s/built.json").write_text(json.dumps({"text_s": seconds}))
    return bm25s.BM25.load(folder / "bm25s")


def open_way(task: Task) -> Way:
    """What a task names."""
    folder = Path(task["folder"])
    if task["way"] in ("numpy", "numpy-windows", "bm25s"):
        return ArrayWay(folder, task["kind"], windows=task["way"] == "numpy-windows")
    return StoreWay(open_store(task["url"], folder, PROJECT))


if __name__ == "__main__":
    run_process(open_way)
