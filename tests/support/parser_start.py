"""Parser processes that are forked from one that has the readers, so that a test waits for none.

What a process does is the same; only its start is spared, for which a new interpreter takes most
of a second. ``tests/readers/test_workers.py`` starts them as the program does.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from contextlib import chdir, suppress
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path

from foundry.readers.worker_process import serve

ROOT = Path(__file__).parents[2]
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload([f"{__name__.rpartition('.')[0]}.warm_readers"])


class ForkedParser:
    """A parser process, with what ``readers.workers`` uses of ``subprocess.Popen``."""

    def __init__(self, reader: str) -> None:
        theirs_in, mine_in = CONTEXT.Pipe(duplex=False)
        mine_out, theirs_out = CONTEXT.Pipe(duplex=False)
        place = (dict(os.environ), str(Path.cwd()), [part for part in sys.path if part])
        self._process = CONTEXT.Process(
            target=_run, args=(reader, place, theirs_in, theirs_out), daemon=True
        )
        # The server imports its modules from where it starts.
        with chdir(ROOT):
            forkserver.ensure_running()
        self._process.start()
        theirs_in.close()
        theirs_out.close()
        mine_out.recv_bytes()
        assert self._process.pid
        self.pid = self._process.pid
        self.stdin = os.fdopen(os.dup(mine_in.fileno()), "wb", closefd=True)
        self.stdout = os.fdopen(os.dup(mine_out.fileno()), "rb", closefd=True)
        mine_in.close()
        mine_out.close()

    @property
    def returncode(self) -> int | None:
        """The status, as ``subprocess`` has it: a signal is negative."""
        return self._process.exitcode

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int | None:
        self._process.join(timeout)
        return self.returncode


def _run(
    reader: str,
    place: tuple[dict[str, str], str, list[str]],
    jobs: Connection,
    answers: Connection,
) -> None:
    environment, folder, path = place
    os.setsid()
    # From here on the process can be killed with all that it starts.
    answers.send_bytes(b"")
    os.dup2(jobs.fileno(), 0)
    os.dup2(answers.fileno(), 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.stdin = os.fdopen(0, closefd=False)
    jobs.close()
    answers.close()
    os.environ.clear()
    os.environ.update(environment)
    with suppress(OSError):
        os.chdir(folder)
    sys.path[:] = path
    serve(reader, os.getppid())
