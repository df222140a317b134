"""The example project on a copy, and the program as a user starts it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from foundry.journeys.ingest import ingest
from foundry.workspace import Workspace, open_workspace

FOUNDRY = Path(sys.executable).with_name("foundry")
EXAMPLE = Path(__file__).parents[1] / "examples" / "dmx-controller"
QUESTIONS = EXAMPLE.parent / "questions.jsonl"


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


@contextmanager
def copy_example() -> Iterator[Path]:
    """A copy of the project, which nothing has read yet."""
    with tempfile.TemporaryDirectory() as folder:
        yield shutil.copytree(EXAMPLE, Path(folder) / "project")


@contextmanager
def open_example(environment: Mapping[str, str] | None = None) -> Iterator[Workspace]:
    """A copy of the project, read and indexed."""
    with copy_example() as root, open_read(root, environment) as workspace:
        yield workspace


def open_read(root: Path, environment: Mapping[str, str] | None = None) -> Workspace:
    """The project in a folder, brought up to date."""
    root = root.resolve()
    workspace = open_workspace(root, environment=environment or {}, cwd=root)
    ingest(workspace)
    return workspace


def open_online(root: Path, address: str, **settings: str) -> Workspace:
    """The project with a scripted model server, at its address for OpenAI's API, as writer."""
    environment = {
        "FOUNDRY_MODE": "online",
        "FOUNDRY_GENERATION__MODEL": "openai/scripted",
        "FOUNDRY_MODELS__CACHE": "false",
        "OPENAI_API_KEY": "unused",
        "OPENAI_API_BASE": address,
    }
    return open_workspace(root, environment=environment | settings, cwd=root)
