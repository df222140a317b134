"""Embeddings through LiteLLM from a scripted HTTP server."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from foundry.errors import ModelError, ModelReplyInvalid, ModelTimeout
from foundry.models import ModelSettings, get_embedder
from tests.support.model_server import Drip, ModelServer, Raw, Stall, Status, Vectors

Settings = Callable[..., ModelSettings]
MODELS = pytest.mark.parametrize("model", ["openai/text-embedding-3-small", "ollama/bge-m3"])


@MODELS
def test_texts_become_rows_of_length_one_in_their_order(
    server: ModelServer, settings: Settings, model: str
) -> None:
    embedder = get_embedder(model, settings())
    vectors = embedder.embed_passages(["five volts", "nine amperes"])
    assert vectors.shape == (2, server.dimension) == (2, embedder.dimension())
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[1] @ embedder.embed_query("nine amperes") == pytest.approx(1, abs=1e-5)


def test_many_texts_go_in_batches_and_come_back_in_order(
    server: ModelServer, settings: Settings
) -> None:
    embedder = get_embedder("openai/text-embedding-3-small", settings())
    texts = [f"word{n}" for n in range(150)]
    vectors = embedder.embed_passages(texts)
    assert sorted(len(r.body["input"]) for r in server.embeddings) == [22, 64, 64]
    assert np.allclose(vectors[149], embedder.embed_query("word149"), atol=1e-6)


def test_vectors_in_another_order_are_those_of_their_texts(
    server: ModelServer, settings: Settings
) -> None:
    embedder = get_embedder("openai/x", settings())
    server.script(Vectors(numbers=(1, 0)))
    vectors = embedder.embed_passages(["volt", "ampere"])
    assert np.allclose(vectors[1], embedder.embed_query("volt"), atol=1e-6)


def test_the_most_texts_of_a_request_can_be_set(server: ModelServer, settings: Settings) -> None:
    get_embedder("openai/x", settings(batch_texts=2)).embed_passages(["a", "b", "c"])
    assert sorted(len(r.body["input"]) for r in server.embeddings) == [1, 2]


def test_a_server_that_refuses_base64_is_asked_without_from_then_on(
    server: ModelServer, settings: Settings
) -> None:
    embedder = get_embedder("openai/x", settings())
    server.script(Status(422))
    assert embedder.embed_passages(["a"]).shape == (1, server.dimension)
    embedder.embed_passages(["b"])
    assert ["encoding_format" in r.body for r in server.embeddings] == [True, False, False]


def test_large_texts_go_in_smaller_batches(server: ModelServer, settings: Settings) -> None:
    get_embedder("openai/x", settings()).embed_passages(["volt " * 10_000] * 5)
    assert sorted(len(r.body["input"]) for r in server.embeddings) == [1, 2, 2]


def test_no_texts_give_no_rows(server: ModelServer, settings: Settings) -> None:
    assert get_embedder("openai/x", settings()).embed_passages([]).shape == (0, server.dimension)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (Vectors(missing=1), "1 vectors for 2 texts"),
        (Vectors(value=0.0), "zero or not finite"),
        (Vectors(value=float("nan")), "zero or not finite"),
        (Raw('{"object": "list", "data": []}'), "0 vectors for 2 texts"),
        (Vectors(numbers=(1, 1)), "not numbered as the texts"),
        (Vectors(numbers=(1, 2)), "not numbered as the texts"),
    ],
)
def test_impossible_vectors_are_rejected(
    server: ModelServer, settings: Settings, script: object, message: str
) -> None:
    server.script(script)
    with pytest.raises(ModelReplyInvalid, match=message):
        get_embedder("openai/x", settings()).embed_passages(["a", "b"])


def test_a_changed_dimension_is_rejected(server: ModelServer, settings: Settings) -> None:
    embedder = get_embedder("openai/x", settings())
    embedder.embed_query("a")
    server.script(Vectors(dimension=32))
    with pytest.raises(ModelReplyInvalid, match="length 32 after length 64"):
        embedder.embed_query("b")


def test_odd_texts_are_sent_in_a_form_that_providers_accept(
    server: ModelServer, settings: Settings
) -> None:
    get_embedder("openai/x", settings()).embed_passages(["", "a\0b", "\ud800"])
    assert server.embeddings[0].body["input"] == [".", "a b", "?"]


def test_models_trained_with_prefixes_get_them(server: ModelServer, settings: Settings) -> None:
    embedder = get_embedder("ollama/nomic-embed-text", settings())
    embedder.embed_query("a")
    embedder.embed_passages(["b"])
    sent = [request.body["input"] for request in server.embeddings]
    assert sent == [["search_query: a"], ["search_document: b"]]


def test_ollama_may_not_cut_a_text_silently(server: ModelServer, settings: Settings) -> None:
    get_embedder("ollama/bge-m3", settings()).embed_query("a")
    assert server.embeddings[0].body["truncate"] is False
    assert server.embeddings[0].body["options"] == {"num_ctx": 8192}


@pytest.mark.parametrize("provider", ["openai", "hosted_vllm"])
def test_a_reply_beyond_its_limit_is_not_read(
    server: ModelServer, settings: Settings, provider: str
) -> None:
    server.script(Raw(" " * 2**21))
    embedder = get_embedder(f"{provider}/x", settings(api_base={provider: server.openai}))
    with pytest.raises(ModelReplyInvalid, match="more than"):
        embedder.embed_query("a")


@MODELS
@pytest.mark.parametrize("script", [Stall(), Drip()])
def test_a_server_that_stalls_ends_with_a_time_out(
    server: ModelServer, settings: Settings, model: str, script: object
) -> None:
    server.script(script)
    with pytest.raises(ModelTimeout):
        get_embedder(model, settings(timeout_s=0.5, max_retries=0)).embed_query("a")


def test_a_failed_batch_is_retried(server: ModelServer, settings: Settings) -> None:
    server.script(Status(500), Status(429, retry_after=0))
    assert get_embedder("openai/x", settings()).embed_query("a").shape == (64,)
    assert len(server.embeddings) == 3


@MODELS
def test_only_the_gateway_retries(server: ModelServer, settings: Settings, model: str) -> None:
    server.default = Status(500)
    server.script(Status(500))
    with pytest.raises(ModelError):
        get_embedder(model, settings(max_retries=0)).embed_query("a")
    assert len(server.embeddings) == 1


def test_the_fingerprint_distinguishes_models(server: ModelServer, settings: Settings) -> None:
    first, again, other = (
        get_embedder(model, settings()).fingerprint()
        for model in ("openai/x", "openai/x", "openai/y")
    )
    assert first == again != other


def test_a_loopback_server_is_local(settings: Settings) -> None:
    assert get_embedder("openai/x", settings()).local
    assert not get_embedder("openai/x", settings(api_base={})).local
