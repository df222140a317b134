"""Evaluation runs."""

from __future__ import annotations

from foundry.evaluation.metrics.statistics import intervals_of
from foundry.evaluation.runs import RunRequest, run_questions
from foundry.evaluation.runs.history import figures_so_far, get_run
from foundry.evaluation.runs.run import require_remote_keys
from foundry.operations.table import Scope, operation
from foundry.wire.evaluation import EvalRunJson, EvalRunsJson
from foundry.wire.requests import EvaluationRequest


@operation("GET", "/evaluation/runs", EvalRunsJson)
def list_runs(on: Scope) -> EvalRunsJson:
    """The runs that the caller may see, latest first."""
    runs = [EvalRunJson.from_run(run) for run in on.workspace.store.evaluation.list_runs()]
    return EvalRunsJson(runs=runs, questions=[], indexes=[], removed=[], cleared=[])


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
