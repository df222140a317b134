"""What an ingest keeps, skips, replaces, moves and removes."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from foundry.config import BUILTIN_EMBEDDING
from foundry.errors import FoundryError, IndexMissing
from foundry.journeys.file_chunks import SHOWN_TEXT
from foundry.journeys.index import IngestOptions, rebuild_embeddings
from foundry.journeys.ingest import ingest
from foundry.journeys.search import search
from foundry.journeys.source_files import read_sources, start_tally
from foundry.ports import Step
from foundry.records import FileReport, IngestReport
from foundry.store import Store
from foundry.workspace import Workspace, open_workspace
from tests.journeys.conftest import write_project


def statuses(report: IngestReport) -> dict[str, str]:
    return {Path(file.path).name: file.status for file in report.files}


def report_of(report: IngestReport, name: str) -> FileReport:
    return next(file for file in report.files if Path(file.path).name == name)


def test_a_first_ingest_adds_every_file_and_embeds_every_chunk(workspace: Workspace) -> None:
    report = ingest(workspace)
    assert set(statuses(report).values()) == {"added"}
    assert report.pending == 0
    assert report.embedded == sum(file.chunks for file in report.files)
    assert workspace.maintenance().verify() == []


def test_a_second_ingest_reads_and_embeds_nothing(workspace: Workspace) -> None:
    ingest(workspace)
    again = ingest(workspace)
    assert set(statuses(again).values()) == {"unchanged"}
    assert again.embedded == 0


def test_an_unchanged_file_costs_no_read_of_its_own_source(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace.root / "sources/same.txt").write_text("The service code is 4711.\n")
    size = (workspace.root / "sources/same.txt").stat().st_size
    (workspace.root / "sources/size.txt").write_text("x" * size)
    ingest(workspace)
    for name in ("find_source", "find_content"):
        monkeypatch.setattr(Store, name, Mock(side_effect=AssertionError(name)))
    assert set(statuses(ingest(workspace)).values()) == {"unchanged"}


def test_only_the_file_that_changed_is_updated(workspace: Workspace) -> None:
    ingest(workspace)
    (workspace.root / "sources/code.txt").write_text("The service code is 9902.\n")
    report = ingest(workspace)
    assert statuses(report)["code.txt"] == "updated"
    assert statuses(report)["datasheet.md"] == "unchanged"
    assert report.embedded == 1
    assert workspace.maintenance().verify() == []


def test_other_chunk_sizes_update_every_source(project: Path) -> None:
    with open_workspace(project, environment={}, cwd=project) as workspace:
        ingest(workspace)
    smaller = {
        "FOUNDRY_INGEST__CHUNK_TOKENS": "[20, 40]",
        "FOUNDRY_INGEST__CHUNK_OVERLAP": "[0, 5]",
    }
    with open_workspace(project, environment=smaller, cwd=project) as workspace:
        report = ingest(workspace)
    assert set(statuses(report).values()) == {"updated"}
    assert report_of(report, "datasheet.md").chunks > 1


def test_a_moved_file_keeps_its_vectors(workspace: Workspace) -> None:
    ingest(workspace)
    sources = workspace.root / "sources"
    (sources / "old").mkdir()
    (sources / "code.txt").rename(sources / "old" / "code.txt")
    report = ingest(workspace)
    moved = report_of(report, "code.txt")
    assert str(moved.reason) == "moved from sources/code.txt"
    assert workspace.store.find_source("sources/code.txt") is None
    assert workspace.maintenance().verify() == []


def test_a_missing_file_stays_until_it_is_pruned(workspace: Workspace) -> None:
    ingest(workspace)
    (workspace.root / "sources/code.txt").unlink()
    assert "--prune" in str(report_of(ingest(workspace), "code.txt").reason)
    pruned = ingest(workspace, options=IngestOptions(prune=True))
    assert statuses(pruned)["code.txt"] == "removed"
    assert workspace.store.find_source("sources/code.txt") is None
    assert workspace.maintenance().verify() == []


def test_a_file_that_cannot_be_read_fails_alone_and_its_earlier_text_stays(
    workspace: Workspace,
) -> None:
    ingest(workspace)
    (workspace.root / "sources/code.txt").write_bytes(b"\x00\x01\x02\x03" * 400)
    report = ingest(workspace)
    failed = report_of(report, "code.txt")
    assert failed.status == "failed"
    assert "stays in the project" in str(failed.reason)
    assert workspace.store.find_source("sources/code.txt") is not None


def test_labels_are_kept_across_revisions_and_changed_without_reading(
    workspace: Workspace,
) -> None:
    ingest(workspace, options=IngestOptions(tags=("hw",), confidentiality="internal"))
    (workspace.root / "sources/code.txt").write_text("The service code is 9902.\n")
    ingest(workspace)
    changed = workspace.store.find_source("sources/code.txt")
    assert changed
    assert (changed.tags, changed.confidentiality) == (("hw",), "internal")


def test_text_is_searchable_before_its_vectors_are_made(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_texts: object) -> np.ndarray:
        raise FoundryError("verbatim", text="The embedder stopped.")

    ingest(workspace, [workspace.root / "sources/code.txt"])
    broken = type(workspace.embedder)()
    monkeypatch.setattr(type(broken), "embed_passages", lambda _self, texts: fail(texts))
    with pytest.raises(FoundryError, match="stopped"):
        ingest(workspace)
    result = search(workspace, "solvents on the varnish of the enclosure", mode="hybrid")
    assert any("has 1 of 3 chunks" in str(notice) for notice in [*map(str, result.notices)])
    assert search(workspace, "oplosmiddelen lak", mode="bm25").hits[0].rated
    assert {hit.rated for hit in search(workspace, "oplosmiddelen lak").hits} == {True, False}


def test_an_interrupted_embedding_resumes(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("foundry.journeys.ingest.embed_pending", lambda *_: 0)
        assert ingest(workspace).pending == 3
    report = ingest(workspace)
    assert (report.embedded, report.pending) == (3, 0)


def test_an_interrupted_rebuild_leaves_the_vectors_in_use_and_resumes(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest(workspace)
    before = search(workspace, "solvents on the varnish", mode="dense").hits
    monkeypatch.setattr("foundry.journeys.index.EMBED_BATCH", 1)

    def stop(step: Step) -> None:
        if step.done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild_embeddings(workspace, stop)
    assert search(workspace, "solvents on the varnish", mode="dense").hits == before
    assert rebuild_embeddings(workspace) == 2
    assert rebuild_embeddings(workspace) == 3
    assert workspace.maintenance().verify() == []


def test_a_file_outside_the_project_is_refused_with_a_reason(
    workspace: Workspace, tmp_path: Path
) -> None:
    outside = tmp_path / "secret.txt"
    outside.write_text("Not of this project.")
    (workspace.root / "sources/link.txt").symlink_to(outside)
    report = ingest(workspace)
    assert report_of(report, "link.txt").status == "failed"
    assert "outside" in str(report_of(report, "link.txt").reason)


def test_two_ingests_at_once_lose_nothing(project: Path) -> None:
    reports: list[IngestReport] = []

    def run() -> None:
        with open_workspace(project, environment={}, cwd=project) as workspace:
            reports.append(ingest(workspace))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    added = [sum(status == "added" for status in statuses(report).values()) for report in reports]
    assert sorted(added) == [0, 3]
    with open_workspace(project, environment={}, cwd=project) as workspace:
        assert workspace.maintenance().verify() == []


def test_another_model_is_an_error_that_says_what_to_run(tmp_path: Path) -> None:
    root = write_project(tmp_path / "p")
    with (
        open_workspace(root, environment={}, cwd=root) as workspace,
        pytest.raises(IndexMissing, match="Run foundry ingest first") as raised,
    ):
        search(workspace, "supply voltage")
    assert raised.value.message == (
        f"No embeddings found for model {BUILTIN_EMBEDDING}. Run foundry ingest first."
    )


def test_a_name_that_is_not_utf8_fails_alone(workspace: Workspace) -> None:
    folder = os.fsencode(workspace.root / "sources")
    Path(os.fsdecode(folder + b"/caf\xe9.txt")).write_text("The cafe opens at nine.")
    report = ingest(workspace)
    failed = [file for file in report.files if file.status == "failed"]
    assert len(failed) == 1
    assert "not valid UTF-8" in str(failed[0].reason)
    assert len(report.files) == 4


def test_a_long_file_shows_how_far_it_is(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("index", "source_files.read_queue"):
        monkeypatch.setattr(f"foundry.journeys.{module}.LONG_TEXT", 2 * SHOWN_TEXT)
    text = "\n\n".join(f"Rule {n} says that valve {n * 3} stays closed." for n in range(27_000))
    assert len(text) > 2 * SHOWN_TEXT
    (workspace.root / "sources/long.txt").write_text(text)
    steps: list[Step] = []
    read_sources(start_tally(workspace), progress=steps.append)
    cut = [step for step in steps if step.phase == "cut"]
    assert len({step.done for step in cut}) >= 3
    assert {step.item for step in cut} == {"sources/long.txt"}
    assert [step.phase for step in steps].index("store") > steps.index(cut[-1])
    stored = [step for step in steps if step.phase == "store"]
    assert (stored[0].done, stored[-1].done) == (0, stored[-1].total)
    assert len(stored) == 2 * stored[0].total + 1
