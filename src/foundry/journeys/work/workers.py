"""The processes that do jobs: each gives signs of life, and one that died is forgotten.

No clock decides whether a worker lives, since clocks jump: whoever sees no new sign for a while, by
a clock of its own, forgets the worker. On its own machine it looks for the process too.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from foundry.clock import get_now
from foundry.errors import FoundryError
from foundry.records import JobWorker
from foundry.workspace import Workspace

SIGN_S = 60.0
"""How often a worker gives a sign of life, busy or not: a small write, for each project of a server."""
FADE_S = 300.0
"""How long a worker of another machine counts without one. A guess: several signs that could not be
written, and far more than the longest transaction usually takes."""


def name_worker() -> str:
    """The name of this process among the workers of all machines: HOST:PROCESS."""
    return f"{socket.gethostname()}:{os.getpid()}"


class WorkerWatch:
    """Which workers live, as far as this process can tell."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: dict[JobWorker, float] = {}

    def find_dead(self, workers: Sequence[JobWorker]) -> list[JobWorker]:
        """Those whose process is gone or gave no sign for a while; the others are remembered."""
        now = self._clock()
        self._seen = {worker: self._seen.get(worker, now) for worker in workers}
        return [one for one in workers if _is_gone(one) or now - self._seen[one] >= FADE_S]


def _is_gone(worker: JobWorker) -> bool:
    host, _, process = worker.name.rpartition(":")
    if host != socket.gethostname() or sys.platform == "win32":
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:  # another user's
        pass
    return False


def list_workers(workspace: Workspace, watch: WorkerWatch | None = None) -> list[JobWorker]:
    """The workers of the project that live."""
    workers = workspace.maintenance().list_workers()
    dead = (watch or WorkerWatch()).find_dead(workers)
    return [worker for worker in workers if worker not in dead]


@contextmanager
def sign_in(workspace: Workspace) -> Iterator[None]:
    """Count as a worker of the project while the block runs."""
    over, own, watch = threading.Event(), JobWorker(name_worker(), get_now()), WorkerWatch()
    store = workspace.maintenance()

    def sign() -> None:
        # The next sign may get through, so an unreachable database does not stop the worker.
        with suppress(FoundryError):
            store.sign_worker(own)
            if dead := watch.find_dead(store.list_workers()):
                store.remove_workers(dead)

    def beat() -> None:
        while not over.wait(SIGN_S):
            sign()

    sign()
    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        with suppress(FoundryError):
            store.remove_workers([one for one in store.list_workers() if one.name == own.name])
