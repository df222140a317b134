"""``foundry correction``: what a user types and reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from foundry.messages import Message
from foundry.store import Store
from foundry.wire.commands import MODELS
from foundry.workspace import open_workspace
from tests.faces.conftest import Run
from tests.journeys.documents import specify

SHEET = "sources/datasheet.md"
ADD = ("correction", "add", SHEET, "3.15 A", "--read", "3.75 A", "--reason", "The print says 3.75.")


@pytest.mark.usefixtures("project")
def test_a_correction_is_made_listed_shown_and_undone(run: Run) -> None:
    made = run(*ADD, "--by", "Ann", "--json").json
    assert MODELS["correction add"].model_validate(made)
    listed = run("correction", "list", SHEET)
    assert "“3.75 A”, read as “3.15 A”" in listed.out
    assert "Reason: The print says 3.75. (by Ann, 20" in listed.out
    assert "applied" in run("correction", "show", made["id"]).out
    assert "Undone" in run("correction", "remove", made["id"][:12]).out
    assert "No corrections" in run("correction").out
    events = run("log", "audit", "--json").json["events"]
    assert [event["action"] for event in events] == ["correction.remove", "correction.add"]


def test_who_changes_the_index_is_told_that_a_search_engine_is_behind(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "sources/new.md").write_text("The lamp is green.")
    behind = Message("engine-not-updated", cause="The disk is full.")
    monkeypatch.setattr(Store, "index_vectors", lambda _store: behind)
    rebuilds = ("index", "rebuild"), ("index", "rebuild", "--embeddings")
    work = ("ingest", "--enqueue", "--no-wait"), ("work", "--drain")
    for command in (ADD, *rebuilds, *work):
        outcome = run(*command)
        assert outcome.status == 0
        assert outcome.err.count("Note: The search engine is behind") == 1


@pytest.mark.usefixtures("project")
def test_a_dry_run_shows_what_would_change_and_who_cites_it(run: Run) -> None:
    run("ask", "What is the rating of the input fuse?")
    shown = run(*ADD, "--dry-run")
    assert "Would be corrected: “3.75 A”, read as “3.15 A”" in shown.out
    assert re.search(r"^  - .*3\.15 A.*\n  \+ .*3\.75 A", shown.out, re.MULTILINE)
    assert "Cited by “What is the rating of the input fuse?”" in shown.out
    assert MODELS["correction add --dry-run"].model_validate(run(*ADD, "--dry-run", "--json").json)
    assert "No corrections" in run("correction").out


def test_an_answer_a_draft_and_a_document_say_what_was_corrected(run: Run, project: Path) -> None:
    run(*ADD)
    noted = "corrected: “3.75 A”, read as “3.15 A”"
    assert noted in run("ask", "What is the rating of the input fuse?").out
    with open_workspace(project, environment={}, cwd=project) as workspace:
        specify(workspace, "supply", "Rating of the input fuse")
    topic = ("--topic", "The rating of the input fuse")
    assert run("generate", *topic, "--output", "output/supply.md").status == 0
    assert run("draft", "accept", "supply", "--by", "Ann").status == 0
    assert run("build", "--format", "md,html").status == 0
    for name in ("supply.md", "demo.md", "demo.html"):
        assert noted in (project / "output" / name).read_text(encoding="utf-8")


@pytest.mark.usefixtures("project")
def test_blocks_are_listed_with_the_numbers_that_corrections_take(run: Run) -> None:
    listed = run("correction", "blocks", SHEET, "fuse", "--json").json
    assert MODELS["correction blocks"].model_validate(listed)
    (block,) = listed["blocks"]
    how = ("--block", block["number"], "--heading", "4", "--reason", "Print.")
    assert "becomes heading of level 4" in run("correction", "add", SHEET, *how).out


@pytest.mark.usefixtures("project")
def test_a_lower_role_cannot_correct(run: Run) -> None:
    outcome = run(*ADD, "--role", "public")
    assert outcome.status == 2
    assert "needs the role" in outcome.err


def test_the_examples_in_a_help_text_keep_their_lines(run: Run) -> None:
    lines = run("correction", "add", "--help").out.splitlines()
    assert sum(line.startswith("      foundry correction add") for line in lines) == 10


def test_a_table_is_shown_as_a_grid_and_corrected_by_its_names(run: Run, project: Path) -> None:
    path = project / "sources" / "parts.csv"
    path.write_text("Part,Mass\nPump,12\nCOPY,\nHose,3\n")
    assert run("ingest", str(path)).status == 0
    shown = run("correction", "blocks", "sources/parts.csv", "Pump").out.splitlines()
    assert [line.split() for line in shown[-4:-1]] == [
        ["1", "Part", "Mass"],
        ["2", "Pump", "12"],
        ["3", "COPY"],
    ]
    add = ("correction", "add", "sources/parts.csv", "--block", "1", "--reason", "Print.")
    assert "row “COPY” dropped" in run(*add, "--row", "3", "--drop").out
    assert "merged cells of a table: A1:B1" in run(*add, "--span", "a1:b1").out
    assert "one thing" in run(*add, "--read", "a", "--drop").err
