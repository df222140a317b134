"""Kill an ingest with kill -9 at random points, again and again, then let it finish.

Each trial starts from an empty database, is killed several times at random moments, and then
runs to its end. After each kill SQLite's own checks find nothing. The result must be the
undisturbed run's: the same chunks, vectors, text index and searches, and ``foundry index verify``
finds nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.faults.rows import Row
from bench.generate import write_sources
from bench.startup import FOUNDRY
from foundry.config import BUILTIN_EMBEDDING
from foundry.journeys.search import search
from foundry.workspace import open_workspace

KILLS = 100
QUICK_KILLS = 5
KILLS_PER_TRIAL = 5
SOURCES = 5
QUESTIONS = (
    "After how many hours of operation does the controller report the temperature?",
    "Which cable limits the current?",
    "signal within milliseconds",
)


@dataclass(frozen=True)
class Trial:
    """``kills`` counts those that met a running ingest."""

    kills: int
    same: bool
    problems: list[str]


def run(quick: bool) -> Iterator[Row]:
    """One row a trial; each trial kills its ingest several times."""
    rng = random.Random(11)
    wanted = QUICK_KILLS if quick else KILLS
    kills = number = 0
    with tempfile.TemporaryDirectory() as folder:
        expected, seconds = run_undisturbed(Path(folder) / "calm")
        while kills < wanted:
            started = time.monotonic()
            place = Path(folder) / f"trial-{number}"
            trial = run_disturbed(place, expected, seconds, KILLS_PER_TRIAL, rng)
            kills, number = kills + trial.kills, number + 1
            yield _describe_trial(number, trial, time.monotonic() - started)


def _describe_trial(number: int, trial: Trial, seconds: float) -> Row:
    result = "same result" if trial.same else "another result"
    problems = "; ".join(trial.problems) or "sound"
    passed = trial.same and not trial.problems
    case = f"trial {number}: {trial.kills} kills"
    return Row("kills", case, f"{result}, {problems}", passed, seconds, count=trial.kills)


def run_undisturbed(root: Path) -> tuple[str, float]:
    """The digest of an undisturbed run, and its seconds."""
    _project(root)
    started = time.perf_counter()
    subprocess.run([FOUNDRY, "ingest", "-q"], cwd=root, check=True, capture_output=True)
    return digest(root), time.perf_counter() - started


def run_disturbed(
    root: Path, expected: str, seconds: float, kills: int, rng: random.Random
) -> Trial:
    """Kill ``kills`` ingests at random moments, finish, compare."""
    _project(root)
    # One moment in each part of the run, so that some meet it on a machine whose speed changes.
    moments = [(at + rng.uniform(0.05, 1.0)) / kills * seconds for at in range(kills)]
    met, problems = 0, []
    for moment in moments:
        met += _killed(root, moment)
        if (root / ".foundry" / "foundry.db").exists():
            problems += _check_database(root)
    subprocess.run([FOUNDRY, "ingest", "-q"], cwd=root, check=True, capture_output=True)
    verified = subprocess.run(
        [FOUNDRY, "index", "verify", "--json"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    problems += [str(problem) for problem in json.loads(verified.stdout)["problems"]]
    trial = Trial(met, digest(root) == expected, problems)
    shutil.rmtree(root)
    return trial


def _check_database(root: Path) -> list[str]:
    """What SQLite finds wrong in the database of a killed ingest.

    It looks at a copy: opening the database itself would clean up what the kill left behind.
    """
    copy = root.with_name(f"{root.name}-copy")
    shutil.copytree(root / ".foundry", copy)
    with contextlib.closing(sqlite3.connect(copy / "foundry.db")) as database:
        found = [row[0] for row in database.execute("PRAGMA integrity_check")]
        broken = database.execute("PRAGMA foreign_key_check").fetchall()
    shutil.rmtree(copy)
    return [text for text in found if text != "ok"] + [f"no parent: {row}" for row in broken]


def digest(root: Path) -> str:
    """A hash of every chunk, vector and text-index count, and of some searches."""
    total = hashlib.sha256()
    with open_workspace(root, environment={}, cwd=root) as workspace:
        store = workspace.maintenance()
        for source in sorted(store.list_sources(), key=lambda s: s.path):
            chunks = store.source_chunks(source.id)
            vectors = store.get_vectors(BUILTIN_EMBEDDING, [chunk.id for chunk in chunks])
            for chunk in chunks:
                total.update(f"{chunk.id} {chunk.start} {chunk.end} {chunk.text}".encode())
                own = vectors.get(chunk.id)
                total.update(own.whole.tobytes() + own.windows.tobytes() if own else b"-")
        status = store.index_status(BUILTIN_EMBEDDING)
        total.update(f"{status.chunks} {status.text_rows} {status.vectors}".encode())
        for question in QUESTIONS:
            hits = search(workspace, question).hits
            total.update(repr([(hit.chunk.id, round(hit.relevance, 9)) for hit in hits]).encode())
    return total.hexdigest()


def _project(root: Path) -> None:
    root.mkdir(parents=True)
    (root / "foundry.yaml").write_text("project: {id: prj_faults}\n")
    write_sources(root / "sources", SOURCES)


def _killed(root: Path, after: float) -> bool:
    """Start an ingest and kill it after some seconds; False if it had already ended."""
    with subprocess.Popen(
        [FOUNDRY, "ingest", "-q"], cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            return True
    return False
