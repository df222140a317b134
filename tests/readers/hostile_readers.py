"""Readers that misbehave, for tests of the parser pool; the first word of a file says how."""

from __future__ import annotations

import ctypes
import os
import time
from pathlib import Path

from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.records import Document


def read(path: Path, options: ReadOptions) -> Document:
    words = path.read_text()
    order = words.split()[0]
    if order in FATAL:
        FATAL[order](path)
    if order == "refuse":
        raise ReadError("verbatim", text="It is refused.")
    if order == "print":
        print("noise" * 1000, flush=True)
    if order == "grow" or (order == "grow-once" and "more" not in words):
        path.write_text(words + " more")
    return Document(str(os.getpid()) if order == "pid" else words, (), "txt", path.stem)


def hang_in_native_code(path: Path) -> None:
    path.with_suffix(".pid").write_text(str(os.getpid()))
    # PyDLL keeps the interpreter lock, so no other thread of the process runs.
    ctypes.PyDLL(None).sleep(600)


def eat_memory(path: Path) -> None:
    hold = [bytearray(b"x") * 20_000_000 for _ in range(400)]
    time.sleep(len(hold))


FATAL = {
    "hang": lambda path: time.sleep(600),
    "stuck": hang_in_native_code,
    "segfault": lambda path: ctypes.string_at(0),
    "exit": lambda path: os._exit(3),
    "eat": eat_memory,
}
