"""Files that an ingest could not read: shown when it happens, and listed until they are read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from foundry.workspace import open_workspace
from tests.faces.conftest import Run


@pytest.fixture
def messy(project: Path) -> Path:
    """The ingested project with an empty file and one of an unknown type beside it."""
    (project / "sources" / "empty.md").write_text("")
    (project / "sources" / "old.wps").write_bytes(b"\xd0\xcf\x11\xe0")
    return project


def unread(run: Run) -> dict[str, str]:
    return {file["path"]: file["status"] for file in run("sources", "--json").json["unread"]}


def test_failed_and_left_out_files_are_named_and_listed_afterwards(run: Run, messy: Path) -> None:
    report = run("ingest").out
    assert "failed     sources/empty.md" in report
    assert "Left out, because Foundry cannot read their type: sources/old.wps." in report
    listed = run("sources").out
    assert "failed    sources/empty.md" in listed
    assert "left out  sources/old.wps\n            Foundry cannot read .wps." in listed


def test_what_was_reported_before_is_not_repeated(run: Run, messy: Path) -> None:
    run("ingest")
    again = run("ingest")
    assert "empty.md" not in again.out
    assert "old.wps" not in again.out
    assert "1 file failed as before; `foundry sources` lists why." in again.out
    assert "failed     sources/empty.md" in run("ingest", "-v").out


def test_doctor_counts_unread_files(run: Run, messy: Path) -> None:
    run("ingest")
    assert "1 file was not read." in run("doctor").out


def test_a_file_that_is_read_or_removed_leaves_the_list(run: Run, messy: Path) -> None:
    run("ingest")
    assert unread(run) == {"sources/empty.md": "failed", "sources/old.wps": "left_out"}
    (messy / "sources" / "empty.md").write_text("# Full\n\nNow it has text.\n")
    (messy / "sources" / "old.wps").unlink()
    run("ingest")
    assert unread(run) == {}


def test_a_lower_role_sees_no_unread_file_above_it(
    run: Run, messy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("ingest", "sources/empty.md", "--confidentiality", "secret")
    run("ingest")
    monkeypatch.setenv("FOUNDRY_ACCESS__ROLE", "internal")
    assert unread(run) == {"sources/old.wps": "left_out"}


def test_a_file_keeps_the_level_that_a_failed_attempt_asked_for(run: Run, messy: Path) -> None:
    run("ingest", "sources/empty.md", "--confidentiality", "secret")
    (messy / "sources" / "empty.md").write_text("# Full\n\nNow it has text.\n")
    run("ingest")
    shown = run("sources", "show", "sources/empty.md", "--json").json
    assert shown["confidentiality"] == "secret"


def test_a_named_file_that_fails_is_a_failure_each_time(run: Run, messy: Path) -> None:
    for _ in range(2):
        outcome = run("ingest", "sources/old.wps")
        assert outcome.status == 1
        assert "Foundry cannot read .wps." in outcome.out
    assert run("ingest", "sources").status == 0


def test_one_file_gets_its_vectors_and_the_others_wait(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("foundry.journeys.ingest.embed_pending", lambda *_: 0)
        for name in ("one", "two", "three"):
            (project / "sources" / f"{name}.md").write_text(f"# {name}\n\nFuse {name}.\n")
        run("ingest")
    outcome = run("ingest", "sources/one.md")
    assert "1 chunk embedded, 2 pending" in outcome.out
    assert "2 chunks of other sources still wait for vectors: run `foundry ingest`." in outcome.out


def test_no_wait_names_the_ingest_that_runs_and_fails(run: Run, project: Path) -> None:
    with open_workspace(project, environment={}, cwd=project) as workspace:
        store = workspace.maintenance()
        with store.lock("ingest"):
            store.start_run({})
            outcome = run("ingest", "--no-wait", "--json")
    assert outcome.status == 1
    assert outcome.json["error"]["code"] == "busy"
    assert f"process {os.getpid()} on " in outcome.json["error"]["message"]
