"""Every foreign error becomes one of ours, with a fix and without the key."""

from __future__ import annotations

import inspect
import socket
from collections.abc import Callable

import httpx
import openai
import pytest

from foundry.errors import (
    FoundryError,
    ModelError,
    ModelRejected,
    ModelReplyInvalid,
    ModelTimeout,
    ModelUnreachable,
)
from foundry.models import ModelSettings, get_generator
from foundry.models.gateway import KINDS
from foundry.models.litellm_client import load_litellm
from foundry.ports import ChatMessage
from tests.support.model_server import Drip, ModelServer, Raw, Stall, Status, Text

Settings = Callable[..., ModelSettings]
ASK = [ChatMessage("user", "How many volts?")]
KEY = "sk-secret-0123456789"
MODELS = pytest.mark.parametrize("model", ["openai/gpt-4o", "ollama/llama3.1"])


def fail(settings: ModelSettings, model: str = "openai/gpt-4o") -> FoundryError:
    with pytest.raises(FoundryError) as caught:
        get_generator(model, settings).generate(ASK)
    assert KEY not in f"{caught.value} {caught.value.where} {caught.value.fix}"
    return caught.value


def exceptions_of(module: object) -> list[type[Exception]]:
    found = [item for _, item in inspect.getmembers(module, inspect.isclass)]
    return [item for item in found if issubclass(item, Exception) and not issubclass(item, Warning)]


def test_every_litellm_exception_is_mapped_by_name() -> None:
    own = exceptions_of(load_litellm().exceptions)
    theirs = [item for item in own if item.__module__.startswith("litellm.exceptions")]
    assert len(theirs) > 20
    assert [item.__name__ for item in theirs if item.__name__ not in KINDS] == []


@pytest.mark.parametrize("module", [openai, httpx])
def test_every_exception_of_the_underlying_clients_is_mapped(module: object) -> None:
    unmapped = [
        item.__name__
        for item in exceptions_of(module)
        if not any(ancestor.__name__ in KINDS for ancestor in item.__mro__)
    ]
    assert unmapped == []


@MODELS
@pytest.mark.parametrize(
    ("status", "kind", "words", "requests"),
    [
        (400, ModelRejected, "rejected the request", 1),
        (401, ModelRejected, "rejected the key", 1),
        (402, ModelRejected, "out of credit", 1),
        (403, ModelRejected, "may not be used with this key", 1),
        (404, ModelRejected, "not known to the provider", 1),
        (413, ModelRejected, "cannot process a text of this length", 1),
        (307, ModelRejected, "moved to another address", 1),
        (429, ModelError, "over its rate limit", 3),
        (500, ModelError, "failed on the provider's side", 3),
        (503, ModelError, "failed on the provider's side", 3),
        (529, ModelError, "failed on the provider's side", 3),
    ],
)
def test_an_http_error_is_explained_and_retried_where_that_helps(
    *,
    server: ModelServer,
    settings: Settings,
    model: str,
    status: int,
    kind: type[ModelError],
    words: str,
    requests: int,
) -> None:
    server.default = Status(status, f"no way, {KEY}")
    error = fail(settings(max_retries=2), model)
    assert type(error) is kind
    assert words in error.message
    assert f"HTTP {status}" in error.message
    assert model in error.message
    assert error.where == f"127.0.0.1:{server.port}"
    assert error.fix
    assert len(server.requests) == requests


@MODELS
def test_a_body_that_is_not_json_is_an_invalid_reply(
    server: ModelServer, settings: Settings, model: str
) -> None:
    server.default = Raw("<html>Welcome</html>", "text/html")
    assert type(fail(settings(), model)) is ModelReplyInvalid


@MODELS
@pytest.mark.parametrize("body", ['{"x": 1}', '{"choices": []}', "[]"])
def test_json_of_another_api_is_an_invalid_reply(
    server: ModelServer, settings: Settings, model: str, body: str
) -> None:
    server.default = Raw(body)
    assert type(fail(settings(), model)) is ModelReplyInvalid


@MODELS
def test_an_interrupted_response_is_retried(
    server: ModelServer, settings: Settings, model: str
) -> None:
    server.script(Text("Five volts. " * 50, drop=40), Text("Five volts."))
    assert get_generator(model, settings()).generate(ASK).text == "Five volts."


@MODELS
def test_a_missing_server_is_unreachable(settings: Settings, model: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    bases = {"openai": address, "ollama": address}
    error = fail(settings(api_base=bases, max_retries=1), model)
    assert type(error) is ModelUnreachable
    assert "Tried 2 times." in error.message


@MODELS
@pytest.mark.parametrize("script", [Stall(), Drip()])
def test_a_stalling_or_dripping_server_hits_the_deadline(
    server: ModelServer, settings: Settings, model: str, script: object
) -> None:
    server.default = script  # type: ignore[assignment]
    error = fail(settings(timeout_s=0.5, max_retries=1), model)
    assert type(error) is ModelTimeout
    assert "did not answer within 0.5 s" in error.message
    assert server.wait_for_disconnect(10)


def test_missing_credit_is_not_retried(server: ModelServer, settings: Settings) -> None:
    server.default = Status(429, "You exceeded your current quota", error_code="insufficient_quota")
    error = fail(settings())
    assert "out of credit" in error.message
    assert len(server.requests) == 1


def test_a_text_over_the_window_is_explained(server: ModelServer, settings: Settings) -> None:
    server.default = Status(
        400,
        "This model's maximum context length is 4096 tokens.",
        error_code="context_length_exceeded",
    )
    assert "cannot process a text of this length" in fail(settings()).message


def test_a_rate_limit_is_waited_out(server: ModelServer, settings: Settings) -> None:
    server.script(Status(429, retry_after=0.05), Status(429, retry_after=0), Text("Five."))
    assert get_generator("openai/gpt-4o", settings()).generate(ASK).text == "Five."


@MODELS
def test_a_retry_after_of_more_than_a_minute_is_not_waited_for(
    server: ModelServer, settings: Settings, model: str
) -> None:
    server.default = Status(429, retry_after=120)
    error = fail(settings(), model)
    assert "asks to wait 120 s" in error.message
    assert len(server.requests) == 1


def test_keys_are_removed_from_the_providers_message(
    server: ModelServer, settings: Settings
) -> None:
    odd = {"OPENAI_API_KEY": "0a1b2c3d4e5f", "X_TOKEN": "tulip-tulip"}
    said = "Skipping keys 0a1b2c3d4e5f, sk-proj-abc***xyz, tulip-tulip."
    server.default = Status(401, said)
    error = fail(settings(environment=odd))
    assert "Skipping keys [key], [key], [key]." in error.message
    assert "OPENAI_API_KEY" in error.fix


def test_long_provider_messages_are_cut(server: ModelServer, settings: Settings) -> None:
    server.default = Status(400, "no " * 1000)
    assert len(fail(settings()).message) < 400
