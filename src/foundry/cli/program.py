"""The root command, and the one place that decides how a run ends.

Exit statuses: 0 done, 1 failed, 2 wrong usage or refused by a rule, 3 no evidence,
130 interrupted. A reader that closes the pipe early is not a failure.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from foundry import __version__
from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import COMMANDS, LazyGroup
from foundry.cli.failures import report_error
from foundry.cli.help import UsageProblem
from foundry.cli.output import prepare_streams, show
from foundry.messages import Message, use_language


class Program(LazyGroup):
    """The root command: turns any exception into a message and an exit status."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = "foundry",
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        arguments = list(sys.argv[1:] if args is None else args)
        call = Call(json=_wants_json(arguments))
        prepare_streams()
        with use_language(call.default_language()):
            try:
                status = super().main(
                    arguments, prog_name, complete_var, standalone_mode=False, obj=call, **extra
                )
            except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last stop
                status = report_error(error, call)
        if not standalone_mode:
            return status
        sys.exit(status or 0)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _discard_output()
            return 0


def _wants_json(arguments: Sequence[str]) -> bool:
    """Whether errors are printed as JSON; read before parsing, because parsing may fail."""
    before = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in before


def _discard_output() -> None:
    # Output still buffered for the closed pipe would raise again at exit.
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())


@click.command(
    cls=Program, entries=COMMANDS, default=None, name="foundry", invoke_without_command=True
)
@click.version_option(__version__, "--version", message="foundry %(version)s")
@common_options
@pass_call
@click.pass_context
def foundry(ctx: click.Context, call: Call) -> None:
    if ctx.invoked_subcommand is None:
        if call.json:
            raise UsageProblem(Message("cli-no-command"), ctx)
        show(ctx.get_help())
