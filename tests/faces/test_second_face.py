"""Another face writes what the command line writes, byte for byte, and refuses the same."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from foundry.clock import set_clock
from foundry.workspace import open_workspace
from tests.faces.conftest import Run
from tests.faces.second_face import reply
from tests.journeys.documents import draft, specify

TOPIC = "The supply of the DX-4"
Face = Callable[..., Any]
"""A verb with ``output``, ``overwrite`` and so on; returns the JSON reply."""

NOON = datetime(2026, 3, 5, 12, 30, tzinfo=UTC)


@pytest.fixture
def faces(run: Run, project: Path, tmp_path: Path) -> Iterator[list[Face]]:
    """The command line and the second face, each over its own copy of an approved project."""
    with open_workspace(project, environment={}, cwd=project) as workspace:
        specify(workspace, "supply", "Supply of the DX-4")
        draft(workspace, "supply")
    other = tmp_path / "other" / "demo"
    shutil.copytree(project, other)

    def call_program(verb: str, **request: Any) -> Any:
        words = ["--topic", request["topic"]] if "topic" in request else []
        words += ["--output", request["output"]] if "output" in request else []
        words += ["--format", ",".join(request["formats"])] if "formats" in request else []
        words += ["--yes"] if request.get("overwrite") else []
        return run(verb, *words, "--json").json

    with set_clock(lambda: NOON):
        yield [call_program, lambda verb, **request: reply(other, {"verb": verb, **request})]


@pytest.fixture
def outputs(faces: list[Face], project: Path, tmp_path: Path) -> list[Path]:
    """The output folders of both faces."""
    return [project / "output", tmp_path / "other" / "demo" / "output"]


def files(folder: Path) -> dict[str, bytes]:
    """Name → bytes of all files."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_both_generate_the_same_bytes(faces: list[Face], outputs: list[Path]) -> None:
    for face in faces:
        assert face("generate", topic=TOPIC, output="output/a.md")["verdict"] != "no_evidence"
    first, second = map(files, outputs)
    assert b"[^1]:" in first["a.md"]
    assert first == second


def test_both_build_the_same_bytes_in_every_format(faces: list[Face], outputs: list[Path]) -> None:
    for face in faces:
        formats = [file["format"] for file in face("build")["files"]]
        assert formats == ["md", "docx", "pdf", "html"]
    first, second = map(files, outputs)
    assert first == second


@pytest.mark.parametrize(
    "request_", [("generate", {"topic": TOPIC, "output": "output/a.md"}),
                 ("build", {"output": "output/a.md"})],
)  # fmt: skip
def test_both_refuse_to_overwrite(
    faces: list[Face], outputs: list[Path], request_: tuple[str, dict[str, str]]
) -> None:
    verb, request = request_
    for face, folder in zip(faces, outputs, strict=True):
        (folder / "a.md").write_text("mine")
        assert face(verb, **request)["error"]["code"] == "file_exists"
    assert [files(folder)["a.md"] for folder in outputs] == [b"mine", b"mine"]


def test_both_overwrite_when_allowed(faces: list[Face], outputs: list[Path]) -> None:
    for face, folder in zip(faces, outputs, strict=True):
        (folder / "demo.docx").write_text("mine")
        face("build", overwrite=True)
    first, second = map(files, outputs)
    assert first == second
    assert first["demo.docx"] != b"mine"


def test_both_keep_a_copy_of_an_edited_draft(faces: list[Face], outputs: list[Path]) -> None:
    for face, folder in zip(faces, outputs, strict=True):
        face("generate", topic=TOPIC, output="output/a.md")
        (folder / "a.md").write_text("edited")
        face("generate", topic=TOPIC, output="output/a.md", overwrite=True)
    first, second = map(files, outputs)
    assert first["a.edited-1.md"] == b"edited"
    assert first == second


@pytest.mark.parametrize("output", ["../a.md", "/etc/a.md", "output"])
def test_both_refuse_the_same_paths(faces: list[Face], output: str) -> None:
    codes = [face("generate", topic=TOPIC, output=output)["error"]["code"] for face in faces]
    assert codes == ["refused", "refused"]


def test_both_drafts_are_registered(faces: list[Face], run: Run) -> None:
    for face in faces:
        face("generate", topic=TOPIC, output="output/a.md")
    other = Path.cwd().parent / "other" / "demo"
    listed = [run("draft", "list", *where, "--json").json for where in ((), ("--project", other))]
    assert listed[0] == listed[1]
    assert {item["path"] for item in listed[0]["drafts"]} >= {"output/a.md"}
