"""Documents: what there is to write, what was written, what goes to the client; planning and writing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import Field

from foundry.errors import FoundryError, UsageError
from foundry.journeys.drafts import list_drafts
from foundry.journeys.generate import DraftPlan, PlannedSection
from foundry.messages import Message
from foundry.operations import documents
from foundry.operations.table import Text, audit
from foundry.render.files import make_file_name
from foundry.web.pages.acts import act, describe, get_status
from foundry.web.pages.citations import PassageView, group_conflicts
from foundry.web.pages.search import view_evidence
from foundry.web.pages.templates import render_page
from foundry.web.routes import files
from foundry.web.security.callers import Bound, Owned, UsedSite, make_scope
from foundry.wire.requests import BuildRequest, DraftRequest, RequestModel, SpecificationRequest
from foundry.workspace import Workspace

router = APIRouter(prefix="/documents")
FORMATS = ("docx", "pdf", "html", "md")
"""Formats of the client's document, the usual one first."""
EVIDENCE = 5
"""Passages of a section that a plan shows: the nearest ones."""


class NewForm(RequestModel):
    """A new specification: its title, and who answers for it."""

    title: str = Field(default="", max_length=1000)
    owner: str = Field(default="", max_length=200)


class WriteForm(RequestModel):
    """What to write; empty fields are left out."""

    topic: str = Field(default="", max_length=2000)
    feature: str = Field(default="", max_length=200)
    agent: str = Field(default="", max_length=200)
    fresh: bool = False
    overwrite: bool = False

    def build_request(self) -> DraftRequest:
        """The request that the fields make."""
        return DraftRequest(
            topic=self.topic,
            feature=self.feature or None,
            agent=self.agent or None,
            fresh=self.fresh,
            overwrite=self.overwrite,
        )


@dataclass(frozen=True, slots=True)
class PlannedView:
    """A section before it is written, with the passages that it would rest on."""

    planned: PlannedSection
    passages: tuple[PassageView, ...]
    reasons: tuple[Message, ...]
    tokens: int


@router.get("")
def show_documents(request: Request, workspace: Bound) -> HTMLResponse:
    """Specifications, drafts, and what is ready for the client."""
    return _render_list(request, workspace)


@router.post("/specifications")
def create(request: Request, workspace: Owned, form: Annotated[NewForm, Form()]) -> Response:
    """Make a specification, named after its title, and go to it."""
    name = make_file_name(form.title).replace(".", "-").lower()[:64]
    asked = SpecificationRequest(title=form.title, owner=form.owner)
    try:
        made = act(request, workspace, documents.create_feature, name=name, asked=asked)
    except FoundryError as error:
        return _render_list(request, workspace, error, form)
    return RedirectResponse(f"/documents/specifications/{quote(made.name)}", status_code=303)


@router.post("/build")
def build(
    request: Request, workspace: Bound, site: UsedSite, form: Annotated[BuildRequest, Form()]
) -> Response:
    """The client's document, as a download."""
    try:
        with audit(make_scope(request, workspace), "build", lambda: ""):
            return files.build_(form, workspace, site)
    except FoundryError as error:
        return _render_list(request, workspace, error)


def _render_list(
    request: Request,
    workspace: Workspace,
    error: FoundryError | None = None,
    form: NewForm | None = None,
) -> HTMLResponse:
    scope = make_scope(request, workspace)
    return render_page(
        "documents",
        workspace=workspace,
        current="/documents",
        status=get_status(error),
        specifications=documents.list_features.perform(scope),
        drafts=documents.list_drafts_.perform(scope),
        agents=_list_writers(request, workspace),
        builds=documents.show_builds.perform(scope),
        formats=FORMATS,
        form=form or NewForm(owner=scope.who),
        problem=error and describe(error, workspace),
    )


def _list_writers(request: Request, workspace: Workspace) -> list[Any]:
    """The agents that write documents."""
    found = documents.list_agents_.perform(make_scope(request, workspace))
    return [one for one in found if one.agent and one.agent.output == "document"]


@router.get("/plan")
def show_plan(
    request: Request,
    workspace: Bound,
    topic: Annotated[Text, Query()] = "",
    feature: Annotated[Text, Query()] = "",
    agent: Annotated[Text, Query()] = "",
) -> HTMLResponse:
    """The evidence for a document before it is written; without a topic, the form alone."""
    return _render_plan(request, workspace, WriteForm(topic=topic, feature=feature, agent=agent))


@router.post("/write")
def write(request: Request, workspace: Owned, form: Annotated[WriteForm, Form()]) -> Response:
    """Write a draft, for a browser without scripts: leads to it once it is done."""
    try:
        asked = form.build_request()
        written = act(request, workspace, documents.write, asked=asked)
        if not written.written:
            reasons = [one.reason for one in written.draft.sections if one.reason]
            raise UsageError(reasons[0] if reasons else Message("answer-no-evidence"))
    except FoundryError as error:
        return _render_plan(request, workspace, form, error)
    return RedirectResponse(f"/documents/drafts/{quote(str(written.path))}", status_code=303)


def _render_plan(
    request: Request, workspace: Workspace, form: WriteForm, error: FoundryError | None = None
) -> HTMLResponse:
    scope, plan, offered = make_scope(request, workspace), None, error is not None
    specifications = documents.list_features.perform(scope)
    if not form.topic and form.feature:
        titles = (one.title for one in specifications if one.name == form.feature)
        form = form.model_copy(update={"topic": next(titles, "")})
    if form.topic and not error:
        try:
            plan = documents.plan.perform(scope, asked=form.build_request())
            offered = True
        except FoundryError as refused:
            error = refused
    return render_page(
        "plan",
        workspace=workspace,
        current="/documents",
        status=get_status(error),
        form=form,
        specifications=[one for one in specifications if one.approved],
        agents=_list_writers(request, workspace),
        there=_is_there(workspace, form),
        plan=plan,
        offered=offered,
        planned=[_view_planned(one, plan) for one in plan.sections] if plan else [],
        conflicts=list(group_conflicts(plan.conflicts, workspace)) if plan else [],
        problem=error and describe(error, workspace),
    )


def _is_there(workspace: Workspace, form: WriteForm) -> bool:
    """Whether a draft of the same specification and agent would be replaced."""
    wanted = (form.feature or None, form.agent or None)
    return any((one.feature, one.agent) == wanted for one in list_drafts(workspace))


def _view_planned(planned: PlannedSection, plan: DraftPlan) -> PlannedView:
    gathered = planned.gathered
    gate = gathered.result.gate
    refused = gate.decision == "no_evidence"
    return PlannedView(
        planned,
        view_evidence(gathered.result.query, gathered.evidence, plan.language, EVIDENCE),
        () if gathered.evidence else gate.reasons if refused else gathered.reasons,
        planned.prompt.tokens.total if planned.prompt else 0,
    )
