"""``foundry search``."""

from __future__ import annotations

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.help import Command
from foundry.cli.input import read_question
from foundry.cli.output import say_notices, show, show_json
from foundry.cli.remote import show_remote
from foundry.cli.scope import SearchScope, scope_options
from foundry.cli.workspace import open_project
from foundry.errors import UsageError


@click.command("search", cls=Command)
@click.argument("query", nargs=-1, required=True)
@scope_options
@click.option("--top-k", type=click.IntRange(1, 1000))
@click.option("--explain", is_flag=True)
@common_options
@pass_call
def command(
    call: Call,
    *,
    query: tuple[str, ...],
    scope: SearchScope,
    top_k: int | None,
    explain: bool,
) -> None:
    # Imported here: help needs none of it.
    from foundry.journeys.evidence import gather_evidence
    from foundry.journeys.search import search
    from foundry.render.answer import render_choice, render_search
    from foundry.wire.answers import SearchJson

    text = read_question(query, "query")
    if explain and (call.json or call.server):
        raise UsageError("search-explain-alone", where="--explain")
    if call.server:
        show_remote(call, "/search", {"query": text, "top_k": top_k, **scope.to_json()}, SearchJson)
        return
    # A model that explains leaves its reply and its cost in the database.
    with open_project(call, read_only=not explain) as workspace:
        filters = scope.read(workspace, call)
        result = search(workspace, text, filters=filters, mode=scope.mode, top_k=top_k)
        chosen = gather_evidence(workspace, result, filters=filters) if explain else None
    if call.json:
        show_json(SearchJson.from_record(result))
        return
    say_notices(call, (*result.notices, *(chosen.notices if chosen else ())))
    show(render_search(result))
    if chosen:
        show("\n" + render_choice(result, chosen.evidence, chosen.dropped, chosen.hyde))
