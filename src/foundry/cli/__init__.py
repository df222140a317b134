"""The command line: parse, call one journey, show. No command decides anything of its own.

This module imports nothing heavy, so that Ctrl-C ends the program quietly even
while it is still loading. ``foundry --help`` imports Click and this package's
small modules; each command's module is loaded when it is called.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Sequence

from foundry.cli.loading import load


def main(arguments: Sequence[str] | None = None) -> None:
    """The entry point of the ``foundry`` program; ends it. Default is the process's arguments."""
    try:
        program = load("foundry.cli.program", "foundry")
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted.\n")
        sys.exit(130)
    try:
        program.main(arguments)
    except SystemExit as end:
        _leave(end.code if isinstance(end.code, int) else int(end.code is not None))
        raise


def _leave(status: int) -> None:
    """End at once where a call that nobody waits for is still running.

    Its thread may hold the lock of an import, and the interpreter would wait for that
    forever on its way out. Everything of ours is closed by now.
    """
    if any(thread.daemon and thread.is_alive() for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)
