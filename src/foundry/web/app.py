"""The application: routes, pages, static files, and the perimeter around them.

A server of several projects serves the routes of each under ``/p/NAME``, and a few of its own.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    nullcontext,
)
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import anyio.to_thread
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.openapi.utils import get_openapi
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Send
from starlette.types import Scope as Connection

from foundry import __version__
from foundry.errors import ExtraMissing, FoundryError, describe_missing
from foundry.installation import is_installed
from foundry.journeys.passages.pages import open_page_desk
from foundry.models import load_clients
from foundry.operations import (
    access,
    conversations,
    corrections,
    documents,
    evaluation,
    logs,
    questions,
    searches,
    sources,
    state,
    tables,
    verification,
)
from foundry.operations.table import Scope
from foundry.web import metrics
from foundry.web.failures import add_handlers
from foundry.web.metrics import Meters
from foundry.web.pages import (
    admin,
    agents,
    ask,
    blocks,
    drafts,
    log,
    login,
    quality,
    search,
    source_list,
    specifications,
    verify,
    viewer,
)
from foundry.web.pages import documents as document_pages
from foundry.web.pages import projects as project_list
from foundry.web.pages import sources as source_pages
from foundry.web.pages import tables as table_pages
from foundry.web.pages.templates import mount_static_files
from foundry.web.projects import Projects
from foundry.web.routes import files, runs
from foundry.web.routes.operations import make_router
from foundry.web.security.callers import UsedSite, get_site, identify_caller, make_scope
from foundry.web.security.perimeter import Perimeter
from foundry.web.site import Site
from foundry.web.traces import open_traces
from foundry.wire.base import ErrorJson
from foundry.wire.server import ReadinessJson
from foundry.workspace import Workspace

DESCRIPTION = "/api/v2/openapi.json"
THREADS = 200
"""Requests served at the same time; most of them wait for an answer's turn."""

API = (
    ("questions", searches),
    ("questions", questions),
    ("questions", verification),
    ("questions", conversations),
    ("sources", sources),
    ("corrections", corrections),
    ("log", logs),
    ("documents", documents),
    ("tables", tables),
    ("evaluation", evaluation),
    ("operation", state),
    ("operation", access),
)
"""The subjects under ``/api/v2``."""

PAGES = (
    admin,
    ask,
    log,
    quality,
    search,
    document_pages,
    specifications,
    drafts,
    agents,
    source_list,
    source_pages,
    table_pages,
    verify,
    viewer,
    blocks,
)
"""What a browser shows."""


_COMPRESSED_FROM = 1_000
"""Bytes: a shorter reply fits in one packet anyway."""


def make_app(site: Site, projects: Projects | None = None) -> FastAPI:
    """Return the web application and HTTP API of a project; the caller closes its workspace.

    With ``projects`` it serves all of them, and ``site`` is the server's own.
    """
    app = FastAPI(
        title="Foundry",
        version=__version__,
        lifespan=_run,
        openapi_url=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
    )
    app.state.site, app.state.projects = site, projects
    app.state.meters = Meters(site, projects)
    app.state.traces = None
    project, app.state.tools = _make_project()
    if projects:
        app.include_router(project_list.router)
        app.mount("/p/{project}", _Mounted(project))
    else:
        app.router.routes += project.routes
    app.include_router(health)
    app.include_router(metrics.router)
    app.include_router(login.router, include_in_schema=False)
    mount_static_files(app)
    add_handlers(app)
    # Streams and pictures are left as they are.
    app.add_middleware(GZipMiddleware, minimum_size=_COMPRESSED_FROM)
    app.add_middleware(Perimeter, site=site, meters=app.state.meters, projects=projects)
    return app


def _make_project() -> tuple[APIRouter, AbstractAsyncContextManager[None]]:
    """Return the routes of a project, and the context manager that runs its tools."""
    router = APIRouter()
    router.routes += _list_routes()
    return router, _mount_tools(router)


@cache
def _list_routes() -> Sequence[BaseRoute]:
    """The API and the pages: they find their site in the request, so applications share them."""
    router = APIRouter()
    router.include_router(make_api())
    for page in PAGES:
        router.include_router(page.router, include_in_schema=False)
    return tuple(router.routes)


