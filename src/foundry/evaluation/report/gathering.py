"""From runs to a sheet: what a report says, in the order in which it says it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from foundry.evaluation.comparison import Change
from foundry.evaluation.metrics.measures import GATE, RANKING
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.report.breakdown import breakdown_tables
from foundry.evaluation.report.entries import question_table, worst_of
from foundry.evaluation.report.examined import Compared, Examined
from foundry.evaluation.report.facts import differing_tables, run_tables, setting_tables
from foundry.evaluation.report.figures import (
    CHIEF_QUALITY,
    GROUPS,
    OF_ANSWERS,
    change_text,
    figure_cell,
    measure_name,
    measure_tables,
)
from foundry.evaluation.report.moving import moved_table
from foundry.evaluation.report.sheet import Cell, Column, Group, Sheet, Table
from foundry.evaluation.report.worst import find_bad

WORST = 20
"""Questions that are shown with their hits unless another number is asked for."""

_HEADLINE = ("recall@10", "ndcg@10", "auroc", "false_refusal_rate", "refusal_recall", "f1")


def make_sheet(
    runs: Sequence[Examined],
    compared: Sequence[Compared],
    phrases: Phrases,
    *,
    project: str,
    worst: int = WORST,
) -> Sheet:
    """The report of these runs; ``compared`` holds every run after the first against it."""
    names = ", ".join(run.label for run in runs)
    return Sheet(
        language=phrases.language,
        title=phrases("title", project=project),
        subtitle=names,
        summary=tuple(_summary(runs, compared, phrases)),
        warnings=tuple(_warnings(runs, phrases)),
        headline=_headline(runs, phrases),
        runs=run_tables(runs, phrases),
        differing=differing_tables(runs, phrases),
        notices=tuple((run.label, run.run.notices) for run in runs if run.run.notices),
        settings=setting_tables(runs, phrases),
        measures=measure_tables(runs, compared, phrases),
        left_out=tuple(_left_out(runs, phrases)),
        moved=tuple(moved_table(runs[0], one, phrases) for one in compared if one.comparison),
        breakdowns=breakdown_tables(runs, phrases),
        rule=phrases("worst.rule"),
        worst=tuple(worst_of(run, worst, phrases) for run in runs),
        questions=question_table(runs, phrases),
        meanings=tuple(_meanings(runs, phrases)),
    )


def _headline(runs: Sequence[Examined], phrases: Phrases) -> Table:
    """The chief figures, a row for each run: the gate's own where nothing was answered."""
    rows = []
    for run in runs:
        measures = [_of_kind(name, run) for name in _HEADLINE]
        rows.append(
            (
                Cell(run.label),
                Cell(phrases.number(len(run.results))),
                *(
                    figure_cell(run, name, phrases) if name else Cell(phrases("not_applicable"))
                    for name in measures
                ),
            )
        )
    return Table(
        caption=phrases("headline.title"),
        columns=(
            Column(phrases("run"), "label"),
            Column(phrases("questions")),
            *(Column(measure_name(name, phrases)) for name in _HEADLINE),
        ),
        groups=(Group("", tuple(rows)),),
        note="" if all(run.answers for run in runs) else phrases("breakdown.gate"),
    )


def _of_kind(measure: str, run: Examined) -> str | None:
    if run.answers or measure in (*RANKING, "auroc"):
        return measure
    return f"gate_{measure}" if f"gate_{measure}" in GATE else None


def _summary(
    runs: Sequence[Examined], compared: Sequence[Compared], phrases: Phrases
) -> Iterable[str]:
    for run in runs:
        bad = find_bad(run.results)
        errors = sum(one.error is not None for one in run.results)
        yield phrases(
            "summary.run",
            run=run.label,
            questions=phrases.count(len(run.results), "question"),
            errors=phrases.count(errors, "error"),
            bad=phrases.number(len(bad)),
        )
    for one in compared:
        yield from _comparison(runs[0], one, phrases)


def _comparison(first: Examined, compared: Compared, phrases: Phrases) -> Iterable[str]:
    names = {"run": compared.run.label, "first": first.label}
    if compared.comparison is None:
        yield phrases("summary.nothing_common", **names)
        return
    changes = [compared.changes[name] for name in CHIEF_QUALITY if name in compared.changes]
    told = {
        "better": [one for one in changes if one.better],
        "worse": [one for one in changes if one.worse],
    }
    parts = [
        phrases(f"summary.{word}", what=", ".join(_named(one, phrases) for one in found))
        for word, found in told.items()
        if found
    ]
    yield phrases(
        "summary.compared",
        **names,
        common=phrases.count(compared.comparison.common, "question"),
        what="; ".join(parts) or phrases("summary.no_difference"),
    )


def _named(change: Change, phrases: Phrases) -> str:
    """``Recall@10 +0.030 (0.010 to 0.050)``."""
    difference, interval = change_text(change.measure, change, phrases)
    return f"{measure_name(change.measure, phrases)} {difference.lstrip('▲▼ ')} ({interval})"


def _warnings(runs: Sequence[Examined], phrases: Phrases) -> Iterable[str]:
    """What a reader must know before believing a figure."""
    for run in runs:
        if not run.run.finished:
            yield phrases("warning.unfinished", run=run.label, n=phrases.number(len(run.results)))
        if not run.results:
            yield phrases("warning.empty", run=run.label)
        if unknown := run.counts.get("unknown_sources", 0):
            yield phrases("warning.unknown", run=run.label, n=phrases.count(unknown, "place"))
    if len({run.run.questions for run in runs}) > 1:
        yield phrases("warning.questions")
    if len({run.run.index for run in runs}) > 1:
        yield phrases("warning.index")


def _left_out(runs: Sequence[Examined], phrases: Phrases) -> Iterable[str]:
    """What does not apply to these runs, and why."""
    if not any(run.answers for run in runs):
        yield phrases("left_out.answers")


def _meanings(runs: Sequence[Examined], phrases: Phrases) -> Iterable[tuple[str, str]]:
    """What each measure that is shown means, once for all depths."""
    groups = [one for one in GROUPS if one not in OF_ANSWERS or any(run.answers for run in runs)]
    names = [name.partition("@")[0] for group in groups for name in GROUPS[group]]
    for name in dict.fromkeys(names):
        yield phrases(f"name.{name}"), phrases(f"means.{name}")
