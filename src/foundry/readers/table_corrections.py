"""Applies people's corrections of rows, columns and merged cells to a table as it was read.

Rows are the lines of a block's text, numbered from 1; columns have letters. The corrections of all
blocks of a table together give its shape, with which its lines are read again. Lines do not show merged
cells or indentation: unless corrected, these are inferred from the labels of the values.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from foundry.messages import Message
from foundry.readers.grid_cells import GridCell, tidy_cells
from foundry.readers.grids import GridReading, GridShape, read_grid
from foundry.readers.text_edits import TextEdits
from foundry.records import (
    Block,
    CorrectedPart,
    Correction,
    CorrectionKind,
    Document,
    Table,
)
from foundry.text.table_layout import TableLayout, find_table_rows
from foundry.text.tables import TextRow, find_rows

TABLE_KINDS: tuple[CorrectionKind, ...] = ("header", "columns", "span", "split", "merge")
"""Corrections of a table's structure."""
_ROWS = re.compile(r"([0-9]{1,7})(?:-([0-9]{1,7}))?")
_CELL = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
_EVERY = range(10**7)


@dataclass(frozen=True, slots=True)
class CellArea:
    """A range of cells; rows and columns count from 0. An empty range of rows is the gap before a row."""

    rows: range
    columns: range = _EVERY

    def meets(self, other: CellArea) -> bool:
        """Whether the two areas overlap."""
        return all(
            one.start < max(two.stop, two.start + 1) and two.start < max(one.stop, one.start + 1)
            for one, two in ((self.rows, other.rows), (self.columns, other.columns))
        )


def parse_rows(text: str) -> range | None:
    """Parse "3" or "3-5"; None for other text."""
    match = _ROWS.fullmatch(text.replace(" ", ""))
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    return range(first - 1, last) if 1 <= first <= last else None


def parse_cells(text: str) -> CellArea | None:
    """Parse "B3" or "B1:D1"; None for other text."""
    corners = [_CELL.fullmatch(part.strip()) for part in text.split(":")]
    found = [(int(one[2]) - 1, _parse_column(one[1])) for one in corners if one]
    if len(found) < len(corners) or len(found) > 2 or min(found)[0] < 0:
        return None
    rows, columns = ([place[axis] for place in found] for axis in (0, 1))
    return CellArea(
        range(min(rows), max(rows) + 1),
        range(min(columns), max(columns) + 1),
    )


