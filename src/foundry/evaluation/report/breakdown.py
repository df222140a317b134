"""The chief figures by language, by tag and by set: where a mean hides a weak spot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean

from foundry.evaluation.metrics.measures import MEANS
from foundry.evaluation.metrics.statistics import columns_of, statistic, values_of
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.report.examined import Examined
from foundry.evaluation.report.figures import in_unit, measure_name
from foundry.evaluation.report.sheet import Cell, Column, Group, Table
from foundry.records import EvalQuestion, EvalResult

MOST = 40
"""Groups that are shown; the largest are."""

_RANKING = ("recall@10", "ndcg@10")
_REFUSALS = ("false_refusal_rate", "refusal_recall")
_ANSWERS = ("exact_match", "f1")

_KINDS: Mapping[str, Callable[[EvalQuestion], Iterable[str]]] = {
    "set": lambda question: (question.set,),
    "language": lambda question: (question.language,),
    "tag": lambda question: question.tags,
}


def breakdown_tables(runs: Sequence[Examined], phrases: Phrases) -> tuple[Table, ...]:
    """A table for each kind of group; a single set, or no tag at all, needs none."""
    found = {kind: _groups(runs, names) for kind, names in _KINDS.items()}
    return tuple(
        _table(kind, groups, runs, phrases)
        for kind, groups in found.items()
        if groups and (kind != "set" or len(groups) > 1)
    )


def _groups(
    runs: Sequence[Examined], names: Callable[[EvalQuestion], Iterable[str]]
) -> dict[str, list[list[EvalResult]]]:
    """Name → the outcomes of each run, the largest group first."""
    found: dict[str, list[list[EvalResult]]] = {}
    for at, run in enumerate(runs):
        for result in run.results:
            for name in dict.fromkeys(names(result.question)):
                found.setdefault(name, [[] for _ in runs])[at].append(result)
    by_size = sorted(found.items(), key=lambda one: (-max(map(len, one[1])), one[0]))
    return dict(by_size)


def _table(
    kind: str,
    groups: Mapping[str, Sequence[Sequence[EvalResult]]],
    runs: Sequence[Examined],
    phrases: Phrases,
) -> Table:
    answers, many = any(run.answers for run in runs), len(runs) > 1
    measures = (*_RANKING, *_REFUSALS, *(_ANSWERS if answers else ()))
    rows = [
        (
            Cell(name),
            *([Cell(run.label)] if many else []),
            *_numbers(run, results, measures, phrases),
        )
        for name, parts in list(groups.items())[:MOST]
        for run, results in zip(runs, parts, strict=True)
    ]
    left = len(groups) - MOST
    notes = [] if all(run.answers for run in runs) else [phrases("breakdown.gate")]
    notes += [phrases("breakdown.more", n=phrases.number(left))] if left > 0 else []
    return Table(
        caption=phrases(f"breakdown.{kind}"),
        columns=(
            Column(phrases(f"by.{kind}"), "label"),
            *([Column(phrases("run"), "text")] if many else []),
            Column("n"),
            Column(phrases("fact.errors")),
            *(Column(measure_name(name, phrases)) for name in measures),
        ),
        groups=(Group("", tuple(rows)),),
        note=" ".join(notes),
    )


def _numbers(
    run: Examined, results: Sequence[EvalResult], measures: Sequence[str], phrases: Phrases
) -> list[Cell]:
    errors = sum(one.error is not None for one in results)
    return [
        Cell(phrases.number(len(results))),
        Cell(phrases.number(errors), tone="bad" if errors else ""),
        *(
            Cell(phrases("not_applicable"))
            if name in _ANSWERS and not run.answers
            else Cell(in_unit(name, _figure(run, results, name), phrases))
            for name in measures
        ),
    ]


def _figure(run: Examined, results: Sequence[EvalResult], measure: str) -> float | None:
    if measure in MEANS:
        values = values_of(results, measure)
        return fmean(values) if values else None
    name = measure if run.answers else f"gate_{measure}"
    return statistic(name, columns_of(results))
