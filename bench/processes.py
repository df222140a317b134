"""Time, processor time and memory of whole processes: what a user waits for and pays."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.example import FOUNDRY, copy_example, run
from bench.faults.commands import run_foundry
from bench.generate import write_manual, write_sentences
from bench.tables import write_head, write_row
from foundry.config import BUILTIN_EMBEDDING
from foundry.journeys.work import enqueue
from foundry.workspace import open_workspace
from tests.store.server import has_server, run_server
from tests.support.saved import describe_saved

RUNS = 11
COMMANDS = (
    ("--help",),
    ("search", "What is the supply voltage?"),
    ("search", "--mode", "bm25", "supply voltage"),
    ("ask", "What is the supply voltage?"),
    ("ingest", "-q"),
)
REPORTS = 366
QUESTIONS = (
    "What is the supply voltage?",
    "How many fixtures may one output drive?",
    "Hoe vaak moet de behuizing worden gereinigd?",
    "What pressure did pump 217 reach?",
)
PAGES = 1000
LONGEST_S = 90
"""The text phase and some embedding, whose memory does not grow."""
FILES, SENTENCES = 300, 40
WORKERS = (0, 1, 2, 4)
"""0 is ``foundry ingest`` itself."""


def measure_startup() -> Iterator[str]:
    """Short commands on the example."""
    yield from write_head("command", "median s", "min", "max")
    with copy_example() as project:
        run(project, "ingest", "-q")
        for words in COMMANDS:
            run(project, *words)
            times = [run(project, *words) for _ in range(RUNS)]
            figures = (statistics.median(times), min(times), max(times))
            yield write_row(f"`foundry {' '.join(words)}`", *(f"{time:.3f}" for time in figures))


def measure_ask_cpu() -> Iterator[str]:
    """One ``foundry ask`` without a model on 400 chunks: the example and short generated reports."""
    yield f"Milliseconds of CPU of all threads, median of {RUNS} processes (least)."
    yield ""
    with copy_example() as project:
        rng = random.Random(5)
        (project / "sources/inspections").mkdir()
        for number in range(REPORTS):
            report = project / f"sources/inspections/pump-{number:03d}.md"
            report.write_text(_write_inspection(rng, number))
        run(project, "ingest", "-q")
        yield from write_head("question", "ms")
        for question in QUESTIONS:
            run(project, "ask", question)
            times = [_ask_once(project, question) for _ in range(RUNS)]
            yield write_row(question, f"{statistics.median(times):.0f} ({min(times):.0f})")


def _write_inspection(rng: random.Random, number: int) -> str:
    """A short report on one pump, which becomes one chunk."""
    return f"""# Inspection of pump {number:03d}

Pump {number:03d} in hall {rng.randint(1, 9)} reached a pressure of {rng.randint(20, 90) / 10} bar
at {rng.randint(20, 120)} l/min. The motor drew {rng.randint(10, 99) / 10} A and its bearing was at
{rng.randint(30, 80)} °C after {rng.randint(1, 6)} hours. {write_sentences(rng, 3)}

