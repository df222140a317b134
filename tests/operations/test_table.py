"""An option of ask is declared once: every face has it, and nothing is bound by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType
from typing import Annotated, Any, cast, get_type_hints

import anyio
import click
import httpx
import pytest
from click.testing import CliRunner
from fastapi import FastAPI
from mcp.client import Client as ToolClient
from pydantic import BaseModel, Field

from foundry.cli.options import add_options
from foundry.client import Client
from foundry.mcp.server import build_server
from foundry.mcp.tools import TOOLS
from foundry.operations import endpoints, questions, searches, verification
from foundry.operations.table import Operation, Scope, operation
from foundry.options import AnswerOptions, ScopeOptions, SearchOptions, Typed, name_fields
from foundry.ports import run_to_end
from foundry.records import Event, Sentence
from foundry.web.routes.operations import make_router
from foundry.wire.requests import AnswerRequest, QuestionRequest, ScopeRequest, SearchRequest

NOBODY = Scope(cast("Any", None))


class DeeperOptions(AnswerOptions, total=False):
    depth: Annotated[int | None, Typed(least=1, most=9)]


class DeeperRequest(QuestionRequest):
    depth: int = Field(default=1, ge=1, le=9, description="rounds of search", examples=[2])


@operation(*endpoints.ASK, agent=("answer", "question"), stream=("stream_ask", "Its events."))
def ask_(on: Scope, asked: DeeperRequest) -> Iterator[Event]:
    """An answer."""
    raise NotImplementedError


def test_an_option_of_a_request_is_in_the_openapi_document() -> None:
    subject, app = ModuleType("questions"), FastAPI()
    subject.ask_ = ask_  # type: ignore[attr-defined]
    app.include_router(make_router("questions", subject))
    document = app.openapi()
    assert list(document["paths"]) == ["/ask", "/ask/stream"]
    assert document["components"]["schemas"]["DeeperRequest"]["properties"]["depth"]["maximum"] == 9


def test_an_option_of_a_request_is_in_the_schema_of_the_tool(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(cast("Any", TOOLS), "ask", replace(TOOLS["ask"], operation=ask_))

    async def list_tools() -> Any:
        async with ToolClient(build_server(lambda _: NOBODY)) as client:
            return (await client.list_tools()).tools

    schemas = {tool.name: tool.input_schema for tool in anyio.run(list_tools)}
    assert schemas["ask"]["properties"]["depth"]["examples"] == [2]


def test_an_option_of_a_command_is_in_its_help_with_its_bounds() -> None:
    command = click.command()(add_options(DeeperOptions)(lambda **_: None))
    shown = CliRunner().invoke(command, ["--help"]).output
    assert "--depth INTEGER RANGE" in shown
    assert "1<=x<=9" in shown


def test_a_client_sends_an_option_that_it_does_not_know() -> None:
    sent: list[Any] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(json.loads(request.content))
        return httpx.Response(500)

    client = Client("http://localhost")
    client._http = httpx.Client(base_url="http://localhost", transport=httpx.MockTransport(answer))
    with pytest.raises(Exception, match="500"):
        cast("Any", client).ask("Why?", depth=2, complete=True)
    assert sent == [{"question": "Why?", "depth": 2, "all": True}]


def test_a_caller_in_this_process_names_the_fields_of_a_request() -> None:
    asked = ask_.fill(question="Why?", depth=2, complete=True)
    assert (asked.depth, asked.all, asked.mode) == (2, True, None)
    with pytest.raises(TypeError, match="dept"):
        ask_.fill(question="Why?", dept=2)


@pytest.mark.parametrize(
    ("options", "request_", "besides"),
    [
        (ScopeOptions, ScopeRequest, set()),
        (SearchOptions, SearchRequest, {"query"}),
        (AnswerOptions, AnswerRequest, set()),
    ],
)
def test_keyword_arguments_are_the_fields_of_the_request(
    options: type, request_: type[BaseModel], besides: set[str]
) -> None:
    assert name_fields(get_type_hints(options)).keys() == request_.model_fields.keys() - besides


def test_only_a_caller_with_a_turn_is_answered() -> None:
    held: list[bool] = []

    class Slots:
        def __enter__(self) -> None:
            held.append(True)

        def __exit__(self, *_: object) -> None:
            held.append(False)

    slow = Operation(lambda _: list(held), endpoints.ASK, slow=True)
    assert slow.perform(replace(NOBODY, slots=Slots())) == [True]
    assert held == [True, False]


def test_an_observer_that_fails_closes_the_steps() -> None:
    closed: list[bool] = []

    def answer() -> Any:
        try:
            yield Sentence("One.", ())
        finally:
            closed.append(True)

    def fail(_event: Event) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        run_to_end(answer(), fail)
    assert closed == [True]


def test_every_question_names_a_request_that_is_described() -> None:
    for one in (searches.search_, questions.ask_, verification.verify):
        fields = one.takes.model_fields.values()
        assert all(field.description for field in fields)
