"""``foundry index status / rebuild / verify``."""

from __future__ import annotations

import dataclasses

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import DONE, FAILED
from foundry.cli.output import say, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.workspace import open_project
from foundry.journeys.calibration import choose_gate_calibration, format_stale_notice
from foundry.journeys.index import rebuild_embeddings
from foundry.records import IndexStatus


@click.group("index")
@common_options
def command() -> None:
    """Look after the search indexes."""


@command.command("status")
@common_options
@pass_call
def status(call: Call) -> None:
    """Show how much of the project each index holds."""
    with open_project(call, read_only=True) as workspace:
        found = workspace.store.index_status(workspace.config.embedding.model)
        mode = workspace.config.retrieval.mode
        constants, stale = (
            choose_gate_calibration(workspace, mode),
            format_stale_notice(workspace, mode),
        )
    if call.json:
        whose = "project" if constants.own else "shipped"
        notices = [stale] if stale else []
        show_json({**dataclasses.asdict(found), "constants": whose, "notices": notices})
    else:
        show(_render_status(found))
        if constants.own:
            show("Gate:     constants fitted to this project's questions")
        if stale:
            show(stale)


def _render_status(found: IndexStatus) -> str:
    lines = [
        f"Sources:  {found.sources:,}",
        f"Chunks:   {found.chunks:,}",
        f"Text:     {found.text_rows:,} of {found.chunks:,} chunks",
        f"Vectors:  {found.vectors:,} of {found.chunks:,} chunks ({found.model or 'no index yet'})",
    ]
    if found.pending:
        lines.append(f"{found.pending:,} chunks have no vector yet: run `foundry ingest`.")
    return "\n".join(lines)


@command.command("rebuild")
@click.option("--embeddings", is_flag=True, help="Embed every chunk anew, after a change of model.")
@common_options
@pass_call
def rebuild(call: Call, embeddings: bool) -> None:
    """Make the text index anew from the chunks; with --embeddings the vectors too."""
    with open_project(call) as workspace, show_progress(call) as progress:
        with workspace.store.ingest_lock(lambda: say("Waiting for another ingest to end.")):
            rows = workspace.store.rebuild_text_index()
        embedded = rebuild_embeddings(workspace, progress) if embeddings else None
    if call.json:
        show_json({"text_rows": rows, "embedded": embedded})
        return
    show(f"Text index: {rows:,} chunks.")
    if embedded is not None:
        show(f"Vectors: {embedded:,} chunks embedded.")


@command.command("verify")
@common_options
@pass_call
def verify(call: Call) -> int:
    """Check that tables and indexes agree; exits with 1 when they do not."""
    with open_project(call, read_only=True) as workspace:
        problems = workspace.store.verify()
    if call.json:
        listed = [dataclasses.asdict(problem) for problem in problems]
        show_json({"ok": not problems, "problems": listed})
    elif not problems:
        show("Sound: every chunk is in its indexes, and nothing else is.")
    else:
        for problem in problems:
            show(f"{problem.message}\n  Next:  {problem.fix}")
    return FAILED if problems else DONE
