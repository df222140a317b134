"""Opens the project of a call."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.remote import refuse_server
from foundry.errors import StoreError
from foundry.messages import set_language

if TYPE_CHECKING:
    from foundry.workspace import Workspace


def bind_project(*, read_only: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the call and its opened project, and the options that every command has."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def run(call: Call, /, **typed: Any) -> Any:
            with open_project(call, read_only=read_only) as workspace:
                return command(call, workspace, **typed)

        return common_options(pass_call(run))

    return decorate


def open_project(call: Call, *, read_only: bool = False) -> Workspace:
    """The workspace of ``--project``, or of the current folder.

    ``read_only`` is for commands that change nothing; it works on a disk that cannot be written
    to. A database that has to be created or updated first is opened for writing all the same.
    """
    refuse_server(call)
    try:
        return _open_workspace(call, read_only=read_only)
    except StoreError as error:
        if not read_only or type(error) is not StoreError:
            raise
        return _open_workspace(call, read_only=False)


def _open_workspace(call: Call, *, read_only: bool) -> Workspace:
    # Imported here: help needs no project.
    from foundry.workspace import open_workspace

    workspace = open_workspace(
        call.project,
        environment=call.environment,
        cwd=Path.cwd(),
        role=call.role,
        read_only=read_only,
        command=click.get_current_context().command_path.partition(" ")[2],
    )
    set_language(call.language or workspace.config.language)
    return workspace
