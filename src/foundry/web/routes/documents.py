"""Specifications, drafts, and the document built from them.

Only the owner approves and accepts: who signs for a document must see all that it may rest on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from foundry.journeys.agents import get_agent, list_agents, use_agent
from foundry.journeys.delivery import (
    build,
    choose_draft_path,
    choose_targets,
    generate_file,
    hide_place,
)
from foundry.journeys.drafts import (
    accept_draft,
    get_draft,
    get_draft_status,
    list_drafts,
    verify_draft,
)
from foundry.journeys.generate import plan_draft
from foundry.journeys.sources import parse_filters
from foundry.journeys.specifications import (
    approve_specification,
    check_specification,
    choose_specification,
    get_specification,
    list_specifications,
    revoke_approval,
)
from foundry.messages import get_language
from foundry.ports import Progress
from foundry.web.replays import Key
from foundry.web.security.callers import Bound, Known, Owned, UsedSite, audit
from foundry.web.streams import stream_document
from foundry.wire.agents import AgentJson, AgentListJson
from foundry.wire.documents import (
    DraftDetailsJson,
    DraftJson,
    DraftListJson,
    DraftPlanJson,
    DraftStatusJson,
    DraftVerificationJson,
    SpecificationCheckJson,
    SpecificationJson,
    SpecificationListJson,
    SpecificationTextJson,
)
from foundry.wire.requests import BuildRequest, DraftRequest, PersonRequest
from foundry.workspace import Workspace

router = APIRouter(tags=["documents"])
IfMatch = Annotated[str | None, Header(description="the content_hash that was reviewed")]
_TYPES = {
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


@router.get("/agents")
def list_agents_(workspace: Bound) -> AgentListJson:
    """The agents by name, also those whose file is wrong."""
    return AgentListJson(agents=list(list_agents(workspace, get_language())))


@router.get("/agents/{name}")
def show_agent(name: str, workspace: Bound) -> AgentJson:
    """An agent with its persona and sections."""
    return AgentJson.from_record(get_agent(workspace, name, get_language()))


@router.get("/features")
def list_features(workspace: Bound) -> SpecificationListJson:
    """The specifications by name."""
    return SpecificationListJson(features=list(list_specifications(workspace)))


@router.get("/features/{name}")
def show_feature(name: str, workspace: Bound, response: Response) -> SpecificationTextJson:
    """A specification with its text; its ETag is what an approval names."""
    feature = get_specification(workspace, name)
    response.headers["ETag"] = f'"{feature.content_hash}"'
    return SpecificationTextJson.from_record(feature)


@router.get("/features/{name}/check")
def check_feature(name: str, workspace: Bound) -> SpecificationCheckJson:
    """What is missing in a specification."""
    feature = get_specification(workspace, name)
    problems = check_specification(workspace, name)
    checked = SpecificationJson.copy_fields(feature, problems=problems)
    ok = not any(problem.blocking for problem in problems)
    return SpecificationCheckJson(ok=ok, features=[checked])


@router.post("/features/{name}/approve", dependencies=[Depends(audit("feature.approve"))])
def approve(
    name: str, body: PersonRequest, workspace: Owned, caller: Known, if_match: IfMatch = None
) -> SpecificationJson:
    """Approve a specification; 409 if it changed or is approved already. The owner's alone."""
    person = body.by or caller.name
    reviewed = _unquote(if_match) or get_specification(workspace, name).content_hash
    feature = approve_specification(workspace, name, person, reviewed=reviewed)
    return SpecificationJson.from_record(feature)


@router.post("/features/{name}/revoke", dependencies=[Depends(audit("feature.revoke"))])
def revoke(name: str, workspace: Owned) -> SpecificationJson:
    """Make a specification a draft again; the owner's alone."""
    return SpecificationJson.from_record(revoke_approval(workspace, name))


def _unquote(tag: str | None) -> str | None:
    return tag.removeprefix("W/").strip('"') if tag else None


