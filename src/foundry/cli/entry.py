"""The entry point of the ``foundry`` program.

It imports nothing heavy, so that Ctrl-C ends the program quietly even while it is loading:
``foundry --help`` imports Click and a few small modules, and the module of each command is
imported when the command is called.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import threading
from collections.abc import Sequence
from typing import Any


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and exit. ``arguments`` defaults to those of the process."""
    try:
        program = load("foundry.cli.program", "foundry")
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted.\n")
        sys.exit(130)
    try:
        program.main(arguments)
    except SystemExit as end:
        _exit_past_threads(end.code if isinstance(end.code, int) else int(end.code is not None))
        raise


def load(module: str, name: str) -> Any:
    """Import ``module`` and return its attribute ``name``: the only import by name."""
    return getattr(importlib.import_module(module), name)


def _exit_past_threads(status: int) -> None:
    """Exit at once when an abandoned model call is still running in a thread.

    The thread may hold an import lock, and the interpreter would wait for it forever on its way
    out. Everything of ours is closed by now.
    """
    if any(thread.daemon and thread.is_alive() for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)
