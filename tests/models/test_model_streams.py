"""Streams: pieces as they arrive, closing, deadlines."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from foundry.errors import ModelError, ModelTimeout, ModelUnreachable
from foundry.models import ModelSettings, get_generator
from foundry.ports import ChatMessage, Reply
from tests.support.model_server import Drip, ModelServer, Stall, Status, Text

Settings = Callable[..., ModelSettings]
ASK = [ChatMessage("user", "How many volts?")]
MODELS = pytest.mark.parametrize("model", ["openai/gpt-4o", "ollama/llama3.1"])


@MODELS
def test_pieces_arrive_one_by_one(server: ModelServer, settings: Settings, model: str) -> None:
    server.script(Text("Five volts exactly."))
    assert list(get_generator(model, settings()).stream(ASK)) == ["Five", " volts", " exactly."]


@MODELS
def test_the_return_value_is_the_whole_reply(
    server: ModelServer, settings: Settings, model: str
) -> None:
    server.script(Text("Five volts.", finish="length", prompt_tokens=20))

    def collect(pieces: Iterator[str]) -> Iterator[Reply]:
        yield (yield from pieces)  # type: ignore[misc]

    *_, reply = collect(get_generator(model, settings()).stream(ASK))
    assert reply.text == "Five volts."
    assert reply.usage.calls == 1
    assert "cut off" in str(reply.notices[0])


@MODELS
def test_closing_the_stream_closes_the_connection(
    server: ModelServer, settings: Settings, model: str
) -> None:
    server.script(Text("one two three four", hold=2))
    pieces = get_generator(model, settings()).stream(ASK)
    assert next(pieces) == "one"
    pieces.close()  # type: ignore[attr-defined]
    assert server.wait_for_disconnect(10)


@MODELS
@pytest.mark.parametrize("script", [Stall(), Drip(), Text("one two three", hold=1)])
def test_a_stream_that_stalls_ends_with_a_time_out(
    server: ModelServer, settings: Settings, model: str, script: object
) -> None:
    server.script(script)
    with pytest.raises(ModelTimeout, match=r"did not answer within 0\.5 s"):
        list(get_generator(model, settings(timeout_s=0.5, max_retries=0)).stream(ASK))
    assert server.wait_for_disconnect(10)


@MODELS
def test_an_interrupted_stream_is_an_error_and_is_not_restarted(
    server: ModelServer, settings: Settings, model: str
) -> None:
    server.script(Text("one two three", drop=2))
    pieces = get_generator(model, settings()).stream(ASK)
    assert [next(pieces), next(pieces)] == ["one", " two"]
    with pytest.raises(ModelUnreachable):
        next(pieces)
    assert len(server.requests) == 1


def test_a_stream_that_fails_before_its_first_piece_is_restarted(
    server: ModelServer, settings: Settings
) -> None:
    server.script(Status(503), Text("Five volts."))
    assert "".join(get_generator("openai/gpt-4o", settings()).stream(ASK)) == "Five volts."


def test_a_closed_stream_frees_its_slot(server: ModelServer, settings: Settings) -> None:
    generator = get_generator("openai/gpt-4o", settings(max_concurrency=1))
    for _ in range(3):
        pieces = generator.stream(ASK)
        next(pieces)
        pieces.close()  # type: ignore[attr-defined]
    assert generator.generate(ASK).text


def test_an_empty_stream_has_no_pieces(server: ModelServer, settings: Settings) -> None:
    server.script(Text(""))
    assert list(get_generator("openai/gpt-4o", settings()).stream(ASK)) == []


def test_a_rejected_stream_is_an_error(server: ModelServer, settings: Settings) -> None:
    server.script(Status(401, "bad key"))
    with pytest.raises(ModelError, match="rejected the key"):
        next(get_generator("openai/gpt-4o", settings()).stream(ASK))
