"""What runs inside a parser process: jobs in on standard input, outcomes out.

Started by ``workers``. It ends itself when its parent is gone, ignores Ctrl-C (the
parent decides), and lets nothing that a parser prints into the answers.
"""

from __future__ import annotations

import ctypes
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
    """Send one pickled value, its length first."""
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> Any:
    """The next value. Raises ``EOFError`` when the other side is gone."""
    header = _read_exactly(stream, _LENGTH.size)
    # Only this process and its own child write here.
    return pickle.loads(_read_exactly(stream, _LENGTH.unpack(header)[0]))  # noqa: S301


def _read_exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if data is None or len(data) < size:
        raise EOFError
    return data


def serve(reader: str, parent: int) -> None:
    """Answer jobs with ``reader`` ("module:function") until the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_parent(parent)
    answers = _claim_stdout()
    jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_take_jobs, args=(sys.stdin.buffer, jobs), daemon=True).start()
    read = _find_reader(reader)
    write_frame(answers, ("ready",))
    while True:
        path, options = jobs.get()
        write_frame(answers, ("done", *_run_job(read, path, options, answers)))


def _run_job(
    read: ReadFunction, path: Path, options: ReadOptions, answers: IO[bytes]
) -> tuple[Document | None, ReadError | None, FileIdentity | None]:
    try:
        document, identity = read_stable_file(
            read, path, options, lambda known: write_frame(answers, ("identity", known))
        )
    except ReadError as error:
        return None, error, None
    return document, None, identity


FileIdentity = tuple[str, int, datetime]
"""SHA-256 of the bytes, size in bytes, time of last change."""


def read_stable_file(
    read: ReadFunction, path: Path, options: ReadOptions, tell: Callable[[FileIdentity], None]
) -> tuple[Document, FileIdentity]:
    """Read a file that is the same before and after, trying twice. Raises ``ReadError``."""
    for _ in range(2):
        before = identify(path, options.name)
        tell(before)
        try:
            document = read(path, options)
        except ReadError:
            # What is wrong with half a file says nothing about the whole one.
            if identify(path, options.name) == before:
                raise
            continue
        if identify(path, options.name) == before:
            return document, before
    raise ReadError(
        "The file changes while it is read.",
        where=options.name,
        fix="Wait until it is saved or copied, then ingest again.",
    )


def identify(path: Path, name: str) -> FileIdentity:
    """The identity of a file's content. Raises ``ReadError`` where it cannot be read."""
    try:
        facts = path.stat()
        return hash_file(path), facts.st_size, datetime.fromtimestamp(facts.st_mtime, UTC)
    except OSError as error:
        raise ReadError(
            f"The file cannot be opened: {error.strerror or error}.",
            where=name,
            fix="Check that it is there and that you may read it.",
        ) from error


def hash_file(path: Path) -> str:
    """SHA-256 of a file's bytes, in hexadecimal. Raises ``OSError``."""
    # A named pipe would wait for ever without O_NONBLOCK; for files it does nothing.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    digest = hashlib.sha256()
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _find_reader(reader: str) -> ReadFunction:
    module, _, function = reader.partition(":")
    found: ReadFunction = getattr(importlib.import_module(module), function)
    return found


def _take_jobs(stream: IO[bytes], jobs: queue.SimpleQueue[Any]) -> None:
    while True:
        try:
            jobs.put(read_frame(stream))
        except (EOFError, OSError):
            os._exit(0)


def _claim_stdout() -> IO[bytes]:
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    return answers


def _end_with_parent(parent: int) -> None:
    # A parser that never returns cannot notice that its parent is gone: the kernel does.
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)
