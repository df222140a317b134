"""``foundry copy``: a project from SQLite to PostgreSQL and back, and what it refuses."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from foundry.journeys import project as project_journey
from foundry.journeys.project import copy_project
from foundry.wire.commands import MODELS
from foundry.workspace import open_workspace
from tests.faces.conftest import Run
from tests.store.server import empty

SQLITE = "sqlite:///.foundry/foundry.db"
BACK = "sqlite:///.foundry/back.db"


@pytest.fixture
def server(address: str) -> Iterator[str]:
    """An empty database on a server."""
    yield address
    with psycopg.connect(address, autocommit=True) as connection:
        empty(connection)


@pytest.fixture
def used(run: Run, project: Path) -> Path:
    """A project with a question, feedback and a draft of an evaluation in its database."""
    run("ask", "What is the rating of the input fuse?")
    entry = run("log", "list", "--json").json["queries"][0]
    assert run("log", "feedback", entry["id"], "--correct").status == 0
    assert run("eval", "import", "--feedback").status == 0
    return project


def read_tables(path: Path) -> dict[str, list[Any]]:
    """The rows of every table that is not an index, without row numbers."""
    with sqlite3.connect(path) as connection:
        names = [
            "sources",
            "chunks",
            "source_texts",
            "blocks",
            "source_summaries",
            "query_log",
            "feedback",
            "drafts",
            "eval_questions",
            "eval_runs",
            "eval_results",
            "corrections",
            "source_readings",
            "model_responses",
            "(SELECT codes FROM window_vectors)",
        ]
        tables = {}
        for name in names:
            cursor = connection.execute(f"SELECT * FROM {name}")
            columns = [column[0] for column in cursor.description]
            kept = [n for n, c in enumerate(columns) if c not in ("rowid", "source", "chunk")]
            tables[name] = sorted(repr([row[n] for n in kept]) for row in cursor)
    return tables


def test_a_project_is_the_same_after_a_journey_to_a_server_and_back(
    run: Run, used: Path, server: str
) -> None:
    words = ("sources/datasheet.md", "512 channels", "--read", "513 channels", "--reason", "Print.")
    assert run("correction", "add", *words).status == 0
    assert run("copy", SQLITE, server).status == 0
    outcome = run("copy", server, BACK, "--json")
    assert MODELS["copy"].model_validate(outcome.json)
    assert outcome.json["problems"] == []
    before = read_tables(used / ".foundry" / "foundry.db")
    assert before["feedback"]
    assert before["eval_questions"]
    assert before["corrections"]
    assert before["source_readings"]
    assert read_tables(used / ".foundry" / "back.db") == before


def test_both_stores_answer_the_same_after_a_copy(
    run: Run, used: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = run("search", "input fuse", "--json").json["hits"]
    run("copy", SQLITE, server)
    monkeypatch.setenv("FOUNDRY_STORAGE__URL", server)
    hits = run("search", "input fuse", "--json").json["hits"]
    assert [hit["chunk_id"] for hit in hits] == [hit["chunk_id"] for hit in before]


def test_an_index_on_a_server_is_verified_and_rebuilt(
    run: Run, used: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("copy", SQLITE, server)
    monkeypatch.setenv("FOUNDRY_STORAGE__URL", server)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DELETE FROM foundry.segments")
    assert run("index", "verify").status == 1
    assert run("index", "rebuild", "--embeddings").status == 0
    assert run("index", "verify").status == 0


def test_an_interrupted_copy_resumes(
    project: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_workspace(project, environment={}, cwd=project) as workspace:
        stop_after_one_source(monkeypatch)
        with pytest.raises(KeyboardInterrupt):
            copy_project(workspace, SQLITE, server)
        monkeypatch.undo()
        report = copy_project(workspace, SQLITE, server)
    assert (report.sources, report.copied, report.problems) == (2, 1, ())


def stop_after_one_source(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = project_journey._copy_vectors

    def stop(*arguments: Any) -> int:
        whole(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(project_journey, "_copy_vectors", stop)


def test_a_database_with_other_content_is_refused(
    run: Run, used: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("copy", SQLITE, server)
    monkeypatch.setenv("FOUNDRY_STORAGE__URL", server)
    run("ask", "Which lamp is fitted?")
    outcome = run("copy", SQLITE, server)
    assert outcome.status == 1
    assert "other content" in outcome.err


@pytest.mark.parametrize(
    ("origin", "target", "said"),
    [
        (SQLITE, SQLITE, "the same database"),
        (SQLITE, "sqlite:////{project}/.foundry/foundry.db", "is busy with this project"),
        ("sqlite:///.foundry/none.db", BACK, "nothing of this project"),
    ],
)
def test_a_copy_needs_two_databases(
    run: Run, project: Path, origin: str, target: str, said: str
) -> None:
    outcome = run("copy", origin, target.format(project=str(project).lstrip("/")))
    assert outcome.status != 0
    assert said in outcome.err


def test_a_lower_role_cannot_copy(run: Run, project: Path) -> None:
    assert run("--role", "public", "copy", SQLITE, BACK).status == 2
