"""One file on which cutting hangs, takes memory or fails: it fails by name, and the others go on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from foundry.errors import ReadError
from foundry.journeys.ingest import ingest
from foundry.journeys.passages.correction_requests import CorrectionRequest
from foundry.journeys.passages.corrections import add_correction
from foundry.ports import Step
from foundry.readers.workers import ParserPool
from foundry.records import FileReport, IngestReport
from foundry.workspace import Workspace
from tests.support import hostile_cutters

FILE = "hostile.md"


@pytest.fixture(autouse=True)
def _limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process for each hostile file, with three seconds and 400 MB for each of its phases."""

    def open_pool(
        _workspace: Workspace, function: Callable[..., object] | None = None
    ) -> ParserPool:
        name = function.__name__ if function else "read_and_cut"
        return ParserPool(
            len(hostile_cutters.STEPS), 3, 400, reader=f"{hostile_cutters.__name__}:{name}"
        )

    for module in ("source_files.run", "passages.corrections"):
        monkeypatch.setattr(f"foundry.journeys.{module}.open_parser_pool", open_pool)


def read(workspace: Workspace, words: str, **options: object) -> dict[str, FileReport]:
    (workspace.root / "sources" / FILE).write_text(f"{words} is the first word of this file.\n")
    report: IngestReport = ingest(workspace, **options)  # type: ignore[arg-type]
    return {Path(file.path).name: file for file in report.files}


def test_a_file_on_which_a_step_of_cutting_hangs_fails_by_name(workspace: Workspace) -> None:
    for step in hostile_cutters.STEPS:
        (workspace.root / f"sources/{step}.md").write_text(f"hang:{step} is its first word.\n")
    files = read(workspace, "Peace")
    for step in hostile_cutters.STEPS:
        cutting = step in {"detect_language", "chunk_document"}
        what = "Cutting the file into passages" if cutting else "Analysing its passages"
        assert f"{what} took longer than 3 seconds" in str(files.pop(f"{step}.md").reason)
    assert {file.status for file in files.values()} == {"added"}
    assert len(files) == 4


def test_a_file_whose_cutting_takes_memory_without_end_fails_by_name(workspace: Workspace) -> None:
    files = read(workspace, "eat:chunk_document")
    assert "passages took more than 400 MB" in str(files[FILE].reason)
    assert files["code.txt"].status == "added"


def test_a_file_whose_cutting_fails_says_why(workspace: Workspace) -> None:
    files = read(workspace, "raise:summarise")
    assert "could not be cut into passages: RecursionError('too deep')" in str(files[FILE].reason)
    assert files["code.txt"].status == "added"


def test_the_earlier_revision_of_a_file_that_cannot_be_cut_stays(workspace: Workspace) -> None:
    read(workspace, "Peace")
    source = workspace.store.list_sources(f"sources/{FILE}")[0]
    files = read(workspace, "hang:cut_windows")
    assert files[FILE].status == "failed"
    assert workspace.store.list_sources(f"sources/{FILE}") == [source]
    assert workspace.maintenance().verify() == []


def test_what_hung_is_read_when_its_file_is_whole_again(workspace: Workspace) -> None:
    read(workspace, "hang:chunk_document")
    assert read(workspace, "Peace")[FILE].status == "added"


def test_progress_names_the_file_that_hangs(workspace: Workspace) -> None:
    steps: list[Step] = []
    read(workspace, "hang:chunk_document", progress=steps.append)
    named = [str(step.item) for step in steps if step.phase == "read"]
    assert named.count(f"sources/{FILE}") >= 2


def test_embedding_names_the_file_at_work(workspace: Workspace) -> None:
    steps: list[Step] = []
    read(workspace, "Peace", progress=steps.append)
    assert next(step for step in steps if step.phase == "embed").item.startswith("sources/")


def test_a_correction_on_which_cutting_hangs_changes_nothing(workspace: Workspace) -> None:
    read(workspace, "Peace")
    request = CorrectionRequest(words="Peace", read="Piece", reason="misread")
    with pytest.raises(ReadError, match="longer than 3 seconds"):
        add_correction(workspace, f"sources/{FILE}", request, "Ann")
    source = workspace.store.list_sources(f"sources/{FILE}")[0]
    assert workspace.store.source_text(source.id).startswith("Peace")
    assert workspace.store.list_corrections() == []
