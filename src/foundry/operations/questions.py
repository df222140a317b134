"""Ask and chat."""

from __future__ import annotations

from foundry.journeys.ask import AnswerStream, AskRequest, ask_streaming
from foundry.journeys.chat import TurnStream, chat_streaming
from foundry.operations.endpoints import ASK, CHAT
from foundry.operations.table import Scope, operation
from foundry.render.answer import render_answer
from foundry.wire.requests import QuestionRequest, TurnRequest


@operation(
    *ASK,
    agent=("answer", "question"),
    slow=True,
    render=render_answer,
    stream=(
        "stream_ask",
        "The events of an answer: stages, hits, each sentence or passage, removed ones, the result.",
    ),
)
def ask_(on: Scope, asked: QuestionRequest) -> AnswerStream:
    """An answer from the sources, every sentence cited; or passages to read, or ``no_evidence``."""
    request = AskRequest(asked.question, complete=asked.all, who=on.who)
    return ask_streaming(
        on.workspace, request, filters=on.filters, mode=asked.mode, stream=on.streams
    )


@operation(
    *CHAT,
    agent=("answer", "typed"),
    slow=True,
    stream=(
        "stream_chat",
        "The events of a turn: how the question was understood, then those of its answer.",
    ),
)
def chat_(on: Scope, asked: TurnRequest) -> TurnStream:
    """The answer to a question that may refer to earlier ones; the server keeps nothing."""
    return chat_streaming(
        on.workspace,
        asked.typed,
        [turn.to_record() for turn in asked.earlier],
        filters=on.filters,
        mode=asked.mode,
        complete=asked.all,
        stream=on.streams,
        who=on.who,
    )
