"""From an exception to what the user sees: what happened, where, and what to do next.

Tracebacks are shown with -vv only. Nothing here ends the program; it returns the
exit status.
"""

from __future__ import annotations

import errno
import traceback
from dataclasses import dataclass

import click

from foundry.cli.call import Call
from foundry.cli.output import say, show_json
from foundry.errors import FoundryError

INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Failure:
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


def report(error: BaseException, call: Call) -> int:
    """Show an error as the call wants it; returns the exit status."""
    failure = describe(error)
    if call.verbosity >= 2:
        say("".join(traceback.format_exception(error)).rstrip())
    if call.json and _shown_as_json(failure):
        return failure.status
    if failure.status == INTERRUPTED:
        say(failure.message)
    else:
        say(_as_text(failure))
    return failure.status


def _shown_as_json(failure: Failure) -> bool:
    try:
        show_json(failure.as_dict())
    except OSError:
        # Standard output itself may be what failed: then the words go to standard error.
        return False
    return True


def describe(error: BaseException) -> Failure:
    """Any exception as a failure."""
    if isinstance(error, FoundryError):
        return Failure(error.code, error.message, error.where, error.fix, error.exit_status)
    if isinstance(error, click.Abort | KeyboardInterrupt):
        fix = "Run the same command again; it goes on from there."
        return Failure("interrupted", "Interrupted.", "", fix, INTERRUPTED)
    if isinstance(error, click.ClickException):
        return _wrong_usage(error)
    if isinstance(error, ModuleNotFoundError) and not str(error.name).startswith("foundry"):
        return _missing_package(error)
    if isinstance(error, OSError):
        return _system_error(error)
    return _unexpected(error)


def _wrong_usage(error: click.ClickException) -> Failure:
    ctx = getattr(error, "ctx", None)
    path = ctx.command_path if ctx else "foundry"
    message = error.format_message()
    fix = f"Run `{path} --help` to see what it takes."
    if message.startswith("No such option"):
        fix += " Put -- before a text that begins with a dash."
    return Failure("usage", message, path, fix, error.exit_code)


def _missing_package(error: ModuleNotFoundError) -> Failure:
    return Failure(
        "missing_package",
        f"A Python package that this needs is not installed: {error.name}.",
        "",
        f"Install it (`pip install {error.name}`), or Foundry with the extra that has it.",
        1,
    )


def _system_error(error: OSError) -> Failure:
    where = str(error.filename or "")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        fix = "Make room, then run the same command again; nothing that was saved is lost."
        return Failure("disk_full", "The disk is full.", where, fix, 1)
    message = f"The system refused it: {error.strerror or error}."
    return Failure("system", message, where, "Check that the file or folder can be used.", 1)


def _unexpected(error: BaseException) -> Failure:
    trace = traceback.extract_tb(error.__traceback__)
    where = f"{trace[-1].filename}:{trace[-1].lineno}" if trace else ""
    return Failure(
        "unexpected",
        f"An error that Foundry did not foresee: {type(error).__name__}: {error}",
        where,
        "Run it again with -vv to see the traceback, and report it.",
        1,
    )


def _as_text(failure: Failure) -> str:
    lines = [f"Error: {failure.message}"]
    if failure.where:
        lines.append(f"  Where: {failure.where}")
    if failure.fix:
        lines.append(f"  Next:  {failure.fix}")
    return "\n".join(lines)
