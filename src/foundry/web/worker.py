"""The worker of a server: a thread that reads uploaded files, one after another.

It ends with the server; what it had not finished waits for the next one, or for ``foundry work``.
"""

from __future__ import annotations

import threading
from contextlib import suppress

from foundry.errors import FoundryError
from foundry.journeys.work import work
from foundry.ports import Step
from foundry.web.failures import log_failure
from foundry.workspace import Workspace


class _ServerStops(KeyboardInterrupt):
    """Leaves the current job to another worker, as Ctrl-C does for ``foundry work``."""


class Worker:
    """Starts with the server, and works whenever it is woken."""

    def __init__(self, workspace: Workspace) -> None:
        self.step: Step | None = None
        self._workspace = workspace
        self._woken, self._stopped = threading.Event(), False
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)

    def start(self) -> None:
        """Begin with what an earlier server left; without ``web.worker`` do nothing."""
        if self._workspace.config.web.worker and self._workspace.principal.sees_all:
            self._woken.set()
            self._thread.start()

    def wake(self) -> None:
        """There is a new job."""
        self._woken.set()

    def stop(self) -> None:
        """Let go of the current job, and wait for the thread."""
        self._stopped = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join(timeout=10)

    def _run(self) -> None:
        with suppress(_ServerStops):
            while not self._stopped:
                self._woken.wait()
                self._woken.clear()
                self._work()

    def _work(self) -> None:
        try:
            if self._workspace.maintenance().count_open_jobs():
                work(self._workspace, drain=True, progress=self._note)
        except FoundryError as error:
            log_failure("worker", error)
        finally:
            self.step = None

    def _note(self, step: Step) -> None:
        if self._stopped:
            raise _ServerStops
        self.step = step
