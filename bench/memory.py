"""Peak memory of the whole process tree while a 1,000-page PDF is ingested, vectors included."""

from __future__ import annotations

import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from bench.faults.commands import count_tree_bytes
from bench.generate import write_manual
from bench.startup import FOUNDRY
from foundry.config import BUILTIN_EMBEDDING
from foundry.workspace import open_workspace

PAGES = 1000
LONGEST = 90
"""Seconds: the text phase and some embedding, whose memory does not grow."""


def measure(_data: Path | None) -> Iterator[str]:
    yield "| pages | file MB | chunks | embedded | seconds | peak MB (whole tree) |"
    yield "|---|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "foundry.yaml").write_text("{}\n")
        (root / "sources").mkdir()
        path = root / "sources" / "manual.pdf"
        write_manual(path, PAGES)
        started = time.perf_counter()
        with subprocess.Popen(
            [FOUNDRY, "ingest", "-q"], cwd=root, stdout=subprocess.DEVNULL
        ) as process:
            peak = _watch(process, LONGEST)
        seconds = time.perf_counter() - started
        with open_workspace(root, environment={}, cwd=root) as workspace:
            status = workspace.store.index_status(BUILTIN_EMBEDDING)
        size = path.stat().st_size / 1e6
        yield (
            f"| {PAGES} | {size:.1f} | {status.chunks} | {status.vectors} | {seconds:.0f} "
            f"| {peak / 1e6:.0f} |"
        )


def _watch(process: subprocess.Popen[bytes], longest: float) -> int:
    """The highest sum of resident sizes; an upper bound, since shared pages count twice."""
    peak = 0
    root = psutil.Process(process.pid)
    end = time.monotonic() + longest
    while process.poll() is None:
        if time.monotonic() > end:
            process.terminate()
        peak = max(peak, count_tree_bytes(root))
        threading.Event().wait(0.1)
    return peak
