"""The database file: creation and migrations.

A new file is built under another name and moved into place when complete, so that a
killed process leaves either no database or a sound one. Migrations run in order, each
in one transaction, after a backup of the file. Files that are not Foundry's, are newer
than this program or belong to another project are refused and left unchanged. Reading
creates nothing: a missing database is read as an empty one.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import apsw

from foundry.clock import format_now, get_now
from foundry.errors import SchemaTooNew, StoreCorrupt, StoreError
from foundry.store.relational.database import Migration, load_statements
from foundry.store.sqlite.connections import SqliteTransaction, connect, hold_lock
from foundry.store.sqlite.conversion import CONVERSIONS
from foundry.store.sqlite.failures import map_errors
from foundry.store.vector_ranking import shrink
from foundry.store.window_codes import repack_windows

APPLICATION_ID = 0x466E6479

COMPANIONS = ("-wal", "-shm", "-journal")
"""The endings of SQLite's own files beside a database: part of its content until it is closed."""


def prepare(
    path: Path,
    project_id: str,
    migrations: Sequence[Migration],
    *,
    read_only: bool,
    command: str = "python",
) -> None:
    """Make sure ``path`` is a current database of the project, or raise ``StoreError``."""
    with map_errors(path):
        _check_place(path)
        if not path.exists() and not read_only:
            _create(path, project_id, migrations, command)
        version = _check_database(path, project_id, len(migrations))
        if version < len(migrations):
            _migrate(path, migrations, command, read_only=read_only)


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise StoreError("store-folder", where=str(path))
    if path.exists() and path.stat().st_size == 0:
        raise StoreCorrupt("store-file-empty", where=str(path))


def _create(path: Path, project_id: str, migrations: Sequence[Migration], command: str) -> None:
    _make_folders(path.parent)
    with _hold_setup_lock(path, command):
        if path.exists():
            return
        unfinished = path.with_name(f"{path.name}.new")
        _remove(unfinished, "", *COMPANIONS)
        connection = connect(unfinished, create=True)
        try:
            _fill(connection, project_id, migrations)
            connection.execute("PRAGMA journal_mode = WAL")
        finally:
            connection.close()
        # Left by a database that was deleted or moved away: SQLite would replay them into this one.
        _remove(path, *COMPANIONS)
        unfinished.replace(path)


def create_in_memory(project_id: str, migrations: Sequence[Migration]) -> apsw.Connection:
    """A connection to an empty database of its own, for reading where there is no file yet."""
    connection = connect(Path(":memory:"), create=True)
    _fill(connection, project_id, migrations)
    return connection


def _fill(connection: apsw.Connection, project_id: str, migrations: Sequence[Migration]) -> None:
    for migration in migrations:
        _apply(connection, migration)
    connection.execute("INSERT INTO meta VALUES ('project_id', ?)", (project_id,))


def _make_folders(folder: Path) -> None:
    """Create missing folders for this user only: sources may be confidential."""
    for part in reversed((folder, *folder.parents)):
        if not part.exists():
            part.mkdir(mode=0o700, exist_ok=True)


def _remove(path: Path, *endings: str) -> None:
    for ending in endings:
        path.with_name(f"{path.name}{ending}").unlink(missing_ok=True)


def _check_database(path: Path, project_id: str, newest: int) -> int:
    """The schema version of the file; raises if it is not ours, too new, or not this project's."""
    connection = connect(path, read_only=True)
    try:
        if connection.pragma("application_id") != APPLICATION_ID:
            raise StoreCorrupt("store-foreign-database", where=str(path))
        version = _read_version(connection)
        if version > newest:
            raise SchemaTooNew(
                "store-schema-newer", where=str(path), version=version, newest=newest
            )
        owner = connection.execute("SELECT value FROM meta WHERE key = 'project_id'").get
    finally:
        connection.close()
    if owner != project_id:
        raise StoreError(
            "store-other-project", where=str(path), owner=str(owner), project=project_id
        )
    return version


def _read_version(connection: apsw.Connection) -> int:
    return int(connection.execute("SELECT max(version) FROM schema_version").get or 0)


def _migrate(path: Path, migrations: Sequence[Migration], command: str, *, read_only: bool) -> None:
    if read_only:
        raise StoreError("store-schema-older", where=str(path))
    with _hold_setup_lock(path, command):
        connection = connect(path)
        try:
            version = _read_version(connection)
            if version == len(migrations):
                return
            backup = _back_up(connection, path, version)
            try:
                for migration in migrations[version:]:
                    _apply(connection, migration)
            except BaseException:
                # Nothing changed, and every command tries again: do not leave a copy each time.
                if _read_version(connection) == version:
                    backup.unlink()
                raise
        finally:
            connection.close()


def _apply(connection: apsw.Connection, migration: Migration) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.create_scalar_function("shrink", _shrink, 2, deterministic=True)
        connection.create_scalar_function("repack", _repack, 2, deterministic=True)
        connection.execute(migration.sql)
        if convert := CONVERSIONS.get(migration.name):
            convert(connection, SqliteTransaction(connection, load_statements("sqlite")))
        connection.execute(
            "INSERT INTO schema_version VALUES (?, ?, ?)",
            (migration.version, migration.name, format_now()),
        )
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _shrink(*values: Any) -> bytes:
    packed, dimension = values
    return shrink(packed, dimension)


def _repack(*values: Any) -> bytes:
    packed, dimension = values
    return repack_windows(packed, dimension)


def _back_up(connection: apsw.Connection, path: Path, version: int) -> Path:
    """Copy the database with its log to ``NAME.v1.20260301T120000Z.backup``; return that path."""
    moment = get_now().strftime("%Y%m%dT%H%M%S.%fZ")
    target = path.with_name(f"{path.name}.v{version}.{moment}.backup")
    unfinished = target.with_name(f"{target.name}.new")
    copy = apsw.Connection(str(unfinished))
    try:
        with copy.backup("main", connection, "main") as backup:
            backup.step()
    finally:
        copy.close()
    return unfinished.replace(target)


def _hold_setup_lock(path: Path, command: str) -> AbstractContextManager[None]:
    return hold_lock(path.with_name(f"{path.name}.setup.lock"), command)
