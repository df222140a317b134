"""The exit statuses, and how an exception becomes a message.

A message says what happened, where, and what to do next; -vv adds the traceback. Nothing here
ends the program.
"""

from __future__ import annotations

import errno
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from foundry.cli.call import Call
from foundry.cli.output import say, show_json
from foundry.errors import FoundryError
from foundry.messages import Message

if TYPE_CHECKING:
    from foundry.wire.base import ErrorJson

DONE = 0
FAILED = 1
NO_EVIDENCE = 3
INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class ErrorMessage:
    """An error as the user sees it, with the exit status that it leads to."""

    code: str
    message: str
    where: str
    fix: str
    status: int
    problem: Message | None = None

    def to_json(self) -> ErrorJson:
        """The document that ``--json`` prints."""
        # Imported here: every command loads this module, and few of them print an error as JSON.
        from foundry.wire.base import ErrorJson

        return ErrorJson(error=self)


def report_error(error: BaseException, call: Call) -> int:
    """Show an error as text or JSON, and return the exit status."""
    failure = describe_error(error)
    if call.verbosity >= 2:
        say("".join(traceback.format_exception(error)).rstrip())
    if call.json and _print_json(failure):
        return failure.status
    if failure.status == INTERRUPTED:
        say(failure.message)
    else:
        say(_render_message(failure))
    return failure.status


def _print_json(failure: ErrorMessage) -> bool:
    try:
        show_json(failure.to_json())
    except OSError:
        # Standard output itself may have failed: then the text goes to standard error.
        return False
    return True


def describe_error(error: BaseException) -> ErrorMessage:
    """The message for any exception."""
    if isinstance(error, FoundryError):
        return ErrorMessage(
            error.code, error.message, error.where, error.fix, error.exit_status, error.problem
        )
    if isinstance(error, click.Abort | KeyboardInterrupt):
        fix = "Run the same command again to resume."
        return ErrorMessage("interrupted", "Interrupted.", "", fix, INTERRUPTED)
    if isinstance(error, click.ClickException):
        return _describe_usage_error(error)
    if isinstance(error, ModuleNotFoundError) and not str(error.name).startswith("foundry"):
        return _describe_missing_package(error)
    if isinstance(error, OSError):
        return _describe_system_error(error)
    return _describe_unexpected_error(error)


def _describe_usage_error(error: click.ClickException) -> ErrorMessage:
    ctx = getattr(error, "ctx", None)
    path = ctx.command_path if ctx else "foundry"
    message = error.format_message()
    fix = f"Run `{path} --help` to see its options."
    if message.startswith("No such option"):
        fix += " Put -- before text that starts with a dash."
    return ErrorMessage("usage", message, path, fix, error.exit_code)


def _describe_missing_package(error: ModuleNotFoundError) -> ErrorMessage:
    return ErrorMessage(
        "missing_package",
        f"The Python package {error.name} is not installed.",
        "",
        f"Run `pip install {error.name}`, or install Foundry with the extra that includes it.",
        1,
    )


def _describe_system_error(error: OSError) -> ErrorMessage:
    where = str(error.filename or "")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        fix = "Free some space, then run the same command again; saved work is kept."
        return ErrorMessage("disk_full", "The disk is full.", where, fix, 1)
    message = f"The operating system reported: {error.strerror or error}."
    return ErrorMessage("system", message, where, "Check that the file or folder is accessible.", 1)


def _describe_unexpected_error(error: BaseException) -> ErrorMessage:
    trace = traceback.extract_tb(error.__traceback__)
    where = f"{trace[-1].filename}:{trace[-1].lineno}" if trace else ""
    return ErrorMessage(
        "unexpected",
        f"Unexpected error: {type(error).__name__}: {error}",
        where,
        "Run it again with -vv and report the traceback.",
        1,
    )


def _render_message(failure: ErrorMessage) -> str:
    lines = [f"Error: {failure.message}"]
    if failure.where:
        lines.append(f"  Where: {failure.where}")
    if failure.fix:
        lines.append(f"  Next:  {failure.fix}")
    return "\n".join(lines)
