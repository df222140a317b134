"""The page to ask on, its answers as they are written, and answers asked before."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import Field

from foundry.errors import NotFound
from foundry.journeys.agents import list_agents, use_agent
from foundry.journeys.ask import AskRequest, ask, ask_streaming
from foundry.journeys.chat import TurnStream, chat_streaming
from foundry.journeys.passages.links import SuggestedQuestion, suggest_questions
from foundry.journeys.query_log import build_shown_passage, build_shown_source
from foundry.journeys.question import MAX_QUERY_LENGTH
from foundry.journeys.sources import parse_filters
from foundry.messages import Message, get_language
from foundry.records import (
    Agent,
    Excerpt,
    QueryRecord,
    SearchResult,
    ShownAnswer,
    StandaloneQuestion,
    Turn,
)
from foundry.render.circumstances import list_changed
from foundry.render.delivery.answer import (
    render_answer_docx,
    render_answer_markdown,
)
from foundry.web.pages.citations import (
    AnswerView,
    view_newest,
    view_passages,
    view_record,
    view_turn,
)
from foundry.web.pages.templates import render_page, render_part
from foundry.web.security.callers import Bound, get_site, identify_caller
from foundry.web.streams import Emit, Events, stream
from foundry.wire.requests import (
    RequestModel,
    StageJson,
    StandaloneQuestionJson,
    TurnRequest,
)
from foundry.workspace import Workspace

router = APIRouter()
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
RECENT = 5
"""Questions listed on the empty page."""


@router.get("/")
def show_ask(workspace: Bound) -> HTMLResponse:
    """The empty page: a field, what others asked, and three questions for a new project."""
    rows = workspace.store.list_queries(10 * RECENT, without="eval")
    asked: dict[str, QueryRecord] = {}
    for row in rows:
        if row.shown is not None:
            asked.setdefault(row.query, row)
    recent = list(asked.values())[:RECENT]
    suggested = () if recent else suggest_questions(workspace)
    return _render(workspace, recent=recent, suggested=suggested)


@router.get("/answers/{query_id}.md")
def export_markdown(query_id: str, workspace: Bound) -> PlainTextResponse:
    """The answer with its sources as Markdown."""
    record, shown = _find_shown(workspace, query_id)
    text = render_answer_markdown(record, _list_changed(workspace, shown))
    return PlainTextResponse(text, media_type="text/markdown")


@router.get("/answers/{query_id}.docx")
def export_docx(query_id: str, workspace: Bound) -> Response:
    """The answer with its sources as a Word file."""
    record, shown = _find_shown(workspace, query_id)
    project = workspace.config.project.name
    data = render_answer_docx(record, project, _list_changed(workspace, shown))
    headers = {"Content-Disposition": f'attachment; filename="{record.id}.docx"'}
    return Response(data, media_type=DOCX, headers=headers)


@router.get("/answers/{query_id}")
def show_answer(query_id: str, workspace: Bound) -> HTMLResponse:
    """An answer that was given before, as it was shown then, below the turns that led to it."""
    record = find_record(workspace, query_id)
    if record.shown is None:
        return render_page("logged", project=workspace.config.project.name, record=record)
    found = (workspace.store.find_query(earlier) for earlier in record.shown.earlier)
    # What another role asked in between is as if it did not exist.
    rows = [*filter(None, found), record]
    views = (_view_again(workspace, row, str(number)) for number, row in enumerate(rows))
    return _render(workspace, turns=filter(None, views))


def _view_again(workspace: Workspace, record: QueryRecord, key: str) -> AnswerView | None:
    said = workspace.store.evaluation.find_feedback(record.id)
    view = view_record(record, key, workspace.config.project.id, said)
    if view is None or record.shown is None:
        return None
    return replace(view, changed=tuple(_list_changed(workspace, record.shown)))


def _list_changed(workspace: Workspace, shown: ShownAnswer) -> list[Message]:
    """What became of the sources of an answer since."""
    ids = {source.source_id for source in shown.sources}
    return list_changed(shown, workspace.store.get_sources(ids))


class QuestionForm(RequestModel):
    """The fields of the page; those of the filters are empty if they are not used."""

    question: str
    agent: str = ""
    all: bool = False
    source: str = ""
    type: str = ""
    tag: str = ""
    since: str = Field(default="", alias="from")
    until: str = Field(default="", alias="to")

    def list_filters(self) -> list[str]:
        """The filters as ``parse_filters`` takes them."""
        fields = self.model_dump(by_alias=True, exclude={"question", "agent", "all"})
        return [f"{key}={value}" for key, value in fields.items() if value]


@router.post("/ask")
def send_question(
    request: Request, workspace: Bound, form: Annotated[QuestionForm, Form()]
) -> Response:
    """The question of a browser that runs no scripts: leads to its answer."""
    filters = parse_filters(workspace, form.list_filters())
    used = use_agent(workspace, form.agent or None, "answer", form.question)
    with get_site(request).slots:
        answer = ask(used, AskRequest(form.question, complete=form.all), filters=filters)
    if answer.id is None:
        raise NotFound("web-not-found")
    return RedirectResponse(f"/answers/{answer.id}", status_code=303)


@router.post("/turns", response_class=EventSourceResponse)
def stream_turn(request: Request, body: TurnRequest, workspace: Bound) -> Iterable[ServerSentEvent]:
    """A turn of the conversation as parts of the page: stages, sentences, the whole answer."""
    project = workspace.config.project.id
    yield from _stream_parts(request, _take_turn(workspace, body), project)


def _take_turn(workspace: Workspace, body: TurnRequest) -> TurnStream:
    """A turn; the first is a question like any other, in the log too.

    What is wrong with the request is found as it runs: the reply has begun by then.
    """
    scope: dict[str, Any] = {
        "filters": parse_filters(workspace, body.filters),
        "mode": body.mode,
    }
    used = use_agent(workspace, body.agent, "answer", body.typed)
    if body.earlier:
        earlier = [turn.to_record() for turn in body.earlier]
        return (yield from chat_streaming(used, body.typed, earlier, complete=body.all, **scope))
    answer = yield from ask_streaming(used, AskRequest(body.typed, complete=body.all), **scope)
    return Turn(1, body.typed, StandaloneQuestion(body.typed), answer)


def _stream_parts(request: Request, steps: TurnStream, project: str) -> Events:
    def work(emit: Emit) -> str:
        emit("stage", StageJson(stage="search"))
        key = secrets.token_hex(4)
        turn = _relay(steps, emit, key)
        role = identify_caller(request).role
        return render_part("answer", "turn", view_turn(turn, key, project, role))

    return stream(get_site(request), work)


def _relay(steps: TurnStream, emit: Emit, key: str) -> Turn:
    """Emit each step as it comes: sentences and passages as they are in the whole answer."""
    shown = ShownAnswer("")
    try:
        while True:
            event = next(steps)
            if isinstance(event, StandaloneQuestion):
                emit("question", StandaloneQuestionJson.from_record(event))
            elif isinstance(event, SearchResult):
                sources = tuple(map(build_shown_source, event.evidence))
                shown = replace(shown, language=event.language, sources=sources)
                emit("stage", StageJson(stage="write"))
            elif isinstance(event, Excerpt):
                shown = replace(shown, passages=(*shown.passages, build_shown_passage(event)))
                view = view_passages(shown)[-1]
                emit("passage", render_part("answer", "streamed_passage", view))
            else:
                shown = replace(shown, sentences=(*shown.sentences, event))
                emit("sentence", render_part("answer", "streamed", view_newest(shown, key)))
    except StopIteration as end:
        turn: Turn = end.value
        return turn
    finally:
        steps.close()


def find_record(workspace: Workspace, query_id: str) -> QueryRecord:
    """The row of the log. Raises ``NotFound`` for what the caller may not see, too."""
    record = workspace.store.find_query(query_id)
    if record is None:
        raise NotFound("web-not-found", where=query_id)
    return record


def _find_shown(workspace: Workspace, query_id: str) -> tuple[QueryRecord, ShownAnswer]:
    record = find_record(workspace, query_id)
    if record.shown is None or not (record.shown.sentences or record.shown.passages):
        raise NotFound("web-not-found", where=query_id)
    return record, record.shown


def _list_writers(workspace: Workspace) -> list[Agent]:
    """The agents that answer questions; none where no model writes, which they would instruct."""
    if workspace.generator is None:
        return []
    entries = list_agents(workspace, get_language())
    return [entry.agent for entry in entries if entry.agent and entry.agent.output == "answer"]


def _render(
    workspace: Workspace,
    *,
    turns: Iterable[AnswerView] = (),
    recent: Iterable[QueryRecord] = (),
    suggested: Iterable[SuggestedQuestion] = (),
) -> HTMLResponse:
    sources = workspace.store.list_sources()
    return render_page(
        "ask",
        current="/",
        project=workspace.config.project.name,
        empty=not sources,
        longest=MAX_QUERY_LENGTH,
        agents=_list_writers(workspace),
        types=sorted({source.type for source in sources}),
        tags=sorted({tag for source in sources for tag in source.tags}),
        turns=list(turns),
        recent=list(recent),
        suggestions=[question.text for question in suggested],
    )
