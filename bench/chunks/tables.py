"""The tables of the experiments: means, and paired 95 % intervals of what differs from one arm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bench.chunks.corpora import Asked
from bench.chunks.measured import Arm, Row, compare


def table(
    arms: Mapping[str, Arm], base: str, columns: Sequence[str], among: Sequence[str]
) -> Iterator[str]:
    """One line an arm. A mean is bold where its difference from ``base`` is clear."""
    yield f"| | {' | '.join(columns)} |"
    yield "|---" * (len(columns) + 1) + "|"
    for name, arm in arms.items():
        rows = [compare(arm, arms[base], column, among) for column in columns]
        yield f"| {name} | {' | '.join(map(_mean, rows))} |"
    yield ""


def _mean(row: Row) -> str:
    clear = row.interval is not None and row.interval.excludes_zero
    return f"**{row.mean:.3f}**" if clear else f"{row.mean:.3f}"


def halves(
    arms: Mapping[str, Arm], base: str, columns: Sequence[str], asked: Sequence[Asked]
) -> Iterator[str]:
    """Each arm's difference from ``base`` on all questions, and on the two halves."""
    parts = {
        "all": [q.id for q in asked],
        "first half": [q.id for q in asked if q.chosen_on],
        "held back": [q.id for q in asked if not q.chosen_on],
    }
    yield f"| against {base} | " + " | ".join(f"{c}, {p}" for c in columns for p in parts) + " |"
    yield "|---" * (len(columns) * len(parts) + 1) + "|"
    for name, arm in arms.items():
        if name != base:
            cells = [
                _difference(compare(arm, arms[base], column, among))
                for column in columns
                for among in parts.values()
            ]
            yield f"| {name} | {' | '.join(cells)} |"
    yield ""


def _difference(row: Row) -> str:
    if row.interval is None:
        return f"{row.difference:+.3f}"
    mark = "**" if row.interval.excludes_zero else ""
    low, high = (f"{bound:+.3f}" for bound in (row.interval.low, row.interval.high))
    return f"{mark}{row.difference:+.3f}{mark} ({low} … {high})"
