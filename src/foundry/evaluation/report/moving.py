"""The questions whose outcome is another one in a run than in the first: the worse ones first."""

from __future__ import annotations

from collections import Counter

from foundry.evaluation.comparison import FOUND_IN, Comparison, Moved
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.report.examined import Compared, Examined
from foundry.evaluation.report.figures import in_unit, measure_name
from foundry.evaluation.report.sheet import Cell, Column, Group, Table, Tone

MOST = 40
"""Rows that are shown: a page is read, a list of thousands is not."""

_ORDER = {"worse": 0, "better": 1, "changed": 2}
_WHATS = ("error", "verdict", FOUND_IN)
_TONES: dict[str, Tone] = {"worse": "bad", "better": "good", "changed": ""}


def moved_table(first: Examined, compared: Compared, phrases: Phrases) -> Table:
    """Every change of a verdict, a figure or an error; needs a comparison."""
    comparison = compared.comparison
    assert comparison, "two runs that share no question have no table"
    moved = sorted(comparison.moved, key=_order)
    return Table(
        caption=phrases("moved.of", run=compared.run.label, first=first.label),
        columns=(
            Column(phrases("question.key"), "label"),
            Column(phrases("question"), "text"),
            Column(phrases("moved.what"), "text"),
            Column(first.label, "text"),
            Column(compared.run.label, "text"),
            Column(phrases("moved.change"), "text"),
        ),
        groups=(Group("", tuple(_row(one, phrases) for one in moved[:MOST])),),
        note=" ".join(_notes(first, compared.run, comparison, phrases)),
    )


def _order(moved: Moved) -> tuple[int, int, str]:
    """What got worse first, and there what a reader sees first: errors, verdicts, lost places."""
    grave = _WHATS.index(moved.what) if moved.what in _WHATS else len(_WHATS)
    return _ORDER[moved.direction], grave, moved.question.key


def _row(moved: Moved, phrases: Phrases) -> tuple[Cell, ...]:
    return (
        Cell(moved.question.key),
        Cell(moved.question.text),
        Cell(_what(moved.what, phrases)),
        Cell(_value(moved, moved.first, phrases)),
        Cell(_value(moved, moved.second, phrases)),
        Cell(phrases(f"moved.{moved.direction}"), tone=_TONES[moved.direction]),
    )


def _what(what: str, phrases: Phrases) -> str:
    if what == "verdict":
        return phrases("verdict")
    return phrases("moved.error") if what == "error" else measure_name(what, phrases)


def _value(moved: Moved, value: str | float | None, phrases: Phrases) -> str:
    if value is None:
        return "–"
    if isinstance(value, str):
        return phrases(f"verdict.{value}") if moved.what == "verdict" else value
    return in_unit(moved.what, value, phrases)


def _notes(first: Examined, run: Examined, comparison: Comparison, phrases: Phrases) -> list[str]:
    directions = {one.question.key: one.direction for one in reversed(comparison.moved)}
    counted = Counter(directions.values())
    common = phrases.count(comparison.common, "question")
    numbers = {name: phrases.number(counted[name]) for name in ("better", "worse", "changed")}
    notes = [phrases("moved.counts", common=common, **numbers)]
    if len(comparison.moved) > MOST:
        notes.append(phrases("moved.more", n=phrases.number(len(comparison.moved) - MOST)))
    left = comparison.left_out
    parts = {
        "only_first": len(left.only_first), "only_second": len(left.only_second),
        "text": len(left.text_changed), "label": len(left.label_changed),
    }  # fmt: skip
    if any(parts.values()):
        numbers = {name: phrases.number(n) for name, n in parts.items()}
        notes.append(phrases("moved.left_out", first=first.label, run=run.label, **numbers))
    return notes
