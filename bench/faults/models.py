"""Commands against a model server that misbehaves: each ends in time, with its reason.

Every command runs with -vv and a key of its own, which may appear nowhere in its output. After
it the project is whole: its sources are stored, its database is sound, and a draft that is there
is complete.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench.faults.commands import Finished, run_foundry
from bench.faults.rows import Row, run_together
from foundry.workspace import open_workspace
from tests.support.hostile_models import MODES, QUICK, SENTENCE
from tests.support.model_server import ModelServer, Script

LIMIT_S = 90.0
"""Two attempts of 3 s for each call, a dozen calls at most, on a busy machine."""
LIMIT_MB = 700.0
"""LiteLLM and the built-in embedding model take 300 to 450 MB; a reply may add little."""

CANARY = "sk-canary-5b1f0c77d2e94a6f"
_LONGEST = 140
# Most of them wait for the server.
_WORKERS = 4
_STATUSES = (0, 1, 3)
_SOURCE = f"""# Datasheet

## Supply

The controller runs on a supply of 12 V DC with at most 2.5 A. {SENTENCE}

## Outputs

Each of the four outputs delivers 512 channels at a refresh rate of 44 Hz.
"""
_SPECIFICATION = """---
title: The controller
owner: Ada
sections:
  - Supply
  - Outputs
---

What an installer needs to know.
"""
_QUESTION = "What is the rating of the input fuse?"


@dataclass(frozen=True)
class _Command:
    name: str
    arguments: tuple[str, ...]
    settings: Mapping[str, str]


_WRITER = {"FOUNDRY_GENERATION__MODEL": "openai/hostile"}
COMMANDS = (
    _Command("ask", ("ask", "--json", _QUESTION), _WRITER),
    _Command("ask --stream", ("ask", "--stream", _QUESTION), _WRITER),
    _Command(
        "generate",
        ("generate", "--json", "--topic", "Supply and input fuse", "--output", "output/draft.md"),
        _WRITER,
    ),
    _Command(
        "ingest",
        ("ingest", "--json", "--yes"),
        {
            "FOUNDRY_EMBEDDING__CONTEXT_MODEL": "openai/hostile",
            "FOUNDRY_INGEST__SUMMARY_MODEL": "openai/hostile",
        },
    ),
    _Command(
        "verify",
        ("verify", "--json", "text.md"),
        {"FOUNDRY_VALIDATION__VERIFIER": "openai/hostile"},
    ),
)


def run(quick: bool) -> Iterator[Row]:
    """Three rows for each mode: two commands, and another in turn; ``quick`` takes what ends by itself."""
    modes = QUICK if quick else MODES
    with tempfile.TemporaryDirectory() as folder:
        project = _write_project(Path(folder) / "project")
        yield from run_together(
            (
                partial(_attack, project, mode, script, command)
                for number, (mode, script) in enumerate(modes.items())
                for command in _choose_commands(number, quick)
            ),
            workers=_WORKERS,
        )


def _choose_commands(number: int, quick: bool) -> Sequence[_Command]:
    """Plain and streamed requests go through different code; the others share theirs with ``ask``."""
    turn = COMMANDS[2 + number % (len(COMMANDS) - 2)]
    return (COMMANDS[0], turn) if quick else (*COMMANDS[:2], turn)


def _write_project(root: Path) -> Path:
    (root / "sources").mkdir(parents=True)
    (root / "foundry.yaml").write_text("project: {id: prj_models}\n")
    (root / "sources" / "datasheet.md").write_text(_SOURCE)
    (root / "text.md").write_text(f"{SENTENCE} The controller needs a supply of about 12 V.\n")
    (root / "features").mkdir()
    (root / "features" / "controller.md").write_text(_SPECIFICATION)
    for arguments in (("ingest", "-q"), ("feature", "approve", "controller", "--by", "Ada")):
        done = run_foundry(*arguments, cwd=root, limit=LIMIT_S)
        assert done.status == 0, done.err
    return root


def _attack(project: Path, mode: str, script: Script, command: _Command) -> Row:
    with tempfile.TemporaryDirectory(dir=project.parent) as folder:
        root = Path(folder) / "project"
        shutil.copytree(project, root)
        done, asked = _run_command(root, script, command)
        problems = [*_list_problems(done), *_list_damage(root)]
    if not asked:
        problems.append("the model was not asked")
    outcome = "; ".join(problems) or _describe_outcome(done)
    return Row(
        "models", f"{mode}: {command.name}", outcome, not problems, done.seconds, done.memory
    )


def _run_command(root: Path, script: Script, command: _Command) -> tuple[Finished, bool]:
    """The command with a server that runs the script, and whether the server was asked."""
    with ModelServer(default=script) as server:
        environment = {
            "FOUNDRY_MODE": "online",
            "FOUNDRY_MODELS__TIMEOUT_S": "3",
            "FOUNDRY_MODELS__MAX_RETRIES": "1",
            "OPENAI_API_KEY": CANARY,
            "OPENAI_API_BASE": server.openai,
            **command.settings,
        }
        done = run_foundry(
            *command.arguments, "-vv", cwd=root, limit=LIMIT_S, environment=environment
        )
        return done, bool(server.chats)


def _list_problems(done: Finished) -> list[str]:
    problems = {
        f"stopped after {LIMIT_S:.0f} s": done.stopped,
        f"status {done.status}": not done.stopped and done.status not in _STATUSES,
        f"more than {LIMIT_MB:.0f} MB": done.memory > LIMIT_MB,
        "an unexpected error": "Unexpected error" in done.out + done.err,
        "the key was shown": CANARY in done.out + done.err,
    }
    return [problem for problem, found in problems.items() if found]


def _list_damage(root: Path) -> list[str]:
    with open_workspace(root, environment={}, cwd=root) as workspace:
        problems = [str(problem) for problem in workspace.maintenance().verify()]
        stored = [source.path for source in workspace.store.list_sources()]
    if stored != ["sources/datasheet.md"]:
        problems.append(f"sources: {stored}")
    left = [path.name for path in root.rglob("*.tmp")]
    return [*problems, *(f"left behind: {name}" for name in left)]


def _describe_outcome(done: Finished) -> str:
    """An error's code and message, else the verdict or status with the first notice."""
    try:
        answer = json.loads(done.out)
    except ValueError:
        shown = [line for line in done.err.splitlines() if line.startswith(("Error:", "Note:"))]
        return " ".join([f"status {done.status}.", *shown])[:_LONGEST]
    if "error" in answer:
        return f"{answer['error']['code']}: {answer['error']['message']}"[:_LONGEST]
    verdict = answer.get("verdict") or f"status {done.status}"
    notices = [notice for notice in answer.get("notices", ()) if not notice.startswith("HyDE")]
    return " ".join([f"{verdict}.", *notices])[:_LONGEST]
