"""``foundry init``, ``foundry doctor`` and ``foundry version``: a project, and whether it is sound."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import TYPE_CHECKING

import click

from foundry import __version__
from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import DONE, FAILED
from foundry.cli.help import Command
from foundry.cli.output import show, show_json, show_result
from foundry.cli.workspace import refuse_server
from foundry.errors import UsageError
from foundry.messages import Message
from foundry.wire.projects import DoctorJson, InitJson, VersionJson

if TYPE_CHECKING:
    from foundry.journeys.doctor import HealthCheck
    from foundry.journeys.project import InitReport


@click.command("init", cls=Command)
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--offline", "mode", flag_value="offline")
@click.option("--online", "mode", flag_value="online")
@common_options
@pass_call
def init_command(call: Call, folder: Path | None, mode: str | None) -> None:
    refuse_server(call)
    if folder is not None and call.project is not None:
        raise UsageError("init-two-folders", where="foundry init")
    # Imported here, as below: the other commands need none of it.
    from foundry.journeys.project import init_project

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


TEXT_COLUMN = 21
SIGNS = ("ok", "warn", "fail")


@click.command("doctor", cls=Command)
@common_options
@pass_call
def doctor_command(call: Call) -> int:
    from foundry.journeys.doctor import check_setup

    refuse_server(call)
    checks = check_setup(call.project, environment=call.environment, cwd=Path.cwd(), role=call.role)
    failed = any(check.status == "fail" for check in checks)
    if call.json:
        show_json(DoctorJson(ok=not failed, checks=checks))
    else:
        for check in checks:
            if check.status != "ok" or not call.quiet:
                show(_render_check(check), indent=TEXT_COLUMN)
    return FAILED if failed else DONE


def _render_check(check: HealthCheck) -> str:
    signs = {status: str(Message(f"doctor-sign-{status}")) for status in SIGNS}
    start = f"{signs[check.status]:<{max(map(len, signs.values()))}}  "
    line = f"{start}{Message(f'doctor-name-{check.name}')!s:<14} {check.message}"
    return (
        f"{line}\n{'':<{TEXT_COLUMN}}{Message('cli-next', text=check.fix)}" if check.fix else line
    )


@click.command("version", cls=Command)
@common_options
@pass_call
def version_command(call: Call) -> None:
    versions = {
        "foundry": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
    }
    if call.json:
        show_json(VersionJson(**versions))
    else:
        show("\n".join(f"{name} {version}" for name, version in versions.items()))
