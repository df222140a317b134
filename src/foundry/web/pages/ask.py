"""The page to ask on, its answers as they are written, and answers asked before."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any

from annotated_types import MaxLen
from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import Field

from foundry.errors import NotFound
from foundry.journeys.agents import list_agents
from foundry.journeys.conversations import list_conversations
from foundry.journeys.query_log import build_shown_passage, build_shown_source
from foundry.journeys.question import MAX_QUERY_LENGTH
from foundry.journeys.source_files import list_new
from foundry.journeys.suggestions import SuggestedQuestion, find_suggestions, suggest_questions
from foundry.messages import Message, get_language
from foundry.operations import conversations, questions
from foundry.operations.table import Observer, Scope, Text
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Agent,
    Conversation,
    Event,
    Excerpt,
    QueryRecord,
    SearchResult,
    ShownAnswer,
    StandaloneQuestion,
    Turn,
)
from foundry.render.answer import list_changed
from foundry.render.delivery.answer import (
    render_answer_docx,
    render_answer_markdown,
)
from foundry.web.pages.acts import act
from foundry.web.pages.citations import (
    AnswerView,
    view_newest,
    view_passages,
    view_record,
    view_turn,
)
from foundry.web.pages.sources import STAGES
from foundry.web.pages.templates import render_page, render_part
from foundry.web.security.callers import Bound, get_site, identify_caller, make_scope
from foundry.web.streams import Emit, stream, watch
from foundry.wire.base import build_document
from foundry.wire.requests import (
    ConversationRequest,
    QuestionRequest,
    RequestModel,
    ShareRequest,
    StageJson,
    TurnRequest,
)
from foundry.workspace import Workspace

router = APIRouter()
LongText = Annotated[str, MaxLen(2000)]
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
RECENT = 5
"""Conversations listed on the empty page."""
SHOWN = 200
"""Conversations listed on their own page; a search finds older ones."""


@router.get("/")
def show_ask(
    request: Request,
    workspace: Bound,
    scope: Annotated[tuple[LongText, ...], Query(alias="filter", max_length=100)] = (),
    suggest: Annotated[bool, Query()] = False,
) -> HTMLResponse:
    """The empty page: a field, what others asked, and three questions for a new project.

    ``scope`` are filters that the questions keep, as a search gives them. ``suggest`` waits for
    questions that are not made yet, which scripts load by themselves.
    """
    found = list_conversations(workspace, identify_caller(request).name, limit=10 * RECENT)
    latest = {one.title: one for one in reversed(found)}
    recent = [one for one in found if latest[one.title] is one][:RECENT]
    find = suggest_questions if suggest else find_suggestions
    suggested = () if recent else find(workspace)
    return _render(workspace, recent=recent, suggested=suggested, scope=scope)


@router.get("/suggestions")
def show_suggestions(workspace: Bound) -> HTMLResponse:
    """Questions to begin with, as a part of the page; they take seconds the first time."""
    texts = [question.text for question in suggest_questions(workspace)]
    return HTMLResponse(render_part("adding", "starters", texts))


@router.get("/conversations")
def show_conversations(
    request: Request, workspace: Bound, q: Annotated[Text, Query()] = ""
) -> HTMLResponse:
    """The caller's conversations, to find, name or take off the list."""
    found = conversations.list_conversations_.perform(
        make_scope(request, workspace), q=q, limit=SHOWN
    )
    return render_page(
        "conversations", workspace=workspace, current="/conversations", found=found, q=q
    )


@router.post("/conversations/{query_id}")
def change_conversation(
    request: Request,
    workspace: Bound,
    query_id: str,
    form: Annotated[ConversationRequest, Form()],
) -> RedirectResponse:
    """Name a conversation, or take it off the list."""
    conversations.change.perform(make_scope(request, workspace), query_id=query_id, asked=form)
    return RedirectResponse("/conversations", status_code=303)


@router.post("/answers/{query_id}/share")
def share(
    request: Request, workspace: Bound, query_id: str, form: Annotated[ShareRequest, Form()]
) -> RedirectResponse:
    """A copy of an answer for a lower role: leads to it."""
    copy = act(request, workspace, conversations.share, query_id=query_id, asked=form)
    return RedirectResponse(f"/answers/{copy.id}", status_code=303)


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
        return render_page("logged", workspace=workspace, record=record)
    found = (workspace.store.find_query(earlier) for earlier in record.shown.earlier)
    # What another role asked in between is as if it did not exist.
    rows = [*filter(None, found), record]
    views = (_view_again(workspace, row, str(number)) for number, row in enumerate(rows))
    return _render(workspace, turns=filter(None, views))


