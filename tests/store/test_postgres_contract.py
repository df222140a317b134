"""The PostgreSQL store fulfils the contract, on a real server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from foundry.ports import Store
from foundry.store.postgres import PostgresStore
from tests.store.contract import StoreContract
from tests.store.records import PROJECT
from tests.store.server import run_server


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A database on a server of its own."""
    with run_server() as url:
        with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE foundry")
        yield f"{url}/foundry"


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    """An empty PostgreSQL store."""
    store = PostgresStore(address, PROJECT)
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
