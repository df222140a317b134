"""Opening the project that a call is about, and finding in it what the call names."""

from __future__ import annotations

from pathlib import Path

from foundry.cli.call import Call
from foundry.errors import StoreError, UsageError
from foundry.records import CONFIDENTIALITY_LEVELS, Source
from foundry.workspace import Workspace, open_workspace


def open_project(call: Call, *, read_only: bool = False) -> Workspace:
    """The workspace of ``--project``, else of the folder the program runs in.

    ``read_only`` suits commands that change nothing, and works on a disk that cannot
    be written to. A database that is still to be made or updated is opened to write.
    """
    try:
        return _open_workspace(call, read_only=read_only)
    except StoreError as error:
        if not read_only or type(error) is not StoreError:
            raise
        return _open_workspace(call, read_only=False)


def _open_workspace(call: Call, *, read_only: bool) -> Workspace:
    return open_workspace(
        call.project, environment=call.environment, cwd=Path.cwd(), read_only=read_only
    )


def is_visible(source: Source, workspace: Workspace) -> bool:
    """Whether the project's ``access.role`` may see this source."""
    level = CONFIDENTIALITY_LEVELS.index
    return level(source.confidentiality) <= level(workspace.config.access.role)


def get_source(workspace: Workspace, name: str) -> Source:
    """The source with this id or path, in the project or from here. Raises ``UsageError``."""
    for candidate in (name, _find_project_path(workspace, name)):
        source = workspace.store.find_source(candidate) if candidate else None
        if source is not None and is_visible(source, workspace):
            return source
    raise UsageError(
        f"There is no source {name!r} in this project.",
        where=str(workspace.root),
        fix="Run `foundry sources list` to see the paths of all sources.",
    )


def _find_project_path(workspace: Workspace, name: str) -> str | None:
    path = (Path.cwd() / name).absolute()
    root = workspace.root.absolute()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else None
