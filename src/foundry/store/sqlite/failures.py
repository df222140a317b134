"""Errors of ``apsw`` as Foundry's errors; nothing is repaired or retried here.

Every exception class of ``apsw`` is listed; a test reads its namespace and fails on one
that is not.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw

from foundry.errors import DiskFull, FoundryError, StoreCorrupt, StoreError

FULL_BELOW = 1 << 20
"""Free bytes below which a failed write is blamed on a full disk; far more than one write."""


@dataclass(frozen=True, slots=True)
class _Meaning:
    kind: type[StoreError]
    message: str
    fix: str


WITH_COMPANIONS = " and the files beside it ending in -wal, -shm and -journal"
"""What must be moved together with a database file, as part of a sentence."""

RESTORE = (
    f"Move the file away{WITH_COMPANIONS}. Then copy a backup to its place (the newest file ending "
    "in .backup), or run `foundry ingest`: it rebuilds everything but logs and drafts from the "
    "sources."
)
_REPORT = "This is a bug in Foundry: please report it, with the command that you ran."
_PERMISSIONS = "Check who owns the file and its folder, and that both are writable."
_BUSY = _Meaning(
    StoreError,
    "Another process has kept the database locked for more than a minute",
    "Wait until the other `foundry` finishes, or stop it, and try again.",
)
_CORRUPT = _Meaning(StoreCorrupt, "The database is damaged", RESTORE)
_FULL = _Meaning(
    DiskFull,
    "The disk of the database is full",
    "Free some space and run the command again; everything saved so far is safe.",
)
_READ_ONLY = _Meaning(StoreError, "The database is not writable", _PERMISSIONS)
_OUTPUT = _Meaning(
    StoreError,
    "The disk failed while reading or writing the database",
    "Check the disk and its connection, then run `foundry index verify`.",
)
_MEMORY = _Meaning(StoreError, "Not enough memory", "Close other programs and try again.")
_STOPPED = _Meaning(StoreError, "The database operation was interrupted", "Run it again.")
_CLOSED = _Meaning(StoreError, "The database is already closed", _REPORT)
_FAULT = _Meaning(StoreError, "The database rejected a statement", _REPORT)
_CONFLICT = _Meaning(
    StoreError,
    "The data conflicts with what is stored: a duplicate id or path, or a missing owner",
    "Run `foundry index verify`; if it finds nothing, please report this.",
)

MEANINGS: dict[type[BaseException], _Meaning] = {
    apsw.AbortError: _STOPPED,
    apsw.AuthError: _READ_ONLY,
    apsw.BindingsError: _FAULT,
    apsw.BusyError: _BUSY,
    apsw.CantOpenError: _Meaning(StoreError, "The database cannot be opened", _PERMISSIONS),
    apsw.ConnectionClosedError: _CLOSED,
    apsw.ConnectionNotClosedError: _FAULT,
    apsw.ConstraintError: _CONFLICT,
    apsw.CorruptError: _CORRUPT,
    apsw.CursorClosedError: _CLOSED,
    apsw.EmptyError: _CORRUPT,
    apsw.Error: _FAULT,
    apsw.ExecTraceAbort: _STOPPED,
    apsw.ExecutionCompleteError: _FAULT,
    apsw.ExtensionLoadingError: _Meaning(
        StoreError,
        "The vector extension sqlite-vec cannot be loaded",
        "Reinstall Foundry with all its dependencies.",
    ),
    apsw.ForkingViolationError: _FAULT,
    apsw.FormatError: _CORRUPT,
    apsw.FullError: _FULL,
    apsw.IOError: _OUTPUT,
    apsw.IncompleteExecutionError: _FAULT,
    apsw.InternalError: _CORRUPT,
    apsw.InterruptError: _STOPPED,
    apsw.InvalidContextError: _FAULT,
    apsw.LockedError: _BUSY,
    apsw.MismatchError: _FAULT,
    apsw.MisuseError: _FAULT,
    apsw.NoFTS5Error: _FAULT,
    apsw.NoLFSError: _Meaning(
        StoreError,
        "The file system does not support a file of this size",
        "Move the project to a disk that supports large files.",
    ),
    apsw.NoMemError: _MEMORY,
    apsw.NotADBError: _Meaning(StoreCorrupt, "The file is not a database", RESTORE),
    apsw.NotFoundError: _FAULT,
    apsw.PermissionsError: _READ_ONLY,
    apsw.ProtocolError: _BUSY,
    apsw.RangeError: _FAULT,
    apsw.ReadOnlyError: _READ_ONLY,
    apsw.SQLError: _FAULT,
    apsw.SchemaChangeError: _BUSY,
    apsw.ThreadingViolationError: _FAULT,
    apsw.TooBigError: _Meaning(
        StoreError,
        "A text is too large for the database (a gigabyte is the limit)",
        "Split the source into several files.",
    ),
    apsw.VFSFileClosedError: _FAULT,
    apsw.VFSNotImplementedError: _FAULT,
}
"""Exception class of apsw → the error that a user sees."""


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
        raise StoreError(
            "A text contains half a character (a lone surrogate) and cannot be stored.",
            where=str(path),
            fix="Save the source as valid UTF-8 and ingest it again.",
        ) from error
    except OSError as error:
        raise _map_system_error(error, path) from error


def map_error(error: BaseException, path: Path) -> FoundryError:
    """The Foundry error for an exception of apsw."""
    meaning = MEANINGS.get(type(error), _FAULT)
    if isinstance(error, apsw.IOError) and _disk_is_full(path):
        meaning = _FULL
    return _build_error(meaning, str(error), path)


def _map_system_error(error: OSError, path: Path) -> FoundryError:
    meaning = _Meaning(StoreError, "The database cannot be reached", _PERMISSIONS)
    if _disk_is_full(path):
        meaning = _FULL
    return _build_error(meaning, error.strerror or str(error), path)


def _build_error(meaning: _Meaning, detail: str, path: Path) -> StoreError:
    return meaning.kind(f"{meaning.message} ({detail}).", where=str(path), fix=meaning.fix)


def _disk_is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < FULL_BELOW
    except OSError:
        return False
