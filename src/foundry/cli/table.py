"""Tables on standard output: they fit a terminal, and in a pipe every cell is whole."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from foundry.cli.output import show, strip_controls

_MIN_ELASTIC = 12
"""Least width of the elastic column: below it a name cannot be recognised."""
_UNLIMITED = 1_000_000


def show_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    elastic: str,
    numbers: Collection[str] = (),
) -> None:
    """Print rows under their columns, without the columns that have no value.

    On a terminal the column ``elastic`` is shortened where the table is too wide: a PATH at its
    start, other text at its end. Columns in ``numbers`` are right-aligned.
    """
    cells = [[_format_cell(value) for value in row] for row in rows]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    used = [index for index in range(len(columns)) if any(row[index] for row in cells)]
    for index in used:
        justify = "right" if columns[index] in numbers else "left"
        table.add_column(columns[index], justify=justify, no_wrap=True)  # type: ignore[arg-type]
    for row in cells:
        table.add_row(*(_build_cell(columns[index], row[index]) for index in used))
    console = Console(file=io.StringIO(), width=_UNLIMITED, force_terminal=False, color_system=None)
    if sys.stdout.isatty():
        excess = console.measure(table).maximum - shutil.get_terminal_size().columns
        for index, column in zip(used, table.columns, strict=True):
            if column.header == elastic and excess > 0:
                widest = max(cell_len(row[index]) for row in cells)
                column.max_width = max(_MIN_ELASTIC, widest - excess)
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():
        show(line.rstrip())


def _format_cell(value: object) -> str:
    return "" if value is None else " ".join(strip_controls(str(value)).split())


def _build_cell(column: str, text: str) -> Text | _PathCell:
    return _PathCell(text) if column == "PATH" else Text(text, overflow="ellipsis")


@dataclass(frozen=True, slots=True)
class _PathCell:
    """A path that is cut at its start: the file name says most."""

    path: str

    def __rich_measure__(self, _console: Console, _options: ConsoleOptions) -> Measurement:
        return Measurement(1, cell_len(self.path))

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[Text]:
        path, width = self.path, options.max_width
        if cell_len(path) > width:
            path = f"…{set_cell_size(path[::-1], width - 1)[::-1]}"
        yield Text(path)
