"""Logging in with a token, and out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from foundry.errors import NotAuthenticated
from foundry.journeys.access import record_event
from foundry.web.pages.templates import render_page
from foundry.web.security.callers import UsedSite, get_address, get_site, start_session

router = APIRouter()


@router.get("/login")
def show_login(next: str = "/") -> Response:  # noqa: A002 - the name in the address
    """The form that takes a token."""
    return render_page("login", next=_keep_here(next), problem=None)


@router.post("/login")
def log_in(
    request: Request,
    token: Annotated[str, Form(max_length=200)],
    next: Annotated[str, Form(max_length=20_000)] = "/",  # noqa: A002 - the name of the field
) -> Response:
    """Start a session, and go to the page that was asked for."""
    reply = RedirectResponse(_keep_here(next), status_code=303)
    owner, address = get_site(request).owner, get_address(request)
    try:
        caller = start_session(request, reply, token)
    except NotAuthenticated as error:
        record_event(owner, "login", "", who="", address=address, outcome=error.code)
        return render_page("login", status=401, next=_keep_here(next), problem=error)
    record_event(owner, "login", "", who=caller.name, address=address, outcome="done")
    return reply


@router.post("/logout")
def log_out(site: UsedSite) -> Response:
    """End the session of this browser; others of the same token go on."""
    reply = RedirectResponse("/login", status_code=303)
    reply.delete_cookie(site.sessions.cookie)
    return reply


def _keep_here(address: str) -> str:
    """The address if it is one of this server, else the first page."""
    own = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if own and address.isprintable() else "/"
