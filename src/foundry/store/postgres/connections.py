"""Connections to one PostgreSQL database, from a pool, and their transactions.

A transaction belongs to one project and one level of confidentiality: statements name the
project, and the settings ``foundry.project`` and ``foundry.level`` are what the policies of
the tables compare, so that a statement without its condition finds nothing.

The schema is migrated under an advisory lock, in one transaction for each migration. A server that
is too old is refused before anything changes; so is a database that a newer Foundry wrote.

Errors of ``psycopg`` become Foundry's; nothing is repaired or retried here.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import lru_cache
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from psycopg import errors
from psycopg.rows import dict_row
from psycopg.sql import Literal
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout, TooManyRequests

from foundry.errors import DiskFull, SchemaTooNew, StoreCorrupt, StoreError, StoreUnavailable
from foundry.messages import Message
from foundry.store.holders import PATIENCE_S, describe_holder, give_up, make_label
from foundry.store.postgres.conversion import CONVERSIONS
from foundry.store.relational.database import (
    Migration,
    load_migrations,
    load_statements,
)
from foundry.store.relational.segments import add_chunks
from foundry.store.rows import Row, encode_json
from foundry.store.text_ranking import Terms

# It would print every attempt to connect; whoever waits for a connection gets an error instead.
logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)

_MIGRATING = "foundry.migrate"

CONNECT_S = 10
"""How long a caller waits for a connection: a guess, enough for a server that starts again."""

_RETRY_S = 1
"""How often a caller has the pool try again. Left to itself the pool tries after 1, 2, 4, 8, … seconds,
so that after a long outage everybody would wait for minutes."""

_ATTEMPT_S = 10
"""How long one attempt to connect takes at most, unless the address sets it."""

MOST_CONNECTIONS = 16
"""Most connections of one process: a guess, below the 100 that a server allows by default."""

TURN_S = 120
"""How long a write waits for its turn. A guess: far more than the longest transaction."""

_TOUCHING = ("put_source", "add_segment")
"""Statements after which segments may have to be merged."""

PREPARED = {
    *("blocks_of", "block_ranges", "candidates", "chunk_ids", "chunk_languages", "find_index"),
    *("term_postings", "text_spans", "texts_changed", "uses_words", "vector_blocks"),
}
"""What searches read by keys. The best plan is the same for all values, and often takes longer to make
than to run. Others are planned with their values: a plan for all does not know how few rows a filter
leaves, and pg_textsearch scores rows twice in a prepared statement."""

_BATCH = 1000
"""Most rows that one statement takes as arrays: a guess, a few megabytes of vectors."""

_PLACE = re.compile(r"(?:(?<!:):(?=\w)|\?(?=\d))(\w+)(::(?:\w+\[\]|bytea))?")


OLDEST_SERVER = 150_000


@lru_cache(maxsize=1024)
def translate(statement: str, project: str) -> str:
    """Return SQL with values in psycopg's form, by name; ``?1``, ``?2`` are the values of a sequence.

    Arrays and bytes are sent in binary form: as text they take sixty times the processor time. The
    project is part of the text, so that a plan for all values reads its partition alone.
    """

    def write_place(found: re.Match[str]) -> str:
        name, cast = found.groups()
        if name == "project":
            return _quote(project).replace("%", "%%") + (cast or "")
        return f"%({name})b{cast}" if cast else f"%({name})s"

    return _PLACE.sub(write_place, statement.replace("%", "%%"))


def _quote(text: str) -> str:
    return Literal(text).as_string()


def describe_address(url: str) -> str:
    """Return the address without its password. Raises ``ValueError`` for one that libpq cannot read."""
    try:
        known = psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise ValueError(str(error)) from error
    port, user = str(known.get("port", 5432)), known.get("user")
    if not port.replace(",", "").isdigit():
        raise ValueError(port)
    named = f"{user}@{known.get('host', '')}" if user else known.get("host", "")
    return f"postgresql://{named}:{port}/{known.get('dbname', '')}"


class _Cursor(psycopg.Cursor[Any]):
    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
        # Psycopg would run some lines of Python for each row.
        return iter(self.fetchall())


class PostgresTransaction:
    """Runs named statements between BEGIN and COMMIT; fills in identifiers by name."""

    segment = 1 << 16
    packs_segments = True

    def __init__(
        self,
        connection: psycopg.Connection[Any],
        sql: Mapping[str, str],
        project: str,
        *,
        snapshot: str | None = None,
    ) -> None:
        self._connection = connection
        self._sql = sql
        self._project = project
        self._changes = 0
        self.snapshot = snapshot
        self.touches_texts = False

    def run(self, name: str, values: Any = (), **identifiers: object) -> psycopg.Cursor[Any]:
        """Run a statement; its rows are tuples."""
        # In binary form: vectors and postings as text take twice the bytes, and time to read.
        prepare = False if self.snapshot and name not in PREPARED else None
        self.touches_texts |= name in _TOUCHING
        cursor = self._connection.execute(
            self._build(name, identifiers), self._bind(values), prepare=prepare, binary=True
        )
        self._changes = cursor.rowcount
        return cursor

    def run_many(self, name: str, rows: Iterable[Any], **identifiers: object) -> None:
        """Run a statement for every row of values: at once if its values are arrays."""
        if "[]" in self._sql[name]:
            remaining = iter(rows)
            while batch := list(islice(remaining, _BATCH)):
                self.run(name, _transpose(batch), **identifiers)
            return
        with self._connection.cursor() as cursor:
            cursor.executemany(self._build(name, identifiers), map(self._bind, rows))

    def add_postings(self, source: int) -> None:
        """Write the postings of a source's chunks, whose terms are in ``chunk_terms``."""
        rows = self.run("source_terms", (source,)).fetchall()
        if rows:
            found = [(row, Terms(*fields)) for row, *fields in rows]
            add_chunks(self, found, int(self.value("source_level", (source,))))
        else:
            self.run("note_source", (source,))

    def value(self, name: str, values: Any = (), **identifiers: object) -> Any:
        """Return the first column of the first row, or None."""
        row = self.run(name, values, **identifiers).fetchone()
        return None if row is None else row[0]

    def rows(self, name: str, values: Any = (), **identifiers: object) -> list[Row]:
        """Return all rows as dictionaries."""
        with self._connection.cursor(row_factory=dict_row, binary=True) as cursor:
            found = cursor.execute(self._build(name, identifiers), self._bind(values)).fetchall()
        return [_Columns(row) for row in found]

    def sql(self, name: str) -> str:
        """Return the text of a statement that is part of another."""
        return self._sql[name]

    def run_migration(self, migration: Migration) -> None:
        """Run the statements of a migration and record its version, in one transaction."""
        with self._connection.transaction():
            self.run("enter", level=3)
            self._connection.execute(migration.sql.encode())
            if convert := CONVERSIONS.get(migration.name):
                for (project,) in self.run("project_ids").fetchall():
                    own = PostgresTransaction(self._connection, self._sql, project)
                    own.run("enter", level=3)
                    convert(own)
            self.run("add_version", (migration.version, migration.name))

    def part(self) -> AbstractContextManager[object]:
        """Return a savepoint, to which a failure rolls back."""
        return self._connection.transaction()

    @property
    def server_version(self) -> int:
        """Return the server's version, such as 150004 for 15.4."""
        return self._connection.info.server_version

    def changes(self) -> int:
        """Return how many rows the last statement changed."""
        return self._changes

    def put_terms(self, rows: Sequence[tuple[int, Terms]]) -> None:
        """Write or replace chunks' rows of terms, from which the postings are made."""
        self.run_many("put_text_row", ((row, t.title, t.headings, t.body) for row, t in rows))

    def _build(self, name: str, identifiers: Mapping[str, object]) -> Any:
        sql = self._sql[name]
        return translate(sql.format(**identifiers) if identifiers else sql, self._project)

    def _bind(self, values: Any) -> Mapping[str, Any]:
        if isinstance(values, Mapping):
            return values
        return {str(place): value for place, value in enumerate(values, 1)}


