"""What a new revision changes, and whose words that concerns."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from foundry.errors import NotFound
from foundry.journeys.ask import AskRequest, ask
from foundry.journeys.drafts import accept_draft
from foundry.journeys.ingest import ingest
from foundry.journeys.query_log import log_answer
from foundry.journeys.revisions import compare_sources, find_citing, find_impact, note_impact
from foundry.records import DraftRecord, UsedSource
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


# What cites a source


@pytest.fixture
def own(built: Path, tmp_path: Path) -> Iterator[Workspace]:
    root = shutil.copytree(built, tmp_path / "project")
    with open_workspace(root, environment={}, cwd=root) as opened:
        yield opened


def test_an_answer_is_found_by_the_words_that_it_cites(own: Workspace) -> None:
    answer = ask(own, "At what value is the input fuse rated?")
    log_answer(own, answer)
    source = own.store.find_source("sources/datasheet.md")
    assert source
    found = find_citing(own, source)
    text = own.store.source_text(source.id)
    assert any("3.15 A" in text[item.start : item.end] for item in found)
    assert "At what value is the input fuse rated?" in {item.title for item in found}
    shown = {one.evidence.hit.source.id for one in answer.sources}
    others = [one for one in own.store.list_sources() if one.id not in shown]
    assert others
    assert all(answer.id not in {item.id for item in find_citing(own, one)} for one in others)


def test_a_citation_moves_with_its_words(own: Workspace) -> None:
    log_answer(own, ask(own, "At what value is the input fuse rated?"))
    file = own.root / "sources/datasheet.md"
    file.write_text("A new first line.\n\n" + file.read_text())
    ingest(own, [file])
    source = own.store.find_source("sources/datasheet.md")
    assert source
    text = own.store.source_text(source.id)
    assert any("3.15 A" in text[item.start : item.end] for item in find_citing(own, source))


def test_a_draft_is_found_by_the_quotes_in_its_notes(own: Workspace) -> None:
    (own.root / "output").mkdir()
    (own.root / "output/a.md").write_text(
        "# A\n\nSupplied by 12 V.[^2] The fuse is slow.[^1]\n\n"
        "[^1]: datasheet.md §3.1\n\n    > The input fuse is rated at 3.15 A slow.\n\n"
        "[^2]: code.txt\n\n    > The input fuse is rated at 3.15 A slow.\n"
    )
    used = UsedSource("sources/datasheet.md", "DX-4 datasheet", "")
    record = DraftRecord(
        "output/a.md", "Fuses", datetime.now(UTC), "", None, None, "answer", "en", "m", "offline",
        None, None, sources=(used,),
    )  # fmt: skip
    own.store.save_draft(record)
    source = own.store.find_source("sources/datasheet.md")
    assert source
    (cited,) = (item for item in find_citing(own, source) if item.is_draft)
    assert (cited.title, cited.sentence, cited.is_draft) == ("Fuses", "The fuse is slow.", True)


def test_a_quote_that_its_source_has_twice_is_at_no_place(own: Workspace) -> None:
    put_draft(own, FUSE, feature=None)
    path = own.root / SHEET
    for places in (1, 0):
        source = own.store.find_source(SHEET)
        assert source
        assert sum(item.is_draft for item in find_citing(own, source)) == places
        path.write_text(f"{path.read_text()}\n\n## Spare fuses\n\n{FUSE}\n", encoding="utf-8")
        ingest(own, [path])
