"""The owner's pages: health, what leaves the machine, people with their tokens, the audit stream."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from foundry.clock import get_now
from foundry.errors import FoundryError, RuleError, UsageError
from foundry.journeys.query_log import log_stats
from foundry.operations import access, logs, state
from foundry.operations.table import LARGEST
from foundry.records import CONFIDENTIALITY_LEVELS
from foundry.web.pages.acts import act, describe, get_status
from foundry.web.pages.templates import render_page
from foundry.web.security.callers import Owned, make_scope
from foundry.web.site import LOOPBACK
from foundry.wire.projects import NewTokenJson
from foundry.wire.requests import RoleRequest, TokenRequest

router = APIRouter(prefix="/admin")
PERIODS = ("12h", "7d", "30d", "90d", "52w")
"""How long a new token may be used, to choose from."""
STEP = 100
"""Events on a page of the audit stream."""


@router.get("")
def show_health(request: Request, workspace: Owned, whole: bool = False) -> HTMLResponse:
    """Whether the project is sound, what its models are sent, the indexes, and what it has cost.

    ``whole`` reads the whole database too.
    """
    scope = make_scope(request, workspace)
    return render_page(
        "admin",
        workspace=workspace,
        current="/admin",
        health=state.examine.perform(scope, quick=not whole),
        whole=whole,
        privacy=access.show_privacy.perform(scope),
        index=state.show_index.perform(scope),
        spent=log_stats(workspace),
    )


@router.get("/people")
def show_people(request: Request, workspace: Owned) -> HTMLResponse:
    """Who may use the server."""
    return _render_people(request, workspace)


@router.post("/people")
def invite(
    request: Request, workspace: Owned, form: Annotated[TokenRequest, Form()]
) -> HTMLResponse:
    """Make a token, and show its link this once; of several projects, give a role in this one."""
    try:
        if workspace.home:
            given = RoleRequest(role=form.role)
            act(request, workspace, access.give, name=form.name.strip(), asked=given)
            return _render_people(request, workspace)
        made = act(request, workspace, access.create, asked=form)
    except (UsageError, RuleError) as error:
        return _render_people(request, workspace, form=form, error=error)
    return _render_people(request, workspace, made=made)


@router.post("/people/{name}/revoke")
def revoke(request: Request, workspace: Owned, name: str) -> RedirectResponse:
    """End a token and its sessions, or withdraw a role."""
    if workspace.home:
        act(request, workspace, access.withdraw, name=name)
    else:
        act(request, workspace, access.revoke, name=name)
    return RedirectResponse("/admin/people", status_code=303)


def _render_people(
    request: Request,
    workspace: Owned,
    *,
    form: TokenRequest | None = None,
    made: NewTokenJson | None = None,
    error: FoundryError | None = None,
) -> HTMLResponse:
    now, scope = get_now(), make_scope(request, workspace)
    tokens = () if workspace.home else access.list_tokens_.perform(scope)
    return render_page(
        "people",
        workspace=workspace,
        current="/admin/people",
        status=get_status(error),
        roles=access.list_roles.perform(scope) if workspace.home else None,
        valid=[token for token in tokens if token.is_valid(now)],
        ended=[token for token in reversed(tokens) if not token.is_valid(now)],
        levels=CONFIDENTIALITY_LEVELS,
        periods=PERIODS,
        form=form or TokenRequest(name=""),
        made=made,
        # What follows # is sent to nobody and is in no log.
        link=f"{str(request.base_url).rstrip('/')}/login#{made.token}" if made else "",
        here=request.url.hostname in LOOPBACK,
        problem=error and describe(error, workspace),
    )


@router.get("/audit")
def show_audit(
    request: Request,
    workspace: Owned,
    before: Annotated[int | None, Query(ge=1, le=LARGEST)] = None,
) -> HTMLResponse:
    """What was done through the server, and by whom, latest first."""
    page = logs.list_audit.perform(make_scope(request, workspace), limit=STEP, before=before)
    return render_page("audit", workspace=workspace, current="/admin/audit", page=page)
