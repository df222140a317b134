"""``foundry index``, ``log`` and ``doctor`` over a small real project."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from foundry.store.relational import vectors
from foundry.wire.commands import MODELS
from tests.faces.conftest import Run


def test_index_status_prints_the_documented_json(run: Run, project: Path) -> None:
    document = run("index", "status", "--json").json
    assert MODELS["index status"].model_validate(document)
    assert document["sources"] == 2
    assert document["pending"] == 0


def test_index_verify_of_a_consistent_project(run: Run, project: Path) -> None:
    outcome = run("index", "verify", "--json")
    found = {"ok": True, "problems": [], "recall": None}
    assert (outcome.status, outcome.json) == (0, found)


@pytest.fixture
def lists(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index so large that searches do not compare every vector."""
    monkeypatch.setattr(vectors, "LARGE", 1)


def test_index_status_asks_for_a_measurement_and_shows_it(run: Run, lists: None) -> None:
    assert "has not been measured. Run `foundry index verify`" in run("index").out
    verified = run("index", "verify").out
    assert "Vector search finds" in verified
    shown = run("index").out
    assert re.search(r"of the \d+ hits of an exact search, measured .* at \d+ vectors", shown)
    assert "has not been measured" not in shown
    found = run("index", "--json").json["recall"]
    assert found["samples"] == 20
    assert str(found["found"]) in verified


def test_index_rebuild_finds_the_same(run: Run, project: Path) -> None:
    before = run("search", "input fuse", "--json").json["hits"]
    outcome = run("index", "rebuild", "--embeddings", "--json")
    assert MODELS["index rebuild"].model_validate(outcome.json)
    assert outcome.json["embedded"] == outcome.json["text_rows"] == len(before)
    assert run("search", "input fuse", "--json").json["hits"] == before


def test_another_embedding_model_is_a_hard_stop(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOUNDRY_MODE", "online")
    monkeypatch.setenv("FOUNDRY_EMBEDDING__MODEL", "openai/text-embedding-3-small")
    monkeypatch.setenv("OPENAI_API_KEY", "not-used")
    outcome = run("search", "input fuse", "--json")
    assert outcome.status == 1
    assert outcome.json["error"]["code"] == "index_missing"


def test_the_log_contains_the_questions(run: Run, project: Path) -> None:
    run("ask", "What is the rating of the input fuse?")
    listed = run("log", "list", "--json").json
    assert MODELS["log list"].model_validate(listed)
    entry = listed["queries"][0]
    assert entry["query"] == "What is the rating of the input fuse?"
    shown = run("log", "show", entry["id"], "--json").json
    assert shown == entry
    assert MODELS["log show"].model_validate(shown)
    assert "input fuse" in run("log", "show", entry["id"]).out


def test_an_empty_log_says_so(run: Run, project: Path) -> None:
    assert run("log", "list").out == "No questions yet.\n"


def test_an_unknown_log_id_is_wrong_usage(run: Run, project: Path) -> None:
    assert run("log", "show", "nothing").status == 2


def test_doctor_passes_a_working_project(run: Run, project: Path) -> None:
    outcome = run("doctor", "--json")
    assert outcome.status == 0
    assert MODELS["doctor"].model_validate(outcome.json)


def test_doctor_exits_with_1_when_something_fails(run: Run, project: Path) -> None:
    (project / "foundry.yaml").write_text("mode: sideways\n")
    outcome = run("doctor")
    assert outcome.status == 1
    assert "FAIL  configuration" in outcome.out
