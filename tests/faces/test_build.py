"""``foundry build`` over a small real project."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from foundry.journeys import delivery
from foundry.wire.commands import MODELS
from foundry.workspace import open_workspace
from tests.faces.conftest import PROGRAM, Run
from tests.journeys.documents import draft, specify


@pytest.fixture
def approved(project: Path) -> Path:
    """The project with one approved feature and its accepted draft."""
    with open_workspace(project, environment={}, cwd=project) as workspace:
        specify(workspace, "supply", "Supply of the DX-4")
        draft(workspace, "supply")
    return project


def test_build_writes_every_format_under_the_projects_name(run: Run, approved: Path) -> None:
    outcome = run("build")
    assert outcome.status == 0, outcome.err
    assert "1 chapter, 1 note, 1 source" in outcome.out
    names = {path.name for path in (approved / "output").iterdir()}
    assert names == {"supply.md", "demo.md", "demo.docx", "demo.pdf", "demo.html"}


def test_build_assembles_the_document_once(
    run: Run, approved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []
    real = delivery.assemble

    def count(*args: Any, **options: Any) -> object:
        calls.append(args)
        return real(*args, **options)

    monkeypatch.setattr(delivery, "assemble", count)
    assert run("build", "--format", "md").status == 0
    assert len(calls) == 1


def test_build_prints_its_json(run: Run, approved: Path) -> None:
    outcome = run("build", "--format", "md,html", "--title", "Client", "--language", "nl", "--json")
    assert outcome.status == 0
    assert MODELS["build"].model_validate(outcome.json)
    assert outcome.json["title"] == "Client"
    assert [one["format"] for one in outcome.json["files"]] == ["md", "html"]


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("--output", "x.docx"), ["x.docx"]),
        (("--output", "x", "--format", "md"), ["x.md"]),
        (("--output", "v1.2", "--format", "md,html"), ["v1.2.html", "v1.2.md"]),
        (("--output", "x.md", "--format", "html,md"), ["x.html", "x.md"]),
        (("--output", "output", "--format", "HTML"), ["output/demo.html"]),
    ],
)
def test_output_and_format_choose_the_files(
    run: Run, approved: Path, arguments: tuple[str, ...], names: list[str]
) -> None:
    outcome = run("build", *arguments, "--json")
    assert outcome.status == 0, outcome.out
    written = sorted(Path(one["path"]) for one in outcome.json["files"])
    assert written == [approved / name for name in names]
    assert all(path.stat().st_size for path in written)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--output", "x.odt"),
        ("--output", "x.pdf", "--format", "md"),
        ("--format", "md,exe"),
        ("--format", ""),
        ("--title", " "),
        ("--output", "../x.md"),
        ("--output", "/etc/x.md"),
        ("--language", "de"),
    ],
)
def test_build_refuses_contradictory_options(
    run: Run, approved: Path, arguments: tuple[str, ...]
) -> None:
    outcome = run("build", *arguments, "--json")
    assert outcome.status == 2
    assert outcome.json["error"]["fix"]


def test_build_lists_everything_that_prevents_it(run: Run, approved: Path) -> None:
    (approved / "output" / "supply.md").write_text("Edited.[^7]\n", encoding="utf-8")
    outcome = run("build", "--allow-stale")
    assert outcome.status == 2
    assert "2 problems" in outcome.err
    assert "line 1: [^7] has no footnote. Restore its footnote ([^7]: …)" in outcome.err


def test_build_marks_what_is_out_of_date(run: Run, approved: Path) -> None:
    path = approved / "output" / "supply.md"
    path.write_text(path.read_text(encoding="utf-8") + "\nMore.\n", encoding="utf-8")
    refused = run("build", "--format", "md")
    built = run("build", "--format", "md", "--allow-stale")
    assert refused.status == 2
    assert "--allow-stale" in refused.err
    assert "OUT OF DATE" in built.out
    assert "Out of date" in (approved / "output" / "demo.md").read_text(encoding="utf-8")


def test_build_without_a_terminal_refuses_to_overwrite(run: Run, approved: Path) -> None:
    (approved / "output" / "demo.md").write_text("mine")
    outcome = run("build", "--format", "md,html")
    assert outcome.status == 2
    assert "File exists: demo.md" in outcome.err
    assert (approved / "output" / "demo.md").read_text() == "mine"
    assert run("build", "--format", "md,html", "--yes").status == 0


@pytest.mark.parametrize(("typed", "status", "kept"), [(b"\n", 2, True), (b"y\n", 0, False)])
def test_build_asks_on_a_terminal(approved: Path, typed: bytes, status: int, kept: bool) -> None:
    pty = pytest.importorskip("pty")
    (approved / "output" / "demo.md").write_text("mine")
    master, slave = pty.openpty()
    os.write(master, typed)
    done = subprocess.run(
        [*PROGRAM, "build", "--format", "md"], cwd=approved, stdin=slave, capture_output=True
    )
    assert done.returncode == status
    assert b"File exists: demo.md" in done.stderr
    assert ((approved / "output" / "demo.md").read_text() == "mine") == kept


def test_without_the_extra_every_other_format_is_built(
    run: Run, approved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    outcome = run("build")
    assert outcome.status == 0
    assert "[export" in outcome.err
    assert not (approved / "output" / "demo.pdf").exists()


def test_build_in_another_folder_writes_into_the_project(
    run: Run, approved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run("build", "--project", approved, "--format", "md")
    assert outcome.status == 0, outcome.err
    assert (approved / "output" / "demo.md").exists()


def test_a_template_that_is_not_a_word_file_is_a_clear_error(
    run: Run, approved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (approved / "house.docx").write_text("plain text", encoding="utf-8")
    monkeypatch.setenv("FOUNDRY_OUTPUT__DOCX_TEMPLATE", "house.docx")
    outcome = run("build", "--format", "docx,md")
    assert outcome.status == 1
    assert "house.docx is not a usable Word file" in outcome.err
    assert not (approved / "output" / "demo.md").exists()