def _view_again(workspace: Workspace, record: QueryRecord, key: str) -> AnswerView | None:
    said = workspace.store.evaluation.find_feedback(record.id)
    view = view_record(record, key, workspace, said)
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
    filter: list[str] = Field(default=[], max_length=100)
    source: str = ""
    type: str = ""
    tag: str = ""
    since: str = Field(default="", alias="from")
    until: str = Field(default="", alias="to")

    def list_filters(self) -> list[str]:
        """The filters as ``parse_filters`` takes them."""
        fields = self.model_dump(by_alias=True, exclude={"question", "agent", "all", "filter"})
        return [*self.filter, *(f"{key}={value}" for key, value in fields.items() if value)]


@router.post("/ask")
def send_question(
    request: Request, workspace: Bound, form: Annotated[QuestionForm, Form()]
) -> Response:
    """The question of a browser that runs no scripts: leads to its answer."""
    asked = QuestionRequest(
        question=form.question, agent=form.agent or None, all=form.all, filters=form.list_filters()
    )
    answer = questions.ask_.perform(make_scope(request, workspace), asked=asked)
    if answer.id is None:
        raise NotFound("web-not-found")
    return RedirectResponse(f"/answers/{answer.id}", status_code=303)


@router.post("/turns", response_class=EventSourceResponse)
def stream_turn(request: Request, body: TurnRequest, workspace: Bound) -> Iterable[ServerSentEvent]:
    """A turn of the conversation as parts of the page: stages, sentences, the whole answer."""

    def work(emit: Emit) -> str:
        emit("stage", StageJson(stage="search"))
        scope = watch(make_scope(request, workspace), emit)
        parts = _Parts(emit)
        turn = _take_turn(scope, body, parts)
        caller = identify_caller(request)
        view = view_turn(turn, parts.key, workspace, caller.role, caller.name)
        return render_part("answer", "turn", view)

    yield from stream(get_site(request), work)


def _take_turn(scope: Scope, body: TurnRequest, tell: Observer) -> Turn:
    """A turn; the first is a question like any other, in the log too."""
    if body.earlier:
        return questions.chat_.perform(scope, asked=body, on_event=tell)
    facts = body.model_dump(exclude={"typed", "earlier"})
    asked = QuestionRequest(question=body.typed, **facts)
    answer = questions.ask_.perform(scope, asked=asked, on_event=tell)
    return Turn(1, body.typed, StandaloneQuestion(body.typed), answer)


class _Parts:
    """Emits each event as a part of the page: sentences and passages as they are in the whole answer."""

    def __init__(self, emit: Emit) -> None:
        self.key = secrets.token_hex(4)
        self._emit, self._shown = emit, ShownAnswer("")

    def __call__(self, event: Event) -> None:
        shown, emit = self._shown, self._emit
        if isinstance(event, StandaloneQuestion):
            emit("question", build_document(event))
        elif isinstance(event, SearchResult):
            sources = tuple(map(build_shown_source, event.evidence))
            self._shown = replace(shown, language=event.language, sources=sources)
            emit("stage", StageJson(stage="write"))
        elif isinstance(event, Excerpt):
            passages = (*shown.passages, build_shown_passage(event))
            self._shown = replace(shown, passages=passages)
            view = view_passages(self._shown)[-1]
            emit("passage", render_part("answer", "streamed_passage", view))
        else:
            self._shown = replace(shown, sentences=(*shown.sentences, event))
            emit("sentence", render_part("answer", "streamed", view_newest(self._shown, self.key)))


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
    recent: Iterable[Conversation] = (),
    suggested: Iterable[SuggestedQuestion] | None = (),
    scope: Iterable[str] = (),
) -> HTMLResponse:
    facets = workspace.store.count_facets()
    return render_page(
        "ask",
        current="/",
        workspace=workspace,
        empty=not facets.type,
        longest=MAX_QUERY_LENGTH,
        scope=list(scope),
        agents=_list_writers(workspace),
        types=sorted(one.value for one in facets.type),
        tags=sorted(one.value for one in facets.tag),
        turns=list(turns),
        recent=list(recent),
        suggestions=None if suggested is None else [question.text for question in suggested],
        **_start(workspace, empty=not facets.type),
    )


def _start(workspace: Workspace, *, empty: bool) -> dict[str, Any]:
    """What the owner of a new project is shown: how files come in, and that nobody is invited yet."""
    if not workspace.principal.sees_all:
        return {"reading": False, "alone": False}
    store = workspace.maintenance()
    return {
        "reading": store.count_open_jobs() > 0,
        "alone": not workspace.access.list_tokens(),
        "new": len(list_new(workspace)) if empty else 0,
        "levels": CONFIDENTIALITY_LEVELS,
        "stages": STAGES,
    }
