"""Opens the project of a call, and finds the source that a call names."""

from __future__ import annotations

from pathlib import Path

from foundry.cli.call import Call
from foundry.errors import StoreError, UsageError
from foundry.records import Source
from foundry.workspace import Workspace, open_workspace


def open_project(call: Call, *, read_only: bool = False) -> Workspace:
    """The workspace of ``--project``, or of the current folder.

    ``read_only`` is for commands that change nothing; it works on a disk that cannot be written
    to. A database that has to be created or updated first is opened for writing all the same.
    """
    try:
        return _open_workspace(call, read_only=read_only)
    except StoreError as error:
        if not read_only or type(error) is not StoreError:
            raise
        return _open_workspace(call, read_only=False)


def _open_workspace(call: Call, *, read_only: bool) -> Workspace:
    return open_workspace(
        call.project,
        environment=call.environment,
        cwd=Path.cwd(),
        role=call.role,
        read_only=read_only,
    )


def get_source(workspace: Workspace, name: str) -> Source:
    """The source with this id or path, relative to the project or the current folder.

    Raises ``UsageError`` when there is none that the caller's role may see.
    """
    for candidate in (name, _find_project_path(workspace, name)):
        source = workspace.store.find_source(candidate) if candidate else None
        if source is not None:
            return source
    raise UsageError(
        f"This project has no source {name!r}.",
        where=str(workspace.root),
        fix="Run `foundry sources list` to see all paths.",
    )


def _find_project_path(workspace: Workspace, name: str) -> str | None:
    path = (Path.cwd() / name).absolute()
    root = workspace.root.absolute()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else None
