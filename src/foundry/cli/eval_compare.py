"""``foundry eval compare``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval_figures import figure, interval_as_dict, rounded
from foundry.cli.output import format_count, say_notices, show, show_json
from foundry.cli.table import show_table
from foundry.cli.workspace import open_project
from foundry.evaluation.comparing import Change, Comparison, LeftOut, Moved, compare_runs
from foundry.evaluation.measuring.measures import CHIEF, MEASURES
from foundry.evaluation.running.kept import load_run
from foundry.records import EvalRun

SHOWN = 20
"""Questions that changed are listed up to so many, unless -v asks for all."""


@click.command("compare")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@common_options
@pass_call
def command(call: Call, *, first: str, second: str) -> None:
    """Compare two runs, question by question.

    A and B are numbers or names of runs. Only questions that both asked in the same words, with
    the same expectations, count. An interval is of the difference B - A (paired bootstrap, 95 %);
    a change is clear where it leaves out 0.
    """
    with open_project(call, read_only=True) as workspace:
        found = compare_runs(workspace, load_run(workspace, first), load_run(workspace, second))
    if call.json:
        show_json(comparison_as_dict(found))
    else:
        say_notices(call, found.notices)
        _show(found, everything=call.verbosity > 0)


def comparison_as_dict(found: Comparison) -> dict[str, Any]:
    """A comparison as ``--json`` prints it."""
    return {
        "first": _named(found.first),
        "second": _named(found.second),
        "common": found.common,
        "left_out": {name: list(keys) for name, keys in asdict(found.left_out).items()},
        "differs": [asdict(one) for one in found.differs],
        "measures": [_change_as_dict(one) for one in found.measures],
        "worse": [one.measure for one in found.worse()],
        "changed": [_moved_as_dict(one) for one in found.moved],
        "notices": list(found.notices),
    }


def _named(run: EvalRun) -> dict[str, Any]:
    return {
        "id": run.id,
        "name": run.name,
        "kind": run.kind,
        "sets": list(run.sets),
        "finished": run.finished is not None,
    }


def _change_as_dict(change: Change) -> dict[str, Any]:
    return {
        "measure": change.measure,
        "first": rounded(change.first),
        "second": rounded(change.second),
        "difference": rounded(change.difference),
        "interval": interval_as_dict(change.interval),
        "n": change.n,
        "clear": change.clear,
        "better": change.better,
        "worse": change.worse,
    }


def _moved_as_dict(moved: Moved) -> dict[str, Any]:
    return {
        "key": moved.question.key,
        "text": moved.question.text,
        "what": moved.what,
        "first": None if moved.first is None else str(moved.first),
        "second": None if moved.second is None else str(moved.second),
        "direction": moved.direction,
    }


def show_worse(found: Comparison) -> None:
    """What became clearly worse than the baseline, and by how much; or that nothing did."""
    worse = found.worse()
    name = f"run {found.first.id} ({found.first.name})"
    for change in worse:
        show(f"Failed: {_told(change)} than {name}.")
    if not worse:
        show(
            f"Nothing is clearly worse than {name}, over {format_count(found.common, 'question')}."
        )


def _told(change: Change) -> str:
    first, second = (figure(change.measure, value) for value in (change.first, change.second))
    if change.lost:
        return f"{change.measure} is undefined and was {first}: worse"
    low, high = (
        (_difference(change.measure, change.interval.low),
         _difference(change.measure, change.interval.high))
        if change.interval else ("", "")
    )  # fmt: skip
    moved = _difference(change.measure, change.difference)
    return f"{change.measure} went from {first} to {second} ({moved}, 95 % {low} to {high}): worse"


def _show(found: Comparison, *, everything: bool) -> None:
    for letter, run in (("A", found.first), ("B", found.second)):
        show(f"{letter}: run {run.id} ({run.name}, {run.kind}) of {', '.join(run.sets)}")
    show(f"{format_count(found.common, 'question')} in common{_left_out(found.left_out)}")
    show()
    if found.differs:
        show_table(
            ("DIFFERS", "A", "B"),
            [(one.name, one.first or "–", one.second or "–") for one in found.differs],
            elastic="A",
        )
    else:
        show("Nothing differs in configuration, versions and index.")
    show()
    _show_measures(found, everything=everything)
    _show_moved(found.moved, everything=everything)


def _left_out(left: LeftOut) -> str:
    told = [
        f"{len(keys)} {what}"
        for what, keys in (
            ("only in A", left.only_first),
            ("only in B", left.only_second),
            ("asked in other words", left.text_changed),
            ("with another label, answer or place", left.label_changed),
        )
        if keys
    ]
    return f"; left out: {', '.join(told)}" if told else ""


def _show_measures(found: Comparison, *, everything: bool) -> None:
    names = MEASURES if everything else CHIEF
    changes = [
        one
        for one in found.measures
        if one.measure in (*names, "errors") or one.better or one.worse
    ]
    columns = ("MEASURE", "A", "B", "B - A", "95 % FROM", "TO", "N", "")
    show_table(columns, [_row(one) for one in changes], elastic="MEASURE", numbers=columns[1:-1])
    if not everything:
        show("Other measures moved within their intervals or not at all; -v shows them.")
    compared = sum(one.interval is not None for one in found.measures)
    clear = sum(one.clear for one in found.measures)
    show(f"{clear} of {compared} intervals leave out 0; by chance alone one in twenty would.")


def _row(change: Change) -> tuple[object, ...]:
    low = high = ""
    if change.interval:
        low = _difference(change.measure, change.interval.low)
        high = _difference(change.measure, change.interval.high)
    return (
        change.measure,
        figure(change.measure, change.first),
        figure(change.measure, change.second),
        _difference(change.measure, change.difference),
        low,
        high,
        change.n,
        "worse" if change.worse else "better" if change.better else "",
    )


def _difference(measure: str, value: float | None) -> str:
    if value is None:
        return "undefined"
    text = figure(measure, value)
    # What is rounded to nothing has no sign.
    if not any(digit in "123456789" for digit in text):
        return text.lstrip("-")
    return text if value < 0 else f"+{text}"


def _show_moved(moved: Sequence[Moved], *, everything: bool) -> None:
    show()
    if not moved:
        show("No question changed its verdict, what was found first, or its answer's score.")
        return
    shown = list(moved) if everything else _first(moved)
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
    if len(shown) < len(moved):
        show(f"{len(moved) - len(shown)} more changes; -v shows them all.")


def _first(moved: Sequence[Moved]) -> list[Moved]:
    """The gravest first: errors and verdicts, then places, then wordings; worse before better."""
    kinds = ("error", "verdict", "recall@10", "exact_match", "f1")
    ways = ("worse", "better", "changed")
    ranked = sorted(moved, key=lambda one: (kinds.index(one.what), ways.index(one.direction)))
    return ranked[:SHOWN]


def _value(value: str | float | None) -> str:
    return "–" if value is None else value if isinstance(value, str) else f"{value:.2f}"
