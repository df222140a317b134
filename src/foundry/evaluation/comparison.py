"""Compare two runs: what differs between them, how each measure changed, and which questions.

Only questions that both runs asked with the same text, label and expectations count. Each interval
is a paired bootstrap over those questions; a change is clear where its interval excludes 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from foundry.doc import HIDDEN, Doc
from foundry.errors import UsageError
from foundry.evaluation.metrics.measures import MEANS, MEASURES, QUALITY, is_better
from foundry.evaluation.metrics.statistics import (
    Interval,
    compute,
    compute_intervals,
    final_verdict,
    statistics_of,
    summarise,
    values_of,
)
from foundry.messages import Message
from foundry.records import EvalQuestion, EvalResult, EvalRun
from foundry.workspace import Workspace

FOUND_IN = "recall@10"
"""A change of this measure means that an expected place was found or lost."""

_WATCHED = (FOUND_IN, "exact_match", "f1", "shown_gold")
_SLACK = 1e-9
"""Below it two figures differ by rounding alone."""

Direction = Literal["better", "worse", "changed"]


@dataclass(frozen=True, slots=True)
class RunDifference:
    """A key, version or hash that differs between two runs; None where a run lacks it."""

    name: Message | str
    first: str | None
    second: str | None


@dataclass(frozen=True, slots=True)
class MeasureChange:
    """How a measure changed over the ``n`` questions where both runs have it.

    ``first`` and ``second`` cover those questions alone, so they differ by ``difference``; None is
    undefined. ``lost`` is True where only the first run has the measure.
    """

    measure: str
    first: Annotated[float | None, Doc("over the questions where both runs have it", digits=6)]
    second: Annotated[float | None, Doc(digits=6)]
    n: Annotated[int, Doc("questions behind it")]
    interval: Interval | None = None
    lost: Annotated[bool, HIDDEN] = False

    @property
    def difference(self) -> Annotated[float | None, Doc("second - first", digits=6)]:
        """``second - first``."""
        known = self.first is not None and self.second is not None
        return self.second - self.first if known else None  # type: ignore[operator]

    @property
    def clear(self) -> Annotated[bool, Doc("the interval excludes 0")]:
        """Whether the interval excludes 0."""
        return self.interval is not None and self.interval.excludes_zero

    @property
    def worse(self) -> Annotated[bool, Doc("clearly, or undefined now and defined before")]:
        """Clearly worse, or lost."""
        moved = self.difference
        return self.lost or bool(self.clear and moved and not is_better(self.measure, moved))

    @property
    def better(self) -> Annotated[bool, Doc("clearly")]:
        """Clearly better."""
        moved = self.difference
        return bool(self.clear and moved and is_better(self.measure, moved))


@dataclass(frozen=True, slots=True)
class ChangedQuestion:
    """A question whose verdict, figure or error changed, with both values."""

    question: EvalQuestion
    what: str
    first: str | float | None
    second: str | float | None
    direction: Direction


def get_severity(changed: ChangedQuestion) -> tuple[int, int, str]:
    """To sort by: what got worse first; within it errors, verdicts, lost places, and the rest."""
    serious = ("error", "verdict", FOUND_IN)
    place = serious.index(changed.what) if changed.what in serious else len(serious)
    return ("worse", "better", "changed").index(changed.direction), place, changed.question.key


@dataclass(frozen=True, slots=True)
class UncomparedQuestions:
    """Keys of questions that are not compared: in one run alone, or different in the two."""

    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()
    text_changed: tuple[str, ...] = ()
    label_changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs over their ``common`` questions."""

    first: EvalRun
    second: EvalRun
    common: Annotated[int, Doc("questions compared")]
    differs: tuple[RunDifference, ...]
    measures: tuple[MeasureChange, ...]
    changed: tuple[ChangedQuestion, ...]
    left_out: UncomparedQuestions
    notices: Annotated[tuple[Message, ...], Doc("what was skipped or is incomplete")] = ()

    def worse(self) -> tuple[MeasureChange, ...]:
        """The measures that got clearly worse, without times and costs, which depend on the day."""
        return tuple(
            change
            for change in self.measures
            if change.worse and change.measure in (*QUALITY, "errors")
        )


def compare_runs(workspace: Workspace, first: EvalRun, second: EvalRun) -> Comparison:
    """Compare two runs question by question. Raises ``UsageError`` where they share none."""
    results = workspace.store.evaluation.results
    return compare_results(first, results(first.id), second, results(second.id))


def require_common(
    run: EvalRun, results: Sequence[EvalResult], questions: Sequence[EvalQuestion]
) -> None:
    """Raise ``UsageError`` where the run asked none of these questions in the same way."""
    asked = {_identify_question(result.question) for result in results}
    if not any(_identify_question(question) in asked for question in questions):
        ours = ", ".join(dict.fromkeys(question.set for question in questions)) or "–"
        raise UsageError(
            "eval-nothing-in-common",
            where=f"{run.name} ({', '.join(run.sets)}), {ours}",
            run=str(run.id),
        )


def compare_results(
    first: EvalRun, before: Sequence[EvalResult], second: EvalRun, after: Sequence[EvalResult]
) -> Comparison:
    """Compare two runs by their outcomes, which the caller has read."""
    require_common(first, before, [result.question for result in after])
    pairs, left_out = _pair(before, after)
    ours, theirs = [one for one, _ in pairs], [other for _, other in pairs]
    return Comparison(
        first=first,
        second=second,
        common=len(pairs),
        differs=tuple(_find_differences(first, second)),
        measures=tuple(_compare_measures(ours, theirs)),
        changed=tuple(change for one, other in pairs for change in _find_changes(one, other)),
        left_out=left_out,
        notices=tuple(_notices(first, second)),
    )


