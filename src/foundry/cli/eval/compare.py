"""``foundry eval compare``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval.figures import format_figure
from foundry.cli.help import Command
from foundry.cli.output import format_count, say_notices, show, show_json
from foundry.cli.table import show_table
from foundry.cli.workspace import open_project
from foundry.evaluation.comparison import (
    ChangedQuestion,
    Comparison,
    MeasureChange,
    UncomparedQuestions,
    compare_runs,
)
from foundry.evaluation.metrics.measures import CHIEF, MEASURES
from foundry.evaluation.runs.history import get_run
from foundry.wire.evaluation import ComparisonJson

_SHOWN = 20
"""Changed questions that are listed without -v: a screenful."""


@click.command("compare", cls=Command)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@common_options
@pass_call
def command(call: Call, *, first: str, second: str) -> None:
    with open_project(call, read_only=True) as workspace:
        comparison = compare_runs(workspace, get_run(workspace, first), get_run(workspace, second))
    if call.json:
        show_json(ComparisonJson.from_record(comparison))
    else:
        say_notices(call, comparison.notices)
        _show(comparison, everything=call.verbosity > 0)


def show_worse(comparison: Comparison) -> None:
    """Show what is clearly worse than the baseline, and by how much."""
    worse = comparison.worse()
    name = f"run {comparison.first.id} ({comparison.first.name})"
    for change in worse:
        show(f"Failed: {_describe(change)} than {name}.")
    if not worse:
        show(
            f"Nothing is clearly worse than {name}, over {format_count(comparison.common, 'question')}."
        )


def _describe(change: MeasureChange) -> str:
    first, second = (
        format_figure(change.measure, value) for value in (change.first, change.second)
    )
    if change.lost:
        return f"{change.measure} is undefined and was {first}: worse"
    low, high = (
        (_difference(change.measure, change.interval.low),
         _difference(change.measure, change.interval.high))
        if change.interval else ("", "")
    )  # fmt: skip
    moved = _difference(change.measure, change.difference)
    return f"{change.measure} went from {first} to {second} ({moved}, 95 % {low} to {high}): worse"


def _show(comparison: Comparison, *, everything: bool) -> None:
    for letter, run in (("A", comparison.first), ("B", comparison.second)):
        show(f"{letter}: run {run.id} ({run.name}, {run.kind}) of {', '.join(run.sets)}")
    show(
        f"{format_count(comparison.common, 'question')} in common{_count_uncompared(comparison.left_out)}"
    )
    show()
    if comparison.differs:
        show_table(
            ("DIFFERS", "A", "B"),
            [(one.name, one.first or "–", one.second or "–") for one in comparison.differs],
            elastic="A",
        )
    else:
        show("Configuration, versions and index are the same.")
    show()
    _show_measures(comparison, everything=everything)
    _show_questions(comparison.changed, everything=everything)


def _count_uncompared(left: UncomparedQuestions) -> str:
    parts = [
        f"{len(keys)} {what}"
        for what, keys in (
            ("only in A", left.only_first),
            ("only in B", left.only_second),
            ("asked in other words", left.text_changed),
            ("with another label, answer or place", left.label_changed),
        )
        if keys
    ]
    return f"; left out: {', '.join(parts)}" if parts else ""


def _show_measures(comparison: Comparison, *, everything: bool) -> None:
    names = MEASURES if everything else CHIEF
    changes = [
        one
        for one in comparison.measures
        if one.measure in (*names, "errors") or one.better or one.worse
    ]
    columns = ("MEASURE", "A", "B", "B - A", "95 % FROM", "TO", "N", "")
    show_table(columns, [_row(one) for one in changes], elastic="MEASURE", numbers=columns[1:-1])
    if not everything:
        show("No other measure changed clearly; -v shows all.")
    compared = sum(one.interval is not None for one in comparison.measures)
    clear = sum(one.clear for one in comparison.measures)
    show(f"{clear} of {compared} intervals exclude 0; by chance alone one in twenty does.")


def _row(change: MeasureChange) -> tuple[object, ...]:
    low = high = ""
    if change.interval:
        low = _difference(change.measure, change.interval.low)
        high = _difference(change.measure, change.interval.high)
    return (
        change.measure,
        format_figure(change.measure, change.first),
        format_figure(change.measure, change.second),
        _difference(change.measure, change.difference),
        low,
        high,
        change.n,
        "worse" if change.worse else "better" if change.better else "",
    )


def _difference(measure: str, value: float | None) -> str:
    if value is None:
        return "undefined"
    text = format_figure(measure, value)
    # A value that rounds to 0 has no sign.
    if not any(digit in "123456789" for digit in text):
        return text.lstrip("-")
    return text if value < 0 else f"+{text}"


def _show_questions(changed: Sequence[ChangedQuestion], *, everything: bool) -> None:
    show()
    if not changed:
        show("No question changed its verdict, its recall@10 or its answer's score.")
        return
    shown = list(changed) if everything else _most_serious(changed)
    show_table(
        ("CHANGED", "", "A", "B", "KEY", "QUESTION"),
        [
            (
                one.what,
                one.direction,
                _value(one.first),
                _value(one.second),
                one.question.key,
                one.question.text,
            )
            for one in shown
        ],
        elastic="QUESTION",
    )
    if len(shown) < len(changed):
        show(f"{len(changed) - len(shown)} more changes; -v shows all.")


def _most_serious(changed: Sequence[ChangedQuestion]) -> list[ChangedQuestion]:
    """Errors and verdicts first, then places, then wordings; worse before better."""
    kinds = ("error", "verdict", "recall@10", "exact_match", "f1")
    directions = ("worse", "better", "changed")
    ranked = sorted(
        changed, key=lambda one: (kinds.index(one.what), directions.index(one.direction))
    )
    return ranked[:_SHOWN]


def _value(value: str | float | None) -> str:
    return "–" if value is None else value if isinstance(value, str) else f"{value:.2f}"
