"""Finds the files to ingest, in folders or as named by the user.

Files come sorted and once each, under their path within the project. Links out of the
folder that is walked are not followed, and a named file that is refused comes back with the reason. Only
XML and YAML are opened, as most of it is no document.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from foundry.errors import ConfigError
from foundry.messages import Message
from foundry.readers.formats import SUPPORTED, shows_its_kind
from foundry.text.spotlight import escape_controls, has_controls

_KINDS = (
    (stat.S_ISFIFO, "readers-is-pipe"),
    (stat.S_ISSOCK, "readers-is-socket"),
    (stat.S_ISCHR, "readers-is-device"),
    (stat.S_ISBLK, "readers-is-device"),
)


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to read; ``name`` is its POSIX path within the project."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file or folder that cannot be ingested, and why; ``name`` is its path in the project."""

    name: str
    reason: Message


@dataclass(frozen=True, slots=True)
class Discovery:
    """The files to read, those refused, and those in folders that no reader knows."""

    files: tuple[FoundFile, ...]
    refused: tuple[RefusedFile, ...] = ()
    left_out: tuple[RefusedFile, ...] = ()


def discover(
    root: Path,
    paths: Sequence[Path],
    include: Sequence[str] = ("**/*",),
    exclude: Sequence[str] = (),
    max_bytes: int = 500 * 1024 * 1024,
) -> Discovery:
    """Find the files under ``paths``, which are relative to ``root``.

    Glob patterns match a path within the project or within the given folder; a pattern
    without a slash matches file names at any depth. ``include`` applies to folders only,
    not to files that are named. Raises ``ConfigError`` for a malformed pattern.
    """
    walk = _Walk(
        Path(os.path.realpath(root)), _compile_globs(include), _compile_globs(exclude), max_bytes
    )
    for path in paths:
        walk.start(root / path)
    return walk.result()


@dataclass(slots=True)
class _Walk:
    root: Path
    include: tuple[re.Pattern[str], ...]
    exclude: tuple[re.Pattern[str], ...]
    max_bytes: int
    files: dict[str, FoundFile] = field(default_factory=dict)
    refused: dict[str, Message] = field(default_factory=dict)
    left_out: dict[str, Message] = field(default_factory=dict)
    visited: set[str] = field(default_factory=set)

    def result(self) -> Discovery:
        return Discovery(
            tuple(self.files[name] for name in sorted(self.files)),
            _list_refused(self.refused),
            # A file that is named and in a named folder too is refused.
            _list_refused({n: why for n, why in self.left_out.items() if n not in self.refused}),
        )

    def start(self, path: Path) -> None:
        """Add a path that the user named."""
        # Resolve dots only, so that a link keeps its own name.
        path = Path(os.path.abspath(path))  # noqa: PTH100
        parent = Path(os.path.realpath(path.parent))
        path = parent / path.name
        if not os.path.lexists(path):
            self._refuse(path, Message("readers-not-found"))
        elif not self._is_inside(path):
            code = "readers-link-outside" if path.is_symlink() else "readers-outside"
            self._refuse(path, Message(code))
        elif path.is_dir():
            self._walk_folder(path)
        elif path.suffix.lower() not in SUPPORTED:
            self._refuse(path, explain_type(path))
        elif not _matches_any(self._get_name(path), self.exclude):
            self._add_file(path)
        else:
            self._refuse(path, Message("readers-excluded"))

    def _walk_folder(self, top: Path) -> None:
        pending: list[Path] = [top]
        linked: list[Path] = []
        while pending or linked:
            # Real folders first, so that a folder reached both ways keeps its real name.
            folder = pending.pop() if pending else linked.pop(0)
            real = os.path.realpath(folder)
            if real in self.visited:
                continue
            self.visited.add(real)
            for entry in self._list_entries(folder):
                path = folder / entry.name
                if entry.is_symlink() and not self._is_inside(path, top):
                    name = self._get_name(top)
                    self._refuse(path, Message("readers-link-leaves", folder=f"{name}/"))
                elif entry.is_symlink() and path.is_dir():
                    linked.append(path)
                elif entry.is_dir(follow_symlinks=False):
                    pending.append(path)
                else:
                    self._add_entry(path, top)

    def _list_entries(self, folder: Path) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                visible = [entry for entry in entries if not entry.name.startswith((".", "~$"))]
        except OSError as error:
            self._refuse(folder, Message("readers-folder-unreadable", cause=str(error.strerror)))
            return []
        return sorted(visible, key=lambda entry: entry.name)

    def _add_entry(self, path: Path, top: Path) -> None:
        names = (self._get_name(path), path.relative_to(top).as_posix())
        if not any(_matches_any(name, self.include) for name in names):
            return
        if any(_matches_any(name, self.exclude) for name in names):
            return
        if path.suffix.lower() in SUPPORTED and shows_its_kind(path):
            self._add_file(path)
        else:
            self.left_out[self._get_shown_name(path)] = explain_type(path)

    def _add_file(self, path: Path) -> None:
        reason = self._find_fault(path)
        if reason:
            self._refuse(path, reason)
        else:
            name = self._get_name(path)
            self.files.setdefault(name, FoundFile(path, name))

    def _find_fault(self, path: Path) -> Message | None:
        try:
            path.name.encode()
            status = path.stat()
        except UnicodeEncodeError:
            return Message("readers-name-not-utf8")
        except OSError as error:
            return Message("readers-unreadable", cause=str(error.strerror))
        if has_controls(str(path.relative_to(self.root))):
            return Message("readers-name-controls")
        for is_kind, code in _KINDS:
            if is_kind(status.st_mode):
                return Message(code)
        if status.st_size > self.max_bytes:
            size, limit = round(status.st_size / 1e6), round(self.max_bytes / 1e6)
            return Message("readers-too-large", size=size, limit=limit)
        return None if os.access(path, os.R_OK) else Message("readers-forbidden")

    def _is_inside(self, path: Path, folder: Path | None = None) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder or self.root))

    def _get_name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def _refuse(self, path: Path, reason: Message) -> None:
        self.refused[self._get_shown_name(path)] = reason

    def _get_shown_name(self, path: Path) -> str:
        name = self._get_name(path) if path.is_relative_to(self.root) else str(path)
        # Names that are not valid UTF-8 cannot be shown or stored as they are.
        return escape_controls(name.encode("utf-8", "backslashreplace").decode())


