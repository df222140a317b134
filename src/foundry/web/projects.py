"""The projects of a server that has several: folders in one folder, each opened on first request.

Idle projects are closed to make room for others; tokens, sessions and the replies to repeated requests
belong to the server and stay. A caller's role is checked before the project is looked up, so that a
caller without one cannot learn whether it exists.
"""

from __future__ import annotations

import os
import stat
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from fastapi import Request

from foundry.config import CONFIG_NAME, Config
from foundry.errors import ConfigError, FoundryError, NotFound, StoreUnavailable
from foundry.messages import Message
from foundry.web.background import Background
from foundry.web.failures import log_failure
from foundry.web.security.callers import Caller, identify_caller
from foundry.web.site import Site, Worker
from foundry.workspace import open_workspace

MOST_OPEN = 64
"""Most projects open at once (a guess): each has a thread, and a few files and connections."""
DESCRIBED_S = 60.0
"""How long a row of the list is cached, in seconds (a guess): reading one takes some 30 ms."""
READ_AT_ONCE = 2
"""Projects whose uploads are read at the same time (a guess): each has parsers of its own."""
Mark = tuple[int, ...]
"""Identifies a folder and its configuration: it differs once either is replaced or edited."""


class Skipped(NamedTuple):
    """A folder that is not served, and why."""

    name: str
    reason: Message


class ProjectEntry(NamedTuple):
    """A row of the list: the folder's name, the project's title and address, and what is in it."""

    name: str
    title: str
    address: str
    sources: int | None = None
    chunks: int | None = None
    problem: Message | None = None


@dataclass(eq=False)
class OpenProject:
    """A project that requests use or used; ``site`` is None until it is open."""

    name: str
    mark: Mark = ()
    site: Site | None = None
    users: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_needed(self) -> bool:
        """Whether somebody is using it."""
        return self.users > 0 or (self.site is not None and self.site.is_busy)


