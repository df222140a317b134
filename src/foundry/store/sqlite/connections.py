"""Connections to one SQLite file, one per thread, and their transactions.

They know nothing about the tables and never create the file (``schema`` does), so
that a database that vanished is an error instead of a new, empty one.

Locks between processes are one file each beside the database, with the holder's label. The operating
system releases a lock when its process ends, however it ends.
"""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw

from foundry.clock import format_now
from foundry.errors import StoreError
from foundry.messages import Message
from foundry.store.holders import PATIENCE_S, QUIET_S, describe_holder, give_up, make_label
from foundry.store.relational import segments
from foundry.store.relational.database import Waiting
from foundry.store.rows import Row
from foundry.store.sqlite.failures import map_errors
from foundry.store.text_ranking import Terms

BUSY_TIMEOUT_MS = 120_000
"""How long a writer waits for another; a write takes milliseconds, a queue of them seconds."""

_SETTINGS = """
PRAGMA foreign_keys = ON;
PRAGMA synchronous = FULL;
PRAGMA journal_size_limit = 67108864;
PRAGMA cache_size = -16384;
"""
# In WAL mode a killed process never leaves the file inconsistent. With FULL, saved data also
# survives a power failure. That costs one flush per commit, and there are few commits: one per
# source, per batch of vectors, per question.


def connect(path: Path, *, read_only: bool = False, create: bool = False) -> apsw.Connection:
    """A connection with Foundry's settings and functions.

    In a folder that is read-only it can be read whatever it is for, and each write fails.
    """
    frozen = not create and _is_frozen(path)
    only_reads = read_only or frozen
    flags = apsw.SQLITE_OPEN_READONLY if only_reads else apsw.SQLITE_OPEN_READWRITE
    if create:
        flags |= apsw.SQLITE_OPEN_CREATE
    name = str(path)
    if frozen:
        name = f"file:{quote(name)}?immutable=1"
        flags |= apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(name, flags=flags)
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.create_scalar_function("pack", _pack, 1, deterministic=True)
    connection.create_scalar_function("unpack", _unpack, 1, deterministic=True)
    connection.execute(_SETTINGS)
    return connection


def _pack(*texts: Any) -> bytes:
    (text,) = texts
    return zlib.compress(text.encode())


def _unpack(*values: Any) -> str:
    (packed,) = values
    try:
        return zlib.decompress(packed).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise apsw.CorruptError(str(error)) from error


def _is_frozen(path: Path) -> bool:
    """True in a read-only folder without a WAL file.

    SQLite cannot create its shared memory there, but nobody can be writing either.
    """
    log = path.with_name(f"{path.name}-wal")
    return not os.access(path.parent, os.W_OK) and not log.exists()


class SqliteTransaction:
    """Runs named statements between BEGIN and COMMIT; fills in identifiers by name."""

    segment = 1 << 14
    packs_segments = False
    snapshot = None

    def __init__(self, connection: apsw.Connection, sql: Mapping[str, str]) -> None:
        self._connection = connection
        self._sql = sql

    def run(self, name: str, values: Any = (), **identifiers: object) -> apsw.Cursor:
        """Run a statement; its rows are tuples."""
        sql = self._sql[name]
        return self._connection.execute(sql.format(**identifiers) if identifiers else sql, values)

    def run_many(self, name: str, rows: Iterable[Any], **identifiers: object) -> None:
        """Run a statement once for every row of values."""
        sql = self._sql[name]
        self._connection.executemany(sql.format(**identifiers) if identifiers else sql, rows)

    def add_postings(self, source: int) -> None:
        """Nothing: ``put_terms`` writes them."""

    def value(self, name: str, values: Any = (), **identifiers: object) -> Any:
        """The first column of the first row, or None."""
        row = self.run(name, values, **identifiers).fetchone()
        return None if row is None else row[0]

    def rows(self, name: str, values: Any = (), **identifiers: object) -> list[Row]:
        """All rows as dictionaries."""
        cursor = self.run(name, values, **identifiers)
        names: list[str] = []
        rows = []
        for row in cursor:
            names = names or [column[0] for column in cursor.get_description()]
            rows.append(dict(zip(names, row, strict=True)))
        return rows

    def sql(self, name: str) -> str:
        """The text of a statement that is part of another."""
        return self._sql[name]

    def part(self) -> AbstractContextManager[object]:
        """Nothing to do: a failed statement leaves the transaction as it was."""
        return nullcontext()

    def changes(self) -> int:
        """How many rows the last statement changed."""
        return self._connection.changes()

    def put_terms(self, rows: Sequence[tuple[int, Terms]]) -> None:
        """Write or replace chunks' terms in the text index."""
        segments.add_chunks(self, rows)
        segments.tidy(self)


