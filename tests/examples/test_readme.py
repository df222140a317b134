"""The answers in README.md are those of the example project."""

from __future__ import annotations

import contextlib
import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from foundry.cli.program import foundry

ROOT = Path(__file__).parents[2]
COMMAND = re.compile(r"^\$ foundry ((?:ask|verify) .*)\n((?:(?!```|\$ ).*\n)+)", re.MULTILINE)
SHOWN = [
    found
    for found in COMMAND.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    if "Changed by verification" not in found[1]  # a model's, of `python -m bench forms`
]


def run(line: str, folder: Path) -> Result:
    with contextlib.chdir(folder):
        return CliRunner().invoke(foundry, shlex.split(line))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example as `make demo` leaves it, beside ``examples/``."""
    root = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "examples" / "dmx-controller", root / "demo")
    (root / "examples").mkdir()
    shutil.copy(ROOT / "examples" / "handover-note.md", root / "examples")
    assert run("ingest -q", root / "demo").exit_code == 0
    return root / "demo"


@pytest.mark.parametrize(("line", "shown"), SHOWN)
def test_a_command_prints_what_the_readme_shows(line: str, shown: str, demo: Path) -> None:
    printed = run(line, demo).stdout.splitlines()
    assert set(shown.splitlines()) - {"…", ""} <= set(printed)