class Projects:
    """The projects in the home's folder; ``front`` is the server's own site."""

    def __init__(self, front: Site, most: int = MOST_OPEN) -> None:
        self.front, self.folder, self.most = front, front.home.root, most
        self._turns = threading.Semaphore(READ_AT_ONCE)
        self._open: OrderedDict[str, OpenProject] = OrderedDict()
        self._replaced: list[OpenProject] = []
        self._described: dict[str, tuple[float, ProjectEntry]] = {}
        self._lock = threading.Lock()

    @property
    def number_open(self) -> int:
        """Projects that are open now."""
        return len(self._open) + len(self._replaced)

    def list_folders(self) -> tuple[list[str], list[Skipped]]:
        """Return the names of the projects, and the folders that are not served."""
        names, skipped = list[str](), list[Skipped]()
        with os.scandir(self.folder) as entries:
            for entry in sorted(entries, key=lambda entry: (entry.name.casefold(), entry.name)):
                if entry.name.startswith(".") or not (entry.is_symlink() or entry.is_dir()):
                    continue
                reason = self._refuse(entry)
                if reason:
                    skipped.append(Skipped(entry.name, reason))
                else:
                    names.append(entry.name)
        return names, skipped

    def _refuse(self, entry: os.DirEntry[str]) -> Message | None:
        if entry.is_symlink():
            return Message("web-project-link")
        if not entry.name.isprintable():
            return Message("web-project-name")
        if not os.path.isfile(os.path.join(entry.path, CONFIG_NAME)):  # noqa: PTH113, PTH118 - for each of thousands
            return Message("web-project-no-config")
        return None

    def describe(self, name: str) -> ProjectEntry:
        """Return a project's row of the list, at most ``DESCRIBED_S`` seconds old."""
        now, known = time.monotonic(), self._described.get(name)
        if known is None or now - known[0] > DESCRIBED_S:
            known = self._described[name] = (now, self._read_entry(name))
        return known[1]

    def _read_entry(self, name: str) -> ProjectEntry:
        root, address = self.folder / name, replace(self.front, name=name).root
        environment = self.front.home.environment
        try:
            with open_workspace(root, environment=environment, cwd=root, read_only=True) as project:
                title, model = project.config.project.name, project.config.embedding.model
                status = project.store.index_status(model)
        except FoundryError as error:
            return ProjectEntry(name, name, address, problem=error.problem)
        return ProjectEntry(name, title, address, status.sources, status.chunks)

    def enter(self, request: Request, name: str) -> OpenProject:
        """Return the project for a request, which must ``leave`` it at its end.

        Raises what ``identify_caller`` raises, ``NotFound``, and ``StoreUnavailable`` if it cannot be
        opened.
        """
        request.state.site = replace(self.front, name=name)
        caller = identify_caller(request)
        project = self._take(name)
        try:
            site = self._get_site(project, caller)
            request.state.site = site
            request.state.caller = replace(caller, role=site.limit_role(caller.role))
        except BaseException:
            self.leave(project)
            raise
        return project

    def leave(self, project: OpenProject) -> None:
        """End a request's use of the project, and close projects that are no longer needed."""
        with self._lock:
            project.users -= 1
            closing = self._pick()
        if closing:
            # In a thread of its own: background work may take seconds to stop.
            threading.Thread(target=_close, args=(closing,), name="close", daemon=True).start()

    def close(self) -> None:
        """Close all projects."""
        with self._lock:
            every = [*self._open.values(), *self._replaced]
            self._open.clear()
            self._replaced.clear()
        _close(every)

    def _take(self, name: str) -> OpenProject:
        """Return the project and count one more user. Raises ``NotFound`` if it is gone."""
        mark = _read_mark(self.folder / name) if _is_name(name) else None
        with self._lock:
            project = self._open.get(name)
            if project and project.mark != mark:
                self._replaced.append(self._open.pop(name))
                project = None
            if project is None and mark:
                project = self._open[name] = OpenProject(name, mark)
            if project:
                project.users += 1
                self._open.move_to_end(name)
        if project is None:
            raise NotFound("web-project-gone", name=name)
        return project

    def _get_site(self, project: OpenProject, caller: Caller) -> Site:
        with project.lock:
            if project.site is None:
                try:
                    project.site = self._open_site(project.name)
                except FoundryError as error:
                    log_failure(f"project {project.name}", error)
                    whole = caller.role == self.front.owner.principal.role
                    cause = error.problem if whole else Message("web-project-see-log")
                    raise StoreUnavailable(
                        "web-project-broken", where=project.name, name=project.name, cause=cause
                    ) from error
            return project.site

    def _open_site(self, name: str) -> Site:
        root = self.folder / name
        # A case-insensitive file system also opens it under other spellings.
        if name not in os.listdir(self.folder):  # noqa: PTH208 - names only
            raise NotFound("web-project-gone", name=name)
        home = self.front.home
        workspace = open_workspace(root, environment=home.environment, cwd=root, command="serve")
        try:
            self._require_own(name, workspace.config)
        except BaseException:
            workspace.close()
            raise
        workspace.home = home
        site = replace(
            self.front,
            owner=workspace,
            name=name,
            worker=Worker(workspace, self._turns),
            background=Background(),
            replays=self.front.replays.limit_to(name),
            _views={},
            _lock=threading.Lock(),
            _users=0,
        )
        site.worker.start()
        return site

    def _require_own(self, name: str, config: Config) -> None:
        """Raise ``ConfigError`` if the database belongs to another project."""
        own = _find_database(self.folder / name, config)
        if isinstance(own, Path) and own.is_relative_to(self.folder) != own.is_relative_to(
            self.folder / name
        ):
            raise ConfigError("web-project-foreign", where=f"{CONFIG_NAME}: storage.url")
        with self._lock:
            others = [one for one in self._open.values() if one.name != name and one.site]
        for other in others:
            assert other.site
            known = other.site.owner
            same = _find_database(known.root, known.config), known.config.project.id
            if same == (own, config.project.id):
                raise ConfigError("web-project-twice", where=f"{CONFIG_NAME}: project.id")

    def _pick(self) -> list[OpenProject]:
        """Remove and return the projects to close: failed, replaced, and the oldest above ``most``."""
        idle = [one for one in self._open.values() if not one.is_needed]
        spare = max(0, len(self._open) - self.most)
        closing = [one for one in idle if one.site is None]
        closing += [one for one in idle if one.site is not None][:spare]
        for one in closing:
            del self._open[one.name]
        ended = [one for one in self._replaced if not one.is_needed]
        for one in ended:
            self._replaced.remove(one)
        return closing + ended


def _is_name(name: str) -> bool:
    """Whether a folder of this name can be served."""
    return name.isprintable() and not name.startswith(".") and not set(name) & set("/\\:")


def _read_mark(folder: Path) -> Mark | None:
    """Return the mark of a project's folder; None for other folders and for links."""
    try:
        own, config = folder.lstat(), (folder / CONFIG_NAME).stat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISDIR(own.st_mode) or not stat.S_ISREG(config.st_mode):
        return None
    return own.st_dev, own.st_ino, config.st_ino, config.st_mtime_ns, config.st_size


def _find_database(root: Path, config: Config) -> Path | str:
    """Return the file of a project's database, or the address of its server."""
    kind, _, path = config.storage.url.partition(":///")
    return (root / path).resolve() if kind == "sqlite" else config.storage.url


def _close(projects: list[OpenProject]) -> None:
    for project in projects:
        if project.site:
            try:
                project.site.close()
            except FoundryError as error:
                log_failure(f"project {project.name}", error)
