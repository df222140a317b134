"""The first page."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from foundry.web.pages.templates import render_page
from foundry.web.security.callers import Bound

router = APIRouter()


@router.get("/")
def show_home(workspace: Bound) -> HTMLResponse:
    """The page to ask on."""
    return render_page("home", project=workspace.config.project.name)
