"""Locks between processes: one file each beside the database, with the holder's label.

The operating system releases a lock when its process ends, however it ends.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from foundry.clock import format_now
from foundry.messages import Message
from foundry.store.holders import PATIENCE_S, QUIET_S, describe_holder, give_up, make_label
from foundry.store.relational.database import Waiting
from foundry.store.sqlite.failures import map_errors


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
