"""Completions through LiteLLM from a scripted HTTP server."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from foundry.errors import ModelError, ModelRejected, StoreError
from foundry.messages import Message
from foundry.models import ModelSettings, get_generator
from foundry.ports import ChatMessage
from tests.support.model_server import Echo, Json, ModelServer, Status, Text

Settings = Callable[..., ModelSettings]
ASK = [ChatMessage("system", "Be brief."), ChatMessage("user", "How many volts?")]
SCHEMA = {
    "type": "object",
    "properties": {"volts": {"type": "integer"}},
    "required": ["volts"],
    "additionalProperties": False,
}


def test_an_answer_comes_with_its_usage_and_cost(server: ModelServer, settings: Settings) -> None:
    server.script(Text("Five volts [S1].", prompt_tokens=100, completion_tokens=10))
    reply = get_generator("openai/gpt-4o", settings()).generate(ASK)
    assert (reply.text, reply.data, reply.notices) == ("Five volts [S1].", None, ())
    assert (reply.usage.calls, reply.usage.prompt_tokens) == (1, 100)
    assert reply.usage.cost == pytest.approx(100 * 2.5e-6 + 10 * 1e-5)


def test_the_request_carries_messages_limits_and_the_key(
    server: ModelServer, settings: Settings
) -> None:
    get_generator("openai/gpt-4o", settings(temperature=0.1)).generate(ASK, max_tokens=99)
    sent = server.requests[0]
    assert sent.headers["Authorization"] == "Bearer sk-secret-0123456789"
    assert [m["content"] for m in sent.messages] == ["Be brief.", "How many volts?"]
    assert (sent.body["max_tokens"], sent.body["temperature"]) == (99, 0.1)


def test_a_local_model_without_a_price_costs_nothing(
    server: ModelServer, settings: Settings
) -> None:
    reply = get_generator("openai/home-made", settings()).generate(ASK)
    assert reply.usage.cost == 0.0


def test_a_truncated_reply_has_a_notice(server: ModelServer, settings: Settings) -> None:
    server.script(Text("Five", finish="length"))
    reply = get_generator("openai/gpt-4o", settings()).generate(ASK, max_tokens=5)
    assert reply.notices == (Message("models-reply-cut", limit=5),)


def test_the_schema_is_sent_and_the_object_parsed(server: ModelServer, settings: Settings) -> None:
    server.script(Json({"volts": 5}))
    reply = get_generator("openai/gpt-4o", settings()).generate(ASK, schema=SCHEMA)
    sent = server.requests[0].body["response_format"]["json_schema"]
    assert (reply.data, sent["schema"], sent["strict"]) == ({"volts": 5}, SCHEMA, True)


def test_a_provider_without_schemas_gets_json_mode_then_the_prompt_alone(
    server: ModelServer, settings: Settings
) -> None:
    refusal = Status(400, "response_format is not supported")
    server.script(refusal, refusal, Json({"volts": 5}), Json({"volts": 6}))
    generator = get_generator("openai/home-made", settings())
    reply = generator.generate(ASK, schema=SCHEMA)
    generator.generate([*ASK, ChatMessage("user", "Again?")], schema=SCHEMA)
    asked = [r.body.get("response_format", {}).get("type") for r in server.requests]
    assert asked == ["json_schema", "json_object", None, None]
    assert reply.notices == (Message("models-schema-refused", level="prompt"),)


def test_the_schema_is_in_the_prompt_only_where_the_provider_takes_none(
    server: ModelServer, settings: Settings
) -> None:
    server.script(Status(400, "response_format is not supported"), Json({"volts": 5}))
    get_generator("openai/home-made", settings()).generate(ASK, schema=SCHEMA)
    words = json.dumps(SCHEMA, separators=(",", ":"))
    assert [words in request.prompt for request in server.requests] == [False, True]


def test_a_bad_request_for_another_reason_is_not_repeated(
    server: ModelServer, settings: Settings
) -> None:
    server.script(Status(400, "too many tokens"))
    with pytest.raises(ModelRejected):
        get_generator("openai/gpt-4o", settings()).generate(ASK, schema=SCHEMA)
    assert len(server.requests) == 1


def test_a_rejected_temperature_is_omitted(server: ModelServer, settings: Settings) -> None:
    server.script(Status(400, "temperature must be 1 for this model"))
    reply = get_generator("openai/home-made", settings()).generate(ASK)
    assert "temperature" not in server.requests[1].body
    assert reply.notices == (Message("models-temperature-refused"),)


@pytest.mark.parametrize("streamed", [False, True])
def test_a_model_known_to_reject_temperatures_is_sent_none(
    server: ModelServer, settings: Settings, streamed: bool
) -> None:
    generator = get_generator("openai/gpt-5", settings())
    text = "".join(generator.stream(ASK)) if streamed else generator.generate(ASK).text
    assert text == "This is a scripted answer."
    assert ["temperature" in request.body for request in server.requests] == [False]


def test_bad_json_is_requested_once_more(server: ModelServer, settings: Settings) -> None:
    server.script(Text("Five volts."), Json({"volts": 5}))
    reply = get_generator("openai/gpt-4o", settings()).generate(ASK, schema=SCHEMA)
    assert (reply.data, reply.usage.calls) == ({"volts": 5}, 2)
    assert "there was no JSON object in it" in server.requests[1].prompt


def test_truncated_json_is_requested_once_more_with_more_room(
    server: ModelServer, settings: Settings
) -> None:
    server.script(Text('{"volts"', finish="length"), Json({"volts": 5}))
    reply = get_generator("openai/gpt-4o", settings()).generate(ASK, schema=SCHEMA, max_tokens=50)
    assert reply.data == {"volts": 5}
    assert [request.body["max_tokens"] for request in server.requests] == [50, 100]


def test_json_that_stays_bad_becomes_prose_with_a_notice(
    server: ModelServer, settings: Settings
) -> None:
    server.script(Text("Five."), Text("Still five."))
    reply = get_generator("openai/gpt-4o", settings()).generate(ASK, schema=SCHEMA)
    assert (reply.data, reply.text) == (None, "Still five.")
    assert "ignored the schema" in str(reply.notices[-1])


def test_a_failed_second_request_keeps_the_first_reply(
    server: ModelServer, settings: Settings
) -> None:
    server.script(Text("Five."), Status(400, "no"))
    reply = get_generator("openai/gpt-4o", settings()).generate(ASK, schema=SCHEMA)
    assert (reply.data, reply.text) == (None, "Five.")
    assert "a second try failed" in str(reply.notices[-1])


def test_unknown_values_are_left_to_grounding(server: ModelServer, settings: Settings) -> None:
    server.script(Json({"volts": 5, "cites": ["S99"]}))
    reply = get_generator("openai/gpt-4o", settings()).generate(ASK, schema=SCHEMA)
    assert reply.data == {"volts": 5, "cites": ["S99"]}


def test_ollama_gets_a_context_that_fits_prompt_and_reply(
    server: ModelServer, settings: Settings
) -> None:
    generator = get_generator("ollama/llama3.1", settings())
    generator.generate(ASK, max_tokens=100)
    generator.generate([ChatMessage("user", "volt " * 5000)], max_tokens=1000)
    options = [request.body["options"] for request in server.requests]
    assert [option["num_ctx"] for option in options] == [4096, 8192]
    assert [option["num_predict"] for option in options] == [100, 1000]
    assert {request.path for request in server.requests} == {"/api/chat"}


def test_a_prompt_over_ollamas_window_is_rejected_before_the_call(
    server: ModelServer, settings: Settings
) -> None:
    generator = get_generator("ollama/llama3.1", settings(windows={"ollama/llama3.1": 1000}))
    with pytest.raises(ModelRejected, match="does not fit the window"):
        generator.generate([ChatMessage("user", "volt " * 2000)])
    assert server.requests == []


def test_a_reply_with_little_room_left_has_a_notice(
    server: ModelServer, settings: Settings
) -> None:
    generator = get_generator("ollama/x", settings(windows={"x": 1000}))
    reply = generator.generate([ChatMessage("user", "volt " * 800)], max_tokens=500)
    sent = server.requests[0].body["options"]
    assert sent["num_ctx"] == 1000
    assert 0 < sent["num_predict"] < 200
    assert "tokens of the window were left" in str(reply.notices[0])


def test_ollama_gets_the_schema_too(server: ModelServer, settings: Settings) -> None:
    server.script(Json({"volts": 5}))
    reply = get_generator("ollama/llama3.1", settings()).generate(ASK, schema=SCHEMA)
    assert (reply.data, server.requests[0].body["format"]) == ({"volts": 5}, SCHEMA)


def test_the_same_prompt_goes_to_every_provider(server: ModelServer, settings: Settings) -> None:
    server.default = Json({"volts": 5})
    for model in ("openai/gpt-4o", "ollama/llama3.1"):
        get_generator(model, settings()).generate(ASK, schema=SCHEMA)
    assert server.requests[0].prompt == server.requests[1].prompt


def test_lone_surrogates_are_sent_as_question_marks(
    server: ModelServer, settings: Settings
) -> None:
    server.script(Echo())
    reply = get_generator("openai/gpt-4o", settings()).generate([ChatMessage("user", "a\ud800b")])
    assert reply.text == "a?b"


class Cache(dict[str, str]):
    def save(self, key: str, model: str, reply: str) -> None:
        self[key] = reply


def test_the_same_call_is_answered_from_the_cache(server: ModelServer, settings: Settings) -> None:
    cache = Cache()
    generator = get_generator(
        "openai/gpt-4o", settings(find_response=cache.get, save_response=cache.save)
    )
    first, second = generator.generate(ASK), generator.generate(ASK)
    assert (second.text, len(server.requests)) == (first.text, 1)
    assert (second.usage.cached, second.usage.calls, second.usage.cost) == (1, 0, 0.0)


@pytest.mark.parametrize(
    "change",
    [{"temperature": 0.9}, {"max_tokens": 7}, {"api_base": {}}],
)
def test_a_changed_parameter_is_a_new_call(
    server: ModelServer, settings: Settings, change: dict[str, object]
) -> None:
    cache = Cache()
    caches = {"find_response": cache.get, "save_response": cache.save}
    get_generator("openai/gpt-4o", settings(**caches)).generate(ASK)
    environment = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": f"{server.openai}/"}
    changed = settings(**caches, environment=environment, **change)
    get_generator("openai/gpt-4o", changed).generate(ASK)
    assert len(server.requests) == (1 if "api_base" in change else 2)


def test_truncated_and_malformed_replies_are_not_cached(
    server: ModelServer, settings: Settings
) -> None:
    cache = Cache()
    generator = get_generator(
        "openai/gpt-4o", settings(find_response=cache.get, save_response=cache.save)
    )
    server.script(Text("Fi", finish="length"), Text("no"), Text("no"), Text(""))
    generator.generate(ASK)
    generator.generate(ASK, schema=SCHEMA)
    generator.generate([ChatMessage("user", "empty")])
    assert cache == {}


def test_a_failing_cache_does_not_lose_the_answer(server: ModelServer, settings: Settings) -> None:
    def fail(key: str, model: str, reply: str) -> None:
        raise StoreError("verbatim", text="The disk is full.")

    cached = settings(find_response=lambda key: "not json", save_response=fail)
    reply = get_generator("openai/gpt-4o", cached).generate(ASK)
    assert reply.text == "This is a scripted answer."
    assert "could not be cached: The disk is full." in str(reply.notices[0])


@pytest.mark.parametrize("name", ["builtin/extractive", "none", "onnx:/somewhere"])
def test_builtin_names_are_not_generators(name: str) -> None:
    with pytest.raises(ModelError, match="not a language model"):
        get_generator(name, ModelSettings())
