"""``foundry serve``."""

from __future__ import annotations

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.help import Command
from foundry.cli.output import say, show, show_json
from foundry.cli.workspace import open_project
from foundry.errors import require_extra
from foundry.messages import Message
from foundry.wire.projects import ServeJson


@click.command("serve", cls=Command)
@click.option("--host")
@click.option("--port", type=click.IntRange(0, 65_535))
@common_options
@pass_call
def command(call: Call, *, host: str | None, port: int | None) -> None:
    require_extra("web", where="foundry serve")
    # Imported here: an extra, and help and documentation need none of it.
    from foundry.web.server import serve

    def announce(address: str) -> None:
        if call.json:
            show_json(ServeJson(address=address))
        else:
            show(Message("web-serving", address=address))

    with open_project(call) as workspace:
        web = workspace.config.web
        serve(workspace, host or web.host, web.port if port is None else port, announce)
    if not call.quiet:
        say(Message("web-stopped"))