def _pair(
    before: Sequence[EvalResult], after: Sequence[EvalResult]
) -> tuple[list[tuple[EvalResult, EvalResult]], UncomparedQuestions]:
    ours = {result.question.key: result for result in before}
    theirs = {result.question.key: result for result in after}
    both = [key for key in ours if key in theirs]
    asked = {key: (ours[key].question, theirs[key].question) for key in both}
    texts = [key for key, (one, other) in asked.items() if one.text != other.text]
    labels = [
        key
        for key, (one, other) in asked.items()
        if key not in texts and _labels_of(one) != _labels_of(other)
    ]
    pairs = [(ours[key], theirs[key]) for key in both if key not in {*texts, *labels}]
    return pairs, UncomparedQuestions(
        tuple(key for key in ours if key not in theirs),
        tuple(key for key in theirs if key not in ours),
        tuple(texts),
        tuple(labels),
    )


def _identify_question(question: EvalQuestion) -> tuple[object, ...]:
    return (question.key, question.text, *_labels_of(question))


def _labels_of(question: EvalQuestion) -> tuple[object, ...]:
    return (question.answerable, question.expected, question.answers)


def _find_differences(first: EvalRun, second: EvalRun) -> list[RunDifference]:
    differences = _compare_values(first.config, second.config)
    differences += [
        replace(one, name=Message("eval-differs-version", name=one.name))
        for one in _compare_values(first.versions, second.versions)
    ]
    facts = [
        (Message("eval-differs-kind"), first.kind, second.kind),
        (Message("eval-differs-index"), first.index, second.index),
        (Message("eval-differs-jobs"), first.counts.get("jobs"), second.counts.get("jobs")),
    ]
    return differences + [RunDifference(name, str(a), str(b)) for name, a, b in facts if a != b]


def _compare_values(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[RunDifference]:
    return [
        RunDifference(name, _format_value(first, name), _format_value(second, name))
        for name in sorted({*first, *second})
        if first.get(name) != second.get(name)
    ]


def _format_value(values: Mapping[str, Any], name: str) -> str | None:
    return str(values[name]) if name in values else None


def _compare_measures(
    before: Sequence[EvalResult], after: Sequence[EvalResult]
) -> list[MeasureChange]:
    # A question that failed in one run has no time or cost there; leave it out of both.
    pairs = [
        (_keep_shared(one, other), _keep_shared(other, one))
        for one, other in zip(before, after, strict=True)
        if not (one.error or other.error)
    ]
    ours, theirs = [one for one, _ in pairs], [other for _, other in pairs]
    whole = summarise(before)[0], summarise(after)[0]
    ends = statistics_of(ours), statistics_of(theirs)
    intervals = compute_intervals(ends[1], len(pairs), minus=ends[0])
    changes = []
    for name in MEASURES:
        first, second = (compute(end[name], len(pairs)) for end in ends)
        n = len(values_of(ours, name)) if name in MEANS else len(pairs)
        if first is None or second is None:
            lost = whole[0][name] is not None and whole[1][name] is None
            changes.append(MeasureChange(name, whole[0][name], whole[1][name], n, lost=lost))
        else:
            changes.append(MeasureChange(name, first, second, n, intervals[name]))
    return [*changes, _compare_errors(before, after)]


def _compare_errors(before: Sequence[EvalResult], after: Sequence[EvalResult]) -> MeasureChange:
    ends = [{"errors": statistics_of(results)["errors"]} for results in (before, after)]
    first, second = (compute(end["errors"], len(before)) for end in ends)
    interval = compute_intervals(ends[1], len(before), minus=ends[0])["errors"]
    return MeasureChange("errors", first, second, len(before), interval)


def _keep_shared(one: EvalResult, other: EvalResult) -> EvalResult:
    """The outcome with only those figures that the other has too."""
    shared = {
        name: value for name, value in one.figures.items() if other.figures.get(name) is not None
    }
    return replace(one, figures=shared)


def _find_changes(before: EvalResult, after: EvalResult) -> list[ChangedQuestion]:
    question = before.question
    if before.error or after.error:
        if before.error == after.error:
            return []
        direction: Direction = (
            "changed" if before.error and after.error else "worse" if after.error else "better"
        )
        return [ChangedQuestion(question, "error", before.error, after.error, direction)]
    changes = []
    old, new = final_verdict(before), final_verdict(after)
    if old != new:
        changes.append(
            ChangedQuestion(question, "verdict", old, new, _judge_verdicts(question, old, new))
        )
    for name in _WATCHED:
        a, b = before.figures.get(name), after.figures.get(name)
        if a is not None and b is not None and abs(a - b) > _SLACK:
            changes.append(ChangedQuestion(question, name, a, b, "better" if b > a else "worse"))
    return changes


def _judge_verdicts(question: EvalQuestion, old: str | None, new: str | None) -> Direction:
    """A refusal is right where the sources have no answer, and wrong where they have one."""
    refused = (old == "no_evidence", new == "no_evidence")
    if question.answerable is None or refused[0] == refused[1]:
        return "changed"
    return "better" if refused[1] is not question.answerable else "worse"


def _notices(first: EvalRun, second: EvalRun) -> list[Message]:
    notices = [
        Message("eval-run-unfinished", run=str(run.id))
        for run in (first, second)
        if run.finished is None
    ]
    if first.kind != second.kind:
        notices.append(Message("eval-kinds-differ"))
    if first.id == second.id:
        notices.append(Message("eval-same-run"))
    return notices
