"""SQLite and PostgreSQL side by side over generated projects: loading, searches, filters.

Loaded stores stay in a folder (``--keep``), so that a part can be measured again by itself. Each way
searches in processes of its own. PostgreSQL's user is neither owner nor superuser, so that row-level
security is paid for. recall@10 is the share of the first ten of SQLite, which computes exactly.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np

from bench.stores.generated import (
    DIMENSION,
    FINGERPRINT,
    MODEL,
    MOST,
    PROJECT,
    SOME,
    THREE,
    keep_queries,
    write_documents,
)
from bench.stores.server import Server, count_cpu, run_server
from bench.tables import write_head, write_row
from foundry.store import Store, open_store

SIZES = (10_000, 100_000)
QUERIES = {False: 60, True: 20}
"""Without and with a filter."""
WAYS = ("SQLite", "PostgreSQL")
KINDS = ("dense", "bm25", "hybrid", "search")
FILTERS = {MOST: "90 %", SOME: "10 %", THREE: "3 rows"}
BATCH = 64
"""Chunks of one ``save_vectors``, as an ingest has them for a built-in model."""


@dataclass
class Bench:
    """One run: where things are kept, the server if there is one, and how much is measured."""

    keep: Path
    server: Server | None
    quick: bool
    found: dict[tuple[int, str, str], list[list[str]]] = field(default_factory=dict)

    def ways(self) -> Sequence[str]:
        return WAYS if self.server else WAYS[:1]

    def folder(self, size: int) -> Path:
        return self.keep / str(size)

    def process(self, way: str) -> int:
        return self.server.process if self.server and way == "PostgreSQL" else 0

    def url(self, way: str, size: int) -> str:
        if self.server and way == "PostgreSQL":
            return self.server.address(f"project_{size}")
        return "sqlite:///sqlite/foundry.db"

    def start(self, size: int, way: str, kind: str, tag: str) -> subprocess.Popen[str]:
        task = {
            "folder": str(self.folder(size).resolve()), "url": self.url(way, size), "kind": kind,
            "tag": tag, "server": self.process(way),
            "queries": 20 if self.quick else QUERIES[bool(tag)],
        }  # fmt: skip
        return subprocess.Popen(
            [sys.executable, "-m", "bench.stores.timing", json.dumps(task)],
            stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(("src", "."))},
        )  # fmt: skip


def measure(
    *,
    sizes: Sequence[int] = (),
    parts: Sequence[str] = (),
    keep: Path | None = None,
    quick: bool = False,
) -> Iterator[str]:
    sizes = sizes or ((2000,) if quick else SIZES)
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stores")))
        folder.mkdir(parents=True, exist_ok=True)
        # Its server may run as another user.
        folder.chmod(0o755)
        server = stack.enter_context(run_server(folder / "server"))
        bench = Bench(folder, server, quick)
        if server is None:
            yield "PostgreSQL is left out: no wheel with a server is installed.\n"
        loaded = [_load(bench, size, way) for size in sizes for way in bench.ways()]
        for part in parts or PARTS:
            if part == "load":
                yield from write_head(
                    "chunks", "way", "texts/s", "vectors/s", "both/s",
                    "CPU ms a chunk, client + server", "MB on disk",
                )  # fmt: skip
                yield from loaded
            else:
                yield from write_head(
                    "chunks", "what", "allows", "way", "p50 ms", "p95 ms",
                    "CPU ms, client + server", "MB, client + server", "recall@10",
                )  # fmt: skip
                for size in sizes:
                    yield from _measure_queries(bench, size, filtered=part == "filters")
            yield ""


PARTS = ("load", "queries", "filters")


def _load(bench: Bench, size: int, way: str) -> str:
    """The row of loading a store; what was loaded earlier is not loaded again."""
    folder = bench.folder(size)
    keep_queries(folder, size)
    noted = folder / f"loaded-{way}.json"
    if not noted.exists():
        (folder / "sqlite").mkdir(exist_ok=True)
        if bench.server and way == "PostgreSQL":
            bench.server.make_project(f"project_{size}", folder)
        store = open_store(bench.url(way, size), folder, PROJECT)
        figures = _fill(store, size, bench.process(way))
        store.close()
        if bench.server and way == "PostgreSQL":
            # What autovacuum does some minutes later.
            bench.server.run("VACUUM ANALYZE", f"project_{size}")
        noted.write_text(json.dumps(figures))
    return write_row(
        f"{size:,}", f"**{way}**", *json.loads(noted.read_text()), _weigh(bench, size, way)
    )


def _fill(store: Store, size: int, server: int) -> list[str]:
    """Chunks per second by the verbs of an ingest, and processor time."""
    store.open_index(MODEL, DIMENSION, FINGERPRINT)
    texts = vectors = 0.0
    served, used = count_cpu(server), time.process_time()
    for document in write_documents(size):
        started = time.perf_counter()
        store.save_source(
            document.source, document.text, document.blocks, document.chunks, document.summary()
        )
        texts += time.perf_counter() - started
        rows = iter(document.list_vectors())
        while batch := list(islice(rows, BATCH)):
            started = time.perf_counter()
            store.save_vectors(MODEL, batch)
            vectors += time.perf_counter() - started
    started = time.perf_counter()
    # The end of an ingest, which builds PostgreSQL's index of vectors.
    store.finish_run(store.start_run({}), {})
    vectors += time.perf_counter() - started
    spent = (time.process_time() - used, count_cpu(server) - served)
    rates = (f"{size / seconds:,.0f}" for seconds in (texts, vectors, texts + vectors))
    return [*rates, " + ".join(f"{1e3 * seconds / size:.1f}" for seconds in spent)]


def _weigh(bench: Bench, size: int, way: str) -> str:
    """Megabytes on disk."""
    if bench.server and way == "PostgreSQL":
        [(found,)] = bench.server.run(f"SELECT pg_database_size('project_{size}')")
        return f"{int(str(found)) / 1e6:,.0f}"
    return f"{(bench.folder(size) / 'sqlite/foundry.db').stat().st_size / 1e6:,.0f}"


def _measure_queries(bench: Bench, size: int, *, filtered: bool) -> Iterator[str]:
    for kind in KINDS[:3] if filtered else KINDS:
        for tag in FILTERS if filtered else ("",):
            for way in bench.ways():
                yield _time(bench, size, way, kind, tag)


def _time(bench: Bench, size: int, way: str, kind: str, tag: str) -> str:
    """Times of one client, and how many of SQLite's first ten were found."""
    with bench.start(size, way, kind, tag) as process:
        out, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{way} {kind} failed")
    answer = json.loads(out)
    exact = bench.found.setdefault((size, kind, tag), answer["found"])
    recall = "–" if way == WAYS[0] else f"{_compare(answer['found'], exact):.3f}"
    times, count = answer["ms"], len(answer["ms"])
    cpu = (1e3 * answer[f"{side}_cpu_s"] / count for side in ("client", "server"))
    memory = (answer[f"{side}_bytes"] / 1e6 for side in ("client", "server"))
    return write_row(
        f"{size:,}", kind, FILTERS.get(tag, "all"), f"**{way}**", f"{statistics.median(times):.1f}",
        f"{np.percentile(times, 95):.1f}", " + ".join(f"{one:.1f}" for one in cpu),
        " + ".join(f"{one:.0f}" for one in memory), recall,
    )  # fmt: skip


def _compare(found: list[list[str]], exact: list[list[str]]) -> float:
    pairs = [(set(hits), set(best)) for hits, best in zip(found, exact, strict=True) if best]
    return statistics.mean(len(hits & best) / len(best) for hits, best in pairs)
