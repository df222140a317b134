"""Tables side by side: known by rules that break, titles, heads or rows of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from foundry.readers.pdf.lines import Row
from foundry.readers.pdf.rules import Rules
from foundry.readers.pdf.tables.columns import Column, has_values, is_amount, place_segment


def split_sides(
    rows: Sequence[Row], columns: Sequence[Column], rules: Rules
) -> tuple[list[list[Row]], int]:
    """Return the two halves if tables with labels of their own are side by side.

    If they may be, return none, and the column from which on the labels are in doubt; else 0.
    """
    places = [(s.text, place_segment(s, columns)[0]) for row in rows for s in row.segments]
    valued = _list_texts(rows, columns)
    doubtful = 0
    for index in range(2, len(columns) - 1):
        labels = [[text for text, place in places if place == wanted] for wanted in (0, index)]
        may = _may_label(valued, index)
        apart = _are_ruled_apart(rows, columns, index, rules) or (
            may and _ends_apart(rows, columns, index)
        )
        if apart or _opens_table(rows, columns, index, labels):
            edge = columns[index].x0 - 1
            left = [_part(row, -1e9, edge) for row in rows]
            right = [_part(row, edge, 1e9) for row in rows]
            return [[row for row in side if row] for side in (left, right)], 0
        if may and not doubtful:
            gaps = [right.x0 - left.x1 for left, right in pairwise(columns)]
            again = set(labels[0]).intersection(labels[1])
            doubtful = index if again or gaps[index - 1] == max(gaps[1:]) else 0
    return [], doubtful


def _list_texts(rows: Sequence[Row], columns: Sequence[Column]) -> dict[int, list[str]]:
    """The texts of each column in the rows with values."""
    texts: dict[int, list[str]] = {}
    for row in rows:
        if has_values(row):
            for segment in row.segments:
                texts.setdefault(place_segment(segment, columns)[0], []).append(segment.text)
    return texts


def _may_label(texts: Mapping[int, Sequence[str]], index: int) -> bool:
    """Whether a column between amounts may label those behind it: of words, each other than the rest."""
    labels = texts.get(index, ())
    return (
        len(labels) > 2
        and len(set(labels)) == len(labels)
        and not any(map(is_amount, labels))
        and all(any(map(is_amount, texts.get(place, ()))) for place in (index - 1, index + 1))
    )


def _ends_apart(rows: Sequence[Row], columns: Sequence[Column], index: int) -> bool:
    """Whether one of two sides goes on when the other has ended, so that its rows are its own."""
    sides = [
        {segment.x0 >= columns[index].x0 - 1 for segment in row.segments}
        for row in rows
        if has_values(row) or is_amount(row.segments[-1].text)
    ]
    lone = len(sides)
    while lone and sides[lone - 1] == sides[-1] and len(sides[-1]) == 1:
        lone -= 1
    # A single row that ends at the left may be the total.
    most = len(sides) - lone > 1 or sides[-1] == {True}
    return 0 < lone < len(sides) and most and all(len(side) == 2 for side in sides[:lone])


def _are_ruled_apart(
    rows: Sequence[Row], columns: Sequence[Column], index: int, rules: Rules
) -> bool:
    """Whether no rule runs on from before a column, and those at both sides have no other gap.

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
    both = [line for line in pieces.values() if len(line) == 2]
    lone = [line[0] for line in pieces.values() if len(line) == 1]
    return (
        len(both) > 1
        and len(both) + len(lone) == len(pieces)
        and all(
            line[0][0] <= columns[0].x0 + 1
            and gap[0] <= line[0][1] < line[1][0] <= gap[1]
            and line[1][1] >= columns[-1].x0
            for line in both
        )
        and all((x0, x1) in {one for line in both for one in line} for x0, x1 in lone)
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
