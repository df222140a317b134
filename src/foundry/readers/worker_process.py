"""The parser process: takes jobs on standard input and writes answers to standard output.

``workers`` starts it. It exits when its parent is gone, leaves Ctrl-C to the parent, and
keeps what a parser prints out of its answers.
"""

from __future__ import annotations

import ctypes
import gc
import hashlib
import importlib
import os
import pickle
import queue
import signal
import struct
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.records import Document

ReadFunction = Callable[[Path, ReadOptions], Document]

_LENGTH = struct.Struct("!Q")
_PR_SET_PDEATHSIG = 1
_BLOCK = 1024 * 1024


def write_frame(stream: IO[bytes], value: Any) -> None:
    """Write one pickled value, preceded by its length."""
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> Any:
    """Read the next value. Raises ``EOFError`` when the other side is gone."""
    header = _read_exactly(stream, _LENGTH.size)
    # Safe: only this process and its own child write to the pipe.
    return pickle.loads(_read_exactly(stream, _LENGTH.unpack(header)[0]))  # noqa: S301


def _read_exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if data is None or len(data) < size:
        raise EOFError
    return data


_answers: IO[bytes] | None = None
"""Where a parser process writes; None in any other process."""


def announce(phase: str, done: int, total: int) -> None:
    """Tell the parent which phase of its file this process is in; each has the limits anew."""
    if _answers is not None:
        write_frame(_answers, ("phase", phase, done, total))


def serve(reader: str, parent: int) -> None:
    """Read files with ``reader`` ("module:function") until the process ``parent`` is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A parser that hangs cannot notice that its parent is gone, but the kernel can.
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)
    # A page has thousands of words, all in use; by default each 700 are searched for cycles.
    gc.set_threshold(50_000, 20, 100)
    global _answers  # noqa: PLW0603 - a process serves once
    _answers = answers = _claim_stdout()
    jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_receive_jobs, args=(sys.stdin.buffer, jobs), daemon=True).start()
    module, _, function = reader.partition(":")
    read: ReadFunction = getattr(importlib.import_module(module), function)
    write_frame(answers, ("ready",))
    while True:
        path, options = jobs.get()
        write_frame(answers, ("done", *_run_job(read, path, options, answers)))


def _run_job(
    read: ReadFunction, path: Path, options: ReadOptions, answers: IO[bytes]
) -> tuple[Document | None, ReadError | None, FileIdentity | None]:
    try:
        document, identity = read_stable_file(
            read, path, options, lambda identity: write_frame(answers, ("identity", identity))
        )
    except ReadError as error:
        return None, error, None
    return document, None, identity


FileIdentity = tuple[str, int, datetime]
"""SHA-256 of the bytes, size in bytes, time of the last change."""


def read_stable_file(
    read: ReadFunction, path: Path, options: ReadOptions, report: Callable[[FileIdentity], None]
) -> tuple[Document, FileIdentity]:
    """Read a file, and check that it did not change meanwhile; try twice.

    ``report`` gets the identity before reading starts. Raises ``ReadError``.
    """
    for _ in range(2):
        before = identify(path, options.name)
        report(before)
        try:
            document = read(path, options)
        except ReadError:
            # An error in a half-written file says nothing about the complete one.
            if identify(path, options.name) == before:
                raise
            continue
        if identify(path, options.name) == before:
            return document, before
    raise ReadError("readers-changed-meanwhile", where=options.name)


def identify(path: Path, name: str) -> FileIdentity:
    """Return hash, size and time of a file. Raises ``ReadError`` if it cannot be read."""
    try:
        status = path.stat()
        return hash_file(path), status.st_size, datetime.fromtimestamp(status.st_mtime, UTC)
    except OSError as error:
        # Imported here: readers say with this module which phase they are in.
        from foundry.readers.formats import build_open_error

        raise build_open_error(error, name) from error


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal. Raises ``OSError``."""
    # Without O_NONBLOCK a named pipe would block forever; it has no effect on files.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    digest = hashlib.sha256()
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _receive_jobs(stream: IO[bytes], jobs: queue.SimpleQueue[Any]) -> None:
    while True:
        try:
            jobs.put(read_frame(stream))
        except (EOFError, OSError):
            os._exit(0)


def _claim_stdout() -> IO[bytes]:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return answers
