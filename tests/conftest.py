"""One PostgreSQL server for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """A migrated database, as its owner reaches it; the user ``app`` has what roles.sql grants."""
    # Imported here: few tests need a server.
    import psycopg

    from foundry.store.postgres import PostgresStore
    from tests.store.records import PROJECT
    from tests.store.server import grant, has_server, make_role, run_server

    if not has_server():
        pytest.skip("no wheel with PostgreSQL for this platform")
    with run_server() as url:
        with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE foundry")
        make_role(url)
        PostgresStore(f"{url}/foundry", PROJECT).close()
        grant(f"{url}/foundry")
        yield f"{url}/foundry"
