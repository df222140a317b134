"""Two runs side by side: what differs between them, by how much each measure moved, which questions.

Only questions that both runs asked with the same text, label and expectations are compared. Each
interval is a paired bootstrap over those questions; a change is clear where it excludes 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, Literal

from foundry.errors import UsageError
from foundry.evaluation.measuring.intervals import Interval, interval_of_difference
from foundry.evaluation.measuring.measures import MEANS, MEASURES, QUALITY, is_better
from foundry.evaluation.measuring.statistics import columns_of, interval_of_change, statistic
from foundry.evaluation.measuring.summing import final_verdict
from foundry.records import EvalQuestion, EvalResult, EvalRun
from foundry.workspace import Workspace

FOUND_IN = "recall@10"
"""Its change says that the right place was found or lost."""

_WATCHED = (FOUND_IN, "exact_match", "f1")
_SLACK = 1e-9

Direction = Literal["better", "worse", "changed"]


@dataclass(frozen=True, slots=True)
class Setting:
    """Something that differs between two runs: a key, a version, the index; None where it is not."""

    name: str
    first: str | None
    second: str | None


@dataclass(frozen=True, slots=True)
class Change:
    """How a measure moved over the ``n`` questions where both runs have it.

    ``first`` and ``second`` are over those questions alone, so that they differ by
    ``difference``; None is undefined. ``lost`` says that the first run has it and the second not.
    """

    measure: str
    first: float | None
    second: float | None
    n: int
    interval: Interval | None = None
    lost: bool = False

    @property
    def difference(self) -> float | None:
        """``second - first``."""
        known = self.first is not None and self.second is not None
        return self.second - self.first if known else None  # type: ignore[operator]

    @property
    def clear(self) -> bool:
        """Whether the interval excludes 0."""
        return self.interval is not None and self.interval.excludes_zero

    @property
    def worse(self) -> bool:
        """Clearly worse, or gone."""
        moved = self.difference
        return self.lost or bool(self.clear and moved and not is_better(self.measure, moved))

    @property
    def better(self) -> bool:
        """Clearly better."""
        moved = self.difference
        return bool(self.clear and moved and is_better(self.measure, moved))


@dataclass(frozen=True, slots=True)
class Moved:
    """A question whose outcome changed: in its verdict, a figure or an error; both values."""

    question: EvalQuestion
    what: str
    first: str | float | None
    second: str | float | None
    direction: Direction


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Questions that are not compared, by key: in one run alone, or not the same in both."""

    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()
    text_changed: tuple[str, ...] = ()
    label_changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs over their ``common`` questions."""

    first: EvalRun
    second: EvalRun
    common: int
    differs: tuple[Setting, ...]
    measures: tuple[Change, ...]
    moved: tuple[Moved, ...]
    left_out: LeftOut
    notices: tuple[str, ...] = ()

    def worse(self) -> tuple[Change, ...]:
        """The measures that got clearly worse; times and costs, which depend on the day, left out."""
        return tuple(
            one for one in self.measures if one.worse and one.measure in (*QUALITY, "errors")
        )


def compare_runs(workspace: Workspace, first: EvalRun, second: EvalRun) -> Comparison:
    """Compare two runs question by question. Raises ``UsageError`` where they share none."""
    results = workspace.store.evaluation.results
    return compare_results(first, results(first.id), second, results(second.id))


def require_common(
    run: EvalRun, results: Sequence[EvalResult], questions: Sequence[EvalQuestion]
) -> None:
    """Raise ``UsageError`` where none of these questions was asked alike in a run."""
    asked = {_asked_alike(result.question) for result in results}
    if not any(_asked_alike(question) in asked for question in questions):
        ours = ", ".join(dict.fromkeys(question.set for question in questions)) or "none"
        raise UsageError(
            f"Run {run.id} has no question in common with these, asked in the same words and "
            "with the same expectations.",
            where=f"{run.name} ({', '.join(run.sets)}) and questions of {ours}",
            fix="Compare runs over the same questions: `foundry eval runs` lists them all.",
        )


def compare_results(
    first: EvalRun,
    before: Sequence[EvalResult],
    second: EvalRun,
    after: Sequence[EvalResult],
) -> Comparison:
    """The same for outcomes that are at hand."""
    require_common(first, before, [result.question for result in after])
    pairs, left_out = _paired(before, after)
    ours, theirs = [one for one, _ in pairs], [other for _, other in pairs]
    return Comparison(
        first=first,
        second=second,
        common=len(pairs),
        differs=tuple(_settings(first, second)),
        measures=tuple(_changes(ours, theirs)),
        moved=tuple(move for one, other in pairs for move in _moves(one, other)),
        left_out=left_out,
        notices=tuple(_notices(first, second)),
    )


def _paired(
    before: Sequence[EvalResult], after: Sequence[EvalResult]
) -> tuple[list[tuple[EvalResult, EvalResult]], LeftOut]:
    ours = {one.question.key: one for one in before}
    theirs = {one.question.key: one for one in after}
    both = [key for key in ours if key in theirs]
    asked = {key: (ours[key].question, theirs[key].question) for key in both}
    texts = [key for key, (one, other) in asked.items() if one.text != other.text]
    labels = [
        key
        for key, (one, other) in asked.items()
        if key not in texts and _labels(one) != _labels(other)
    ]
    pairs = [(ours[key], theirs[key]) for key in both if key not in {*texts, *labels}]
    return pairs, LeftOut(
        tuple(key for key in ours if key not in theirs),
        tuple(key for key in theirs if key not in ours),
        tuple(texts),
        tuple(labels),
    )


def _asked_alike(question: EvalQuestion) -> tuple[object, ...]:
    return (question.key, question.text, *_labels(question))


def _labels(question: EvalQuestion) -> tuple[object, ...]:
    return (question.answerable, question.expected, question.answers)


def _settings(first: EvalRun, second: EvalRun) -> list[Setting]:
    found = _differing("", first.config, second.config)
    found += _differing("version ", first.versions, second.versions)
    facts = [
        ("kind of run", first.kind, second.kind),
        ("index", first.index, second.index),
        ("questions at a time", first.counts.get("jobs"), second.counts.get("jobs")),
    ]
    return found + [Setting(name, str(a), str(b)) for name, a, b in facts if a != b]


def _differing(prefix: str, first: Mapping[str, Any], second: Mapping[str, Any]) -> list[Setting]:
    return [
        Setting(f"{prefix}{name}", _shown(first, name), _shown(second, name))
        for name in sorted({*first, *second})
        if first.get(name) != second.get(name)
    ]


def _shown(values: Mapping[str, Any], name: str) -> str | None:
    return str(values[name]) if name in values else None


def _changes(before: Sequence[EvalResult], after: Sequence[EvalResult]) -> list[Change]:
    means = {name: _change_of_mean(name, before, after) for name in MEANS}
    # A question that failed in one run has no time or cost there: it is left out of both.
    fine = [
        at
        for at, pair in enumerate(zip(before, after, strict=True))
        if not any(one.error for one in pair)
    ]
    ours, theirs = [before[at] for at in fine], [after[at] for at in fine]
    columns = columns_of(ours), columns_of(theirs)
    statistics = [name for name in MEASURES if name not in MEANS]
    wholes = {name: _change_of_statistic(name, *columns) for name in statistics}
    errors = _change_of_statistic("errors", columns_of(before), columns_of(after))
    return [*((means | wholes)[name] for name in MEASURES), errors]


def _change_of_mean(name: str, before: Sequence[EvalResult], after: Sequence[EvalResult]) -> Change:
    figures = [
        (one.figures.get(name), other.figures.get(name))
        for one, other in zip(before, after, strict=True)
    ]
    pairs = [(a, b) for a, b in figures if a is not None and b is not None]
    if not pairs:
        ours, theirs = ([pair[at] for pair in figures if pair[at] is not None] for at in (0, 1))
        return Change(name, _mean(ours), _mean(theirs), 0, lost=bool(ours) and not theirs)
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    interval = interval_of_difference(first, second)
    return Change(name, fmean(first), fmean(second), len(pairs), interval)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _change_of_statistic(name: str, before: Any, after: Any) -> Change:
    first, second = statistic(name, before), statistic(name, after)
    change = Change(name, first, second, len(before["errors"]))
    if first is None or second is None:
        return replace(change, lost=first is not None)
    return replace(change, interval=interval_of_change(name, before, after))


def _moves(before: EvalResult, after: EvalResult) -> list[Moved]:
    question = before.question
    if before.error or after.error:
        if before.error == after.error:
            return []
        direction: Direction = (
            "changed" if before.error and after.error else "worse" if after.error else "better"
        )
        return [Moved(question, "error", before.error, after.error, direction)]
    moves = []
    old, new = final_verdict(before), final_verdict(after)
    if old != new:
        moves.append(Moved(question, "verdict", old, new, _of_verdicts(question, old, new)))
    for name in _WATCHED:
        a, b = before.figures.get(name), after.figures.get(name)
        if a is not None and b is not None and abs(a - b) > _SLACK:
            moves.append(Moved(question, name, a, b, "better" if b > a else "worse"))
    return moves


def _of_verdicts(question: EvalQuestion, old: str | None, new: str | None) -> Direction:
    """A refusal is right where the sources hold no answer, and wrong where they do."""
    refused = (old == "no_evidence", new == "no_evidence")
    if question.answerable is None or refused[0] == refused[1]:
        return "changed"
    return "better" if refused[1] is not question.answerable else "worse"


def _notices(first: EvalRun, second: EvalRun) -> list[str]:
    notices = [
        f"Run {run.id} is not finished: only the questions that it has are compared."
        for run in (first, second)
        if run.finished is None
    ]
    if first.kind != second.kind:
        notices.append(
            "One run asked for answers and one only searched: verdicts are those of the answer "
            "in one and of the gate in the other."
        )
    if first.id == second.id:
        notices.append("Both are the same run.")
    return notices
