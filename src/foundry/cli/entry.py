"""The entry point of the ``foundry`` program.

It imports nothing heavy, so that Ctrl-C ends the program quietly even while it is loading:
``foundry --help`` imports Click and a few small modules, and the module of each command is
imported when the command is called.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Any


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP arrived: stop as for Ctrl-C, but wherever the program is."""


def run_program() -> None:
    """Run the program and end the process, without taking apart all that was loaded.

    Freeing it all takes a tenth of the time of a question. Exit handlers run, and threads that are
    still at work finish first.
    """
    try:
        main()
    except SystemExit as end:
        if threading.active_count() > 1:
            raise
        atexit._run_exitfuncs()  # noqa: SLF001 - there is no public name
        _end_process(end.code if isinstance(end.code, int) else int(end.code is not None))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and exit. ``arguments`` defaults to those of the process."""
    prepare_process()
    end = SystemExit(0)
    with _stop_on_signals() as received:
        try:
            program = load("foundry.cli.program", "foundry")
            program.main(arguments)
        except KeyboardInterrupt:
            sys.stderr.write("\nInterrupted.\n")
            end = SystemExit(130)
        except SystemExit as error:
            end = error
    if received:
        end = SystemExit(128 + received[0])
    _exit_past_threads(end.code if isinstance(end.code, int) else int(end.code is not None))
    raise end


def prepare_process() -> None:
    """Set what makes the start of a process fast."""
    # A question makes some 140,000 objects, most in use; by default each 700 are searched for cycles.
    gc.set_threshold(200_000, 20, 100)
    # Otherwise Pydantic looks for plugins in every installed package. We use none.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


@contextlib.contextmanager
def _stop_on_signals() -> Iterator[list[int]]:
    """Let SIGTERM and SIGHUP end the program as Ctrl-C does; yields those that arrived.

    A signal that is ignored (``nohup``) or handled already stays so.
    """
    received: list[int] = []

    def stop(number: int, _frame: object) -> None:
        received.append(number)
        raise Terminated

    handled = []
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, stop)
                handled.append(number)
    try:
        yield received
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


def load(module: str, name: str) -> Any:
    """Import ``module`` and return its attribute ``name``: the only import by name."""
    return getattr(importlib.import_module(module), name)


def _exit_past_threads(status: int) -> None:
    """Exit at once when an abandoned model call is still running in a thread.

    The thread may hold an import lock, and the interpreter would wait for it forever on its way
    out. Everything of ours is closed by now.
    """
    if any(thread.daemon and thread.is_alive() for thread in threading.enumerate()):
        _end_process(status)


def _end_process(status: int) -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)
