"""Measure search on a data set: a run for each search mode, under one or several configurations.

The runs are those of ``evaluation.runs`` in the set's cached project, kept there until the next
call, so an interrupted measurement resumes. Queries without a judgement and without a label are
counted but not searched. A query that fails is counted and stops nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from foundry.errors import UsageError
from foundry.evaluation.comparison import MeasureChange, compare_results
from foundry.evaluation.dataset.beir import Dataset, read_dataset
from foundry.evaluation.dataset.project import (
    DEFAULT,
    DocumentForm,
    FillReport,
    NamedConfig,
    Titles,
    expect_documents,
    fill_project,
    open_project,
    save_questions,
    source_paths,
)
from foundry.evaluation.metrics.outcomes import judge_by_source
from foundry.evaluation.metrics.statistics import Interval, intervals_of, summarise
from foundry.evaluation.questions.rows import QuestionRow, RefusedLine, first_few
from foundry.evaluation.runs import RunRequest, run_questions
from foundry.evaluation.runs.request import LONGEST_NAME, spread
from foundry.messages import Message
from foundry.ports import Progress
from foundry.records import EvalQuestion, EvalResult, EvalRun, SearchMode
from foundry.workspace import Workspace

MODES: tuple[SearchMode, ...] = ("bm25", "dense", "hybrid")
"""The search modes, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class ModeFigures:
    """The figures of a run with their intervals, by measure, over the outcomes behind them."""

    figures: Mapping[str, float | None]
    intervals: Mapping[str, Interval | None]
    results: tuple[EvalResult, ...]


@dataclass(frozen=True, slots=True)
class ModeRun:
    """The run of one search mode, judged by documents, and by the exact spans where the set has some."""

    run: EvalRun
    documents: ModeFigures
    spans: ModeFigures | None = None


@dataclass(frozen=True, slots=True)
class Measurement:
    """A set under one configuration, with its cached project and how much of it was there before.

    ``changes`` are the differences from the first configuration, by mode and measure; those of
    the ranking of spans have the prefix ``spans.``.
    """

    config: NamedConfig
    runs: Mapping[SearchMode, ModeRun]
    folder: Path
    reused: int
    threshold: float
    changes: Mapping[SearchMode, Mapping[str, MeasureChange]] = field(default_factory=dict)

    @property
    def gate_mode(self) -> SearchMode:
        """The mode whose gate is reported: hybrid, or the last one measured."""
        return "hybrid" if "hybrid" in self.runs else list(self.runs)[-1]

    @property
    def is_labelled(self) -> bool:
        """Whether any question says if it has an answer, so that the gate can be measured."""
        results = self.runs[self.gate_mode].documents.results
        return any(one.question.answerable is not None and not one.error for one in results)


