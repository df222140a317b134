"""Templates, static files, and addresses of sources. Every value is escaped; every text comes from the catalogue.

In a template ``t("web-title", n=3)`` gives a message in the reader's language, and
``static("app.css")`` the address of a file under ``static/``: its folder's name changes with any
file in it, so browsers may keep them, and modules can import each other by relative names.

``link_to_source`` opens a source at cited words: ``start`` and ``end`` are the place to show, ``exact``
its words and ``revision`` the file that they were cited from, so that a link still leads to them after
a change. ``at`` is repeated for every other place that is cited with it, such as the header above the
row of a table.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import jinja2
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles
from starlette.responses import Response
from starlette.types import Scope

from foundry.messages import Message, Parameter, format_message, get_language
from foundry.records import Quote
from foundry.workspace import Workspace

HAS_SESSION: ContextVar[bool] = ContextVar("has_session", default=False)
"""Whether the request that is answered has the cookie of a session, so that a page can end it."""
ROOT: ContextVar[str | None] = ContextVar("root", default="")
"""The prefix of the project's addresses (``Site.root``); None on a page of the server itself."""
SHARED = r"/(?!/|p/|static/|log(?:in|out)\b|projects\b)"
"""An address within a project; all projects share the others."""
_ADDRESS = re.compile(
    rf'(?<=\s)((?:href|src|action|formaction|data-(?:check|copy|find|link|src|suggest|words))=")(?={SHARED})'
)
_FOLDER = Path(str(files("foundry.web") / "static"))


class NavigationPage(NamedTuple):
    """A page of the navigation: its address, the code of its name, and whether it is the owner's alone."""

    address: str
    code: str
    owner: bool = False


SECTIONS: tuple[tuple[str, tuple[NavigationPage, ...]], ...] = (
    (
        "site-nav-ask",
        (
            NavigationPage("/", "site-nav-ask"),
            NavigationPage("/conversations", "site-nav-conversations"),
        ),
    ),
    ("site-nav-search", (NavigationPage("/search", "site-nav-search"),)),
    ("site-nav-sources", (NavigationPage("/sources", "site-nav-sources"),)),
    (
        "site-nav-documents",
        (
            NavigationPage("/documents", "site-nav-documents"),
            NavigationPage("/documents/agents", "site-nav-agents"),
            NavigationPage("/verify", "site-nav-verify"),
        ),
    ),
    ("site-nav-tables", (NavigationPage("/tables", "site-nav-tables"),)),
    (
        "site-nav-quality",
        (
            NavigationPage("/log", "site-nav-log"),
            NavigationPage("/quality", "site-nav-runs"),
            NavigationPage("/quality/questions", "site-nav-questions", owner=True),
            NavigationPage("/quality/feedback", "site-nav-feedback", owner=True),
        ),
    ),
    (
        "site-nav-admin",
        (
            NavigationPage("/admin", "site-nav-health", owner=True),
            NavigationPage("/admin/people", "site-nav-people", owner=True),
            NavigationPage("/admin/audit", "site-nav-audit", owner=True),
        ),
    ),
)
"""The sections of the navigation with their pages, of which each shows the first."""


def _list_sections(*, owner: bool) -> list[tuple[str, list[NavigationPage]]]:
    """The sections that a caller may open; nobody is shown what only the owner may."""
    found = [(code, [one for one in pages if owner or not one.owner]) for code, pages in SECTIONS]
    return [(code, pages) for code, pages in found if pages]


def render_page(
    name: str,
    *,
    workspace: Workspace | None = None,
    current: str = "",
    status: int = 200,
    **values: Any,
) -> HTMLResponse:
    """The page of the template ``NAME.html.jinja``, in the language of the request.

    ``workspace`` is the project as the caller sees it, None before anybody is known; ``current`` is
    the address of the page in the navigation.
    """
    owner = workspace is not None and workspace.principal.sees_all
    template = _open_templates().get_template(f"{name}.html.jinja")
    text = template.render(
        language=get_language(),
        project=workspace.config.project.name if workspace else "Foundry",
        root=ROOT.get(),
        owner=owner,
        sections=[] if ROOT.get() is None else _list_sections(owner=owner),
        current=current,
        **values,
    )
    return HTMLResponse(add_root(text), status_code=status)


def add_root(html: str) -> str:
    """The HTML of a template with the addresses of its project on this server.

    Templates escape quotes in every value, so what looks like an attribute is one.
    """
    root = ROOT.get()
    return _ADDRESS.sub(lambda found: found[0] + root, html) if root else html


def add_root_to_address(address: str) -> str:
    """An address within the project as one on this server."""
    return (ROOT.get() or "") + address if re.match(SHARED, address) else address


def render_part(name: str, macro: str, *values: Any) -> str:
    """A part of a page: the macro of a template."""
    template = _open_templates().get_template(f"{name}.html.jinja")
    part: str = getattr(template.module, macro)(*values)
    return add_root(part)


@cache
def _open_templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("foundry.web", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        t=_translate, static=find_static_address, has_session=HAS_SESSION.get
    )
    environment.filters["words"] = format_message
    return environment


def _translate(code: str, **params: Parameter) -> str:
    return str(Message(code, **params))


@cache
def _hash_static_files() -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in _FOLDER.rglob("*") if path.is_file()):
        digest.update(path.relative_to(_FOLDER).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def find_static_address(name: str) -> str:
    """The address of a static file."""
    return f"/static/{_hash_static_files()}/{name}"


class _KeptFiles(StaticFiles):
    """Static files that a browser need not ask for again: another version has another address."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def mount_static_files(app: FastAPI) -> None:
    """Serve ``static/`` under an address that changes with its files."""
    app.mount(f"/static/{_hash_static_files()}", _KeptFiles(directory=_FOLDER), name="static")


MAX_EXACT = 400
"""Characters of a quote in an address: enough to find its place again."""
MAX_PLACES = 40
"""Places of an address, the others of which are left out: it would be too long for a proxy."""


def link_to_source(
    source_id: str, quotes: Sequence[Quote], *, content_hash: str = "", view: str = ""
) -> str:
    """The address of a source at its quotes; it shows the last, below the header of its table.

    ``view`` is another view of the same place: ``/region.svg``.
    """
    address = f"/sources/{source_id}{view}"
    if not quotes:
        return address
    places = {(quote.start, quote.end): quote for quote in quotes}
    *others, last = (places[place] for place in sorted(places))
    fields: list[tuple[str, object]] = [("start", last.start), ("end", last.end)]
    fields += [("at", f"{quote.start}-{quote.end}") for quote in others[1 - MAX_PLACES :]]
    fields += [("revision", content_hash[:12])] if content_hash else []
    return f"{address}?{urlencode([*fields, ('exact', last.text[:MAX_EXACT])])}"
