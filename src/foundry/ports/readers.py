"""Reading files, and progress reports of long work."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeVar

from foundry.messages import Message
from foundry.records import Document

Progress = Callable[["Step"], None]
"""Receives every step of long work; a face draws the progress bar."""


Phase = Literal[
    "measure",
    "fit",
    "judge",
    "verify",
    "search",
    "draft",
    "import",
    "ask",
    "read",
    "cut",
    "store",
    "check",
    "summaries",
    "prefixes",
    "settle",
    "plan",
    "stop",
    "copy",
    "embed",
    "wait",
    "write",
    "render",
]
"""What work may be at; the catalogue has a word for each, as for each unit."""
Unit = Literal[
    "files",
    "runs",
    "folds",
    "questions",
    "passages",
    "sources",
    "documents",
    "statements",
    "chunks",
    "tokens",
    "sections",
    "formats",
    "bytes",
    "",
]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of long work: ``done`` of ``total`` ``unit`` in a ``phase``, now at ``item``."""

    phase: Phase
    done: int
    total: int
    unit: Unit
    item: str | Message = ""


Event = TypeVar("Event")
Result = TypeVar("Result")


def run_to_end(
    steps: Generator[Event, None, Result], on_event: Callable[[Event], None] = lambda _event: None
) -> Result:
    """Run to the end, showing each event; whatever ends it closes the model's call."""
    with closing(steps):
        while True:
            try:
                event = next(steps)
            except StopIteration as end:
                result: Result = end.value
                return result
            on_event(event)


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
