"""Locks between processes: one file each beside the database, with the holder's process id.

The operating system releases a lock when its process ends, however it ends.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from foundry.store.relational.database import Waiting
from foundry.store.sqlite.failures import map_errors


@contextlib.contextmanager
def hold_lock(
    path: Path, waiting: Waiting | None = None, timeout_s: float | None = None
) -> Iterator[None]:
    """Hold the lock; if another process does, call ``waiting`` once, then wait for it.

    Raises what ``waiting`` raises, and ``StoreError`` after ``timeout_s`` seconds.
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
            lock.acquire(timeout=-1 if timeout_s is None else timeout_s, poll_interval=0.1)
    try:
        with contextlib.suppress(OSError):  # on a full disk the holder stays unknown
            path.write_text(str(os.getpid()), encoding="ascii")
        yield
    finally:
        lock.release()


def _read_holder(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
