"""Parser processes: a file that hangs, crashes or eats memory takes only its own down.

Each process reads one file at a time and is kept for the next. The parent samples
its memory (resident size, which is what fills the machine; a limit on addresses
would also stop parsers that only reserve them) and its time, and kills that one
process when it goes over. Standard pipes and own processes are used instead of
``multiprocessing``, which would run the caller's main module again in each child.
Nothing is retried here except a file that changed while it was read.
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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.readers.worker_process import hash_file, read_frame, write_frame
from foundry.records import Document

__all__ = ["ParserPool", "ReadJob", "ReadOutcome", "hash_file"]

_TICK_S = 0.05
_START_TIMEOUT_S = 60.0
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
    """What became of a job: a document or an error, never both.

    ``hash_bytes`` (SHA-256), ``size`` (bytes) and ``modified`` are those of the
    bytes that were read; None where the file could not even be opened.
    """

    job: ReadJob
    document: Document | None
    error: ReadError | None
    content_hash: str | None = None
    size: int | None = None
    modified: datetime | None = None


class ParserPool:
    """At most ``workers`` parser processes, each with a time and a memory limit per file.

    A context manager; leaving it, for whatever reason, kills them at once.
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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Kill all processes; a job in hand is lost."""
        while self._workers:
            self._workers.pop().kill()

    def read_all(self, jobs: Iterable[ReadJob]) -> Iterator[ReadOutcome]:
        """Outcomes in the order of completion. Jobs are taken only as processes come free."""
        waiting = iter(jobs)
        more = self._hand_out(waiting)
        try:
            while any(worker.job for worker in self._workers):
                yield from self._settled()
                more = more and self._hand_out(waiting)
        finally:
            # The consumer stopped early: what is in hand concerns nobody any more.
            for worker in [worker for worker in self._workers if worker.job]:
                self._retire(worker)

    def _hand_out(self, waiting: Iterator[ReadJob]) -> bool:
        while sum(1 for worker in self._workers if worker.job) < self._limit:
            job = next(waiting, None)
            if job is None:
                return False
            self._idle_worker().start(job)
        return True

    def _idle_worker(self) -> _Worker:
        for worker in self._workers:
            if worker.job is None and worker.is_alive():
                return worker
        self._workers = [worker for worker in self._workers if worker.job]
        worker = _Worker(self._reader, self._events)
        self._workers.append(worker)
        return worker

    def _settled(self) -> Iterator[ReadOutcome]:
        """Wait for one event at most a tick long, then look after limits."""
        with contextlib.suppress(queue.Empty):
            worker, event = self._events.get(timeout=_TICK_S)
            # Processes that were retired may still have something to say.
            if worker in self._workers:
                outcome = self._take(worker, event)
                if outcome:
                    yield outcome
        for worker in list(self._workers):
            reason = self._over_limit(worker)
            if reason and worker.job:
                outcome = worker.outcome(None, reason)
                self._retire(worker)
                yield outcome

    def _take(self, worker: _Worker, event: Any) -> ReadOutcome | None:
        kind, *facts = event
        if kind == "ready":
            worker.is_ready, worker.since = True, time.monotonic()
        elif kind == "identity":
            worker.identity = facts[0]
        elif kind == "done" and worker.job:
            document, error, identity = facts
            worker.identity = identity or worker.identity
            outcome = worker.outcome(document, error)
            worker.job = None
            # What a large file left behind must not count against the next one.
            if worker.memory_mb() > self._memory_mb / 2:
                self._retire(worker)
            return outcome
        elif kind == "gone":
            worker.wait_for_end()
            self._retire(worker)
            return worker.outcome(None, worker.crash()) if worker.job else None
        return None

    def _over_limit(self, worker: _Worker) -> ReadError | None:
        if not worker.job:
            return None
        seconds = time.monotonic() - worker.since
        if not worker.is_ready:
            return _START_FAILED if seconds > _START_TIMEOUT_S else None
        if seconds > self._timeout_s:
            return ReadError(
                f"Reading it took longer than {self._timeout_s:g} seconds and was stopped.",
                fix="Raise ingest.parse_timeout_s, or split the file.",
            )
        if worker.memory_mb() > self._memory_mb:
            return ReadError(
                f"Reading it took more than {self._memory_mb} MB of memory and was stopped.",
                fix="Raise ingest.parse_memory_mb, or split the file.",
            )
        return None

    def _retire(self, worker: _Worker) -> None:
        worker.kill()
        if worker in self._workers:
            self._workers.remove(worker)


_START_FAILED = ReadError(
    "The parser process did not start.", fix="Run `foundry doctor` and try again."
)


class _Worker:
    """One process, the job in its hands, and the thread that listens to it."""

    def __init__(self, reader: str, events: queue.SimpleQueue[tuple[_Worker, Any]]) -> None:
        self.job: ReadJob | None = None
        self.identity: tuple[str, int, datetime] | None = None
        self.is_ready = False
        self.since = time.monotonic()
        # A session of its own: Ctrl-C reaches the parent only, and helpers that a
        # parser starts are killed with it.
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-P", "-c", _START),
                *(json.dumps([part for part in sys.path if part]), reader, str(os.getpid())),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        threading.Thread(target=self._listen, args=(events,), daemon=True).start()

    def start(self, job: ReadJob) -> None:
        """Send a job; if the process is gone, its listener says so."""
        self.job, self.identity, self.since = job, None, time.monotonic()
        assert self._process.stdin
        with contextlib.suppress(OSError):
            write_frame(self._process.stdin, (job.path, job.options))

    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End the process and what it started, and wait until they are gone."""
        # Once it is reaped its number may be another's.
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

    def wait_for_end(self) -> None:
        """Let a process that has closed its pipe end by itself, so that its status is its own."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)

    def memory_mb(self) -> float:
        """Resident memory in MiB; 0 once the process is gone."""
        return _measure_resident_mb(self._process.pid)

    def crash(self) -> ReadError:
        """How the process ended, for a person."""
        if not self.is_ready:
            return _START_FAILED
        status = self._process.returncode
        how = f"exit status {status}"
        if status is not None and status < 0:
            with contextlib.suppress(ValueError):
                how = signal.Signals(-status).name
        return ReadError(
            f"The parser crashed on this file ({how}).",
            fix="It may be damaged: open it in its own program and save it again.",
        )

    def outcome(self, document: Document | None, error: ReadError | None) -> ReadOutcome:
        """What became of the job in hand."""
        assert self.job
        if error and not error.where:
            error = ReadError(error.message, where=self.job.options.name, fix=error.fix)
        content_hash, size, modified = self.identity or (None, None, None)
        return ReadOutcome(self.job, document, error, content_hash, size, modified)

    def _listen(self, events: queue.SimpleQueue[tuple[_Worker, Any]]) -> None:
        assert self._process.stdout
        with self._process.stdout as stream:
            try:
                while True:
                    events.put((self, read_frame(stream)))
            # A process that is killed while it answers leaves half a pickle.
            except Exception:  # noqa: BLE001
                events.put((self, ("gone",)))


def _measure_resident_mb(pid: int) -> float:
    try:
        if _PROC.exists():
            pages = int((_PROC / str(pid) / "statm").read_text().split()[1])
            return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
        listed = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False
        )
        return int(listed.stdout or 0) / 1024
    except (OSError, ValueError, IndexError):
        return 0.0
