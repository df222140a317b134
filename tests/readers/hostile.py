"""Readers that misbehave, for the parser pool; a file's words say how."""

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
    match words.split()[0]:
        case "hang":
            time.sleep(600)
        case "segfault":
            ctypes.string_at(0)
        case "exit":
            os._exit(3)
        case "eat":
            hold = [bytearray(b"x") * 20_000_000 for _ in range(400)]
            time.sleep(len(hold))
        case "print":
            print("noise" * 1000, flush=True)
        case "grow":
            path.write_text(words + " more")
        case "grow-once" if "more" not in words:
            path.write_text(words + " more")
        case "refuse":
            raise ReadError("It will not do.")
        case "pid":
            words = str(os.getpid())
    return Document(words, (), "txt", path.stem)
