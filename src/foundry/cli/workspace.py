"""How a command works: on the opened project, through a server, or by an operation.

``--server URL`` asks another server, with a token in ``FOUNDRY_TOKEN``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import DONE, FAILED
from foundry.cli.output import say_notices, show, show_json
from foundry.errors import StoreError, UsageError
from foundry.messages import Message, set_language

if TYPE_CHECKING:
    from foundry.client import Client
    from foundry.operations.endpoints import Document, Endpoint
    from foundry.operations.table import Operation
    from foundry.ports import Step
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


def open_client(call: Call) -> Client:
    """The client of ``--server``."""
    # Imported here: most calls need no HTTP.
    from foundry.client import Client

    server = call.server or ""
    if not server.startswith(("http://", "https://")):
        raise UsageError("client-address-invalid", where="--server", address=server)
    if call.role:
        raise UsageError("client-role", where="--role", role=call.role)
    return Client(server, call.environment.get("FOUNDRY_TOKEN"))


def show_remote(call: Call, endpoint: Endpoint[Document], **given: Any) -> Document:
    """Ask the server, and show what the command shows here; returns the document."""
    with open_client(call) as client:
        document, text = client.render(endpoint, **given)
    if call.json:
        show_json(document)
    else:
        say_notices(call, getattr(document, "notices", ()))
        show(text)
    return document


def refuse_server(call: Call) -> None:
    """Raise ``UsageError`` for a command that cannot work through a server."""
    if call.server:
        raise UsageError("client-not-remote", where="--server")


Result = TypeVar("Result")
Show = Callable[[Call, Result], str | Message | None]
"""Returns the text of a result, or None if it has shown it."""


def shows(
    operation: Operation[Result],
    *,
    read_only: bool = True,
    failed: Callable[[Result], bool] = lambda _result: False,
) -> Callable[[Show[Result]], Callable[..., Any]]:
    """Make a command of what shows an operation's result; its arguments are named as the operation's."""

    def decorate(render: Show[Result]) -> Callable[..., Any]:
        @functools.wraps(render)
        def run(call: Call, workspace: Workspace, **typed: Any) -> int:
            # Imported here, as below: help and answers need none of it.
            from foundry.cli.progress import show_progress
            from foundry.operations.table import Scope

            with show_progress(call) if operation.slow else nullcontext(_ignore) as progress:
                scope = Scope(workspace, progress=progress)
                result = operation.perform(scope, **typed)
            if call.json:
                show_json(operation.build(result))
            elif (text := render(call, result)) is not None:
                show(text)
            return FAILED if failed(result) else DONE

        return bind_project(read_only=read_only)(run)

    return decorate


def _ignore(_step: Step) -> None:
    """Show nothing."""
