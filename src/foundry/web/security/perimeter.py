"""The first checks of every request: its id, the host's name and the origin; then its log line.

A page elsewhere can make a browser send requests here. It cannot read the replies, but it could
change something, so a change must come from our own pages or from a program. The host's name is
checked because a page elsewhere can let its own name lead to this machine (DNS rebinding).
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from typing import Any
from urllib.parse import SplitResult, urlsplit

import anyio
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from foundry.client import RENDERED
from foundry.errors import FoundryError, RuleError, UsageError
from foundry.messages import Face, choose_language, set_face, set_language
from foundry.web.failures import (
    build_error_reply,
    build_fault_reply,
    build_status_reply,
    log_failure,
)
from foundry.web.metrics import Meters, find_route
from foundry.web.pages.templates import HAS_SESSION, ROOT, add_root_to_address
from foundry.web.projects import Projects
from foundry.web.security.callers import admit_owner
from foundry.web.site import Site
from foundry.web.traces import Traces

CHANGES_NOTHING = frozenset({"GET", "HEAD", "OPTIONS"})
UPLOADS = frozenset({"/api/v2/uploads", "/sources/upload"})
MAX_BODY = 2_000_000
"""Bytes of a request that uploads no file: a text to verify is the longest."""
READ_S = 30
"""How long a client may pause while it sends a request, in seconds (a guess)."""
BODY_S, UPLOAD_S = 120, 1800
"""How long a request may take to arrive, and an upload, in seconds (guesses)."""
POLICY = "; ".join((
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
))  # fmt: skip
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Headers of every reply, unless it sets its own."""
_PROJECT = re.compile(r"/p/([^/]+)(?:/|$)")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


class Perimeter:
    """ASGI middleware around the whole application, of one project or several."""

    def __init__(
        self, app: ASGIApp, site: Site, meters: Meters, projects: Projects | None = None
    ) -> None:
        self._app = app
        self._site = site
        self._meters = meters
        self._projects = projects

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        scope.setdefault("state", {}).update(request_id=request_id, site=self._site)
        set_language(choose_language(find_language(headers, self._site)))
        name = self._find_name(scope["path"])
        ROOT.set(None if self._projects else "")
        set_face(find_face(scope["path"].removeprefix(f"/p/{name}"), headers))
        HAS_SESSION.set(f"{self._site.sessions.cookie}=" in headers.get("cookie", ""))
        traces: Traces | None = scope["app"].state.traces
        visit = _Visit(scope, receive, send, request_id)
        try:
            self._require_own(scope["method"], headers)
            _require_text(scope)
            async with self._open(scope, name) as site:
                uploads = site.strip_root(scope["path"]) in UPLOADS and scope["method"] == "POST"
                if uploads:
                    visit.limit(site.upload_bytes, UPLOAD_S)
                visit.require_size(headers.get("content-length", ""))
                async with self._admit(scope) if uploads else nullcontext():
                    await self._app(_answer_head(scope), visit.receive, visit.send)
        except FoundryError as error:
            reply = build_error_reply(Request(scope), error)
            await reply(scope, receive, visit.send)
        except HTTPException as error:
            await build_status_reply(Request(scope), error)(scope, receive, visit.send)
        except Exception as error:  # noqa: BLE001 - the last stop: a client gets no traceback
            if visit.status is None:
                await build_fault_reply(error, request_id)(scope, receive, visit.send)
            else:
                log_failure("broken off", error)
        finally:
            status, seconds = visit.log()
            facts: dict[str, Any] = {"method": scope["method"], "route": find_route(scope)}
            facts |= {"status": status, "seconds": seconds}
            self._meters.count(**facts)
            if traces:
                traces.record(headers, request_id, **facts)

    def _find_name(self, path: str) -> str:
        """Return the name of the project in the address; "" if none is, or the server has only one."""
        found = _PROJECT.match(path) if self._projects else None
        return found[1] if found else ""

    @asynccontextmanager
    async def _open(self, scope: Scope, name: str) -> AsyncIterator[Site]:
        """Yield the site that the request is for, which stays open meanwhile."""
        if not self._projects or not name:
            yield self._site
            return
        project = await run_in_threadpool(self._projects.enter, Request(scope), name)
        try:
            site: Site = scope["state"]["site"]
            set_language(choose_language(find_language(Headers(scope=scope), site)))
            ROOT.set(site.root)
            yield site
        finally:
            self._projects.leave(project)

    @asynccontextmanager
    async def _admit(self, scope: Scope) -> AsyncIterator[None]:
        """Admit only the owner, and a few uploads at a time, because their bodies are written to disk."""
        await run_in_threadpool(admit_owner, Request(scope), "source.upload")
        async with self._site.uploads:
            yield

    def _require_own(self, method: str, headers: Headers) -> None:
        """Raise unless the request names this server, and a change comes from our own pages."""
        host = _split(f"//{headers.get('host', '')}").hostname or ""
        if host not in self._site.hosts:
            raise UsageError("web-host-unknown", where="Host", host=host)
        if method in CHANGES_NOTHING:
            return
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        own = site in {"same-origin", "none"} if site else not origin or _is_own(origin, headers)
        if not own:
            raise RuleError("web-other-origin", where="Origin")


