"""SQLite, PostgreSQL and SQLite with LanceDB side by side over generated projects, and other engines beside them.

Loaded stores stay in a folder (``--keep``), so that a part can be measured again by itself. Each way
searches in processes of its own. PostgreSQL's user is neither owner nor superuser, so that row-level
security is paid for. recall@10 is the share of the first ten of SQLite with ``--exact``.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

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
from bench.stores.peers import PEERS, keep_peer_data
from bench.stores.server import Server, count_cpu, run_server
from bench.tables import write_head, write_row
from foundry.store import Store, add_engine, open_store

SIZES = (10_000, 100_000)
QUERIES = {False: 60, True: 20}
"""Without and with a filter."""
EXACT = "SQLite, exact"
WAYS = ("SQLite", "PostgreSQL")
TIER = "SQLite with LanceDB"
KINDS = ("dense", "bm25", "hybrid", "search")
FILTERS = {MOST: "90 %", SOME: "10 %", THREE: "3 rows"}
ENGINE = "lancedb:///engine"
CLIENTS = (1, 4, 16)
SECONDS = 4


Answer = dict[str, Any]


@dataclass
class Bench:
    """One run: where things are kept, the server if there is one, and how much is measured."""

    keep: Path
    server: Server | None
    quick: bool
    found: dict[tuple[int, str, str], list[list[str]]] = field(default_factory=dict)

    def ways(self) -> Sequence[str]:
        tier = (TIER,) if find_spec("lancedb") else ()
        return (*(WAYS if self.server else WAYS[:1]), *tier)

    def searches(self, kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield each kind of search with each way, the exact one first; words are always exact."""
        for kind in kinds:
            # The search engine finds vectors only.
            exact = () if kind == "bm25" else (EXACT,)
            ways = (way for way in self.ways() if kind != "bm25" or way != TIER)
            yield from ((kind, way) for way in (*exact, *ways))

    def folder(self, size: int) -> Path:
        return self.keep / str(size)

    def process(self, way: str) -> int:
        return self.server.process if self.server and way == "PostgreSQL" else 0

    def url(self, way: str, size: int) -> str:
        if self.server and way == "PostgreSQL":
            return self.server.address(f"project_{size}")
        return "sqlite:///sqlite/foundry.db"

    def start(self, size: int, way: str, run: str, **task: object) -> subprocess.Popen[str]:
        """A process that does one run of ``bench.stores.timing``."""
        given = {
            "run": run, "folder": str(self.folder(size).resolve()), "url": self.url(way, size),
            "server": self.process(way), "size": size, "engine": ENGINE if way == TIER else "",
            **task,
        }  # fmt: skip
        return start_process("bench.stores.timing", given)

    def run(self, size: int, way: str, run: str, **task: object) -> Answer:
        return read_answer(self.start(size, way, run, **task))


def start_process(module: str, task: Answer) -> subprocess.Popen[str]:
    known = os.environ.get("PYTHONPATH", "")
    return subprocess.Popen(
        [sys.executable, "-m", module, json.dumps(task)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(("src", ".", known))},
    )  # fmt: skip


def read_answer(process: subprocess.Popen[str]) -> Answer:
    """What a process printed last. Raises ``RuntimeError`` if it failed."""
    out, _ = process.communicate("\n")
    if process.returncode:
        raise RuntimeError(f"failed: {process.args!r}")
    answer: Answer = json.loads(out.splitlines()[-1])
    return answer


def measure(
    *,
    sizes: Sequence[int] = (),
    parts: Sequence[str] = (),
    keep: Path | None = None,
    quick: bool = False,
    sqlite: bool = False,
) -> Iterator[str]:
    sizes = sizes or ((2000,) if quick else SIZES)
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stores")))
        folder.mkdir(parents=True, exist_ok=True)
        # Its server may run as another user.
        folder.chmod(0o755)
        server = None if sqlite else stack.enter_context(run_server(folder / "server"))
        bench = Bench(folder, server, quick)
        if server is None and not sqlite:
            yield "PostgreSQL is left out: no wheel with a server is installed.\n"
        loaded = [_load(bench, size, way) for size in sizes for way in bench.ways()]
        for part in parts or PARTS:
            yield from write_head(*HEADS[part])
            yield from loaded if part == "load" else MEASURES[part](bench, sizes)
            yield ""


