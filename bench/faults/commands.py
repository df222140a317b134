"""Run the program as a user would, with a time limit and a watch on its memory."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from bench.example import FOUNDRY

_POLL_S = 0.05
_NEWBORN_S = 0.5
"""A new process has its parent's memory until it runs another program; it would count twice."""


@dataclass(frozen=True)
class Finished:
    """A command that ended or was stopped.

    Of its process tree, ``memory`` is the peak in MB and ``processor`` the seconds of user and system time.
    """

    status: int
    out: str
    err: str
    seconds: float
    memory: float
    processor: float
    stopped: bool

    @property
    def crashed(self) -> bool:
        """Whether it showed a fault of the program itself."""
        return "Traceback (most recent call last)" in self.err or "Unexpected error" in self.err


def run_foundry(
    *arguments: str, cwd: Path, limit: float, environment: Mapping[str, str] | None = None
) -> Finished:
    """Run ``foundry`` in a folder; stop it, and its children, after ``limit`` seconds."""
    started = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with subprocess.Popen(
            [str(FOUNDRY), *arguments],
            cwd=cwd,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        ) as process:
            peak, spent, stopped = _watch(process, started + limit)
        seconds = time.monotonic() - started
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode(errors="replace"))
    return Finished(process.returncode, texts[0], texts[1], seconds, peak / 1e6, spent, stopped)


def _watch(process: subprocess.Popen[bytes], end: float) -> tuple[int, float, bool]:
    """The tree's highest memory in bytes, its processor time, and whether it had to be stopped."""
    peak, spent, root = 0, dict[psutil.Process, float](), psutil.Process(process.pid)
    while process.poll() is None:
        peak = max(peak, count_tree_bytes(root))
        spent |= _measure_processor(root)
        if time.monotonic() > end:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return peak, sum(spent.values()), True
        threading.Event().wait(_POLL_S)
    return peak, sum(spent.values()), False


def _measure_processor(root: psutil.Process) -> dict[psutil.Process, float]:
    """Return the seconds of each process of the tree, without its children's."""
    found = {}
    with suppress(psutil.Error):
        for process in (root, *root.children(recursive=True)):
            found[process] = sum(process.cpu_times()[:2])
    return found


def count_tree_bytes(root: psutil.Process) -> int:
    """Resident bytes of a process and its children; shared pages count more than once."""
    try:
        old = (p for p in root.children(recursive=True) if _get_age(p) > _NEWBORN_S)
        return sum(process.memory_info().rss for process in (root, *old))
    except psutil.Error:
        return 0


def _get_age(process: psutil.Process) -> float:
    return float(time.time() - process.create_time())
