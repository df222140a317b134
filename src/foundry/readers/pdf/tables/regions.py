"""Where tables without ruling are among the rows of a page, and what their cells are.

A table is two or more rows whose cells line up. Its header may reach above them, labels without
values may be between them. Lines that run over its columns are no part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile
from statistics import median

from foundry.readers.pdf.lines import WIDE, Row, Segment, surround
from foundry.readers.pdf.rules import Rules
from foundry.readers.pdf.tables.cells import (
    CENTRED,
    PageTable,
    build_body,
    find_headings,
    write_cells,
)
from foundry.readers.pdf.tables.columns import (
    Column,
    cut_values,
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
from foundry.readers.pdf.tables.merged import build_value_grid, drop_merged
from foundry.readers.pdf.tables.sides import split_sides
from foundry.text.tables import find_unit_words

_LABEL_WIDTH = 0.62
"""Width of a label, relative to its table. A guess: wider lines are text."""
_MIN_WORDY = 3
"""Fewest rows of a table of words without a bold header: two are as often an axis or a legend."""
_FAR = 3.2
"""Distance of two rows of one table, relative to the size of print. A guess."""
_PITCH = 1.2
"""Distance of the rows of a header, relative to that of the rows. A guess."""
_NEXT_LINE = 1.35
"""Distance of lines of one label, relative to the size of print. A guess."""
_SINGLE = 6
"""Most lines without values in a row, such as labels and sections. A guess."""


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
    for first, end in _find_regions(rows, rules):
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
    """Whether most texts side by side are in boxes of their own, as in a block diagram.

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


def _find_regions(rows: Sequence[Row], rules: Rules) -> list[tuple[int, int]]:
    regions: list[tuple[int, int]] = []
    index = 0
    while index < len(rows):
        if len(rows[index].segments) < 2:
            index += 1
            continue
        end = _find_end(rows, index, rules)
        if _is_table(rows[index:end]):
            floor = regions[-1][1] if regions else 0
            regions.append((_find_top(rows, index, end, floor, rules), end))
            index = end
        else:
            index += 1
    return regions


def _find_end(rows: Sequence[Row], start: int, rules: Rules) -> int:
    """Return where the table ends that a row begins."""
    end = start + 1
    x0, x1 = rows[start].x0, rows[start].x1
    size = rows[start].size
    index = end
    singles = 0
    while index < len(rows):
        row = rows[index]
        gap = _measure_gap(rows[index - 1], row, rules)
        if gap > _FAR * max(size, row.size) or row.size > 2 * size:
            break
        if len(row.segments) > 1:
            x0, x1 = min(x0, row.x0), max(x1, row.x1)
            end, singles = index + 1, 0
        else:
            singles += 1
            # A label left of all columns so far may be wider than they are.
            wide = row.x1 - row.x0 > _LABEL_WIDTH * (x1 - x0) and row.x1 > x0
            if singles > _SINGLE or (wide and not _is_stray(rows, index)):
                break
        index += 1
    return _add_tail(rows, end)


def _measure_gap(above: Row, row: Row, rules: Rules) -> float:
    """Return the distance of two rows without the empty shaded row between them."""
    empty = [
        band.y1 - band.y0
        for band in rules.bands
        if above.base < band.y0 and band.y1 < row.base and band.x0 - 2 < row.x0 < band.x1
    ]
    return row.base - above.base - max(empty, default=0.0)


def _is_stray(rows: Sequence[Row], index: int) -> bool:
    """Whether a wide line is a single one: between rows with cells, or the label of the next row."""
    row, around = rows[index], [rows[index - 1], *rows[index + 1 : index + 2]]
    if len(around) < 2 or len(around[1].segments) < 2:
        return False
    close = around[1].base - row.base < _NEXT_LINE * row.size
    return len(around[0].segments) > 1 or (close and has_values(around[1]))


def _add_tail(rows: Sequence[Row], end: int) -> int:
    """Add the last line of a label or cell that continues below the last row."""
    last = rows[end - 1]
    if end < len(rows) and len(rows[end].segments) == 1:
        row = rows[end]
        near = row.base - last.base < _NEXT_LINE * row.size and abs(row.size - last.size) < 0.6
        inside = row.x1 < last.segments[-1].x0 and row.x0 >= last.x0 - 1
        if near and inside and row.text[:1].islower():
            return end + 1
    return end