def _load(bench: Bench, size: int, way: str) -> str:
    """The row of loading a store; what was loaded earlier is not loaded again."""
    folder = bench.folder(size)
    keep_queries(folder, size)
    noted = folder / f"loaded-{way}.json"
    if not noted.exists() and way == TIER:
        noted.write_text(json.dumps(_fill_engine(bench, size)))
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
        document.save_text(store)
        saved = time.perf_counter()
        document.save_vectors(store)
        texts += saved - started
        vectors += time.perf_counter() - saved
    started = time.perf_counter()
    # The end of an ingest, which builds PostgreSQL's index of vectors.
    store.finish_run(store.start_run({}), {})
    vectors += time.perf_counter() - started
    spent = (time.process_time() - used, count_cpu(server) - served)
    rates = (f"{size / seconds:,.0f}" for seconds in (texts, vectors, texts + vectors))
    return [*rates, " + ".join(f"{1e3 * seconds / size:.1f}" for seconds in spent)]


def _fill_engine(bench: Bench, size: int) -> list[str]:
    """Vectors per second that the engine gets from a loaded project, and processor time."""
    folder = bench.folder(size)
    store = open_store(bench.url(TIER, size), folder, PROJECT)
    add_engine(store, ENGINE, "error", folder, PROJECT)
    started, used = time.perf_counter(), time.process_time()
    store.rebuild_engine()
    taken, spent = time.perf_counter() - started, time.process_time() - used
    store.close()
    return ["–", f"{size / taken:,.0f}", "–", f"{1e3 * spent / size:.1f} + 0.0"]


def _weigh(bench: Bench, size: int, way: str) -> str:
    """Megabytes on disk."""
    if bench.server and way == "PostgreSQL":
        [(found,)] = bench.server.run(f"SELECT pg_database_size('project_{size}')")
        return f"{int(str(found)) / 1e6:,.0f}"
    if way == TIER:
        files = (file for file in (bench.folder(size) / "engine").rglob("*") if file.is_file())
        return f"{sum(file.stat().st_size for file in files) / 1e6:,.0f}"
    return f"{(bench.folder(size) / 'sqlite/foundry.db').stat().st_size / 1e6:,.0f}"


def _measure_queries(bench: Bench, sizes: Sequence[int]) -> Iterator[str]:
    for size in sizes:
        for kind, way in bench.searches(KINDS):
            yield _time(bench, size, way, kind, "")


def _measure_filters(bench: Bench, sizes: Sequence[int]) -> Iterator[str]:
    for size, tag in product(sizes, FILTERS):
        for kind, way in bench.searches(KINDS[:3]):
            yield _time(bench, size, way, kind, tag)


def _time(bench: Bench, size: int, way: str, kind: str, tag: str) -> str:
    """Measure one client's times, and the share of the first way's ten best that were found."""
    number = 20 if bench.quick else QUERIES[bool(tag)]
    task = {"kind": kind, "tag": tag, "queries": number, "exact": way == EXACT}
    answer = bench.run(size, way, "queries", **task)
    first = (size, kind, tag) not in bench.found
    exact = bench.found.setdefault((size, kind, tag), answer["found"])
    recall = "–" if first else f"{_compare(answer['found'], exact):.3f}"
    cpu = (1e3 * answer[f"{side}_cpu_s"] / len(answer["ms"]) for side in ("client", "server"))
    memory = (answer[f"{side}_bytes"] / 1e6 for side in ("client", "server"))
    return write_row(
        f"{size:,}", kind, FILTERS.get(tag, "all"), f"**{way}**", *_sum_up(answer["ms"]),
        " + ".join(f"{one:.1f}" for one in cpu), " + ".join(f"{one:.0f}" for one in memory), recall,
    )  # fmt: skip


def _sum_up(times: Sequence[float]) -> tuple[str, str]:
    """The median and the 95th percentile, in milliseconds."""
    return f"{statistics.median(times):.1f}", f"{np.percentile(times, 95):.1f}"


def _compare(found: list[list[str]], exact: list[list[str]]) -> float:
    pairs = [(set(hits), set(best)) for hits, best in zip(found, exact, strict=True) if best]
    return statistics.mean(len(hits & best) / len(best) for hits, best in pairs)


