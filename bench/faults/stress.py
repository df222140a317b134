"""Many processes on one project at once, for minutes, on each store.

Each loop runs one command after another: it changes and ingests its own files, adds and removes a
source and searches for what it removed, rebuilds, asks the stored questions, searches. No command
may fail, no removed source may be found, and at the end every file is there as last written.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from bench.example import FOUNDRY
from bench.faults.rows import Row
from tests.store.server import has_server, make_databases, make_role, run_server

SECONDS = 300
QUICK_SECONDS = 20
FILES = 20


@dataclass
class Trial:
    """One project under way: what went wrong, and how long each command took."""

    root: Path
    url: str
    until: float
    problems: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def call(self, *words: str) -> str:
        """The output of a command; a failure is a problem."""
        environment = {**os.environ, "FOUNDRY_STORAGE__URL": self.url}
        started = time.monotonic()
        done = subprocess.run(
            [FOUNDRY, *words], cwd=self.root, env=environment,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        self.seconds.append(time.monotonic() - started)
        if done.returncode:
            self.problems.append(f"{' '.join(words)}: {(done.stderr or done.stdout)[:300]}")
        return done.stdout

    def rounds(self) -> Iterator[int]:
        """Numbers from 0 until the time is over."""
        for number in count():
            if time.monotonic() > self.until:
                return
            yield number


def run(quick: bool) -> Iterator[Row]:
    """A row for each store."""
    seconds = QUICK_SECONDS if quick else SECONDS
    with tempfile.TemporaryDirectory() as folder:
        yield _stress(Path(folder) / "sqlite", "sqlite:///.foundry/foundry.db", seconds)
        if has_server():
            with run_server() as server:
                make_role(server)
                url, _ = make_databases(f"{server}/postgres", "stress", "beside")
                yield _stress(Path(folder) / "postgres", url, seconds)


def _stress(root: Path, url: str, seconds: float) -> Row:
    (root / "sources").mkdir(parents=True)
    (root / "foundry.yaml").write_text("project: {id: prj_stress}\n", encoding="utf-8")
    started = time.monotonic()
    trial = Trial(root, url, started + seconds)
    for number in range(FILES):
        _write(trial, "ab"[number % 2], number, 0)
    trial.call("ingest", "-q")
    trial.call("eval", "add", "Which voltage does cable a0 carry?", "--source", "sources/a0.md")
    loops: tuple[Callable[[Trial], None], ...] = (_change_a, _change_b, _remove, _rebuild, _ask)
    with ThreadPoolExecutor(len(loops)) as pool:
        for ended in [pool.submit(loop, trial) for loop in loops]:
            ended.result()
    _compare(trial)
    longest, number = max(trial.seconds), len(trial.seconds)
    outcome = "; ".join(trial.problems[:5]) or f"nothing lost; longest command {longest:.1f} s"
    passed, taken = not trial.problems, time.monotonic() - started
    return Row("stress", root.name, f"{number} commands: {outcome}", passed, taken, count=number)


def _write(trial: Trial, letter: str, number: int, version: int) -> None:
    name = f"{letter}{number}"
    text = f"# Cable {name}\n\nCable {name} carries {version} V in version{version}.\n"
    (trial.root / "sources" / f"{name}.md").write_text(text, encoding="utf-8")


def _change_a(trial: Trial) -> None:
    _change(trial, "a", range(0, FILES, 2))


def _change_b(trial: Trial) -> None:
    _change(trial, "b", range(1, FILES, 2))


def _change(trial: Trial, letter: str, numbers: range) -> None:
    for turn in trial.rounds():
        for number in numbers:
            _write(trial, letter, number, turn + 1)
        trial.call("ingest", "-q", *(f"sources/{letter}{number}.md" for number in numbers))


def _remove(trial: Trial) -> None:
    for turn in trial.rounds():
        path, word = f"sources/gone{turn}.md", f"zyxwort{turn}q"
        (trial.root / path).write_text(f"# Gone\n\nThe {word} is heavy.\n", encoding="utf-8")
        trial.call("ingest", "-q", path)
        (trial.root / path).unlink()
        trial.call("sources", "remove", path)
        if path in trial.call("search", f"the {word}", "--json"):
            trial.problems.append(f"{path} was found after its removal")


def _rebuild(trial: Trial) -> None:
    for turn in trial.rounds():
        trial.call("index", "rebuild", *(("--embeddings",) if turn % 2 else ()))


def _ask(trial: Trial) -> None:
    for turn in trial.rounds():
        trial.call("eval", "run", "--name", f"run{turn}", "-q")
        trial.call("search", "Which voltage does the cable carry?", "--json")


def _compare(trial: Trial) -> None:
    """Name what is not as it was last written, and what ``index verify`` finds."""
    verified = json.loads(trial.call("index", "verify", "--json"))
    trial.problems += [str(problem) for problem in verified["problems"]]
    listed = json.loads(trial.call("sources", "list", "--json"))["sources"]
    names = sorted(path.name for path in (trial.root / "sources").iterdir())
    if sorted(Path(source["path"]).name for source in listed) != names:
        trial.problems.append(f"sources differ from files: {len(listed)}, not {len(names)}")
    left = trial.call("ingest", "--json", "-q")
    changed = [f["path"] for f in json.loads(left)["sources"] if f["status"] != "unchanged"]
    if changed or json.loads(left)["pending"]:
        trial.problems.append(f"not as last written: {changed}")
