"""Runs the parts one after another and prints a table and a summary.

A part is a function in a module of this folder; adding one takes a line in ``PARTS``.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence

from bench.faults import files, kills, lines, models, names, roles
from bench.faults.rows import Part, Row

PARTS: Mapping[str, Part] = {
    "files": files.run,
    "lines": lines.run,
    "kills": kills.run,
    "models": models.run,
    "names": names.run,
    "roles": roles.run,
}


def measure(*, quick: bool = False, parts: Sequence[str] = ()) -> Generator[str, None, bool]:
    """The rows of all parts, or of those named, as a Markdown table, with a summary.

    Returns whether every attack passed.
    """
    yield "| part | case | outcome | s | MB |"
    yield "|---|---|---|---|---|"
    failed: list[str] = []
    summary = ["| part | ran | passed | minutes |", "|---|---|---|---|"]
    for name in parts or PARTS:
        started, rows = time.monotonic(), []
        for row in PARTS[name](quick):
            rows.append(row)
            yield _format_row(row)
        failed += [f"FAILED {name}, {row.case}: {row.outcome}" for row in rows if not row.passed]
        summary.append(_summarize(name, rows, time.monotonic() - started))
    yield from ("", *failed, "", *summary)
    return not failed


def _summarize(name: str, rows: Sequence[Row], seconds: float) -> str:
    ran, passed = (sum(row.count for row in rows if row.passed or every) for every in (True, False))
    return f"| {name} | {ran} | {passed} | {seconds / 60:.1f} |"


def _format_row(row: Row) -> str:
    outcome = row.outcome.replace("|", "\\|") if row.passed else f"**FAILED** {row.outcome}"
    memory = "" if row.memory is None else f"{row.memory:.0f}"
    return f"| {row.part} | {row.case} | {outcome} | {row.seconds:.1f} | {memory} |"
