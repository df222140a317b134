"""``foundry ask`` and ``foundry search``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import DONE, NO_EVIDENCE
from foundry.cli.help import Command
from foundry.cli.input import read_question
from foundry.cli.options import add_options, read_filters
from foundry.cli.output import say, say_notices, show, show_json
from foundry.cli.workspace import open_project, show_remote
from foundry.errors import UsageError
from foundry.messages import Message
from foundry.options import AnswerOptions, SearchOptions

if TYPE_CHECKING:
    from foundry.records import Answer


@click.command("ask", cls=Command)
@click.argument("question", nargs=-1, required=True)
@add_options(AnswerOptions)
@click.option("--stream", is_flag=True)
@common_options
@pass_call
def ask_command(call: Call, /, *, question: tuple[str, ...], stream: bool, **options: Any) -> int:
    if stream and call.json:
        raise UsageError("ask-stream-json", where="foundry ask")
    text = read_question(question)
    if call.server and not stream:
        # Imported here: help needs none of it.
        from foundry.operations import endpoints

        found = show_remote(call, endpoints.ASK, question=text, **options)
        return NO_EVIDENCE if found.verdict == "no_evidence" else DONE
    # Imported here: help and other servers' answers need none of it.
    from foundry.cli.chat import ShownAnswerStream
    from foundry.operations import questions
    from foundry.operations.table import Scope
    from foundry.render.answer import render_answer

    asked, shown = questions.ask_.fill(question=text, **options), ShownAnswerStream(call)
    with open_project(call) as workspace:
        read_filters(call, workspace, options["filters"])
        scope = Scope(workspace, streams=stream)
        answer = questions.ask_.perform(
            scope, asked=asked, on_event=shown if stream else lambda _event: None
        )
    if stream:
        shown.finish(answer)
    elif call.json:
        show_json(questions.ask_.build(answer))
    else:
        say_notices(call, answer.notices)
        show(render_answer(answer))
    _say_details(answer, call)
    return NO_EVIDENCE if answer.verdict == "no_evidence" else DONE


def _say_details(answer: Answer, call: Call) -> None:
    if call.verbosity > 0 and not call.json:
        for check in answer.checks:
            say(
                Message(
                    "ask-check",
                    verdict=check.verdict,
                    score=check.score,
                    sentence=check.sentence,
                    reason=check.reason,
                )
            )
        times = [
            f"{name} {Message('cli-milliseconds', value=value)}"
            for name, value in answer.timings_ms.items()
        ]
        say(Message("ask-details", model=answer.model, times=times))


@click.command("search", cls=Command)
@click.argument("query", nargs=-1, required=True)
@add_options(SearchOptions)
@click.option("--explain", is_flag=True)
@common_options
@pass_call
def search_command(call: Call, /, *, query: tuple[str, ...], explain: bool, **options: Any) -> None:
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
        read_filters(call, workspace, options["filters"])
        asked = searches.search_.fill(query=text, **options)
        result = searches.search_.perform(Scope(workspace), asked=asked)
        chosen = None
        if explain:
            # Imported here: a plain search needs none of it.
            from foundry.journeys.evidence import gather_evidence

            chosen = gather_evidence(workspace, result)
    if call.json:
        show_json(searches.search_.build(result))
        return
    say_notices(call, (*result.notices, *(chosen.notices if chosen else ())))
    show(render_search(result))
    if chosen:
        show("\n" + render_choice(result, chosen.evidence, chosen.dropped, chosen.hyde))
