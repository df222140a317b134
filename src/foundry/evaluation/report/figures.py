"""Measures as a report writes them: in their unit, with interval, number of questions and change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from foundry.evaluation.comparison import Change
from foundry.evaluation.metrics.answers import ANSWER_MEASURES
from foundry.evaluation.metrics.intervals import Interval
from foundry.evaluation.metrics.measures import (
    CHIEF,
    CITATION,
    GATE,
    QUALITY,
    RANKING,
    REFUSAL,
    SPENT,
    TIMES,
)
from foundry.evaluation.metrics.ranking import CUTS
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.report.examined import Compared, Examined
from foundry.evaluation.report.sheet import Cell, Column, Group, Table, Tone

ABREAST = 4
"""Runs beside each other in a table that still fits a printed page."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "ranking": RANKING,
    "refusal": REFUSAL,
    "gate": (*GATE, "auroc"),
    "citation": (*CITATION, "coverage"),
    "answers": ANSWER_MEASURES,
    "times": TIMES,
    "spent": SPENT,
}
CHIEF_QUALITY = tuple(name for name in CHIEF if name in QUALITY)
"""What the summary and the plot of differences tell; the table holds all depths."""

AT_DEPTHS = ("recall", "precision", "ndcg")
OF_ANSWERS = frozenset(("refusal", "citation", "answers", "spent"))
"""What a run over search alone does not have."""


def in_unit(measure: str, value: float | None, phrases: Phrases) -> str:
    """``0.912``, ``840 ms``, ``12,034``, ``$0.0213``, or the word for undefined."""
    if value is None:
        return phrases("undefined")
    if measure.endswith("_ms"):
        return phrases.time(value)
    if measure == "cost":
        return f"${phrases.number(value, 4)}"
    return phrases.number(value, 0 if measure == "tokens" else 3)


def interval_text(measure: str, interval: Interval | None, phrases: Phrases) -> str:
    """``0.880 to 0.940``; empty where there is none."""
    if interval is None:
        return ""
    low, high = (in_unit(measure, bound, phrases) for bound in (interval.low, interval.high))
    return phrases("interval", low=low, high=high)


def figure_cell(examined: Examined, measure: str, phrases: Phrases) -> Cell:
    """The figure; below it its interval, and on how many questions it rests."""
    interval, n = _basis(examined, measure, phrases)
    lines = tuple(line for line in (interval, n) if line)
    return Cell(in_unit(measure, examined.figures.get(measure), phrases), lines)


def change_text(measure: str, change: Change, phrases: Phrases) -> tuple[str, str]:
    """``▲ +0.030`` and ``0.010 to 0.050``: the arrow says better or worse, where that is clear.

    ``=`` where no question differs.
    """
    difference = change.difference or 0.0
    mark = {"": "", "good": "▲ ", "bad": "▼ "}[tone_of(change)]
    text = in_unit(measure, difference, phrases)
    if _is_nothing(change):
        return "=", ""
    # What rounds to nothing has no sign.
    sign = "+" if difference > 0 and any(digit in text for digit in "123456789") else ""
    return f"{mark}{sign}{text}", interval_text(measure, change.interval, phrases)


def _is_nothing(change: Change) -> bool:
    """Whether no question moved at all: an interval from 0 to 0 tells nothing more."""
    interval = change.interval
    return interval is not None and interval.low == interval.high == 0


def _basis(examined: Examined, measure: str, phrases: Phrases) -> tuple[str, str]:
    """The interval and ``n = 160``; empty where there is none."""
    if examined.figures.get(measure) is None:
        return "", ""
    n = examined.n_of(measure)
    counted = "" if n is None else f"n = {phrases.number(n)}"
    return interval_text(measure, examined.intervals.get(measure), phrases), counted


def tone_of(change: Change | None) -> Tone:
    """Good or bad where a change is clear."""
    if change is None:
        return ""
    return "good" if change.better else "bad" if change.worse else ""


def abreast(runs: Sequence[Examined]) -> Iterator[Sequence[Examined]]:
    """The runs in parts that fit a page; the first one stands in each, to compare with."""
    if len(runs) <= ABREAST:
        yield runs
        return
    others = runs[1:]
    for at in range(0, len(others), ABREAST - 1):
        yield (runs[0], *others[at : at + ABREAST - 1])


def measure_tables(
    runs: Sequence[Examined], compared: Sequence[Compared], phrases: Phrases
) -> tuple[Table, ...]:
    """Every measure of every run; those of answers are left out where no run has answers."""
    changes = {one.run.run.id: one.changes for one in compared}
    note = phrases("measures.note.many" if compared else "measures.note")
    depths = _depth_table(runs, changes, phrases)
    if len(runs) == 1:
        return depths, replace(_table_of_one(runs[0], phrases), note=note)
    tables = [_table_of_many(part, changes, phrases) for part in abreast(runs)]
    return depths, *tables[:-1], replace(tables[-1], note=note)


