"""``foundry search``."""

from __future__ import annotations

from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.help import Command
from foundry.cli.input import read_question
from foundry.cli.options import add_options, read_filters
from foundry.cli.output import say_notices, show, show_json
from foundry.cli.remote import show_remote
from foundry.cli.workspace import open_project
from foundry.errors import UsageError
from foundry.options import SearchOptions


@click.command("search", cls=Command)
@click.argument("query", nargs=-1, required=True)
@add_options(SearchOptions)
@click.option("--explain", is_flag=True)
@common_options
@pass_call
def command(call: Call, /, *, query: tuple[str, ...], explain: bool, **options: Any) -> None:
    text = read_question(query, "query")
    if explain and (call.json or call.server):
        raise UsageError("search-explain-alone", where="--explain")
    if call.server:
        # Imported here: help needs none of it.
        from foundry.operations import endpoints

        show_remote(call, endpoints.SEARCH, query=text, **options)
        return
    # Imported here: help and other servers' results need none of it.
    from foundry.operations import searches
    from foundry.operations.table import Scope
    from foundry.render.answer import render_choice, render_search

    # A model that explains leaves its reply and its cost in the database.
    with open_project(call, read_only=not explain) as workspace:
        filters = read_filters(call, workspace, options["filters"])
        asked = searches.search_.fill(query=text, **options)
        result = searches.search_.perform(Scope(workspace), asked=asked)
        chosen = None
        if explain:
            # Imported here: a plain search needs none of it.
            from foundry.journeys.evidence import gather_evidence

            chosen = gather_evidence(workspace, result, filters=filters)
    if call.json:
        show_json(searches.search_.build(result))
        return
    say_notices(call, (*result.notices, *(chosen.notices if chosen else ())))
    show(render_search(result))
    if chosen:
        show("\n" + render_choice(result, chosen.evidence, chosen.dropped, chosen.hyde))
