"""Which files an ingest reads: a walk of folders, or files named by the user.

The order is sorted and every file comes once, under its path within the project.
Nothing outside the project is followed, nothing is opened, and a named file that
is left out comes back with the reason.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from foundry.errors import ConfigError
from foundry.readers.formats import SUPPORTED

_KINDS = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to read: where it is, and its POSIX path within the project."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file or folder that is left out, and why; ``name`` as the user knows it."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Discovery:
    """What was found. ``notices`` are sentences on what a walk left out by its type."""

    files: tuple[FoundFile, ...]
    refused: tuple[RefusedFile, ...] = ()
    notices: tuple[str, ...] = ()


def discover(
    root: Path,
    paths: Sequence[Path],
    include: Sequence[str] = ("**/*",),
    exclude: Sequence[str] = (),
    max_bytes: int = 500 * 1024 * 1024,
) -> Discovery:
    """The files under ``paths`` (relative ones from ``root``), in sorted order.

    Glob patterns match a file's path within the project or within the folder that
    is walked; one without a slash matches its name at any depth. ``include`` does
    not limit files that are named themselves.
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
    refused: dict[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    visited: set[str] = field(default_factory=set)

    def result(self) -> Discovery:
        notices: tuple[str, ...] = ()
        if self.left_out:
            kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.left_out.items()))
            total = sum(self.left_out.values())
            notices = (f"Left out {total} file{'s' * (total != 1)} of other types ({kinds}).",)
        return Discovery(
            tuple(self.files[name] for name in sorted(self.files)),
            tuple(RefusedFile(name, why) for name, why in sorted(self.refused.items())),
            notices,
        )

    def start(self, path: Path) -> None:
        """Take a path that the user named."""
        # Only the dots are resolved: a link keeps its own name.
        path = Path(os.path.abspath(path))  # noqa: PTH100
        parent = Path(os.path.realpath(path.parent))
        path = parent / path.name
        if not os.path.lexists(path):
            self._refuse(path, "There is no such file or folder.")
        elif not self._is_inside(path):
            where = "It points" if path.is_symlink() else "It is"
            self._refuse(path, f"{where} outside the project folder.")
        elif path.is_dir():
            self._folder(path)
        elif path.suffix.lower() not in SUPPORTED:
            kind = path.suffix.lower() or "files without an extension"
            self._refuse(path, f"Foundry does not read {kind}.")
        elif not _matches_any(self._name(path), self.exclude):
            self._file(path)
        else:
            self._refuse(path, "ingest.exclude leaves it out.")

    def _folder(self, top: Path) -> None:
        pending: list[Path] = [top]
        linked: list[Path] = []
        while pending or linked:
            # Real folders first: what is reached both ways keeps its real name.
            folder = pending.pop() if pending else linked.pop(0)
            real = os.path.realpath(folder)
            if real in self.visited:
                continue
            self.visited.add(real)
            for entry in self._entries(folder):
                path = folder / entry.name
                if entry.is_symlink() and not self._is_inside(path):
                    self._refuse(path, "It is a link that points outside the project folder.")
                elif entry.is_symlink() and path.is_dir():
                    linked.append(path)
                elif entry.is_dir(follow_symlinks=False):
                    pending.append(path)
                else:
                    self._entry(path, top)

    def _entries(self, folder: Path) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                found = [entry for entry in entries if not entry.name.startswith((".", "~$"))]
        except OSError as error:
            self._refuse(folder, f"The folder cannot be read: {error.strerror}.")
            return
        yield from sorted(found, key=lambda entry: entry.name)

    def _entry(self, path: Path, top: Path) -> None:
        names = (self._name(path), path.relative_to(top).as_posix())
        if not any(_matches_any(name, self.include) for name in names):
            return
        if any(_matches_any(name, self.exclude) for name in names):
            return
        if path.suffix.lower() in SUPPORTED:
            self._file(path)
        else:
            self.left_out[path.suffix.lower() or "no extension"] += 1

    def _file(self, path: Path) -> None:
        reason = self._find_fault(path)
        if reason:
            self._refuse(path, reason)
        else:
            name = self._name(path)
            self.files.setdefault(name, FoundFile(path, name))

    def _find_fault(self, path: Path) -> str | None:
        try:
            path.name.encode()
            facts = path.stat()
        except UnicodeEncodeError:
            return "Its name is not valid UTF-8; rename it."
        except OSError as error:
            return f"It cannot be read: {error.strerror}."
        for is_kind, kind in _KINDS:
            if is_kind(facts.st_mode):
                return f"It is {kind}, not a file."
        if facts.st_size > self.max_bytes:
            return (
                f"It is too large: {facts.st_size / 1e6:,.0f} MB, and ingest.max_file_mb "
                f"allows {self.max_bytes / 1e6:,.0f} MB."
            )
        return None if os.access(path, os.R_OK) else "You may not read it (permissions)."

    def _is_inside(self, path: Path) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(self.root)

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def _refuse(self, path: Path, reason: str) -> None:
        name = self._name(path) if path.is_relative_to(self.root) else str(path)
        # A name that is no text cannot be shown or stored as it is.
        self.refused[name.encode("utf-8", "backslashreplace").decode()] = reason


def _compile_globs(patterns: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    found = []
    for pattern in patterns:
        try:
            found.append(re.compile(_translate_glob(pattern)))
        except re.error as error:
            raise ConfigError(
                f"This is not a valid pattern: {error}.",
                where=f"ingest.include or ingest.exclude: {pattern!r}",
                fix="Use *, **, ? and [abc], as in **/*.pdf or drafts/**.",
            ) from error
    return tuple(found)


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
