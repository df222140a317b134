"""How good the answers are: the last evaluation beside the one before, and what readers said."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from foundry.errors import UsageError
from foundry.evaluation.comparison import Comparison, compare_runs, get_severity
from foundry.evaluation.metrics.measures import CHIEF
from foundry.evaluation.runs.history import get_run
from foundry.operations import evaluation, logs
from foundry.operations.table import Text
from foundry.records import EvalRun
from foundry.web.pages.acts import act
from foundry.web.pages.templates import render_page
from foundry.web.security.callers import Bound, Owned, make_scope
from foundry.workspace import Workspace

router = APIRouter(prefix="/quality")


@router.get("")
def show_runs(
    workspace: Bound,
    run: Annotated[Text, Query()] = "",
    against: Annotated[Text, Query()] = "",
) -> HTMLResponse:
    """A run, by default the last one, beside another, by default the one before with its questions."""
    runs = [one for one in workspace.store.evaluation.list_runs() if one.finished]
    shown = get_run(workspace, run) if run else next(iter(runs), None)
    compared = shown and _compare(workspace, shown, against, runs)
    return render_page(
        "quality",
        workspace=workspace,
        current="/quality",
        runs=runs,
        shown=shown,
        compared=compared,
        changed=sorted(compared.changed, key=get_severity) if compared else [],
        measures=[name for name in CHIEF if shown and shown.figures.get(name) is not None],
        changes={one.measure: one for one in compared.measures} if compared else {},
    )


def _compare(
    workspace: Workspace, shown: EvalRun, against: str, runs: list[EvalRun]
) -> Comparison | None:
    """The run beside the one that is named, else the latest before it that asked a common question."""
    if against:
        return compare_runs(workspace, get_run(workspace, against), shown)
    for other in runs:
        if other.id < shown.id and other.kind == shown.kind:
            try:
                return compare_runs(workspace, other, shown)
            except UsageError:
                continue
    return None


@router.get("/feedback")
def show_feedback(request: Request, workspace: Owned) -> HTMLResponse:
    """What readers said of answers; the owner's alone."""
    said = logs.list_feedback_.perform(make_scope(request, workspace))
    return render_page(
        "feedback", workspace=workspace, current="/quality/feedback", said=said, report=None
    )


@router.post("/feedback")
def make_questions(request: Request, workspace: Owned) -> HTMLResponse:
    """Make questions of the answers that readers judged, and say what came of it."""
    report = act(request, workspace, evaluation.make_questions)
    said = logs.list_feedback_.perform(make_scope(request, workspace))
    return render_page(
        "feedback", workspace=workspace, current="/quality/feedback", said=said, report=report
    )