def _transpose(rows: Sequence[Any]) -> Any:
    """Return the values of all rows by place or by name."""
    if isinstance(rows[0], Mapping):
        return {name: [row[name] for row in rows] for name in rows[0]}
    return [list(values) for values in zip(*rows, strict=True)]


class _Columns(dict[str, Any]):
    """A row; a missing column was renamed or removed by hand."""

    def __missing__(self, name: str) -> Any:
        raise errors.UndefinedColumn(f'column "{name}" does not exist')


class PostgresConnections:
    """The connections of one process to one project's database."""

    def __init__(
        self, url: str, project: str, *, read_only: bool = False, command: str = "python"
    ) -> None:
        self.url = url
        self.command = command
        self.where = describe_address(url)
        self.read_only = read_only
        self._sql = load_statements("postgres")
        self._project = project
        self._planned: WeakKeyDictionary[psycopg.Connection[Any], int] = WeakKeyDictionary()
        self._pool = ConnectionPool(
            _complete(url, command),
            min_size=0,
            max_size=MOST_CONNECTIONS,
            reconnect_timeout=_RETRY_S,
            kwargs={"cursor_factory": _Cursor},
            configure=_configure,
            open=True,
        )

    @contextmanager
    def reading(self, level: int, state: int = 0) -> Iterator[PostgresTransaction]:
        """A read transaction: the block sees one unchanging state of the database.

        ``state`` is another number after each commit that changed what searches read. The connection
        then discards its cached plans: a plan made for a small table would scan all of a large one.
        """
        with map_errors(self.where), self._begin(level, state=state) as transaction:
            yield transaction

    @contextmanager
    def writing(
        self, level: int, *, alone: bool = True, sources: Iterable[str] = ()
    ) -> Iterator[PostgresTransaction]:
        """A write transaction: all of the block is saved, or nothing.

        One that is to be ``alone`` waits for the others of the project; one of a few ``sources``
        waits for those that are to be alone, and those of the same sources.
        """
        if self.read_only:
            raise StoreError("store-read-only", where=self.where)
        with map_errors(self.where), self._begin(level, state=None) as transaction:
            if alone:
                self._take_turn(transaction, sorted(sources))
            yield transaction

    @contextmanager
    def _begin(self, level: int, *, state: int | None) -> Iterator[PostgresTransaction]:
        """Begin a transaction, which writes if there is no ``state``."""
        with ExitStack() as stack:
            for left in range(MOST_CONNECTIONS, -1, -1):
                connection = self._get_connection(stack)
                try:
                    transaction = self._enter(connection, level, state)
                except psycopg.OperationalError:
                    # The server has closed it since it was used: it restarted, or it was idle.
                    if not (left and connection.closed):
                        raise
                    with suppress(psycopg.Error):
                        stack.close()
                else:
                    break
            yield transaction

    def _get_connection(self, stack: ExitStack) -> psycopg.Connection[Any]:
        """A connection of the pool, until the stack ends."""
        deadline = time.monotonic() + CONNECT_S
        while True:
            try:
                return stack.enter_context(self._pool.connection(timeout=_RETRY_S))
            except PoolTimeout:
                if time.monotonic() > deadline:
                    raise PoolTimeout(f"no connection within {CONNECT_S} s") from None

    def _enter(
        self, connection: psycopg.Connection[Any], level: int, state: int | None
    ) -> PostgresTransaction:
        """Begin a transaction, which ends when the connection goes back to the pool."""
        enter = self._sql["enter"].format(level=level).replace(":project", _quote(self._project))
        begin = self._sql["begin_writing" if state is None else "begin_reading"]
        if state is not None and self._planned.get(connection) != state:
            enter = "; ".join((self._sql["forget_plans"], enter))
            self._planned[connection] = state
        # In one message, without values, for fewer round trips.
        cursor = connection.execute(begin.format(enter=enter).encode())
        while cursor.nextset():
            pass
        *_, snapshot = cursor.fetchall()[0]
        snapshot = None if state is None else snapshot
        return PostgresTransaction(connection, self._sql, self._project, snapshot=snapshot)

    def _take_turn(self, transaction: PostgresTransaction, sources: Sequence[str]) -> None:
        try:
            if sources:
                transaction.run("share_turn")
                transaction.run("take_sources", {"sources": encode_json(sources)})
            else:
                transaction.run("take_turn")
        except errors.LockNotAvailable as error:
            with open_session(self.url, self._project, self.command) as session:
                holder = read_holder(session, f"foundry.write.{self._project}")
            raise give_up(self.where, holder, TURN_S) from error

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


