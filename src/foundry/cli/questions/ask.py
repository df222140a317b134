"""``foundry ask``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import DONE, NO_EVIDENCE
from foundry.cli.help import Command
from foundry.cli.input import read_question
from foundry.cli.output import say, say_notices, show, show_json
from foundry.cli.remote import show_remote
from foundry.cli.scope import SearchScope, scope_options
from foundry.cli.workspace import open_project
from foundry.errors import UsageError
from foundry.messages import Message

if TYPE_CHECKING:
    from foundry.records import Answer


@click.command("ask", cls=Command)
@click.argument("question", nargs=-1, required=True)
@scope_options
@click.option("--agent", metavar="NAME")
@click.option("--all", "complete", is_flag=True)
@click.option("--stream", is_flag=True)
@common_options
@pass_call
def command(
    call: Call,
    *,
    question: tuple[str, ...],
    scope: SearchScope,
    agent: str | None,
    complete: bool,
    stream: bool,
) -> int:
    if stream and call.json:
        raise UsageError("ask-stream-json", where="foundry ask")
    text = read_question(question)
    if call.server and not stream:
        return _ask_server(call, text, scope, agent, complete=complete)
    # Imported here: help and other servers' answers need none of it.
    from foundry.cli.questions.answer_stream import show_answer_stream
    from foundry.journeys.agents import use_agent
    from foundry.journeys.ask import AskRequest, ask, ask_streaming
    from foundry.render.answer import render_answer

    with open_project(call) as opened:
        workspace = use_agent(opened, agent, "answer", text)
        filters = scope.read(workspace, call)
        request = AskRequest(text, complete=complete)
        if stream:
            answering = ask_streaming(workspace, request, filters=filters, mode=scope.mode)
            answer = show_answer_stream(answering, call)
        else:
            answer = ask(workspace, request, filters=filters, mode=scope.mode)
    if call.json:
        # Imported here: building the models takes longer than the answer's text.
        from foundry.wire.answers import AnswerJson

        show_json(AnswerJson.from_record(answer))
    elif not stream:
        say_notices(call, answer.notices)
        show(render_answer(answer))
    _say_details(answer, call)
    return NO_EVIDENCE if answer.verdict == "no_evidence" else DONE


def _ask_server(
    call: Call, question: str, scope: SearchScope, agent: str | None, *, complete: bool
) -> int:
    from foundry.wire.answers import AnswerJson

    body = {"question": question, "agent": agent, "all": complete, **scope.to_json()}
    answer = show_remote(call, "/ask", body, AnswerJson)
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
