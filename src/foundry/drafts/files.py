"""The file of a draft: how it is named in the register, and the hash of its words."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from foundry.identity import content_hash
from foundry.records import DraftRecord, DraftState
from foundry.workspace import Workspace

_BOM = b"\xef\xbb\xbf"


def key_of(workspace: Workspace, path: Path) -> str:
    """The path as the register has it: relative to the project where the file lies in it."""
    root = workspace.root.resolve()
    real = (root / path).resolve()
    name = real.relative_to(root).as_posix() if real.is_relative_to(root) else real.as_posix()
    # A name that is no text cannot be stored; such a draft is listed, but as missing.
    return name.encode("utf-8", "backslashreplace").decode()


def path_of(workspace: Workspace, record: DraftRecord) -> Path:
    """Where a registered draft's file is."""
    return workspace.root / record.path


def text_hash(text: str) -> str:
    """The hash of a draft's text as it is written to its file."""
    return bytes_hash(text.encode("utf-8", errors="replace"))


def file_hash(path: Path) -> str | None:
    """The hash of a file's words; None for what is gone, no file, or cannot be read."""
    data = read_bytes(path)
    return None if data is None else bytes_hash(data)


def read_bytes(path: Path) -> bytes | None:
    """The bytes of a regular file, or None."""
    try:
        # A pipe would wait for a writer that never comes.
        return path.read_bytes() if stat.S_ISREG(os.stat(path).st_mode) else None  # noqa: PTH116
    except (OSError, RuntimeError):
        return None


def bytes_hash(data: bytes) -> str:
    """SHA-256 of a text's bytes, line ends as line feeds and without a byte order mark."""
    plain = data.removeprefix(_BOM).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return content_hash(plain)


def state_of_bytes(data: bytes, record: DraftRecord) -> DraftState:
    """Whether a file's bytes are as Foundry wrote them."""
    return "as written" if bytes_hash(data) == record.content_hash else "edited"
