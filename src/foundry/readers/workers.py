"""A pool of parser processes with a time and a memory limit for each file.

A file that hangs, crashes or uses too much memory takes down only its own process. Each
process reads one file at a time and is reused. The parent samples its running time and
resident memory; a limit on address space would also stop parsers that only reserve it.
``multiprocessing`` is not used because it would run the caller's main module again in
each child. The only retry is for a file that changed while it was read.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol, Self

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import Phase, ReadOptions, Step
from foundry.readers.worker_process import FileIdentity, read_frame, write_frame
from foundry.records import Document

_TICK_S = 0.05
"""How often limits are checked; a parser may exceed its limits by this time."""
_START_TIMEOUT_S = 60.0
"""Time for a parser process to start. A guess: enough for a slow disk and a cold cache."""
_SHOWN_S = 1.0
"""Seconds between two signs of life while nothing happens."""
_PROC = Path("/proc")
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from foundry.readers.worker_process import serve; serve(sys.argv[2], int(sys.argv[3]))"
)


@dataclass(frozen=True, slots=True)
class ReadJob:
    """A file to read."""

    path: Path
    options: ReadOptions


@dataclass(frozen=True, slots=True)
class ReadOutcome:
    """The result of a job: either a document or an error.

    ``content_hash`` (SHA-256), ``size`` (bytes) and ``modified`` describe the bytes that
    were read; they are None if the file could not be opened.
    """

    job: ReadJob
    document: Document | None
    error: ReadError | None
    content_hash: str | None = None
    size: int | None = None
    modified: datetime | None = None


class FileReaders(Protocol):
    """What reads many files: parser processes of this machine, or those of a cluster."""

    def read_all(
        self, jobs: Iterable[ReadJob], show: Callable[[Step], None] = ...
    ) -> Iterator[ReadOutcome]:
        """Yield outcomes as they complete; a job is taken only when a process is free."""


class ParserPool:
    """At most ``workers`` parser processes, with a time and a memory limit per file.

    Leaving the context kills them at once.
    """

    def __init__(
        self,
        workers: int,
        timeout_s: float,
        memory_mb: int,
        *,
        reader: str = "foundry.readers:read",
    ) -> None:
        self._limit = max(1, workers)
        self._timeout_s = timeout_s
        self._memory_mb = memory_mb
        self._reader = reader
        self._events: queue.SimpleQueue[tuple[_Worker, Any]] = queue.SimpleQueue()
        self._workers: list[_Worker] = []
        self._shown: Step | None = None
        self._shown_at = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill all processes; jobs in progress are lost."""
        while self._workers:
            self._workers.pop().kill()

    def read_all(
        self, jobs: Iterable[ReadJob], show: Callable[[Step], None] = lambda _step: None
    ) -> Iterator[ReadOutcome]:
        """Yield outcomes as they complete; a job is taken only when a process is free.

        ``show`` gets the phase of the file that a process has been at for longest, at each change and
        every second.
        """
        waiting = iter(jobs)
        has_more = self._start_jobs(waiting)
        try:
            while any(worker.job for worker in self._workers):
                yield from self._collect_outcomes()
                self._show_oldest(show)
                has_more = has_more and self._start_jobs(waiting)
        finally:
            # If the consumer stopped early, nobody wants the remaining outcomes.
            for worker in [worker for worker in self._workers if worker.job]:
                self._retire(worker)

    def _show_oldest(self, show: Callable[[Step], None]) -> None:
        busy = [worker for worker in self._workers if worker.job]
        if busy:
            oldest, now = min(busy, key=lambda worker: worker.began), time.monotonic()
            step = oldest.describe_step()
            if step != self._shown or now - self._shown_at >= _SHOWN_S:
                self._shown, self._shown_at = step, now
                show(step)

    def _start_jobs(self, waiting: Iterator[ReadJob]) -> bool:
        while sum(1 for worker in self._workers if worker.job) < self._limit:
            job = next(waiting, None)
            if job is None:
                return False
            self._get_idle_worker().start(job)
        return True

    def _get_idle_worker(self) -> _Worker:
        for worker in self._workers:
            if worker.job is None and worker.is_alive():
                return worker
        # Those without a job have ended by themselves.
        for ended in [worker for worker in self._workers if worker.job is None]:
            self._retire(ended)
        worker = _Worker(self._reader, self._events)
        self._workers.append(worker)
        return worker

    def _collect_outcomes(self) -> Iterator[ReadOutcome]:
        """Wait up to one tick for an event, then enforce the limits."""
        with contextlib.suppress(queue.Empty):
            worker, event = self._events.get(timeout=_TICK_S)
            # A retired process may still have events in the queue.
            if worker in self._workers:
                outcome = self._handle_event(worker, event)
                if outcome:
                    yield outcome
        for worker in list(self._workers):
            reason = self._check_limits(worker)
            if reason and worker.job:
                outcome = worker.build_outcome(None, reason)
                self._retire(worker)
                yield outcome

    def _handle_event(self, worker: _Worker, event: Any) -> ReadOutcome | None:
        kind, *values = event
        if kind == "ready":
            worker.is_ready, worker.since = True, time.monotonic()
        elif kind == "identity":
            worker.identity = values[0]
        elif kind == "phase":
            worker.enter_phase(*values)
        elif kind == "done" and worker.job:
            document, error, identity = values
            worker.identity = identity or worker.identity
            outcome = worker.build_outcome(document, error)
            worker.job = None
            # Memory that a large file left behind must not count against the next one.
            if worker.measure_memory_mb() > self._memory_mb / 2:
                self._retire(worker)
            return outcome
        elif kind == "gone":
            worker.wait_for_exit()
            self._retire(worker)
            return worker.build_outcome(None, worker.build_crash_error()) if worker.job else None
        return None

    def _check_limits(self, worker: _Worker) -> ReadError | None:
        if not worker.job:
            return None
        seconds = time.monotonic() - worker.since
        if not worker.is_ready:
            return _START_FAILED if seconds > _START_TIMEOUT_S else None
        if seconds > self._timeout_s:
            return ReadError("readers-timeout", phase=worker.phase[0], seconds=self._timeout_s)
        if worker.measure_memory_mb() > self._memory_mb:
            return ReadError("readers-memory", phase=worker.phase[0], megabytes=self._memory_mb)
        return None

    def _retire(self, worker: _Worker) -> None:
        worker.kill()
        if worker in self._workers:
            self._workers.remove(worker)


