"""``foundry verify``."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

from foundry import __version__
from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import DONE, FAILED
from foundry.cli.help import Command
from foundry.cli.input import ask_overwrite
from foundry.cli.options import add_options, read_filters
from foundry.cli.output import format_json, say, say_notices, show, show_json_document
from foundry.cli.progress import pause_progress, show_progress
from foundry.cli.workspace import open_project, show_remote
from foundry.errors import UsageError
from foundry.journeys.delivery import resolve_output
from foundry.journeys.verify import CONFIGURED, annotate, verify, verify_text
from foundry.messages import Message
from foundry.operations import endpoints
from foundry.options import ScopeOptions
from foundry.records import Verification
from foundry.render.files import decide_overwrite, write_document, write_documents
from foundry.render.sarif import build_sarif
from foundry.render.verification import render_verification
from foundry.wire.verification import VerificationJson
from foundry.workspace import Workspace

_FORMATS = ("text", "json", "sarif", "docx")
_WORD = frozenset({".docx", ".docm", ".dotx", ".dotm"})


@click.command("verify", cls=Command)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--judge", metavar="MODEL", default=CONFIGURED)
@click.option("--format", "form", type=click.Choice(_FORMATS))
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="PATH")
@click.option("--yes", is_flag=True)
@add_options(ScopeOptions)
@common_options
@pass_call
def command(
    call: Call,
    /,
    *,
    file: Path,
    judge: str,
    form: str | None,
    output: Path | None,
    yes: bool,
    **scope: Any,
) -> int:
    form = _choose_format(call, form, file, output)
    if call.server:
        if output or form not in ("text", "json"):
            raise UsageError("verify-format-of-server", where="--format, --output")
        return _verify_remotely(call, file, judge, **scope)
    with open_project(call) as workspace, show_progress(call) as progress:
        target = resolve_output(workspace, output) if output else None
        if target == file.resolve():
            raise UsageError("verify-output-is-file", where="--output")
        allowed = yes or pause_progress(progress)(ask_overwrite)
        replacing = decide_overwrite([target] if target else [], allowed)
        filters, piped = read_filters(call, workspace, scope["filters"]), str(file) == "-"
        name = str(Message("verify-standard-input"))
        check = (
            partial(verify_text, workspace, _read_input(workspace), name=name)
            if piped
            else partial(verify, workspace, file)
        )
        found = check(filters=filters, mode=scope["mode"], judge=judge, progress=progress)
    _deliver(call, found, file, form, target, overwrite=replacing)
    return DONE if found.passed else FAILED


def _choose_format(call: Call, form: str | None, file: Path, output: Path | None) -> str:
    """The format; raises ``UsageError`` for one that the file or the other options do not allow."""
    if call.json and form not in (None, "json"):
        raise UsageError("verify-two-formats", where="--json, --format", format=form)
    form = form or ("json" if call.json else "text")
    call.json = form == "json"
    if form == "docx" and file.suffix.lower() not in _WORD:
        raise UsageError("verify-not-word", where="--format", name=file.name)
    if form == "docx" and output is None:
        raise UsageError("verify-output-missing", where="--output")
    suffix = file.suffix if form == "docx" else ""
    if output and (suffix or output.suffix in _WORD) and output.suffix != suffix:
        raise UsageError("verify-output-suffix", where="--output", name=output.name, format=form)
    return form


def _verify_remotely(call: Call, file: Path, judge: str, **scope: Any) -> int:
    if judge not in (CONFIGURED, "none"):
        raise UsageError("verify-judge-of-server", where="--judge")
    found = show_remote(call, endpoints.VERIFY, text=_read_text(file), judge=judge, **scope)
    return DONE if found.passed else FAILED


def _deliver(
    call: Call,
    found: Verification,
    file: Path,
    form: str,
    target: Path | None,
    *,
    overwrite: bool,
) -> None:
    """Print the report, or write it to ``target`` and print where it is."""
    if form in ("text", "docx"):
        say_notices(call, found.notices)
    if target is None:
        _show(call, found, file, form)
        return
    if form == "docx":
        copy = annotate(file, found)
        write_documents({target: copy.data}, overwrite=overwrite)
        show(Message("verify-commented", path=str(target), number=copy.comments))
        if copy.unplaced:
            say_notices(call, [Message("verify-unplaced", number=copy.unplaced)])
        return
    report = (
        render_verification(found, verbose=call.verbosity > 0)
        if form == "text"
        else format_json(_build_document(call, found, file, form))
    )
    write_document(target, f"{report}\n", overwrite=overwrite)
    # With --json standard output is JSON and nothing else.
    (say if call.json else show)(Message("verify-wrote", path=str(target)))


def _show(call: Call, found: Verification, file: Path, form: str) -> None:
    if form == "text":
        show(render_verification(found, verbose=call.verbosity > 0))
    else:
        show_json_document(_build_document(call, found, file, form))


def _build_document(call: Call, found: Verification, file: Path, form: str) -> dict[str, Any]:
    if form == "json":
        return VerificationJson.from_record(found).model_dump(mode="json")
    path = None if str(file) == "-" else _find_relative(file)
    return build_sarif(found, path, __version__, passed=call.verbosity > 0)


def _find_relative(file: Path) -> Path:
    """The path from the current folder, where the file is below it: other machines know that one."""
    whole = Path(os.path.abspath(file))  # noqa: PTH100 - links keep their names
    here = Path.cwd()
    return whole.relative_to(here) if whole.is_relative_to(here) else whole


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
