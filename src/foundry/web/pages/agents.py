"""Agents: what each writes, its file, and those of the project's own to copy, change and delete."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Header, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import Field

from foundry.errors import ChangedMeanwhile, FoundryError
from foundry.operations import documents
from foundry.web.pages.acts import act, describe, get_status
from foundry.web.pages.templates import render_page, render_part
from foundry.web.security.callers import Bound, Owned, make_scope
from foundry.wire.requests import AgentRequest, AgentTextRequest, RequestModel
from foundry.workspace import Workspace

router = APIRouter(prefix="/documents/agents")


class AgentForm(RequestModel):
    """The file of an agent, and the hash of what the page had shown."""

    seen: str = Field(default="", max_length=200)
    text: str = Field(default="", max_length=100_000)

    def build_request(self) -> AgentTextRequest:
        """The request that the fields make, with LF line endings."""
        return AgentTextRequest(text=self.text.replace("\r\n", "\n"))


@router.get("")
def show_agents(request: Request, workspace: Bound) -> HTMLResponse:
    """All agents, also those with an invalid file."""
    found = documents.list_agents_.perform(make_scope(request, workspace))
    return render_page("agents", workspace=workspace, current="/documents/agents", found=found)


@router.get("/{name}")
def show(request: Request, workspace: Bound, name: str) -> HTMLResponse:
    """What an agent writes, and its file."""
    return _render(request, workspace, name)


@router.post("/{name}/check")
def check(
    request: Request,
    workspace: Owned,
    name: str,
    form: Annotated[AgentForm, Form()],
    part: Annotated[str, Header(alias="X-Part")] = "",
) -> HTMLResponse:
    """Check what was typed without saving it; shows the whole page, or only what is wrong."""
    asked = form.build_request()
    entry = documents.check_agent_.perform(make_scope(request, workspace), name=name, asked=asked)
    if part:
        problem = describe(entry.error, workspace) if entry.error else None
        return HTMLResponse(render_part("parts", "agent_check", problem))
    return _render(request, workspace, name, form, entry.error)


@router.post("/{name}/save")
def save(
    request: Request, workspace: Owned, name: str, form: Annotated[AgentForm, Form()]
) -> Response:
    """Save what was typed, if nobody saved anything else since the page was shown."""
    try:
        asked, seen = form.build_request(), form.seen
        act(request, workspace, documents.change_agent_, seen=seen, name=name, asked=asked)
    except FoundryError as error:
        return _render(request, workspace, name, form, error)
    return _go_to(name)


@router.post("/{name}/copy")
def copy(
    request: Request, workspace: Owned, name: str, new: Annotated[str, Form(max_length=64)]
) -> Response:
    """Make an agent of the project that says the same, and go to it."""
    try:
        asked = AgentRequest(base=name)
        act(request, workspace, documents.create_agent_, name=new, asked=asked)
    except FoundryError as error:
        return _render(request, workspace, name, error=error)
    return _go_to(new)


@router.post("/{name}/delete")
def delete(
    request: Request, workspace: Owned, name: str, seen: Annotated[str, Form()] = ""
) -> Response:
    """Delete the project's own file of an agent, as the page showed it."""
    try:
        act(request, workspace, documents.delete_agent_, seen=seen, name=name)
    except FoundryError as error:
        return _render(request, workspace, name, error=error)
    return RedirectResponse("/documents/agents", status_code=303)


def _go_to(name: str) -> RedirectResponse:
    return RedirectResponse(f"/documents/agents/{quote(name, safe='')}", status_code=303)


def _render(
    request: Request,
    workspace: Workspace,
    name: str,
    form: AgentForm | None = None,
    error: FoundryError | None = None,
) -> HTMLResponse:
    scope = make_scope(request, workspace)
    file = documents.show_agent_text.perform(scope, name=name)
    entries = documents.list_agents_.perform(scope)
    entry = next(one for one in entries if one.name == file.name)
    newer = file.text if form and isinstance(error, ChangedMeanwhile) else ""
    if newer and form:
        # The page shows the newer text, so saving again may replace it.
        form = form.model_copy(update={"seen": file.content_hash})
    wrong = error or entry.error
    return render_page(
        "agent",
        workspace=workspace,
        current="/documents/agents",
        status=get_status(error),
        file=file,
        entry=entry,
        form=form or AgentForm(seen=file.content_hash, text=file.text),
        newer=newer,
        checked=form is not None and error is None,
        problem=wrong and describe(wrong, workspace),
    )
