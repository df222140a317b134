"""``foundry governor check / install``."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.failures import DONE
from foundry.cli.help import UsageProblem
from foundry.cli.output import say, show, show_json
from foundry.governor import (
    AGENTS,
    HOOKS,
    InstalledHook,
    Ruling,
    check_command,
    configure_agent,
    find_command,
    install_hooks,
    judge_hook,
    render_agent_hook,
)
from foundry.messages import Message, format_message

REFUSED = 2
# By then git has changed the work tree.
LATE = ("pre-merge-commit", "reference-transaction")


@click.group("governor", cls=DefaultGroup, default=None)
@common_options
def command() -> None:
    pass


@command.command("check")
@click.argument("text", metavar="[COMMAND]", required=False)
@click.option("--hook", type=click.Choice(tuple(HOOKS)))
@common_options
@pass_call
@click.pass_context
def check(ctx: click.Context, call: Call, text: str | None, hook: str | None) -> int:
    folder = call.project or Path.cwd()
    if hook is not None:
        ruling = judge_hook(hook, folder, sys.stdin.read().splitlines())
    elif text is not None:
        ruling = check_command(text, folder)
    elif sys.stdin.isatty():
        raise UsageProblem(Message("governor-no-command"), ctx)
    else:
        ruling = _check_sent(folder)
    if call.json:
        # Imported here: git and agents wait for each run.
        from foundry.wire.governor import GovernorCheckJson

        show_json(GovernorCheckJson.copy_fields(ruling))
    elif text is hook is None and ruling.allowed:
        # Some agents take anything but a JSON object for a refusal.
        show("{}")
    status = _report(ruling, quiet=call.json or call.quiet)
    if hook in LATE and any(one.code == "governor-source" for one in ruling.problems):
        say(Message("governor-undo"))
    return status


def _check_sent(folder: Path) -> Ruling:
    try:
        found = find_command(sys.stdin.read())
    except ValueError as error:
        return Ruling(warnings=[Message("governor-not-checked", cause=str(error))])
    if found is None:
        return Ruling()
    text, sent_folder = found
    return check_command(text, folder / (sent_folder or ""))


def _report(ruling: Ruling, *, quiet: bool = False) -> int:
    for warning in () if quiet else ruling.warnings:
        say(Message("governor-warning", text=warning))
    for problem in ruling.problems:
        say(Message("governor-blocked", text=problem))
        say(Message("cli-next", text=format_message(problem, attribute="fix")))
    return DONE if ruling.allowed else REFUSED


@command.command("install")
@click.option("--chain", is_flag=True)
@click.option("--agent", "agents", type=click.Choice(tuple(AGENTS)), multiple=True)
@common_options
@pass_call
def install(call: Call, *, chain: bool, agents: tuple[str, ...]) -> int:
    folder = call.project or Path.cwd()
    hooks = install_hooks(folder, _find_program(), chain=chain)
    files = {name: str(configure_agent(name, folder)) for name in agents}
    if call.json:
        from foundry.wire.governor import GovernorInstallJson

        show_json(GovernorInstallJson(hooks=hooks, agent_files=files))
        return DONE
    for one in hooks:
        show(_describe_hook(one))
    for name, path in files.items():
        show(Message("governor-agent-configured", agent=name, path=path))
    if not files:
        show(Message("governor-agent-hint", path=AGENTS["claude"].path))
        show(render_agent_hook("claude"), wrap=False)
    return DONE


def _describe_hook(one: InstalledHook) -> Message:
    kept = Message("governor-hook-kept", path=one.kept) if one.kept else None
    return Message("governor-hook-written", path=one.path, kept=kept)


def _find_program() -> str:
    """The absolute path of this program: git runs hooks with another PATH than a shell's."""
    beside = Path(sys.executable).with_name("foundry")
    return str(beside) if beside.exists() else shutil.which("foundry") or "foundry"
