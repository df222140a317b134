"""Turns the rows of a sheet into blocks: finds table headers and names every value.

A sheet is a series of regions separated by empty rows. A region may start with titles, which
are rows with one cell, followed by a header if the first full row looks like one. Rows are
streamed, with a short look ahead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, takewhile

from foundry.messages import Message
from foundry.readers.document_builder import DocumentBuilder
from foundry.readers.grids import CELL_BREAK

_BLOCK_CHARACTERS = 1200
"""Longest block of rows, about the size of a chunk, so that chunks end between rows."""
_LOOK_AHEAD = 30
"""Rows read to recognise a header. A guess: enough to see what each column contains."""
_MAX_NAME = 80
"""Longest column name, in characters; a longer cell is text. A guess."""
_FEW = 3
"""Most rows with one cell that are titles without a table below them. A guess."""
_HEAD_CHARACTERS = 2000
"""Text kept to find a revision mark: about the first page."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """The cells of a row as text, and the columns (from 0) with numbers or dates."""

    cells: Sequence[str]
    numeric: frozenset[int] = frozenset()

    @property
    def filled(self) -> list[int]:
        """The columns that are not empty."""
        return [column for column, cell in enumerate(self.cells) if cell]


class SheetWriter:
    """Writes one sheet into a document, up to ``room`` characters."""

    def __init__(
        self,
        builder: DocumentBuilder,
        name: str | None,
        room: int,
        spans: Mapping[int, list[tuple[int, int]]],
    ) -> None:
        """``name`` becomes the heading; ``spans`` maps rows to cells merged across.

        After ``write``, ``head`` is the first text and ``title`` a title above all tables.
        """
        self._builder = builder
        self._name = name
        self._room = room
        self._spans = spans
        self._lines: list[str] = []
        self._length = 0
        self._names: dict[int, str] | None = None
        self._has_heading = False
        self.written = 0
        self.head = ""
        self.title: str | None = None

    def write(self, rows: Iterable[SheetRow]) -> None:
        """Write all rows, or warn where the sheet was cut off."""
        numbered = enumerate(rows)
        gap = 0
        for number, row in numbered:
            if not row.filled:
                gap += 1
                continue
            if self.written >= self._room:
                self._warn_cut(number)
                break
            self._write_region(_Region(chain([(number, row)], numbered)), gap)
            gap = 1
        self._flush()

    def _write_region(self, region: _Region, gap: int) -> None:
        for row in region.take_titles(self._spans):
            self._flush()
            self._names = None
            self._put("paragraph", row.cells[row.filled[0]])
        ahead = region.peek()
        if ahead and not self._is_continuation(ahead, gap):
            self._flush()
            self._names, used = find_header(ahead, self._spans)
            region.skip(used)
        for number, row in region:
            if self.written >= self._room:
                self._warn_cut(number)
                return
            self._add_line(_format_row(row, self._names))

    def _is_continuation(self, ahead: list[tuple[int, SheetRow]], gap: int) -> bool:
        """Whether rows after a gap still belong to the header above it."""
        if self._names is None or (gap > 1 and len(ahead) > 1):
            return False
        row = ahead[0][1]
        repeated = [row.cells[column] for column in row.filled] == list(self._names.values())
        return not repeated and len(row.filled) > 1 and set(row.filled) <= set(self._names)

    def _add_line(self, line: str) -> None:
        if self._lines and self._length + len(line) > _BLOCK_CHARACTERS:
            self._flush()
        self._lines.append(line)
        self._length += len(line)
        self.written += len(line)

    def _flush(self) -> None:
        if self._lines:
            self._put("table", "\n".join(self._lines))
        self._lines = []
        self._length = 0

    def _put(self, kind: str, text: str) -> None:
        if not self._has_heading and self._name:
            self._builder.add_heading(self._name, 1)
        self._has_heading = True
        if not self.head and kind == "paragraph":
            self.title = text
        if kind == "table":
            self._builder.add("table", text)
        else:
            self.written += len(text)
            self._builder.add("paragraph", text)
        if len(self.head) < _HEAD_CHARACTERS:
            self.head += text.replace(CELL_BREAK, "  ") + "\n"

    def _warn_cut(self, number: int) -> None:
        place = Message("readers-sheet", name=self._name) if self._name else Message("readers-file")
        self._builder.warn(Message("readers-rows-cut", place=place, row=str(number)))


class _Region:
    """The rows up to the next empty one, with a look ahead."""

    def __init__(self, rows: Iterator[tuple[int, SheetRow]]) -> None:
        self._rows = takewhile(lambda item: item[1].filled, rows)
        self._ahead: list[tuple[int, SheetRow]] = []

    def __iter__(self) -> Iterator[tuple[int, SheetRow]]:
        while self._ahead:
            yield self._ahead.pop(0)
        yield from self._rows

    def peek(self) -> list[tuple[int, SheetRow]]:
        """Return the next rows without taking them."""
        self._ahead += islice(self._rows, _LOOK_AHEAD - len(self._ahead))
        return self._ahead

    def skip(self, count: int) -> None:
        """Drop the next rows."""
        del self._ahead[:count]

    def take_titles(self, spans: Mapping[int, list[tuple[int, int]]]) -> Iterator[SheetRow]:
        """Take the rows with one text cell above a wider table, or a few such rows alone."""
        ahead = self.peek()
        widest = max((len(row.filled) for _, row in ahead), default=0)
        if widest == 1 and len(ahead) <= _FEW:
            widest = 2
        first = min((column for _, row in ahead for column in row.filled), default=0)
        while ahead and widest > 1 and len(ahead[0][1].filled) == 1:
            number, row = ahead[0]
            # A single name merged over later columns names a group of columns.
            is_group = number in spans and row.filled[0] > first
            if row.numeric or is_group:
                return
            yield ahead.pop(0)[1]


def find_header(
    rows: Sequence[tuple[int, SheetRow]], spans: Mapping[int, list[tuple[int, int]]]
) -> tuple[dict[int, str] | None, int]:
    """Return the names by column, and how many rows they take: 0, 1, or 2 with group names.

    Two columns of words are keys and values, and have no names.
    """
    number, first = rows[0]
    below = [row for _, row in rows[1:]]
    groups = spans.get(number, [])
    if groups and len(below) > 1 and _is_header(below[0], below[1:]):
        return _join_group_names(first, below[0], groups), 2
    names = [first.cells[column] for column in first.filled]
    if len(set(names)) == len(names) and _is_header(first, below):
        return {column: first.cells[column] for column in first.filled}, 1
    return None, 0


def _is_header(row: SheetRow, below: Sequence[SheetRow]) -> bool:
    filled = row.filled
    used = {column for other in below for column in other.filled}
    # A header names most of the columns below it; 0.6 leaves room for unnamed ones. A guess.
    if len(filled) < 2 or len(used.intersection(filled)) < 0.6 * len(used) or not below:
        return False
    if max(len(row.cells[column]) for column in filled) > _MAX_NAME:
        return False
    if used == set(filled) and len(filled) == 2 and not _has_number_column(below, filled):
        return False
    numbers = row.numeric.intersection(filled)
    # Years are the only numbers that name columns: "Item | 2023 | 2024".
    years = all(row.cells[column].isdigit() and len(row.cells[column]) == 4 for column in numbers)
    return not numbers or (years and min(used | set(filled)) not in numbers)


def _has_number_column(rows: Sequence[SheetRow], columns: Sequence[int]) -> bool:
    return any(
        all(column in row.numeric for row in rows if column in row.filled) for column in columns
    )


def _join_group_names(
    top: SheetRow, names: SheetRow, groups: Sequence[tuple[int, int]]
) -> dict[int, str]:
    above = dict(enumerate(top.cells))
    for first, last in groups:
        for column in range(first, last + 1):
            above[column] = top.cells[first] if first < len(top.cells) else ""
    columns = sorted({*names.filled, *top.filled})
    full = {}
    for column in columns:
        name = names.cells[column] if column < len(names.cells) else ""
        parts = dict.fromkeys(part for part in (above.get(column, ""), name) if part)
        full[column] = " ".join(parts)
    return full


def _format_row(row: SheetRow, names: Mapping[int, str] | None) -> str:
    if names is None:
        return _format_unnamed(row)
    parts = []
    for column in row.filled:
        name = names.get(column, "")
        parts.append(_format_pair(name, row.cells[column]) if name else row.cells[column])
    return CELL_BREAK.join(parts)


def _format_unnamed(row: SheetRow) -> str:
    filled = row.filled
    if len(filled) == 2 and filled[0] not in row.numeric:
        return _format_pair(row.cells[filled[0]], row.cells[filled[1]])
    return CELL_BREAK.join(row.cells[filled[0] : filled[-1] + 1])


def _format_pair(name: str, value: str) -> str:
    return f"{name} {value}" if name.endswith((":", "?")) else f"{name}: {value}"