@dataclass(frozen=True, slots=True)
class DatasetReport:
    """What was measured; ``compared`` are the other configurations.

    ``queries`` are those that were searched. ``counts`` cover all queries and everything that was
    left out.
    """

    dataset: str
    documents: int
    queries: tuple[QuestionRow, ...]
    measured: Measurement
    compared: tuple[Measurement, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    skipped: tuple[RefusedLine, ...] = ()
    notices: tuple[Message | str, ...] = ()


def evaluate_dataset(
    directory: Path,
    *,
    keep_documents: bool = False,
    title: Titles = "index",
    modes: Sequence[SearchMode] = MODES,
    limit: int | None = None,
    config: NamedConfig = DEFAULT,
    against: Sequence[NamedConfig] = (),
    environment: Mapping[str, str],
    progress: Progress = lambda _step: None,
    tell: Callable[[Message], None] = lambda _message: None,
) -> DatasetReport:
    """Ingest a set once (cached) and search every query in every mode.

    ``keep_documents`` makes each document one chunk; ``limit`` takes that many queries, evenly
    spread over the file. The configurations in ``against`` are measured too and compared with
    ``config``, query by query. Raises ``UsageError`` where no query can be measured.
    """
    dataset = read_dataset(directory)
    if not dataset.measurable:
        raise UsageError("eval-set-nothing-judged", where=str(directory))
    queries = spread(dataset.measurable, limit)
    form, arms = DocumentForm(keep_documents, title), tuple(dict.fromkeys(modes))
    notices: list[Message | str] = [*dataset.notices]
    unsearched = [
        one.id or "" for one in dataset.queries if not one.places and one.answerable is None
    ]
    if unsearched:
        notices.append(Message("eval-set-not-searched", names=first_few(unsearched)))
    measured: list[Measurement] = []
    for named in (config, *against):
        steps = _name_steps(progress, named.name) if measured else progress
        with open_project(dataset, form, named, environment) as workspace:
            filled = fill_project(workspace, dataset, form, steps)
            questions = save_questions(workspace, dataset, queries, filled.altered)
            ask = partial(_run, workspace, dataset, named, questions=questions, tell=tell)
            runs = {mode: ask(mode, progress=_name_steps(steps, mode)) for mode in arms}
            threshold = workspace.config.retrieval.min_score
            one = Measurement(named, runs, workspace.root, filled.reused, threshold)
        if measured:
            one = replace(one, changes=_compare(measured[0], one))
        notices += [n for n in _list_notices(one, filled) if n not in notices]
        measured.append(one)
    return DatasetReport(
        dataset=dataset.name,
        documents=len(dataset.documents),
        queries=tuple(queries),
        measured=measured[0],
        compared=tuple(measured[1:]),
        counts=_count(dataset, queries, len(unsearched), measured[0]),
        skipped=dataset.skipped,
        notices=tuple(notices),
    )


def _count(
    dataset: Dataset, queries: Sequence[QuestionRow], unsearched: int, measured: Measurement
) -> dict[str, int]:
    labels = [query.answerable for query in queries]
    return {
        "questions": len(dataset.queries),
        "judged": sum(bool(query.places) for query in queries),
        "answerable": labels.count(True),
        "unanswerable": labels.count(False),
        "unlabelled": labels.count(None),
        "not_searched": unsearched,
        "errors": next(iter(measured.runs.values())).run.counts["errors"],
        **dataset.counts,
    }


def _name_steps(progress: Progress, name: str) -> Progress:
    """The progress of one configuration or mode: its steps say which, as their phases are the same."""
    return lambda step: progress(replace(step, item=f"{name} {step.item}".rstrip()))


def _run(
    workspace: Workspace,
    dataset: Dataset,
    config: NamedConfig,
    mode: SearchMode,
    questions: Sequence[EvalQuestion],
    *,
    progress: Progress,
    tell: Callable[[Message], None],
) -> ModeRun:
    """Ask the questions in one mode, and forget its earlier runs."""
    name = f"{config.name[: LONGEST_NAME - 7]} {mode}"
    request = RunRequest(
        name=name,
        kind="retrieval",
        overrides=tuple(f"{key}={value}" for key, value in config.overrides(mode).items()),
        questions=tuple(questions),
        count_missing=True,
    )
    run, outcomes = run_questions(workspace, request, progress=progress, tell=tell)
    for other in workspace.store.evaluation.list_runs():
        if other.name == name and other.id != run.id:
            workspace.store.evaluation.remove_run(other.id)
    by_key = {outcome.question.key: outcome for outcome in outcomes}
    results = [by_key[question.key] for question in questions]
    spanned = [one for one in results if any(place.spans for place in one.question.expected)]
    if not spanned:
        return ModeRun(run, _sum_up(results))
    paths = source_paths(dataset)
    documents = [
        judge_by_source(one, expect_documents(dataset, one.question.id, paths)) for one in results
    ]
    return ModeRun(run, _sum_up(documents), _sum_up(spanned))


def _sum_up(results: Sequence[EvalResult]) -> ModeFigures:
    return ModeFigures(summarise(results)[0], intervals_of(results), tuple(results))


def _compare(first: Measurement, other: Measurement) -> dict[SearchMode, dict[str, MeasureChange]]:
    changes: dict[SearchMode, dict[str, MeasureChange]] = {}
    for mode, before in first.runs.items():
        after = other.runs[mode]
        ends = [(before.documents, after.documents)]
        ends += [(before.spans, after.spans)] if before.spans and after.spans else []
        for own, (ours, theirs) in enumerate(ends):
            found = compare_results(before.run, ours.results, after.run, theirs.results)
            changes.setdefault(mode, {}).update(
                (f"spans.{one.measure}" if own and not one.measure.startswith("span_")
                 else one.measure, one)
                for one in found.measures
            )  # fmt: skip
    return changes


def _list_notices(measured: Measurement, filled: FillReport) -> list[Message | str]:
    first = next(iter(measured.runs.values()))
    failed = [
        f"{result.question.id}: {str(result.error).rstrip('.')}"
        for result in first.documents.results
        if result.error
    ]
    notices = [*measured.config.notices(), *filled.notices, *first.run.notices]
    if failed:
        notices.append(Message("eval-set-failed", names=first_few(failed)))
    return notices
