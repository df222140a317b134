"""``foundry eval compare``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval.figures import format_figure, format_number
from foundry.cli.help import Command
from foundry.cli.output import say_notices, show, show_json
from foundry.cli.table import list_columns, show_table
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
from foundry.messages import Message
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
    named = {"run": str(comparison.first.id), "name": comparison.first.name}
    for change in worse:
        show(Message("eval-worse", change=_describe(change), **named))
    if not worse:
        show(Message("eval-nothing-worse", n=comparison.common, **named))


def _describe(change: MeasureChange) -> Message:
    first, second = (
        format_figure(change.measure, value) for value in (change.first, change.second)
    )
    if change.lost:
        return Message("eval-measure-lost", measure=change.measure, first=first)
    low, high = (
        (_difference(change.measure, change.interval.low),
         _difference(change.measure, change.interval.high))
        if change.interval else ("", "")
    )  # fmt: skip
    moved = _difference(change.measure, change.difference)
    return Message(
        "eval-measure-worse",
        measure=change.measure,
        first=first,
        second=second,
        moved=moved,
        low=low,
        high=high,
    )


def _show(comparison: Comparison, *, everything: bool) -> None:
    for letter, run in (("A", comparison.first), ("B", comparison.second)):
        show(
            Message(
                "eval-compared-run",
                letter=letter,
                run=str(run.id),
                name=run.name,
                kind=run.kind,
                sets=run.sets,
            )
        )
    left_out = _count_uncompared(comparison.left_out)
    code = "eval-in-common-left-out" if left_out else "eval-in-common"
    show(Message(code, n=comparison.common, parts=left_out))
    show()
    if comparison.differs:
        rows = [(one.name, one.first or "–", one.second or "–") for one in comparison.differs]
        show_table((*list_columns("differs"), "A", "B"), rows, elastic="A")
    else:
        show(Message("eval-nothing-differs"))
    show()
    _show_measures(comparison, everything=everything)
    _show_questions(comparison.changed, everything=everything)


def _count_uncompared(left: UncomparedQuestions) -> list[str]:
    counts = (
        ("eval-only-first", left.only_first),
        ("eval-only-second", left.only_second),
        ("eval-text-changed", left.text_changed),
        ("eval-label-changed", left.label_changed),
    )
    return [str(Message(code, n=len(keys))) for code, keys in counts if keys]


def _show_measures(comparison: Comparison, *, everything: bool) -> None:
    names = MEASURES if everything else CHIEF
    changes = [
        one
        for one in comparison.measures
        if one.measure in (*names, "errors") or one.better or one.worse
    ]
    measure, low, high, n = list_columns("measure", "from", "to", "n")
    columns = (measure, "A", "B", "B - A", low, high, n, "")
    show_table(columns, [_row(one) for one in changes], elastic=measure, numbers=columns[1:-1])
    if not everything:
        show(Message("eval-no-other-change"))
    compared = sum(one.interval is not None for one in comparison.measures)
    clear = sum(one.clear for one in comparison.measures)
    show(Message("eval-intervals-clear", n=clear, of=compared))


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
        Message("eval-moved-worse")
        if change.worse
        else Message("eval-moved-better")
        if change.better
        else "",
    )


def _difference(measure: str, value: float | None) -> str:
    if value is None:
        return format_figure(measure, None)
    text = format_figure(measure, value)
    # A value that rounds to 0 has no sign.
    if not any(digit in "123456789" for digit in text):
        return text.lstrip("-")
    return text if value < 0 else f"+{text}"


def _show_questions(changed: Sequence[ChangedQuestion], *, everything: bool) -> None:
    show()
    if not changed:
        show(Message("eval-no-question-changed"))
        return
    shown = list(changed) if everything else _most_serious(changed)
    changed_by, key, question = list_columns("changed", "key", "question")
    show_table(
        (changed_by, "", "A", "B", key, question),
        [
            (
                _name_change(one.what),
                Message(f"eval-moved-{one.direction}"),
                _value(one.first),
                _value(one.second),
                one.question.key,
                one.question.text,
            )
            for one in shown
        ],
        elastic=question,
    )
    if len(shown) < len(changed):
        show(Message("eval-changes-more", n=len(changed) - len(shown)))


def _name_change(what: str) -> Message | str:
    return Message(f"eval-changed-{what}") if what in ("error", "verdict") else what


def _most_serious(changed: Sequence[ChangedQuestion]) -> list[ChangedQuestion]:
    """Errors and verdicts first, then places, then wordings; worse before better."""
    kinds = ("error", "verdict", "recall@10", "exact_match", "f1")
    directions = ("worse", "better", "changed")
    ranked = sorted(
        changed, key=lambda one: (kinds.index(one.what), directions.index(one.direction))
    )
    return ranked[:_SHOWN]


def _value(value: str | float | None) -> Message | str | None:
    if isinstance(value, str):
        return Message("cli-verdict", verdict=value)
    return "–" if value is None else format_number("score", value)
