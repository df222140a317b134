"""The cells of a table without ruling, from the rows of its region.

Rows above and between its own that are no part of it stay rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from foundry.readers.grid_units import find_unit_words
from foundry.readers.pdf.lines import WIDE, Row, Segment, surround
from foundry.readers.pdf.rules import Rules
from foundry.readers.pdf.tables.body import build_body
from foundry.readers.pdf.tables.cells import PageTable, write_cells
from foundry.readers.pdf.tables.columns import (
    Column,
    find_columns,
    has_values,
    is_amount,
    is_named_row,
    is_value_row,
    place_segment,
)
from foundry.readers.pdf.tables.header import HeaderCell, build_header

LABEL_WIDTH = 0.62
"""Width of a label, relative to its table. A guess: wider lines are text."""
_MIN_WORDY = 3
"""Fewest rows of a table of words without a bold header: two are as often an axis or a legend."""


def build_tables(rows: Sequence[Row], rules: Rules) -> list[Row | PageTable]:
    """Build the table of a region, with the rows around it that are none of it."""
    if sum(len(row.segments) > 1 for row in rows) < 2:
        return list(rows)
    rows = _cut_signs(rows)
    columns = find_columns(rows)
    if len(columns) < 2 or not _has_labels(rows, columns):
        return list(rows)
    halves = _split_sides(rows, columns, rules)
    if halves:
        return [part for half in halves for part in build_tables(half, rules)]
    head = _find_body(rows, columns)
    above, own, loose = _sort_out(rows, head, columns)
    header_rows, body_rows = _take_unit(own, max(0, head - len(above)))
    header = _lift_unit(build_header(header_rows, columns, rules), columns)
    body = build_body(body_rows, columns, rules)
    if not body:
        return list(rows)
    cells = write_cells(header, body)
    box = surround([row.box for row in own])
    return [*above, PageTable(cells, box, columns, len(header), own), *loose]


def _has_labels(rows: Sequence[Row], columns: Sequence[Column]) -> bool:
    """Whether rows and columns are named, unlike the values and axes of a chart.

    Most rows with amounts have words too, or a row of words has one for each column.
    """
    filled = [row for row in rows if len(row.segments) > 1]
    valued = [row for row in rows if any(is_amount(s.text) for s in row.segments)]
    if not valued:
        return len(filled) >= _MIN_WORDY or all(s.bold for s in filled[0].segments)
    named = sum(not all(is_amount(s.text) for s in row.segments) for row in valued)
    return 2 * named > len(valued) or any(
        len(row.segments) == len(columns) and not any(is_amount(s.text) for s in row.segments)
        for row in rows[: rows.index(valued[0])]
    )


def _take_unit(rows: Sequence[Row], head: int) -> tuple[list[Row], list[Row]]:
    """Return the rows of the header and the body; a unit beside the first label is header."""
    header, body = list(rows[:head]), list(rows[head:])
    if header and body and len(body[0].segments) == 2:
        label, unit = body[0].segments
        if unit.text[0] + unit.text[-1] == "()" and find_unit_words(unit.text):
            return [*header, Row([unit])], [Row([label]), *body[1:]]
    return header, body


def _lift_unit(header: list[list[HeaderCell]], columns: Sequence[Column]) -> list[list[HeaderCell]]:
    """Put a line in brackets over several columns, such as a unit, above the header."""
    lifted: list[list[HeaderCell]] = []
    for level in header:
        cell = level[0]
        bracketed = len(level) == 1 and cell.text[0] + cell.text[-1] == "()"
        if bracketed and cell.first and (cell.last > cell.first or find_unit_words(cell.text)):
            cell.first, cell.last = 0, len(columns) - 1
            lifted.append(level)
    return [*lifted, *(level for level in header if level not in lifted)]


def _cut_signs(rows: Sequence[Row]) -> list[Row]:
    """Cut a sign such as "%" from the amount far before it where units have a column of their own."""
    starts = [s.x0 for row in rows for s in row.segments if s.text[:1].isalpha()]
    cut: list[Row] = []
    for row in rows:
        parts: list[Segment] = []
        for segment in row.segments:
            *amount, sign = segment.words
            apart = amount and sign.x0 - amount[-1].x1 > WIDE * sign.size
            if apart and sum(abs(x - sign.x0) < 1 for x in starts) > 1:
                parts += [Segment(amount), Segment([sign])]
            else:
                parts.append(segment)
        cut.append(Row(parts, row.led) if len(parts) > len(row.segments) else row)
    return cut


def _split_sides(
    rows: Sequence[Row], columns: Sequence[Column], rules: Rules
) -> list[list[Row]] | None:
    """Return the two halves if tables with labels of their own are side by side."""
    places = [(s.text, place_segment(s, columns)[0]) for row in rows for s in row.segments]
    for index in range(2, len(columns) - 1):
        labels = [[text for text, place in places if place == wanted] for wanted in (0, index)]
        apart = _are_ruled_apart(rows, columns, index, rules)
        if apart or _opens_table(rows, columns, index, labels):
            edge = columns[index].x0 - 1
            left = [_part(row, -1e9, edge) for row in rows]
            right = [_part(row, edge, 1e9) for row in rows]
            return [[row for row in side if row] for side in (left, right)]
    return None


def _are_ruled_apart(
    rows: Sequence[Row], columns: Sequence[Column], index: int, rules: Rules
) -> bool:
    """Whether every rule ends before a column and begins again there, and has no other gap.

    The rules run from the labels on, unlike those below the headings of single columns.
    """
    low, high = rows[0].base, rows[-1].base + 2 * rows[-1].size
    pieces: dict[int, list[tuple[float, float]]] = {}
    for x0, x1, y in sorted(rules.across):
        if low < y < high and x1 > columns[0].x0 and x0 < columns[-1].x1:
            line = pieces.setdefault(round(y), [])
            if line and x0 - line[-1][1] < 1:
                line[-1] = line[-1][0], max(line[-1][1], x1)
            else:
                line.append((x0, x1))
    gap = columns[index - 1].x1 - 1, columns[index].x0 + 1
    return len(pieces) > 1 and all(
        len(line) == 2
        and line[0][0] <= columns[0].x0 + 1
        and gap[0] <= line[0][1] < line[1][0] <= gap[1]
        and line[1][1] >= columns[-1].x0
        for line in pieces.values()
    )


def _opens_table(
    rows: Sequence[Row], columns: Sequence[Column], index: int, texts: Sequence[Sequence[str]]
) -> bool:
    """Whether a column holds the labels of another table: "Name:", or the same heads again.

    ``texts`` are those of the first column and of this one.
    """
    first, labels = texts
    if len(labels) < 2 or sum(map(is_amount, labels)) > 0.2 * len(labels):
        return False
    if sum(text.endswith(":") for text in labels) >= 0.8 * len(labels):
        return True
    same = labels[0] == first[0]
    # Titles side by side, each where the labels of its table begin.
    top = rows[0].segments
    titled = len(top) == 2 and all(
        abs(s.x0 - columns[place].x0) < 1 for s, place in zip(top, (0, index), strict=True)
    )
    return same or (titled and not has_values(rows[0]))


def _part(row: Row, low: float, high: float) -> Row | None:
    segments = [segment for segment in row.segments if low <= segment.x0 < high]
    return Row(segments) if segments else None


def _find_body(rows: Sequence[Row], columns: Sequence[Column]) -> int:
    """Return how many rows the header has: up to the last one over the values, before them."""
    edge = columns[0].x1
    valued = next((i for i, row in enumerate(rows) if is_value_row(row, edge)), None)
    if valued is None:
        return 0
    head = 0
    for index in range(valued):
        if rows[index].segments[0].text.endswith(":") and len(rows[index].segments) > 1:
            continue
        if is_amount(rows[index].segments[0].text):
            break
        if index and is_named_row(rows[index], rows[index - 1], columns):
            break
        if any(place_segment(s, columns)[1] > 0 and s.x1 > edge for s in rows[index].segments):
            head = index + 1
    return head


def _sort_out(
    rows: Sequence[Row], head: int, columns: Sequence[Column]
) -> tuple[list[Row], list[Row], list[Row]]:
    """Return the rows above the table, its own, and those that run over its columns."""
    above: list[Row] = []
    own: list[Row] = []
    loose: list[Row] = []
    width = columns[-1].x1 - columns[0].x0
    for index, row in enumerate(rows):
        alone = len(row.segments) == 1
        over = alone and row.x1 > columns[1].x0 and row.x0 < columns[0].x1 and len(row.words) > 5
        wide = over and row.x1 - row.x0 > LABEL_WIDTH * width
        over = over and place_segment(row.segments[0], columns)[1] > 1
        outside = row.x1 < columns[1].x0 or (alone and row.x0 < columns[0].x1)
        if outside and not own and index < head:
            above.append(row)
        elif index >= head and (wide or over):
            loose.append(row)
        else:
            own.append(row)
    return above, own, loose
