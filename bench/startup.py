"""Whole-process times of short commands: what a user waits for."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

FOUNDRY = Path(sys.executable).with_name("foundry")
EXAMPLE = Path(__file__).parents[1] / "examples" / "dmx-controller"
RUNS = 11


def measure(_data: Path | None) -> Iterator[str]:
    yield "| command | median s | min | max |"
    yield "|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        shutil.copytree(EXAMPLE, project)
        run(project, "ingest", "-q")
        for arguments in (
            ("--help",),
            ("search", "What is the supply voltage?"),
            ("search", "--mode", "bm25", "supply voltage"),
            ("ask", "What is the supply voltage?"),
            ("ingest", "-q"),
        ):
            yield _row(project, arguments)


def run(project: Path, *arguments: str) -> float:
    """Seconds of one whole process; its output is discarded."""
    started = time.perf_counter()
    subprocess.run(
        [FOUNDRY, *arguments],
        cwd=project,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=True,
        env={**os.environ, "NO_COLOR": "1"},
    )
    return time.perf_counter() - started


def _row(project: Path, arguments: tuple[str, ...]) -> str:
    run(project, *arguments)
    times = [run(project, *arguments) for _ in range(RUNS)]
    shown = f"foundry {' '.join(arguments)}"
    return f"| `{shown}` | {statistics.median(times):.3f} | {min(times):.3f} | {max(times):.3f} |"
