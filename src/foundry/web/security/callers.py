"""Who makes a request, and the project as that caller sees it.

Every route takes a ``Bound`` workspace, or an ``Owned`` one where only the highest role may act:
the dependency is what makes a route ask who calls. A token comes in the header Authorization; a
browser trades it once for a signed cookie with the token's id, which ends with the token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request, Response

from foundry.errors import FoundryError, NotAuthenticated, StoreError
from foundry.journeys.access import find_bearer, find_valid, record_event
from foundry.records import Confidentiality, Token
from foundry.web.failures import log_failure
from foundry.web.site import COOKIE, Site
from foundry.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a request: the name of a token, or "" for the owner on this machine."""

    name: str
    role: Confidentiality


def get_site(request: Request) -> Site:
    """The site that serves the request."""
    site: Site = request.app.state.site
    return site


UsedSite = Annotated[Site, Depends(get_site)]


def get_address(request: Request) -> str:
    """The network address of whoever sent the request."""
    return request.client.host if request.client else ""


def identify_caller(request: Request) -> Caller:
    """The caller, by its token or session; on this machine the owner needs none.

    Raises ``NotAuthenticated``, and ``TooManyRequests`` for one who asks too often.
    """
    site = get_site(request)
    shown = request.headers.get("authorization"), request.cookies.get(COOKIE)
    if not any(shown) and not site.needs_token:
        return _remember(request, Caller("", site.owner.principal.role))
    token = _find_token(site, *shown)
    if token is None:
        # A cookie cannot be guessed: it is signed.
        if shown[0]:
            site.limits.count_failure(get_address(request))
        raise NotAuthenticated("web-token-invalid" if any(shown) else "web-token-missing")
    site.limits.count_request(token.id)
    return _remember(request, Caller(token.name, site.limit_role(token.role)))


def _find_token(site: Site, authorization: str | None, cookie: str | None) -> Token | None:
    if authorization:
        scheme, _, text = authorization.partition(" ")
        return find_bearer(site.owner, text) if scheme.lower() == "bearer" else None
    identity = site.sessions.read(cookie or "")
    return find_valid(site.owner, identity) if identity else None


def _remember(request: Request, caller: Caller) -> Caller:
    """Keep the caller's name for the log line."""
    request.state.caller = caller.name
    return caller


Known = Annotated[Caller, Depends(identify_caller)]


def bind_workspace(request: Request, caller: Known) -> Workspace:
    """The project as the caller sees it."""
    return get_site(request).get_workspace(caller.role)


Bound = Annotated[Workspace, Depends(bind_workspace)]


def bind_whole(workspace: Bound) -> Workspace:
    """The same, for what must see or change everything. Raises ``RuleError`` for lower roles."""
    workspace.maintenance()
    return workspace


Owned = Annotated[Workspace, Depends(bind_whole)]


def start_session(request: Request, response: Response, text: str) -> Caller:
    """Trade a token for a session's cookie. Raises ``NotAuthenticated``, ``TooManyRequests``."""
    site, address = get_site(request), get_address(request)
    site.limits.count_failure(address)
    token = find_bearer(site.owner, text)
    if token is None:
        raise NotAuthenticated("web-token-invalid")
    response.set_cookie(
        COOKIE,
        site.sessions.sign(token.id),
        max_age=site.sessions.seconds,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return _remember(request, Caller(token.name, site.limit_role(token.role)))


def audit(action: str) -> Callable[..., Iterator[None]]:
    """A dependency that writes what the caller did to the audit stream, refusals too.

    The subject is the ids in the address, or what the route leaves in ``request.state.subject``.
    """

    def record(request: Request, workspace: Bound, caller: Known) -> Iterator[None]:
        outcome = "unexpected"
        try:
            yield
            outcome = "done"
        except FoundryError as error:
            outcome = error.code
            raise
        finally:
            ids = " ".join(map(str, request.path_params.values()))
            subject = getattr(request.state, "subject", ids)
            facts = {"who": caller.name, "address": get_address(request), "outcome": outcome}
            try:
                record_event(workspace, action, subject, **facts)
            except StoreError as error:
                log_failure("audit", error)

    return record
