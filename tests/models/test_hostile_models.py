"""What a model server sends is bounded, whatever it sends: its size, its form, its pauses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from foundry.errors import ModelError, ModelReplyInvalid
from foundry.messages import Message
from foundry.models import ModelSettings, get_generator
from foundry.ports import ChatMessage, run_to_end
from tests.support.hostile_models import MODES, RETRY_AFTER, send_packed
from tests.support.model_server import ModelServer, Status, Text, Wire

Settings = Callable[..., ModelSettings]
ASK = [ChatMessage("user", "How many volts?")]
MODELS = pytest.mark.parametrize("model", ["openai/gpt-4o", "ollama/llama3.1"])
HUGE = ["100 MB", "gzip bomb of 1.5 GB", "one sentence of 520 kB", "endless stream"]


@pytest.mark.parametrize("streamed", [False, True], ids=["plain", "streamed"])
@pytest.mark.parametrize("mode", HUGE)
def test_a_reply_is_read_up_to_a_limit(
    server: ModelServer, settings: Settings, mode: str, streamed: bool
) -> None:
    server.default = MODES[mode]
    generator = get_generator("openai/gpt-4o", settings(max_retries=0))
    with pytest.raises(ModelReplyInvalid, match="sent far more than it was asked for"):
        list(generator.stream(ASK)) if streamed else generator.generate(ASK)


@MODELS
def test_a_text_beyond_its_tokens_is_an_invalid_reply(
    server: ModelServer, settings: Settings, model: str
) -> None:
    server.default = Text("five " * 4000)
    with pytest.raises(ModelReplyInvalid, match="far more"):
        get_generator(model, settings()).generate(ASK, max_tokens=100)
    assert get_generator(model, settings()).generate(ASK, max_tokens=2000).text


def test_a_compressed_reply_is_read(server: ModelServer, settings: Settings) -> None:
    server.default = Wire(send_packed)
    assert get_generator("openai/gpt-4o", settings()).generate(ASK).text == "Five volts."


@pytest.mark.parametrize("name", RETRY_AFTER)
def test_an_odd_time_to_wait_is_no_fault_of_the_program(
    server: ModelServer, settings: Settings, name: str
) -> None:
    server.default = Status(429, retry_after=RETRY_AFTER[name])
    with pytest.raises(ModelError, match="over its rate limit") as caught:
        get_generator("openai/gpt-4o", settings(max_retries=0)).generate(ASK)
    assert len(caught.value.message) < 200


@pytest.mark.parametrize("name", ["no number", "nan", "negative", "infinite", "300 digits"])
def test_a_wait_that_is_no_time_is_ignored(
    server: ModelServer, settings: Settings, name: str
) -> None:
    server.script(Status(429, retry_after=RETRY_AFTER[name]), Text("Five volts."))
    assert get_generator("openai/gpt-4o", settings()).generate(ASK).text == "Five volts."


EMPTY = ["html", "empty", "no choices", "null choices", "deep JSON"]
BROKEN = [
    "401 with the key", "500 with the key", "error in the stream", "reset", "garbage",
    "redirect", "redirect loop",
]  # fmt: skip


@pytest.mark.parametrize(
    ("mode", "streamed"),
    [*((mode, False) for mode in BROKEN + EMPTY), *((mode, True) for mode in BROKEN)],
)
def test_a_broken_server_gives_an_error_with_a_fix_and_without_the_key(
    server: ModelServer, settings: Settings, mode: str, streamed: bool
) -> None:
    server.default = MODES[mode]
    generator = get_generator("openai/gpt-4o", settings(max_retries=0))
    with pytest.raises(ModelError) as caught:
        list(generator.stream(ASK)) if streamed else generator.generate(ASK)
    assert caught.value.fix
    assert "sk-secret" not in caught.value.message


@pytest.mark.parametrize("mode", EMPTY)
def test_a_stream_without_events_is_an_empty_reply(
    server: ModelServer, settings: Settings, mode: str
) -> None:
    server.default = MODES[mode]
    reply = run_to_end(get_generator("openai/gpt-4o", settings()).stream(ASK))
    assert (reply.text, reply.notices) == ("", (Message("models-reply-empty"),))


@pytest.mark.parametrize("streamed", [False, True], ids=["plain", "streamed"])
def test_half_a_surrogate_pair_is_replaced(
    server: ModelServer, settings: Settings, streamed: bool
) -> None:
    server.default = Text('{"a": "\ud800 5 V, \\ud800"}')
    generator = get_generator("openai/gpt-4o", settings())
    schema = {"type": "object"}
    reply = (
        run_to_end(generator.stream(ASK, schema=schema))
        if streamed
        else generator.generate(ASK, schema=schema)
    )
    assert reply.data == {"a": "? 5 V, ?"}
    assert "?" in reply.text
