"""Commands of operations: the project is opened and the operation run in one place, for text and for JSON."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TypeVar

from foundry.cli.call import Call
from foundry.cli.failures import DONE, FAILED
from foundry.cli.output import show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.workspace import bind_project
from foundry.messages import Message
from foundry.operations.table import Operation, Scope
from foundry.ports import Step
from foundry.workspace import Workspace

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
