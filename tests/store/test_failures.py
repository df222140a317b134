"""Every error of the database library becomes one of Foundry's, with a fix."""

from __future__ import annotations

import errno
import shutil
from collections import namedtuple
from pathlib import Path

import apsw
import filelock
import pytest

from foundry.errors import DiskFull, FoundryError, StoreCorrupt, StoreError
from foundry.store.sqlite import SqliteStore
from foundry.store.sqlite.failures import MEANINGS, map_errors
from tests.store.conftest import Opener
from tests.store.rebuild_contract import count_found, fill
from tests.store.records import DIMENSION, MODEL, embed, make_source

RAISED = sorted(
    name
    for name, item in vars(apsw).items()
    if isinstance(item, type) and issubclass(item, BaseException)
)
Usage = namedtuple("Usage", "total used free")


@pytest.mark.parametrize("name", RAISED)
def test_every_exception_of_apsw_has_a_meaning(name: str) -> None:
    assert getattr(apsw, name) in MEANINGS


@pytest.mark.parametrize("name", RAISED)
def test_every_exception_of_apsw_becomes_a_store_error(name: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError) as error, map_errors(tmp_path / "x.db"):
        raise getattr(apsw, name)("details")
    assert "details" in error.value.message
    assert error.value.where == str(tmp_path / "x.db")
    assert error.value.fix


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (apsw.CorruptError("x"), StoreCorrupt),
        (apsw.NotADBError("x"), StoreCorrupt),
        (apsw.FullError("x"), DiskFull),
        (apsw.BusyError("x"), StoreError),
        (filelock.Timeout("x.lock"), StoreError),
        (PermissionError(errno.EACCES, "denied"), StoreError),
        (UnicodeEncodeError("utf-8", "\udcff", 0, 1, "surrogates"), StoreError),
    ],
)
def test_errors_keep_their_class(raised: Exception, kind: type, tmp_path: Path) -> None:
    with pytest.raises(FoundryError) as error, map_errors(tmp_path / "x.db"):
        raise raised
    assert type(error.value) is kind


@pytest.mark.parametrize("raised", [apsw.IOError("x"), OSError(errno.EIO, "x")])
def test_a_failed_write_on_a_full_disk_raises_disk_full(
    raised: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(100, 100, 0))
    with pytest.raises(DiskFull), map_errors(tmp_path / "x.db"):
        raise raised


def test_our_own_bugs_are_not_disguised(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), map_errors(tmp_path / "x.db"):
        _ = 1 / 0


def limit_pages(store: SqliteStore, number: int) -> None:
    """Have the database grow to so many pages, at least to those that it has."""
    with store._database._connections.reading() as db:
        db._connection.pragma("max_page_count", number)


def test_a_database_that_cannot_grow_keeps_its_content(opener: Opener) -> None:
    store = opener()
    assert isinstance(store, SqliteStore)
    store.save_source(*make_source("a.md", "Cable."))
    limit_pages(store, 1)
    with pytest.raises(DiskFull):
        store.save_source(*make_source("b.md", *["x" * 900 + str(n) for n in range(2000)]))
    assert [source.path for source in store.list_sources()] == ["a.md"]
    assert store.verify() == []


def test_a_rebuild_that_the_disk_has_no_room_for_goes_on_later(opener: Opener) -> None:
    store = opener()
    assert isinstance(store, SqliteStore)
    store.save_source(*make_source("a.md", *[f"Part {n}." for n in range(200)]))
    embed(store)
    name = store.open_rebuild(MODEL, DIMENSION, "fp")
    limit_pages(store, 1)
    with pytest.raises(DiskFull):
        fill(store, name, "new")
    assert (store.verify(), count_found(store, "new")) == ([], 0)
    limit_pages(store, 1_000_000)
    assert fill(store, store.open_rebuild(MODEL, DIMENSION, "fp"), "new") == 200
    assert store.finish_rebuild(MODEL)


def test_text_that_is_not_unicode_is_rejected(opener: Opener) -> None:
    store = opener()
    with pytest.raises(StoreError, match="half a character"):
        store.save_source(*make_source("a.md", "broken \udcff text"))
    assert store.list_sources() == []
