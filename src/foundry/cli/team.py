"""``foundry serve``, ``mcp``, ``token`` and ``access``: projects for others."""

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
from foundry.cli.workspace import open_project, refuse_server
from foundry.clock import format_minute, get_now
from foundry.config import CONFIG_NAME
from foundry.errors import NotFound, UsageError, require_extra
from foundry.journeys.access import (
    create_token,
    give_role,
    list_tokens,
    parse_period,
    record_event,
    revoke_token,
    withdraw_role,
)
from foundry.messages import Message, set_language
from foundry.records import CONFIDENTIALITY_LEVELS, ProjectRole, Token
from foundry.wire.projects import NewTokenJson, RoleListJson, ServeJson, TokenListJson
from foundry.wire.tools import ToolServerJson
from foundry.workspace import Workspace, open_home

_FOLDER = click.Path(path_type=Path)
_projects = click.option("--projects", type=_FOLDER, metavar="DIR")


@click.command("serve", cls=Command)
@click.option("--host")
@click.option("--port", type=click.IntRange(0, 65_535))
@_projects
@common_options
@pass_call
def serve_command(call: Call, *, host: str | None, port: int | None, projects: Path | None) -> None:
    require_extra("web", where="foundry serve")
    # Imported here: an extra, and help and documentation need none of it.
    from foundry.web.server import serve

    if projects and (call.project or call.role):
        raise UsageError("access-projects-alone", where="--projects")

    def announce(address: str) -> None:
        if call.json:
            show_json(ServeJson(address=address))
        else:
            show(Message("web-serving", address=address))

    with _open_people(call, projects) as workspace:
        web = workspace.config.web
        port = web.port if port is None else port
        serve(workspace, host or web.host, port, announce, several=projects is not None)
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
    """Return what a client needs to start this server from any folder."""
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


def _open_people(call: Call, projects: Path | None) -> Workspace:
    """Open what keeps the tokens: the home of the projects in a folder, or the project itself."""
    if projects is None:
        return open_project(call)
    if call.project:
        raise UsageError("access-one-or-all", where="--project")
    if call.role:
        raise UsageError("access-owner-runs", where="--role")
    refuse_server(call)
    command = click.get_current_context().command_path.partition(" ")[2]
    home = open_home(projects, environment=call.environment, command=command)
    set_language(call.language or home.config.language)
    return home


_LISTED = list_columns("name", "role", "status", "expires", "used", "id")


@click.group("token", cls=DefaultGroup)
@common_options
def token_command() -> None:
    pass


@token_command.command("new")
@click.argument("name")
@click.option("--expires", default="30d", metavar="PERIOD", show_default=True)
@_projects
@common_options
@pass_call
def new(call: Call, *, name: str, expires: str, projects: Path | None) -> None:
    # --role is the token's role here, not the caller's. With --projects it is only a ceiling.
    usual = CONFIDENTIALITY_LEVELS[-1 if projects else 0]
    period, role = parse_period(expires), call.role or usual
    with _open_people(replace(call, role=None), projects) as workspace:
        token, text = create_token(workspace, name, role, period)
        record_event(workspace, "token.new", name, who="", address="", outcome="done")
    if call.json:
        show_json(NewTokenJson.copy_fields(token, token=text))
        return
    show(text)
    code = "token-made-of-several" if projects else "token-made"
    say(Message(code, name=name, role=role, day=f"{token.expires:%Y-%m-%d}"))


@token_command.command("list")
@_projects
@common_options
@pass_call
def list_(call: Call, *, projects: Path | None) -> None:
    with _open_people(call, projects) as workspace:
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
@_projects
@common_options
@pass_call
def revoke(call: Call, *, name: str, projects: Path | None) -> None:
    with _open_people(call, projects) as workspace:
        token = revoke_token(workspace, name)
        record_event(workspace, "token.revoke", token.name, who="", address="", outcome="done")
    show_result(call, Token, token, Message("token-revoked", name=token.name))


@click.group("access", cls=DefaultGroup)
@common_options
def access_command() -> None:
    pass


_required = click.option("--projects", type=_FOLDER, metavar="DIR", required=True)
_ROLES = list_columns("name", "project", "role")


@access_command.command("give")
@click.argument("name")
@_required
@common_options
@pass_call
def give_command(call: Call, *, name: str, projects: Path) -> None:
    # As in `token new`, --role is not the caller's role.
    if call.role is None:
        raise UsageError("access-role-missing", where="--role")
    folder = _find_folder(call, projects)
    with _open_people(replace(call, role=None, project=None), projects) as home:
        most = home.principal.role
        given = give_role(home, name, folder, call.role, most=most)
        _record_role(home, "role.give", name, folder, call.role)
    facts = {"name": name, "role": given.role}
    everywhere = Message("access-given-everywhere", **facts)
    said = Message("access-given", **facts, project=folder) if folder else everywhere
    show_result(call, ProjectRole, given, said)


@access_command.command("list")
@_required
@common_options
@pass_call
def list_roles(call: Call, *, projects: Path) -> None:
    wanted = str(call.project) if call.project else None
    with _open_people(replace(call, project=None), projects) as home:
        roles = [
            one for one in home.access.list_roles() if wanted is None or one.folder in {"", wanted}
        ]
    if call.json:
        show_json(RoleListJson(roles=roles))
    elif roles:
        everywhere = Message("access-everywhere")
        show_table(
            _ROLES,
            [(one.person, one.folder or everywhere, one.role) for one in roles],
            elastic="column-name",
        )
    else:
        show(Message("access-none"))


@access_command.command("withdraw")
@click.argument("name")
@_required
@common_options
@pass_call
def withdraw_command(call: Call, *, name: str, projects: Path) -> None:
    folder = str(call.project) if call.project else ""
    with _open_people(replace(call, project=None), projects) as home:
        withdraw_role(home, name, folder)
        _record_role(home, "role.withdraw", name, folder)
        roles = home.access.list_roles()
    if call.json:
        show_json(RoleListJson(roles=roles))
    else:
        place = folder or Message("access-everywhere")
        show(Message("access-withdrawn", name=name, project=place))


def _find_folder(call: Call, projects: Path) -> str:
    """Return the folder name that ``--project`` gives, "" for all projects. Raises ``NotFound``."""
    name = str(call.project) if call.project else ""
    if name and (Path(name).name != name or not (projects / name / CONFIG_NAME).is_file()):
        raise NotFound("access-no-project", where="--project", name=name, folder=str(projects))
    return name


def _record_role(home: Workspace, action: str, *subject: str) -> None:
    text = " ".join(filter(None, subject))
    record_event(home, action, text, who="", address="", outcome="done")
