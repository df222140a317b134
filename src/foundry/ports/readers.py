"""Reading files, and progress reports of long work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from foundry.messages import Message
from foundry.records import Document

Progress = Callable[["Step"], None]
"""Receives every step of long work; a face draws the progress bar."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of long work: ``done`` of ``total`` ``unit`` in a ``phase``, now at ``item``."""

    phase: str
    done: int
    total: int
    unit: str
    item: str | Message = ""


class Reader(Protocol):
    """Reads a file; raises ``ReadError``, and never returns an empty document silently."""

    def __call__(self, path: Path, options: ReadOptions) -> Document: ...


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a reader may need besides the file.

    ``name`` is the file's path in the project, for messages; ``passwords`` are tried in turn on
    encrypted files; ``ocr`` is the value of ``ingest.ocr``; ``temporary`` is a folder for scratch
    files; ``time_s`` is the time limit for the file, or None.
    """

    name: str
    passwords: tuple[str, ...] = ()
    ocr: str = "auto"
    temporary: Path | None = None
    time_s: float | None = None
