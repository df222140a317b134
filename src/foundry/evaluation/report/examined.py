"""Runs with their outcomes as a report takes them: labelled, summed up, paired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from foundry.errors import UsageError
from foundry.evaluation.comparison import Change, Comparison, compare_results
from foundry.evaluation.metrics.intervals import Interval
from foundry.evaluation.metrics.measures import GATE, MEANS, REFUSAL
from foundry.evaluation.metrics.statistics import final_verdict, intervals_of, summarise, values_of
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
class Compared:
    """A run held against the first one; ``comparison`` is None where they share no question."""

    run: Examined
    comparison: Comparison | None

    @property
    def changes(self) -> Mapping[str, Change]:
        """By measure, where both runs have it."""
        found = self.comparison.measures if self.comparison else ()
        return {one.measure: one for one in found if one.difference is not None}


def examine(runs: Sequence[tuple[EvalRun, Sequence[EvalResult]]]) -> Iterator[Examined]:
    """The runs in the order given, one at a time; those of one name are told apart by number."""
    names = Counter(run.name for run, _results in runs)
    for run, results in runs:
        yield _examined(run, results, alone=bool(run.name) and names[run.name] == 1)


def _examined(run: EvalRun, results: Sequence[EvalResult], *, alone: bool) -> Examined:
    figures, counts = summarise(results)
    if run.finished:
        # What was recorded at its end stands; what a later measure adds is computed.
        figures, counts = {**figures, **run.figures}, {**counts, **run.counts}
    label = run.name if alone else f"{run.name} (#{run.id})".lstrip()
    return Examined(run, label, tuple(results), figures, counts, intervals_of(results))


def compare(first: Examined, other: Examined) -> Compared:
    """Question by question, those alone that both runs asked alike."""
    try:
        found = compare_results(first.run, first.results, other.run, other.results)
    except UsageError:
        return Compared(other, None)
    return Compared(other, found)


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
