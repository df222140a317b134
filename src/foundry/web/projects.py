"""The projects of a server that has several: folders in one folder, each opened on first request.

Idle projects are closed when others are needed; tokens, sessions and the replies to repeated requests
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
"""Projects that are open at the same time (a guess): each has a thread, and a few files and connections."""
DESCRIBED_S = 60.0
"""How long what a list shows of a project is kept (a guess): reading it takes some 30 ms."""
READ_AT_ONCE = 2
"""Projects whose uploads are read at the same time (a guess): each has parsers of its own."""
Mark = tuple[int, ...]
"""What tells a folder and its configuration from what takes their place."""


class Skipped(NamedTuple):
    """What is in the folder and is not served, with the reason."""

    name: str
    reason: Message


class ProjectEntry(NamedTuple):
    """A project in a list: the name of its folder, its own, its address, and what is in it."""

    name: str
    title: str
    address: str
    sources: int | None = None
    chunks: int | None = None
    problem: Message | None = None


@dataclass(eq=False)
class OpenProject:
    """A project that requests use, or did; ``site`` is None until it is open."""

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
        """The names of the projects, and what else is there."""
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
        """A project as a list shows it, at most ``DESCRIBED_S`` old."""
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
        """The project for a request, which calls ``leave`` at its end.

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
        """A request has ended; projects that nobody needs may be closed."""
        with self._lock:
            project.users -= 1
            closing = self._pick()
        if closing:
            # Not in the request's way: work in the background may take seconds to stop.
            threading.Thread(target=_close, args=(closing,), name="close", daemon=True).start()

    def close(self) -> None:
        """Close them all."""
        with self._lock:
            every = [*self._open.values(), *self._replaced]
            self._open.clear()
            self._replaced.clear()
        _close(every)

    def _take(self, name: str) -> OpenProject:
        """The project of that name, counted as used. Raises ``NotFound`` for one that is gone."""
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
        # A disk that does not tell cases apart would find it under other names too.
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
        """Raise for a database that is another project's."""
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
        """What can be closed: failed and replaced projects, and the least recently used beyond the most."""
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
    """Whether it can be the name of a folder that is served."""
    return name.isprintable() and not name.startswith(".") and not set(name) & set("/\\:")


def _read_mark(folder: Path) -> Mark | None:
    """None for what is no project; a link is none, wherever it leads."""
    try:
        own, config = folder.lstat(), (folder / CONFIG_NAME).stat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISDIR(own.st_mode) or not stat.S_ISREG(config.st_mode):
        return None
    return own.st_dev, own.st_ino, config.st_ino, config.st_mtime_ns, config.st_size


def _find_database(root: Path, config: Config) -> Path | str:
    """The file of a project's database, or the address of its server."""
    kind, _, path = config.storage.url.partition(":///")
    return (root / path).resolve() if kind == "sqlite" else config.storage.url


def _close(projects: list[OpenProject]) -> None:
    for project in projects:
        if project.site:
            try:
                project.site.close()
            except FoundryError as error:
                log_failure(f"project {project.name}", error)