def _find_top(rows: Sequence[Row], start: int, end: int, floor: int, rules: Rules) -> int:
    """Return where the header above the first row with several cells begins."""
    columns = find_columns(rows[start:end])
    if len(columns) < 2 or rows[start].size > 1.3 * rows[end - 1].size:
        return start
    size = rows[start].size
    pitch = median(b.base - a.base for a, b in pairwise(rows[start:end]))
    far = min(max(2.4 * size, _PITCH * pitch), _FAR * size)
    top = start
    while top > floor:
        row, below = rows[top - 1], rows[top]
        if _is_section(row, rows[top:end], columns):
            top -= 1
            continue
        if top - 1 > floor and _is_below_header(rows[top - 2 : top + 1], columns):
            top -= 1
            continue
        title = abs(row.x0 + row.x1 - columns[0].x0 - columns[-1].x1) < 3 * size
        gap = below.base - row.base
        apart = gap > (2.4 * size if title else far)
        apart = apart and not _is_ruled_over(row, below, columns, rules)
        if apart or row.size > 1.2 * size:
            break
        if len(row.segments) > 1 or row.x0 < columns[0].x1 - size:
            break
        # The end of a text in the second column, above a row of words.
        if row.text[:1].islower() and not any(map(has_values, rows[start:end])):
            break
        outside = row.x0 < columns[1].x0 - 6 * size or row.x1 > columns[-1].x1 + 3 * size
        if outside:
            break
        top -= 1
    return top


def _is_ruled_over(row: Row, below: Row, columns: Sequence[Column], rules: Rules) -> bool:
    """Whether a rule below a text runs over columns of values, and not over the labels."""
    return below.base - row.base < _FAR * row.size and any(
        row.base < y < below.base - 0.3 * below.size
        and columns[0].x1 < x0 < row.x0 + 1
        and row.x1 - 1 < x1 < columns[-1].x1 + row.size
        for x0, x1, y in rules.across
    )


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


def _is_below_header(rows: Sequence[Row], columns: Sequence[Column]) -> bool:
    """Whether the middle one of three rows is a label between a header over values and a first row."""
    above, row, below = rows
    close = all(b.base - a.base <= 1.6 * row.size for a, b in pairwise(rows))
    label = len(row.segments) == 1 and abs(row.x0 - columns[0].x0) < 1 and row.x1 < above.x0
    over = above.x0 > columns[0].x1 and all(
        columns[place_segment(s, columns)[0]].overlap(s) > 0 and not is_amount(s.text)
        for s in above.segments
    )
    return close and label and over and has_values(below)


def _is_table(rows: Sequence[Row]) -> bool:
    """Whether the cells of rows line up and are not prose."""
    filled = [row for row in rows if len(row.segments) > 1]
    if len(filled) < 2:
        return False
    words = [len(segment.words) for row in filled for segment in row.segments[1:]]
    valued = sum(has_values(row) or _begins_with_sum(row) for row in filled)
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


def _begins_with_sum(row: Row) -> bool:
    """Whether a row begins with an amount that is no number of a list."""
    text = row.segments[0].text
    return is_amount(text) and not text[0].isdigit()


def _split_region(rows: Sequence[Row], first: int, end: int) -> list[tuple[int, int]]:
    """Cut a region into tables one above the other, and single rows between them."""
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
        elif index > first and _is_head_below_pairs(rows[index - 1], row):
            cuts.add(index)
            valued = False
        elif len(row.segments) > 1 and has_values(row):
            if valued and index - last > 1:
                cuts |= _find_cuts(rows, last + 1, index, pitch)
            valued, last = True, index
    return list(pairwise(sorted(cuts)))


def _is_head_below_pairs(above: Row, row: Row) -> bool:
    """Whether a row names columns below names and values in pairs: "Name: value"."""
    texts = [segment.text for segment in row.segments]
    names, values = above.segments[::2], above.segments[1::2]
    paired = len(names) == len(values) and all(segment.text.endswith(":") for segment in names)
    if not paired or len(texts) < 2 or any(t.endswith(":") or is_amount(t) for t in texts):
        return False
    # The second lines of values are below them.
    return row.x0 < above.x0 + row.size and any(
        all(abs(segment.x0 - other.x0) > 1 for other in above.segments) for segment in row.segments
    )


