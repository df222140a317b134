"""Finds which columns the texts of a header row cover.

A rule below a text decides. Otherwise the texts of a row share the columns that are named below them:
of all ways that centre each text over its columns, the one that leaves the fewest columns without a
text is chosen. If another way leaves as few, the columns in which the two differ are in doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise, product
from math import prod
from statistics import median
from typing import Protocol

from foundry.readers.pdf.lines import Segment
from foundry.readers.pdf.tables.columns import Column

Span = tuple[int, int]
"""The first and last column."""

_CENTRED = 1.2
"""Largest distance of a text from the middle of its columns, relative to the size of print. A guess."""
_NARROW = 0.3
"""The same relative to the pitch of columns; one column more or less moves the middle by 0.5. A guess."""
_FLUSH = 1.5
"""Points within which two edges count as aligned. A guess."""
_MAX_WAYS = 4096


class Covering(Protocol):
    """A cell over columns, with the edges of its text."""

    first: int
    last: int
    x0: float
    x1: float


@dataclass(frozen=True, slots=True)
class Grid:
    """Where the cells of each column begin and end, and the pitch of the columns."""

    starts: list[float]
    ends: list[float]
    pitch: float
    flush: list[float]

    def is_flush(self, segment: Segment, first: int, last: int) -> bool:
        """Whether a text over one column begins or ends where its values do, if the names do."""
        side = segment.x1 if self.flush == self.ends else segment.x0
        return first == last and bool(self.flush) and abs(side - self.flush[first]) < _FLUSH

    def measure(self, segment: Segment, span: Span) -> float:
        """How far a text is from the middle of columns."""
        middle = (self.starts[span[0]] + self.ends[span[1]]) / 2
        return abs((segment.x0 + segment.x1) / 2 - middle)

    def fits(self, segment: Segment, span: Span) -> bool:
        """Whether a text is in the middle of columns."""
        return self.measure(segment, span) < min(_CENTRED * segment.size, _NARROW * self.pitch)


def build_grid(columns: Sequence[Column], names: Sequence[Covering], stubs: int) -> Grid:
    """Find the cells of columns from where their values and the ``names`` right above are.

    Names flush with the values at one side show which one. Otherwise a name is in the middle. The
    first columns are ``stubs``, with the labels of rows.
    """
    own = {cell.first: cell for cell in names if cell.first == cell.last >= stubs}
    gaps = [b.x1 - a.x1 for a, b in pairwise(columns[stubs:])]
    pitch = median(gaps) if gaps else columns[-1].x1 - columns[0].x0
    pairs = [(cell, columns[number]) for number, cell in own.items()]
    left = sum(abs(cell.x0 - column.x0) < _FLUSH for cell, column in pairs)
    right = sum(abs(cell.x1 - column.x1) < _FLUSH for cell, column in pairs)
    if 2 * max(left, right) > len(pairs) and left != right:
        if right > left:
            ends = [column.x1 for column in columns]
            starts = [
                a if number > stubs and b - a < 1.5 * pitch else b - pitch
                for number, (a, b) in enumerate(pairwise(ends), 1)
            ]
            return Grid([columns[0].x0, *starts], ends, pitch, ends)
        starts = [column.x0 for column in columns]
        after = [b if b - a < 1.5 * pitch else a + pitch for a, b in pairwise(starts)]
        return Grid(starts, [*after, starts[-1] + pitch], pitch, starts)
    middles = [
        (own[n].x0 + own[n].x1) / 2 if n in own else column.middle
        for n, column in enumerate(columns)
    ]
    return Grid([x - pitch / 2 for x in middles], [x + pitch / 2 for x in middles], pitch, [])


def share_out(
    segments: Sequence[Segment],
    reached: Sequence[Span],
    choices: Sequence[Sequence[Span]],
    named: Set[int],
    grid: Grid,
) -> tuple[list[Span], frozenset[int]]:
    """Return the columns of each text of those that it may have, and the columns in doubt.

    If the texts cannot be side by side they have those that they have ``reached``.
    As few of the columns that are ``named`` below as possible stay without a text.
    """
    many = prod(map(len, choices)) > _MAX_WAYS
    ways = [] if many else [way for way in product(*choices) if _is_apart(way)]
    if not ways:
        return [*reached], frozenset()

    def rank(way: Sequence[Span]) -> tuple[int, int, float]:
        off = sum(grid.measure(one, span) for one, span in zip(segments, way, strict=True))
        return count_left(way, named), len({last - first for first, last in way}), off

    best = min(ways, key=rank)
    least = count_left(best, named)
    rivals = [way for way in ways if count_left(way, named) == least]
    return [*best], frozenset(n for way in rivals for n in list_differing(best, way))


def _is_apart(way: Sequence[Span]) -> bool:
    return all(one[1] < other[0] for one, other in pairwise(way))


def count_left(way: Sequence[Span], named: Set[int]) -> int:
    """How many columns that are named below have no text over them."""
    return len(set(named).difference(*(range(first, last + 1) for first, last in way)))


def list_spans(
    segment: Segment, over: Span, below: Sequence[Covering], grid: Grid, edges: Span
) -> list[Span]:
    """The spans around the columns that a text reaches in whose middle it is; else these columns.

    The narrowest is the first. No cell ``below`` is covered in part, no column outside ``edges``.
    """
    spans = [
        (first, last)
        for first in range(edges[0], over[0] + 1)
        for last in range(over[1], edges[1] + 1)
        if (grid.fits(segment, (first, last)) or grid.is_flush(segment, first, last))
        and not any(c.first < first <= c.last or c.first <= last < c.last for c in below)
    ]
    return sorted(spans, key=lambda span: span[1] - span[0]) or [over]


def list_differing(one: Sequence[Span], other: Sequence[Span]) -> Iterator[int]:
    """Yield the columns that two ways put below different texts."""
    for a, b in zip(one, other, strict=True):
        yield from {*range(a[0], a[1] + 1)} ^ {*range(b[0], b[1] + 1)}