def _parse_column(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


def name_column(number: int) -> str:
    """The letters of a column: "A" for 0, "AA" for 26."""
    outer = name_column(number // 26 - 1) if number >= 26 else ""
    return outer + chr(ord("A") + number % 26)


def _list_areas(one: Correction) -> list[CellArea]:
    """Return the areas that a correction of structure concerns; [] for the whole table."""
    if one.kind == "span":
        return [area for part in one.after.split(",") if (area := parse_cells(part))]
    if one.kind == "header" and one.after.isdigit():
        return [CellArea(range(int(one.after)))]
    rows = parse_rows(one.after) if one.kind in {"header", "split"} else None
    return [CellArea(rows)] if rows else []


def clash(one: Correction, other: Correction) -> bool:
    """Whether two corrections of one block conflict."""
    kinds = {one.kind, other.kind}
    if kinds <= {"words", "row"} or kinds == {"heading"}:
        return one.start < other.end and other.start < one.end
    pairs = [(a, b) for a in _list_areas(one) for b in _list_areas(other)]
    if len(kinds) == 1:
        return not pairs or any(a.meets(b) for a, b in pairs)
    if "split" in kinds and kinds & {"header", "span"}:
        cut, whole = sorted((one, other), key=lambda each: each.kind != "split")
        row = _list_areas(cut)[0].rows.start
        return any(area.rows.start < row < area.rows.stop for area in _list_areas(whole))
    return False


# As a table was read


def count_header_columns(text: str, block: Block) -> int:
    """How many first columns of a block name the rows of its table, as it was read."""
    starts = {cell.start for cell in block.table.cells} if block.table else set()
    firsts = (
        next((column for column, (start, _) in enumerate(row.cells) if start in starts), None)
        for row in find_table_rows(text, block)
    )
    return min((first for first in firsts if first is not None), default=0)


def find_next_table(text: str, blocks: Sequence[Block], number: int) -> tuple[int, str] | None:
    """The block that begins the table after that of a block, and its first row; None at the end."""
    for following in range(number + 1, len(blocks)):
        if _begins(blocks[following]):
            rows = find_table_rows(text, blocks[following])
            return following, text[rows[0].start : rows[0].end] if rows else ""
    return None


def _begins(block: Block) -> bool:
    return block.kind == "table" and not (block.table and block.table.continued)


def check(
    document: Document, number: int, one: Correction, others: Sequence[Correction]
) -> Message | None:
    """Return why a correction does not fit the table as read, or the ``others``; None if it does."""
    block = document.blocks[number]
    if one.kind not in {"row", *TABLE_KINDS}:
        return None
    if block.kind != "table":
        return Message("correction-not-table", kind=block.kind)
    rows = find_table_rows(document.text, block)
    if one.kind == "row":
        gone = [each for each in (*others, one) if each.kind == "row" and not each.after]
        left = (
            row
            for row in rows
            if not any(each.start <= row.start - block.start < each.end for each in gone)
        )
        return None if next(left, None) else Message("correction-no-rows")
    if one.kind == "merge":
        following = find_next_table(document.text, document.blocks, number)
        if following is None:
            return Message("correction-no-next-table")
        return None if following[1] == one.after else Message("correction-block-gone")
    return _check_areas(one, block, len(rows), max((len(row.cells) for row in rows), default=0))


def _check_areas(one: Correction, block: Block, height: int, width: int) -> Message | None:
    areas = _list_areas(one)
    if one.kind == "header" and areas[0].rows.stop >= height:
        return Message("correction-header-rows", n=height, most=max(height - 1, 0))
    if (one.kind == "columns" and int(one.after) >= width) or any(
        area.rows.stop > height or (one.kind == "span" and area.columns.stop > width)
        for area in areas
    ):
        return name_end(height, width)
    if one.kind == "split" and areas[0].rows.start == 0 and _begins(block):
        return Message("correction-no-rows")
    twice = any(area.meets(other) for n, area in enumerate(areas) for other in areas[:n])
    return Message("correction-span-overlap") if twice else None


def name_end(height: int, width: int) -> Message:
    """Return the message that a table ends at this row and column."""
    return Message("correction-outside", last=f"{name_column(max(width - 1, 0))}{height}")


# As people say it is


@dataclass(slots=True)
class _Line:
    """A row of a corrected table.

    ``place`` is the block and row that it was read from; a correction may turn one row into several.
    """

    place: tuple[int, int]
    row: TextRow
    cells: list[GridCell]


@dataclass(slots=True)
class _Part:
    """The rows of a table within one block."""

    number: int
    rows: range
    lines: list[_Line] = field(default_factory=list)


@dataclass(slots=True)
class _Draft:
    """A table being corrected; ``split`` if it was part of the table above."""

    split: bool
    parts: list[_Part] = field(default_factory=list)
    said: list[Correction] = field(default_factory=list)


def correct_tables(
    document: Document,
    corrected: tuple[str, TextEdits],
    blocks: Sequence[Sequence[Block]],
    said: Mapping[int, Sequence[Correction]],
) -> tuple[dict[int, list[Block]], dict[str, Message]]:
    """Return the new blocks of corrected tables by block number, and why corrections were refused.

    ``corrected`` is the corrected text with its edits, ``blocks`` are the blocks in that text, and
    ``said`` are the corrections of rows and structure by block number.
    """
    corrector = _Corrector(document, corrected, said)
    made: dict[int, list[Block]] = defaultdict(list)
    for draft in _find_drafts(document, said):
        for part in draft.parts:
            part.lines = list(corrector.list_lines(part))
        draft.parts = [part for part in draft.parts if part.lines]
        read = corrector.read(draft, blocks) if draft.parts else ()
        for part, block in zip(draft.parts, read, strict=True):
            made[part.number].append(block)
    return made, corrector.refused


def _find_drafts(document: Document, said: Mapping[int, Sequence[Correction]]) -> Iterator[_Draft]:
    """Yield the tables that have corrections, merged and split as people say."""
    drafts: list[_Draft] = []
    joined: set[int] = set()
    for number, block in enumerate(document.blocks if said else ()):
        if block.kind != "table":
            continue
        own = said.get(number, ())
        cuts = sorted(_list_areas(one)[0].rows.start for one in own if one.kind == "split")
        for start, stop in zip((0, *cuts), (*cuts, _EVERY.stop), strict=True):
            split = start > 0 or 0 in cuts
            if start == stop:
                continue
            if not drafts or split or (_begins(block) and number not in joined):
                drafts.append(_Draft(split))
            drafts[-1].parts.append(_Part(number, range(start, stop)))
            here = CellArea(range(start, stop))
            drafts[-1].said += (
                one
                for one in own
                # Of what names the columns in a block, all is said.
                if one.kind in {"split", "header"}
                or not (areas := _list_areas(one))
                or any(area.meets(here) for area in areas)
            )
        if any(one.kind == "merge" for one in own):
            following = find_next_table(document.text, document.blocks, number)
            joined.update(following[:1] if following else ())
    return (draft for draft in drafts if draft.said)


class _Corrector:
    """Reads the corrected tables of a document again."""

    def __init__(
        self,
        document: Document,
        corrected: tuple[str, TextEdits],
        said: Mapping[int, Sequence[Correction]],
    ) -> None:
        self._document = document
        self._text, self._edits = corrected
        self._blocks = {one.id: number for number, own in said.items() for one in own}
        self.refused: dict[str, Message] = {}

    def list_lines(self, part: _Part) -> Iterator[_Line]:
        """The rows of a part as corrected."""
        block = self._document.blocks[part.number]
        layout = TableLayout(self._document.text, block)
        edits = [
            edit
            for edit in self._edits.find(block.start, block.end)
            if edit.correction.kind == "row"
        ]
        written: set[str] = set()
        for number, row in enumerate(layout.rows):
            if number not in part.rows:
                continue
            place = (part.number, number)
            edit = next((edit for edit in edits if edit.start <= row.start < edit.end), None)
            if edit is None:
                moved = self._move(row)
                yield _Line(place, moved, _place(layout, number, self._text, moved))
            elif edit.correction.id not in written:
                written.add(edit.correction.id)
                after, start = edit.correction.after, self._edits.move(edit.start)
                for first, new in enumerate(find_rows(after, start)):
                    cells = _place(layout, number, self._text, new, read=False, first=not first)
                    yield _Line(place, new, cells)

    def _move(self, row: TextRow) -> TextRow:
        move = self._edits.move
        cells = tuple((move(start), move(end, end=True)) for start, end in row.cells)
        return TextRow(move(row.start), move(row.end, end=True), cells)

    def read(self, draft: _Draft, blocks: Sequence[Sequence[Block]]) -> list[Block]:
        """Read a table again with its corrections and return its blocks."""
        lines = [line for part in draft.parts for line in part.lines]
        places: dict[tuple[int, int], range] = {}
        for index, line in enumerate(lines):
            places[line.place] = range(places.get(line.place, range(index, 0)).start, index + 1)
        runs = self._find_headers(draft, lines, places)
        cells = self._merge(draft, places, list(_spread(lines, runs or ())))
        tidy = tidy_cells(cells)
        columns = self._find_columns(draft, cells, tidy)
        reading = read_grid(tidy, GridShape(None if runs is None else tuple(runs), columns)).name(
            ()
        )
        shaping = [one for one in draft.said if one.kind in {"header", "columns", "span"}]
        if not reading.values and shaping:
            self._refuse(draft, shaping[-1], "correction-no-values")
            return self.read(draft, blocks)
        table = _build_table(draft, blocks, reading)
        top = [range(reading.header)] if reading.header else []
        runs = [*top, *(run for run in runs or () if run.start >= reading.header)]
        made: list[Block] = []
        for part in draft.parts:
            first = places[part.lines[0].place].start
            above = [run for run in runs if run.start <= first]
            rows = [line.row for line in lines[above[-1].start : above[-1].stop]] if above else ()
            mine = table and replace(table, header=tuple(map(self._cut_line, rows)))
            made.append(self._build(draft, part, blocks[part.number][0], mine))
        return made

    def _cut_line(self, row: TextRow) -> str:
        return self._text[self._text.rfind("\n", 0, row.start) + 1 : row.end]

    def _refuse(self, draft: _Draft, one: Correction, code: str, **params: str) -> None:
        self.refused[one.id] = Message(code, **params)
        draft.said.remove(one)

    def _find_rows(self, one: Correction, area: CellArea, places: _Places) -> range:
        """Return where the rows of an area are now; an empty range if they were removed."""
        number = self._blocks[one.id]
        found = [places[number, row] for row in area.rows if (number, row) in places]
        return range(found[0].start, found[-1].stop) if found else range(0)

    def _find_headers(
        self, draft: _Draft, lines: Sequence[_Line], places: _Places
    ) -> list[range] | None:
        """Return the corrected header rows from the top; None if nobody corrected them."""
        said = [one for one in draft.said if one.kind == "header"]
        if not said:
            return None
        runs = [self._find_rows(one, area, places) for one in said for area in _list_areas(one)]
        if all(self._blocks[one.id] != draft.parts[0].number for one in said):
            reading = read_grid(_spread(lines, ()))
            runs.append(range(len(reading.titles), reading.header))
        return sorted((run for run in runs if run), key=lambda run: run.start)

    def _merge(self, draft: _Draft, places: _Places, cells: list[GridCell]) -> list[GridCell]:
        """Merge cells as people say."""
        for one in [one for one in draft.said if one.kind == "span"]:
            areas = [
                (self._find_rows(one, area, places), area.columns) for area in _list_areas(one)
            ]
            held = [
                [cell for cell in cells if cell.row in rows and cell.column in columns]
                for rows, columns in areas
            ]
            if any(
                rows and len({cell.row for cell in own}) != 1
                for (rows, _), own in zip(areas, held, strict=True)
            ):
                self._refuse(draft, one, "correction-span-words")
                continue
            for (rows, columns), own in zip(areas, held, strict=True):
                cells = _join_cells(cells, own, rows, columns) if own else cells
        return cells

    def _find_columns(
        self, draft: _Draft, cells: Sequence[GridCell], tidy: Sequence[GridCell]
    ) -> int | None:
        """Return the corrected number of label columns in the tidy grid; None if nobody corrected it."""
        said = [one for one in draft.said if one.kind == "columns"]
        for one in said[1:]:
            if one.after != said[0].after:
                self._refuse(draft, one, "correction-twice", id=said[0].id)
        if not said:
            return None
        starts = {cell.start for cell in cells if cell.column < int(said[0].after)}
        return max((cell.column + 1 for cell in tidy if cell.start in starts), default=0)

    def _build(self, draft: _Draft, part: _Part, block: Block, table: Table | None) -> Block:
        first, last = part.lines[0], part.lines[-1]
        start = (
            block.start
            if part.rows.start == 0 and first.place == (part.number, 0)
            else first.row.start
        )
        end = block.end if part.rows.stop == _EVERY.stop else last.row.end
        own = (
            replace(mark, start=max(mark.start, start), end=max(mark.end, start))
            for mark in block.corrections
            if mark.end <= end and (mark.start >= start or part.rows.start == 0)
        )
        said = (
            CorrectedPart(one.id, one.kind, start, end, one.before, one.after, one.reason)
            for one in draft.said
            if one.kind != "row"
        )
        cells = tuple(cell for cell in table.cells if start <= cell.start < end) if table else ()
        mine = table and replace(table, cells=cells, continued=part is not draft.parts[0])
        return replace(block, start=start, end=end, table=mine, corrections=(*own, *said))


_Places = Mapping[tuple[int, int], range]
"""(Block, row as read) → the lines that the row has become."""


def _spread(lines: Sequence[_Line], headers: Sequence[range]) -> Iterator[GridCell]:
    """Yield the cells of lines. In a corrected header, all rows but the last extend over empty cells."""
    width = max((cell.column for line in lines for cell in line.cells), default=0) + 1
    for row, line in enumerate(lines):
        wide = any(run.start <= row < run.stop - 1 for run in headers)
        ends = [*(cell.column for cell in line.cells[1:]), width]
        for cell, end in zip(line.cells, ends, strict=True):
            across = end - cell.column if wide and cell.column else cell.column_span
            below = (line.place[0], line.place[1] + cell.row_span)
            down = sum(other.place < below for other in lines[row : row + cell.row_span])
            yield replace(cell, row=row, row_span=down, column_span=across)


def _join_cells(
    cells: Sequence[GridCell], own: Sequence[GridCell], rows: range, columns: range
) -> list[GridCell]:
    """Merge the cells of an area into one; cells to its left end before it."""
    words = " ".join(cell.text for cell in own)
    whole = replace(
        own[0],
        text=words,
        row=rows.start,
        column=columns.start,
        row_span=len(rows),
        column_span=len(columns),
        end=own[-1].end,
    )
    return [
        whole,
        *(
            replace(cell, column_span=min(cell.column_span, columns.start - cell.column))
            if cell.row in rows and cell.column < columns.start
            else cell
            for cell in cells
            if cell not in own
        ),
    ]


def _build_table(
    draft: _Draft, blocks: Sequence[Sequence[Block]], reading: GridReading
) -> Table | None:
    """Build the table, keeping the title and unit found elsewhere in the source."""
    spans = {id(value.cell): (value.cell.start, value.cell.end) for value in reading.values}
    known = None if draft.split else blocks[draft.parts[0].number][0].table
    made = reading.build_table(spans, ())
    if made is None or (known is None and all(one.kind == "row" for one in draft.said)):
        return None
    # A person has looked at it.
    made = replace(made, cells=tuple(replace(cell, certain=True) for cell in made.cells))
    if known is None:
        return made
    return replace(made, title=known.title or made.title, unit=known.unit or made.unit)


def _place(
    layout: TableLayout,
    number: int,
    text: str,
    row: TextRow,
    *,
    read: bool = True,
    first: bool = True,
) -> list[GridCell]:
    """Return the cells of a row of the corrected ``text``; ``read`` if it is as the reader had it.

    Where one header row becomes several, only the ``first`` stays in the header.
    """
    header = True if first and number < layout.header else None
    made: list[GridCell] = []
    for column, (start, end) in enumerate(row.cells):
        if start < end:
            down, across = layout.measure(number, column) if read else (1, 1)
            indent = 0 if made else layout.depths[number]
            words = text[start:end]
            made.append(
                GridCell(
                    *(words, 0, column, down, across, indent),
                    header=header,
                    start=start,
                    end=end,
                )
            )
    return made
