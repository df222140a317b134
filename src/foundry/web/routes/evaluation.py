"""Evaluation runs."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import APIRouter, Depends
from fastapi.sse import EventSourceResponse, ServerSentEvent

from foundry.evaluation.metrics.statistics import intervals_of
from foundry.evaluation.runs import RunRequest, run_questions
from foundry.evaluation.runs.history import figures_so_far, get_run
from foundry.evaluation.runs.request import require_remote_keys
from foundry.ports import Progress
from foundry.web.security.callers import Bound, Owned, UsedSite, audit
from foundry.web.streams import stream_document
from foundry.wire.evaluation import EvalRunJson, EvalRunsJson
from foundry.wire.requests import EvaluationRequest
from foundry.workspace import Workspace

router = APIRouter(prefix="/evaluation", tags=["evaluation"])


@router.get("/runs")
def list_runs(workspace: Bound) -> EvalRunsJson:
    """The runs that the caller may see, latest first."""
    runs = [EvalRunJson.from_run(run) for run in workspace.store.evaluation.list_runs()]
    return EvalRunsJson(runs=runs, questions=[], indexes=[], removed=[], cleared=[])


@router.get("/runs/{run}")
def show_run(run: str, workspace: Bound) -> EvalRunsJson:
    """A run with its figures and what each question gave."""
    found = get_run(workspace, run)
    results = workspace.store.evaluation.results(found.id)
    shown = EvalRunJson.from_run(figures_so_far(found, results), intervals_of(results))
    return EvalRunsJson(runs=[shown], questions=results, indexes=[], removed=[], cleared=[])


@router.post(
    "/runs/stream",
    response_class=EventSourceResponse,
    dependencies=[Depends(audit("evaluation.run"))],
)
def start_run(
    body: EvaluationRequest, workspace: Owned, site: UsedSite
) -> Iterable[ServerSentEvent]:
    """Ask the stored questions and measure the answers, step by step; the owner's alone.

    A run that is broken off resumes with the same request. Its ``overrides`` name no models or hosts.
    """
    yield from stream_document(site, lambda progress: _run(workspace, body, progress))


def _run(workspace: Workspace, body: EvaluationRequest, progress: Progress) -> EvalRunJson:
    require_remote_keys(body.overrides)
    request = RunRequest(
        sets=tuple(body.sets),
        tags=tuple(body.tags),
        name=body.name,
        kind="retrieval" if body.retrieval_only else "ask",
        overrides=tuple(f"{key}={value}" for key, value in body.overrides.items()),
        limit=body.limit,
    )
    run, results = run_questions(workspace, request, progress=progress)
    return EvalRunJson.from_run(run, intervals_of(results))
