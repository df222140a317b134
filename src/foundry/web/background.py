"""Work that goes on after the request that started it: an evaluation, a table, drafted questions.

One piece of work runs under each name. It ends with the server, which keeps what is done.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass, field

from foundry.errors import ChangedMeanwhile, FoundryError
from foundry.messages import Message
from foundry.ports import Progress, Step
from foundry.web.failures import UnexpectedError, log_failure

SETTLE_S = 5.0
"""How long a request waits for the first step of its work, to report what makes it impossible (a guess)."""
_CLOSE_S = 10.0


class _Stopped(Exception):
    """Somebody stopped the work, or the server ends."""


@dataclass
class Work:
    """A piece of work: the step that it is at, and the error that ended it."""

    step: Step | None = None
    error: FoundryError | None = None
    begun: threading.Event = field(default_factory=threading.Event)
    stopping: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def running(self) -> bool:
        return not self.ended.is_set()

    def note(self, step: Step) -> None:
        """Keep the step; stop here if that is wanted."""
        if self.stopping.is_set():
            raise _Stopped
        self.step = step
        self.begun.set()


class Background:
    """The work of a server, by name."""

    def __init__(self) -> None:
        self._works: dict[str, Work] = {}
        self._lock = threading.Lock()

    def find(self, name: str) -> Work | None:
        """The work of that name that runs, or that ended last."""
        return self._works.get(name)

    @property
    def is_busy(self) -> bool:
        """Whether any work runs."""
        return any(work.running for work in self._works.values())

    def start(self, name: str, run: Callable[[Progress], object]) -> Work:
        """Begin, and return at the first step or the end.

        Raises ``ChangedMeanwhile`` if work of that name runs, and what ``run`` raises before its first
        step.
        """
        work = Work()
        with self._lock:
            known = self._works.get(name)
            if known and known.running:
                raise ChangedMeanwhile("web-work-running", where=name)
            self._works[name] = work
        thread = threading.Thread(
            target=copy_context().run, args=(_perform, work, run), name=name, daemon=True
        )
        thread.start()
        work.begun.wait(SETTLE_S)
        if work.step is None and work.error:
            self._works.pop(name, None)
            raise work.error
        return work

    def stop(self, name: str) -> bool:
        """Ask the work to end after its current step; False if none runs."""
        work = self._works.get(name)
        if work is None or not work.running:
            return False
        work.stopping.set()
        return True

    def close(self) -> None:
        """Stop everything, and wait for it."""
        running = [work for work in self._works.values() if work.running]
        for work in running:
            work.stopping.set()
        for work in running:
            work.ended.wait(_CLOSE_S)


def _perform(work: Work, run: Callable[[Progress], object]) -> None:
    try:
        run(work.note)
    except _Stopped:
        pass
    except FoundryError as error:
        work.error = error
    except Exception as error:  # noqa: BLE001 - the thread's last stop
        log_failure("unexpected", error)
        work.error = UnexpectedError(Message("web-unexpected", id=""))
    finally:
        work.ended.set()
        work.begun.set()
