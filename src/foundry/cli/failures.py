"""The exit statuses, and how an exception becomes a message.

A message says what happened, where, and what to do next; -vv adds the traceback. Nothing here
ends the program.
"""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from foundry.cli.call import Call
from foundry.cli.help import describe_usage_error, get_path
from foundry.cli.output import say, show_json
from foundry.errors import FoundryError, describe_missing
from foundry.installation import find_extra
from foundry.messages import Message, format_message
from foundry.text.spotlight import escape_controls

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
    problem: Message

    def to_json(self) -> ErrorJson:
        """The document that ``--json`` prints."""
        # Imported here: every command loads this module, and few of them print an error as JSON.
        from foundry.wire.base import ErrorJson

        return ErrorJson(error=self, problem=self.problem)


def report_error(error: BaseException, call: Call) -> int:
    """Show an error as text or JSON, and return the exit status."""
    failure = describe_error(error)
    if call.verbosity >= 2:
        import traceback

        say(_redact("".join(traceback.format_exception(error)).rstrip()))
    if call.json and _print_json(failure):
        return failure.status
    if failure.status == INTERRUPTED:
        say("\n".join([failure.message, failure.fix] if failure.where else [failure.message]))
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
        return _describe(error.code, error.problem, error.where, error.exit_status, error.fix)
    if isinstance(error, click.Abort | KeyboardInterrupt):
        return _describe("interrupted", Message("cli-interrupted"), "", INTERRUPTED)
    if isinstance(error, click.ClickException):
        return _describe_usage_error(error)
    if isinstance(error, ModuleNotFoundError) and not str(error.name).startswith("foundry"):
        return _describe_missing_package(str(error.name))
    if isinstance(error, OSError):
        return _describe_system_error(error)
    return _describe_unexpected_error(error)


def _describe(code: str, problem: Message, where: str, status: int, fix: str = "") -> ErrorMessage:
    fix = fix or format_message(problem, attribute="fix")
    return ErrorMessage(code, str(problem), where, fix, status, problem)


def _describe_missing_package(name: str) -> ErrorMessage:
    extra = find_extra(name)
    missing = describe_missing(extra) if extra else Message("cli-package-missing", name=name)
    return _describe("missing_package", missing, "", FAILED)


def _describe_usage_error(error: click.ClickException) -> ErrorMessage:
    path = get_path(error)
    help_ = format_message(Message("cli-usage", text="", path=path), attribute="fix")
    problem = describe_usage_error(error)
    fix = format_message(problem, attribute="fix") or help_
    return _describe("usage", problem, path, error.exit_code, fix)


def _describe_system_error(error: OSError) -> ErrorMessage:
    where = str(error.filename or "")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _describe("disk_full", Message("cli-disk-full"), where, FAILED)
    cause = str(error.strerror or error)
    return _describe("system", Message("cli-system", cause=cause), where, FAILED)


def _describe_unexpected_error(error: BaseException) -> ErrorMessage:
    # Imported here: few commands fail.
    import traceback

    trace = traceback.extract_tb(error.__traceback__)
    where = f"{trace[-1].filename}:{trace[-1].lineno}" if trace else ""
    problem = Message("cli-unexpected", kind=type(error).__name__, cause=_redact(str(error)))
    return _describe("unexpected", problem, where, FAILED)


def _redact(text: str) -> str:
    """What other libraries wrote may repeat a request with its key."""
    # Imported here: few commands fail.
    from foundry.config import redact_secrets

    return redact_secrets(text, os.environ)


def _render_message(failure: ErrorMessage) -> str:
    # A file name may contain line breaks.
    where = escape_controls(failure.where)
    lines = [str(Message("cli-error", text=failure.message))]
    lines += [
        format_message(Message("cli-error", text=text), attribute=part)
        for part, text in (("where", where), ("fix", failure.fix))
        if text
    ]
    return "\n".join(lines)
