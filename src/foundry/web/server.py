"""The server process: its address, its log, its end."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import cast

import uvicorn

from foundry.config import redact_secrets
from foundry.errors import ConfigError, RuleError
from foundry.journeys.access import has_valid_token
from foundry.web.app import make_app
from foundry.web.connections import BoundedProtocol, LoopLog, allow_files
from foundry.web.projects import Projects
from foundry.web.site import Site, open_site
from foundry.workspace import Workspace


def serve(
    workspace: Workspace,
    host: str,
    port: int,
    announce: Callable[[str], None],
    *,
    several: bool = False,
) -> None:
    """Serve a project, or the ``several`` of a home, until the process is stopped.

    ``announce`` gets the address.

    A stop lets running answers finish, for ``web.shutdown_s`` at most. Raises ``RuleError`` for an
    address outside this machine if the project has neither tokens nor an identity provider,
    ``ConfigError`` for one that cannot be served on.
    """
    if several:
        allow_files()
    site = open_site(workspace, host, several=several)
    if site.needs_token and site.sign_in is None and not has_valid_token(workspace):
        raise RuleError("web-no-tokens", where="web.host")
    _write_log_as_json(workspace)
    with _listen(host, port) as listener:
        name = f"[{host}]" if ":" in host else host
        announce(f"http://{name}:{listener.getsockname()[1]}")
        # The server has ended by then: the signal that stopped it is raised once more.
        with suppress(KeyboardInterrupt):
            make_server(site, Projects(site) if several else None).run(sockets=[listener])


def make_server(site: Site, projects: Projects | None = None) -> uvicorn.Server:
    """Return the server of a project or of several; it does not run yet."""
    web, protocol = site.owner.config.web, partial(BoundedProtocol, site.room)
    config = uvicorn.Config(
        make_app(site, projects),
        http=cast("type[asyncio.Protocol]", protocol),
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        # Without a named proxy, no header may say where a request comes from.
        proxy_headers=bool(web.hosts),
        lifespan="on",
        timeout_graceful_shutdown=web.shutdown_s,
    )
    return _Server(config)


class _Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(LoopLog())
        await super().startup(sockets)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        cause = str(error.strerror or error)
        raise ConfigError(
            "web-port-taken", where="web.port", host=host, port=str(port), cause=cause
        ) from error


class _JsonLines(logging.Formatter):
    """A log line as one JSON object; keys of models are left out."""

    def __init__(self, environment: dict[str, str]) -> None:
        super().__init__()
        self._environment = environment

    def format(self, record: logging.LogRecord) -> str:
        facts = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            facts["traceback"] = self.formatException(record.exc_info)
        return redact_secrets(json.dumps(facts, ensure_ascii=False), self._environment)


def _write_log_as_json(workspace: Workspace) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines(dict(workspace.environment)))
    for name, level in (("foundry.web", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
