"""Errors of ``apsw`` as Foundry's errors; nothing is repaired or retried here.

Every exception class of ``apsw`` is listed; a test reads its namespace and fails on one
that is not.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from foundry.errors import DiskFull, FoundryError, StoreCorrupt, StoreError

FULL_BELOW = 1 << 20
"""Free bytes below which a failed write is blamed on a full disk; far more than one write."""


_Meaning = tuple[type[StoreError], str]
_BUSY: _Meaning = (StoreError, "store-locked")
_CORRUPT: _Meaning = (StoreCorrupt, "store-damaged")
_FULL: _Meaning = (DiskFull, "store-disk-full")
_READ_ONLY: _Meaning = (StoreError, "store-not-writable")
_STOPPED: _Meaning = (StoreError, "store-interrupted")
_CLOSED: _Meaning = (StoreError, "store-connection-closed")
_FAULT: _Meaning = (StoreError, "store-statement-rejected")

MEANINGS: dict[type[BaseException], _Meaning] = {
    apsw.CantOpenError: (StoreError, "store-not-opened"),
    apsw.ConstraintError: (StoreError, "store-conflict"),
    apsw.ExtensionLoadingError: _FAULT,
    apsw.FullError: _FULL,
    apsw.IOError: (StoreError, "store-disk-failed"),
    apsw.NoLFSError: (StoreError, "store-file-too-large"),
    apsw.NoMemError: (StoreError, "store-no-memory"),
    apsw.NotADBError: (StoreCorrupt, "store-no-database"),
    apsw.TooBigError: (StoreError, "store-text-too-large"),
    **dict.fromkeys((apsw.AbortError, apsw.ExecTraceAbort, apsw.InterruptError), _STOPPED),
    **dict.fromkeys((apsw.AuthError, apsw.PermissionsError, apsw.ReadOnlyError), _READ_ONLY),
    **dict.fromkeys(
        (apsw.BusyError, apsw.LockedError, apsw.ProtocolError, apsw.SchemaChangeError), _BUSY
    ),
    **dict.fromkeys((apsw.ConnectionClosedError, apsw.CursorClosedError), _CLOSED),
    **dict.fromkeys(
        (apsw.CorruptError, apsw.EmptyError, apsw.FormatError, apsw.InternalError), _CORRUPT
    ),
    **dict.fromkeys(
        (
            *(apsw.BindingsError, apsw.ConnectionNotClosedError, apsw.Error, apsw.MismatchError),
            *(apsw.ExecutionCompleteError, apsw.ForkingViolationError, apsw.MisuseError),
            *(apsw.IncompleteExecutionError, apsw.InvalidContextError, apsw.NoFTS5Error),
            *(apsw.NotFoundError, apsw.RangeError, apsw.SQLError, apsw.ThreadingViolationError),
            *(apsw.VFSFileClosedError, apsw.VFSNotImplementedError),
        ),
        _FAULT,
    ),
}
"""Exception class of apsw → the error that a user sees, and its code."""


@contextmanager
def map_errors(path: Path) -> Iterator[None]:
    """Turn errors of the database at ``path`` into ``StoreError`` and its subclasses."""
    try:
        yield
    except apsw.Error as error:
        raise map_error(error, path) from error
    except TimeoutError as error:  # of a file lock
        raise _build_error(_BUSY, str(error), path) from error
    except UnicodeEncodeError as error:
        raise StoreError("store-text-half-character", where=str(path)) from error
    except OSError as error:
        raise _map_system_error(error, path) from error


def map_error(error: BaseException, path: Path) -> FoundryError:
    """The Foundry error for an exception of apsw."""
    meaning = MEANINGS.get(type(error), _FAULT)
    if isinstance(error, apsw.IOError) and _disk_is_full(path):
        meaning = _FULL
    return _build_error(meaning, str(error), path)


def _map_system_error(error: OSError, path: Path) -> FoundryError:
    meaning = _FULL if _disk_is_full(path) else (StoreError, "store-unreachable")
    return _build_error(meaning, error.strerror or str(error), path)


def _build_error(meaning: _Meaning, cause: str, path: Path) -> StoreError:
    kind, code = meaning
    return kind(code, where=str(path), cause=cause)


def _disk_is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < FULL_BELOW
    except OSError:
        return False
