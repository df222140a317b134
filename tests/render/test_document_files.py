"""Several documents are written all or none, whatever happens on the way."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from foundry.render import files
from foundry.render.files import OverwriteRefused, WriteError, write_documents


def left(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_all_files_are_written_and_folders_created(tmp_path: Path) -> None:
    write_documents({tmp_path / "new" / "a": b"1", tmp_path / "new" / "b": b"2"}, overwrite=False)
    assert left(tmp_path / "new") == {"a": b"1", "b": b"2"}


def test_an_existing_file_prevents_the_whole_write(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"mine")
    with pytest.raises(OverwriteRefused):
        write_documents({tmp_path / "a": b"1", tmp_path / "b": b"2"}, overwrite=False)
    assert left(tmp_path) == {"b": b"mine"}


def test_a_file_that_appears_meanwhile_stays_and_the_write_is_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = files._put_in_place

    def late(temporary: Path, path: Path, *, overwrite: bool) -> None:
        if path.name == "b":
            path.write_bytes(b"theirs")
        place(temporary, path, overwrite=overwrite)

    monkeypatch.setattr(files, "_put_in_place", late)
    with pytest.raises(OverwriteRefused):
        write_documents({tmp_path / "a": b"1", tmp_path / "b": b"2"}, overwrite=False)
    assert left(tmp_path) == {"b": b"theirs"}


def test_a_failure_halfway_restores_the_old_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(0o640)
    place = files._put_in_place

    def failing(temporary: Path, path: Path, *, overwrite: bool) -> None:
        if path.name == "b":
            raise OSError(errno.EIO, "broken")
        place(temporary, path, overwrite=overwrite)

    monkeypatch.setattr(files, "_put_in_place", failing)
    with pytest.raises(WriteError):
        write_documents({tmp_path / "a": b"1", tmp_path / "b": b"2"}, overwrite=True)
    assert left(tmp_path) == {"a": b"old"}
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_a_full_disk_is_found_before_anything_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_bytes(b"old")
    synced: list[int] = []

    def full(descriptor: int) -> None:
        synced.append(descriptor)
        if len(synced) == 2:
            raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteError, match="disk is full"):
        write_documents({tmp_path / "a": b"1", tmp_path / "b": b"2"}, overwrite=True)
    assert left(tmp_path) == {"a": b"old"}


def test_a_folder_that_vanishes_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    monkeypatch.setattr(Path, "mkdir", lambda *_args, **_words: None)
    with pytest.raises(WriteError, match="could not be written"):
        write_documents({folder / "a": b"1"}, overwrite=False)
    assert not folder.exists()