class _Mounted:
    """The routes of a project, mounted under its name; the name selects the site, and no route sees it."""

    def __init__(self, project: APIRouter) -> None:
        self._project = project
        project.add_api_route(DESCRIPTION, self._describe, include_in_schema=False)

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        scope["path_params"] = {}
        await self._project(scope, receive, send)

    def _describe(self, site: UsedSite) -> dict[str, Any]:
        """The OpenAPI document of a project."""
        return {**self._document, "servers": [{"url": site.root}]}

    @cached_property
    def _document(self) -> dict[str, Any]:
        return get_openapi(title="Foundry", version=__version__, routes=self._project.routes)


def make_api() -> APIRouter:
    """The routes of the HTTP API."""
    api = APIRouter(prefix="/api/v2", responses={"default": {"model": ErrorJson}})
    for tag, subject in API:
        api.include_router(make_router(tag, subject))
    api.include_router(files.router)
    api.include_router(files.documents)
    api.include_router(files.tables)
    api.include_router(runs.router)
    return api


def _mount_tools(router: APIRouter) -> AbstractAsyncContextManager[None]:
    """Add the tools for language models at ``/mcp``, if their extra is installed.

    Returns the context manager that runs them.
    """
    if not is_installed("mcp"):

        def refuse() -> None:
            raise ExtraMissing(describe_missing("mcp"))

        router.add_api_route("/mcp", refuse, methods=["POST"], include_in_schema=False)
        return nullcontext()
    # Imported here: an extra.
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from foundry.mcp.server import build_server

    server = build_server(_find_agent, _use_site)
    manager = StreamableHTTPSessionManager(server, stateless=True)
    router.routes.append(Route("/mcp", _Tools(manager), methods=["POST"]))
    return manager.run()


def _use_site(context: Any) -> AbstractContextManager[None]:
    site: Site = context.request.state.site
    return site.use()


def _find_agent(context: Any) -> Scope:
    scope: Scope = context.request.state.tool_scope
    return scope


class _Tools:
    """An ASGI application: the tools, with the role of the request's caller."""

    def __init__(self, manager: Any) -> None:
        self._manager = manager

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        caller = await run_in_threadpool(identify_caller, request)
        site = get_site(request)
        request.state.tool_scope = make_scope(request, site.get_workspace(caller.role))
        await self._manager.handle_request(scope, receive, send)


@asynccontextmanager
async def _run(app: FastAPI) -> AsyncIterator[None]:
    # Streams wait in threads of this pool, and must not keep others from being served.
    anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
    site: Site = app.state.site
    traces = app.state.traces = open_traces(site.owner.environment)
    if app.state.projects is None:
        site.worker.start()
    models = site.owner.config.models_in_use().values()
    # In the background: only a question that arrives before it is done waits for it.
    threading.Thread(target=load_clients, args=(models,), name="models", daemon=True).start()
    try:
        with open_page_desk(site.owner) as app.state.desk:
            async with app.state.tools:
                yield
    finally:
        if app.state.projects:
            app.state.projects.close()
        site.background.close()
        site.worker.stop()
        if traces:
            traces.close()


health = APIRouter(tags=["operation"])
"""Needs no token, for monitoring: it says nothing about the project."""
LEAST_FREE = 100_000_000
"""Bytes of disk below which an ingest would soon fail (a guess)."""


@health.get("/healthz")
def check_health() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@health.get("/readyz")
def check_readiness(response: Response, site: UsedSite) -> ReadinessJson:
    """Whether questions can be answered; 503 if not."""
    database, index = _check_store(site.owner)
    disk = _has_space(site.owner.root)
    room = not site.room.is_crowded
    ok = database and index and disk and room
    ready = ReadinessJson(ok=ok, database=database, index=index, disk=disk, connections=room)
    response.status_code = 200 if ready.ok else 503
    return ready


def _has_space(root: Path) -> bool:
    """Return whether the disk of the project has some space; False if the project is gone."""
    try:
        return shutil.disk_usage(root).free > LEAST_FREE
    except OSError:
        return False


def _check_store(workspace: Workspace) -> tuple[bool, bool]:
    """Whether the database answers, and has the index that searches need."""
    try:
        status = workspace.store.index_status(workspace.config.embedding.model)
    except FoundryError:
        return False, False
    return True, status.model is not None or not status.chunks