The filter was {rng.choice(("cleaned", "replaced", "not opened"))}; the seal is due in
{rng.randint(1, 24)} months.
"""


def _ask_once(project: Path, question: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(project, "ask", question)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def measure_memory() -> Iterator[str]:
    """The peak of the whole process tree while a long PDF is read and partly embedded."""
    yield from write_head(
        "pages", "file MB", "chunks", "embedded", "seconds", "peak MB (whole tree)"
    )
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        path = _make_project(root) / "manual.pdf"
        write_manual(path, PAGES)
        done = run_foundry("ingest", "-q", cwd=root, limit=LONGEST_S)
        with open_workspace(root, environment={}, cwd=root) as workspace:
            status = workspace.store.index_status(BUILTIN_EMBEDDING)
        size, took, peak = path.stat().st_size / 1e6, done.seconds, done.memory
        counts = (status.chunks, status.vectors)
        yield write_row(PAGES, f"{size:.1f}", *counts, f"{took:.0f}", f"{peak:.0f}")


def measure_workers(ray: bool = False, sample: int = FILES) -> Iterator[str]:
    """An ingest of small files by one process, and by workers that share them, on each store.

    With ``ray`` by actors of a cluster on this machine.
    """
    yield f"{sample} files of {SENTENCES} sentences, {os.cpu_count()} cores."
    yield ""
    if ray:
        yield from _measure_ray(sample)
        return
    yield from write_head("store", "by", "s", "CPU s")
    with tempfile.TemporaryDirectory() as folder, _list_stores() as stores:
        for store, addresses in stores.items():
            for address, count in zip(addresses, WORKERS, strict=True):
                root = Path(folder) / f"{store}-{count}"
                seconds, cpu = _share_ingest(root, address, count, sample)
                by = f"{count} workers" if count else "`foundry ingest`"
                yield write_row(store, by, f"{seconds:.1f}", f"{cpu:.1f}")


def _measure_ray(files: int) -> Iterator[str]:
    yield from write_head(
        "actors", "s", "s with the start of Ray", "CPU s", "MB at most", "rows and vectors"
    )
    with tempfile.TemporaryDirectory() as folder:
        first = Path(folder) / "first"
        _write_files(first, files)
        for count in WORKERS:
            # The times of files are among what is saved.
            root = Path(shutil.copytree(first, Path(folder) / str(count)))
            words = ["ingest", "--json", *(["--ray", "local"] if count else [])]
            environment = {"FOUNDRY_INGEST__WORKERS": str(count)}
            done = run_foundry(*words, cwd=root, limit=1200, environment=environment)
            saved = describe_saved(root)
            if not count:
                local = saved
            yield write_row(
                count or "none: `foundry ingest`",
                f"{json.loads(done.out)['seconds']:.1f}",
                *(f"{done.seconds:.1f}", f"{done.processor:.1f}", f"{done.memory:.0f}"),
                "equal" if saved == local else "other",
            )


@contextmanager
def _list_stores() -> Iterator[dict[str, list[str]]]:
    """For each store an address for every run; a server of PostgreSQL if its wheel is there."""
    stores = {"SQLite": ["sqlite:///.foundry/foundry.db"] * len(WORKERS)}
    if not has_server():
        yield stores
        return
    import psycopg

    with run_server(durable=True) as url:
        names = [f"run{number}" for number in WORKERS]
        with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
            for name in names:
                connection.execute(f"CREATE DATABASE {name}")
        yield stores | {"PostgreSQL": [f"{url}/{name}" for name in names]}


def _write_files(root: Path, files: int) -> None:
    """A new project with so many small files."""
    sources, rng = _make_project(root), random.Random(3)
    for number in range(files):
        text = f"# Part {number}\n\n{write_sentences(rng, SENTENCES)}\n"
        (sources / f"{number:03}.md").write_text(text, encoding="utf-8")


def _share_ingest(root: Path, address: str, workers: int, files: int) -> tuple[float, float]:
    """Wall and CPU seconds; without workers by ``foundry ingest`` itself."""
    _write_files(root, files)
    environment = {**os.environ, "FOUNDRY_STORAGE__URL": address}
    before, started = sum(os.times()[:4]), time.perf_counter()
    if workers:
        with open_workspace(root, environment=environment, cwd=root) as workspace:
            enqueue(workspace)
    words = ["work", "--drain", "-q"] if workers else ["ingest", "-q"]
    commands = [
        subprocess.Popen([FOUNDRY, *words], cwd=root, env=environment, stdout=subprocess.DEVNULL)
        for _ in range(workers or 1)
    ]
    if any(command.wait(1200) for command in commands):
        raise RuntimeError(f"a command failed in {root}")
    return time.perf_counter() - started, sum(os.times()[:4]) - before


def _make_project(root: Path) -> Path:
    """The folder for the sources of a new project."""
    (root / "sources").mkdir(parents=True)
    (root / "foundry.yaml").write_text("project: {id: prj_bench}\n", encoding="utf-8")
    return root / "sources"
