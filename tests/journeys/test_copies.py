"""Files with the same bytes: one source with several paths and one set of labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from foundry.errors import NotFound
from foundry.journeys.index import IngestOptions
from foundry.journeys.ingest import ingest
from foundry.journeys.search import search
from foundry.journeys.source_files import read_queue
from foundry.journeys.sources import get_source
from foundry.journeys.work.changes import ChosenSources, Labels, change_sources, remove_sources
from foundry.records import Confidentiality, IngestReport, Source
from foundry.workspace import Workspace, open_workspace
from tests.journeys.test_attachments import build_mail

PUMP = "# Pump manual\n\nThe pump runs at 230 V. Service it every 400 hours.\n"
OTHER = "# Valve\n\nThe valve opens at 3 bar.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "foundry.yaml").write_text("project: {id: prj_test}\n", encoding="utf-8")
    with open_workspace(tmp_path, environment={}, cwd=tmp_path) as workspace:
        for name in ("a/pump.md", "closed/copy.md"):
            write(workspace, name, PUMP)
        yield workspace


def write(workspace: Workspace, name: str, text: str) -> None:
    path = workspace.root / "sources" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def read(
    workspace: Workspace,
    below: str = "",
    level: Confidentiality | None = None,
    *,
    prune: bool = False,
) -> IngestReport:
    places = [workspace.root / "sources" / below] if below else []
    return ingest(workspace, places, options=IngestOptions(prune, None, level))


def list_paths(workspace: Workspace) -> dict[str, tuple[str, ...]]:
    cut = len("sources/")
    return {
        one.path[cut:]: tuple(path[cut:] for path in one.copies)
        for one in workspace.store.list_sources()
    }


def test_two_files_with_the_same_bytes_are_one_source(folder: Workspace) -> None:
    report = read(folder)
    assert list_paths(folder) == {"a/pump.md": ("closed/copy.md",)}
    (copy,) = (file for file in report.files if file.path.endswith("copy.md"))
    assert str(copy.reason) == "the same file as sources/a/pump.md"
    assert folder.maintenance().verify() == []


def test_the_same_bytes_are_read_once(folder: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    take = read_queue._save_outcome

    def count(tally: object, outcome: object, *rest: object) -> object:
        names.append(outcome.job.options.name)  # type: ignore[attr-defined]
        return take(tally, outcome, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(read_queue, "_save_outcome", count)
    read(folder)
    assert names == ["sources/a/pump.md"]


def test_a_source_is_found_by_each_of_its_paths(folder: Workspace) -> None:
    read(folder)
    assert get_source(folder, "sources/closed/copy.md").path == "sources/a/pump.md"
    with pytest.raises(NotFound):
        get_source(folder, "sources/closed/other.md")


def test_a_second_ingest_changes_nothing(folder: Workspace) -> None:
    read(folder)
    before = folder.store.list_sources()
    report = read(folder)
    assert {file.status for file in report.files} == {"unchanged"}
    assert folder.store.list_sources() == before


def test_a_source_goes_on_at_its_copy_when_its_file_is_gone(folder: Workspace) -> None:
    read(folder)
    (folder.root / "sources/a/pump.md").unlink()
    report = read(folder, prune=True)
    assert list_paths(folder) == {"closed/copy.md": ()}
    assert report.embedded == 0
    assert folder.maintenance().verify() == []
    assert search(folder, "pump voltage").hits[0].source.path == "sources/closed/copy.md"


def test_a_copy_that_is_gone_leaves_the_source(folder: Workspace) -> None:
    read(folder)
    (folder.root / "sources/closed/copy.md").unlink()
    read(folder)
    assert list_paths(folder) == {"a/pump.md": ()}


def test_a_copy_that_changed_is_a_source_of_its_own_with_the_same_labels(
    folder: Workspace,
) -> None:
    read(folder, level="internal")
    write(folder, "closed/copy.md", PUMP + "\nMore.\n")
    read(folder)
    assert list_paths(folder) == {"a/pump.md": (), "closed/copy.md": ()}
    assert {one.confidentiality for one in folder.store.list_sources()} == {"internal"}


def test_a_source_whose_file_changed_leaves_its_words_to_the_copy(folder: Workspace) -> None:
    read(folder)
    write(folder, "a/pump.md", OTHER)
    read(folder)
    titles = {one.path: one.title for one in folder.store.list_sources()}
    assert titles == {"sources/a/pump.md": "Valve", "sources/closed/copy.md": "Pump manual"}


def test_two_files_that_exchange_their_content_stay_two_sources(folder: Workspace) -> None:
    write(folder, "closed/copy.md", OTHER)
    read(folder)
    write(folder, "closed/copy.md", PUMP)
    write(folder, "a/pump.md", OTHER)
    read(folder)
    titles = {one.path: one.title for one in folder.store.list_sources()}
    assert titles == {"sources/a/pump.md": "Valve", "sources/closed/copy.md": "Pump manual"}
    assert folder.maintenance().verify() == []


def test_the_stricter_confidentiality_holds_and_is_said(folder: Workspace) -> None:
    read(folder)
    report = read(folder, "closed", "confidential")
    (source,) = folder.store.list_sources()
    assert source.confidentiality == "confidential"
    assert "the stricter confidentiality" in str(report.notices[0])
    assert folder.maintenance().view("public").list_sources() == []


def test_a_copy_in_an_open_folder_does_not_open_a_closed_file(folder: Workspace) -> None:
    read(folder, "closed", "secret")
    read(folder, "a", "public")
    (source,) = folder.store.list_sources()
    assert source.confidentiality == "secret"


def test_what_is_asked_of_all_copies_at_once_holds(folder: Workspace) -> None:
    read(folder, level="secret")
    read(folder, level="public")
    (source,) = folder.store.list_sources()
    assert source.confidentiality == "public"


def test_an_attachment_and_a_file_with_the_same_bytes_are_one_source(folder: Workspace) -> None:
    path = folder.root / "sources/offer.eml"
    path.write_bytes(build_mail(("pump.md", PUMP.encode())))
    read(folder)
    assert list_paths(folder)["a/pump.md"] == ("closed/copy.md", "offer.eml/pump.md")
    path.write_bytes(build_mail(("pump.md", OTHER.encode())))
    read(folder)
    assert list_paths(folder)["a/pump.md"] == ("closed/copy.md",)
    assert list_paths(folder)["offer.eml/pump.md"] == ()


OFFER = ChosenSources(["sources/offer.eml"])


def test_a_closed_mail_closes_the_file_that_is_attached_to_it(folder: Workspace) -> None:
    path = folder.root / "sources/offer.eml"
    path.write_bytes(build_mail(("pump.md", PUMP.encode())))
    read(folder)
    change_sources(folder, OFFER, Labels(confidentiality="secret"))
    assert get_source(folder, "sources/a/pump.md").confidentiality == "secret"
    change_sources(folder, OFFER, Labels(confidentiality="public"))
    assert get_source(folder, "sources/a/pump.md").confidentiality == "secret"


@pytest.mark.parametrize("name", ["sources/a/pump.md", "sources/closed/copy.md"])
def test_a_path_is_removed_alone(folder: Workspace, name: str) -> None:
    read(folder)
    assert remove_sources(folder, [name]) == [name]
    (source,) = folder.store.list_sources()
    assert source.path != name
    assert source.copies == ()


def test_an_id_removes_all_paths(folder: Workspace) -> None:
    read(folder)
    (source,) = folder.store.list_sources()
    removed = remove_sources(folder, [source.id], files=True)
    assert sorted(removed) == ["sources/a/pump.md", "sources/closed/copy.md"]
    assert not list(folder.root.glob("sources/*/*.md"))
    assert folder.store.list_sources() == []


def test_sources_of_an_earlier_foundry_become_one(folder: Workspace) -> None:
    write(folder, "closed/copy.md", OTHER)
    read(folder, level="secret")
    store = folder.maintenance()
    one, other = store.list_sources()
    _save_as(folder, one, other)
    write(folder, "closed/copy.md", PUMP)
    read(folder, "a", "public")
    read(folder)
    assert list_paths(folder) == {"a/pump.md": ("closed/copy.md",)}
    assert store.list_sources()[0].confidentiality == "secret"


def _save_as(workspace: Workspace, one: Source, other: Source) -> None:
    """Have the other source the bytes of the first, as two files could before."""
    same = replace(other, content_hash=one.content_hash, size=one.size)
    workspace.maintenance().update_source(same)
