"""Rows of cells → blocks: finds the header of each table in a sheet and names every value.

A sheet is a series of regions with empty rows between them. A region may open with
titles (rows with one cell); then comes a header, if the first full row reads like one.
Rows are streamed: a few are looked at ahead, none are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from foundry.readers.document_builder import CELL_BREAK, DocumentBuilder

_BLOCK_CHARACTERS = 1200
"""A block of rows is at most this long, so that chunks can be cut between rows."""
_LOOK_AHEAD = 30
_MAX_NAME = 80
_FEW = 3
_HEAD_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row's cells as text, and the columns (from 0) that hold numbers or dates."""

    cells: Sequence[str]
    numeric: frozenset[int] = frozenset()

    @property
    def filled(self) -> list[int]:
        """The columns that hold something."""
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
        """``name`` becomes the heading; ``spans`` are cells merged across, by row.

        Afterwards ``head`` holds the first words, and ``title`` a title above all tables.
        """
        self._builder = builder
        self._name = name
        self._room = room
        self._spans = spans
        self._lines: list[str] = []
        self._length = 0
        self._names: dict[int, str] | None = None
        self._begun = False
        self.written = 0
        self.head = ""
        self.title: str | None = None

    def write(self, rows: Iterable[SheetRow]) -> None:
        """Write all rows; says so in a warning when the room does not reach."""
        numbered = enumerate(rows)
        gap = 0
        for place, row in numbered:
            if not row.filled:
                gap += 1
                continue
            if self.written >= self._room:
                self._say_cut(place)
                break
            self._region(_Region(chain([(place, row)], numbered)), gap)
            gap = 1
        self._flush()

    def _region(self, region: _Region, gap: int) -> None:
        for row in region.titles(self._spans):
            self._flush()
            self._names = None
            self._put("paragraph", row.cells[row.filled[0]])
        ahead = region.peek()
        if ahead and not self._goes_on(ahead, gap):
            self._flush()
            self._names, used = find_header(ahead, self._spans)
            region.skip(used)
        for place, row in region:
            if self.written >= self._room:
                self._say_cut(place)
                return
            self._line(_format_row(row, self._names))

    def _goes_on(self, ahead: list[tuple[int, SheetRow]], gap: int) -> bool:
        """Whether rows after a gap still stand under the header above it."""
        if self._names is None or (gap > 1 and len(ahead) > 1):
            return False
        row = ahead[0][1]
        repeated = [row.cells[column] for column in row.filled] == list(self._names.values())
        return not repeated and len(row.filled) > 1 and set(row.filled) <= set(self._names)

    def _line(self, line: str) -> None:
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
        if not self._begun and self._name:
            self._builder.heading(self._name, 1)
        self._begun = True
        if not self.head and kind == "paragraph":
            self.title = text
        if kind == "table":
            self._builder.add("table", text)
        else:
            self.written += len(text)
            self._builder.add("paragraph", text)
        if len(self.head) < _HEAD_CHARACTERS:
            self.head += text.replace(CELL_BREAK, "  ") + "\n"

    def _say_cut(self, place: int) -> None:
        where = f"Sheet {self._name!r}" if self._name else "The file"
        self._builder.warn(f"{where} is too long: it was read up to row {place}.")


class _Region:
    """Rows up to the next empty one, with a look ahead."""

    def __init__(self, rows: Iterator[tuple[int, SheetRow]]) -> None:
        self._rows = self._until_empty(rows)
        self._ahead: list[tuple[int, SheetRow]] = []

    def __iter__(self) -> Iterator[tuple[int, SheetRow]]:
        while self._ahead:
            yield self._ahead.pop(0)
        yield from self._rows

    def peek(self) -> list[tuple[int, SheetRow]]:
        """The next rows, without taking them."""
        self._ahead += islice(self._rows, _LOOK_AHEAD - len(self._ahead))
        return self._ahead

    def skip(self, count: int) -> None:
        """Take rows away."""
        del self._ahead[:count]

    def titles(self, spans: Mapping[int, list[tuple[int, int]]]) -> Iterator[SheetRow]:
        """The rows with a single text cell above a wider table, or a few such rows alone."""
        ahead = self.peek()
        widest = max((len(row.filled) for _, row in ahead), default=0)
        if widest == 1 and len(ahead) <= _FEW:
            widest = 2
        first = min((column for _, row in ahead for column in row.filled), default=0)
        while ahead and widest > 1 and len(ahead[0][1].filled) == 1:
            place, row = ahead[0]
            # A lone name merged over later columns groups them: it is no title.
            groups = place in spans and row.filled[0] > first
            if row.numeric or groups:
                return
            yield ahead.pop(0)[1]

    @staticmethod
    def _until_empty(rows: Iterator[tuple[int, SheetRow]]) -> Iterator[tuple[int, SheetRow]]:
        for place, row in rows:
            if not row.filled:
                return
            yield place, row


def find_header(
    rows: Sequence[tuple[int, SheetRow]], spans: Mapping[int, list[tuple[int, int]]]
) -> tuple[dict[int, str] | None, int]:
    """Column → name, and how many rows the names take: 0, 1, or 2 under group names.

    Two columns of words are keys with their values, and need no names.
    """
    place, first = rows[0]
    below = [row for _, row in rows[1:]]
    groups = spans.get(place, [])
    if groups and len(below) > 1 and _is_header(below[0], below[1:]):
        return _join_group_names(first, below[0], groups), 2
    names = [first.cells[column] for column in first.filled]
    if len(set(names)) == len(names) and _is_header(first, below):
        return {column: first.cells[column] for column in first.filled}, 1
    return None, 0


def _is_header(row: SheetRow, below: Sequence[SheetRow]) -> bool:
    filled = row.filled
    used = {column for other in below for column in other.filled}
    if len(filled) < 2 or len(used.intersection(filled)) < 0.6 * len(used) or not below:
        return False
    if max(len(row.cells[column]) for column in filled) > _MAX_NAME:
        return False
    if used == set(filled) and len(filled) == 2 and not _has_number_column(below, filled):
        return False
    numbers = row.numeric.intersection(filled)
    # Years are the one kind of number that names columns: "Item | 2023 | 2024".
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
    found = {}
    for column in columns:
        name = names.cells[column] if column < len(names.cells) else ""
        parts = dict.fromkeys(part for part in (above.get(column, ""), name) if part)
        found[column] = " ".join(parts)
    return found


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
