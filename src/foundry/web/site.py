"""The state that the requests to one project share: a view of it for each role, and who may call.

Its worker is a thread that reads uploaded files, one after another. It ends with the server; unfinished
files wait for the next server, or for ``foundry work``.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote

from foundry.errors import FoundryError, require_extra
from foundry.journeys.access import find_role
from foundry.journeys.work import sign_in, work
from foundry.ports import Step
from foundry.records import CONFIDENTIALITY_LEVELS, Confidentiality, is_visible
from foundry.web.background import Background
from foundry.web.connections import Room
from foundry.web.failures import log_failure
from foundry.web.replays import Replays
from foundry.web.security.sessions import Limits, Sessions, open_key
from foundry.workspace import Workspace, lower_role, reconfigure

if TYPE_CHECKING:
    from foundry.web.security.sign_in import SignIn

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
"""The names of this machine. A page elsewhere can make its own name lead here, but not these."""
UPLOADS_AT_ONCE = 4
"""Uploads received at the same time (a guess): each may write the largest file to disk, and one fills
a usual connection."""


@dataclass
class Site:
    """One project on one server.

    A server of several has a site for each, named as its folder, and one of its own with the name "".
    They share limits, sessions and replies, and the ``home`` that keeps people and their roles.
    ``needs_token`` says whether callers must identify themselves. ``slots`` are the answers made at
    the same time, ``uploads`` those received; further ones wait.
    """

    owner: Workspace
    hosts: frozenset[str]
    needs_token: bool
    slots: threading.BoundedSemaphore
    sessions: Sessions
    limits: Limits
    replays: Replays
    worker: Worker
    home: Workspace
    several: bool = False
    name: str = ""
    sign_in: SignIn | None = None
    background: Background = field(default_factory=Background)
    room: Room = field(default_factory=Room)
    uploads: asyncio.Semaphore = field(default_factory=partial(asyncio.Semaphore, UPLOADS_AT_ONCE))
    _views: dict[Confidentiality, Workspace] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _users: int = 0

    @property
    def root(self) -> str:
        """The prefix of the project's addresses, "" if the server has only one project."""
        return f"/p/{quote(self.name)}" if self.name else ""

    def strip_root(self, path: str) -> str:
        """Return the path of a request without the project's prefix."""
        return path.removeprefix(f"/p/{self.name}") if self.name else path

    @contextmanager
    def use(self) -> Iterator[None]:
        """Keep the project open meanwhile."""
        with self._lock:
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1

    @property
    def is_busy(self) -> bool:
        """Whether a request, an answer, an upload or work in the background needs the project."""
        return self._users > 0 or self.worker.is_busy or self.background.is_busy

    def close(self) -> None:
        """Stop its background work and its worker, and close the project."""
        self.background.close()
        self.worker.stop()
        self.owner.close()

    @property
    def upload_bytes(self) -> int:
        """Most bytes of a request that uploads files: one of the largest, or several smaller ones."""
        return self.owner.config.ingest.max_file_mb * 1_000_000 + 100_000

    def limit_role(self, role: Confidentiality) -> Confidentiality:
        """Return a token's role, or the project's own if that is lower now."""
        return _lower(role, self.owner.principal.role)

    def choose_role(
        self, person: str, *, most: Confidentiality, given: Confidentiality | None = None
    ) -> Confidentiality | None:
        """Return a person's role in this project of several, or None.

        ``most`` is the role of their token, ``given`` the one of their groups at the identity provider.
        """
        own = find_role(self.home, person, self.name)
        found = [role for role in (own, given) if role]
        highest = max(found, key=CONFIDENTIALITY_LEVELS.index, default=None)
        return highest and _lower(highest, most)

    def get_workspace(self, role: Confidentiality) -> Workspace:
        """The project as ``role`` sees it, at most as its owner does; shared by all requests."""
        with self._lock:
            if role not in self._views:
                config = lower_role(self.owner.config, role)
                self._views[role] = reconfigure(self.owner, config)
            return self._views[role]


def _lower(role: Confidentiality, most: Confidentiality) -> Confidentiality:
    return role if is_visible(role, most) else most


def open_site(workspace: Workspace, host: str, *, several: bool = False) -> Site:
    """The site of a project that is served on the address ``host``, or of the home of several."""
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
        home=workspace,
        several=several,
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
    """Starts with the server, and looks for jobs when woken and every ``LOOK_S`` seconds."""

    def __init__(self, workspace: Workspace, turns: threading.Semaphore | None = None) -> None:
        self.step: Step | None = None
        self._working = False
        self._workspace, self._turns = workspace, turns or threading.Semaphore()
        self._woken, self._stopped = threading.Event(), False
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)

    def start(self) -> None:
        """Begin with the jobs that an earlier server left; without ``web.worker`` do nothing."""
        if self._workspace.config.web.worker and self._workspace.principal.sees_all:
            self._woken.set()
            self._thread.start()

    @property
    def is_busy(self) -> bool:
        """Whether it reads a file, or is about to."""
        return self._thread.is_alive() and (self._working or self._woken.is_set())

    def wake(self) -> None:
        """Look for a new job now."""
        self._woken.set()

    def stop(self) -> None:
        """Give up the current job, and wait for the thread."""
        self._stopped = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join(timeout=10)

    def _run(self) -> None:
        with suppress(_ServerStops), sign_in(self._workspace):
            while not self._stopped:
                # Other processes make jobs too.
                self._working = self._woken.wait(LOOK_S)
                self._woken.clear()
                self._work()
                self._working = False

    def _work(self) -> None:
        try:
            if not self._stopped and self._workspace.maintenance().count_open_jobs():
                self._working = True
                with self._take_turn() as taken:
                    if taken:
                        work(self._workspace, drain=True, progress=self._note)
        except FoundryError as error:
            log_failure("worker", error)
        finally:
            self.step = None

    @contextmanager
    def _take_turn(self) -> Iterator[bool]:
        """Wait for a turn among the projects; yields False if the server stops meanwhile."""
        while not (taken := self._turns.acquire(timeout=0.5)) and not self._stopped:
            pass
        try:
            yield taken and not self._stopped
        finally:
            if taken:
                self._turns.release()

    def _note(self, step: Step) -> None:
        if self._stopped:
            raise _ServerStops
        self.step = step
