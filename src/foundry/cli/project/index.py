"""``foundry index status / rebuild / verify``."""

from __future__ import annotations

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.failures import DONE, FAILED
from foundry.cli.output import format_fields, show, show_json, show_problems
from foundry.cli.progress import show_progress
from foundry.cli.workspace import open_project
from foundry.journeys.calibration import choose_gate_calibration, format_stale_notice
from foundry.journeys.index import rebuild_embeddings, rebuild_text_index
from foundry.messages import Message
from foundry.records import IndexStatus
from foundry.wire.projects import IndexRebuildJson, IndexStatusJson, IndexVerifyJson


@click.group("index", cls=DefaultGroup, default="status")
@common_options
def command() -> None:
    pass


@command.command("status")
@common_options
@pass_call
def status(call: Call) -> None:
    with open_project(call, read_only=True) as workspace:
        index = workspace.store.index_status(workspace.config.embedding.model)
        mode = workspace.config.retrieval.mode
        calibration = choose_gate_calibration(workspace, mode)
        stale = format_stale_notice(workspace, mode)
    if call.json:
        origin = "project" if calibration.own else "shipped"
        notices = [stale] if stale else []
        show_json(IndexStatusJson.copy_fields(index, constants=origin, notices=notices))
    else:
        show(_render_status(index, is_own=calibration.own))
        if stale:
            show(stale)


def _render_status(index: IndexStatus, *, is_own: bool) -> str:
    model = index.model or Message("index-no-model")
    total = index.chunks
    vectors = Message("index-share-by", n=index.vectors, total=total, model=model)
    fields = [
        (Message("index-sources"), Message("count-plain", n=index.sources)),
        (Message("index-chunks"), Message("count-plain", n=total)),
        (Message("index-text"), Message("index-share", n=index.text_rows, total=total)),
        (Message("index-vectors"), vectors),
    ]
    fields += [
        (Message("index-words-search"), index.ways.text),
        (Message("index-vector-search"), index.ways.vectors),
    ]
    if is_own:
        fields.append((Message("index-gate"), Message("index-gate-own")))
    lines = format_fields(fields)
    if index.pending:
        lines.append(str(Message("index-pending", n=index.pending)))
    return "\n".join(lines)


@command.command("rebuild")
@click.option("--embeddings", is_flag=True)
@common_options
@pass_call
def rebuild(call: Call, embeddings: bool) -> None:
    with open_project(call) as workspace, show_progress(call) as progress:
        rows = rebuild_text_index(workspace, progress)
        embedded = rebuild_embeddings(workspace, progress) if embeddings else None
    if call.json:
        show_json(IndexRebuildJson(text_rows=rows, embedded=embedded))
        return
    show(Message("index-rebuilt-text", n=rows))
    if embedded is not None:
        show(Message("index-rebuilt-vectors", n=embedded))


@command.command("verify")
@common_options
@pass_call
def verify(call: Call) -> int:
    with open_project(call, read_only=True) as workspace:
        problems = workspace.maintenance().verify()
    if call.json:
        show_json(IndexVerifyJson(ok=not problems, problems=problems))
    elif not problems:
        show(Message("index-agrees"))
    else:
        show_problems(problems)
    return FAILED if problems else DONE
