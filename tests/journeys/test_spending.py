"""A limit of spending in whole journeys: what stops, what is said, and what still works."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from foundry.errors import SpendingLimitReached
from foundry.journeys.ask import ask
from foundry.journeys.ingest import ingest
from foundry.journeys.query_log import sum_spending
from foundry.workspace import Workspace, open_workspace
from tests.faces.conftest import PROGRAM
from tests.journeys.conftest import write_project
from tests.support.model_server import ModelServer

QUESTION = "At how many amperes is the input fuse rated?"
Open = Callable[..., Workspace]


@pytest.fixture
def variables(server: ModelServer) -> dict[str, str]:
    return {
        "FOUNDRY_MODE": "online",
        "FOUNDRY_GENERATION__ONLINE__MODEL": "openai/gpt-4o",
        "OPENAI_API_KEY": "test",
        "OPENAI_API_BASE": server.openai,
    }


@pytest.fixture
def open_project(built: Path, variables: dict[str, str]) -> Open:
    def open_it(command: str = "ask", **keys: str) -> Workspace:
        own = {f"FOUNDRY_{key.upper()}": value for key, value in keys.items()}
        return open_workspace(built, environment={**variables, **own}, cwd=built, command=command)

    return open_it


def test_an_answer_beyond_the_limit_is_refused_and_passages_are_still_shown(
    server: ModelServer, open_project: Open
) -> None:
    limit = {"spending__cost_per_run": "0.0001"}
    with open_project(**limit) as workspace, pytest.raises(SpendingLimitReached) as refused:
        ask(workspace, QUESTION)
    assert "builtin/passages" in refused.value.fix
    builtin = {"generation__online__model": "builtin/passages"}
    with open_project(**limit, **builtin) as workspace:
        assert ask(workspace, QUESTION).passages
    assert server.requests == []


def test_spending_is_summed_by_day_command_and_model(
    server: ModelServer, open_project: Open
) -> None:
    with open_project("eval run") as workspace:
        ask(workspace, QUESTION)
        spending = sum_spending(workspace)
    rows = [row for row in spending.rows if row.command == "eval run"]
    assert [(row.day, row.model) for row in rows] == [(spending.day, "openai/gpt-4o")]
    assert rows[0].usage.calls == len(server.chats)
    assert (spending.today.cost or 0) > 0


def test_an_ingest_beyond_the_limit_keeps_its_sources_without_the_models_words(
    server: ModelServer, variables: dict[str, str], tmp_path: Path
) -> None:
    root = write_project(tmp_path / "project")
    own = {
        "FOUNDRY_INGEST__SUMMARY_MODEL": "openai/gpt-4o",
        "FOUNDRY_SPENDING__TOKENS_PER_RUN": "9",
    }
    with open_workspace(root, environment={**variables, **own}, cwd=root) as workspace:
        report = ingest(workspace)
        assert len(workspace.store.list_sources()) == 3
    assert server.requests == []
    assert report.annotated is not None
    assert "spending" in str([notice.params for notice in report.annotated.notices])


def test_a_limit_per_day_holds_between_processes(
    server: ModelServer, built: Path, open_project: Open, variables: dict[str, str]
) -> None:
    with open_project() as workspace:
        ask(workspace, QUESTION)
        spent = sum_spending(workspace).today.cost or 0.0
    environment = {**os.environ, **variables, "FOUNDRY_SPENDING__COST_PER_DAY": str(spent / 2)}
    sent = len(server.requests)
    command = [*PROGRAM, "ask", "Which fuse does the input have?", "--project", str(built)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert "Not called: openai/gpt-4o" in done.stderr
    assert len(server.requests) == sent
