"""A table of text that fits the terminal; in a pipe every cell is whole."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Collection, Sequence

from rich.cells import cell_len

from foundry.cli.output import show, strip_controls

GAP = "  "
LEAST = 12
"""Columns of the screen that the elastic column keeps on a narrow terminal."""


def show_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    elastic: str,
    numbers: Collection[str] = (),
) -> None:
    """Print rows under their columns; a column without any value is left out.

    On a terminal the column ``elastic`` gives way: a path loses its beginning,
    other text its end. Columns in ``numbers`` stand to the right.
    """
    cells = [[_format_cell(value) for value in row] for row in rows]
    used = [at for at in range(len(columns)) if any(row[at] for row in cells)]
    names = [columns[at] for at in used]
    table = [names, *([row[at] for at in used] for row in cells)]
    widths = [max(cell_len(row[at]) for row in table) for at in range(len(names))]
    if sys.stdout.isatty() and elastic in names:
        at = names.index(elastic)
        room = shutil.get_terminal_size().columns - sum(widths) - len(GAP) * (len(widths) - 1)
        widths[at] = max(LEAST, min(widths[at], widths[at] + room))
    for row in table:
        parts = [
            _fit(cell, width, right=name in numbers, keep_end=name == "PATH")
            for cell, width, name in zip(row, widths, names, strict=True)
        ]
        show(GAP.join(parts).rstrip())


def _format_cell(value: object) -> str:
    return "" if value is None else " ".join(strip_controls(str(value)).split())


def _fit(text: str, width: int, *, right: bool, keep_end: bool) -> str:
    """The text in exactly ``width`` columns of the screen, where some characters take two."""
    if cell_len(text) > width:
        while cell_len(text) >= width:
            text = text[1:] if keep_end else text[:-1]
        text = f"…{text}" if keep_end else f"{text}…"
    blank = " " * (width - cell_len(text))
    return blank + text if right else text + blank