@router.post("/drafts/plan")
def plan(body: DraftRequest, workspace: Bound, site: UsedSite) -> DraftPlanJson:
    """What a draft would rest on: hits, conflicts, budget and prompts; nothing is written."""
    workspace = use_agent(workspace, body.agent, "document", body.topic)
    with site.slots:
        drafted = plan_draft(
            workspace,
            body.topic,
            feature=choose_specification(workspace, body.feature),
            filters=parse_filters(workspace, body.filters),
            mode=body.mode,
            fresh=True,
        )
    return DraftPlanJson.from_record(drafted)


@router.post("/drafts", dependencies=[Depends(audit("draft.write"))])
def write(
    body: DraftRequest, workspace: Owned, caller: Known, site: UsedSite, key: Key = None
) -> DraftJson:
    """Write a draft and register it, the owner's alone; without an ``output`` it goes where drafts go."""

    def generate() -> DraftJson:
        with site.slots:
            return _generate(workspace, body, lambda _step: None)

    return site.replays.run(key, (caller.name, "draft"), body.model_dump_json, generate)


@router.post(
    "/drafts/stream",
    response_class=EventSourceResponse,
    dependencies=[Depends(audit("draft.write"))],
)
def stream_draft(body: DraftRequest, workspace: Owned, site: UsedSite) -> Iterable[ServerSentEvent]:
    """Write a draft step by step; the last event is its document. The owner's alone."""
    yield from stream_document(site, lambda progress: _generate(workspace, body, progress))


def _generate(workspace: Workspace, body: DraftRequest, progress: Progress) -> DraftJson:
    workspace = use_agent(workspace, body.agent, "document", body.topic)
    written = generate_file(
        workspace,
        body.topic,
        choose_draft_path(workspace, body.output, body.feature),
        feature=body.feature,
        filters=parse_filters(workspace, body.filters),
        mode=body.mode,
        fresh=body.fresh,
        overwrite=body.overwrite,
        progress=progress,
    )
    return DraftJson.from_record(hide_place(workspace, written))


@router.get("/drafts")
def list_drafts_(workspace: Bound, feature: str | None = None) -> DraftListJson:
    """The registered drafts, latest first."""
    records = list_drafts(workspace, feature)
    return DraftListJson(drafts=[get_draft_status(workspace, record) for record in records])


@router.get("/drafts/{path:path}/verification")
def verify(path: str, workspace: Bound, site: UsedSite) -> DraftVerificationJson:
    """Check a draft, edited or not, statement by statement."""
    with site.slots:
        return DraftVerificationJson.from_record(verify_draft(workspace, path))


@router.get("/drafts/{path:path}")
def show_draft(path: str, workspace: Bound) -> DraftDetailsJson:
    """A draft with its sections, conflicts and sources."""
    return DraftDetailsJson.from_record(get_draft_status(workspace, get_draft(workspace, path)))


@router.post("/drafts/{path:path}/accept", dependencies=[Depends(audit("draft.accept"))])
def accept(path: str, body: PersonRequest, workspace: Owned, caller: Known) -> DraftStatusJson:
    """Record who reviewed a draft; 409 if somebody did. The owner's alone."""
    record = accept_draft(workspace, path, body.by or caller.name, body.note, again=False)
    return DraftStatusJson.from_record(get_draft_status(workspace, record))


@router.post("/build", response_class=Response, dependencies=[Depends(audit("build"))])
def build_(body: BuildRequest, workspace: Bound, site: UsedSite) -> Response:
    """The client's document from all accepted drafts, as a download; the owner's is kept as well."""
    targets = choose_targets(workspace, None, (body.format,))
    with site.slots:
        built = build(
            workspace,
            targets,
            title=body.title,
            language=body.language,
            allow_stale=body.allow_stale,
            overwrite=True,
            keep=workspace.principal.sees_all,
        )
    path, _size = built.files[body.format]
    named = f"attachment; filename*=UTF-8''{path.name}"
    headers = {"Content-Disposition": named}
    return Response(built.rendered[body.format], media_type=_TYPES[body.format], headers=headers)
