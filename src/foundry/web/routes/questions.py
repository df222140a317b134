"""Search, ask, chat and verify."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent

from foundry.client import RENDERED
from foundry.journeys.agents import use_agent
from foundry.journeys.ask import AnswerStream, AskRequest, ask, ask_streaming
from foundry.journeys.chat import TurnStream, chat, chat_streaming
from foundry.journeys.search import search
from foundry.journeys.sources import parse_filters
from foundry.journeys.verify import verify_text
from foundry.records import EarlierTurn
from foundry.render.answer import render_answer, render_search
from foundry.render.verification import render_verification
from foundry.web.security.callers import Bound, get_site
from foundry.web.streams import stream_answer, stream_turn
from foundry.wire.answers import AnswerJson, SearchJson, TurnJson
from foundry.wire.base import WireModel
from foundry.wire.requests import QuestionRequest, SearchRequest, TextRequest, TurnRequest
from foundry.wire.verification import VerificationJson

router = APIRouter(tags=["questions"])


@router.post("/search", response_model=SearchJson)
def search_(request: Request, body: SearchRequest, workspace: Bound) -> Any:
    """The passages found, and whether the gate would allow an answer."""
    filters = parse_filters(workspace, body.filters)
    result = search(workspace, body.query, filters=filters, mode=body.mode, top_k=body.top_k)
    return _send(request, SearchJson.from_record(result), lambda: render_search(result))


@router.post("/ask", response_model=AnswerJson)
def ask_(request: Request, body: QuestionRequest, workspace: Bound) -> Any:
    """An answer from the sources, every sentence cited; or passages to read, or ``no_evidence``."""
    filters = parse_filters(workspace, body.filters)
    workspace = use_agent(workspace, body.agent, "answer", body.question)
    with get_site(request).slots:
        answer = ask(workspace, _read_request(body), filters=filters, mode=body.mode)
    return _send(request, AnswerJson.from_record(answer), lambda: render_answer(answer))


@router.post("/ask/stream", response_class=EventSourceResponse)
def stream_ask(
    request: Request, body: QuestionRequest, workspace: Bound
) -> Iterable[ServerSentEvent]:
    """The events of an answer: stages, hits, each sentence or passage, removed ones, the result."""

    def steps() -> AnswerStream:
        filters = parse_filters(workspace, body.filters)
        used = use_agent(workspace, body.agent, "answer", body.question)
        return (
            yield from ask_streaming(used, _read_request(body), filters=filters, mode=body.mode)
        )

    yield from stream_answer(get_site(request), steps())


def _read_request(body: QuestionRequest) -> AskRequest:
    return AskRequest(body.question, complete=body.all)


@router.post("/chat")
def chat_(request: Request, body: TurnRequest, workspace: Bound) -> TurnJson:
    """The answer to a question that may refer to earlier ones; the server keeps nothing."""
    filters, earlier = parse_filters(workspace, body.filters), _read_turns(body)
    used = use_agent(workspace, body.agent, "answer", body.typed)
    with get_site(request).slots:
        return TurnJson.from_record(
            chat(used, body.typed, earlier, filters=filters, mode=body.mode, complete=body.all)
        )


@router.post("/chat/stream", response_class=EventSourceResponse)
def stream_chat(request: Request, body: TurnRequest, workspace: Bound) -> Iterable[ServerSentEvent]:
    """The events of a turn: how the question was understood, then those of its answer."""

    def steps() -> TurnStream:
        filters, earlier = parse_filters(workspace, body.filters), _read_turns(body)
        used = use_agent(workspace, body.agent, "answer", body.typed)
        return (
            yield from chat_streaming(
                used, body.typed, earlier, filters=filters, mode=body.mode, complete=body.all
            )
        )

    yield from stream_turn(get_site(request), steps())


def _read_turns(body: TurnRequest) -> list[EarlierTurn]:
    return [turn.to_record() for turn in body.earlier]


@router.post("/verify", response_model=VerificationJson)
def verify(request: Request, body: TextRequest, workspace: Bound) -> Any:
    """Check a text in Markdown, statement by statement, against the sources."""
    filters, text = parse_filters(workspace, body.filters), body.text.encode()
    with get_site(request).slots:
        done = verify_text(workspace, text, filters=filters, mode=body.mode, judge=body.judge)
    document = VerificationJson.from_record(done)
    return _send(request, document, lambda: render_verification(done))


def _send(request: Request, document: WireModel, render: Callable[[], str]) -> Any:
    """The document; with its text for a client that accepts both."""
    if request.headers.get("accept") != RENDERED:
        return document
    content = {"document": document.model_dump(mode="json"), "text": render()}
    return JSONResponse(content, media_type=RENDERED)
