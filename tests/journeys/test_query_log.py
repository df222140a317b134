"""What the query log records of an answer, a draft and an error, and what redaction removes."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from foundry.clock import set_clock
from foundry.errors import UsageError
from foundry.journeys.ask import ask
from foundry.journeys.generate import generate
from foundry.journeys.query_log import log_answer, log_failure, log_stats
from foundry.messages import Message
from foundry.records import ClaimCheck, GroundingChange, QueryRecord
from foundry.workspace import Workspace, open_workspace

QUESTION = "What is the rating of the input fuse?"


@pytest.fixture
def workspace(asked: Workspace) -> Workspace:
    """The ingested project."""
    return asked


@pytest.fixture
def redacted(built: Path) -> Iterator[Workspace]:
    environment = {"FOUNDRY_LOG__REDACT": "true"}
    with open_workspace(built, environment=environment, cwd=built) as opened:
        yield opened


def latest(workspace: Workspace) -> QueryRecord:
    return workspace.store.list_queries(1)[0]


def test_an_answer_is_logged_with_project_models_and_times(workspace: Workspace) -> None:
    ask(workspace, QUESTION)
    row = latest(workspace)
    assert row.project == "prj_test"
    assert row.models == {
        "embedding": "builtin/multilingual-e5-small", "generator": "builtin/passages",
    }  # fmt: skip
    assert set(row.timings_ms) == {"retrieval", "generation", "total"}


def test_verdicts_of_checks_and_changes_are_counted(workspace: Workspace) -> None:
    answer = ask(workspace, QUESTION)
    checks = tuple(
        ClaimCheck("x", verdict, 0.5, "y") for verdict in ("supported", "partly", "partly")
    )
    changes = tuple(
        GroundingChange("x", action, Message("verbatim", text="y"))
        for action in ("removed", "regenerated")
    )
    log_answer(workspace, replace(answer, checks=checks, changes=changes))
    row = latest(workspace)
    assert row.checks == {"partly": 2, "supported": 1}
    assert row.changes == {"regenerated": 1, "removed": 1}


def test_a_rewritten_question_is_logged_with_what_was_typed(workspace: Workspace) -> None:
    answer = ask(workspace, QUESTION)
    log_answer(workspace, answer, kind="chat", asked="And its rating?")
    row = latest(workspace)
    assert (row.kind, row.query, row.rewritten) == ("chat", "And its rating?", QUESTION)


def test_a_question_that_was_not_rewritten_is_logged_once(workspace: Workspace) -> None:
    log_answer(workspace, ask(workspace, QUESTION), kind="chat", asked=QUESTION)
    assert latest(workspace).rewritten is None


def test_a_draft_is_logged_with_its_timings(workspace: Workspace) -> None:
    generate(workspace, "Supply and outputs of the controller")
    row = latest(workspace)
    assert row.kind == "generate"
    assert row.timings_ms["retrieval"] + row.timings_ms["generation"] == pytest.approx(
        row.timings_ms["total"], abs=0.02
    )


def test_redaction_leaves_no_words_of_question_rewrite_or_answer(redacted: Workspace) -> None:
    answer = ask(redacted, QUESTION)
    log_answer(redacted, answer, asked="And the fuse?")
    for row in redacted.store.list_queries(2):
        assert "fuse" not in repr(replace(row, chunks=()))
        assert row.verdict == "passages"
        assert row.chunks


def test_redaction_leaves_no_words_of_an_error(redacted: Workspace) -> None:
    error = UsageError("verbatim", text=f"There is no answer to {QUESTION!r}.")
    log_failure(redacted, "ask", QUESTION, error)
    row = latest(redacted)
    assert row.error == "usage"
    assert "fuse" not in repr(row)


def test_old_rows_go_when_a_new_one_comes(built: Path, workspace: Workspace) -> None:
    ask(workspace, QUESTION)
    old = replace(latest(workspace), id="old", time=latest(workspace).time.replace(year=2020))
    workspace.store.log_query(old)
    environment = {"FOUNDRY_LOG__RETENTION_DAYS": "30"}
    with open_workspace(built, environment=environment, cwd=built) as kept:
        ask(kept, QUESTION)
        assert kept.store.find_query("old") is None


def test_an_answer_is_logged_as_it_was_shown(workspace: Workspace) -> None:
    answer = ask(workspace, QUESTION)
    row = workspace.store.find_query(str(answer.id))
    assert row is not None
    assert row.shown is not None
    assert len(row.shown.passages) == len(answer.passages)
    assert row.shown.sources[0].path == "sources/datasheet.md"


def test_redaction_keeps_no_shown_answer(redacted: Workspace) -> None:
    row = redacted.store.find_query(str(ask(redacted, QUESTION).id))
    assert row is not None
    assert row.shown is None


def test_local_days_and_times_follow_daylight_saving(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Europe/Amsterdam")
    time.tzset()
    root = shutil.copytree(built, tmp_path / "copy")
    # 01:30 and twice 02:30 of the longest day, then 23:30 of the same day and 00:30 of the next.
    first = datetime(2026, 10, 24, 23, 30, tzinfo=UTC)
    with open_workspace(root, environment={}, cwd=root) as workspace:
        for hours in (0, 1, 2, 23, 24):
            with set_clock(lambda moment=first + timedelta(hours=hours): moment):
                log_failure(workspace, "ask", f"{hours}", UsageError("log-feedback-needed"))
        rows = workspace.store.list_queries(5)
        stats = log_stats(workspace, by="day", since=date(2026, 10, 25), until=date(2026, 10, 26))
    monkeypatch.undo()
    time.tzset()
    assert [row.query for row in rows] == ["24", "23", "2", "1", "0"]
    assert [row.time.utcoffset() for row in rows] == [timedelta()] * 5
    assert [(day.day, figures.n) for day, figures in stats.periods] == [(25, 4), (26, 1)]
