"""The schema: created and migrated under an advisory lock, one transaction for each migration.

A server without pgvector, or an older one, is refused before anything changes; so is a database
that a newer Foundry wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg

from foundry.errors import SchemaTooNew, StoreError
from foundry.store.postgres.connections import SCHEMA, connect, describe_address
from foundry.store.postgres.failures import map_errors
from foundry.store.statements import Migration

OLDEST_SERVER = 150_000
OLDEST_VECTOR = (0, 7)


def prepare(
    url: str, project: str, migrations: Sequence[Migration], *, read_only: bool = False
) -> bool:
    """Make sure the database is current and has the project; returns whether the project exists.

    With ``read_only`` nothing is created: False for a project or schema that is missing.
    """
    where = describe_address(url)
    with map_errors(where), connect(url) as connection:
        _check_server(connection, where)
        version = _read_version(connection)
        if version > len(migrations):
            raise SchemaTooNew(
                "store-schema-newer", where=where, version=version, newest=len(migrations)
            )
        if read_only and version < len(migrations):
            if version:
                raise StoreError("store-schema-older", where=where)
            return False
        if version < len(migrations):
            _migrate(connection, migrations)
        connection.execute(f"SET search_path = {SCHEMA}, public")
        known = _has_project(connection, project)
        if not known and not read_only:
            connection.execute("SELECT create_project(%s)", (project,))
        return known or not read_only


def _check_server(connection: psycopg.Connection[Any], where: str) -> None:
    version = connection.info.server_version
    if version < OLDEST_SERVER:
        raise StoreError("store-server-too-old", where=where, version=str(version // 10_000))
    found = connection.execute(
        "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"
    ).fetchone()
    if found is None or tuple(map(int, found[0].split(".")))[:2] < OLDEST_VECTOR:
        raise StoreError("store-no-pgvector", where=where, version=found[0] if found else "none")


def _read_version(connection: psycopg.Connection[Any]) -> int:
    table = connection.execute("SELECT to_regclass(%s)", (f"{SCHEMA}.schema_version",)).fetchone()
    if table is None or table[0] is None:
        return 0
    row = connection.execute("SELECT max(version) FROM foundry.schema_version").fetchone()
    return int(row[0] or 0) if row else 0


def _migrate(connection: psycopg.Connection[Any], migrations: Sequence[Migration]) -> None:
    connection.execute("SELECT pg_advisory_lock(hashtext('foundry.migrate'))")
    try:
        with connection.transaction():
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
            connection.execute(
                f"CREATE TABLE IF NOT EXISTS {SCHEMA}.schema_version ("
                "version integer PRIMARY KEY, name text NOT NULL, "
                "applied timestamptz NOT NULL DEFAULT now())"
            )
        for migration in migrations[_read_version(connection) :]:
            _apply(connection, migration)
    finally:
        connection.execute("SELECT pg_advisory_unlock(hashtext('foundry.migrate'))")


def _apply(connection: psycopg.Connection[Any], migration: Migration) -> None:
    with connection.transaction():
        connection.execute(f"SET LOCAL search_path = {SCHEMA}, public")
        connection.execute(migration.sql)
        connection.execute(
            "INSERT INTO schema_version (version, name) VALUES (%s, %s)",
            (migration.version, migration.name),
        )


def _has_project(connection: psycopg.Connection[Any], project: str) -> bool:
    row = connection.execute("SELECT 1 FROM projects WHERE id = %s", (project,)).fetchone()
    return row is not None
