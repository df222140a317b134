"""What was made is shown, although the database can no longer be written."""

from __future__ import annotations

import shutil
from pathlib import Path

import apsw
import pytest

from foundry.errors import ModelError
from foundry.journeys.ask import ask
from foundry.journeys.generate import generate
from foundry.journeys.verify import verify
from foundry.store.sqlite import connections
from foundry.workspace import open_workspace
from tests.journeys.answers import FUSE, RATED, chat, online, said
from tests.journeys.draft_runs import drafting, feature, play
from tests.support.model_server import ModelServer, Status

TABLES = ("query_log", "model_responses", "draft_sections", "drafts")
UNLOGGED = "This is not in the query log"


@pytest.fixture
def full(built: Path, tmp_path: Path) -> Path:
    """A copy of the project whose database takes no more rows."""
    root = tmp_path / "full"
    shutil.copytree(built, root)
    connection = apsw.Connection(str(root / ".foundry" / "foundry.db"))
    for table in TABLES:
        for verb in ("INSERT", "UPDATE"):
            connection.execute(
                f"CREATE TRIGGER no_{verb}_{table} BEFORE {verb} ON {table}"
                " BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END"
            )
    connection.close()
    return root


def test_an_answer_is_shown_without_its_log_row(full: Path, server: ModelServer) -> None:
    server.default = said((RATED, "S1"))
    with online(full, server, FOUNDRY_MODELS__CACHE="true") as workspace:
        answer = ask(workspace, FUSE)
    assert answer.sentences[0].text == RATED
    assert [notice for notice in map(str, answer.notices) if UNLOGGED in notice]
    assert [notice for notice in map(str, answer.notices) if "could not be cached" in notice]


def test_an_answer_is_shown_in_a_project_that_is_read_only(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_is_frozen", lambda _path: True)
    with open_workspace(built, environment={}, cwd=built) as workspace:
        answer = ask(workspace, FUSE)
    assert answer.verdict == "passages"
    assert any(UNLOGGED in str(notice) for notice in [*map(str, answer.notices)])


def test_a_turn_of_a_conversation_is_shown_without_its_log_row(
    full: Path, server: ModelServer
) -> None:
    server.default = said((RATED, "S1"))
    with online(full, server) as workspace:
        answer = chat(workspace, FUSE).answer
    assert answer.sentences[0].text == RATED
    assert any(UNLOGGED in str(notice) for notice in [*map(str, answer.notices)])


def test_a_verification_is_shown_without_its_log_row(full: Path, server: ModelServer) -> None:
    (full / "text.md").write_text(RATED, encoding="utf-8")
    with online(full, server) as workspace:
        verification = verify(workspace, full / "text.md")
    assert verification.statements[0].check.verdict == "exact"
    assert any(UNLOGGED in str(notice) for notice in [*map(str, verification.notices)])


def test_a_draft_is_shown_without_its_log_row_and_cached_sections(
    full: Path, server: ModelServer
) -> None:
    play(server)
    with drafting(full, server) as workspace:
        draft = generate(workspace, "The DX-4", feature=feature("Supply"))
    notices = " ".join(map(str, draft.notices))
    assert draft.sections[0].sentences
    assert UNLOGGED in notices
    assert "could not be cached" in notices


def test_an_error_of_the_model_is_not_hidden_by_that_of_the_log(
    full: Path, server: ModelServer
) -> None:
    server.default = Status(401)
    with online(full, server) as workspace, pytest.raises(ModelError, match="rejected the key"):
        ask(workspace, FUSE)
