"""Evaluation runs."""

from __future__ import annotations

from foundry.evaluation.comparison import Comparison, compare_runs
from foundry.evaluation.metrics.statistics import intervals_of
from foundry.evaluation.questions import ImportReport, import_feedback
from foundry.evaluation.runs import RunRequest, run_questions
from foundry.evaluation.runs.history import figures_so_far, get_run
from foundry.evaluation.runs.run import require_remote_keys
from foundry.operations.table import Scope, Text, operation
from foundry.wire.evaluation import (
    ComparisonJson,
    EvalImportJson,
    EvalRunJson,
    EvalRunsJson,
)
from foundry.wire.requests import EvaluationRequest


@operation("GET", "/evaluation/runs", EvalRunsJson)
def list_runs(on: Scope) -> EvalRunsJson:
    """The runs that the caller may see, latest first."""
    runs = [EvalRunJson.from_run(run) for run in on.workspace.store.evaluation.list_runs()]
    return EvalRunsJson(runs=runs, questions=[], indexes=[], removed=[], cleared=[])


@operation("GET", "/evaluation/compare", ComparisonJson)
def compare(on: Scope, first: Text, second: Text) -> Comparison:
    """What changed from one run to another: measures, and questions one by one."""
    return compare_runs(on.workspace, get_run(on.workspace, first), get_run(on.workspace, second))


@operation(
    "POST",
    "/evaluation/questions/feedback",
    EvalImportJson,
    owner=True,
    audit="evaluation.feedback",
)
def make_questions(on: Scope) -> ImportReport:
    """Make a question of each answer that somebody judged; the owner's alone."""
    return import_feedback(on.workspace)


@operation("GET", "/evaluation/runs/{run}", EvalRunsJson)
def show_run(on: Scope, run: str) -> EvalRunsJson:
    """A run with its figures and what each question gave."""
    found = get_run(on.workspace, run)
    results = on.workspace.store.evaluation.results(found.id)
    shown = EvalRunJson.from_run(figures_so_far(found, results), intervals_of(results))
    return EvalRunsJson(runs=[shown], questions=results, indexes=[], removed=[], cleared=[])


@operation(
    "POST",
    "/evaluation/runs",
    EvalRunJson,
    owner=True,
    slow=True,
    audit="evaluation.run",
    plain=False,
    stream=("start_run", ""),
)
def start_run(on: Scope, asked: EvaluationRequest) -> EvalRunJson:
    """Ask the stored questions and measure the answers, step by step; the owner's alone.

    A run that is broken off resumes with the same request. Its ``overrides`` name no models or hosts.
    """
    require_remote_keys(asked.overrides)
    request = RunRequest(
        sets=tuple(asked.sets),
        tags=tuple(asked.tags),
        name=asked.name,
        kind="retrieval" if asked.retrieval_only else "ask",
        overrides=tuple(f"{key}={value}" for key, value in asked.overrides.items()),
        limit=asked.limit,
    )
    run, results = run_questions(on.workspace, request, progress=on.progress)
    return EvalRunJson.from_run(run, intervals_of(results))
