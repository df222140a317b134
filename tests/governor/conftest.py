"""A repository with a branch of each kind, made once by git and copied for each test."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Git = Callable[..., subprocess.CompletedProcess[str]]
BRANCHES = ("develop", "release/v1.2.0", "feat/x", "wi/WI_0001-a")


def run_git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True)
    done.stdout = done.stdout.strip()
    return done


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Git as on a fresh machine, whoever runs the tests."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "ada@example.org")


@pytest.fixture(scope="session")
def _template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template")
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    run_git(folder, "init", "-q", "-b", "main")
    run_git(folder, *who, "commit", "-q", "--allow-empty", "-m", "root")
    for name in BRANCHES:
        run_git(folder, "switch", "-q", "-c", name, "main")
        (folder / f"{name.replace('/', '-')}.txt").write_text(name)
        run_git(folder, "add", ".")
        run_git(folder, *who, "commit", "-q", "-m", name)
    run_git(folder, "switch", "-q", "develop")
    return folder


@pytest.fixture
def repository(_template: Path, tmp_path: Path) -> Path:
    """On ``develop``; the branches start from main and have one commit each."""
    return shutil.copytree(_template, tmp_path / "repository")


@pytest.fixture
def git(repository: Path) -> Git:
    return lambda *words: run_git(repository, *words)
