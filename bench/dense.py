"""Dense and text search over large generated projects, beside the least that could be done.

Bare sqlite-vec answers one query by its own scan, over a connection of its own; the product is
numpy's, of one vector a chunk that is already in memory. Ours compares the windows too. "Reopened"
opens the store for each query, "fresh process" does so in a process of its own (its start and imports
are not counted), "staying" asks the same store again.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import numpy as np

from bench.stores.generated import DIMENSION, MODEL, PROJECT, keep_documents, write_documents
from bench.stores.kept import read_queries
from bench.stores.loading import load_store
from foundry.ports import Vectors
from foundry.records import Filters
from foundry.store import Store, open_store
from foundry.store.relational.vector_index import make_slug
from foundry.store.sqlite.connections import connect
from foundry.store.vector_ranking import CANDIDATES

SIZES = (20_000, 100_000)
REPEATS = 9
HITS = 100

_TABLE = f"vec_chunks_{make_slug(MODEL, DIMENSION)}"
_BARE = f"SELECT rowid, distance FROM {_TABLE} WHERE embedding MATCH ? AND k = {CANDIDATES}"
_BLOCKS = f"SELECT vectors FROM {_TABLE}_vector_chunks00"


def measure(_data: Path | None) -> Iterator[str]:
    yield f"Milliseconds, median of {REPEATS} queries: elapsed (CPU)."
    yield ""
    yield "| chunks | what | ms (CPU) | of bare scan | of product |"
    yield "|---|---|---|---|---|"
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            keep_documents(Path(folder), size)
            with closing(open_large(Path(folder))) as store:
                load_store(store, write_documents(size))
            yield from measure_project(Path(folder), size)


def open_large(root: Path) -> Store:
    """The store of a generated project."""
    return open_store("sqlite:///.foundry/foundry.db", root, PROJECT)


def measure_project(root: Path, size: int) -> Iterator[str]:
    """The lines of one generated project."""
    asked = read_queries(root)[0]
    query, terms = asked.vector, asked.terms
    store = open_large(root)
    public = store.view("internal")
    vectors = _read_vectors(root)
    ways: dict[str, Callable[[], object]] = {
        "bare sqlite-vec scan": lambda: scan(root, query),
        "numpy product": lambda: vectors @ query,
        "dense, reopened": lambda: search_once(root, query),
        "dense, staying": lambda: store.search_vectors(MODEL, query, HITS, Filters()),
        "dense, staying, a fifth hidden": lambda: public.search_vectors(
            MODEL, query, HITS, Filters()
        ),
        "BM25 of six words": lambda: store.search_text(terms, HITS, Filters()),
        "BM25 of six words, a fifth hidden": lambda: public.search_text(terms, HITS, Filters()),
    }
    for way in [*ways.values()] * 2:
        way()
    timed: dict[str, Callable[[], tuple[float, float]]] = {
        "bare sqlite-vec scan, fresh process": lambda: _time_fresh(root, "scan"),
        "dense, fresh process": lambda: _time_fresh(root, "search"),
        **{name: partial(time_call, way) for name, way in ways.items()},
    }
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in timed}
    for _ in range(REPEATS):  # in turn, so that a busy machine disturbs all alike
        for name, take in timed.items():
            times[name].append(take())
    medians = {
        name: tuple(statistics.median(part) for part in zip(*spent, strict=True))
        for name, spent in times.items()
    }
    bare, product = medians["bare sqlite-vec scan"][1], medians["numpy product"][1]
    for name, (elapsed, cpu) in medians.items():
        yield (
            f"| {size:,} | {name} | {elapsed:.1f} ({cpu:.1f}) | {cpu / bare:.2f} "
            f"| {cpu / product:.1f} |"
        )
    store.close()


def _time_fresh(root: Path, way: str) -> tuple[float, float]:
    """Like ``time_call``, of the first call in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.dense_once", way, root], check=True, stdout=subprocess.PIPE
    )
    elapsed, cpu = json.loads(done.stdout)
    return elapsed, cpu


def time_call(way: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds elapsed and of CPU."""
    started, used = time.perf_counter(), time.process_time()
    way()
    return 1e3 * (time.perf_counter() - started), 1e3 * (time.process_time() - used)


def scan(root: Path, query: Vectors) -> None:
    """The bare scan of a query, over a new connection."""
    connection = connect(root / ".foundry/foundry.db", read_only=True)
    connection.execute(_BARE, (query.tobytes(),)).fetchall()
    connection.close()


def search_once(root: Path, query: Vectors) -> None:
    """The product's search, with the store opened for it."""
    store = open_large(root)
    store.search_vectors(MODEL, query, HITS, Filters())
    store.close()


def _read_vectors(root: Path) -> Vectors:
    connection = connect(root / ".foundry/foundry.db", read_only=True)
    blocks = [bytes(data) for (data,) in connection.execute(_BLOCKS)]
    connection.close()
    return np.frombuffer(b"".join(blocks), dtype=np.float32).reshape(-1, DIMENSION)