class Connections:
    """The open connections of one store.

    A connection belongs to the thread that opened it, and is closed when the thread ends
    or the store is closed.
    """

    def __init__(
        self,
        path: Path,
        sql: Mapping[str, str],
        connect: Callable[[], apsw.Connection],
        *,
        read_only: bool,
    ) -> None:
        self.path = path
        self._sql = sql
        self._connect = connect
        self.read_only = read_only
        self._file = _identify(path)
        self._mine = threading.local()
        self._all: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[SqliteTransaction]:
        """A read transaction: the block sees one unchanging state of the database."""
        with map_errors(self.path):
            connection = self._connection()
            connection.execute("BEGIN")
            try:
                yield SqliteTransaction(connection, self._sql)
            finally:
                # On a damaged file COMMIT fails even if nothing was written.
                _roll_back(connection)

    @contextmanager
    def scratch(self) -> Iterator[SqliteTransaction]:
        """Access to temporary tables, which only this thread sees; takes no lock."""
        with map_errors(self.path):
            yield SqliteTransaction(self._connection(), self._sql)

    @contextmanager
    def writing(self) -> Iterator[SqliteTransaction]:
        """A write transaction: everything in the block is saved, or nothing."""
        if self.read_only:
            raise StoreError("store-read-only", where=str(self.path))
        with map_errors(self.path):
            connection = self._connection()
            # IMMEDIATE waits for its turn here; a transaction that begins by reading cannot later.
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield SqliteTransaction(connection, self._sql)
                connection.execute("COMMIT")
            except BaseException:
                _roll_back(connection)
                raise

    def close(self) -> None:
        """Close the connections of all threads; none of them may be in use."""
        with self._lock:
            self._closed = True
            connections = list(self._all)
        with map_errors(self.path):
            for connection in connections:
                connection.close()

    def _connection(self) -> apsw.Connection:
        # SQLite would go on with a file that has no name any more, and lose what it writes there.
        if self._file and _identify(self.path) != self._file:
            raise StoreError("store-replaced", where=str(self.path))
        own: apsw.Connection | None = getattr(self._mine, "connection", None)
        if own is not None and not self._closed:
            return own
        with self._lock:
            if self._closed:
                raise StoreError("store-closed", where=str(self.path))
            connection = self._connect()
            self._all.add(connection)
        self._mine.connection = connection
        return connection


def _identify(path: Path) -> tuple[int, int] | None:
    """Return device and number of a file; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _roll_back(connection: apsw.Connection) -> None:
    # SQLite itself ends some failed transactions (on a full disk).
    if connection.in_transaction:
        connection.execute("ROLLBACK")


@contextlib.contextmanager
def hold_lock(path: Path, command: str, waiting: Waiting | None = None) -> Iterator[None]:
    """Hold the lock; if another process does, call ``waiting`` once, then wait for it.

    Raises what ``waiting`` raises, and ``ProjectBusy`` for who has waited long enough.
    """
    # Imported here: it imports asyncio, and most commands hold no lock.
    import filelock

    lock = filelock.FileLock(path)
    with map_errors(path):
        with contextlib.suppress(filelock.Timeout):
            lock.acquire(timeout=0)
        if not lock.is_locked:
            if waiting:
                waiting(_read_holder(path))
            patience = PATIENCE_S if waiting else QUIET_S
            try:
                lock.acquire(timeout=patience, poll_interval=0.1)
            except filelock.Timeout:
                raise give_up(str(path), _read_holder(path), patience) from None
    try:
        with contextlib.suppress(OSError):  # on a full disk the holder stays unknown
            path.write_text(f"{make_label(command)}\n{format_now()}", encoding="utf-8")
        yield
    finally:
        lock.release()


def _read_holder(path: Path) -> Message:
    with contextlib.suppress(OSError, ValueError):
        label, since = path.read_text(encoding="utf-8").split("\n")
        return describe_holder(label, datetime.fromisoformat(since))
    return describe_holder(None, None)
