"""Search, ask, chat and verify."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import APIRouter, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from foundry.journeys.ask import AnswerStream, ask, ask_streaming
from foundry.journeys.chat import TurnStream, chat, chat_streaming
from foundry.journeys.search import search
from foundry.journeys.sources import parse_filters
from foundry.journeys.verify import verify_text
from foundry.records import EarlierTurn
from foundry.web.security.callers import Bound, get_site
from foundry.web.streams import stream_answer, stream_turn
from foundry.wire.answers import AnswerJson, SearchJson, TurnJson
from foundry.wire.requests import QuestionRequest, SearchRequest, TextRequest, TurnRequest
from foundry.wire.verification import VerificationJson

router = APIRouter(tags=["questions"])


@router.post("/search")
def search_(body: SearchRequest, workspace: Bound) -> SearchJson:
    """The passages found, and whether the gate would allow an answer."""
    filters = parse_filters(workspace, body.filters)
    result = search(workspace, body.query, filters=filters, mode=body.mode, top_k=body.top_k)
    return SearchJson.from_record(result)


@router.post("/ask")
def ask_(request: Request, body: QuestionRequest, workspace: Bound) -> AnswerJson:
    """An answer from the sources, every sentence cited, or the verdict ``no_evidence``."""
    filters = parse_filters(workspace, body.filters)
    with get_site(request).slots:
        return AnswerJson.from_record(
            ask(workspace, body.question, filters=filters, mode=body.mode)
        )


@router.post("/ask/stream", response_class=EventSourceResponse)
def stream_ask(
    request: Request, body: QuestionRequest, workspace: Bound
) -> Iterable[ServerSentEvent]:
    """The events of an answer: stages, hits, each verified sentence, removed ones, the result."""

    def steps() -> AnswerStream:
        filters = parse_filters(workspace, body.filters)
        return (yield from ask_streaming(workspace, body.question, filters=filters, mode=body.mode))

    yield from stream_answer(get_site(request), steps())


@router.post("/chat")
def chat_(request: Request, body: TurnRequest, workspace: Bound) -> TurnJson:
    """The answer to a question that may refer to earlier ones; the server keeps nothing."""
    filters, earlier = parse_filters(workspace, body.filters), _read_turns(body)
    with get_site(request).slots:
        return TurnJson.from_record(
            chat(workspace, body.typed, earlier, filters=filters, mode=body.mode)
        )


@router.post("/chat/stream", response_class=EventSourceResponse)
def stream_chat(request: Request, body: TurnRequest, workspace: Bound) -> Iterable[ServerSentEvent]:
    """The events of a turn: how the question was understood, then those of its answer."""

    def steps() -> TurnStream:
        filters, earlier = parse_filters(workspace, body.filters), _read_turns(body)
        typed = body.typed
        return (
            yield from chat_streaming(workspace, typed, earlier, filters=filters, mode=body.mode)
        )

    yield from stream_turn(get_site(request), steps())


def _read_turns(body: TurnRequest) -> list[EarlierTurn]:
    return [turn.to_record() for turn in body.earlier]


@router.post("/verify")
def verify(request: Request, body: TextRequest, workspace: Bound) -> VerificationJson:
    """Check a text in Markdown, statement by statement, against the sources."""
    filters = parse_filters(workspace, body.filters)
    with get_site(request).slots:
        return VerificationJson.from_record(
            verify_text(workspace, body.text.encode(), filters=filters, mode=body.mode)
        )
