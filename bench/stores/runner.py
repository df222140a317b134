"""Stores side by side over generated projects: time, processor, memory, recall, clients, ingest, rebuilds.

Projects, loaded stores and figures stay in a folder (``--keep``), so that a part can be measured
again by itself; the tables show all figures that the folder has. Each way runs in processes of its
own. A server has a user who is neither owner nor superuser, so that row-level security is paid for.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bench.stores.databases import STORES, Databases
from bench.stores.generated import keep_documents
from bench.stores.kept import MOST, SOME, THREE
from bench.stores.tables import write_tables

SIZES = (10_000, 100_000)
CLIENTS = (1, 4, 16)
PARTS = ("load", "queries", "filters", "clients", "rebuild")
QUERIES = 60
FILTERED = 20
SECONDS = 4.0
FILTERS = (MOST, SOME, THREE)

KINDS = {
    "numpy": ("dense", "hybrid"),
    "numpy-windows": ("dense",),
    "bm25s": ("bm25",),
    "lance": ("dense", "bm25", "hybrid"),
    "sqlite": ("dense", "bm25", "hybrid", "search"),
    "postgres": ("dense", "bm25", "hybrid", "search"),
    "textsearch": ("bm25", "hybrid", "search"),
}
"""Way → what it is asked, those first that others are compared with."""

EXACT = {
    ("sqlite", "dense"): "numpy-windows",
    ("postgres", "dense"): "numpy-windows",
    ("lance", "dense"): "numpy",
    ("lance", "bm25"): "bm25s",
    ("postgres", "bm25"): "sqlite",
    ("textsearch", "bm25"): "sqlite",
    ("postgres", "hybrid"): "sqlite",
    ("textsearch", "hybrid"): "sqlite",
}
"""A way that approximates → the way whose first ten it should find."""

Figures = dict[str, Any]


@dataclass
class Bench:
    """One run: where things are kept, and how much is measured."""

    keep: Path
    databases: Databases
    lance: str
    quick: bool
    ways: Sequence[str]
    figures: dict[str, Figures] = field(default_factory=dict)

    def folder(self, size: int) -> Path:
        return self.keep / str(size)

    def note(self, figures: Figures, *key: object) -> None:
        """Save figures under a key at once; a run may be cut off."""
        self.figures[" ".join(map(str, key))] = figures
        (self.keep / "results.json").write_text(json.dumps(self.figures, indent=1))

    def list_ways(self, kind: str | None = None) -> list[str]:
        """The ways that can be measured here, and are asked such queries."""
        here = [name for name in self.ways if name != "lance" or self.lance]
        here = [name for name in here if self.databases.has(name)]
        return [name for name in here if kind is None or kind in KINDS[name]]

    def start(self, size: int, way: str, kind: str, tag: str, **more: Any) -> subprocess.Popen[str]:
        module = "lance" if way == "lance" else "ways"
        task = {
            "folder": str(self.folder(size).resolve()), "way": way, "kind": kind, "tag": tag,
            "queries": 20 if self.quick else FILTERED if tag else QUERIES, "seconds": 0, "threads": 1, "number": 0,
            **self.databases.describe(way, size), **more,
        }  # fmt: skip
        return subprocess.Popen(
            [self.lance if way == "lance" else sys.executable, "-m", f"bench.stores.{module}",
             json.dumps(task)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(("src", ".")), "RUST_LOG": "error"},
        )  # fmt: skip


def measure(
    _data: Path | None,
    *,
    sizes: Sequence[int] = (),
    clients: Sequence[int] = (),
    parts: Sequence[str] = (),
    ways: Sequence[str] = (),
    keep: Path | None = None,
    tools: str = "",
    quick: bool = False,
) -> Iterator[str]:
    """Measure and print; ``tools`` is an interpreter that has LanceDB."""
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stores")))
        folder.mkdir(parents=True, exist_ok=True)
        sizes = sizes or ((2000,) if quick else SIZES)
        for size in sizes:
            keep_documents(folder / str(size), size)
        databases = stack.enter_context(Databases(folder))
        for size in sizes:
            databases.migrate(folder / str(size), size)
        known = folder / "results.json"
        earlier = json.loads(known.read_text()) if known.exists() else {}
        lance = _find_lance(tools)
        bench = Bench(folder, databases, lance, quick, ways or tuple(KINDS), earlier)
        for part in parts or PARTS:
            for size in sizes:
                _measure_part(bench, part, size, clients or CLIENTS)
        yield from write_tables(bench.figures)
        for name in ways or KINDS:
            if name not in bench.list_ways():
                yield f"\nNot installed here, so left out: {name}."


def _find_lance(tools: str) -> str:
    """The interpreter that has LanceDB: that one, or this one, or none."""
    python = tools or sys.executable
    found = subprocess.run([python, "-c", "import lancedb"], capture_output=True, check=False)
    return python if found.returncode == 0 else ""


def _measure_part(bench: Bench, part: str, size: int, clients: Sequence[int]) -> None:
    folder = bench.folder(size)
    if part in ("load", "rebuild"):
        steps = {"load": bench.databases.load, "rebuild": bench.databases.rebuild}
        for way, figures in steps[part](folder, size, bench.list_ways()):
            bench.note(figures, size, part, way)
    elif part == "clients":
        for way in bench.list_ways("hybrid"):
            _measure_clients(bench, size, way, clients)
    else:
        for way in bench.list_ways():
            for kind in KINDS[way]:
                _measure_queries(bench, size, way, kind, FILTERS if part == "filters" else ("",))


def _measure_queries(bench: Bench, size: int, way: str, kind: str, tags: Sequence[str]) -> None:
    for tag in tags:
        if not tag:
            bench.note(_time(bench, size, way, kind, ""), size, "queries", way, kind)
        elif kind != "search":
            bench.note(_time(bench, size, way, kind, tag), size, "filters", way, kind, tag)


def _measure_clients(bench: Bench, size: int, way: str, clients: Sequence[int]) -> None:
    for count in clients:
        bench.note(_count(bench, size, way, count), size, "clients", way, count)
    if way in STORES:
        figures = _count(bench, size, way, 1, threads=max(clients))
        bench.note(figures, size, "threads", way, max(clients))


def _time(bench: Bench, size: int, way: str, kind: str, tag: str) -> Figures:
    """Times of one client, and how many of the exact ten it found."""
    with bench.start(size, way, kind, tag) as process:
        out, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{way} {kind} failed")
    answer = json.loads(out)
    found = bench.folder(size) / "found"
    found.mkdir(exist_ok=True)
    name = "-".join(filter(None, (kind, tag)))
    (found / f"{way}-{name}.json").write_text(json.dumps(answer["found"]))
    reference = found / f"{EXACT.get((way, kind), '')}-{name}.json"
    count = len(answer["ms"])
    return {
        "p50": statistics.median(answer["ms"]),
        "p95": float(np.percentile(answer["ms"], 95)),
        "client_cpu": 1e3 * answer["client_cpu_s"] / count,
        "server_cpu": 1e3 * answer["server_cpu_s"] / count,
        "client_mb": answer["client_bytes"] / 1e6,
        "server_mb": answer["server_bytes"] / 1e6,
        "recall": _compare(answer["found"], json.loads(reference.read_text()))
        if reference.is_file()
        else None,
        "queries": count,
    }


def _compare(found: list[list[str]], exact: list[list[str]]) -> float:
    """The mean share of the exact ten that was found."""
    pairs = [(set(hits), set(best)) for hits, best in zip(found, exact, strict=False) if best]
    return statistics.mean(len(hits & best) / len(best) for hits, best in pairs)


def _count(bench: Bench, size: int, way: str, count: int, threads: int = 1) -> Figures:
    """Hybrid queries per second of ``count`` processes at once, each with so many threads."""
    seconds = 1.0 if bench.quick else SECONDS
    started = [
        bench.start(size, way, "hybrid", "", seconds=seconds, number=number, threads=threads)
        for number in range(count)
    ]
    for process in started:
        assert process.stdout
        if process.stdout.readline().strip() != "ready":
            raise RuntimeError(f"a client of {way} failed")
    for process in started:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [json.loads(process.communicate()[0]) for process in started]
    times = [time for answer in answers for time in answer["ms"]]
    return {
        "per_s": len(times) / seconds,
        "p50": statistics.median(times),
        "p95": float(np.percentile(times, 95)),
    }
