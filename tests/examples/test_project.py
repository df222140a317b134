"""The example project is a valid project, and its demo script keeps its promises."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from examples import scripted_model
from examples.build_example import HERE
from examples.kit.manuscript import read_front_matter
from foundry.cli.program import foundry
from foundry.config import load_config

PROJECT = HERE / "dmx-controller"


def test_configuration_is_valid_and_offline() -> None:
    config = load_config(PROJECT, {})
    assert config.project.id == "prj_dmx_controller"
    assert config.mode == "offline"
    assert (PROJECT / str(config.project.brief)).is_file()
    assert (PROJECT / str(config.project.glossary)).is_file()


@pytest.mark.parametrize("name", ["wiring-guide.md", "veiligheid.md"])
def test_feature_specs_are_drafts_with_known_sources(name: str) -> None:
    about, body = read_front_matter((PROJECT / "features" / name).read_text(encoding="utf-8"))
    assert about.keys() == {"title", "status", "owner", "sections", "source_hierarchy"}
    assert about["status"] == "draft"
    assert body.startswith(f"# {about['title']}")
    assert all(list(PROJECT.glob(pattern)) for pattern in about["source_hierarchy"])


def test_readme_names_every_source_and_no_other() -> None:
    lines = (PROJECT / "README.md").read_text(encoding="utf-8").splitlines()
    named = {line.split("`")[1] for line in lines if line.startswith("| `")}
    files = (PROJECT / "sources").rglob("*")
    assert named == {
        path.relative_to(PROJECT / "sources").as_posix() for path in files if path.is_file()
    }


def test_demo_runs_its_commands_in_the_copied_project(tmp_path: Path) -> None:
    run, calls = _demo(tmp_path, unanswered=3)
    assert run.returncode == 0, run.stderr
    assert [call.split()[0] for call in calls] == [
        "ingest",
        "ask",
        "ask",
        "verify",
        "feature",
        "feature",
        "generate",
        "draft",
        "build",
        "ask",
    ]
    assert "== foundry ingest" in run.stdout
    assert "\nthe document\n" in run.stdout
    assert "the note" not in run.stdout
    assert (tmp_path / "target/sources/datasheets/LC-512_datasheet_rev-B.pdf").is_file()


def test_demo_stops_when_the_unanswerable_question_gets_an_answer(tmp_path: Path) -> None:
    run, calls = _demo(tmp_path, unanswered=0)
    assert run.returncode == 1
    assert "expected status 3" in run.stderr
    assert calls[-1].startswith("ask")


def test_the_scripted_model_is_corrected(tmp_path: Path) -> None:
    (tmp_path / "sources").mkdir()
    (tmp_path / "foundry.yaml").write_text("project: {id: prj_cable}\n")
    (tmp_path / "sources/guide.md").write_text(f"# Guide\n\n## Cable\n\n{scripted_model.RIGHT}\n")
    program = [sys.executable, "-c", "from foundry.cli import run_program; run_program()"]
    model = [sys.executable, scripted_model.__file__]
    with contextlib.chdir(tmp_path):
        assert CliRunner().invoke(foundry, ["ingest", "-q"]).exit_code == 0
    asked = subprocess.run(
        [*model, *program, "ask", "How much cable may one output drive?"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert f"{scripted_model.RIGHT} [S1]" in asked.stdout
    assert f"rewritten: {scripted_model.WRONG}" in asked.stdout


def test_demo_runs_twice_on_the_same_folder(tmp_path: Path) -> None:
    assert _demo(tmp_path, unanswered=3)[0].returncode == 0
    assert _demo(tmp_path, unanswered=3)[0].returncode == 0


def test_demo_without_arguments_says_how_to_call_it() -> None:
    run = subprocess.run([HERE / "demo.sh"], capture_output=True, text=True)
    assert run.returncode == 2
    assert "FOUNDRY TARGET" in run.stderr


@pytest.mark.parametrize(("option", "passed"), [([], "-q"), (["-v"], "-v")])
def test_what_the_commands_say_besides_is_behind_v(
    tmp_path: Path, option: list[str], passed: str
) -> None:
    run, calls = _demo(tmp_path, *option, unanswered=3)
    assert all(passed in call.split() for call in calls if not call.startswith("scripted"))
    assert ("a note" in run.stdout) == bool(option)


def _demo(
    folder: Path, *options: str, unanswered: int
) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Run the demo with a fake program that records its arguments."""
    program, log = folder / "foundry", folder / "calls.txt"
    log.unlink(missing_ok=True)
    program.write_text(
        "#!/bin/sh\n"
        f'echo "$*" >> "{log}"\n'
        "echo 'a note' >&2\n"
        'case "$*" in\n'
        "generate*) mkdir -p output; printf '%s\\n' --- a: b --- 'the document' '[^1]: the note' \\\n"
        "  > output/wiring-guide.md ;;\n"
        f"ask*pension*) exit {unanswered} ;;\n"
        "verify*) exit 1 ;;\n"
        "esac\n"
    )
    program.chmod(0o755)
    run = subprocess.run(
        [HERE / "demo.sh", *options, "./foundry", "target"],
        capture_output=True,
        text=True,
        cwd=folder,
        env={"PATH": os.environ["PATH"]},
    )
    return run, log.read_text().splitlines()
