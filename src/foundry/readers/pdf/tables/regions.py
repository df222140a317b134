"""Where tables without ruling stand among the rows of a page, and their grids.

A table is two or more rows whose cells line up. Its header may reach above them, labels without
values may stand between them. Lines that run over its columns are no part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from foundry.readers.grid_units import find_unit_words
from foundry.readers.pdf.lines import Row, surround
from foundry.readers.pdf.rules import Rules
from foundry.readers.pdf.tables.body import build_body
from foundry.readers.pdf.tables.cells import PageTable, write_cells
from foundry.readers.pdf.tables.columns import (
    Column,
    find_columns,
    has_lists,
    has_values,
    is_amount,
    is_named_row,
    is_stretched,
    is_value_row,
    place_segment,
)
from foundry.readers.pdf.tables.header import HeaderCell, build_header

_FAR = 3.2
"""Distance of two rows of one table, relative to the size of print. A guess."""
_SINGLE = 6
"""Most lines without values in a row, such as labels and sections. A guess."""
_LABEL = 0.62
"""Width of a label, relative to its table. A guess: wider lines are text."""
_ALIGNED = 0.7
"""Distance of edges that line up, relative to the size of print. A guess."""


def find_tables(parts: Sequence[Row | PageTable], rules: Rules) -> list[Row | PageTable]:
    """Return rows from top to bottom, those of tables replaced by the tables."""
    found: list[Row | PageTable] = []
    run: list[Row] = []
    for part in parts:
        if isinstance(part, Row):
            run.append(part)
        else:
            found += [*_find_unruled(run, rules), part]
            run = []
    return found + _find_unruled(run, rules)


def _find_unruled(rows: Sequence[Row], rules: Rules) -> list[Row | PageTable]:
    found: list[Row | PageTable] = []
    start = 0
    for first, end in _find_regions(rows):
        if first < start:
            continue
        tables: list[Row | PageTable] = []
        for low, high in _split_region(rows, first, end):
            part = rows[low:high]
            is_table = _is_table(part) and not _is_drawing(part, rules)
            tables += _build_tables(part, rules) if is_table else part
        found += [*rows[start:first], *tables]
        start = end
    return [*found, *rows[start:]]


def _is_drawing(rows: Sequence[Row], rules: Rules) -> bool:
    """Whether most texts side by side stand in boxes of their own, as in a block diagram.

    Cells of a table share the rule between them.
    """
    apart = pairs = 0
    for row in rows:
        for left, right in pairwise(row.segments):
            between = [
                x for y0, y1, x in rules.down if y0 < row.base < y1 and left.x1 < x < right.x0
            ]
            pairs += 1
            apart += bool(between) and max(between) - min(between) > 1.5 * row.size
    return 2 * apart > pairs


def _find_regions(rows: Sequence[Row]) -> list[tuple[int, int]]:
    regions: list[tuple[int, int]] = []
    index = 0
    while index < len(rows):
        if len(rows[index].segments) < 2:
            index += 1
            continue
        end = _find_end(rows, index)
        if _is_table(rows[index:end]):
            floor = regions[-1][1] if regions else 0
            regions.append((_find_top(rows, index, end, floor), end))
            index = end
        else:
            index += 1
    return regions


def _find_end(rows: Sequence[Row], start: int) -> int:
    """Return where the table ends that a row begins."""
    end = start + 1
    x0, x1 = rows[start].x0, rows[start].x1
    size = rows[start].size
    index = end
    singles = 0
    while index < len(rows):
        row = rows[index]
        if row.base - rows[index - 1].base > _FAR * max(size, row.size) or row.size > 2 * size:
            break
        if len(row.segments) > 1:
            x0, x1 = min(x0, row.x0), max(x1, row.x1)
            end, singles = index + 1, 0
        else:
            singles += 1
            # A label left of all columns so far may be wider than they are.
            wide = row.x1 - row.x0 > _LABEL * (x1 - x0) and row.x1 > x0
            if singles > _SINGLE or (wide and not _is_stray(rows, index)):
                break
        index += 1
    return _add_tail(rows, end)


def _is_stray(rows: Sequence[Row], index: int) -> bool:
    """Whether a wide line stands alone between two rows with cells."""
    around = [*rows[index - 1 : index], *rows[index + 1 : index + 2]]
    return len(around) == 2 and all(len(row.segments) > 1 for row in around)


def _add_tail(rows: Sequence[Row], end: int) -> int:
    """Add the last line of a label or cell that goes on below the last row."""
    last = rows[end - 1]
    if end < len(rows) and len(rows[end].segments) == 1:
        row = rows[end]
        near = row.base - last.base < 1.35 * row.size and abs(row.size - last.size) < 0.6
        inside = row.x1 < last.segments[-1].x0 and row.x0 >= last.x0 - 1
        if near and inside and row.text[:1].islower():
            return end + 1
    return end


def _find_top(rows: Sequence[Row], start: int, end: int, floor: int) -> int:
    """Return where the header above the first row with several cells begins."""
    columns = find_columns(rows[start:end])
    if len(columns) < 2 or rows[start].size > 1.3 * rows[end - 1].size:
        return start
    size = rows[start].size
    top = start
    while top > floor:
        row, below = rows[top - 1], rows[top]
        if _names_columns(row, below, columns) or _is_section(row, rows[top:end], columns):
            top -= 1
            continue
        if below.base - row.base > 2.4 * size or row.size > 1.2 * size:
            break
        if len(row.segments) > 1 or row.x0 < columns[0].x1 - size:
            break
        if row.x0 < columns[1].x0 - 6 * size or row.x1 > columns[-1].x1 + 3 * size:
            break
        top -= 1
    return top


def _is_section(row: Row, rows: Sequence[Row], columns: Sequence[Column]) -> bool:
    """Whether a line right above is the heading of the first rows, like those of others below."""
    if len(row.segments) > 1 or rows[0].base - row.base > 1.6 * row.size:
        return False
    others = [other for other in rows if len(other.segments) == 1]
    alike = any(
        abs(other.x0 - row.x0) < 1
        and abs(other.size - row.size) < 0.1
        and other.segments[0].bold == row.segments[0].bold
        for other in others
    )
    return alike and row.x0 < columns[0].x0 + 1 and rows[0].x0 > row.x0 + 1


def _names_columns(row: Row, below: Row, columns: Sequence[Column]) -> bool:
    """Whether a row some way above has words over most columns, and nothing else."""
    if len(row.segments) < 3 or below.base - row.base > 1.6 * _FAR * row.size:
        return False
    places = [place_segment(segment, columns) for segment in row.segments]
    apart = all(left[1] < right[0] for left, right in pairwise(places))
    over = all(columns[p[0]].overlap(s) > 0 for p, s in zip(places, row.segments, strict=True))
    return apart and over and not any(is_amount(segment.text) for segment in row.segments)


def _is_table(rows: Sequence[Row]) -> bool:
    """Whether the cells of rows line up and are not prose."""
    filled = [row for row in rows if len(row.segments) > 1]
    if len(filled) < 2:
        return False
    words = [len(segment.words) for row in filled for segment in row.segments[1:]]
    valued = sum(has_values(row) for row in filled)
    if (not valued and sum(words) / len(words) > 8) or is_stretched(filled) or has_lists(filled):
        return False
    size = median(row.size for row in filled)
    # Left edges, right edges and middles, each as a number of its own.
    edges = [
        {
            3 * round(x / size) + k
            for s in row.segments[1:]
            for k, x in ((0, s.x0), (1, s.x1), (2, (s.x0 + s.x1) / 2))
        }
        for row in filled
    ]
    wide = [{edge + d for edge in own for d in (-3, 0, 3)} for own in edges]
    aligned = 0
    for index, own in enumerate(edges):
        near = wide[max(0, index - 4) : index] + wide[index + 1 : index + 5]
        aligned += not all(map(own.isdisjoint, near))
    return aligned >= max(2, 0.6 * len(filled))


def _split_region(rows: Sequence[Row], first: int, end: int) -> list[tuple[int, int]]:
    """Cut a region into tables that stand one above the other, and single rows between them."""
    pitches = [b.base - a.base for a, b in pairwise(rows[first:end])]
    pitch = median(pitches) if pitches else 0.0
    cuts = {first, end}
    valued = False
    last = first
    for index in range(first, end):
        row = rows[index]
        if not has_values(row) and _is_title(rows, index, first, end):
            cuts |= {index, index + 1}
            valued = False
        elif len(row.segments) > 1 and has_values(row):
            if valued and index - last > 1 and _starts_table(rows, last + 1, index, pitch):
                cuts.add(last + 1)
            valued, last = True, index
    return list(pairwise(sorted(cuts)))


def _is_title(rows: Sequence[Row], index: int, first: int, end: int) -> bool:
    """Whether a row is a heading between two tables: larger, or bold above another header."""
    row = rows[index]
    below = next((rows[i] for i in range(index + 1, end) if len(rows[i].segments) > 1), None)
    if below is None or row.size < 0.95 * below.size or not _is_over_all(row, rows[first:end]):
        return False
    larger = 1.08 if len(row.segments) == 1 else 1.3
    if row.size > larger * below.size and (row.segments[0].bold or row.size > 1.2 * below.size):
        return True
    if len(row.segments) > 1 or not row.segments[0].bold or any(s.bold for s in below.segments):
        return False
    # A bold label above amounts is a section of the same table.
    return not has_values(below) and len(below.segments) > 1


def _is_over_all(row: Row, rows: Sequence[Row]) -> bool:
    """Whether a row begins where its table does or stands in the middle of it."""
    left, right = min(other.x0 for other in rows), max(other.x1 for other in rows)
    middle = abs(row.x0 + row.x1 - left - right) / 2
    return row.x0 < left + 3 * row.size or middle < 2 * row.size


def _starts_table(rows: Sequence[Row], start: int, end: int, pitch: float) -> bool:
    """Whether the rows without values between two rows with values are another header."""
    heads_and_labels = rows[start:end]
    heads = [row for row in heads_and_labels if len(row.segments) > 1]
    if not heads:
        return False
    if any(is_amount(s.text) for row in heads for s in row.segments):
        return False
    top, body = heads_and_labels[0], rows[start - 1]
    gap = top.base - body.base
    title = len(top.segments) == 1 and (top.size > 1.08 * body.size or top.segments[0].bold)
    bold = all(s.bold for row in heads for s in row.segments[1:]) and not body.segments[-1].bold
    return title or gap > 1.5 * pitch or bold


def _build_tables(rows: Sequence[Row], rules: Rules) -> list[Row | PageTable]:
    """Build the table of a region, with the rows around it that are none of it."""
    if sum(len(row.segments) > 1 for row in rows) < 2:
        return list(rows)
    columns = find_columns(rows)
    if len(columns) < 2:
        return list(rows)
    halves = _split_sides(rows, columns)
    if halves:
        return [part for half in halves for part in _build_tables(half, rules)]
    head = _find_body(rows, columns)
    above, own, loose = _sort_out(rows, head, columns)
    header_rows, body_rows = _take_unit(own, max(0, head - len(above)))
    header = _lift_unit(build_header(header_rows, columns, rules), columns)
    body = build_body(body_rows, columns, rules)
    if not body:
        return list(rows)
    cells = write_cells(header, body)
    box = surround([row.box for row in own])
    return [*above, PageTable(cells, box, columns, len(header), loose, own), *loose]


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


def _split_sides(rows: Sequence[Row], columns: Sequence[Column]) -> list[list[Row]] | None:
    """Return the two halves if tables with labels of their own stand side by side."""
    places = [(s.text, place_segment(s, columns)[0]) for row in rows for s in row.segments]
    for index in range(2, len(columns) - 1):
        labels = [[text for text, place in places if place == wanted] for wanted in (0, index)]
        if _opens_table(rows, columns, index, labels):
            edge = columns[index].x0 - 1
            left = [_part(row, -1e9, edge) for row in rows]
            right = [_part(row, edge, 1e9) for row in rows]
            return [[row for row in side if row] for side in (left, right)]
    return None


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
        wide = over and row.x1 - row.x0 > _LABEL * width
        over = over and place_segment(row.segments[0], columns)[1] > 1
        outside = row.x1 < columns[1].x0 or (alone and row.x0 < columns[0].x1)
        if outside and not own and index < head:
            above.append(row)
        elif index >= head and (wide or over):
            loose.append(row)
        else:
            own.append(row)
    return above, own, loose
