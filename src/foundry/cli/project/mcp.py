"""``foundry mcp``."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.help import Command
from foundry.cli.output import say, show_json
from foundry.cli.workspace import open_project
from foundry.errors import require_extra
from foundry.messages import Message
from foundry.wire.tools import ToolServerJson
from foundry.workspace import Workspace


@click.command("mcp", cls=Command)
@click.option("--config", is_flag=True)
@common_options
@pass_call
def command(call: Call, *, config: bool) -> None:
    require_extra("mcp", where="foundry mcp")
    with open_project(call) as workspace:
        if config:
            show_json(_describe(call, workspace))
            return
        # Imported here: an extra, and help and documentation need none of it.
        from foundry.mcp.server import serve_stdio

        if sys.stdin.isatty():
            say(Message("mcp-waiting"))
        serve_stdio(workspace)


def _describe(call: Call, workspace: Workspace) -> ToolServerJson:
    """What a client needs to start this server, wherever it runs."""
    program = Path(sys.argv[0])
    command = shutil.which(program.name) if program.parent == Path() else str(program.absolute())
    args = ["mcp", "--project", str(workspace.root.resolve())]
    if call.role:
        args += ["--role", call.role]
    return ToolServerJson(
        name=workspace.config.project.name, command=command or "foundry", args=args
    )
