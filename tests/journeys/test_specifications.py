"""Specifications on disk: found, chosen, approved; nothing outside the folder is read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from foundry.errors import RuleError, UsageError
from foundry.journeys import specifications
from foundry.journeys.specifications import (
    approve_specification,
    check_specification,
    choose_specification,
    create_specification,
    get_specification,
    list_specifications,
    revoke_approval,
)
from foundry.records import Specification
from foundry.workspace import Workspace, open_workspace
from tests.journeys.conftest import write_project

SPEC = (
    "---\ntitle: {name}\nowner: Ann\nsections:\n  - Supply\n"
    "source_hierarchy:\n  - sources/data*\n---\n\nEvery value has its source.\n"
)


def put(workspace: Workspace, *names: str, text: str = SPEC) -> Path:
    folder = workspace.root / "features"
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / f"{name}.md").write_bytes(text.replace("{name}", name).encode())
    return folder


def test_specifications_are_listed_by_name_without_the_readme(workspace: Workspace) -> None:
    folder = put(workspace, "b", "a", "README", ".hidden")
    (folder / "notes.txt").write_text("x")
    assert [feature.name for feature in list_specifications(workspace)] == ["a", "b"]


def test_a_project_without_the_folder_has_none(workspace: Workspace) -> None:
    assert list_specifications(workspace) == ()
    with pytest.raises(RuleError, match="no feature specification"):
        choose_specification(workspace, None)


@pytest.mark.parametrize("name", ["a", "a.md", "features/a.md"])
def test_a_specification_is_found_by_its_name_or_file(workspace: Workspace, name: str) -> None:
    put(workspace, "a")
    assert get_specification(workspace, name).path == "features/a.md"


@pytest.mark.parametrize("name", ["../foundry", "../features/a", "/etc/passwd", "", "x/../a", "A"])
def test_only_names_in_the_folder_are_accepted(workspace: Workspace, name: str) -> None:
    put(workspace, "a")
    with pytest.raises(UsageError):
        get_specification(workspace, name)


def test_an_unknown_name_is_answered_with_the_nearest(workspace: Workspace) -> None:
    put(workspace, "wiring-guide", "safety")
    with pytest.raises(UsageError) as caught:
        choose_specification(workspace, "wirring")
    assert "wiring-guide" in caught.value.fix


def test_the_only_approved_specification_is_chosen(workspace: Workspace) -> None:
    put(workspace, "a", "b")
    approve_specification(workspace, "b", "Ann")
    assert choose_specification(workspace, None).name == "b"
    assert choose_specification(workspace, "b").approval


def test_with_several_approved_ones_the_name_is_required(workspace: Workspace) -> None:
    put(workspace, "a", "b", "c")
    for name in ("a", "c"):
        approve_specification(workspace, name, "Ann")
    with pytest.raises(RuleError, match=r"\(a, c\): one must be named"):
        choose_specification(workspace, None)
    assert choose_specification(workspace, "c").name == "c"


def test_without_an_approved_one_all_are_listed_with_their_status(workspace: Workspace) -> None:
    folder = put(workspace, "a", "b")
    put(workspace, "bad", text="nothing")
    approve_specification(workspace, "b", "Ann")
    (folder / "b.md").write_text((folder / "b.md").read_text() + "More.\n")
    with pytest.raises(RuleError, match=r"a \(draft\), b \(changed\), bad \(broken\)") as caught:
        choose_specification(workspace, None)
    assert "foundry feature approve a" in caught.value.fix


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SPEC, "is a draft"),
        (SPEC.replace("owner", "status: approved\nowner"), "no record of an approval"),
        ("words", "cannot be read: line 1"),
    ],
)
def test_a_named_one_that_is_not_approved_is_refused(
    workspace: Workspace, text: str, message: str
) -> None:
    put(workspace, "a", text=text)
    with pytest.raises(RuleError, match=message) as caught:
        choose_specification(workspace, "a")
    assert "foundry feature" in caught.value.fix


def test_an_edit_ends_an_approval_and_undoing_it_brings_it_back(workspace: Workspace) -> None:
    path = put(workspace, "a") / "a.md"
    approve_specification(workspace, "a", "Ann")
    kept = path.read_bytes()
    path.write_bytes(kept + b"More.\n")
    with pytest.raises(RuleError, match="changed since Ann approved it"):
        choose_specification(workspace, "a")
    path.write_bytes(kept)
    assert choose_specification(workspace, "a").approved


def test_a_blocked_specification_is_neither_approved_nor_changed(workspace: Workspace) -> None:
    path = put(workspace, "a", text=SPEC.replace("owner: Ann\n", "")) / "a.md"
    before = path.read_bytes()
    with pytest.raises(RuleError, match="It has no owner"):
        approve_specification(workspace, "a", "Ann")
    assert path.read_bytes() == before


def test_approving_twice_keeps_the_first_unless_someone_else_does(workspace: Workspace) -> None:
    path = put(workspace, "a") / "a.md"
    approve_specification(workspace, "a", "Ann")
    first = path.read_bytes()
    assert approve_specification(workspace, "a", " Ann ").approval
    assert path.read_bytes() == first
    second = approve_specification(workspace, "a", "Bob\n\x1b[31m")
    assert second.approval
    assert second.approval.by == "Bob [31m"


@pytest.mark.parametrize("by", ["", "  ", "\x00", "x" * 201])
def test_an_approval_needs_a_name(workspace: Workspace, by: str) -> None:
    put(workspace, "a")
    with pytest.raises(UsageError):
        approve_specification(workspace, "a", by)


def test_revoking_restores_the_file_and_takes_it_out_of_the_gate(workspace: Workspace) -> None:
    text = SPEC.replace("owner", "status: draft\nowner").replace("\n", "\r\n")
    path = put(workspace, "a", text=text) / "a.md"
    before = path.read_bytes()
    approve_specification(workspace, "a", "Ann")
    assert revoke_approval(workspace, "a").status == "draft"
    assert path.read_bytes() == before
    assert revoke_approval(workspace, "a").status == "draft"


@pytest.fixture(params=["sqlite", "postgres"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    """A project on each store."""
    storage = ""
    if request.param == "postgres":
        storage = f"storage: {{url: '{request.getfixturevalue('address')}'}}\n"
    root = write_project(tmp_path / "either", storage)
    with open_workspace(root, environment={}, cwd=root) as workspace:
        yield workspace


def test_a_revocation_waits_for_the_approval_under_way_and_ends_it(either: Workspace) -> None:
    put(either, "a")
    thread = Thread(target=revoke_approval, args=(either, "a"))
    with either.store.lock("approval"):
        thread.start()
        thread.join(timeout=0.3)
        assert thread.is_alive()
        specifications._approve(either, "a", "Ann", None)
    thread.join()
    assert get_specification(either, "a").status == "draft"


def test_approvals_at_once_leave_a_whole_file_with_one_of_them(workspace: Workspace) -> None:
    put(workspace, "a")
    start = Barrier(4)

    def approve(by: str) -> None:
        start.wait()
        approve_specification(workspace, "a", by)

    threads = [Thread(target=approve, args=(f"P{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    feature = get_specification(workspace, "a")
    assert feature.approved
    assert [path.name for path in (workspace.root / "features").iterdir()] == ["a.md"]


def test_a_change_during_the_approval_prevents_it(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(workspace, "a") / "a.md"

    def save_then_write(*arguments: Any) -> Specification:
        path.write_text(SPEC + "Not reviewed.\n")
        return write(*arguments)

    write = specifications._write_approval
    monkeypatch.setattr(specifications, "_write_approval", save_then_write)
    with pytest.raises(RuleError, match="changed by someone else"):
        approve_specification(workspace, "a", "Ann")
    assert get_specification(workspace, "a").status == "draft"


def test_a_new_specification_is_a_template_and_overwrites_nothing(workspace: Workspace) -> None:
    feature = create_specification(workspace, "safety-file", owner="Sanne")
    assert (feature.title, feature.status, feature.owner) == ("Safety file", "draft", "Sanne")
    before = (workspace.root / feature.path).read_bytes()
    for name in ("safety-file", "Safety-File.md"):
        with pytest.raises(RuleError, match="already"):
            create_specification(workspace, name)
    assert (workspace.root / feature.path).read_bytes() == before


@pytest.mark.parametrize("name", ["", "../x", "a b", "-x", "a/b", ".md", "x" * 65, "nul\x00"])
def test_an_invalid_name_is_refused(workspace: Workspace, name: str) -> None:
    with pytest.raises(UsageError, match="not a valid name for a specification"):
        create_specification(workspace, name)


def test_a_link_to_outside_the_folder_is_broken_and_not_read(workspace: Workspace) -> None:
    folder = put(workspace, "a")
    (workspace.root / "secret.md").write_text(SPEC)
    (folder / "link.md").symlink_to(workspace.root / "secret.md")
    (folder / "lost.md").symlink_to(folder / "gone.md")
    (folder / "circle.md").symlink_to(folder / "circle.md")
    found = {feature.name: feature.status for feature in list_specifications(workspace)}
    assert found == {"a": "draft", "link": "broken", "lost": "broken", "circle": "broken"}
    assert "outside the folder" in get_specification(workspace, "link").problems[0].message


def test_a_folder_linked_to_outside_the_project_is_refused(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (workspace.root / "features").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RuleError, match="outside the project"):
        list_specifications(workspace)
    with pytest.raises(RuleError, match="outside the project"):
        create_specification(workspace, "a")


def test_files_of_every_kind_are_listed_as_broken(workspace: Workspace) -> None:
    folder = put(workspace, "empty", text="")
    (folder / "latin.md").write_bytes("---\ntitle: é\n".encode("latin-1"))
    (folder / "large.md").write_bytes(b"x" * 1_000_001)
    (folder / "folder.md").mkdir()
    os.mkfifo(folder / "pipe.md")
    features = list_specifications(workspace)
    assert {feature.status for feature in features} == {"broken"}
    messages = {feature.name: feature.problems[0].message for feature in features}
    assert messages["latin"] == "It is not UTF-8 text."
    assert messages["folder"] == messages["pipe"] == "It is not a regular file."
    assert "too large" in messages["large"]


def test_patterns_wait_for_sources(workspace: Workspace) -> None:
    put(workspace, "a")
    assert "No sources are ingested yet" in check_specification(workspace, "a")[0].message


def test_a_pattern_that_matches_no_source_is_a_hint(built: Path, tmp_path: Path) -> None:
    root = shutil.copytree(built, tmp_path / "copy")
    with open_workspace(root, environment={}, cwd=root) as copy:
        put(
            copy, "a", text=SPEC.replace("  - sources/data*", "  - sources/data*\n  - datasheat.md")
        )
        (problem,) = check_specification(copy, "a")
    assert "datasheat.md" in problem.message
    assert not problem.blocking
    assert "sources/datasheet.md" in problem.fix


def test_a_composed_name_is_the_same_however_it_is_stored(workspace: Workspace) -> None:
    put(workspace, "geme\u0301ten")
    assert get_specification(workspace, "gem\u00e9ten").name == "gem\u00e9ten"
    assert approve_specification(workspace, "gem\u00e9ten", "Ann").approved


def test_a_name_that_is_not_utf8_is_checked_like_any_other(workspace: Workspace) -> None:
    folder = put(workspace, "a")
    with open(os.fsencode(folder) + b"/b\xff.md", "wb") as file:
        file.write(SPEC.encode())
    names = [feature.name for feature in list_specifications(workspace)]
    assert names == ["a", "b\\udcff"]
    assert "is not a valid name" in check_specification(workspace, names[1])[0].message


def test_a_name_with_a_line_break_is_shown_on_one_line(workspace: Workspace) -> None:
    put(workspace, "a\nb")
    (spec,) = list_specifications(workspace)
    assert (spec.name, spec.path) == ("a\\nb", "features/a\\nb.md")
    assert not spec.approved
