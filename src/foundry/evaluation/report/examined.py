"""Runs with their outcomes as a report takes them: labelled, summed up, paired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from foundry.evaluation.intervals import Interval, interval_of_difference
from foundry.evaluation.measures import GATE, MEANS, MEASURES, REFUSAL, is_better
from foundry.evaluation.run_statistics import columns_of, interval_of_change, statistic
from foundry.evaluation.summing import final_verdict, intervals_of, summarise, values_of
from foundry.records import EvalResult, EvalRun


@dataclass(frozen=True, slots=True)
class Examined:
    """A run, the name that the report gives it, and its figures with their 95 % intervals."""

    run: EvalRun
    label: str
    results: tuple[EvalResult, ...]
    figures: Mapping[str, float | None]
    counts: Mapping[str, int]
    intervals: Mapping[str, Interval | None]

    @property
    def answers(self) -> bool:
        """False for search and gate alone."""
        return self.run.kind == "ask"

    def n_of(self, measure: str) -> int | None:
        """On how many questions a measure rests; None for sums and times."""
        if measure in MEANS:
            return len(values_of(self.results, measure))
        if measure == "auroc":
            scored = [one for one in self.results if one.error is None and one.score is not None]
            return sum(one.question.answerable is not None for one in scored)
        if measure in (*REFUSAL, *GATE):
            return _among(self.results, measure)
        return None


@dataclass(frozen=True, slots=True)
class Change:
    """Of a measure from the first run to another, over the questions that both have."""

    difference: float
    interval: Interval | None

    @property
    def clear(self) -> bool:
        """Whether the interval lies on one side of 0."""
        return self.interval is not None and self.interval.excludes_zero


@dataclass(frozen=True, slots=True)
class Compared:
    """A run held against the first one; ``common`` questions are in both without an error."""

    run: Examined
    common: int
    changes: Mapping[str, Change]

    def clear(self, *, better: bool) -> list[str]:
        """The measures that are clearly better, or clearly worse."""
        return [
            name
            for name, change in self.changes.items()
            if change.clear and is_better(name, change.difference) is better
        ]


def examine(runs: Sequence[tuple[EvalRun, Sequence[EvalResult]]]) -> list[Examined]:
    """The runs in the order given; those of one name are told apart by their number."""
    names = Counter(run.name for run, _results in runs)
    return [
        _examined(run, results, alone=bool(run.name) and names[run.name] == 1)
        for run, results in runs
    ]


def _examined(run: EvalRun, results: Sequence[EvalResult], *, alone: bool) -> Examined:
    figures, counts = summarise(results)
    if run.finished:
        # What was recorded at its end stands; what a later measure adds is computed.
        figures, counts = {**figures, **run.figures}, {**counts, **run.counts}
    label = run.name if alone else f"{run.name} (#{run.id})".lstrip()
    return Examined(run, label, tuple(results), figures, counts, intervals_of(results))


def compare(first: Examined, other: Examined) -> Compared:
    """Question by question, those alone that both runs asked with the same words."""
    before = {_identity(one): one for one in first.results if one.error is None}
    after = {_identity(one): one for one in other.results if one.error is None}
    common = [key for key in before if key in after]
    pairs = [before[key] for key in common], [after[key] for key in common]
    found = {name: _change(name, *pairs) for name in MEASURES} if common else {}
    return Compared(other, len(common), {name: one for name, one in found.items() if one})


def _identity(result: EvalResult) -> tuple[str, str]:
    return result.question.key, result.question.text


def _change(name: str, before: Sequence[EvalResult], after: Sequence[EvalResult]) -> Change | None:
    if name in MEANS:
        return _mean_change(name, before, after)
    columns = columns_of(before), columns_of(after)
    first, second = (statistic(name, one) for one in columns)
    if first is None or second is None:
        return None
    return Change(second - first, interval_of_change(name, *columns))


def _mean_change(
    name: str, before: Sequence[EvalResult], after: Sequence[EvalResult]
) -> Change | None:
    pairs = [
        (was, now)
        for one, other in zip(before, after, strict=True)
        if (was := one.figures.get(name)) is not None
        and (now := other.figures.get(name)) is not None
    ]
    if not pairs:
        return None
    first, second = ([pair[at] for pair in pairs] for at in (0, 1))
    return Change(fmean(second) - fmean(first), interval_of_difference(first, second))


def _among(results: Sequence[EvalResult], measure: str) -> int:
    """The questions that a share of refusals is a share of."""
    gate = measure.startswith("gate_")
    fine = [
        (one.question.answerable, one.gate_verdict if gate else one.verdict)
        for one in results
        if one.error is None and one.question.answerable is not None
    ]
    known = [(label, verdict) for label, verdict in fine if verdict is not None]
    if measure.endswith("refusal_precision"):
        return sum(verdict == "no_evidence" for _label, verdict in known)
    wanted = measure.endswith("false_refusal_rate")
    return sum(label is wanted for label, _verdict in known)


def refused(result: EvalResult) -> bool:
    """Whether the question got no answer, in a run over search alone whether the gate closed."""
    return final_verdict(result) == "no_evidence"
