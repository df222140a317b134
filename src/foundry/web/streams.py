"""Work that a client follows while it is done, as server-sent events.

The work has a thread of its own, which ends at its next event once nobody listens any more. Events
are named ``stage``, ``step``, ``question``, ``search``, ``sentence``, ``passage`` and ``removed``; the
last one is ``result`` with the whole document, or ``error``.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from contextvars import copy_context
from typing import TypeVar

from fastapi.sse import ServerSentEvent

from foundry.errors import FoundryError
from foundry.messages import Message
from foundry.ports import Progress
from foundry.records import (
    Answer,
    Event,
    Excerpt,
    SearchResult,
    Sentence,
    StandaloneQuestion,
    Turn,
)
from foundry.web.failures import UnexpectedError, log_failure
from foundry.web.site import Site
from foundry.wire.answers import (
    AnswerJson,
    CitedSentenceJson,
    ExcerptJson,
    GroundingChangeJson,
    SearchJson,
    TurnJson,
)
from foundry.wire.base import ErrorJson, WireModel
from foundry.wire.requests import StageJson, StandaloneQuestionJson, StepJson

Events = Iterator[ServerSentEvent]
Emit = Callable[[str, WireModel | str], None]
"""Takes the name of an event and its document, or a part of a page."""
Result = TypeVar("Result", Answer, Turn)
HEARTBEAT_S = 2.0
"""How often a client without news gets a comment. It is also how soon we learn that it is gone."""


class _NobodyListens(Exception):
    """The client has closed the connection."""


def stream(site: Site, work: Callable[[Emit], WireModel | str]) -> Events:
    """The events that ``work`` emits, and its result; waits for its turn among other answers."""
    events: queue.SimpleQueue[ServerSentEvent | None] = queue.SimpleQueue()
    gone = threading.Event()

    def emit(name: str, document: WireModel | str) -> None:
        if gone.is_set():
            raise _NobodyListens
        events.put(ServerSentEvent(event=name, data=document))

    def run() -> None:
        try:
            if not site.slots.acquire(blocking=False):
                emit("stage", StageJson(stage="waiting"))
                site.slots.acquire()
            try:
                emit("result", work(emit))
            finally:
                site.slots.release()
        except _NobodyListens:
            pass
        except Exception as error:  # noqa: BLE001 - the thread's last stop
            events.put(ServerSentEvent(event="error", data=_describe_error(error, site)))
        finally:
            events.put(None)

    threading.Thread(target=copy_context().run, args=(run,), name="stream", daemon=True).start()
    try:
        yield from _read(events)
    finally:
        gone.set()


def _read(events: queue.SimpleQueue[ServerSentEvent | None]) -> Events:
    while True:
        try:
            event = events.get(timeout=HEARTBEAT_S)
        except queue.Empty:
            yield ServerSentEvent(comment="")
            continue
        if event is None:
            return
        yield event


def _describe_error(error: Exception, site: Site) -> ErrorJson:
    if isinstance(error, FoundryError):
        return ErrorJson.build_for_request(error, site.owner.root)
    log_failure("unexpected", error)
    return ErrorJson.from_record(UnexpectedError(Message("web-unexpected", id="")))


def stream_answer(site: Site, steps: Generator[Event, None, Answer]) -> Events:
    """The events of an answer; its result is the answer's document."""

    def work(emit: Emit) -> WireModel:
        answer = _relay(steps, emit)
        _emit_removed(answer, emit)
        return AnswerJson.from_record(answer)

    return stream(site, work)


def stream_turn(site: Site, steps: Generator[Event, None, Turn]) -> Events:
    """The events of a turn of a conversation; its result is the turn's document."""

    def work(emit: Emit) -> WireModel:
        turn = _relay(steps, emit)
        _emit_removed(turn.answer, emit)
        return TurnJson.from_record(turn)

    return stream(site, work)


def stream_document(site: Site, work: Callable[[Progress], WireModel]) -> Events:
    """The steps of longer work; its result is the document."""

    def run(emit: Emit) -> WireModel:
        return work(lambda step: emit("step", StepJson.from_record(step)))

    return stream(site, run)


def _relay(steps: Generator[Event, None, Result], emit: Emit) -> Result:
    with closing(steps):
        emit("stage", StageJson(stage="search"))
        while True:
            try:
                event = next(steps)
            except StopIteration as end:
                result: Result = end.value
                return result
            emit(*_describe_event(event))
            if isinstance(event, SearchResult):
                emit("stage", StageJson(stage="write"))


def _describe_event(event: Event) -> tuple[str, WireModel]:
    if isinstance(event, Sentence):
        return "sentence", CitedSentenceJson.from_record(event)
    if isinstance(event, Excerpt):
        return "passage", ExcerptJson.from_record(event)
    if isinstance(event, StandaloneQuestion):
        return "question", StandaloneQuestionJson.from_record(event)
    return "search", SearchJson.from_record(event)


def _emit_removed(answer: Answer, emit: Emit) -> None:
    for change in answer.changes:
        if change.action == "removed":
            emit("removed", GroundingChangeJson.from_record(change))
