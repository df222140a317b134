"""Where a document may be written, and writing it whole or not at all.

A path is checked after links are resolved, and a file is put in place by one rename.
Whether to overwrite is the caller's decision; nothing here asks a person.
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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from foundry.errors import FoundryError, RuleError
from foundry.messages import Message
from foundry.text.spotlight import has_controls

_MAX_NAME = 80
"""Characters: short enough for every file system, whatever is added to it."""
_CONFIG, _STATE = "foundry.yaml", ".foundry"
_DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class OverwriteRefused(RuleError):
    """The file exists and overwriting it was not confirmed."""

    code = "file_exists"


@dataclass(frozen=True, slots=True)
class ExistingFiles:
    """Files that would be replaced; ``warning`` says what else would be lost, "" for nothing."""

    paths: tuple[Path, ...]
    warning: Message | str = ""


Overwrite = bool | Callable[[ExistingFiles], bool]
"""Whether existing files may be replaced: decided before, or asked when there are any."""


class WriteError(FoundryError):
    """The file system refused the document; no part of it is left behind."""

    code = "write"


def check_output_path(requested: Path, cwd: Path, allowed_dirs: Sequence[Path] = ()) -> Path:
    """The real path to write to: inside ``cwd`` or an allowed folder, links resolved.

    A relative path counts from ``cwd``. Raises ``RuleError`` for a path outside these folders,
    for anything but a regular file, and for what Foundry itself keeps: ``foundry.yaml`` and
    everything in ``.foundry``.
    """
    if not requested.name or has_controls(str(requested)):
        raise _refuse_path("output-bad-name", requested, cwd)
    try:
        path = (cwd / requested).resolve()
        folders = [folder.resolve() for folder in (cwd, *(cwd / folder for folder in allowed_dirs))]
        mode = path.stat().st_mode if path.exists() else None
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or os.strerror(errno.ELOOP)
        raise _refuse_path("output-unresolved", requested, cwd, reason=reason) from error
    inside = [path.relative_to(folder) for folder in folders if path.is_relative_to(folder)]
    if not inside:
        raise _refuse_path("output-outside", requested, cwd)
    names = {name.casefold() for relative in inside for name in relative.parts}
    if path.name.casefold() == _CONFIG or _STATE in names:
        raise _refuse_path("output-own-file", requested, cwd)
    if mode is not None and stat.S_ISDIR(mode):
        raise _refuse_path("output-is-folder", requested, cwd)
    if mode is not None and not stat.S_ISREG(mode):
        raise _refuse_path("output-not-regular", requested, cwd)
    if path in folders:
        raise _refuse_path("output-is-folder", requested, cwd)
    return path


def decide_overwrite(
    paths: Iterable[Path], overwrite: Overwrite, warning: Message | str = ""
) -> bool:
    """False if none of the files exists, True if they may be replaced.

    Raises ``OverwriteRefused`` if they may not.
    """
    existing = tuple(path for path in paths if path.exists())
    if not existing:
        return False
    allowed = overwrite(ExistingFiles(existing, warning)) if callable(overwrite) else overwrite
    if not allowed:
        raise _refuse_existing(*existing, warning=warning)
    return True


def write_document(path: Path, text: str, *, overwrite: bool) -> None:
    """Write a UTF-8 text file in one step, creating missing folders.

    After a failure the old file, if any, is unchanged. A replaced file keeps its permissions.
    Raises ``OverwriteRefused`` if the file exists, or appears meanwhile, and ``overwrite`` is
    False; ``WriteError`` if the disk is full or read-only.
    """
    write_documents({path: text.encode("utf-8", errors="replace")}, overwrite=overwrite)


def delete_document(path: Path, where: str) -> None:
    """Delete a file, which an error names as ``where``. Raises ``WriteError``."""
    try:
        path.unlink()
    except OSError as error:
        cause = str(error.strerror or error)
        raise WriteError("output-not-deleted", where=where, cause=cause) from error


def write_documents(documents: Mapping[Path, bytes], *, overwrite: bool) -> None:
    """Write several files as ``write_document`` does, or none: a failure restores all of them.

    Every file is first written beside its place, so that a full disk is found before anything is
    replaced.
    """
    taken = next((path for path in documents if os.path.lexists(path)), None)
    if taken is not None and not overwrite:
        raise _refuse_existing(taken)
    # A single file needs no copy to restore: it is replaced in one step.
    several, path = len(documents) > 1, next(iter(documents), Path())
    with contextlib.ExitStack() as leftovers:
        try:
            written: dict[Path, Path] = {}
            for path, data in documents.items():
                path.parent.mkdir(parents=True, exist_ok=True)
                written[path] = _write_beside(path, data)
                leftovers.callback(written[path].unlink, missing_ok=True)
            with contextlib.ExitStack() as undo:
                for path, temporary in written.items():
                    before = _copy_existing(path, leftovers) if overwrite and several else None
                    _put_in_place(temporary, path, overwrite=overwrite)
                    if several:
                        undo.callback(_restore, path, before)
                undo.pop_all()
            for folder in {path.parent for path in documents}:
                _sync_folder(folder)
        except OSError as error:
            raise _wrap_write_error(path, error) from error


def _copy_existing(path: Path, leftovers: contextlib.ExitStack) -> Path | None:
    """A temporary copy of the file to be replaced; None if it does not exist."""
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
    """Copy the file beside itself under a free name: ``guide.edited-1.md``.

    Raises ``WriteError`` if the disk is full or read-only.
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
        # A hard link fails if the name exists, so another program's file is never replaced.
        os.link(temporary, path)
    except FileExistsError:
        raise _refuse_existing(path) from None
    except OSError as error:
        if error.errno not in {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK}:
            raise
        _reserve_and_replace(temporary, path)


def _reserve_and_replace(temporary: Path, path: Path) -> None:
    """For file systems without hard links: create an empty file, then replace it."""
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
    # The new name then survives a power failure. Not every system can open a folder.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _refuse_existing(*paths: Path, warning: Message | str = "") -> OverwriteRefused:
    names = [path.name for path in paths]
    where = str(paths[0].parent)
    if warning:
        return OverwriteRefused("output-exists-and", where=where, names=names, warning=warning)
    return OverwriteRefused("output-exists", where=where, names=names)


def _refuse_path(code: str, requested: Path, cwd: Path, reason: str = "") -> RuleError:
    path = str(requested)
    return RuleError(code, where=path, path=path, folder=str(cwd), reason=reason)


def _wrap_write_error(path: Path, error: OSError) -> FoundryError:
    if error.errno in _DISK_FULL:
        return WriteError("output-disk-full", where=str(path.parent))
    return WriteError("output-write-failed", where=str(path), reason=str(error.strerror or error))


def make_file_name(name: str) -> str:
    """The name in letters, digits, ``.``, ``-`` and ``_``; ``document`` if nothing is left."""
    plain = re.sub(r"[^\w.-]+", "-", unicodedata.normalize("NFC", name)).strip("-._")
    return plain[:_MAX_NAME].rstrip("-._") or "document"
