"""Which parts of a text are taken already, asked in a time that hardly grows with their number."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable


class TakenSpans:
    """Spans of a text that do not overlap."""

    def __init__(self, spans: Iterable[tuple[int, int]] = ()) -> None:
        """``spans`` are (start, end) in any order."""
        self._spans = sorted(spans)

    def add(self, start: int, end: int) -> None:
        """Take a free span."""
        self._spans.insert(bisect_left(self._spans, (start, end)), (start, end))

    def is_free(self, start: int, end: int) -> bool:
        """Whether no taken span overlaps this one."""
        index = bisect_left(self._spans, (end, end))
        return index == 0 or self._spans[index - 1][1] <= start
