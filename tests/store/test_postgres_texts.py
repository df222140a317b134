"""What a process keeps of all texts in PostgreSQL: after a commit it reads only what changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import psycopg
import pytest

from foundry.records import Filters
from foundry.store import Store
from foundry.store.postgres.store import PostgresDatabase
from foundry.store.relational.words import read_state
from tests.store.records import make_source, terms
from tests.store.test_postgres_contract import open_beside, store

__all__ = ["store"]

FIRST, SECOND = make_source("a.md", "Cable one.", "Plug two."), make_source("b.md", "Fuse three.")
READ = (
    *("rows", "lengths", "homes", "sources", "ids", "levels", "languages"),
    *("segments", "volumes", "at"),
)


def get_database(store: Store, role: Any = "secret") -> PostgresDatabase:
    database = store.view(role)._database
    assert isinstance(database, PostgresDatabase)
    return database


def compare(database: PostgresDatabase) -> None:
    """The state that the process keeps is that of a process which just began."""
    with database.reading() as db:
        kept, new = database.read_texts(db), read_state(db)
    for name in READ:
        assert np.array_equal(getattr(kept, name), getattr(new, name)), name


CHANGES: dict[str, Callable[[Store], object]] = {
    "add": lambda store: store.save_source(*make_source("c.md", "Relay four.")),
    "add without chunks": lambda store: store.save_source(*make_source("c.md")),
    "save with fewer chunks": lambda store: store.save_source(*make_source("a.md", "Cable one.")),
    "save without chunks": lambda store: store.save_source(*make_source("a.md")),
    "remove": lambda store: store.remove_source(FIRST[0].id),
    "raise": lambda store: store.update_source(replace(FIRST[0], confidentiality="secret")),
    "lower": lambda store: store.update_source(replace(FIRST[0], confidentiality="public")),
    "rebuild": lambda store: store.rebuild_text_index(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("role", ["public", "secret"])
def test_what_is_kept_follows_each_commit(
    store: Store, address: str, role: str, change: Callable[[Store], object]
) -> None:
    store.save_source(*FIRST)
    store.save_source(*SECOND)
    database = get_database(store, role)
    compare(database)
    with open_beside(address) as other:
        change(other)
    compare(database)
    store.save_source(*make_source("z.md", "Lamp five."))
    compare(database)


def test_only_changed_sources_are_read_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.save_source(*FIRST)
    assert len(store.search_text(terms("cable"), 5, Filters())) == 1
    with get_database(store).reading() as db:
        monkeypatch.delitem(db._sql, "list_statistics")  # type: ignore[attr-defined]
    store.save_source(*SECOND)
    assert len(store.search_text(terms("fuse"), 5, Filters())) == 1


def explain(store: Store) -> str:
    """The plan of the prepared statement that finds the ids of chunks."""
    with get_database(store).reading() as db:
        connection = db._connection  # type: ignore[attr-defined]
        names = connection.execute(
            "SELECT name FROM pg_prepared_statements WHERE statement LIKE 'SELECT rowid, id FROM%'"
        )
        (name,) = names.fetchone()
        plan = connection.execute(f"EXPLAIN EXECUTE {name} ('[1]')").fetchall()
        return "\n".join(line for (line,) in plan)


def test_plans_are_made_anew_once_a_project_has_grown(store: Store, address: str) -> None:
    store.save_source(*FIRST)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("VACUUM (FULL, ANALYZE) foundry.chunks")
    for _ in range(12):
        store.search_text(terms("cable"), 5, Filters())
    assert "Seq Scan on chunks" in explain(store)
    with open_beside(address) as other:
        other.save_source(*make_source("c.md", *[f"Relay {n}." for n in range(400)]))
    store.search_text(terms("cable"), 5, Filters())
    assert "Seq Scan on chunks" not in explain(store)
