"""What the requests of one server share: the project as each role sees it, and who may call.

Its worker is a thread that reads uploaded files, one after another. It ends with the server; what it
had not finished waits for the next one, or for ``foundry work``.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from foundry.errors import FoundryError, require_extra
from foundry.journeys.work import sign_in, work
from foundry.ports import Step
from foundry.records import Confidentiality, is_visible
from foundry.web.background import Background
from foundry.web.connections import Room
from foundry.web.failures import log_failure
from foundry.web.replays import Replays
from foundry.web.security.sessions import Limits, Sessions, open_key
from foundry.workspace import Workspace, lower_role, reconfigure

if TYPE_CHECKING:
    from foundry.web.security.sign_in import SignIn

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
    sign_in: SignIn | None = None
    background: Background = field(default_factory=Background)
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
        sign_in=_open_sign_in(workspace),
        slots=threading.BoundedSemaphore(web.max_answers),
        sessions=Sessions(open_key(workspace.root), web.session_hours),
        limits=Limits(web.requests_per_minute),
        replays=Replays(),
        worker=Worker(workspace),
    )


def _open_sign_in(workspace: Workspace) -> SignIn | None:
    """The identity provider, if ``web.oidc`` names one. Raises ``ExtraMissing``."""
    config = workspace.config.web.oidc
    if not config.issuer:
        return None
    require_extra("sso", where="web.oidc")
    # Imported here: an extra.
    from foundry.web.security.sign_in import SignIn

    return SignIn(config, workspace.environment.get("FOUNDRY_OIDC_SECRET", ""))


class _ServerStops(KeyboardInterrupt):
    """Leaves the current job to another worker, as Ctrl-C does for ``foundry work``."""


LOOK_S = 5.0
"""How often the server's worker looks for jobs that another process made; a guess."""


class Worker:
    """Starts with the server, and works whenever it is woken."""

    def __init__(self, workspace: Workspace) -> None:
        self.step: Step | None = None
        self._workspace = workspace
        self._woken, self._stopped = threading.Event(), False
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)

    def start(self) -> None:
        """Begin with what an earlier server left; without ``web.worker`` do nothing."""
        if self._workspace.config.web.worker and self._workspace.principal.sees_all:
            self._woken.set()
            self._thread.start()

    def wake(self) -> None:
        """There is a new job."""
        self._woken.set()

    def stop(self) -> None:
        """Let go of the current job, and wait for the thread."""
        self._stopped = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join(timeout=10)

    def _run(self) -> None:
        with suppress(_ServerStops), sign_in(self._workspace):
            while not self._stopped:
                # Other processes make jobs too.
                self._woken.wait(LOOK_S)
                self._woken.clear()
                self._work()

    def _work(self) -> None:
        try:
            if self._workspace.maintenance().count_open_jobs():
                work(self._workspace, drain=True, progress=self._note)
        except FoundryError as error:
            log_failure("worker", error)
        finally:
            self.step = None

    def _note(self, step: Step) -> None:
        if self._stopped:
            raise _ServerStops
        self.step = step
