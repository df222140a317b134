"""``foundry models`` and ``foundry privacy``: the models of a project, and what they are sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import DONE, FAILED
from foundry.cli.help import Command
from foundry.cli.output import format_price, show, show_json
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import bind_project, refuse_server
from foundry.config import find_project, load_config
from foundry.journeys.fitness import (
    Fitness,
    JudgeFitness,
    ModelsReport,
    ModelStep,
    WriterFitness,
    describe_models,
)
from foundry.messages import Message, format_message
from foundry.models.local_servers import LocalServer
from foundry.models.privacy import Destination, PrivacyReport, describe_privacy
from foundry.wire.fitness import ModelsJson
from foundry.workspace import Workspace, build_model_settings


@click.command("models", cls=Command)
@click.option("--check", is_flag=True)
@bind_project()
def models_command(call: Call, workspace: Workspace, *, check: bool) -> int:
    report = describe_models(workspace, check=check)
    if call.json:
        show_json(ModelsJson.from_record(report))
    else:
        _show_report(report)
    return FAILED if report.fit is False else DONE


def _show_report(report: ModelsReport) -> None:
    columns = list_columns("key", "model", "host", "state", "window", "price")
    rows = [
        (one.key, one.model, one.host, Message(f"models-reach-{one.reach.replace('_', '-')}"),
         "" if one.window is None else Message("models-tokens", number=one.window), _format_price(one))
        for one in report.steps
    ]  # fmt: skip
    show_table(columns, rows, elastic="column-model", numbers=("column-window",))
    for problem in dict.fromkeys(one.problem for one in report.steps if one.problem):
        show(Message("cli-note", text=problem))
        if fix := format_message(problem, attribute="fix"):
            show(Message("cli-next", text=fix))
    for server in report.servers:
        show(_describe_server(server))
    if report.fitness:
        show()
        for line in _describe_fitness(report.fitness):
            show(line)


def _format_price(step: ModelStep) -> Message | str:
    if step.local:
        return Message("models-price-free")
    prices = (step.price.prompt, step.price.completion)
    if None in prices:
        return Message("models-price-unknown")
    read, written = map(format_price, prices)
    return Message("models-price", read=read, written=written)


def _describe_server(server: LocalServer) -> Message:
    names = [
        Message("models-server-model", model=model.name, window=model.window or 0)
        for model in server.models
    ]
    return Message("models-server", server=server.name, address=server.address, models=names)


def _describe_fitness(fitness: Fitness) -> Iterator[str]:
    if fitness.writer is None:
        yield str(Message("fitness-no-writer"))
    else:
        yield from _describe_writer(fitness.writer)
    if fitness.judge is not None:
        yield from _describe_judge(fitness.judge)


def _describe_writer(writer: WriterFitness) -> Iterator[str]:
    yield str(writer.verdict)
    for case in writer.cases:
        if case.flaws:
            flaws = list(map(str, case.flaws))
            yield f"  {Message('fitness-case', question=case.question, flaws=flaws, said=case.said)}"
    if writer.problem is not None and writer.cases:
        done, of = len(writer.cases), writer.questions
        yield f"  {Message('fitness-stopped', done=done, of=of, cause=writer.problem)}"


def _describe_judge(judge: JudgeFitness) -> Iterator[str]:
    yield str(judge.verdict)
    for one in judge.missed:
        kind = Message(f"fitness-error-{one.error}")
        yield f"  {Message('fitness-missed', statement=one.text, error=kind)}"
    for one in judge.rejected:
        yield f"  {Message('fitness-rejected', statement=one.text)}"
    if judge.problem is not None and judge.errors + judge.truths:
        yield f"  {judge.problem}"


@click.command("privacy", cls=Command)
@common_options
@pass_call
def privacy_command(call: Call) -> None:
    refuse_server(call)
    config = load_config(
        find_project((Path.cwd() / (call.project or "")).resolve()), call.environment
    )
    report = describe_privacy(config, build_model_settings(config, call.environment, None))
    if call.json:
        show_json(report)
    else:
        show_report(report)


def show_report(report: PrivacyReport) -> None:
    """Print what leaves the machine, by host, then every key."""
    hosts: dict[str, list[Destination]] = {}
    for one in report.destinations:
        if one.used and not one.local:
            hosts.setdefault(one.host, []).append(one)
    if not hosts:
        show(Message("privacy-nothing"))
    for host, found in hosts.items():
        show(Message("privacy-host", host=host))
        for one in found:
            sends = tuple(map(str, one.sends))
            show(f"  {Message('privacy-step', key=one.key, value=one.value, sends=sends)}")
    show()
    rows = [(one.key, one.value or "–", _describe_place(one)) for one in report.destinations]
    show_table(list_columns("key", "value", "place"), rows, elastic="column-value")


def _describe_place(one: Destination) -> Message | str:
    if not one.used:
        return Message("privacy-unused")
    return Message("privacy-local") if one.local else one.host
