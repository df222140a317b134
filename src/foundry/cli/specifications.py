"""``foundry feature`` and ``foundry agent``: what documents are written from, and who writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import unified_diff

import click

from foundry.cli.call import Call, common_options
from foundry.cli.commands import DefaultGroup
from foundry.cli.failures import DONE, FAILED, describe_error
from foundry.cli.input import by_option, identify_person
from foundry.cli.output import say, say_notices, show, show_json, show_result
from foundry.cli.table import align_facts, list_columns, show_table
from foundry.cli.workspace import bind_project, shows
from foundry.journeys.agents import (
    AgentEntry,
    check_agent,
    create_agent,
    list_agents,
)
from foundry.journeys.specifications import (
    approve_specification,
    check_specification,
    create_specification,
    get_specification,
    list_specifications,
    revoke_approval,
)
from foundry.messages import Message, get_language
from foundry.operations import documents
from foundry.records import (
    Agent,
    ComparedLine,
    Specification,
    SpecificationComparison,
    SpecificationProblem,
)
from foundry.wire.documents import (
    AgentCheckJson,
    AgentJson,
    SpecificationCheckJson,
)
from foundry.workspace import Workspace


@click.group("feature", cls=DefaultGroup)
@common_options
def feature_command() -> None:
    pass


@feature_command.command("new")
@click.argument("name")
@click.option("--title", default="")
@click.option("--owner", default="")
@bind_project(read_only=True)
def new(call: Call, workspace: Workspace, *, name: str, title: str, owner: str) -> None:
    feature = create_specification(workspace, name, title, owner)
    show_result(call, Specification, feature, Message("feature-wrote", path=feature.path))
    if not call.quiet and not call.json:
        say(Message("feature-fill-in", name=feature.name))


@feature_command.command("list")
@shows(documents.list_features)
def list_(_: Call, features: Sequence[Specification]) -> Message | None:
    if not features:
        return Message("feature-none-yet")
    show_table(
        list_columns("name", "status", "sections", "owner", "approved", "title"),
        [_build_row(feature) for feature in features],
        elastic="column-title",
        numbers=("column-sections",),
        optional=("column-sections", "column-owner"),
    )
    return None


def _build_row(feature: Specification) -> tuple[object, ...]:
    return (
        feature.name,
        Message(f"feature-status-{feature.status}"),
        len(feature.sections) or None,
        feature.owner,
        _format_approval(feature),
        feature.title if feature.status != "broken" else feature.problems[0].message,
    )


def _format_approval(feature: Specification) -> Message | None:
    """``2026-03-01 by Ann``, even if the approval is no longer valid: the status shows that."""
    if feature.approval is None:
        return None
    day = f"{feature.approval.time.astimezone():%Y-%m-%d}"
    return Message("draft-by-on", by=feature.approval.by, day=day)


def _name_sections(feature: Specification) -> list[str]:
    """The headings, each with its form if it has one, as in the file."""
    forms = feature.forms
    return [f"{name}: {forms[name]}" if name in forms else name for name in feature.sections]


@feature_command.command("show")
@click.argument("name")
@shows(documents.show_feature)
def show_(_: Call, feature: Specification) -> str:
    lines = [
        feature.title,
        f"  {feature.path}",
        *align_facts(
            (Message("feature-status"), _describe_status(feature)),
            (Message("feature-owner"), feature.owner or Message("feature-no-owner")),
        ),
    ]
    for label, entries in (
        (Message("feature-sections"), _name_sections(feature)),
        (Message("feature-hierarchy"), feature.source_hierarchy),
    ):
        if entries:
            lines += [
                "",
                str(label),
                *(f"  {number}. {entry}" for number, entry in enumerate(entries, 1)),
            ]
    if feature.problems:
        lines += [
            "",
            str(Message("feature-problems")),
            *(f"  {_format_problem(problem)}" for problem in feature.problems),
        ]
    return "\n".join([*lines, "", feature.text] if feature.text else lines)


def _describe_status(feature: Specification) -> Message:
    if feature.status == "approved":
        return Message("feature-status-approved-by", who=_format_approval(feature))
    if feature.status == "changed" and feature.approval:
        return Message("feature-status-changed-since", who=_format_approval(feature))
    if feature.status == "changed":
        return Message("feature-status-unrecorded")
    return Message(f"feature-status-{feature.status}")


@feature_command.command("check")
@click.argument("name", required=False)
@bind_project(read_only=True)
def check(call: Call, workspace: Workspace, *, name: str | None) -> int:
    chosen = (get_specification(workspace, name),) if name else list_specifications(workspace)
    results = [(feature, check_specification(workspace, feature.name)) for feature in chosen]
    blocked = any(problem.blocking for _, problems in results for problem in problems)
    if call.json:
        checked = [replace(feature, problems=problems) for feature, problems in results]
        show_json(SpecificationCheckJson(ok=not blocked, features=checked))
    elif not results:
        show(str(Message("feature-none-yet")))
    else:
        show("\n".join(_render_check(feature, problems) for feature, problems in results))
    return FAILED if blocked else DONE


def _render_check(feature: Specification, problems: tuple[SpecificationProblem, ...]) -> str:
    blocking = sum(problem.blocking for problem in problems)
    if blocking:
        state = Message("feature-to-fix", number=blocking)
    elif feature.approved:
        state = Message("feature-status-approved-by", who=_format_approval(feature))
    else:
        state = Message("feature-ready", name=feature.name)
    lines = [f"{feature.path}: {state}."]
    for problem in problems:
        lines += [
            f"  {_format_problem(problem)}",
            f"    {Message('draft-next', fix=problem.fix)}",
        ]
    return "\n".join(lines)


def _format_problem(problem: SpecificationProblem) -> Message:
    words = problem.problem
    if not problem.blocking:
        words = Message("feature-hint", problem=words)
    if not problem.line:
        return words
    return Message("feature-on-line", line=str(problem.line), problem=words)


@feature_command.command("diff")
@click.argument("name")
@shows(documents.diff_feature)
def diff_(_: Call, found: SpecificationComparison) -> str:
    if not found.kept:
        code = "feature-approved-unkept" if found.approval else "feature-never-approved"
        return str(Message(code, name=found.name))
    shown = unified_diff(*_split_versions(found.lines), "approved", "now", lineterm="", n=2)
    return "\n".join(shown) or str(Message("feature-as-approved", name=found.name))


def _split_versions(lines: Sequence[ComparedLine]) -> tuple[list[str], list[str]]:
    """The lines of the older and of the newer text."""
    older = [line.text for line in lines if line.kind != "added"]
    return older, [line.text for line in lines if line.kind != "removed"]


@feature_command.command("approve")
@click.argument("name")
@by_option
@bind_project()
def approve(call: Call, workspace: Workspace, *, name: str, by: str | None) -> None:
    feature = approve_specification(workspace, name, identify_person(call, by, workspace.root))
    if call.json:
        show_json(feature)
        return
    approved = Message("feature-status-approved-by", who=_format_approval(feature))
    show(f"{feature.name}: {approved}.")
    say_notices(call, map(_format_problem, feature.problems))


@feature_command.command("revoke")
@click.argument("name")
@bind_project(read_only=True)
def revoke(call: Call, workspace: Workspace, *, name: str) -> None:
    before = get_specification(workspace, name)
    feature = revoke_approval(workspace, name)
    code = "feature-already-draft" if before == feature else "feature-withdrawn"
    show_result(call, Specification, feature, Message(code, name=feature.name))


@click.group("agent", cls=DefaultGroup)
@common_options
def agent_command() -> None:
    pass


@agent_command.command("list")
@shows(documents.list_agents_)
def list_agents_(_: Call, entries: Sequence[AgentEntry]) -> None:
    columns = list_columns("name", "output", "profile", "model", "title", "path")
    rows = [_build_row_agent(entry) for entry in entries]
    show_table(columns, rows, elastic="column-title", optional=("column-profile",))


def _build_row_agent(entry: AgentEntry) -> tuple[object, ...]:
    path = entry.path or Message("agent-own")
    if entry.agent is None:
        return entry.name, "–", None, "–", Message("agent-broken", name=entry.name), path
    agent = entry.agent
    output = Message(f"agent-output-{agent.output}")
    return agent.name, output, agent.profile, entry.model, agent.title, path


@agent_command.command("show")
@click.argument("name")
@shows(documents.show_agent)
def show_agent_(_: Call, agent: Agent) -> str:
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


@agent_command.command("new")
@click.argument("name")
@click.option("--from", "base", default="blueprint", show_default=True, metavar="NAME")
@bind_project(read_only=True)
def new_agent(call: Call, workspace: Workspace, *, name: str, base: str) -> None:
    agent = create_agent(workspace, name, base, get_language())
    show_result(call, AgentJson, agent, Message("agent-wrote", path=agent.path))
    if not call.quiet and not call.json:
        say(Message(f"agent-try-{agent.output}", name=agent.name))


@agent_command.command("check")
@click.argument("name", required=False)
@bind_project(read_only=True)
def check_agents(call: Call, workspace: Workspace, *, name: str | None) -> int:
    chosen = (check_agent(workspace, name),) if name is not None else list_agents(workspace)
    wrong = any(entry.error for entry in chosen)
    if call.json:
        show_json(AgentCheckJson(ok=not wrong, agents=list(chosen)))
    else:
        show("\n".join(_render_check_agent(entry) for entry in chosen))
    return FAILED if wrong else DONE


def _render_check_agent(entry: AgentEntry) -> str:
    if entry.error is None:
        return str(Message("agent-fine", name=entry.name, model=entry.model))
    failure = describe_error(entry.error)
    lines = [f"{failure.where or entry.name}: {failure.message}"]
    if failure.fix:
        lines.append(f"  {Message('draft-next', fix=failure.fix)}")
    return "\n".join(lines)
