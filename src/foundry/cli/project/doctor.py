"""``foundry doctor``."""

from __future__ import annotations

from pathlib import Path

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import DONE, FAILED
from foundry.cli.help import Command
from foundry.cli.output import show, show_json
from foundry.cli.remote import refuse_server
from foundry.journeys.doctor import HealthCheck, check_setup
from foundry.messages import Message
from foundry.wire.projects import DoctorJson

TEXT_COLUMN = 21
SIGNS = ("ok", "warn", "fail")


@click.command("doctor", cls=Command)
@common_options
@pass_call
def command(call: Call) -> int:
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
