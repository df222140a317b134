"""How good the answers are: evaluations and their questions, the gate's curve, and what readers said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import Field

from foundry.errors import FoundryError, UsageError
from foundry.evaluation.comparison import Comparison, compare_runs, get_severity
from foundry.evaluation.gate_curve import GateCurve, draw_gate_curve
from foundry.evaluation.metrics.measures import CHIEF, SPENT, TIMES
from foundry.evaluation.questions import count_sets, select_questions, show_question
from foundry.evaluation.runs.history import get_run
from foundry.journeys.extraction.run import describe_most, estimate_most
from foundry.messages import Message
from foundry.operations import evaluation, logs
from foundry.operations.table import Text
from foundry.records import EvalRun
from foundry.web.background import Work
from foundry.web.pages.acts import act, begin, describe, get_status
from foundry.web.pages.templates import render_page
from foundry.web.routes.runs import EVALUATION
from foundry.web.security.callers import Bound, Owned, get_site, make_scope
from foundry.wire.requests import (
    EvaluationRequest,
    QuestionDraftRequest,
    QuestionReviewRequest,
    RequestModel,
)
from foundry.workspace import Workspace

router = APIRouter(prefix="/quality")
DRAFTS = "draft questions"
"""The name of the work that drafts questions."""
SHOWN = 100
"""Drafted questions on a page: more than anybody reviews at one sitting (a guess)."""


class RunForm(RequestModel):
    """What to ask: one set, or all."""

    set: str = Field(default="", max_length=200)
    search: bool = False

    def build_request(self) -> EvaluationRequest:
        """The request that the fields make."""
        sets = [self.set] if self.set else []
        return EvaluationRequest(sets=sets, retrieval_only=self.search)


class ReviewForm(RequestModel):
    """The drafted questions that are ticked, and what is done with them."""

    questions: list[str] = Field(default=[], max_length=SHOWN)
    act: Literal["accept", "reject"]


@dataclass(frozen=True, slots=True)
class Offer:
    """What may be asked: each set with its questions, and the most that all of them can cost."""

    sets: dict[str, int]
    drafts: int
    most: Message | None

    @property
    def total(self) -> int:
        return sum(self.sets.values())


@router.get("")
def show_runs(
    request: Request,
    workspace: Bound,
    run: Annotated[Text, Query()] = "",
    against: Annotated[Text, Query()] = "",
) -> HTMLResponse:
    """A run, by default the last one, beside another, by default the one before with its questions."""
    return _render_runs(request, workspace, run, against)


def _render_runs(
    request: Request,
    workspace: Workspace,
    run: str = "",
    against: str = "",
    error: FoundryError | None = None,
) -> HTMLResponse:
    every = workspace.store.evaluation.list_runs()
    runs = [one for one in every if one.finished]
    shown = get_run(workspace, run) if run else next(iter(runs), None)
    compared = None
    try:
        compared = shown and _compare(workspace, shown, against, runs)
    except UsageError as refused:
        error = error or refused
    owner = workspace.principal.sees_all
    work = get_site(request).background.find(EVALUATION) if owner else None
    return render_page(
        "quality",
        workspace=workspace,
        current="/quality",
        status=get_status(error),
        work=work,
        problem=_describe_problem(work, error, workspace),
        broken_off=None if work and work.running else _find_broken_off(workspace, every),
        offer=_make_offer(workspace) if owner else None,
        runs=runs,
        columns=[name for name in (*TIMES, *SPENT) if any(one.figures.get(name) for one in runs)],
        shown=shown,
        compared=compared,
        against=against,
        changed=sorted(compared.changed, key=get_severity) if compared else [],
        measures=[name for name in CHIEF if shown and shown.figures.get(name) is not None],
        changes={one.measure: one for one in compared.measures} if compared else {},
        curve=_draw(workspace, shown),
    )


def _describe_problem(
    work: Work | None, error: FoundryError | None, workspace: Workspace
) -> object | None:
    found = error or (work.error if work and not work.running else None)
    return found and describe(found, workspace)


def _find_broken_off(workspace: Workspace, runs: list[EvalRun]) -> tuple[EvalRun, int] | None:
    """The latest run, if it was broken off, and how many of its questions have an outcome."""
    latest = next(iter(runs), None)
    if latest is None or latest.finished:
        return None
    results = workspace.store.evaluation.results(latest.id)
    return latest, sum(one.error is None for one in results)


def _make_offer(workspace: Workspace) -> Offer:
    sets = count_sets(select_questions(workspace, reviewed_only=False))
    ready = {name: one["questions"] - one["unreviewed"] for name, one in sets.items()}
    most = describe_most(estimate_most(workspace, sum(ready.values())))
    drafts = sum(one["unreviewed"] for one in sets.values())
    return Offer({name: n for name, n in ready.items() if n}, drafts, most)


def _draw(workspace: Workspace, run: EvalRun | None) -> GateCurve | None:
    return draw_gate_curve(run, workspace.store.evaluation.results(run.id)) if run else None


def _compare(
    workspace: Workspace, shown: EvalRun, against: str, runs: list[EvalRun]
) -> Comparison | None:
    """The run beside the one that is named, else the latest before it that asked a common question.

    Raises ``UsageError`` where the one that is named asked none.
    """
    if against:
        return compare_runs(workspace, get_run(workspace, against), shown)
    for other in runs:
        if other.id < shown.id and other.kind == shown.kind:
            try:
                return compare_runs(workspace, other, shown)
            except UsageError:
                continue
    return None


@router.post("/run")
def run(request: Request, workspace: Owned, form: Annotated[RunForm, Form()]) -> Response:
    """Begin an evaluation, which goes on when the browser is closed."""
    try:
        begin(request, workspace, EVALUATION, evaluation.start_run, asked=form.build_request())
    except FoundryError as error:
        return _render_runs(request, workspace, error=error)
    return RedirectResponse("/quality", status_code=303)


@router.post("/continue")
def resume(request: Request, workspace: Owned) -> Response:
    """Go on with the run that was broken off."""
    found = _find_broken_off(workspace, workspace.store.evaluation.list_runs())
    if found:
        left, _ = found
        asked = EvaluationRequest(
            name=left.name,
            sets=list(left.sets),
            retrieval_only=left.kind == "retrieval",
            overrides=dict(left.overrides),
            limit=left.counts.get("questions"),
        )
        try:
            begin(request, workspace, EVALUATION, evaluation.start_run, asked=asked)
        except FoundryError as error:
            return _render_runs(request, workspace, error=error)
    return RedirectResponse("/quality", status_code=303)


@router.post("/stop")
def stop(request: Request, workspace: Owned) -> RedirectResponse:  # noqa: ARG001 - the owner's alone
    """Stop the evaluation after the question that is asked."""
    get_site(request).background.stop(EVALUATION)
    return RedirectResponse("/quality", status_code=303)


@router.get("/questions")
def show_questions(request: Request, workspace: Owned) -> HTMLResponse:
    """The sets, and the drafts to review; the owner's alone."""
    return _render_questions(request, workspace)


