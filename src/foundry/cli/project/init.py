"""``foundry init``."""

from __future__ import annotations

from pathlib import Path

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.help import Command
from foundry.cli.output import show_result
from foundry.cli.remote import refuse_server
from foundry.errors import UsageError
from foundry.journeys.project import InitReport, init_project
from foundry.messages import Message
from foundry.wire.projects import InitJson


@click.command("init", cls=Command)
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--offline", "mode", flag_value="offline")
@click.option("--online", "mode", flag_value="online")
@common_options
@pass_call
def command(call: Call, folder: Path | None, mode: str | None) -> None:
    refuse_server(call)
    if folder is not None and call.project is not None:
        raise UsageError("init-two-folders", where="foundry init")
    chosen = folder or call.project or Path()
    report = init_project(
        Path.cwd() / chosen,
        environment=call.environment,
        mode=None if mode is None else "online" if mode == "online" else "offline",
    )
    show_result(call, InitJson, report, _render_report(report, chosen, quiet=call.quiet))


def _render_report(report: InitReport, folder: Path, *, quiet: bool) -> str:
    created = str(Message("init-created", root=str(report.root), names=report.created))
    if quiet:
        return created
    lines = [created]
    if report.kept:
        lines.append(str(Message("init-kept", names=report.kept)))
    lines += ["", str(Message("init-mode", mode=report.mode))]
    lines += [f"  {key}: {model}" for key, model in report.models.items()]
    lines += [f"  {reason}" for reason in report.reasons]
    lines += [str(Message("cli-note", text=notice)) for notice in report.notices]
    start = Message("init-start")
    if folder != Path():
        start = Message("init-start-in", folder=str(folder))
    lines += ["", str(Message("cli-next", text=start))]
    return "\n".join(lines)
