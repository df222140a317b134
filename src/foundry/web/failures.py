"""How an exception becomes a reply: one form for all errors, and no traceback for a client."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from foundry import errors
from foundry.errors import FoundryError
from foundry.messages import Message
from foundry.web.pages.templates import render_page
from foundry.wire.base import ErrorJson

STATUSES: tuple[tuple[type[FoundryError], int], ...] = (
    (errors.NotFound, 404),
    (errors.KeyReused, 422),
    (errors.UsageError, 400),
    (errors.AgentInvalid, 422),
    (errors.NotAuthenticated, 401),
    (errors.ChangedMeanwhile, 409),
    (errors.TooManyRequests, 429),
    (errors.RuleError, 403),
    (errors.ReadError, 422),
    (errors.IndexMissing, 409),
    (errors.ProjectBusy, 409),
    (errors.DiskFull, 507),
    (errors.StoreError, 503),
    (errors.ModelTimeout, 504),
    (errors.ModelError, 502),
)
"""The first class that fits decides; any other error is the server's: 500."""


HIDDEN_FROM_NOBODY = frozenset({"agent-unknown", "web-project-gone"})
"""Codes of missing things that the caller knows about: their own message helps more."""


class UnexpectedError(FoundryError):
    """A fault of the program; the client learns the request's id, the log has the traceback."""

    code = "unexpected"


def add_handlers(app: FastAPI) -> None:
    """Answer every exception of a route in the one form."""

    @app.exception_handler(FoundryError)
    def _(request: Request, error: FoundryError) -> Response:
        return build_error_reply(request, error)

    @app.exception_handler(RequestValidationError)
    def _(request: Request, error: RequestValidationError) -> Response:
        first: Any = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        problem = errors.UsageError("web-invalid", where=where, cause=str(first["msg"]))
        return build_error_reply(request, problem, status=422)

    @app.exception_handler(HTTPException)
    def _(request: Request, error: HTTPException) -> Response:
        return build_status_reply(request, error)


def build_status_reply(request: Request, error: HTTPException) -> Response:
    """The reply to an error of the framework."""
    if error.status_code == 404 and request.state.site.strip_root(request.url.path).startswith(
        "/api/v1/"
    ):
        return build_error_reply(request, errors.UsageError("web-version-ended"), status=410)
    reply = build_error_reply(request, _name_error(error), status=error.status_code)
    reply.headers.update(error.headers or {})
    return reply


def _name_error(error: HTTPException) -> FoundryError:
    """Return our error for a status that the framework raised."""
    if error.status_code == 404:
        return errors.NotFound("web-not-found")
    if error.status_code == 408:
        return errors.UsageError("web-too-slow")
    if error.status_code == 413:
        return errors.UsageError("web-too-large")
    return errors.UsageError("web-refused", status=str(error.status_code), cause=error.detail)


def build_error_reply(
    request: Request, error: FoundryError, *, status: int | None = None
) -> Response:
    """The reply to an error: a page for a browser, JSON for a program.

    Missing and hidden things get the same reply.
    """
    path, site = request.url.path, request.state.site
    inside = site.strip_root(path)
    if isinstance(error, errors.StoreError) and site.name and not site.owner.root.is_dir():
        error = errors.NotFound("web-project-gone", name=site.name)
    if isinstance(error, errors.NotFound) and error.problem.code not in HIDDEN_FROM_NOBODY:
        error = errors.NotFound("web-not-found", where=path)
    status = status or next((code for kind, code in STATUSES if isinstance(error, kind)), 500)
    if status >= 500:
        log_failure(error.problem.code, error)
    document = ErrorJson.build_for_request(error, site.owner.root)
    if not inside.startswith("/api/") and "text/html" in request.headers.get("accept", ""):
        # Behind a proxy that nobody named there is no token to log in with: say what is missing.
        named = error.problem.code != "web-forwarded"
        if isinstance(error, errors.NotAuthenticated) and named and inside != "/login":
            wanted = f"{path}?{request.url.query}" if request.url.query else path
            # After a form the address need not be a page.
            wanted = wanted if request.method in {"GET", "HEAD"} else f"{site.root}/"
            return RedirectResponse(
                f"/login?{urlencode({'next': wanted}, safe='/')}", status_code=303
            )
        return render_page("error", status=status, error=document.error)
    headers = {401: {"WWW-Authenticate": "Bearer"}, 429: {"Retry-After": "60"}}.get(status)
    return JSONResponse(document.model_dump(mode="json"), status_code=status, headers=headers)


def log_failure(event: str, error: Exception) -> None:
    """Write what went wrong to the server's log, with its traceback."""
    logging.getLogger("foundry.web").error(event, exc_info=error)


def build_fault_reply(error: Exception, request_id: str) -> JSONResponse:
    """Return the reply to an unexpected error, with the id under which the log has its traceback."""
    log_failure("unexpected", error)
    problem = UnexpectedError(Message("web-unexpected", id=request_id), where=request_id)
    return JSONResponse(ErrorJson.from_record(problem).model_dump(mode="json"), status_code=500)
