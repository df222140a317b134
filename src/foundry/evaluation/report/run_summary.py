"""Runs as a report shows them: labelled, summed up, and compared with the first one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from foundry.errors import UsageError
from foundry.evaluation.comparison import Comparison, MeasureChange, compare_results
from foundry.evaluation.metrics.intervals import Interval
from foundry.evaluation.metrics.measures import GATE, MEANS, REFUSAL
from foundry.evaluation.metrics.statistics import intervals_of, summarise, values_of
from foundry.records import EvalResult, EvalRun


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run, its label in the report, and its figures with their 95 % intervals."""

    run: EvalRun
    label: str
    results: tuple[EvalResult, ...]
    figures: Mapping[str, float | None]
    counts: Mapping[str, int]
    intervals: Mapping[str, Interval | None]

    @property
    def answers(self) -> bool:
        """False for a run over search alone."""
        return self.run.kind == "ask"

    def count_questions(self, measure: str) -> int | None:
        """The number of questions behind a measure; None for sums and times."""
        if measure in MEANS:
            return len(values_of(self.results, measure))
        if measure == "auroc":
            scored = [one for one in self.results if one.error is None and one.score is not None]
            return sum(one.question.answerable is not None for one in scored)
        if measure in (*REFUSAL, *GATE):
            return _count_in_share(self.results, measure)
        return None


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """A run compared with the first one; ``comparison`` is None where they share no question."""

    run: RunSummary
    comparison: Comparison | None

    @property
    def changes(self) -> Mapping[str, MeasureChange]:
        """The changes by measure, where both runs have it."""
        changes = self.comparison.measures if self.comparison else ()
        return {one.measure: one for one in changes if one.difference is not None}


def summarise_runs(
    runs: Sequence[tuple[EvalRun, Sequence[EvalResult]]],
) -> Iterator[RunSummary]:
    """Yield the runs in their order; those with the same name get their number as well."""
    names = Counter(run.name for run, _results in runs)
    for run, results in runs:
        figures, counts = summarise(results)
        if run.finished:
            # Figures recorded at the end of the run win; measures added since are computed.
            figures, counts = {**figures, **run.figures}, {**counts, **run.counts}
        unique = bool(run.name) and names[run.name] == 1
        label = run.name if unique else f"{run.name} (#{run.id})".lstrip()
        yield RunSummary(run, label, tuple(results), figures, counts, intervals_of(results))


def compare_run(first: RunSummary, other: RunSummary) -> ComparedRun:
    """Compare two runs over the questions that both asked alike."""
    try:
        comparison = compare_results(first.run, first.results, other.run, other.results)
    except UsageError:
        return ComparedRun(other, None)
    return ComparedRun(other, comparison)


def _count_in_share(results: Sequence[EvalResult], measure: str) -> int:
    """The questions that a share of refusals is a share of."""
    gate = measure.startswith("gate_")
    verdicts = [
        (one.question.answerable, one.gate_verdict if gate else one.verdict)
        for one in results
        if one.error is None and one.question.answerable is not None
    ]
    known = [(label, verdict) for label, verdict in verdicts if verdict is not None]
    if measure.endswith("refusal_precision"):
        return sum(verdict == "no_evidence" for _label, verdict in known)
    wanted = measure.endswith("false_refusal_rate")
    return sum(label is wanted for label, _verdict in known)
