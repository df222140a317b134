"""The exit statuses, and how an exception becomes a message: what happened, where, what to do next."""

from __future__ import annotations

import errno
import traceback
from dataclasses import dataclass

import click

from foundry.cli.call import Call
from foundry.cli.output import say, show_json
from foundry.errors import FoundryError

DONE = 0
FAILED = 1
NO_EVIDENCE = 3


INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class ErrorMessage:
    """An error in the words of the program, with the exit status it ends in."""

    code: str
    message: str
    where: str
    fix: str
    status: int

    def as_dict(self) -> dict[str, dict[str, str]]:
        """The document that ``--json`` prints."""
        body = {"code": self.code, "message": self.message, "where": self.where, "fix": self.fix}
        return {"error": body}


def report_error(error: BaseException, call: Call) -> int:
    """Show an error as the call wants it; returns the exit status."""
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
        show_json(failure.as_dict())
    except OSError:
        # Standard output itself may be what failed: then the words go to standard error.
        return False
    return True


def describe_error(error: BaseException) -> ErrorMessage:
    """Any exception as a failure."""
    if isinstance(error, FoundryError):
        return ErrorMessage(error.code, error.message, error.where, error.fix, error.exit_status)
    if isinstance(error, click.Abort | KeyboardInterrupt):
        fix = "Run the same command again; it goes on from there."
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
    fix = f"Run `{path} --help` to see what it takes."
    if message.startswith("No such option"):
        fix += " Put -- before a text that begins with a dash."
    return ErrorMessage("usage", message, path, fix, error.exit_code)


def _describe_missing_package(error: ModuleNotFoundError) -> ErrorMessage:
    return ErrorMessage(
        "missing_package",
        f"A Python package that this needs is not installed: {error.name}.",
        "",
        f"Install it (`pip install {error.name}`), or Foundry with the extra that has it.",
        1,
    )


def _describe_system_error(error: OSError) -> ErrorMessage:
    where = str(error.filename or "")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        fix = "Make room, then run the same command again; nothing that was saved is lost."
        return ErrorMessage("disk_full", "The disk is full.", where, fix, 1)
    message = f"The system refused it: {error.strerror or error}."
    return ErrorMessage("system", message, where, "Check that the file or folder can be used.", 1)


def _describe_unexpected_error(error: BaseException) -> ErrorMessage:
    trace = traceback.extract_tb(error.__traceback__)
    where = f"{trace[-1].filename}:{trace[-1].lineno}" if trace else ""
    return ErrorMessage(
        "unexpected",
        f"An error that Foundry did not foresee: {type(error).__name__}: {error}",
        where,
        "Run it again with -vv to see the traceback, and report it.",
        1,
    )


def _render_message(failure: ErrorMessage) -> str:
    lines = [f"Error: {failure.message}"]
    if failure.where:
        lines.append(f"  Where: {failure.where}")
    if failure.fix:
        lines.append(f"  Next:  {failure.fix}")
    return "\n".join(lines)
