"""``foundry index`` and ``foundry copy``: the database of the project."""

from __future__ import annotations

import click

from foundry.cli.call import Call, common_options
from foundry.cli.commands import DefaultGroup
from foundry.cli.failures import DONE, FAILED
from foundry.cli.help import Command
from foundry.cli.output import format_fields, say_notices, show, show_json, show_problems
from foundry.cli.progress import show_progress
from foundry.cli.workspace import bind_project, open_project, shows
from foundry.errors import StoreError
from foundry.journeys.index import rebuild_embeddings, rebuild_engine, rebuild_text_index
from foundry.journeys.project import copy_project
from foundry.messages import Message
from foundry.operations import state
from foundry.ports import Progress, Step
from foundry.wire.projects import (
    CopyJson,
    IndexRebuildJson,
    IndexStatusJson,
    IndexVerifyJson,
    RecallJson,
)
from foundry.workspace import Workspace


@click.group("index", cls=DefaultGroup, default="status")
@common_options
def index_command() -> None:
    pass


@index_command.command("status")
@shows(state.show_index)
def status(_: Call, index: IndexStatusJson) -> str:
    model = index.model or Message("index-no-model")
    total = index.chunks
    vectors = Message("index-share-by", n=index.vectors, total=total, model=model)
    fields: list[tuple[Message, object]] = [
        (Message("index-sources"), Message("count-plain", n=index.sources)),
        (Message("index-chunks"), Message("count-plain", n=total)),
        (Message("index-text"), Message("index-share", n=index.text_rows, total=total)),
        (Message("index-vectors"), vectors),
        (Message("index-words-search"), index.ways.text),
        (Message("index-vector-search"), index.ways.vectors),
    ]
    if index.recall:
        fields.append((Message("index-recall-of"), index.recall.describe()))
    if index.constants == "project":
        fields.append((Message("index-gate"), Message("index-gate-own")))
    lines = format_fields(fields)
    if index.pending:
        lines.append(str(Message("index-pending", n=index.pending)))
    return "\n".join([*lines, *map(str, index.notices)])


@index_command.command("rebuild")
@click.option("--embeddings", is_flag=True)
@click.option("--engine", is_flag=True)
@bind_project()
def rebuild(call: Call, workspace: Workspace, *, embeddings: bool, engine: bool) -> None:
    with show_progress(call) as shown:
        progress = _note_once(shown)
        rows = None if engine else rebuild_text_index(workspace, progress)
        embedded = rebuild_embeddings(workspace, progress) if embeddings else None
        sent = rebuild_engine(workspace, progress) if engine else None
    if call.json:
        show_json(IndexRebuildJson(text_rows=rows, embedded=embedded, sent=sent))
        return
    rebuilt = {"index-rebuilt-text": rows, "index-rebuilt-vectors": embedded, "engine-sent": sent}
    for code, number in rebuilt.items():
        if number is not None:
            show(Message(code, n=number))


def _note_once(progress: Progress) -> Progress:
    """Return a progress that shows a note once, though each step of a rebuild has it."""
    noted = set()

    def show_step(step: Step) -> None:
        if step.phase != "note" or step.item not in noted:
            progress(step)
        if step.phase == "note":
            noted.add(step.item)

    return show_step


@index_command.command("verify")
@bind_project(read_only=True)
def verify(call: Call, workspace: Workspace) -> int:
    problems = workspace.maintenance().verify()
    measured = None if problems else _measure_recall(call, workspace)
    if call.json:
        show_json(IndexVerifyJson(ok=not problems, problems=problems, recall=measured))
    elif not problems:
        show(Message("index-agrees"))
        if measured:
            show(Message("index-recall-found", recall=measured.describe()))
    else:
        show_problems(problems)
    return FAILED if problems else DONE


def _measure_recall(call: Call, workspace: Workspace) -> RecallJson | None:
    """Measure searches that do not compare every vector, and keep that for ``index status``."""
    model = workspace.config.embedding.model
    measured = workspace.maintenance().measure_recall(model)
    if measured is None:
        return None
    try:
        with open_project(call) as writable:
            writable.maintenance().save_recall(model, measured)
    except StoreError as error:
        say_notices(call, [Message("index-recall-not-kept", cause=error.message)])
    return RecallJson.copy_fields(measured)


@click.command("copy", cls=Command)
@click.argument("origin", metavar="FROM")
@click.argument("target", metavar="TO")
@bind_project()
def copy_command(call: Call, workspace: Workspace, *, origin: str, target: str) -> int:
    with show_progress(call) as progress:
        report = copy_project(workspace, origin, target, progress)
    if call.json:
        show_json(CopyJson.from_record(report))
        return FAILED if report.problems else DONE
    rows = sum(report.rows.values())
    counts = {"sources": report.sources, "copied": report.copied, "vectors": report.vectors}
    show(Message("copy-done", rows=rows, **counts))
    if report.problems:
        show_problems(report.problems)
        return FAILED
    show(Message("copy-verified"))
    show(Message("cli-next", text=Message("copy-next", address=target)))
    return DONE