def _complete(url: str, command: str) -> str:
    """Return the address with a time limit for each attempt to connect and this process's label."""
    known = {"connect_timeout": _ATTEMPT_S, **psycopg.conninfo.conninfo_to_dict(url)}
    return psycopg.conninfo.make_conninfo(url, **known | {"application_name": make_label(command)})


def _configure(connection: psycopg.Connection[Any]) -> None:
    connection.autocommit = True


@contextmanager
def open_session(url: str, project: str, command: str) -> Iterator[PostgresTransaction]:
    """Open a separate connection, for the schema and for locks; each statement is a transaction."""
    with (
        map_errors(describe_address(url)),
        psycopg.connect(_complete(url, command), autocommit=True) as connection,
    ):
        session = PostgresTransaction(connection, load_statements("postgres"), project)
        session.run("name_project")
        yield session


def wait_for_lock(session: PostgresTransaction, key: str, where: str, patience: float) -> None:
    """Take a lock of the session; raises ``ProjectBusy`` after ``patience`` seconds."""
    session.run("limit_waiting", (f"{patience}s",))
    try:
        session.run("wait_for_lock", (key,))
    except errors.LockNotAvailable as error:
        raise give_up(where, read_holder(session, key), patience) from error


def read_holder(session: PostgresTransaction, key: str) -> Message:
    """Return a sentence that names who holds a lock."""
    found = session.run("find_holder", (key,)).fetchone()
    return describe_holder(*(found or (None, None)))


