"""CPU time of one ``foundry ask`` without a model, by phase, on a project of 400 chunks.

The project has the example's files and 366 short generated reports, all embedded by the built-in
model. Each answer is a process of its own, user and system time of all its threads, files cached.
The phases are measured in runs apart from the totals.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.ask_phases import IMPORTS, PHASES, REST
from bench.generate import write_sentences
from bench.startup import EXAMPLE, FOUNDRY, run

RUNS = 9
GENERATED = 366
QUESTIONS = (
    "What is the supply voltage?",
    "How many fixtures may one output drive?",
    "Hoe vaak moet de behuizing worden gereinigd?",
    "What pressure did pump 217 reach?",
)


def measure(_data: Path | None) -> Iterator[str]:
    yield f"Milliseconds of CPU, median of {RUNS} processes (least)."
    yield ""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        chunks = build_project(project)
        yield f"| phase, {chunks} chunks | " + " | ".join(QUESTIONS) + " |"
        yield "|---|" + "---|" * len(QUESTIONS)
        totals, phases = [], []
        for question in QUESTIONS:
            run_once(project, question)
            totals.append([run_once(project, question) for _ in range(RUNS)])
            phases.append([run_phases(project, question) for _ in range(RUNS)])
        for name in (IMPORTS, *PHASES, REST):
            yield _row(name, [[run[name] for run in runs] for runs in phases])
        yield _row("**whole process**", totals)


def build_project(root: Path) -> int:
    """Make and ingest the project at ``root``; returns its chunks."""
    shutil.copytree(EXAMPLE, root)
    rng = random.Random(5)
    (root / "sources/inspections").mkdir()
    for number in range(GENERATED):
        report = root / f"sources/inspections/pump-{number:03d}.md"
        report.write_text(write_inspection(rng, number))
    run(root, "ingest", "-q")
    done = subprocess.run(
        [FOUNDRY, "index", "status", "--json"], cwd=root, check=True, stdout=subprocess.PIPE
    )
    return int(json.loads(done.stdout)["chunks"])


def write_inspection(rng: random.Random, number: int) -> str:
    """A short report on one pump, which becomes one chunk."""
    return f"""# Inspection of pump {number:03d}

Pump {number:03d} in hall {rng.randint(1, 9)} reached a pressure of {rng.randint(20, 90) / 10} bar
at {rng.randint(20, 120)} l/min. The motor drew {rng.randint(10, 99) / 10} A and its bearing was at
{rng.randint(30, 80)} °C after {rng.randint(1, 6)} hours. {write_sentences(rng, 3)}

The filter was {rng.choice(("cleaned", "replaced", "not opened"))}; the seal is due in
{rng.randint(1, 24)} months.
"""


def run_once(project: Path, question: str) -> float:
    """Milliseconds of CPU that a whole ``foundry ask`` takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(project, "ask", question)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def run_phases(project: Path, question: str) -> dict[str, float]:
    """Milliseconds of CPU by phase, in a process of its own."""
    path = os.pathsep.join((str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")))
    done = subprocess.run(
        [sys.executable, "-m", "bench.ask_phases", question],
        cwd=project,
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"},
    )
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def _row(name: str, samples: list[list[float]]) -> str:
    cells = (f"{statistics.median(values):.0f} ({min(values):.0f})" for values in samples)
    return f"| {name} | " + " | ".join(cells) + " |"
