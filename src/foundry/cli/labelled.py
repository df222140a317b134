"""What the commands share that measure on lines of a file: its argument, reading, the status."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import BinaryIO, TypeVar

import click

from foundry.cli.failures import DONE, FAILED
from foundry.evaluation.lines import Row, SkippedLine, read_lines, require_some

Read = TypeVar("Read")

file_argument = click.argument("file", metavar="FILE.jsonl", type=click.File("rb", lazy=False))
"""The file of lines; - is standard input."""

strict_option = click.option("--strict", is_flag=True, help="Exit with 1 when a line was left out.")


def read_input(file: BinaryIO, read: Callable[[Row], Read]) -> tuple[list[Read], list[SkippedLine]]:
    """The file's items and the lines that were left out. Raises ``UsageError`` for no item."""
    name = str(getattr(file, "name", "-"))
    name = "standard input" if name in {"-", "<stdin>"} else name
    found, skipped = read_lines(file, name, read)
    require_some(found, skipped, name)
    return found, skipped


def status_of(skipped: Sequence[SkippedLine], *, strict: bool) -> int:
    """The exit status: 1 where lines were left out and that matters."""
    return FAILED if strict and skipped else DONE


def rate(value: float | None) -> str:
    """A share as it is shown."""
    return "undefined" if value is None else f"{value:.3f}"


def rounded(value: float | None) -> float | None:
    """A share as it is printed."""
    return None if value is None else round(value, 4)
