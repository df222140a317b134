"""The projects of a server that has several: the page that lists them, and the same as JSON."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse

from foundry.operations.table import After, cut_page
from foundry.records import CONFIDENTIALITY_LEVELS
from foundry.web.pages.templates import render_page
from foundry.web.projects import Projects
from foundry.web.security.callers import Caller, Known
from foundry.wire.projects import ProjectEntryJson, ProjectPageJson

router = APIRouter()
STEP = 25
"""Projects on a page."""
SHOWN_SKIPPED = 100
"""Most folders that the page lists as not served, each with the reason."""


def get_projects(request: Request) -> Projects:
    """Return the server's projects."""
    projects: Projects = request.app.state.projects
    return projects


Served = Annotated[Projects, Depends(get_projects)]
Words = Annotated[str, Query(max_length=200, description="part of a folder's name")]


@router.get("/api/v2/projects", tags=["operation"])
def list_projects(
    projects: Served, caller: Known, q: Words = "", after: After = 0
) -> ProjectPageJson:
    """The projects in which the caller has a role, by the names of their folders."""
    own = _list_own(projects, caller, projects.list_folders()[0])
    return _build_page(projects, own, q, after, whole=_sees_all(caller))


@router.get("/", include_in_schema=False)
@router.get("/projects", include_in_schema=False)
def show_projects(projects: Served, caller: Known, q: Words = "", after: After = 0) -> HTMLResponse:
    """The projects that the caller may open; the owner of the server also sees what is in them."""
    names, skipped = projects.list_folders()
    own, whole = _list_own(projects, caller, names), _sees_all(caller)
    return render_page(
        "projects",
        page=_build_page(projects, own, q, after, whole=whole),
        all=len(own),
        q=q,
        whole=whole,
        skipped=skipped[:SHOWN_SKIPPED] if whole else [],
    )


def _sees_all(caller: Caller) -> bool:
    """Whether the caller owns the server, and so sees how much is in each project."""
    return caller.everywhere and caller.role == CONFIDENTIALITY_LEVELS[-1]


def _list_own(projects: Projects, caller: Caller, names: list[str]) -> list[str]:
    """Return the names of the projects in which the caller has a role."""
    if caller.everywhere:
        return names
    roles = projects.front.home.access.list_roles(person=caller.name)
    given = {one.folder for one in roles}
    return [name for name in names if name in given]


def _build_page(
    projects: Projects, own: list[str], q: str, after: int, *, whole: bool
) -> ProjectPageJson:
    found = [name for name in own if q.casefold() in name.casefold()]
    shown, following = cut_page(found, STEP, after)
    entries = [ProjectEntryJson.from_record(projects.describe(name)) for name in shown]
    if not whole:
        bare = {"sources": None, "chunks": None, "problem": None}
        entries = [entry.model_copy(update=bare) for entry in entries]
    return ProjectPageJson(projects=entries, found=len(found), next=following)