def _list_refused(reasons: Mapping[str, Message]) -> tuple[RefusedFile, ...]:
    return tuple(RefusedFile(name, why) for name, why in sorted(reasons.items()))


def explain_type(path: Path) -> Message:
    """The reason why a file of a type or kind that no reader knows is left out."""
    suffix = path.suffix.lower() or Message("readers-no-extension")
    if suffix in SUPPORTED:
        return Message("readers-kind-left-out", suffix=suffix)
    return Message("readers-type-left-out", suffix=suffix)


def _compile_globs(patterns: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    globs = []
    for pattern in patterns:
        try:
            globs.append(re.compile(_translate_glob(pattern)))
        except re.error as error:
            raise ConfigError(
                "readers-bad-pattern",
                where=f"ingest.include, ingest.exclude: {pattern!r}",
                cause=str(error),
            ) from error
    return tuple(globs)


def _matches_any(name: str, patterns: Sequence[re.Pattern[str]]) -> bool:
    return any(pattern.fullmatch(name) for pattern in patterns)


_GLOB_PART = re.compile(r"\*\*/|\*\*|\*|\?|\[!?[^\]/]+\]|.", re.DOTALL)
_GLOB_MEANING = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def _translate_glob(pattern: str) -> str:
    pattern = pattern.removeprefix("./")
    if pattern.endswith("/"):
        pattern += "**"
    if "/" not in pattern:
        pattern = f"**/{pattern}"
    return "".join(_translate_glob_part(part) for part in _GLOB_PART.findall(pattern))


def _translate_glob_part(part: str) -> str:
    if part in _GLOB_MEANING:
        return _GLOB_MEANING[part]
    if len(part) == 1:
        return re.escape(part)
    inside = part[1:-1].replace("\\", r"\\")
    return f"[^{inside[1:]}]" if inside.startswith("!") else f"[{inside}]"
