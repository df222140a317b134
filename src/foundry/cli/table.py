"""Tables on standard output: they fit a terminal, and in a pipe every cell is whole."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from foundry.cli.output import show, strip_controls
from foundry.messages import Message

_MIN_ELASTIC = 12
"""Least width of the elastic column: below it a name cannot be recognised."""
_MIN_OTHER = 20
"""Least width of another column that is cut because the elastic one alone does not suffice."""
_MIN_ANY = 8
"""Least width of any column, where all of them together are still too wide; a guess."""
_GAP = 2
_PATHS = ("column-path",)
_UNLIMITED = 1_000_000


def align_facts(*facts: tuple[Message | str, Message | str | None]) -> list[str]:
    """A line per label and text, indented by two, texts below each other; without empty texts."""
    labels = [(f"{label}:", str(text)) for label, text in facts if text]
    width = max((cell_len(label) for label, _ in labels), default=0)
    return [f"  {label}{' ' * (width - cell_len(label))} {text}" for label, text in labels]


def list_columns(*names: str) -> tuple[str, ...]:
    """The codes of these columns: ``column-path``."""
    return tuple(f"column-{name}" for name in names)


def show_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    elastic: str,
    numbers: Collection[str] = (),
    optional: Sequence[str] = (),
) -> None:
    """Print rows under their columns, without the columns that have no value.

    A column is a code of the catalogue, such as ``column-path``, or a name that is data.

    A table that is too wide for the terminal loses its ``optional`` columns, the first one first;
    then the widest of the column ``elastic`` and of other long texts is cut, but never the first
    column or ``numbers``, which are right-aligned. A path is cut at its start, other text at its
    end. In a pipe nothing is left out or cut.
    """
    cells = [
        ["" if value is None else " ".join(strip_controls(str(value)).split()) for value in row]
        for row in rows
    ]
    widths = {
        name: max(cell_len(_get_heading(name)), *(cell_len(row[index]) for row in cells))
        for index, name in enumerate(columns)
        if any(row[index] for row in cells)
    }
    if sys.stdout.isatty():
        fixed = {*numbers, columns[0]} - {elastic}
        widths = _fit(widths, shutil.get_terminal_size().columns, elastic, fixed, optional)
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0))
    for name, width in widths.items():
        justify = "right" if name in numbers else "left"
        table.add_column(_get_heading(name), justify=justify, no_wrap=True, max_width=width)  # type: ignore[arg-type]
    used = [(name, columns.index(name)) for name in widths]
    for row in cells:
        table.add_row(
            *(
                _PathCell(row[index]) if name in _PATHS else Text(row[index], overflow="ellipsis")
                for name, index in used
            )
        )
    console = Console(file=io.StringIO(), width=_UNLIMITED, force_terminal=False, color_system=None)
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():
        show(line.rstrip(), wrap=False)


def _fit(
    widths: Mapping[str, int],
    room: int,
    elastic: str,
    fixed: Collection[str],
    optional: Sequence[str],
) -> dict[str, int]:
    """The columns that a terminal shows, with their widths: in all at most ``room`` if possible."""
    left, waiting = dict(widths), [name for name in optional if name in widths]
    least = {name: _MIN_ELASTIC if name == elastic else _MIN_OTHER for name in widths}
    while True:
        excess = sum(left.values()) + _GAP * (len(left) - 1) - room
        elastics = [n for n in left if n not in fixed and left[n] > least[n]]
        if excess <= 0:
            return left
        if waiting and excess > sum(left[name] - least[name] for name in elastics):
            del left[waiting.pop(0)]
        elif elastics:
            left[max(elastics, key=lambda name: (left[name], name == elastic))] -= 1
        elif set(least.values()) != {_MIN_ANY}:
            least = dict.fromkeys(widths, _MIN_ANY)
        else:
            return left


def _get_heading(column: str) -> str:
    return str(Message(column)) if column.startswith("column-") else column


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
