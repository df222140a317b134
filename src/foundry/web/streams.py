"""Work that a client follows while it is done, as server-sent events.

The work has a thread of its own, which ends at its next event once nobody listens any more. Events
are named ``stage``, ``step``, ``question``, ``search``, ``sentence``, ``passage`` and ``removed``; the
last one is ``result`` with the whole document, or ``error``.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from contextvars import copy_context
from dataclasses import replace
from typing import Any

from fastapi.sse import ServerSentEvent

from foundry.errors import FoundryError
from foundry.messages import Message
from foundry.operations.table import Operation, Scope
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
    SearchJson,
    TurnJson,
)
from foundry.wire.base import ErrorJson, WireModel, build_document
from foundry.wire.requests import StageJson, StepJson

Events = Iterator[ServerSentEvent]
Emit = Callable[[str, WireModel | str], None]
"""Takes the name of an event and its document, or a part of a page."""
HEARTBEAT_S = 2.0
"""How often an idle stream gets a comment, and so how soon we notice that the client is gone."""


class _NobodyListens(Exception):
    """The client has closed the connection."""


def stream(site: Site, work: Callable[[Emit], WireModel | str]) -> Events:
    """Yield the events that ``work`` emits, and its result; waits for its turn among other answers."""
    events: queue.SimpleQueue[ServerSentEvent | None] = queue.SimpleQueue()
    gone = threading.Event()

    def emit(name: str, document: WireModel | str) -> None:
        if gone.is_set():
            raise _NobodyListens
        events.put(ServerSentEvent(event=name, data=document))

    def run() -> None:
        with site.use():
            work_in_turn()

    def work_in_turn() -> None:
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


def follow(site: Site, operation: Operation[Any], scope: Scope, **given: Any) -> Events:
    """Yield the events and steps of an operation, and its document as the result."""

    def work(emit: Emit) -> WireModel:
        def tell(event: Event) -> None:
            emit(*_describe_event(event))
            if isinstance(event, SearchResult):
                emit("stage", StageJson(stage="write"))

        if operation.endpoint.gives in (AnswerJson, TurnJson):
            emit("stage", StageJson(stage="search"))
        watched = watch(scope, emit)
        result = operation.perform(watched, on_event=tell, **given)
        answer = result.answer if isinstance(result, Turn) else result
        for change in answer.changes if isinstance(answer, Answer) else ():
            if change.action == "removed":
                emit("removed", build_document(change))
        return operation.build(result)

    return stream(site, work)


def watch(scope: Scope, emit: Emit) -> Scope:
    """Return the scope for followed work, which already has its turn."""
    return replace(
        scope,
        slots=nullcontext(),
        progress=lambda step: emit("step", StepJson.from_record(step)),
        streams=True,
    )


def _describe_event(event: Event) -> tuple[str, WireModel]:
    if isinstance(event, Sentence):
        return "sentence", CitedSentenceJson.from_record(event)
    if isinstance(event, Excerpt):
        return "passage", ExcerptJson.from_record(event)
    if isinstance(event, StandaloneQuestion):
        return "question", build_document(event)
    return "search", SearchJson.from_record(event)
