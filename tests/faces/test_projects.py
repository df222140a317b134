"""Projects that are missing or damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.wire.base import ErrorJson
from tests.faces.conftest import Run


@pytest.mark.parametrize(
    "words",
    [("sources", "list"), ("ask", "x"), ("ingest",), ("index", "verify"), ("log", "list")],
)
def test_a_missing_project_is_an_error_with_a_fix(run: Run, words: tuple[str, ...]) -> None:
    outcome = run(*words, "--json")
    assert outcome.status == 1
    assert ErrorJson.model_validate(outcome.json)
    assert outcome.json["error"]["code"] == "no_project"
    assert "foundry init" in outcome.json["error"]["fix"]


def test_a_project_can_be_named_from_anywhere(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(run("--project", "demo", "sources", "list", "--json").json["sources"]) == 2
    assert run("sources", "list", "--project", "nowhere").status == 2


def test_a_broken_configuration_names_its_place(run: Run, project: Path) -> None:
    (project / "foundry.yaml").write_text("retrieval:\n  topk: 3\n")
    error = run("ask", "x", "--json").json["error"]
    assert error["code"] == "config"
    assert "retrieval.top_k" in error["message"]


def test_a_corrupt_database_is_an_error_and_is_left_as_it_is(run: Run, project: Path) -> None:
    file = project / ".foundry" / "foundry.db"
    for extra in file.parent.glob("foundry.db-*"):
        extra.unlink()
    file.write_bytes(b"no database at all " * 500)
    outcome = run("ask", "x", "--json")
    assert outcome.status == 1
    assert outcome.json["error"]["code"] == "store_corrupt"
    assert file.read_bytes().startswith(b"no database")
