"""An evaluation that the server runs by itself: begun, watched and stopped."""

from __future__ import annotations

from fastapi import APIRouter, Request

from foundry.operations import evaluation
from foundry.web.background import Work
from foundry.web.pages.acts import begin
from foundry.web.security.callers import Owned, UsedSite
from foundry.wire.base import ErrorJson
from foundry.wire.requests import EvaluationRequest, StepJson
from foundry.wire.server import WorkStateJson
from foundry.workspace import Workspace

router = APIRouter(tags=["evaluation"])
EVALUATION = "evaluation"
"""The name of the work: a server runs one evaluation at a time."""


@router.post("/evaluation/runs", status_code=202)
def begin_run(request: Request, workspace: Owned, body: EvaluationRequest) -> WorkStateJson:
    """Begin a run that goes on when the client leaves; 409 if one runs. The owner's alone."""
    work = begin(request, workspace, EVALUATION, evaluation.start_run, asked=body)
    return _describe(work, workspace)


@router.get("/evaluation/work")
def show_work(workspace: Owned, site: UsedSite) -> WorkStateJson:
    """How far the run is, or how the last one ended; the owner's alone."""
    return _describe(site.background.find(EVALUATION), workspace)


@router.post("/evaluation/work/stop")
def stop_run(workspace: Owned, site: UsedSite) -> WorkStateJson:
    """Stop after the question that is asked; the same request goes on from there. The owner's alone."""
    site.background.stop(EVALUATION)
    return _describe(site.background.find(EVALUATION), workspace)


def _describe(work: Work | None, workspace: Workspace) -> WorkStateJson:
    step = work.step if work else None
    error = work.error if work else None
    return WorkStateJson(
        running=work is not None and work.running,
        step=step and StepJson.from_record(step),
        error=error and ErrorJson.build_for_request(error, workspace.root).error,
    )