def _measure_clients(bench: Bench, sizes: Sequence[int]) -> Iterator[str]:
    """Processes that search at the same time, on the cores that the server has too."""
    for size, way, number in product(sizes, bench.ways(), CLIENTS):
        started = [
            bench.start(size, way, "client", client=client, seconds=SECONDS)
            for client in range(number)
        ]
        _start_together(started)
        times = [ms for process in started for ms in read_answer(process)["ms"]]
        yield write_row(
            f"{size:,}", f"**{way}**", number, f"{len(times) / SECONDS:.1f}", *_sum_up(times)
        )


def _start_together(clients: Sequence[subprocess.Popen[str]]) -> None:
    for client in clients:
        if client.stdout:
            client.stdout.readline()
    for client in clients:
        if client.stdin:
            client.stdin.write("\n")
            client.stdin.flush()


def _measure_start(bench: Bench, sizes: Sequence[int]) -> Iterator[str]:
    for size, way in product(sizes, bench.ways()):
        answer = bench.run(size, way, "cold")
        yield write_row(
            f"{size:,}", f"**{way}**", f"{answer['first_ms']:.0f}", f"{answer['next_ms']:.0f}"
        )


def _measure_writes(bench: Bench, sizes: Sequence[int]) -> Iterator[str]:
    """One source in a hundred is removed and saved again; searches run while words are rebuilt."""
    for size, way in product(sizes, bench.ways()):
        written = bench.run(size, way, "write", chunks=size // 100)
        rebuilding = bench.start(size, way, "rebuild")
        times: list[float] = []
        while rebuilding.poll() is None:
            times += bench.run(size, way, "client", client=0, seconds=2)["ms"]
        seconds = read_answer(rebuilding)["seconds"]
        yield write_row(
            f"{size:,}", f"**{way}**", f"{written['removed']:,.0f}", f"{written['saved']:,.0f}",
            f"{seconds:.0f}", *_sum_up(times),
        )  # fmt: skip


def _measure_peers(bench: Bench, sizes: Sequence[int]) -> Iterator[str]:
    """Other engines over the same chunks, one after another, those that are installed."""
    for size in sizes:
        keep_peer_data(bench.folder(size), size)
        for name, kind in PEERS:
            task = {"peer": name, "kind": kind, "folder": str(bench.folder(size).resolve())}
            answer = read_answer(start_process("bench.stores.peers", task))
            if missing := answer.get("missing"):
                yield write_row(f"{size:,}", kind, name, f"not installed: {missing}")
                continue
            yield write_row(
                f"{size:,}", kind, name, *_sum_up(answer["ms"]), f"{answer['cpu_ms']:.1f}",
                f"{answer['bytes'] / 1e6:.0f}", f"{answer['recall']:.3f}" if kind == "dense" else "–",
                f"{answer['built_s']:.0f}", f"{answer['disk'] / 1e6:,.0f}",
            )  # fmt: skip


_TIMES = ("p50 ms", "p95 ms")
_SEARCHES = (
    "chunks", "what", "allows", "way", *_TIMES,
    "CPU ms, client + server", "MB, client + server", "recall@10",
)  # fmt: skip
HEADS = {
    "load": (
        "chunks", "way", "texts/s", "vectors/s", "both/s",
        "CPU ms a chunk, client + server", "MB on disk",
    ),
    "queries": _SEARCHES,
    "filters": _SEARCHES,
    "clients": ("chunks", "way", "clients", "per second", *_TIMES),
    "start": ("chunks", "way", "opening and first search, ms", "next, ms"),
    "writes": (
        "chunks", "way", "removed/s", "saved again/s", "words rebuilt, s",
        "p50 ms meanwhile", "p95 ms meanwhile",
    ),
    "peers": (
        "chunks", "what", "way", *_TIMES, "CPU ms", "MB", "recall@10", "built, s", "MB on disk",
    ),
}  # fmt: skip
MEASURES: dict[str, Callable[[Bench, Sequence[int]], Iterator[str]]] = {
    "queries": _measure_queries,
    "filters": _measure_filters,
    "clients": _measure_clients,
    "start": _measure_start,
    "writes": _measure_writes,
    "peers": _measure_peers,
}
PARTS = tuple(HEADS)
