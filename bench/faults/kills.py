"""Kill an ingest with kill -9 at random points, again and again, then let it finish.

On each store, and while a server reads what was sent to it. Each trial starts from an empty
database, is killed several times at random moments, and then runs to its end. After each kill
SQLite's own checks find nothing. The result must be the undisturbed run's: the same chunks, vectors,
text index and searches, and ``foundry index verify`` finds nothing. What a server took must be read,
whenever it was killed afterwards; what it did not answer is sent again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from bench.example import FOUNDRY
from bench.faults.rows import Row
from bench.generate import write_sources
from foundry.config import BUILTIN_EMBEDDING
from foundry.journeys.search import search
from foundry.journeys.work.uploads import FOLDER as UPLOADED
from foundry.workspace import open_workspace
from tests.store.server import has_server, make_databases, make_role, run_server

KILLS = 100
QUICK_KILLS = 5
KILLS_PER_TRIAL = 5
SOURCES = 5
SENT = "sent"
"""The folder of what a server has not taken yet."""
_LONGEST_S = 300.0
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


@dataclass(frozen=True)
class Place:
    """Where trials run: the name of the place, the store's address, and where the sources are."""

    name: str
    url: str = "sqlite:///.foundry/foundry.db"
    sources: str = "sources"

    def call(self, root: Path, *words: str) -> str:
        """The output of a command that succeeds."""
        done = subprocess.run(
            [FOUNDRY, *words],
            cwd=root,
            env=self.environment(),
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    def environment(self) -> dict[str, str]:
        """The variables of a command."""
        return {**os.environ, "FOUNDRY_STORAGE__URL": self.url}


Kill = Callable[[Place, Path, float], bool]
"""Begins the work and kills it after some seconds; whether that met it at work."""


def run(quick: bool) -> Iterator[Row]:
    """One row a trial; each trial kills its ingest, or its server, several times."""
    wanted = QUICK_KILLS if quick else KILLS
    yield from _run_trials(lambda _number: Place("sqlite"), kill_ingest, wanted)
    server = Place("server", sources=UPLOADED)
    yield from _run_trials(lambda _number: server, kill_server, wanted)
    if has_server():
        with run_server() as address:
            make_role(address)

            def make(number: int) -> Place:
                names = (f"kills_{number}", f"beside_{number}")
                return Place("postgres", make_databases(f"{address}/postgres", *names)[0])

            yield from _run_trials(make, kill_ingest, wanted)


def _run_trials(make: Callable[[int], Place], kill: Kill, wanted: int) -> Iterator[Row]:
    rng = random.Random(11)
    kills = number = 0
    with tempfile.TemporaryDirectory() as folder:
        undisturbed = run_undisturbed(make(0), Path(folder) / "calm")
        while kills < wanted:
            started = time.monotonic()
            number += 1
            root, place = Path(folder) / f"trial-{number}", make(number)
            trial = run_disturbed(place, root, undisturbed, kill, rng)
            kills += trial.kills
            yield _describe_trial(place, number, trial, time.monotonic() - started)


def _describe_trial(place: Place, number: int, trial: Trial, seconds: float) -> Row:
    result = "same result" if trial.same else "another result"
    problems = "; ".join(trial.problems) or "sound"
    passed = trial.same and not trial.problems
    case = f"{place.name}, trial {number}: {trial.kills} kills"
    return Row("kills", case, f"{result}, {problems}", passed, seconds, count=trial.kills)


def run_undisturbed(place: Place, root: Path) -> tuple[str, float]:
    """The digest of an undisturbed ingest, and its seconds."""
    _project(root)
    write_sources(root / place.sources, SOURCES)
    started = time.perf_counter()
    place.call(root, "ingest", "-q")
    return digest(place, root), time.perf_counter() - started


def run_disturbed(
    place: Place, root: Path, undisturbed: tuple[str, float], kill: Kill, rng: random.Random
) -> Trial:
    """Kill several times at random moments, finish, compare."""
    expected, seconds = undisturbed
    _project(root)
    write_sources(root / SENT if place.name == "server" else root / place.sources, SOURCES)
    # One moment in each part of the run, so that some meet it on a machine whose speed changes.
    moments = [
        (at + rng.uniform(0.05, 1.0)) / KILLS_PER_TRIAL * seconds for at in range(KILLS_PER_TRIAL)
    ]
    met, problems = 0, []
    for moment in moments:
        met += kill(place, root, moment)
        if (root / ".foundry" / "foundry.db").exists():
            problems += _check_database(root)
    if place.name == "server":
        kill_server(place, root, None)
    else:
        place.call(root, "ingest", "-q")
    verified = json.loads(place.call(root, "index", "verify", "--json"))
    problems += [str(problem) for problem in verified["problems"]]
    trial = Trial(met, digest(place, root) == expected, problems)
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


def digest(place: Place, root: Path) -> str:
    """A hash of every chunk, vector and text-index count, and of some searches."""
    total = hashlib.sha256()
    environment = {"FOUNDRY_STORAGE__URL": place.url}
    with open_workspace(root, environment=environment, cwd=root) as workspace:
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


def kill_ingest(place: Place, root: Path, after: float) -> bool:
    """Start an ingest and kill it after some seconds; False if it had already ended."""
    with subprocess.Popen(
        [FOUNDRY, "ingest", "-q"],
        cwd=root,
        env=place.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            return True
    return False


def kill_server(place: Place, root: Path, after: float | None) -> bool:
    """Start a server, send it what it has not taken yet, and kill it after some seconds.

    With None it may read everything before it is stopped.
    """
    with subprocess.Popen(
        [FOUNDRY, "serve", "--port", "0"],
        cwd=root,
        env=place.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        assert process.stdout is not None
        address = re.search(rb"http://\S+\d", process.stdout.readline())
        assert address, "the server did not start"
        threading.Thread(target=process.stdout.read, daemon=True).start()
        timer = threading.Timer(after or _LONGEST_S, process.kill)
        timer.start()
        with contextlib.suppress(httpx.HTTPError):
            _send(address[0].decode(), root / SENT)
            if after is not None:
                process.wait()
        timer.cancel()
        process.kill()
    return after is not None


def _send(address: str, folder: Path) -> None:
    """Send files, which are removed once they are taken; then wait until the server has read all."""
    with httpx.Client(base_url=f"{address}/api/v2", timeout=60) as client:
        for path in sorted(folder.iterdir()):
            files = {"files": (path.name, path.read_bytes())}
            client.post("/uploads", files=files).raise_for_status()
            path.unlink()
        while any(
            job["status"] in {"waiting", "running"} for job in client.get("/jobs").json()["jobs"]
        ):
            time.sleep(0.2)
