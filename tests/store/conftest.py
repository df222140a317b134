"""Fixtures of the store tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from foundry.store import Store, open_store
from tests.store.records import PROJECT, URL

Opener = Callable[..., Store]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The path of the project's database."""
    return tmp_path / ".foundry" / "foundry.db"


@pytest.fixture
def opener(tmp_path: Path) -> Iterator[Opener]:
    """Opens the project's SQLite store; all are closed after the test."""
    opened: list[Store] = []

    def open_again(project_id: str = PROJECT, *, read_only: bool = False) -> Store:
        store = open_store(URL, tmp_path, project_id, read_only=read_only)
        opened.append(store)
        return store

    yield open_again
    for store in opened:
        store.close()


@pytest.fixture
def store(opener: Opener) -> Store:
    """An empty SQLite store."""
    return opener()
