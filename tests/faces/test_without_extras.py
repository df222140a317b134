"""What works in an installation without any extra: everything that calls no language model."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from foundry.installation import EXTRAS
from tests.faces.conftest import Outcome

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAM = """
import json, sys
from click.testing import CliRunner
from foundry.cli.program import foundry
for line in sys.stdin:
    words, settings = json.loads(line)
    done = CliRunner().invoke(foundry, words, env=settings)
    print(json.dumps([done.exit_code, done.stdout, done.stderr]), flush=True)
"""
"""Runs the commands that it reads."""
BROUGHT = ("aiohttp", "boto3", "botocore", "huggingface_hub", "openai", "semantic_text_splitter")
"""What the extras' packages bring along."""


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory):
    """Runs commands in one process that, as its workers, can import no module of an extra."""
    folder = tmp_path_factory.mktemp("bare")
    names = sorted({name for modules in EXTRAS.values() for name in modules} | set(BROUGHT))
    (folder / "sitecustomize.py").write_text(
        f"import sys\nsys.modules |= dict.fromkeys({names!r})\n"
    )
    path = os.pathsep.join([str(folder), *filter(None, sys.path)])
    environment = {**os.environ, "PYTHONPATH": path, "XDG_CACHE_HOME": str(folder / "cache")}

    (folder / "demo").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], cwd=folder / "demo", env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip

    def call(*arguments: str, **settings: str) -> Outcome:
        assert process.stdin
        assert process.stdout
        print(json.dumps([arguments, settings]), file=process.stdin, flush=True)
        return Outcome(*json.loads(process.stdout.readline()))

    with process:
        assert call("init").status == 0
        source = EXAMPLES / "dmx-controller" / "sources" / "installation"
        shutil.copytree(source, folder / "demo" / "sources", dirs_exist_ok=True)
        shutil.copy(EXAMPLES / "handover-note.md", folder / "demo")
        assert call("ingest", "--strict").status == 0
        yield call


@pytest.mark.parametrize(
    ("command", "status", "shown"),
    [
        (["ask", "How much cable may one output drive?"], 0, "at most 250 m"),
        (["ask", "Which pension fund insures the staff?"], 3, "No supporting documentation"),
        (["search", "cable"], 0, "LC-512_installation_guide.docx"),
        (["verify", "handover-note.md"], 1, "200 mm"),
        (["sources"], 0, "LC-512_installation_guide.docx"),
        (["doctor"], 0, "builtin/multilingual-e5-small"),
        (["models"], 0, "builtin/passages"),
        (["generate", "--agent", "blueprint", "--topic", "LC-512", "--output", "a.md"], 0, "a.md"),
    ],
)
def test_what_needs_no_model_needs_no_extra(bare, command, status, shown) -> None:
    done = bare(*command)
    assert (done.status, shown in done.out) == (status, True), done.err


MODEL = {"FOUNDRY_GENERATION__OFFLINE__MODEL": "ollama/llama3.1"}
DATABASE = {"FOUNDRY_STORAGE__URL": "postgresql://foundry@127.0.0.1:1/foundry"}


@pytest.mark.parametrize(
    ("command", "settings", "extra"),
    [
        (["serve"], {}, "web"),
        (["mcp"], {}, "mcp"),
        (["ask", "Which cable?"], MODEL, "models"),
        (["generate", "--agent", "pdr", "--topic", "x", "--output", "b.md"], MODEL, "models"),
        (["work", "--drain"], DATABASE, "postgres"),
        (["ask", "Which cable?"], DATABASE, "postgres"),
    ],
)
def test_a_command_whose_extra_is_missing_says_how_to_add_it(
    bare, command, settings, extra
) -> None:
    done = bare(*command, **settings)
    assert done.status == 1
    assert f"[{extra}]'`" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", ["doctor", "models"])
def test_a_model_without_its_extra_is_reported_before_it_is_called(bare, command) -> None:
    done = bare(command, **MODEL)
    assert "[models]'" in done.out


def test_a_new_project_with_a_model_names_the_extra(bare) -> None:
    assert "[models]'" in bare("init", "online", "--online").out
