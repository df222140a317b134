"""An ingest of small files by one process, and by workers that share them, on each store."""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.generate import write_sentences
from bench.startup import FOUNDRY
from foundry.journeys.work import enqueue
from foundry.workspace import open_workspace
from tests.store.server import has_server, run_server

FILES = 300
SENTENCES = 40
WORKERS = (1, 2, 4)


def measure(_data: Path | None) -> Iterator[str]:
    """Seconds from the first command's start to the last one's end, and CPU seconds of all."""
    yield f"{FILES} files of {SENTENCES} sentences, {os.cpu_count()} cores."
    yield ""
    yield "| store | by | s | CPU s |"
    yield "|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder, _list_stores() as stores:
        for store, addresses in stores.items():
            for place, count in enumerate((0, *WORKERS)):
                root = Path(folder) / f"{store}-{count}"
                seconds, cpu = _ingest(root, addresses[place], count)
                by = f"{count} workers" if count else "`foundry ingest`"
                yield f"| {store} | {by} | {seconds:.1f} | {cpu:.1f} |"


@contextmanager
def _list_stores() -> Iterator[dict[str, list[str]]]:
    """For each store an address for every run; a server of PostgreSQL if its wheel is there."""
    stores = {"SQLite": ["sqlite:///.foundry/foundry.db"] * (1 + len(WORKERS))}
    if not has_server():
        yield stores
        return
    import psycopg

    with run_server(durable=True) as url:
        names = [f"run{number}" for number in range(1 + len(WORKERS))]
        with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
            for name in names:
                connection.execute(f"CREATE DATABASE {name}")
        yield stores | {"PostgreSQL": [f"{url}/{name}" for name in names]}


def _ingest(root: Path, address: str, workers: int) -> tuple[float, float]:
    """Wall and CPU seconds; without workers by ``foundry ingest`` itself."""
    root.mkdir(parents=True)
    (root / "foundry.yaml").write_text("project: {id: prj_workers}\n", encoding="utf-8")
    (root / "sources").mkdir()
    rng = random.Random(3)
    for number in range(FILES):
        text = f"# Part {number}\n\n{write_sentences(rng, SENTENCES)}\n"
        (root / "sources" / f"{number:03}.md").write_text(text, encoding="utf-8")
    environment = {**os.environ, "FOUNDRY_STORAGE__URL": address}
    before, started = os.times(), time.perf_counter()
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
    return time.perf_counter() - started, _measure_cpu(os.times()) - _measure_cpu(before)


def _measure_cpu(times: os.times_result) -> float:
    return times.children_user + times.children_system + times.user + times.system
