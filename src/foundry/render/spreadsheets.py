"""Rows for spreadsheets: CSV, in which nothing runs as a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

_RISKY = frozenset("=+-@\t\r\n")
_NUMBER = re.compile(r"[-+]?[\d.,\s]*%?")


def write_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A line for the header and for each row; lists are joined with spaces.

    A text that a spreadsheet would run as a formula begins with an apostrophe.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(_guard, header))
    for row in rows:
        writer.writerow(map(_guard, row))
    return text.getvalue()


def _guard(value: object) -> object:
    if isinstance(value, list):
        value = " ".join(value)
    risky = isinstance(value, str) and value[:1] in _RISKY and not _NUMBER.fullmatch(value)
    return f"'{value}" if risky else value