def _require_text(scope: Scope) -> None:
    """Raise for an address with a NUL, which no database keeps as text."""
    if "\0" in scope["path"] or b"%00" in scope["query_string"]:
        raise UsageError("web-invalid", where="URL", cause="NUL")


def _answer_head(scope: Scope) -> Scope:
    """Return HEAD as a GET; the server leaves out the body."""
    return {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope


def find_language(headers: Headers, site: Site) -> str:
    """Return the language of messages: the first that the caller accepts and we have."""
    accepted = re.findall(r"(?:^|,)\s*([a-z]{2})", headers.get("accept-language", "").lower())
    known = (language for language in accepted if language in {"en", "nl"})
    return next(known, site.owner.config.language)


def find_face(path: str, headers: Headers) -> Face:
    """Return what shows the reply: a page, the API, or a terminal with text that the API rendered."""
    if headers.get("accept") == RENDERED:
        return "terminal"
    return "api" if path.startswith(("/api/", "/mcp")) else "page"


def _is_own(origin: str, headers: Headers) -> bool:
    return _split(origin).netloc.lower() == headers.get("host", "").lower()


def _split(address: str) -> SplitResult:
    """Return the parts of an address, all empty if it is malformed, such as ``[::1``."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


class _Visit:
    """One request: what came in and went out."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, request_id: str) -> None:
        self.status: int | None = None
        self._left: int = MAX_BODY
        self._seconds: float = BODY_S
        self._scope, self._receive, self._send = scope, receive, send
        self._id, self._started, self._complete = request_id, time.perf_counter(), False

    def limit(self, size: int, seconds: float) -> None:
        """Set the most bytes and seconds that the body may take."""
        self._left, self._seconds = size, seconds

    def require_size(self, announced: str) -> None:
        """Raise if the announced size of the body is too large, before any of it is read."""
        if announced.isdecimal() and int(announced) > self._left:
            raise HTTPException(413)

    async def receive(self) -> Message:
        if self._complete:
            return await self._receive()
        begun = anyio.current_time()
        with anyio.move_on_after(min(READ_S, self._seconds)):
            message = await self._receive()
            self._seconds -= anyio.current_time() - begun
            self._complete = not message.get("more_body", False)
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                raise HTTPException(413)
            return message
        raise HTTPException(408)

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in {**HEADERS, "X-Request-ID": self._id}.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
            if "location" in headers:
                headers["location"] = add_root_to_address(headers["location"])
        await self._send(message)

    def log(self) -> tuple[int, float]:
        """Write a line about the request: caller, address and status, but no contents.

        Returns the status and the seconds.
        """
        status, seconds = self.status or 499, time.perf_counter() - self._started
        caller = self._scope["state"].get("caller")
        facts = {
            "request": self._id,
            "method": self._scope["method"],
            "path": self._scope["path"],
            "status": status,
            "ms": round(seconds * 1000, 1),
            "caller": caller.name if caller else "",
            "address": (self._scope.get("client") or ("",))[0],
        }
        logging.getLogger("foundry.web").info("request", extra={"facts": facts})
        return status, seconds
