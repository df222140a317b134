"""The application: routes, pages, static files, and the perimeter around them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio.to_thread
from fastapi import APIRouter, FastAPI

from foundry import __version__
from foundry.journeys.passages.pages import open_page_desk
from foundry.web.failures import add_handlers
from foundry.web.pages import ask, log, login, viewer
from foundry.web.pages import sources as source_pages
from foundry.web.pages.templates import mount_static_files
from foundry.web.routes import documents, evaluation, jobs, logs, operation, questions, sources
from foundry.web.security.perimeter import Perimeter
from foundry.web.site import Site
from foundry.wire.base import ErrorJson

THREADS = 200
"""Requests served at the same time; most of them wait for an answer's turn."""

API = (questions, sources, jobs, logs, documents, evaluation, operation)
"""The subjects under ``/api/v1``."""

PAGES = (ask, log, login, source_pages, viewer)
"""What a browser shows."""


def make_app(site: Site) -> FastAPI:
    """The web application and HTTP API of a project; the caller closes its workspace."""
    app = FastAPI(
        title="Foundry",
        version=__version__,
        lifespan=_run,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.site = site
    api = APIRouter(prefix="/api/v1", responses={"default": {"model": ErrorJson}})
    for subject in API:
        api.include_router(subject.router)
    app.include_router(api)
    app.include_router(operation.health)
    for page in PAGES:
        app.include_router(page.router, include_in_schema=False)
    mount_static_files(app)
    add_handlers(app)
    app.add_middleware(Perimeter, site=site)
    return app


@asynccontextmanager
async def _run(app: FastAPI) -> AsyncIterator[None]:
    # Streams wait in threads of this pool, and must not keep others from being served.
    anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
    app.state.site.worker.start()
    try:
        with open_page_desk(app.state.site.owner) as app.state.desk:
            yield
    finally:
        app.state.site.worker.stop()
