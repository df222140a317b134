"""Cutting that misbehaves, for tests of its limits; the first word of a file says where and how.

``hang:chunk_document`` hangs where the file is cut into chunks, ``eat:`` takes memory without end,
``raise:`` fails, and ``parent:`` kills the process that started this one, as a system without memory does.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from foundry.journeys import file_chunks

STEPS = ("detect_language", "chunk_document", "analyse", "cut_windows", "summarise")


def read_and_cut(path: Path, request: file_chunks.CutRequest) -> file_chunks.CutDocument:
    how, _, step = path.read_text().split()[0].partition(":")
    if step not in STEPS:
        return file_chunks.read_and_cut(path, request)
    sound = getattr(file_chunks, step)
    setattr(file_chunks, step, FAULTS[how])
    try:
        return file_chunks.read_and_cut(path, request)
    finally:
        setattr(file_chunks, step, sound)


def cut_again(path: Path, request: file_chunks.CutRequest) -> file_chunks.CutDocument:
    file_chunks.chunk_document = hang  # type: ignore[assignment,attr-defined]
    return file_chunks.cut_again(path, request)


def hang(*_args: object, **_options: object) -> None:
    while True:
        time.sleep(0.1)


def eat(*_args: object, **_options: object) -> None:
    hold = [bytearray(b"x") * 20_000_000 for _ in range(400)]
    time.sleep(len(hold))


def fail(*_args: object, **_options: object) -> None:
    raise RecursionError("too deep")


def end_parent(*_args: object, **_options: object) -> None:
    os.kill(os.getppid(), signal.SIGKILL)
    hang()


FAULTS: dict[str, Callable[..., Any]] = {
    "hang": hang,
    "eat": eat,
    "raise": fail,
    "parent": end_parent,
}
