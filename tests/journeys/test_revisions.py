"""What a new revision changes, and whose words that concerns."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from foundry.errors import NotFound
from foundry.journeys.ask import AskRequest, ask
from foundry.journeys.drafts import accept_draft
from foundry.journeys.ingest import ingest
from foundry.journeys.revisions import compare_sources, find_impact, note_impact
from foundry.workspace import Workspace, open_workspace
from tests.journeys.draft_files import FILE, FUSE, OUTPUTS, SUPPLY, put_draft

SHEET = "sources/datasheet.md"


@pytest.fixture
def revised(built: Path, tmp_path: Path) -> Iterator[Workspace]:
    """The project with a draft, whose datasheet then has another fuse and no refresh rate."""
    root = shutil.copytree(built, tmp_path / "copy")
    with open_workspace(root, environment={}, cwd=root) as opened:
        put_draft(opened, feature=None)
        accept_draft(opened, FILE, by="Ann")
        ask(opened, AskRequest("How is the input fuse rated?"))
        path = root / SHEET
        text = path.read_text(encoding="utf-8").replace("3.15 A", "4 A")
        path.write_text(text.replace(OUTPUTS, "Cables are long."), encoding="utf-8")
        report = note_impact(opened, ingest(opened))
        assert [one.params["n"] for one in report.notices if one.code == "ingest-impact"] == [2]
        yield opened


def test_each_quotation_of_a_draft_is_kept_changed_or_lost(revised: Workspace) -> None:
    found = [one for one in find_impact(revised, SHEET).quotes if one.where == FILE]
    assert [(one.kind, one.statement) for one in found] == [
        ("kept", SUPPLY),
        ("changed", FUSE),
        ("lost", OUTPUTS),
    ]


def test_a_changed_quotation_has_what_stands_there_now(revised: Workspace) -> None:
    (changed,) = [
        one for one in find_impact(revised, SHEET).quotes if one.kind == "changed" and one.accepted
    ]
    assert changed.now is not None
    assert changed.now.text == "The input fuse is rated at 4 A slow."
    assert changed.now.section == "3.1 Supply"


def test_a_draft_whose_file_is_gone_is_named(revised: Workspace) -> None:
    (revised.root / FILE).unlink()
    assert find_impact(revised, SHEET).unread == (FILE,)


def test_a_stored_answer_is_traced_by_its_id(revised: Workspace) -> None:
    asked = "How is the input fuse rated?"
    row = next(row for row in revised.store.list_queries(10) if row.query == asked)
    found = [one for one in find_impact(revised, SHEET).quotes if one.where == row.id]
    assert (FUSE, "changed") in [(one.quote, one.kind) for one in found]


def test_quotations_of_an_older_revision_count(copy_of_two: Workspace) -> None:
    impact = find_impact(copy_of_two, "sources/guide-B.md")
    assert impact.older == ("sources/guide-A.md",)


@pytest.fixture
def copy_of_two(project: Path) -> Iterator[Workspace]:
    """A project with two revisions of one guide."""
    for mark, day, fuse in (("A", "2025-01-10", "2 A"), ("B", "2026-02-01", "3 A")):
        text = f"# Pump guide\n\nRev. {mark}, {day}\n\n## Ratings\n\nThe fuse is of {fuse}.\n"
        (project / f"sources/guide-{mark}.md").write_text(text, encoding="utf-8")
    with open_workspace(project, environment={}, cwd=project) as opened:
        ingest(opened)
        yield opened


def test_a_source_without_an_older_revision_says_what_to_do(copy_of_two: Workspace) -> None:
    with pytest.raises(NotFound) as caught:
        compare_sources(copy_of_two, "", "sources/guide-A.md")
    assert caught.value.problem.code == "source-no-older-revision"


def test_two_sources_are_compared_by_path(copy_of_two: Workspace) -> None:
    compared = compare_sources(copy_of_two, "", "sources/guide-B.md")
    assert compared == compare_sources(copy_of_two, "sources/guide-A.md", "sources/guide-B.md")
    changed = [one for one in compared.changes if one.kind == "changed"]
    assert [(one.old.text, one.new.text) for one in changed if one.old and one.new] == [
        ("The fuse is of 2 A.", "The fuse is of 3 A.")
    ]
    assert compared.same == 2
