"""The columns of a table without ruling: where no row has a value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from foundry.readers.grid_cells import classify
from foundry.readers.pdf.lines import Row, Segment
from foundry.readers.pdf.words import Word
from foundry.text.quantities import find_quantities

_YEARS = re.compile(
    r"(?:19|20)\d\d(?:\s?[/–-]\s?(?:\d\d|(?:19|20)\d\d))?(?:[A-Z]|\s?[*¹²³⁴-⁹ᵃ-ᵛ])?"
)
_SCALED = re.compile(r"\(?[$€£¥]\s?\(?\d[\d.,]*\)?\s?(?:[KMBT]|bn|mln)", re.IGNORECASE)
_RARE = 0.04
"""Share of the rows that may reach into the gap between two columns. A guess."""

_GOING_ON = 0.3
"""Share of the gaps that text spans, in rows that are no table. Tables of filings have up to
0.17, justified lines 0.35 and more."""
_MIN_GOING_ON = 3
"""Fewest such gaps: an address in a table has two."""
_MARKER = re.compile(r"[•●○◦▪■–]|\d{1,2}[.)]")


@dataclass(slots=True)
class Column:
    """A column by the edges of what is in it."""

    x0: float
    x1: float

    @property
    def middle(self) -> float:
        """Its middle."""
        return (self.x0 + self.x1) / 2

    def overlap(self, segment: Segment | Word) -> float:
        """How many points of a segment are in the column."""
        return min(self.x1, segment.x1) - max(self.x0, segment.x0)


@lru_cache(maxsize=4096)
def is_amount(text: str) -> bool:
    """Whether a text is a number, with a unit or not, or stands for none; a year is not."""
    if classify(text) in {"amount", "dash"}:
        return not _YEARS.fullmatch(text)
    return bool(_SCALED.fullmatch(text))


def has_values(row: Row) -> bool:
    """Whether a row has an amount behind its first segment."""
    return any(is_amount(segment.text) for segment in row.segments[1:])


def is_value_row(row: Row, left: float) -> bool:
    """Whether a row has an amount right of ``left``, where the labels end."""
    return any(is_amount(s.text) for s in row.segments if s.x0 > left) or has_values(row)


def is_named_row(row: Row, above: Row, columns: Sequence[Column]) -> bool:
    """Whether a row without plain amounts is data: a label and a measure below a full header."""
    places = [place_segment(segment, columns)[0] for segment in row.segments]
    over = {place_segment(segment, columns)[0] for segment in above.segments}
    return (
        len(over) == len(columns)
        and 0 in places
        and any(
            quantity.dimension
            for place, segment in zip(places, row.segments, strict=True)
            if place > 0
            for quantity in find_quantities(segment.text, "und")
        )
    )


def is_stretched(rows: Sequence[Row]) -> bool:
    """Whether rows are justified lines of text: it spans gaps that no other row has."""
    starts = [{round(segment.x0) for segment in row.segments} for row in rows]
    gaps = going = 0
    for index, row in enumerate(rows):
        others = set().union(*starts[:index], *starts[index + 1 :])
        for left, right in pairwise(row.segments):
            gaps += 1
            text = left.text.endswith(",") or (
                right.text[:1].islower() and left.text[-1:].isalpha()
            )
            going += text and round(right.x0) not in others
    return going >= max(_MIN_GOING_ON, _GOING_ON * gaps)


def has_lists(rows: Sequence[Row]) -> bool:
    """Whether rows hold lists side by side: markers close to the text behind them."""
    pairs = [pair for row in rows for pair in pairwise(row.segments[1:])]
    marked = sum(
        bool(_MARKER.fullmatch(left.text)) and right.x0 - left.x1 < 2 * left.size
        for left, right in pairs
    )
    return marked > _GOING_ON * len(pairs)


def cut_values(rows: Sequence[Row]) -> list[Row]:
    """Cut a value from the label close before it, where the values of other rows end or begin."""
    values = [s for row in rows for s in row.segments[1:] if is_amount(s.text)]
    edge = min((segment.x0 for segment in values), default=0.0)
    lefts = Counter(round(segment.x0) for segment in values)
    rights = Counter(round(segment.x1) for segment in values)
    cut: list[Row] = []
    for row in rows:
        parts: list[Segment] = []
        for segment in row.segments:
            *label, value = segment.words
            near = max(rights[round(value.x1)], lefts[round(value.x0)])
            apart = label and near > 1 and is_amount(value.text) and not is_amount(segment.text)
            if apart and label[-1].x1 < edge and segment.text[0].isalpha():
                parts += [Segment(label), Segment([value])]
            else:
                parts.append(segment)
        cut.append(Row(parts, row.led) if len(parts) > len(row.segments) else row)
    return cut


def find_columns(rows: Sequence[Row]) -> list[Column]:
    """Return the columns of rows with values or, if none has any, of the rows with most cells."""
    filled = [row for row in rows if len(row.segments) > 1]
    valued = [row for row in filled if has_values(row)]
    if len(valued) < 2:
        most = max((len(row.segments) for row in valued or filled), default=0)
        least = most if valued else 0.6 * most
        valued = [row for row in filled if len(row.segments) >= least]
    # A label in front of a single total may run over columns that are empty there.
    most = max((len(row.segments) for row in valued), default=0)
    columns = _find_gaps([row for row in valued if len(row.segments) >= 0.5 * most])
    return _add_missing(
        _join_alternating(columns, rows, valued), filled, valued[0].base if valued else 0.0
    )


def _find_gaps(rows: Sequence[Row]) -> list[Column]:
    edges: list[tuple[float, int]] = []
    for row in rows:
        for segment in row.segments:
            edges += [(segment.x0, 1), (segment.x1, -1)]
    edges.sort(key=lambda edge: (edge[0], -edge[1]))
    rare = int(_RARE * len(rows))
    columns: list[Column] = []
    depth, start = 0, 0.0
    for x, step in edges:
        if depth <= rare < depth + step:
            start = x
        elif depth + step <= rare < depth:
            columns.append(Column(start, x))
        depth += step
    return columns


def _add_missing(columns: list[Column], rows: Sequence[Row], top: float) -> list[Column]:
    """Add the columns that no row with amounts fills: two or more cells below each other.

    Those above ``top``, where values begin, are lines of a header over a narrow column.
    """
    free = [
        segment
        for row in rows
        for segment in row.segments
        if all(column.overlap(segment) < -0.2 * segment.size for column in columns)
    ]
    found = _find_gaps([Row([segment]) for segment in free])
    for column in found:
        members = [segment for segment in free if column.overlap(segment) > 0]
        narrow = all(column.x0 > other.x1 or column.x1 < other.x0 for other in columns)
        if narrow and len(members) > 1 and members[-1].base >= top:
            columns = sorted([*columns, column], key=lambda other: other.x0)
    return columns


def _join_alternating(
    columns: list[Column], rows: Sequence[Row], valued: Sequence[Row]
) -> list[Column]:
    """Join neighbours that never share a row: a dash and the amounts above it."""
    joined = columns[:1]
    for column in columns[1:]:
        left = joined[-1]
        together = any(
            any(left.overlap(s) > 0 for s in row.segments)
            and any(column.overlap(s) > 0 and left.overlap(s) <= 0 for s in row.segments)
            for row in rows
        )
        size = valued[0].size
        if len(joined) > 1 and not together and column.x0 - left.x1 < 2 * size:
            joined[-1] = Column(left.x0, column.x1)
        else:
            joined.append(column)
    return joined


def place_segment(segment: Segment, columns: Sequence[Column]) -> tuple[int, int]:
    """Return the first and last column that a segment reaches."""
    x0, x1 = segment.x0, segment.x1
    hits = [i for i, c in enumerate(columns) if c.x0 < x1 and x0 < c.x1 and c.x0 < c.x1 and x0 < x1]
    if hits:
        return hits[0], hits[-1]
    nearest = min(range(len(columns)), key=lambda i: -columns[i].overlap(segment))
    return nearest, nearest


def cut_segment(segment: Segment, columns: Sequence[Column]) -> list[Segment]:
    """Cut a segment between columns, where it has the space of a gap there, else leave it whole."""
    first, last = place_segment(segment, columns)
    parts: list[list[Word]] = [[segment.words[0]]]
    at = first
    for left, right in zip(segment.words, segment.words[1:], strict=False):
        beyond = at
        while beyond < last and columns[beyond + 1].x0 - 1 <= right.x0:
            beyond += 1
        gap = right.x0 - left.x1
        if beyond > at and left.x1 <= columns[beyond].x0 + 1 and gap > 0.45 * right.size:
            parts.append([right])
            at = beyond
        else:
            parts[-1].append(right)
    return [Segment(part) for part in parts] if len(parts) > 1 else [segment]
