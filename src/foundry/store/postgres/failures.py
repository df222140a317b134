"""Errors of ``psycopg`` as Foundry's errors; nothing is repaired or retried here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from foundry.errors import DiskFull, StoreCorrupt, StoreError, StoreUnavailable

_MEANINGS: tuple[tuple[type[Exception], type[StoreError], str], ...] = (
    (errors.DiskFull, DiskFull, "store-server-disk-full"),
    (errors.LockNotAvailable, StoreError, "store-locked"),
    (errors.DeadlockDetected, StoreError, "store-locked"),
    (errors.QueryCanceled, StoreError, "store-interrupted"),
    (errors.InvalidPassword, StoreError, "store-login-refused"),
    (errors.InvalidAuthorizationSpecification, StoreError, "store-login-refused"),
    (errors.InvalidCatalogName, StoreError, "store-no-such-database"),
    (errors.InsufficientPrivilege, StoreError, "store-not-permitted"),
    (errors.ReadOnlySqlTransaction, StoreError, "store-not-writable"),
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
    """The Foundry error for an exception of psycopg."""
    kind, code = next((kind, code) for raised, kind, code in _MEANINGS if isinstance(error, raised))
    cause = str(error).strip().partition("\n")[0]
    if code == "store-server-unreachable":
        code = next((better for said, better in _REFUSALS if said.search(cause)), code)
        kind = StoreUnavailable if code in _PASSING else StoreError
    return kind(code, where=where, cause=cause)
