"""Documents go only where they may, whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from foundry.errors import RuleError
from foundry.render.files import (
    OverwriteRefused,
    WriteError,
    check_output_path,
    delete_document,
    write_document,
)


@pytest.mark.parametrize("name", ["out.md", "deep/er/out.md", "./a/../out.md"])
def test_a_path_inside_is_allowed(tmp_path: Path, name: str) -> None:
    assert check_output_path(Path(name), tmp_path) == (tmp_path / name).resolve()


def test_an_absolute_path_inside_is_allowed(tmp_path: Path) -> None:
    assert check_output_path(tmp_path / "out.md", tmp_path) == tmp_path.resolve() / "out.md"


def test_a_path_in_an_allowed_folder_is_allowed(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    assert check_output_path(there / "out.md", here, [there]) == there.resolve() / "out.md"
    assert check_output_path(Path("../there/out.md"), here, [Path("../there")])


@pytest.mark.parametrize(
    "name",
    ["../out.md", "../../etc/crontab", "/etc/crontab", "a/../../out.md", "", ".", "..", "a\0b",
     "/dev/null", "/dev/stdout"],
)  # fmt: skip
def test_a_path_outside_is_refused(tmp_path: Path, name: str) -> None:
    here = tmp_path / "here"
    here.mkdir()
    with pytest.raises(RuleError) as caught:
        check_output_path(Path(name), here)
    assert caught.value.exit_status == 2
    assert caught.value.fix


def test_a_folder_with_the_same_prefix_is_outside(tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    (tmp_path / "hereafter").mkdir()
    with pytest.raises(RuleError):
        check_output_path(tmp_path / "hereafter" / "out.md", here)


def test_links_that_lead_out_are_refused(tmp_path: Path) -> None:
    here, outside = tmp_path / "here", tmp_path / "outside"
    here.mkdir()
    outside.mkdir()
    (here / "folder").symlink_to(outside)
    (here / "file.md").symlink_to(outside / "file.md")
    (here / "loop").symlink_to(here / "loop")
    for name in ("folder/out.md", "file.md", "loop/out.md"):
        with pytest.raises(RuleError):
            check_output_path(Path(name), here)


def test_a_link_that_stays_inside_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert check_output_path(Path("link/out.md"), tmp_path) == tmp_path.resolve() / "real/out.md"


def test_a_folder_or_a_pipe_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("folder", "pipe"):
        with pytest.raises(RuleError):
            check_output_path(Path(name), tmp_path)


def test_a_document_is_written_with_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "new" / "out.md"
    write_document(path, "één\n", overwrite=False)
    assert path.read_text(encoding="utf-8") == "één\n"
    assert [entry.name for entry in path.parent.iterdir()] == ["out.md"]


def test_an_existing_file_is_left_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "out.md"
    path.write_text("mine")
    with pytest.raises(OverwriteRefused, match=r"^File exists: out\.md$"):
        write_document(path, "new", overwrite=False)
    assert path.read_text() == "mine"


def test_a_file_that_appears_meanwhile_is_left_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.md"
    real = os.fsync

    def appear(descriptor: int) -> None:
        path.write_text("mine")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", appear)
    with pytest.raises(OverwriteRefused):
        write_document(path, "new", overwrite=False)
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]


def test_only_one_of_many_writers_wins(tmp_path: Path) -> None:
    path = tmp_path / "out.md"
    refused: list[str] = []

    def write(number: int) -> None:
        try:
            write_document(path, str(number) * 9, overwrite=False)
        except OverwriteRefused as error:
            refused.append(error.message)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 7
    assert len(set(path.read_text())) == 1
    assert list(tmp_path.iterdir()) == [path]


def test_overwriting_keeps_the_permissions(tmp_path: Path) -> None:
    path = tmp_path / "out.md"
    path.write_text("old")
    path.chmod(0o640)
    write_document(path, "new", overwrite=True)
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("overwrite", [True, False])
def test_a_full_disk_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, overwrite: bool
) -> None:
    path = tmp_path / "out.md"
    if overwrite:
        path.write_text("old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteError, match="disk is full") as caught:
        write_document(path, "new", overwrite=overwrite)
    assert caught.value.fix
    assert [p.read_text() for p in tmp_path.iterdir()] == (["old"] if overwrite else [])


def test_without_hard_links_it_is_still_one_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "out.md"
    write_document(path, "new", overwrite=False)
    assert path.read_text() == "new"
    with pytest.raises(OverwriteRefused):
        write_document(path, "newer", overwrite=False)
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_a_file_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(WriteError) as caught:
        write_document(tmp_path / "file" / "out.md", "new", overwrite=False)
    assert caught.value.where.endswith("out.md")


@pytest.mark.parametrize("name", ["foundry.yaml", "FOUNDRY.YAML", ".foundry/foundry.db", "a\nb.md"])
def test_what_belongs_to_the_project_is_never_an_output(tmp_path: Path, name: str) -> None:
    (tmp_path / ".foundry").mkdir()
    with pytest.raises(RuleError):
        check_output_path(Path(name), tmp_path)


def test_a_link_to_the_configuration_is_never_an_output(tmp_path: Path) -> None:
    (tmp_path / "foundry.yaml").write_text("a: 1")
    (tmp_path / "guide.md").symlink_to(tmp_path / "foundry.yaml")
    with pytest.raises(RuleError, match="belongs to the project itself"):
        check_output_path(Path("guide.md"), tmp_path)


def test_a_file_that_cannot_be_deleted_is_named_with_the_cause(tmp_path: Path) -> None:
    with pytest.raises(WriteError) as raised:
        delete_document(tmp_path / "gone.md", "features/gone.md")
    assert raised.value.where == "features/gone.md"
    assert raised.value.problem.params["cause"] == "No such file or directory"
