"""Who makes a request, and the project as that caller sees it.

Every route takes a ``Bound`` workspace, or an ``Owned`` one where only the highest role may act:
that dependency identifies the caller. A token comes in the header Authorization; a browser trades it
once for a signed cookie with the token's id, which ends with the token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from fastapi import Depends, Request, Response

from foundry.errors import FoundryError, NotAuthenticated, NotFound
from foundry.journeys.access import find_bearer, find_valid
from foundry.operations.table import Scope, audit, record
from foundry.records import CONFIDENTIALITY_LEVELS, Confidentiality, Token
from foundry.web.site import Site
from foundry.workspace import Workspace

_FORWARDING = frozenset({"forwarded", "via", "x-real-ip"})


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a request: the name of a token, or "" for the owner on this machine.

    On the pages of a server of several projects ``everywhere`` says whether the role is for all of them.
    """

    name: str
    role: Confidentiality
    everywhere: bool = True


def get_site(request: Request) -> Site:
    """The site that serves the request."""
    site: Site = request.state.site
    return site


UsedSite = Annotated[Site, Depends(get_site)]


def get_address(request: Request) -> str:
    """The network address of whoever sent the request."""
    return request.client.host if request.client else ""


def identify_caller(request: Request) -> Caller:
    """Return the caller, by token or session; on this machine the owner needs none.

    The result is kept for the request. Raises ``NotAuthenticated``, and ``TooManyRequests`` for a
    caller over the limit.
    """
    known: Caller | None = getattr(request.state, "caller", None)
    return known or _remember(request, _identify(request))


def _identify(request: Request) -> Caller:
    site = get_site(request)
    shown = request.headers.get("authorization"), request.cookies.get(site.sessions.cookie)
    if not any(shown) and not site.needs_token:
        if _is_forwarded(request):
            raise NotAuthenticated("web-forwarded", where="web.hosts")
        return Caller("", site.owner.principal.role)
    person = _find_person(site, *shown)
    if person is not None:
        return person
    token = _find_token(site, *shown)
    if token is None:
        # A cookie cannot be guessed: it is signed.
        if shown[0]:
            site.limits.count_failure(get_address(request))
        raise NotAuthenticated("web-token-invalid" if any(shown) else "web-token-missing")
    site.limits.count_request(token.id)
    return _settle_role(site, token.name, most=token.role)


def _settle_role(
    site: Site, name: str, *, most: Confidentiality, given: Confidentiality | None = None
) -> Caller:
    """Return the caller with its role here. Raises ``NotFound`` in a project where it has none."""
    role = site.choose_role(name, most=most, given=given) if site.several else most
    if role is None and site.name:
        raise NotFound("web-not-found")
    return Caller(name, site.limit_role(role or CONFIDENTIALITY_LEVELS[0]), role is not None)


def _find_person(site: Site, authorization: str | None, cookie: str | None) -> Caller | None:
    """Return who signed in through the provider. Raises ``NotAuthenticated`` without a role."""
    if site.sign_in is None or authorization:
        return None
    person = site.sign_in.unpack(site.sessions.read(cookie or "") or "")
    if person is None:
        return None
    role = site.sign_in.choose_role(person)
    if role is None and not site.several:
        raise NotAuthenticated("web-sign-in-no-role", name=person.name)
    site.limits.count_request(person.name)
    highest = role if role and not site.several else CONFIDENTIALITY_LEVELS[-1]
    return _settle_role(site, person.name, most=highest, given=role)


def _is_forwarded(request: Request) -> bool:
    """Whether a proxy sent the request, so that the caller need not be on this machine.

    One that adds no header still speaks HTTP/1.0, which is nginx's default and no browser's.
    """
    return request.scope["http_version"] == "1.0" or any(
        name in _FORWARDING or name.startswith("x-forwarded-") for name in request.headers
    )


def _find_token(site: Site, authorization: str | None, cookie: str | None) -> Token | None:
    if authorization:
        scheme, _, text = authorization.partition(" ")
        return find_bearer(site.home, text) if scheme.lower() == "bearer" else None
    identity = site.sessions.read(cookie or "")
    return find_valid(site.home, identity) if identity else None


def _remember(request: Request, caller: Caller) -> Caller:
    """Keep the caller for what comes after, and for the log line."""
    request.state.caller = caller
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


def admit_owner(request: Request, action: str) -> None:
    """Refuse a caller who is not the owner, by the head of the request alone.

    Raises like ``identify_caller`` and ``bind_whole``.
    """
    caller = identify_caller(request)
    workspace = bind_workspace(request, caller)
    try:
        bind_whole(workspace)
    except FoundryError as error:
        record(make_scope(request, workspace), action, "", error.code)
        raise


def start_session(request: Request, response: Response, text: str) -> Caller:
    """Trade a token for a session's cookie. Raises ``NotAuthenticated``, ``TooManyRequests``."""
    site, address = get_site(request), get_address(request)
    site.limits.count_failure(address)
    token = find_bearer(site.home, text)
    if token is None:
        raise NotAuthenticated("web-token-invalid")
    keep_session(request, response, token.id)
    return _remember(request, Caller(token.name, site.limit_role(token.role)))


def keep_session(request: Request, response: Response, identity: str) -> None:
    """Give the browser a cookie that says who it is: a token's id, or a person who signed in."""
    site = get_site(request)
    response.set_cookie(
        site.sessions.cookie,
        site.sessions.sign(identity),
        max_age=site.sessions.seconds,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


def make_scope(request: Request, workspace: Workspace) -> Scope:
    """On whose behalf an operation runs; what it notes is the subject that the audit stream names."""
    return Scope(
        workspace,
        who=identify_caller(request).name,
        address=get_address(request),
        slots=get_site(request).slots,
        note=partial(setattr, request.state, "subject"),
    )


def audit_request(action: str) -> Callable[..., Iterator[None]]:
    """A dependency that writes what the caller did to the audit stream, refusals too."""

    def write(request: Request, workspace: Bound) -> Iterator[None]:
        with audit(make_scope(request, workspace), action, partial(find_subject, request)):
            yield

    return write


def find_subject(request: Request) -> str:
    """What the audit stream names: what was noted, else the ids in the address."""
    ids = " ".join(map(str, request.path_params.values()))
    return getattr(request.state, "subject", ids)
