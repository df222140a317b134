"""``foundry eval import``."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import DONE, FAILED
from foundry.cli.help import Command
from foundry.cli.output import say, say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.usage import UsageProblem
from foundry.cli.workspace import open_project
from foundry.evaluation.questions import (
    FEEDBACK_SET,
    ImportReport,
    import_feedback,
    import_questions,
)
from foundry.messages import Message, format_message
from foundry.wire.evaluation import EvalImportJson

MAX_SHOWN = 20
"""Refused lines printed, one screen; -v and --json give all."""


@click.command("import", cls=Command)
@click.argument("files", nargs=-1, metavar="[FILE…]", type=click.Path(path_type=Path))
@click.option("--set", "set_name", metavar="NAME")
@click.option("--replace", "replace", is_flag=True)
@click.option("--format", "form", type=click.Choice(["jsonl", "csv", "beir"]))
@click.option("--feedback", is_flag=True)
@click.option("--strict", is_flag=True)
@common_options
@pass_call
def command(
    call: Call,
    *,
    files: tuple[Path, ...],
    set_name: str | None,
    replace: bool,
    form: Literal["jsonl", "csv", "beir"] | None,
    feedback: bool,
    strict: bool,
) -> int:
    if bool(files) is feedback:
        raise UsageProblem(Message("eval-import-what"))
    with open_project(call) as workspace:
        if feedback:
            report = import_feedback(workspace, set_name or FEEDBACK_SET)
        else:
            with show_progress(call) as progress:
                report = import_questions(
                    workspace, files, set_name=set_name, replace_changed=replace, form=form,
                    progress=progress,
                )  # fmt: skip
    if call.json:
        show_json(EvalImportJson.from_record(report))
    else:
        _show(call, report)
    return FAILED if report.refused and (strict or not report.kept) else DONE


def _show(call: Call, report: ImportReport) -> None:
    say_notices(call, report.notices)
    shown = report.refused if call.verbosity > 0 else report.refused[:MAX_SHOWN]
    for line in shown:
        named = f"{line.where} ({line.id})" if line.id else line.where
        refused = Message("eval-import-refused", line=named, reason=line.reason, fix=line.fix)
        say(refused)
        say(format_message(refused, attribute="fix"))
    if len(shown) < len(report.refused):
        say(Message("eval-import-refused-more", n=len(report.refused) - len(shown)))
    counts = (
        ("eval-added", report.added),
        ("eval-updated", report.updated),
        ("eval-unchanged", report.unchanged),
        ("eval-refused", report.refused),
    )
    parts = [str(Message(code, n=len(keys))) for code, keys in counts if keys]
    show(Message("eval-import-done", n=report.kept + len(report.refused), parts=parts))
