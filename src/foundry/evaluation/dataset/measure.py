"""Measure search on a data set: a run for each search mode, under one or several configurations.

The runs are those of ``evaluation.runs`` in the set's cached project, kept there until the next
call, so an interrupted measurement resumes. Queries without a judgement and without a label are
counted but not searched. A query that fails is counted and stops nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
    """The run of one search mode, judged by documents; ``spans`` judges it by the exact spans.

    ``spans`` is None for a set without spans.
    """

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


@dataclass(frozen=True, slots=True)
class _Task:
    """What is measured, whatever the configuration."""

    dataset: Dataset
    queries: Sequence[QuestionRow]
    form: DocumentForm
    modes: Sequence[SearchMode]
    environment: Mapping[str, str]
    progress: Progress
    tell: Callable[[Message], None]


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
    form = DocumentForm(keep_documents, title)
    task = _Task(dataset, queries, form, tuple(dict.fromkeys(modes)), environment, progress, tell)
    first, notices = _measure(task, config)
    compared = []
    for other in against:
        named = replace(task, progress=_name_steps(progress, other.name))
        measured, own = _measure(named, other)
        compared.append(replace(measured, changes=_compare(first, measured)))
        notices += [notice for notice in own if notice not in notices]
    return DatasetReport(
        dataset=dataset.name,
        documents=len(dataset.documents),
        queries=tuple(queries),
        measured=first,
        compared=tuple(compared),
        counts=_count(task, first),
        skipped=dataset.skipped,
        notices=(*dataset.notices, *_name_unsearched(dataset), *notices),
    )


def _measure(task: _Task, config: NamedConfig) -> tuple[Measurement, list[Message | str]]:
    """Measure the set under one configuration; return notices beside the figures."""
    with open_project(task.dataset, task.form, config, task.environment) as workspace:
        filled = fill_project(workspace, task.dataset, task.form, task.progress)
        questions = save_questions(workspace, task.dataset, task.queries, filled.altered)
        runs = {mode: _run(task, workspace, config, mode, questions) for mode in task.modes}
        measured = Measurement(
            config=config,
            runs=runs,
            folder=workspace.root,
            reused=filled.reused,
            threshold=workspace.config.retrieval.min_score,
        )
    return measured, _list_notices(measured, filled)


def _run(
    task: _Task,
    workspace: Workspace,
    config: NamedConfig,
    mode: SearchMode,
    questions: Sequence[EvalQuestion],
) -> ModeRun:
    name = f"{config.name[: LONGEST_NAME - 7]} {mode}"
    request = RunRequest(
        name=name,
        kind="retrieval",
        overrides=tuple(f"{key}={value}" for key, value in config.overrides(mode).items()),
        questions=tuple(questions),
        count_missing=True,
    )
    progress = _name_steps(task.progress, mode)
    run, outcomes = run_questions(workspace, request, progress=progress, tell=task.tell)
    by_key = {outcome.question.key: outcome for outcome in outcomes}
    results = [by_key[question.key] for question in questions]
    for other in workspace.store.evaluation.list_runs():
        if other.name == name and other.id != run.id:
            workspace.store.evaluation.remove_run(other.id)
    return _judge(task.dataset, run, results)


def _judge(dataset: Dataset, run: EvalRun, results: Sequence[EvalResult]) -> ModeRun:
    """Judge a run by documents, and where the set has spans by those."""
    spanned = [
        result for result in results if any(place.spans for place in result.question.expected)
    ]
    if not spanned:
        return ModeRun(run, _figures(results))
    paths = source_paths(dataset)
    documents = [
        judge_by_source(result, expect_documents(dataset, result.question.id, paths))
        for result in results
    ]
    return ModeRun(run, _figures(documents), _figures(spanned))


def _figures(results: Sequence[EvalResult]) -> ModeFigures:
    figures, _ = summarise(results)
    return ModeFigures(figures, intervals_of(results), tuple(results))


def _compare(first: Measurement, other: Measurement) -> dict[SearchMode, dict[str, MeasureChange]]:
    changes: dict[SearchMode, dict[str, MeasureChange]] = {}
    for mode, before in first.runs.items():
        after = other.runs[mode]
        changes[mode] = _compare_figures(before, before.documents, after, after.documents)
        if before.spans and after.spans:
            spans = _compare_figures(before, before.spans, after, after.spans)
            changes[mode] |= {
                name if name.startswith("span_") else f"spans.{name}": change
                for name, change in spans.items()
            }
    return changes


def _compare_figures(
    before: ModeRun, ours: ModeFigures, after: ModeRun, theirs: ModeFigures
) -> dict[str, MeasureChange]:
    comparison = compare_results(before.run, ours.results, after.run, theirs.results)
    return {change.measure: change for change in comparison.measures}


def _count(task: _Task, measured: Measurement) -> dict[str, int]:
    labels = [query.answerable for query in task.queries]
    run = next(iter(measured.runs.values())).run
    return {
        "questions": len(task.dataset.queries),
        "judged": sum(bool(query.places) for query in task.queries),
        "answerable": labels.count(True),
        "unanswerable": labels.count(False),
        "unlabelled": labels.count(None),
        "not_searched": len(task.dataset.queries) - len(task.dataset.measurable),
        "errors": run.counts["errors"],
        **task.dataset.counts,
    }


def _name_unsearched(dataset: Dataset) -> tuple[Message, ...]:
    measurable = {query.id for query in dataset.measurable}
    others = [query.id or "" for query in dataset.queries if query.id not in measurable]
    if not others:
        return ()
    return (Message("eval-set-not-searched", names=first_few(others)),)


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


def _name_steps(progress: Progress, name: str) -> Progress:
    """The progress of one configuration or mode: its steps say which, as their phases are the same."""
    return lambda step: progress(replace(step, item=f"{name} {step.item}".rstrip()))