_Changes = Mapping[int, Mapping[str, Change]]


def _depth_table(runs: Sequence[Examined], changes: _Changes, phrases: Phrases) -> Table:
    """What is measured at several depths: a row for each run, a column for each depth."""
    groups = [
        Group(
            f"{phrases(f'name.{name}')}@k",
            tuple(
                (
                    Cell(run.label),
                    *(_figure_in(run, f"{name}@{cut}", phrases, changes) for cut in CUTS),
                    Cell(phrases.number(run.n_of(f"{name}@1") or 0)),
                )
                for run in runs
            ),
        )
        for name in AT_DEPTHS
    ]
    return Table(
        caption=phrases("measures.depths"),
        columns=(
            Column(phrases("run"), "label"),
            *(Column(f"k = {cut}") for cut in CUTS),
            Column("n"),
        ),
        groups=tuple(groups),
    )


def _figure_in(run: Examined, measure: str, phrases: Phrases, changes: _Changes) -> Cell:
    """A narrow one: the figure, its interval, the change, the interval of the change."""
    change = changes.get(run.run.id, {}).get(measure)
    lines = [_basis(run, measure, phrases)[0]]
    if change:
        difference, interval = change_text(measure, change, phrases)
        lines += [difference, f"({interval})" if interval else ""]
    value = in_unit(measure, run.figures.get(measure), phrases)
    return Cell(value, tuple(line for line in lines if line), tone_of(change))


def _table_of_one(run: Examined, phrases: Phrases) -> Table:
    """The other measures of a single run, with a column for each thing that is known of them."""
    return Table(
        caption=phrases("measures.others"),
        columns=(
            Column(phrases("measure"), "label"),
            Column(phrases("figure")),
            Column(phrases("interval.column")),
            Column("n"),
        ),
        groups=tuple(
            Group(phrases(f"group.{name}"), tuple(_row_of_one(run, m, phrases) for m in measures))
            for name, measures in _other_groups([run]).items()
        ),
    )


def _row_of_one(run: Examined, measure: str, phrases: Phrases) -> tuple[Cell, ...]:
    value, n = run.figures.get(measure), run.n_of(measure)
    interval = (
        interval_text(measure, run.intervals.get(measure), phrases) if value is not None else ""
    )
    return (
        Cell(measure_name(measure, phrases)),
        Cell(in_unit(measure, value, phrases)),
        Cell(interval or "–"),
        Cell("–" if n is None else phrases.number(n)),
    )


def _table_of_many(runs: Sequence[Examined], changes: _Changes, phrases: Phrases) -> Table:
    return Table(
        caption=phrases("measures.others"),
        columns=(Column(phrases("measure"), "label"), *(Column(run.label) for run in runs)),
        groups=tuple(
            Group(
                phrases(f"group.{name}"),
                tuple(_row_of_many(measure, name, runs, changes, phrases) for measure in measures),
            )
            for name, measures in _other_groups(runs).items()
        ),
    )


def _row_of_many(
    measure: str, group: str, runs: Sequence[Examined], changes: _Changes, phrases: Phrases
) -> tuple[Cell, ...]:
    cells = [
        _wide_cell(run, measure, phrases, changes.get(run.run.id, {}).get(measure))
        if run.answers or group not in OF_ANSWERS
        else Cell(phrases("not_applicable"))
        for run in runs
    ]
    return Cell(measure_name(measure, phrases)), *cells


def _wide_cell(run: Examined, measure: str, phrases: Phrases, change: Change | None) -> Cell:
    """The figure, in a line its interval and the number of questions, in a line the change."""
    lines = [", ".join(part for part in _basis(run, measure, phrases) if part)]
    if change:
        difference, interval = change_text(measure, change, phrases)
        lines.append(f"{difference} ({interval})" if interval else difference)
    value = in_unit(measure, run.figures.get(measure), phrases)
    return Cell(value, tuple(line for line in lines if line), tone_of(change))


def _other_groups(runs: Sequence[Examined]) -> dict[str, tuple[str, ...]]:
    """The measures without a depth, by group; those of answers where a run has answers."""
    return {
        name: tuple(measure for measure in measures if "@" not in measure)
        for name, measures in GROUPS.items()
        if name not in OF_ANSWERS or any(run.answers for run in runs)
    }


def measure_name(measure: str, phrases: Phrases) -> str:
    """In words, for ``recall@10`` and its like with the depth."""
    name, _, depth = measure.partition("@")
    return phrases(f"name.{name}") + (f"@{depth}" if depth else "")
