"""``foundry verify``."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import DONE, FAILED
from foundry.cli.help import Command
from foundry.cli.output import say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.remote import show_remote
from foundry.cli.scope import SearchScope, scope_options
from foundry.cli.workspace import open_project
from foundry.errors import UsageError
from foundry.journeys.verify import verify, verify_text
from foundry.messages import Message
from foundry.render.verification import render_verification
from foundry.wire.verification import VerificationJson
from foundry.workspace import Workspace


@click.command("verify", cls=Command)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@scope_options
@common_options
@pass_call
def command(call: Call, *, file: Path, scope: SearchScope) -> int:
    if call.server:
        body = {"text": _read_text(file), **scope.to_json()}
        return DONE if show_remote(call, "/verify", body, VerificationJson).passed else FAILED
    with open_project(call) as workspace, show_progress(call) as progress:
        filters, piped = scope.read(workspace, call), str(file) == "-"
        check = (
            partial(
                verify_text,
                workspace,
                _read_input(workspace),
                name=str(Message("verify-standard-input")),
            )
            if piped
            else partial(verify, workspace, file)
        )
        verification = check(filters=filters, mode=scope.mode, progress=progress)
    if call.json:
        show_json(VerificationJson.from_record(verification))
    else:
        say_notices(call, verification.notices)
        show(render_verification(verification, verbose=call.verbosity > 0))
    return DONE if verification.passed else FAILED


def _read_text(file: Path) -> str:
    """A text to send. Raises ``UsageError`` unless it is UTF-8."""
    try:
        return sys.stdin.buffer.read().decode() if str(file) == "-" else file.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError("client-text-only", where=str(file)) from error


def _read_input(workspace: Workspace) -> bytes:
    """Standard input; one byte too many shows that it is too large."""
    data = sys.stdin.buffer.read(workspace.config.ingest.max_file_mb * 1_000_000 + 1)
    if not data.strip():
        where = str(Message("verify-standard-input"))
        raise UsageError("verify-input-empty", where=where)
    return data
