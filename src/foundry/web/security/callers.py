"""Who makes a request, and the project as that caller sees it.

Every route takes a ``Bound`` workspace, or an ``Owned`` one where only the highest role may act:
the dependency is what makes a route ask who calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from foundry.errors import NotAuthenticated
from foundry.records import Confidentiality
from foundry.web.site import Site
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


def identify_caller(request: Request) -> Caller:
    """The caller, by its token. Raises ``NotAuthenticated``."""
    site = get_site(request)
    if site.needs_token:
        raise NotAuthenticated("web-token-missing", where="Authorization")
    caller = Caller("", site.owner.principal.role)
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
