"""A small bilingual project on disk, with the built-in models and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from foundry.journeys.ingest import ingest
from foundry.workspace import Workspace, open_workspace
from tests.support.model_server import ModelServer

SOURCES = {
    "datasheet.md": (
        "# DX-4 datasheet\n\n## 3 Electrical\n\n### 3.1 Supply\n\n"
        "The controller runs on a supply of 12 V DC with at most 2.5 A. "
        "The input fuse is rated at 3.15 A slow.\n\n### 3.2 Outputs\n\n"
        "Each of the four outputs delivers 512 channels at a refresh rate of 44 Hz.\n"
    ),
    "onderhoud.md": (
        "# Onderhoud\n\n## 1 Reinigen\n\n"
        "Reinig de behuizing elke zes maanden met een droge doek. "
        "Gebruik nooit oplosmiddelen, want die tasten de lak aan.\n\n## 2 Opslag\n\n"
        "Bewaar de regelaar droog bij een temperatuur tussen 5 en 40 graden.\n"
    ),
    "code.txt": "The service code of the display is 7781.\n",
}


def write_project(root: Path, extra: str = "") -> Path:
    """A project folder with three sources; ``extra`` is added to its configuration."""
    (root / "sources").mkdir(parents=True)
    (root / "foundry.yaml").write_text(f"project: {{id: prj_test}}\n{extra}", encoding="utf-8")
    for name, text in SOURCES.items():
        (root / "sources" / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, ingested once; tests only add log rows."""
    root = write_project(tmp_path_factory.mktemp("asked") / "project")
    with open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
    return root


@pytest.fixture
def asked(built: Path) -> Iterator[Workspace]:
    """The ingested project, opened with the built-in models."""
    with open_workspace(built, environment={}, cwd=built) as opened:
        yield opened


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_project(tmp_path / "project")


@pytest.fixture
def workspace(project: Path) -> Iterator[Workspace]:
    with open_workspace(project, environment={}, cwd=project) as opened:
        yield opened
