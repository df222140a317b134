"""Work that several processes share: files that wait to be read, and who reads which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from foundry.messages import Message
from foundry.records import Job

LEASE_S = 120
"""How long a job stays with a worker that gives no sign of life. A guess: far more than the longest
transaction, during which a worker cannot give one."""
LONGEST_S = 3600
"""How long one attempt may take. A guess: ten times what the largest file of the test set takes."""
MOST_ATTEMPTS = 3
"""Attempts before a job counts as failed. A guess: one for a killed worker, one for a busy model."""
PAUSE_S = 10
"""How long a job waits after an attempt that failed. A guess."""
OUTAGE_S = 600
"""How long a worker waits for a database that is away. A guess: a restart takes seconds, a
replacement of the server minutes."""


class Locks(Protocol):
    """Locks between the processes that work on a project."""

    def lock(
        self, name: str, waiting: Callable[[Message], None] | None = None
    ) -> AbstractContextManager[None]:
        """Hold the lock of that name (letters, digits, hyphens), which one process can.

        If another does, ``waiting`` is called once with a sentence that names it: it may raise
        instead of waiting. Raises ``ProjectBusy`` after some minutes. A lock is released when its
        process ends, even if killed.
        """


class Jobs(Protocol):
    """The files that wait for a worker, for maintenance.

    A job belongs to its worker while that gives signs of life; who sees none for ``LEASE_S``
    seconds, by a clock of its own that never jumps, may take the job up again. What a worker saves
    does not depend on that: a source is saved as a whole, by its content.
    """

    def add_jobs(self, jobs: Sequence[Job]) -> None:
        """Add jobs at the end; one that waits or runs already stays as it is.

        Earlier jobs of the same file that do not run are removed.
        """

    def take_job(self, worker: str, recipe: str, lapsed: Sequence[Job] = ()) -> Job | None:
        """One of the ``lapsed`` jobs or else the first free one, now the worker's; None without one.

        A lapsed job that changed since it was read is not taken, and no job of another recipe. A
        job that ``MOST_ATTEMPTS`` workers began and none finished becomes a failed one. Raises
        ``SchemaTooNew`` if a newer Foundry has migrated the database meanwhile.
        """

    def extend_job(self, job: Job) -> bool:
        """Give a sign of life; False if the job is cancelled or another's."""

    def finish_job(self, job: Job) -> bool:
        """Save what became of a job: ``done``, ``failed``, or ``waiting`` for another attempt.

        False, and nothing is saved, if it is no longer this worker's.
        """

    def list_jobs(self, ids: Sequence[str] | None = None) -> list[Job]:
        """All jobs, or those with these ids, in the order in which they are taken."""

    def list_begun_jobs(self) -> list[Job]:
        """The jobs that run, or wait after a failed attempt: those that can lapse."""

    def find_foreign_job(self, recipe: str) -> Job | None:
        """The first job that waits for a worker with another recipe."""

    def count_open_jobs(self) -> int:
        """How many jobs wait or run."""

    def cancel_jobs(self, paths: Sequence[str] | None = None) -> int:
        """Cancel what waits and runs, of these files or all; returns how many."""
