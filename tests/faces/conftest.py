"""Running the program as a user would: its arguments in, both streams and the status out."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from foundry.cli.program import foundry
from tests.support.local_servers import NO_SERVERS

DATASHEET = """# DMX controller DX-4 datasheet

Revision B, 2026-02-01

## 3 Electrical

### 3.1 Supply

The controller runs on a supply of 12 V DC with at most 2.5 A. Reverse polarity
is blocked by a diode. The input fuse is rated at 3.15 A slow.

### 3.2 Outputs

Each of the four outputs delivers 512 channels at a refresh rate of 44 Hz.
"""

READ = "\n\n".join(" ".join(part.lstrip("# ").split()) for part in DATASHEET.strip().split("\n\n"))
"""The datasheet as it is read."""

NOTES = """# Onderhoud

## 1 Reinigen

Reinig de behuizing elke zes maanden met een droge doek. Gebruik nooit
oplosmiddelen, want die tasten de lak aan.

## 2 Opslag

Bewaar de regelaar droog bij een temperatuur tussen 5 en 40 graden.
"""

PROGRAM = (sys.executable, "-c", "from foundry.cli import run_program; run_program()")
"""The program as a separate process; arguments follow."""

KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY")


@dataclass(frozen=True)
class Outcome:
    """The result of a run: exit status and both streams."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be one JSON document and nothing else."""
        return json.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No keys, no model servers, no project around, and one parser process."""
    for key in KEYS:
        monkeypatch.delenv(key, raising=False)
    for name, place in NO_SERVERS.items():
        monkeypatch.setenv(name, place)
    monkeypatch.delenv("OLLAMA_API_BASE", raising=False)
    # The small files here need no more, and each parser of a separate process takes time to start.
    monkeypatch.setenv("FOUNDRY_INGEST__WORKERS", "1")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run() -> Run:
    """Call the program in this process."""

    def call(*arguments: object, text: str | bytes | None = None) -> Outcome:
        words = [str(argument) for argument in arguments]
        result = CliRunner().invoke(foundry, words, input=text)
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return call


@pytest.fixture(scope="session")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with two sources, ingested once; tests that change it take a copy."""
    root = tmp_path_factory.mktemp("faces") / "demo"
    runner = CliRunner()
    with pytest.MonkeyPatch.context() as patch:
        for name, place in NO_SERVERS.items():
            patch.setenv(name, place)
        assert runner.invoke(foundry, ["init", str(root), "--offline"]).exit_code == 0
        (root / "sources" / "datasheet.md").write_text(DATASHEET, encoding="utf-8")
        (root / "sources" / "onderhoud.md").write_text(NOTES, encoding="utf-8")
        done = runner.invoke(foundry, ["ingest", "--project", str(root), "-q"])
        assert done.exit_code == 0, done.output
    return root


@pytest.fixture
def project(ingested: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the ingested project, and the folder that commands run in."""
    root = tmp_path / "demo"
    shutil.copytree(ingested, root)
    monkeypatch.chdir(root)
    return root