def _render_questions(
    request: Request, workspace: Workspace, error: FoundryError | None = None
) -> HTMLResponse:
    stored = select_questions(workspace, reviewed_only=False)
    drafts = [one for one in stored if not one.reviewed]
    work = get_site(request).background.find(DRAFTS)
    return render_page(
        "questions",
        workspace=workspace,
        current="/quality/questions",
        status=get_status(error),
        work=work,
        problem=_describe_problem(work, error, workspace),
        sets=count_sets(stored),
        drafts=[show_question(workspace, one.key) for one in drafts[:SHOWN]],
        hidden=max(0, len(drafts) - SHOWN),
        sources=len(workspace.store.outline_sources()),
        writes=workspace.generator is not None,
    )


@router.post("/questions/draft")
def draft(request: Request, workspace: Owned) -> Response:
    """Draft questions from the sources, for a person to accept."""
    asked = QuestionDraftRequest()
    try:
        begin(request, workspace, DRAFTS, evaluation.propose_questions, asked=asked)
    except FoundryError as error:
        return _render_questions(request, workspace, error)
    return RedirectResponse("/quality/questions", status_code=303)


@router.post("/questions/review")
def review(request: Request, workspace: Owned, form: Annotated[ReviewForm, Form()]) -> Response:
    """Accept the ticked questions, or remove them."""
    if form.questions:
        asked = QuestionReviewRequest(questions=form.questions, reject=form.act == "reject")
        try:
            act(request, workspace, evaluation.review_questions, asked=asked)
        except UsageError as error:
            return _render_questions(request, workspace, error)
    return RedirectResponse("/quality/questions", status_code=303)


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
