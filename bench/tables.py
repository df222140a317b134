"""Rows of JSON lines as they are read, and rows of Markdown tables as they are printed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def read_rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def write_head(*columns: str) -> Iterator[str]:
    """The two lines above a table's rows."""
    yield write_row(*columns)
    yield "|" + "---|" * len(columns)


def write_row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def share(flags: Iterable[bool], digits: int = 3) -> str:
    """The share of those that are true."""
    values = list(flags)
    return f"{sum(values) / len(values):.{digits}f}" if values else "–"


def percent(flags: Iterable[bool]) -> str:
    values = list(flags)
    return f"{100 * sum(values) / len(values):.1f} %" if values else "–"
