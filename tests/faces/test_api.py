"""The Python API: light to import, typed, and the same results as the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import foundry
from foundry.api import RESULT_DOCUMENTS
from foundry.wire.commands import DOCUMENTS
from tests.faces.conftest import Run

FUSE = "What is the rating of the input fuse?"


@pytest.fixture
def opened(project: Path) -> foundry.Project:
    return foundry.open_project(project, environment={})


def test_importing_the_package_loads_nothing_else() -> None:
    code = "import sys, foundry; print(*(m for m in sys.modules if m.startswith('foundry.')))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []


def test_every_name_of_the_package_exists() -> None:
    assert all(hasattr(foundry, name) for name in foundry.__all__)
    with pytest.raises(AttributeError):
        _ = foundry.nonesuch  # type: ignore[attr-defined]


def test_an_answer_has_the_json_of_the_command(opened: foundry.Project, run: Run) -> None:
    with opened:
        mine = foundry.build_json(opened.ask(FUSE))
    printed = run("ask", FUSE, "--json").json
    for document in (mine, printed):
        assert document.pop("timings_ms")
        assert document.pop("id")
    assert mine == printed


def test_an_error_has_the_json_of_the_command(opened: foundry.Project, run: Run) -> None:
    with opened, pytest.raises(foundry.FoundryError) as caught:
        opened.search("fuse", filters=["colour=red"])
    printed = run("search", "fuse", "--filter", "colour=red", "--json").json
    assert foundry.build_json(caught.value) == printed


def test_paths_count_from_the_project(
    opened: foundry.Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with opened:
        checked = opened.verify("sources/onderhoud.md")
        with pytest.raises(foundry.FoundryError) as caught:
            opened.generate("Supply", tmp_path / "outside.md")
    assert checked.file == "sources/onderhoud.md"
    assert caught.value.code == "refused"


def test_events_come_in_order_and_end_in_the_answer(opened: foundry.Project) -> None:
    events: list[foundry.Event] = []
    with opened:
        turn = opened.chat(FUSE, on_event=events.append)
    kinds = [type(event).__name__ for event in events]
    assert kinds[:3] == ["StandaloneQuestion", "SearchResult", "Excerpt"]
    assert events[2:] == list(turn.answer.passages)


def test_a_role_above_the_projects_is_refused(project: Path) -> None:
    public = {"FOUNDRY_ACCESS__ROLE": "public"}
    with pytest.raises(foundry.FoundryError) as caught:
        foundry.open_project(project, role="secret", environment=public)
    assert caught.value.code == "refused"


@pytest.mark.parametrize("arguments", [{}, {"path": "a.md", "text": "A."}])
def test_verify_takes_a_path_or_a_text(opened: foundry.Project, arguments: dict[str, str]) -> None:
    with opened, pytest.raises(foundry.FoundryError) as caught:
        opened.verify(**arguments)  # type: ignore[arg-type]
    assert caught.value.code == "usage"


def test_what_has_no_document_is_refused() -> None:
    with pytest.raises(TypeError):
        foundry.build_json("text")


def test_every_result_has_a_document_with_a_schema() -> None:
    assert {model.get_name() for model in RESULT_DOCUMENTS.values()} <= DOCUMENTS.keys()
