"""One PostgreSQL server for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

import pytest

ROLES = files("foundry.store") / "sql/postgres/setup/roles.sql"


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """A migrated database, as its owner reaches it; the user ``app`` has what roles.sql grants."""
    # Imported here: few tests need a server.
    import psycopg

    from foundry.store.postgres import PostgresStore
    from tests.store.records import PROJECT
    from tests.store.server import has_server, run_server

    if not has_server():
        pytest.skip("no wheel with PostgreSQL for this platform")
    with run_server() as url:
        with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE foundry")
            connection.execute("CREATE ROLE app LOGIN")
        PostgresStore(f"{url}/foundry", PROJECT).close()
        with psycopg.connect(f"{url}/foundry", autocommit=True) as connection:
            connection.execute(ROLES.read_text(encoding="utf-8").replace(":app", "app"))
        yield f"{url}/foundry"
