"""``foundry serve``, ``foundry mcp`` and ``foundry token``: the project for others."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.help import Command
from foundry.cli.output import say, show, show_json, show_result
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import bind_project, open_project
from foundry.clock import format_minute, get_now
from foundry.errors import require_extra
from foundry.journeys.access import (
    create_token,
    list_tokens,
    parse_period,
    record_event,
    revoke_token,
)
from foundry.messages import Message
from foundry.records import CONFIDENTIALITY_LEVELS, Token
from foundry.wire.access import NewTokenJson, TokenListJson
from foundry.wire.projects import ServeJson
from foundry.wire.tools import ToolServerJson
from foundry.workspace import Workspace


@click.command("serve", cls=Command)
@click.option("--host")
@click.option("--port", type=click.IntRange(0, 65_535))
@common_options
@pass_call
def serve_command(call: Call, *, host: str | None, port: int | None) -> None:
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


@click.command("mcp", cls=Command)
@click.option("--config", is_flag=True)
@common_options
@pass_call
def mcp_command(call: Call, *, config: bool) -> None:
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
    mcp_command = (
        shutil.which(program.name) if program.parent == Path() else str(program.absolute())
    )
    args = ["mcp", "--project", str(workspace.root.resolve())]
    if call.role:
        args += ["--role", call.role]
    return ToolServerJson(
        name=workspace.config.project.name, command=mcp_command or "foundry", args=args
    )


_LISTED = list_columns("name", "role", "status", "expires", "used", "id")


@click.group("token", cls=DefaultGroup)
@common_options
def token_command() -> None:
    pass


@token_command.command("new")
@click.argument("name")
@click.option("--expires", default="30d", metavar="PERIOD", show_default=True)
@common_options
@pass_call
def new(call: Call, *, name: str, expires: str) -> None:
    # The role is the token's: only the owner makes one.
    period, role = parse_period(expires), call.role or CONFIDENTIALITY_LEVELS[0]
    with open_project(replace(call, role=None)) as workspace:
        token, text = create_token(workspace, name, role, period)
        record_event(workspace, "token.new", name, who="", address="", outcome="done")
    if call.json:
        show_json(NewTokenJson.copy_fields(token, token=text))
        return
    show(text)
    say(Message("token-made", name=name, role=role, day=f"{token.expires:%Y-%m-%d}"))


@token_command.command("list")
@bind_project(read_only=True)
def list_(call: Call, workspace: Workspace) -> None:
    tokens = list_tokens(workspace)
    if call.json:
        show_json(TokenListJson.copy_fields(tokens=tokens))
    elif tokens:
        show_table(_LISTED, [_build_row(token) for token in tokens], elastic="column-name")
    else:
        show(Message("token-none"))


def _build_row(token: Token) -> tuple[object, ...]:
    return (
        token.name,
        token.role,
        _describe_status(token),
        format_minute(token.expires),
        token.used and format_minute(token.used),
        token.id,
    )


def _describe_status(token: Token) -> Message:
    if token.revoked:
        return Message("token-status-revoked")
    valid = token.is_valid(get_now())
    return Message("token-status-valid" if valid else "token-status-expired")


@token_command.command("revoke")
@click.argument("name")
@bind_project()
def revoke(call: Call, workspace: Workspace, *, name: str) -> None:
    token = revoke_token(workspace, name)
    record_event(workspace, "token.revoke", token.name, who="", address="", outcome="done")
    show_result(call, Token, token, Message("token-revoked", name=token.name))
