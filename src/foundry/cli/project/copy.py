"""``foundry copy``."""

from __future__ import annotations

import click

from foundry.cli.call import Call
from foundry.cli.failures import DONE, FAILED
from foundry.cli.help import Command
from foundry.cli.output import show, show_json, show_problems
from foundry.cli.progress import show_progress
from foundry.cli.workspace import bind_project
from foundry.journeys.project import copy_project
from foundry.messages import Message
from foundry.wire.projects import CopyJson
from foundry.workspace import Workspace


@click.command("copy", cls=Command)
@click.argument("origin", metavar="FROM")
@click.argument("target", metavar="TO")
@bind_project()
def command(call: Call, workspace: Workspace, *, origin: str, target: str) -> int:
    with show_progress(call) as progress:
        report = copy_project(workspace, origin, target, progress)
    if call.json:
        show_json(CopyJson.from_record(report))
        return FAILED if report.problems else DONE
    rows = sum(report.rows.values())
    counts = {"sources": report.sources, "copied": report.copied, "vectors": report.vectors}
    show(Message("copy-done", rows=rows, **counts))
    if report.problems:
        show_problems(report.problems)
        return FAILED
    show(Message("copy-verified"))
    show(Message("cli-next", text=Message("copy-next", address=target)))
    return DONE
