"""What the requests of one server share: the project as each role sees it, and who may call."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field
from functools import partial

from foundry.records import Confidentiality, is_visible
from foundry.web.connections import Room
from foundry.web.replays import Replays
from foundry.web.security.sessions import Limits, Sessions, open_key
from foundry.web.worker import Worker
from foundry.workspace import Workspace, lower_role, reconfigure

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
"""The names of this machine. A page elsewhere can have its own name lead here, but not these."""
UPLOADS_AT_ONCE = 4
"""Uploads whose files arrive at the same time (a guess): each may fill the disk with the largest
file, and one fills a usual connection."""


@dataclass
class Site:
    """One project on one server.

    ``needs_token`` says whether a caller must show who it is; ``slots`` are the answers that may be
    made at the same time, ``uploads`` those that may be sent; further ones wait.
    """

    owner: Workspace
    hosts: frozenset[str]
    needs_token: bool
    slots: threading.BoundedSemaphore
    sessions: Sessions
    limits: Limits
    replays: Replays
    worker: Worker
    room: Room = field(default_factory=Room)
    uploads: asyncio.Semaphore = field(default_factory=partial(asyncio.Semaphore, UPLOADS_AT_ONCE))
    _views: dict[Confidentiality, Workspace] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def upload_bytes(self) -> int:
        """Bytes of a request that uploads files: one of the largest, or several smaller ones."""
        return self.owner.config.ingest.max_file_mb * 1_000_000 + 100_000

    def limit_role(self, role: Confidentiality) -> Confidentiality:
        """A token's role, or the project's own if that is lower now."""
        own = self.owner.principal.role
        return role if is_visible(role, own) else own

    def get_workspace(self, role: Confidentiality) -> Workspace:
        """The project as ``role`` sees it, at most as its owner does; shared by all requests."""
        with self._lock:
            if role not in self._views:
                config = lower_role(self.owner.config, role)
                self._views[role] = reconfigure(self.owner, config)
            return self._views[role]


def open_site(workspace: Workspace, host: str) -> Site:
    """The site of a project that is served on the address ``host``."""
    web = workspace.config.web
    names = frozenset(name.lower() for name in web.hosts)
    return Site(
        owner=workspace,
        hosts=names | LOOPBACK | {host.lower()},
        needs_token=bool(names) or host not in LOOPBACK or web.tokens == "required",
        slots=threading.BoundedSemaphore(web.max_answers),
        sessions=Sessions(open_key(workspace.root), web.session_hours),
        limits=Limits(web.requests_per_minute),
        replays=Replays(),
        worker=Worker(workspace),
    )