def _find_cuts(rows: Sequence[Row], start: int, end: int, pitch: float) -> set[int]:
    """Return where tables end and begin in the rows without values between two rows with values.

    Lines down to one that says the unit, some way below the last row, are between two tables.
    """
    above = rows[start - 1]
    lines = list(takewhile(lambda row: len(row.segments) == 1, rows[start:end]))
    if rows[start].base - above.base > 1.5 * pitch:
        for index, line in enumerate(lines, start):
            if line.x0 < above.x0 + line.size and find_unit_words(line.text):
                return {start, index + 1}
    return {start} if _starts_table(rows, start, end, pitch) else set()


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
    """Whether a row begins where its table does or is in the middle of it."""
    left, right = min(other.x0 for other in rows), max(other.x1 for other in rows)
    middle = abs(row.x0 + row.x1 - left - right) / 2
    return row.x0 < left + 3 * row.size or middle < 2 * row.size


def _starts_table(rows: Sequence[Row], start: int, end: int, pitch: float) -> bool:
    """Whether the rows without values between two rows with values are another header."""
    heads_and_labels = rows[start:end]
    heads = [row for row in heads_and_labels if len(row.segments) > 1]
    if not heads:
        return False
    top, body = heads_and_labels[0], rows[start - 1]
    gap = top.base - body.base
    title = len(top.segments) == 1 and top.segments[0].bold
    bold = all(s.bold for row in heads for s in row.segments[1:]) and not body.segments[-1].bold
    return title or gap > 1.5 * pitch or bold


def _build_tables(rows: Sequence[Row], rules: Rules) -> list[Row | PageTable]:
    """Build the table of a region, with the rows around it that are none of it."""
    if sum(len(row.segments) > 1 for row in rows) < 2:
        return list(rows)
    rows = cut_values(_cut_signs(rows))
    columns = find_columns(drop_merged(rows))
    if len(columns) < 2 or not _has_labels(rows, columns):
        return list(rows)
    halves, sided = split_sides(rows, columns, rules)
    if halves:
        return [part for half in halves for part in _build_tables(half, rules)]
    head = _find_body(rows, columns)
    above, own, loose = _sort_out(rows, head, columns)
    header_rows, body_rows = _take_unit(own, max(0, head - len(above)))
    levels, doubtful = build_header(header_rows, columns, rules, _count_stubs(body_rows, columns))
    header = _lift_unit(levels, columns)
    body = build_body(body_rows, columns, rules, build_value_grid(body_rows, columns))
    if not body:
        return list(rows)
    cells = write_cells(header, body)
    box = surround([row.box for row in own])
    doubtful |= frozenset(range(sided, len(columns))) if sided else frozenset()
    table = PageTable(cells, box, columns, len(header), own, doubtful=doubtful)
    return [*above, table, *loose]


def _count_stubs(rows: Sequence[Row], columns: Sequence[Column]) -> int:
    """How many columns come before the first one with amounts."""
    valued = (s for row in rows for s in row.segments if is_amount(s.text))
    return max(1, min((place_segment(s, columns)[0] for s in valued), default=1))


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
        middle = abs(2 * cell.middle - columns[0].x0 - columns[-1].x1) / 2 < CENTRED * cell.size
        over = cell.last > cell.first or middle or find_unit_words(cell.text)
        if bracketed and cell.first and over:
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


def _find_body(rows: Sequence[Row], columns: Sequence[Column]) -> int:
    """Return how many rows the header has: up to the last one over the values, before them."""
    edge = columns[0].x1
    valued = next((i for i, row in enumerate(rows) if is_value_row(row, edge)), None)
    if valued is None:
        return 0
    head = 0
    headings = find_headings(rows, columns)
    for index in range(valued):
        if rows[index].segments[0].text.endswith(":") and len(rows[index].segments) > 1:
            continue
        if is_amount(rows[index].segments[0].text):
            break
        if index and is_named_row(rows[index], rows[index - 1], columns):
            break
        heads = head == index and index and id(rows[index]) in headings
        if heads and _heads_rows(rows[index], rows[index - 1], columns):
            break
        if any(place_segment(s, columns)[1] > 0 and s.x1 > edge for s in rows[index].segments):
            head = index + 1
    return head


def _heads_rows(row: Row, above: Row, columns: Sequence[Column]) -> bool:
    """Whether a text in the middle, below a name for each column, heads the rows that follow."""
    over = {place_segment(segment, columns)[0] for segment in above.segments}
    named = over >= set(range(1, len(columns)))
    return named and find_unit_words(row.text) is None


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
        wide = over and row.x1 - row.x0 > _LABEL_WIDTH * width
        over = over and place_segment(row.segments[0], columns)[1] > 1
        outside = row.x1 < columns[1].x0 or (alone and row.x0 < columns[0].x1)
        if outside and not own and index < head:
            above.append(row)
        elif index >= head and (wide or over):
            loose.append(row)
        else:
            own.append(row)
    return above, own, loose
