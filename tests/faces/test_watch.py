"""Waiting for files to change."""

from __future__ import annotations

import threading
from pathlib import Path

from foundry.cli.ingest import take_snapshot, wait_for_change


def test_a_snapshot_leaves_out_hidden_files(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    (tmp_path / ".b.md.swp").write_text("b")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "c").write_text("c")
    assert list(take_snapshot([tmp_path])) == [str(tmp_path / "a.md")]


def test_a_change_is_reported_once_files_stop_changing(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    seen = take_snapshot([tmp_path])
    timer = threading.Timer(0.05, file.write_text, ["new"])
    timer.start()
    after = wait_for_change([tmp_path], seen, pause=0.02)
    timer.join()
    assert after == take_snapshot([tmp_path])
    assert list(after) == [str(file)]


def test_a_change_before_the_first_poll_is_not_missed(tmp_path: Path) -> None:
    seen = take_snapshot([tmp_path])
    (tmp_path / "a.md").write_text("while nobody looked")
    assert wait_for_change([tmp_path], seen, pause=0.01)


def test_a_removed_file_is_a_change(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    seen = take_snapshot([tmp_path])
    (tmp_path / "a.md").unlink()
    assert wait_for_change([tmp_path], seen, pause=0.01) == {}


def test_a_single_file_can_be_watched(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    assert len(take_snapshot([tmp_path / "a.md", tmp_path / "gone.md"])) == 1
