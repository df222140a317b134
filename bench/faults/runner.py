"""Runs the parts one after another and prints a table and a summary.

A part is a function in a module of this folder; adding one takes a line in ``PARTS``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.faults import files, kills, models, roles
from bench.faults.rows import Part, Row

PARTS: Mapping[str, Part] = {
    "files": files.run,
    "kills": kills.run,
    "models": models.run,
    "roles": roles.run,
}


def measure(_data: Path | None, *, quick: bool = False, parts: Sequence[str] = ()) -> Iterator[str]:
    """The rows of all parts, or of those named, as a Markdown table, with a summary."""
    yield "| part | case | outcome | s | MB |"
    yield "|---|---|---|---|---|"
    rows: list[Row] = []
    for name in parts or PARTS:
        for row in PARTS[name](quick):
            rows.append(row)
            yield _format_row(row)
    yield ""
    for name in dict.fromkeys(row.part for row in rows):
        yield f"{name}: {_count_passed([row for row in rows if row.part == name])}"
    yield f"all: {_count_passed(rows)}"


def _format_row(row: Row) -> str:
    outcome = row.outcome.replace("|", "\\|") if row.passed else f"**FAILED** {row.outcome}"
    memory = "" if row.memory is None else f"{row.memory:.0f}"
    return f"| {row.part} | {row.case} | {outcome} | {row.seconds:.1f} | {memory} |"


def _count_passed(rows: Sequence[Row]) -> str:
    passed = sum(row.count for row in rows if row.passed)
    return f"{sum(row.count for row in rows)} ran, {passed} passed"
