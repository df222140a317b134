"""``foundry agent list / show / new / check``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from foundry.cli.call import Call, common_options
from foundry.cli.commands import DefaultGroup
from foundry.cli.failures import DONE, FAILED, describe_error
from foundry.cli.operations import shows
from foundry.cli.output import say, show, show_json, show_result
from foundry.cli.table import align_facts, list_columns, show_table
from foundry.cli.workspace import bind_project
from foundry.journeys.agents import (
    AgentEntry,
    check_agent,
    create_agent,
    list_agents,
)
from foundry.messages import Message, get_language
from foundry.operations import documents
from foundry.records import Agent
from foundry.wire.agents import AgentCheckJson, AgentJson
from foundry.workspace import Workspace


@click.group("agent", cls=DefaultGroup)
@common_options
def command() -> None:
    pass


@command.command("list")
@shows(documents.list_agents_)
def list_(_: Call, entries: Sequence[AgentEntry]) -> None:
    columns = list_columns("name", "output", "profile", "model", "title", "path")
    rows = [_build_row(entry) for entry in entries]
    show_table(columns, rows, elastic="column-title", optional=("column-profile",))


def _build_row(entry: AgentEntry) -> tuple[object, ...]:
    path = entry.path or Message("agent-own")
    if entry.agent is None:
        return entry.name, "–", None, "–", Message("agent-broken", name=entry.name), path
    agent = entry.agent
    output = Message(f"agent-output-{agent.output}")
    return agent.name, output, agent.profile, entry.model, agent.title, path


@command.command("show")
@click.argument("name")
@shows(documents.show_agent)
def show_(_: Call, agent: Agent) -> str:
    default = Message("agent-default")
    facts = align_facts(
        (Message("agent-path"), agent.path or Message("agent-own")),
        (Message("agent-output"), Message(f"agent-output-{agent.output}")),
        (Message("agent-extends"), agent.extends),
        (Message("agent-profile"), agent.profile or default),
        (
            Message("agent-temperature"),
            default if agent.temperature is None else f"{agent.temperature:g}",
        ),
        (Message("agent-max-tokens"), str(agent.max_tokens) if agent.max_tokens else default),
    )
    lines = [agent.title, *([f"  {agent.description}"] if agent.description else []), *facts]
    if agent.persona:
        persona = (f"  {line}".rstrip() for line in agent.persona.splitlines())
        lines += ["", f"{Message('agent-persona')}:", *persona]
    for number, section in enumerate(agent.sections, 1):
        head = Message(
            "agent-section",
            number=str(number),
            title=section.title,
            sentences=section.max_sentences,
        )
        lines += ["", str(head), *(f"   - {line}" for line in section.ask)]
        lines += [f"   form: {section.form}"] if section.form else []
        lines += [f"   {Message('agent-needs', needs=section.needs)}"] if section.needs else []
    return "\n".join(lines)


@command.command("new")
@click.argument("name")
@click.option("--from", "base", default="blueprint", show_default=True, metavar="NAME")
@bind_project(read_only=True)
def new(call: Call, workspace: Workspace, *, name: str, base: str) -> None:
    agent = create_agent(workspace, name, base, get_language())
    show_result(call, AgentJson, agent, Message("agent-wrote", path=agent.path))
    if not call.quiet and not call.json:
        say(Message(f"agent-try-{agent.output}", name=agent.name))


@command.command("check")
@click.argument("name", required=False)
@bind_project(read_only=True)
def check(call: Call, workspace: Workspace, *, name: str | None) -> int:
    chosen = (check_agent(workspace, name),) if name is not None else list_agents(workspace)
    wrong = any(entry.error for entry in chosen)
    if call.json:
        show_json(AgentCheckJson(ok=not wrong, agents=list(chosen)))
    else:
        show("\n".join(_render_check(entry) for entry in chosen))
    return FAILED if wrong else DONE


def _render_check(entry: AgentEntry) -> str:
    if entry.error is None:
        return str(Message("agent-fine", name=entry.name, model=entry.model))
    failure = describe_error(entry.error)
    lines = [f"{failure.where or entry.name}: {failure.message}"]
    if failure.fix:
        lines.append(f"  {Message('draft-next', fix=failure.fix)}")
    return "\n".join(lines)
