"""Waiting for files to change, by looking: the same on every file system, network ones included."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

SECONDS_BETWEEN_LOOKS = 1.0

Seen = dict[str, tuple[int, int]]
"""Path → modification time in nanoseconds and size."""


def wait_for_change(
    places: Sequence[Path], seen: Seen, pause: float = SECONDS_BETWEEN_LOOKS
) -> Seen:
    """Return once something differs from ``seen`` and has then been still for one look.

    Returns what is there, for the next call.
    """
    while True:
        time.sleep(pause)
        now = look(places)
        if now == seen:
            continue
        # A file that is still being written changes between two looks.
        while True:
            time.sleep(pause)
            again = look(places)
            if again == now:
                return now
            now = again


def look(places: Sequence[Path]) -> Seen:
    """Every file under the places, hidden ones left out; what vanishes meanwhile is left out too."""
    found: Seen = {}
    for place in places:
        if place.is_file():
            _add(found, str(place))
        for folder, folders, files in os.walk(place):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in files:
                if not name.startswith("."):
                    _add(found, os.path.join(folder, name))  # noqa: PTH118 - many files
    return found


def _add(found: Seen, path: str) -> None:
    try:
        status = os.stat(path)  # noqa: PTH116 - many files
    except OSError:
        return
    found[path] = (status.st_mtime_ns, status.st_size)
