"""The PostgreSQL store fulfils the contract, on a real server."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from foundry.ports import Store
from foundry.store.postgres import PostgresStore
from tests.store.contract import StoreContract
from tests.store.jobs_contract import Expire, JobsContract
from tests.store.records import PROJECT, make_source
from tests.store.server import OWNER, empty


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    """An empty PostgreSQL store, opened by the application's user."""
    store = PostgresStore(address.replace(f"{OWNER}@", "app@"), PROJECT)
    yield store
    store.close()
    with psycopg.connect(address, autocommit=True) as connection:
        empty(connection)


@pytest.fixture
def expire(store: Store, address: str) -> Expire:
    def move(lease: float, started: float = 0) -> None:
        with psycopg.connect(address) as connection:
            connection.execute(
                "UPDATE foundry.jobs SET lease = extract(epoch FROM clock_timestamp()) + %s,"
                " started = extract(epoch FROM clock_timestamp()) + %s",
                (lease, started),
            )

    return move


class TestPostgres(StoreContract, JobsContract):
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
