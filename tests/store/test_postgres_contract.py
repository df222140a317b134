"""The PostgreSQL store fulfils the contract, on a real server."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import psycopg
import pytest

from foundry.ports import Store
from foundry.store.postgres import PostgresStore
from tests.store.contract import StoreContract
from tests.store.records import PROJECT, make_source
from tests.store.server import OWNER, run_server

ROLES = files("foundry.store") / "sql/postgres/setup/roles.sql"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A migrated database, as its owner reaches it; the user ``app`` has what roles.sql grants."""
    with run_server() as url:
        with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE foundry")
            connection.execute("CREATE ROLE app LOGIN")
        PostgresStore(f"{url}/foundry", PROJECT).close()
        with psycopg.connect(f"{url}/foundry", autocommit=True) as connection:
            connection.execute(ROLES.read_text(encoding="utf-8").replace(":app", "app"))
        yield f"{url}/foundry"


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    """An empty PostgreSQL store, opened by the application's user."""
    store = PostgresStore(address.replace(f"{OWNER}@", "app@"), PROJECT)
    yield store
    store.close()
    with psycopg.connect(address, autocommit=True) as connection:
        _empty(connection)


def _empty(connection: psycopg.Connection[Any]) -> None:
    """Delete every row; quicker than a database for each test."""
    connection.execute("SET search_path = foundry")
    tables = connection.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'foundry'::regnamespace "
        "AND relkind = 'p' ORDER BY starts_with(relname, 'vec_chunks') DESC, relname"
    ).fetchall()
    for (table,) in tables:
        made = table.startswith("vec_chunks")
        connection.execute(f"DROP TABLE {table}" if made else f"DELETE FROM {table}")


class TestPostgres(StoreContract):
    """The fixture ``store`` is an empty PostgreSQL store."""


def test_a_statement_without_conditions_sees_one_project_up_to_its_level(
    store: Store, address: str
) -> None:
    store.save_source(*make_source("open.md", "Cable."))
    store.save_source(*make_source("closed.md", "Fuse.", confidentiality="secret"))
    assert isinstance(store, PostgresStore)
    for project, level, seen in ((PROJECT, 3, 2), (PROJECT, 0, 1), ("prj_other", 3, 0)):
        assert _count_rows(address, project, level) == [seen] * 4


def _count_rows(address: str, project: str, level: int) -> list[int]:
    """The rows of four tables, asked for by the application's user without any condition."""
    with psycopg.connect(address.replace(f"{OWNER}@", "app@")) as connection:
        connection.execute(
            "SELECT set_config('foundry.project', %s, true), set_config('foundry.level', %s, true)",
            (project, str(level)),
        )
        tables = ("sources", "chunks", "source_texts", "source_statistics")
        counts = [
            connection.execute(f"SELECT count(*) FROM foundry.{t}").fetchone() for t in tables
        ]
    return [row[0] for row in counts if row]


def test_the_application_cannot_change_the_schema(address: str) -> None:
    with (
        psycopg.connect(address.replace(f"{OWNER}@", "app@")) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute("DROP TABLE foundry.sources")
