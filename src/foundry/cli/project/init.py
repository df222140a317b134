"""``foundry init``."""

from __future__ import annotations

from pathlib import Path

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.help import Command
from foundry.cli.output import show, show_json
from foundry.journeys.project import InitReport, init_project
from foundry.wire.projects import InitJson


@click.command("init", cls=Command)
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--offline", "mode", flag_value="offline")
@click.option("--online", "mode", flag_value="online")
@common_options
@pass_call
def command(call: Call, folder: Path | None, mode: str | None) -> None:
    if folder is not None and call.project is not None:
        raise click.UsageError("Give the folder as DIR or with --project, not both.")
    chosen = folder or call.project or Path()
    report = init_project(
        Path.cwd() / chosen,
        environment=call.environment,
        mode=None if mode is None else "online" if mode == "online" else "offline",
    )
    if call.json:
        show_json(InitJson.from_record(report))
    else:
        show(_render_report(report, chosen, quiet=call.quiet))


def _render_report(report: InitReport, folder: Path, *, quiet: bool) -> str:
    lines = [f"Created a project in {report.root}: {', '.join(report.created)}"]
    if report.kept:
        lines.append(f"Already there: {', '.join(report.kept)}")
    if quiet:
        return lines[0]
    lines += ["", f"Mode: {report.mode}"]
    lines += [f"  {key}: {model}" for key, model in report.models.items()]
    lines += [f"  {reason}" for reason in report.reasons]
    lines += [f"Note: {notice}" for notice in report.notices]
    enter = "" if folder == Path() else f"cd {folder}, "
    lines += ["", f"Next: {enter}put files into sources/, then run `foundry ingest`."]
    return "\n".join(lines)
