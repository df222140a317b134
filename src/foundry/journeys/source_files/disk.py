"""How the files on the disk differ from what was read of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Literal

from foundry.readers.worker_process import hash_file
from foundry.records import SourceOutline, list_containers

DiskState = Literal["changed", "gone"]


def compare_files(
    root: Path, sources: Iterable[SourceOutline]
) -> Iterator[tuple[SourceOutline, DiskState]]:
    """The sources whose own file has other bytes now, or is gone with all its copies.

    A file that cannot be read counts as changed: reading it again says why.
    """
    for source in sources:
        if state := _compare(root, source):
            yield source, state


def _compare(root: Path, source: SourceOutline) -> DiskState | None:
    if containers := list_containers(source.path):
        return None if (root / containers[-1]).exists() else "gone"
    path = root / source.path
    try:
        found = path.stat()
        same = found.st_size == source.size
        modified = datetime.fromtimestamp(found.st_mtime, UTC)
        if same and modified != datetime.fromisoformat(source.modified):
            same = _hash(path, found.st_mtime_ns, found.st_size) == source.content_hash
    except (FileNotFoundError, NotADirectoryError):
        return None if any((root / copy).exists() for copy in source.copies) else "gone"
    except OSError:
        return "changed"
    return None if same else "changed"


@lru_cache(maxsize=100_000)
def _hash(path: Path, _modified: int, _size: int) -> str:
    """The hash of a file; of one that was only touched, once."""
    return hash_file(path)