_START_FAILED = ReadError("readers-not-started")
_READING: tuple[Phase, int, int] = ("read", 0, 0)
"""The phase of a file when it is given to a process, and how much of it is done."""


def _start_process(reader: str) -> subprocess.Popen[bytes]:
    # In a new session Ctrl-C reaches only the parent, and the programs that a parser
    # starts can be killed with it.
    return subprocess.Popen(
        [
            *(sys.executable, "-P", "-c", _START),
            *(json.dumps([part for part in sys.path if part]), reader, str(os.getpid())),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


class _Worker:
    """A process, its current job, and the thread that receives its events."""

    def __init__(self, reader: str, events: queue.SimpleQueue[tuple[_Worker, Any]]) -> None:
        self.job: ReadJob | None = None
        self.identity: FileIdentity | None = None
        self.is_ready = False
        self.phase = _READING
        self.began = self.since = time.monotonic()
        self._process = _start_process(reader)
        threading.Thread(target=self._listen, args=(events,), daemon=True).start()

    def start(self, job: ReadJob) -> None:
        """Send a job; if the process is gone, an event reports it."""
        self.job, self.identity, self.phase = job, None, _READING
        self.began = self.since = time.monotonic()
        assert self._process.stdin
        with contextlib.suppress(OSError):
            write_frame(self._process.stdin, (job.path, job.options))

    def enter_phase(self, name: Phase, done: int, total: int) -> None:
        """The process says what it does with the file; a new phase has the whole time."""
        if name != self.phase[0]:
            self.since = time.monotonic()
        self.phase = name, done, total

    def describe_step(self) -> Step:
        """What the process does with its file, in the characters of the phase."""
        assert self.job
        name, done, total = self.phase
        return Step(name, done, total, "bytes", self.job.options.name)

    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Kill the process and its children, and wait for it to exit."""
        # Once the process is reaped, its id may belong to another one.
        if self.is_alive():
            with contextlib.suppress(OSError):
                if hasattr(os, "killpg"):
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()
        self._process.wait()
        assert self._process.stdin
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def wait_for_exit(self) -> None:
        """Wait up to a second for the process to exit, so that its status is not that of a kill."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)

    def measure_memory_mb(self) -> float:
        """Return the resident memory in MiB; 0 once the process is gone."""
        try:
            if _PROC.exists():
                pages = int((_PROC / str(self._process.pid) / "statm").read_text().split()[1])
                return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
            listing = subprocess.run(
                ["ps", "-o", "rss=", "-p", str(self._process.pid)],
                capture_output=True,
                text=True,
                check=False,
            )
            return int(listing.stdout or 0) / 1024
        except (OSError, ValueError, IndexError):
            return 0.0

    def build_crash_error(self) -> ReadError:
        """Build the error that says how the process ended."""
        if not self.is_ready:
            return _START_FAILED
        status = self._process.returncode
        how: Message | str = Message("readers-exit-status", status=str(status))
        if status is not None and status < 0:
            with contextlib.suppress(ValueError):
                how = signal.Signals(-status).name
        return ReadError("readers-crashed", how=how)

    def build_outcome(self, document: Document | None, error: ReadError | None) -> ReadOutcome:
        """Build the outcome of the current job."""
        assert self.job
        if error and not error.where:
            advice = error.advice
            error = ReadError(error.problem, where=self.job.options.name)
            error.advice = advice
        content_hash, size, modified = self.identity or (None, None, None)
        return ReadOutcome(self.job, document, error, content_hash, size, modified)

    def _listen(self, events: queue.SimpleQueue[tuple[_Worker, Any]]) -> None:
        assert self._process.stdout
        with self._process.stdout as stream:
            try:
                while True:
                    events.put((self, read_frame(stream)))
            # A process killed while it writes leaves half a pickle.
            except Exception:  # noqa: BLE001
                events.put((self, ("gone",)))
