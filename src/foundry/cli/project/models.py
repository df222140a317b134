"""``foundry models``."""

from __future__ import annotations

from collections.abc import Iterator

import click

from foundry.cli.call import Call
from foundry.cli.failures import DONE, FAILED
from foundry.cli.help import Command
from foundry.cli.output import format_price, show, show_json
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import bind_project
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
from foundry.wire.fitness import ModelsJson
from foundry.workspace import Workspace


@click.command("models", cls=Command)
@click.option("--check", is_flag=True)
@bind_project()
def command(call: Call, workspace: Workspace, *, check: bool) -> int:
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
