"""Every example of docs/python.md runs, in order, and prints what the page says."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from foundry.cli.program import foundry

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(python|console|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KEPT = ("service", "notes", "firmware", "support")
"""Source folders that the examples speak of; reading all takes four times as long."""


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example project with few sources and two of its questions."""
    project = tmp_path / "dmx-controller"
    shutil.copytree(ROOT / "examples" / "dmx-controller", project)
    for folder in (project / "sources").iterdir():
        if folder.name not in KEPT:
            shutil.rmtree(folder)
    lines = (ROOT / "examples" / "questions.jsonl").read_text("utf-8").splitlines()
    about = [line for line in lines if "service/" in json.loads(line).get("source", "")]
    (project / "questions.jsonl").write_text("\n".join(about[:2]), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return project


def examples() -> Iterator[tuple[str, str, str]]:
    """Kind, code and expected output of each example."""
    blocks = BLOCK.findall((ROOT / "docs" / "python.md").read_text(encoding="utf-8"))
    for (kind, code), (next_kind, text) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if kind != "text":
            yield kind, code, text if next_kind == "text" else ""


def run_command(line: str, project: Path) -> None:
    """A console line of the page, in the project's folder."""
    words = shlex.split(line.removeprefix("$ foundry "))
    with contextlib.chdir(project):
        outcome = CliRunner().invoke(foundry, words)
    assert outcome.exit_code == 0, outcome.output


def test_every_example_runs_and_prints_what_the_page_says(example: Path) -> None:
    names: dict[str, Any] = {}
    for kind, code, expected in examples():
        if kind == "console":
            run_command(code.strip(), example)
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "docs/python.md", "exec"), names)
        assert printed.getvalue() == expected, code
