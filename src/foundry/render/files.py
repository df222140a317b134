"""Where a document may be written, and writing it whole or not at all.

A path is checked after links are resolved, and a file is put in place by one rename.
Nothing here asks a person: whether to overwrite is decided before.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import secrets
import stat
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from foundry.errors import FoundryError, RuleError

_DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class OverwriteRefused(RuleError):
    """The file is there already and overwriting was not agreed to."""

    code = "file_exists"


class WriteError(FoundryError):
    """The file system would not take the document; nothing of it is left behind."""

    code = "write"


def check_output_path(requested: Path, cwd: Path, allowed_dirs: Sequence[Path] = ()) -> Path:
    """The real path to write to: inside ``cwd`` or an allowed folder, links resolved.

    Raises ``RuleError`` for everything outside, for a folder and for what is no
    regular file. A relative path counts from ``cwd``.
    """
    if not requested.name or "\0" in str(requested):
        raise _refuse_path("This is no file name.", requested, cwd)
    try:
        path = (cwd / requested).resolve()
        folders = [folder.resolve() for folder in (cwd, *(cwd / one for one in allowed_dirs))]
        mode = path.stat().st_mode if path.exists() else None
    except (OSError, RuntimeError) as error:
        raise _refuse_path(
            f"The output path cannot be followed: {error}.", requested, cwd
        ) from error
    if not any(path.is_relative_to(folder) for folder in folders):
        raise _refuse_path(
            f"{requested} lies outside the folders that may be written to.", requested, cwd
        )
    if mode is not None and stat.S_ISDIR(mode):
        raise _refuse_path(f"{requested} is a folder.", requested, cwd)
    if mode is not None and not stat.S_ISREG(mode):
        raise _refuse_path(f"{requested} is no regular file.", requested, cwd)
    if path in folders:
        raise _refuse_path(f"{requested} is a folder.", requested, cwd)
    return path


def write_document(path: Path, text: str, *, overwrite: bool) -> None:
    """Write a UTF-8 text file in one step; after any failure the old file, or none, is there.

    Makes missing folders. Without ``overwrite`` a file that exists, or appears
    meanwhile, stays as it is (``OverwriteRefused``). A replaced file keeps its
    permissions. Raises ``WriteError`` when the disk is full or refuses.
    """
    require_free(path, overwrite=overwrite)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = _write_beside(path, text.encode("utf-8", errors="replace"))
        try:
            _put_in_place(temporary, path, overwrite=overwrite)
        finally:
            temporary.unlink(missing_ok=True)
        _sync_folder(path.parent)
    except OSError as error:
        raise _wrap_write_error(path, error) from error


def require_free(path: Path, *, overwrite: bool) -> None:
    """Raise ``OverwriteRefused`` for a file that is there, before the work that would fill it."""
    if not overwrite and os.path.lexists(path):
        raise _refuse_existing(path)


def write_documents(documents: Mapping[Path, bytes], *, overwrite: bool) -> None:
    """Write several files: after any failure all are as they were before.

    Like ``write_document`` otherwise. Every file is written beside its place first, so a full
    disk is known before anything is replaced.
    """
    taken = next((path for path in documents if os.path.lexists(path)), None)
    if taken is not None and not overwrite:
        raise _refuse_existing(taken)
    path = next(iter(documents), Path())
    with contextlib.ExitStack() as leftovers:
        try:
            written: dict[Path, Path] = {}
            for path, data in documents.items():
                path.parent.mkdir(parents=True, exist_ok=True)
                written[path] = _write_beside(path, data)
                leftovers.callback(written[path].unlink, missing_ok=True)
            with contextlib.ExitStack() as undo:
                for path, temporary in written.items():
                    before = _copy_existing(path, leftovers) if overwrite else None
                    _put_in_place(temporary, path, overwrite=overwrite)
                    undo.callback(_restore, path, before)
                undo.pop_all()
            for folder in {path.parent for path in documents}:
                _sync_folder(folder)
        except OSError as error:
            raise _wrap_write_error(path, error) from error


def _copy_existing(path: Path, leftovers: contextlib.ExitStack) -> Path | None:
    """A second copy of the file that will be replaced; None where there is none."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    copy = _write_beside(path, data)
    leftovers.callback(copy.unlink, missing_ok=True)
    copy.chmod(stat.S_IMODE(path.stat().st_mode))
    return copy


def _restore(path: Path, before: Path | None) -> None:
    if before is None:
        path.unlink(missing_ok=True)
    else:
        before.replace(path)


def keep_copy(path: Path) -> Path:
    """A copy of the file beside it, under a name that nothing has: ``guide.edited-1.md``.

    Raises ``WriteError`` when the disk is full or refuses.
    """
    try:
        data = path.read_bytes()
        for number in itertools.count(1):
            copy = path.with_name(f"{path.stem}.edited-{number}{path.suffix}")
            with contextlib.suppress(FileExistsError), copy.open("xb") as file:
                file.write(data)
                return copy
    except OSError as error:
        raise _wrap_write_error(path, error) from error
    raise AssertionError("unreachable")


def _write_beside(path: Path, data: bytes) -> Path:
    temporary = path.with_name(f".foundry-{secrets.token_hex(6)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(temporary, flags, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _put_in_place(temporary: Path, path: Path, *, overwrite: bool) -> None:
    if overwrite:
        with contextlib.suppress(FileNotFoundError):
            temporary.chmod(stat.S_IMODE(path.stat().st_mode))
        temporary.replace(path)
        return
    try:
        # A hard link fails if the name exists: no other program can slip a file in between.
        os.link(temporary, path)
    except FileExistsError:
        raise _refuse_existing(path) from None
    except OSError as error:
        if error.errno not in {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK}:
            raise
        _reserve_and_replace(temporary, path)


def _reserve_and_replace(temporary: Path, path: Path) -> None:
    """For file systems without hard links: take the name with an empty file, then replace that."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    except FileExistsError:
        raise _refuse_existing(path) from None
    try:
        temporary.replace(path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    # So that the new name survives a power cut; not every system can open a folder.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _refuse_existing(path: Path) -> OverwriteRefused:
    return OverwriteRefused(
        f"File exists: {path.name}",
        where=str(path),
        fix="Choose another name, or agree to overwrite it (--yes).",
    )


def _refuse_path(message: str, requested: Path, cwd: Path) -> RuleError:
    return RuleError(
        message,
        where=str(requested),
        fix=f"Name a file inside {cwd}, or list its folder under output.allowed_dirs.",
    )


def _wrap_write_error(path: Path, error: OSError) -> FoundryError:
    if error.errno in _DISK_FULL:
        return WriteError(
            "There is no room left to write the document.",
            where=str(path.parent),
            fix="Make room on that disk, or choose another --output, then run it again.",
        )
    return WriteError(
        f"The document cannot be written: {error.strerror or error}.",
        where=str(path),
        fix="Check that the folder exists and may be written to, or choose another --output.",
    )


_MAX_NAME = 80


def make_file_name(name: str) -> str:
    """The name in letters, digits, ``-`` and ``_``; ``document`` where nothing is left of it."""
    plain = re.sub(r"[^\w.-]+", "-", unicodedata.normalize("NFC", name)).strip("-._")
    return plain[:_MAX_NAME].rstrip("-._") or "document"