# The schema


def prepare(url: str, project: str, *, read_only: bool = False, command: str = "python") -> bool:
    """Make sure the database is current and has the project; returns whether the project exists.

    With ``read_only`` nothing is created: False for a project that is missing, ``StoreError`` for a
    schema that is missing or older.
    """
    where, migrations = describe_address(url), load_migrations("postgres")
    newest = len(migrations)
    with open_session(url, project, command) as session:
        _check_server(session, where)
        version = _read_version(session)
        if version > newest:
            raise SchemaTooNew("store-schema-newer", where=where, version=version, newest=newest)
        if version < newest and read_only:
            if version:
                raise StoreError("store-schema-older", where=where)
            raise StoreError("store-no-such-project", where=where, project=project)
        if version < newest:
            try:
                _migrate(session, migrations, where)
            except errors.InsufficientPrivilege as error:
                code = "store-schema-not-updated" if version else "store-schema-not-made"
                raise StoreError(code, where=where, cause=str(error)) from error
        known = session.value("find_project") is not None
        if not known and not read_only:
            session.run("add_project")
        return known or not read_only


def _check_server(session: PostgresTransaction, where: str) -> None:
    version = session.server_version
    if version < OLDEST_SERVER:
        raise StoreError("store-server-too-old", where=where, version=str(version // 10_000))


def _read_version(session: PostgresTransaction) -> int:
    return int(session.value("read_version")) if session.value("find_schema") else 0


def _migrate(session: PostgresTransaction, migrations: Sequence[Migration], where: str) -> None:
    # Released by the server when the session ends, should it be killed here.
    wait_for_lock(session, _MIGRATING, where, PATIENCE_S)
    try:
        session.run("make_schema")
        session.run("make_versions")
        for migration in migrations[_read_version(session) :]:
            session.run_migration(migration)
    finally:
        session.run("free_lock", (_MIGRATING,))


_MEANINGS: tuple[tuple[type[Exception], type[StoreError], str], ...] = (
    (errors.DiskFull, DiskFull, "store-server-disk-full"),
    (errors.LockNotAvailable, StoreError, "store-locked"),
    (errors.DeadlockDetected, StoreUnavailable, "store-locked"),
    (errors.QueryCanceled, StoreError, "store-interrupted"),
    (errors.InvalidPassword, StoreError, "store-login-refused"),
    (errors.InvalidAuthorizationSpecification, StoreError, "store-login-refused"),
    (errors.InvalidCatalogName, StoreError, "store-no-such-database"),
    (errors.InsufficientPrivilege, StoreError, "store-not-permitted"),
    (errors.ReadOnlySqlTransaction, StoreError, "store-not-writable"),
    # No table has such a condition, but a row must fit into a part of it.
    (errors.CheckViolation, StoreError, "store-project-dropped"),
    (errors.IntegrityError, StoreError, "store-conflict"),
    (errors.UndefinedTable, StoreCorrupt, "store-schema-changed"),
    (errors.UndefinedColumn, StoreCorrupt, "store-schema-changed"),
    (errors.UndefinedFunction, StoreCorrupt, "store-schema-changed"),
    (errors.DataCorrupted, StoreCorrupt, "store-damaged"),
    (errors.IndexCorrupted, StoreCorrupt, "store-damaged"),
    (errors.TooManyConnections, StoreUnavailable, "store-server-busy"),
    (TooManyRequests, StoreUnavailable, "store-server-busy"),
    (PoolTimeout, StoreUnavailable, "store-server-unreachable"),
    (PoolClosed, StoreError, "store-connection-closed"),
    (psycopg.OperationalError, StoreUnavailable, "store-server-unreachable"),
    (psycopg.InterfaceError, StoreError, "store-connection-closed"),
    (psycopg.DataError, StoreError, "store-text-refused"),
    (psycopg.Error, StoreError, "store-statement-rejected"),
)
"""Exception class → the error that a user sees, and its code; the first that fits."""

_REFUSALS = (
    (re.compile(r'FATAL: +database ".*" does not exist'), "store-no-such-database"),
    (
        re.compile(r"authentication failed|no password supplied|pg_hba|role .* does not exist"),
        "store-login-refused",
    ),
    (re.compile(r"too many (clients|connections)|connection slots"), "store-server-busy"),
)
"""What a server says when it refuses a connection: libpq passes on its words, but no code. Of a
server that speaks another language than English, the words are shown as they are."""

_PASSING = {"store-server-unreachable", "store-server-busy"}


@contextmanager
def map_errors(where: str) -> Iterator[None]:
    """Turn errors of the database at ``where`` into ``StoreError`` and its subclasses."""
    try:
        yield
    except (psycopg.Error, PoolTimeout, PoolClosed, TooManyRequests) as error:
        raise map_error(error, where) from error
    except UnicodeEncodeError as error:
        raise StoreError("store-text-half-character", where=where) from error


def map_error(error: Exception, where: str) -> StoreError:
    """Return the Foundry error for an exception of psycopg."""
    kind, code = next((kind, code) for raised, kind, code in _MEANINGS if isinstance(error, raised))
    cause = str(error).strip().partition("\n")[0]
    if code == "store-server-unreachable":
        code = next((better for said, better in _REFUSALS if said.search(cause)), code)
        kind = StoreUnavailable if code in _PASSING else StoreError
    return kind(code, where=where, cause=cause)
