"""The client's document: what blocks it, what can be allowed, and what is written."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from foundry.errors import RuleError
from foundry.journeys.assembly import BuildRefused, assemble
from foundry.journeys.delivery import BuildTargets, build
from foundry.journeys.specifications import revoke_approval
from foundry.render.files import OverwriteRefused, WriteError
from foundry.workspace import Workspace, open_workspace
from tests.journeys.documents import FUSE, WHEN, draft, file_of, specify


@pytest.fixture
def project(built: Path, tmp_path: Path) -> Iterator[Workspace]:
    """An ingested project that a test may change."""
    root = tmp_path / "project"
    shutil.copytree(built, root)
    with open_workspace(root, environment={}, cwd=root) as opened:
        yield opened


@pytest.fixture
def ready(project: Workspace) -> Workspace:
    """Two approved features, each with an accepted draft."""
    for name, title in (("alpha", "Alpha supply"), ("beta", "Beta supply")):
        specify(project, name, title)
        draft(project, name)
    return project


def refusal(workspace: Workspace, *, allow_stale: bool = False) -> str:
    with pytest.raises(BuildRefused) as caught:
        assemble(workspace, created=WHEN, allow_stale=allow_stale)
    assert caught.value.fix
    return caught.value.message


def test_every_approved_feature_is_a_chapter(ready: Workspace) -> None:
    delivery, notices = assemble(ready, created=WHEN)
    assert [chapter.title for chapter in delivery.chapters] == ["Alpha supply", "Beta supply"]
    assert delivery.chapters[0].markdown == f"## Supply\n\n{FUSE}"
    assert (delivery.chapters[0].approved_by, delivery.chapters[0].accepted_by) == (
        "A. Prover",
        "R. Viewer",
    )
    assert (delivery.stale, notices) == ((), ())


def test_two_drafts_that_cite_the_same_place_share_one_number(ready: Workspace) -> None:
    delivery, _ = assemble(ready, created=WHEN)
    assert [note.place for note in delivery.notes] == ["datasheet.md §3.1"]
    assert len(delivery.register) == 1


def test_a_document_that_is_not_kept_is_no_file(ready: Workspace) -> None:
    target = ready.root / "output/all.md"
    built = build(ready, BuildTargets({"md": target}), created=WHEN, keep=False)
    assert b"Alpha supply" in built.rendered["md"]
    assert not target.exists()


def test_without_an_approved_feature_there_is_nothing_to_build(project: Workspace) -> None:
    assert "no approved feature" in refusal(project, allow_stale=True)


def test_all_obstacles_are_listed_at_once(ready: Workspace) -> None:
    specify(ready, "gamma", "Gamma")
    file_of(ready, "alpha").unlink()
    file_of(ready, "beta").write_text("Text.[^9]\n", encoding="utf-8")
    message = refusal(ready)
    assert "4 problems" in message
    assert "- alpha: output/alpha.md is missing" in message
    assert "- beta: output/beta.md was edited after it was accepted." in message
    assert "- beta: output/beta.md, line 1: [^9] has no footnote." in message
    assert "- gamma: It has no draft." in message


def test_a_feature_whose_approval_was_revoked_is_left_out_with_a_notice(ready: Workspace) -> None:
    revoke_approval(ready, "beta")
    delivery, notices = assemble(ready, created=WHEN)
    assert [chapter.feature for chapter in delivery.chapters] == ["alpha"]
    assert list(map(str, notices)) == ["beta: left out because its specification is not approved."]


def test_a_specification_edited_after_its_approval_blocks_the_build(ready: Workspace) -> None:
    path = ready.root / "features" / "beta.md"
    path.write_text(path.read_text(encoding="utf-8") + "\nMore.\n", encoding="utf-8")
    assert "beta: The specification beta changed after" in refusal(ready)
    delivery, _ = assemble(ready, created=WHEN, allow_stale=True)
    assert len(delivery.chapters) == 2


def test_an_unreadable_specification_cannot_be_allowed(ready: Workspace) -> None:
    (ready.root / "features" / "beta.md").write_bytes(b"\xff\xfe")
    assert "beta: features/beta.md cannot be read." in refusal(ready, allow_stale=True)


def test_a_draft_that_nobody_accepted_blocks_the_build(project: Workspace) -> None:
    specify(project, "alpha", "Alpha")
    draft(project, "alpha", accept=False)
    assert "No draft of it is accepted yet (output/alpha.md)." in refusal(project)


def test_an_edited_draft_can_be_allowed_and_is_marked(ready: Workspace) -> None:
    path = file_of(ready, "alpha")
    path.write_text(path.read_text(encoding="utf-8").replace("slow", "fast"), encoding="utf-8")
    assert "edited after it was accepted" in refusal(ready)
    delivery, _ = assemble(ready, created=WHEN, allow_stale=True)
    assert list(map(str, delivery.stale)) == [
        "alpha: output/alpha.md was edited after it was accepted."
    ]
    assert delivery.chapters[0].stale
    assert not delivery.chapters[1].stale


def test_a_changed_source_blocks_the_build(ready: Workspace) -> None:
    (ready.root / "sources" / "datasheet.md").write_text("# New\n", encoding="utf-8")
    assert "datasheet.md changed and has not been ingested" in refusal(ready)


def test_a_specification_changed_and_approved_again_blocks_the_build(
    ready: Workspace,
) -> None:
    specify(ready, "alpha", "Another title")
    assert "alpha changed after this draft was written" in refusal(ready)


def test_coverage_below_the_target_blocks_the_build(project: Workspace) -> None:
    specify(project, "alpha", "Alpha")
    draft(project, "alpha", attribution_coverage=0.8999)
    assert "The draft is only 89.9% supported, below 90%" in refusal(project)
    assert assemble(project, created=WHEN, allow_stale=True)[0].stale


@pytest.mark.parametrize("damage", ["missing", "broken", "binary", "empty"])
def test_an_unreadable_draft_cannot_be_allowed(ready: Workspace, damage: str) -> None:
    path = file_of(ready, "alpha")
    match damage:
        case "missing":
            path.unlink()
        case "broken":
            path.write_text(f"{FUSE}\n", encoding="utf-8")
        case "binary":
            path.write_bytes(b"\xff\xfe\x00")
        case _:
            path.write_text("", encoding="utf-8")
    assert "alpha" in refusal(ready, allow_stale=True)


def test_a_missing_chapter_that_is_allowed_is_reported(ready: Workspace) -> None:
    specify(ready, "gamma", "Gamma")
    delivery, _ = assemble(ready, created=WHEN, allow_stale=True)
    assert [chapter.feature for chapter in delivery.chapters] == ["alpha", "beta"]
    assert list(map(str, delivery.stale)) == ["gamma: It has no draft."]


def test_sources_with_the_same_name_are_distinguished_in_the_whole_document(
    ready: Workspace,
) -> None:
    record = ready.store.find_draft("output/beta.md")
    assert record
    other = replace(record.sources[0], path="other/datasheet.md")
    ready.store.save_draft(replace(record, sources=(other,)))
    delivery, _ = assemble(ready, created=WHEN, allow_stale=True)
    assert [note.place for note in delivery.notes] == [
        "sources/datasheet.md §3.1",
        "other/datasheet.md §3.1",
    ]


def test_a_newer_draft_that_nobody_accepted_is_noted(ready: Workspace) -> None:
    record = ready.store.find_draft("output/alpha.md")
    assert record
    later = record.created.replace(year=2027)
    ready.store.save_draft(replace(record, path="output/later.md", created=later, review=None))
    _, notices = assemble(ready, created=WHEN)
    assert list(map(str, notices)) == ["alpha: output/later.md is newer, but nobody accepted it."]


def test_all_formats_are_written_and_are_reproducible(ready: Workspace) -> None:
    targets = {name: ready.root / "output" / f"x.{name}" for name in ("md", "docx", "pdf", "html")}
    build(ready, BuildTargets(targets), created=WHEN)
    first = {name: path.read_bytes() for name, path in targets.items()}
    build(ready, BuildTargets(targets), created=WHEN, overwrite=True)
    assert {name: path.read_bytes() for name, path in targets.items()} == first
    assert first["pdf"].startswith(b"%PDF")


def test_an_existing_file_prevents_every_format_from_being_written(ready: Workspace) -> None:
    targets = {name: ready.root / "output" / f"x.{name}" for name in ("md", "html")}
    targets["html"].write_text("mine")
    with pytest.raises(OverwriteRefused):
        build(ready, BuildTargets(targets), created=WHEN)
    assert targets["html"].read_text() == "mine"
    assert not targets["md"].exists()


def test_a_folder_that_cannot_be_created_leaves_nothing_behind(ready: Workspace) -> None:
    (ready.root / "taken").write_text("a file")
    targets = {"md": ready.root / "output" / "x.md", "html": ready.root / "taken" / "x.html"}
    with pytest.raises(WriteError):
        build(ready, BuildTargets(targets), created=WHEN)
    left = [path.name for path in (ready.root / "output").iterdir()]
    assert sorted(left) == ["alpha.md", "beta.md"]


def test_a_second_build_at_the_same_time_is_refused(ready: Workspace) -> None:
    refused: list[str] = []

    def second(_step: object) -> None:
        with pytest.raises(RuleError) as caught:
            build(ready, BuildTargets({}), created=WHEN)
        refused.append(caught.value.message)

    targets = BuildTargets({"md": ready.root / "output" / "x.md"})
    build(ready, targets, created=WHEN, progress=second)
    assert refused[0] == "Another build of this project is running."


@pytest.mark.parametrize(("written", "shown"), [("nl", "nl"), ("en", "en"), ("de", "en")])
def test_the_document_is_in_the_language_of_its_drafts(
    project: Workspace, written: str, shown: str
) -> None:
    specify(project, "alpha", "Alpha")
    draft(project, "alpha", language=written)
    assert assemble(project, created=WHEN)[0].language == shown


def test_what_an_agent_wrote_follows_the_features_under_its_own_title(ready: Workspace) -> None:
    draft(ready, "zeta", agent="pdr")
    draft(ready, "eta", agent="blueprint")
    delivery, notices = assemble(ready, created=WHEN)
    titles = [chapter.title for chapter in delivery.chapters]
    assert titles == ["Alpha supply", "Beta supply", "eta", "zeta"]
    assert (delivery.chapters[3].feature, delivery.chapters[3].approved) == (None, None)
    assert notices == ()


def test_an_agents_draft_is_enough_for_a_document_in_every_format(project: Workspace) -> None:
    draft(project, "note", agent="pdr")
    targets = {name: project.root / f"out.{name}" for name in ("md", "docx", "html")}
    built = build(project, BuildTargets(targets), created=WHEN)
    assert [chapter.title for chapter in built.delivery.chapters] == ["note"]
    assert "approved by" not in targets["html"].read_text(encoding="utf-8")


def test_agents_drafts_that_are_no_chapter_are_named(ready: Workspace) -> None:
    draft(ready, "idle", agent="pdr", accept=False)
    draft(ready, "lost", agent="blueprint")
    file_of(ready, "lost").unlink()
    delivery, notices = assemble(ready, created=WHEN)
    assert len(delivery.chapters) == 2
    assert sorted(map(str, notices)) == [
        "Left out, because its file is gone: output/lost.md.",
        "Left out, because nobody accepted it: output/idle.md.",
    ]


def test_of_two_drafts_of_an_agent_on_one_topic_the_last_accepted_counts(ready: Workspace) -> None:
    draft(ready, "first", agent="pdr", topic="Supply")
    draft(ready, "second", agent="pdr", topic="supply")
    delivery, _ = assemble(ready, created=WHEN)
    assert [chapter.title for chapter in delivery.chapters][2:] == ["second"]


def test_a_feature_has_a_chapter_for_each_agent_that_wrote_of_it(ready: Workspace) -> None:
    of_alpha = ready.store.find_draft("output/alpha.md")
    assert of_alpha
    shutil.copy(file_of(ready, "alpha"), ready.root / "output" / "review.md")
    ready.store.save_draft(replace(of_alpha, path="output/review.md", agent="pdr"))
    chapters = assemble(ready, created=WHEN)[0].chapters
    titles = [(one.feature, one.title) for one in chapters]
    assert titles == [("alpha", "Alpha supply"), ("alpha", "alpha"), ("beta", "Beta supply")]
