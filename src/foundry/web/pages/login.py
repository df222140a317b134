"""Logging in with a token, and out."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from foundry.errors import NotAuthenticated, NotFound
from foundry.journeys.access import record_event
from foundry.web.pages.templates import render_page
from foundry.web.security.callers import (
    UsedSite,
    get_address,
    get_site,
    keep_session,
    start_session,
)
from foundry.web.site import Site

if TYPE_CHECKING:
    from foundry.web.security.sign_in import Attempt, SignIn

router = APIRouter()
ATTEMPT_S = 600
"""How long somebody may take at the identity provider, in seconds."""
_ATTEMPT = "foundry_sign_in"


@router.get("/login")
def show_login(site: UsedSite, next: str = "/") -> Response:  # noqa: A002 - the name in the address
    """The form that takes a token, and the way to the identity provider if there is one."""
    return _render(site, _keep_here(next))


def _render(
    site: Site, following: str, *, problem: NotAuthenticated | None = None, status: int = 200
) -> Response:
    issuer = site.owner.config.web.oidc.issuer
    provider = urlsplit(issuer).hostname or "" if site.sign_in else ""
    return render_page("login", status=status, next=following, problem=problem, provider=provider)


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
        return _render(get_site(request), _keep_here(next), problem=error, status=401)
    record_event(owner, "login", "", who=caller.name, address=address, outcome="done")
    return reply


@router.get("/login/oidc")
def start_sign_in(request: Request, site: UsedSite, next: str = "/") -> Response:  # noqa: A002 - as above
    """Send the browser to the identity provider."""
    address, attempt = _get_sign_in(site).begin(_get_return(request), _keep_here(next))
    reply = RedirectResponse(address, status_code=303)
    reply.set_cookie(
        _ATTEMPT,
        site.sessions.sign(json.dumps(asdict(attempt))),
        max_age=ATTEMPT_S,
        path="/login/oidc",
        httponly=True,
        # The browser comes back from another site.
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return reply


@router.get("/login/oidc/done")
def end_sign_in(request: Request, site: UsedSite) -> Response:
    """Start the session of whoever the provider says it is."""
    sign_in, address = _get_sign_in(site), get_address(request)
    site.limits.count_failure(address)
    try:
        attempt = _read_attempt(request, site)
        person = sign_in.finish(_get_return(request), attempt, dict(request.query_params))
        known = site.several and site.home.access.list_roles(person=person.name)
        if sign_in.choose_role(person) is None and not known:
            raise NotAuthenticated("web-sign-in-no-role", name=person.name)
    except NotAuthenticated as error:
        record_event(site.owner, "login", "", who="", address=address, outcome=error.problem.code)
        return _render(site, "/", problem=error, status=401)
    # Not a redirect: after one from another site a browser withholds the session's cookie.
    reply = render_page("signed_in", next=attempt.next)
    keep_session(request, reply, person.pack())
    reply.delete_cookie(_ATTEMPT, path="/login/oidc")
    record_event(site.owner, "login", "", who=person.name, address=address, outcome="done")
    return reply


def _get_sign_in(site: Site) -> SignIn:
    if site.sign_in is None:
        raise NotFound("web-not-found")
    return site.sign_in


def _get_return(request: Request) -> str:
    return str(request.url_for("end_sign_in"))


def _read_attempt(request: Request, site: Site) -> Attempt:
    # Imported here: an extra.
    from foundry.web.security.sign_in import Attempt

    text = site.sessions.read(request.cookies.get(_ATTEMPT, ""), ATTEMPT_S)
    if text is None or not text.startswith("{"):
        raise NotAuthenticated("web-sign-in-other")
    return Attempt(**json.loads(text))


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
