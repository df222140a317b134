"""Rerankers of a scripted HTTP server and of a directory with a tiny cross-encoder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foundry.errors import ConfigError, ModelError, ModelReplyInvalid, ModelTimeout
from foundry.models import ModelSettings, check_models, get_reranker
from foundry.ports import Reranker
from tests.models.test_onnx_embedder import WORDS, write_tokenizer
from tests.support.model_server import ModelServer, Raw, Stall, Status

Settings = Callable[..., ModelSettings]
MODELS = pytest.mark.parametrize("model", ["hosted_vllm/bge-reranker", "cohere/rerank-v3.5"])


def open_remote(server: ModelServer, settings: Settings, model: str, **changes: Any) -> Reranker:
    provider = model.partition("/")[0]
    environment = {"COHERE_API_KEY": "k" * 12}
    base = {provider: server.openai}
    return get_reranker(model, settings(api_base=base, environment=environment, **changes))


def reply(*scores: float) -> Raw:
    results = [{"index": n, "relevance_score": score} for n, score in enumerate(scores)]
    return Raw(json.dumps({"id": "1", "results": results[::-1], "meta": {}, "usage": {}}))


@MODELS
def test_scores_come_back_in_the_order_of_the_passages(
    server: ModelServer, settings: Settings, model: str
) -> None:
    server.script(reply(0.2, 0.9))
    reranker = open_remote(server, settings, model)
    assert list(reranker.score_passages("five volts?", ["fan", "5 V"])) == [0.2, 0.9]
    assert server.requests[0].path.endswith("/rerank")
    assert server.requests[0].body["documents"] == ["fan", "5 V"]


@pytest.mark.parametrize(
    "script", [reply(0.2), reply(0.2, 0.3, 0.4), reply(0.2, float("nan")), reply()]
)
def test_a_reply_without_one_score_for_each_passage_is_rejected(
    server: ModelServer, settings: Settings, script: Raw
) -> None:
    server.script(script)
    with pytest.raises(ModelReplyInvalid):
        open_remote(server, settings, "hosted_vllm/m").score_passages("q", ["a", "b"])


@pytest.mark.parametrize("script", [Status(500), Status(401), Raw("<html>"), Raw("[]")])
@MODELS
def test_a_failure_of_the_server_is_a_model_error(
    server: ModelServer, settings: Settings, model: str, script: object
) -> None:
    server.script(*[script] * 5)
    with pytest.raises(ModelError):
        open_remote(server, settings, model, max_retries=0).score_passages("q", ["a", "b"])


def test_a_server_that_never_answers_times_out(server: ModelServer, settings: Settings) -> None:
    server.script(Stall())
    reranker = open_remote(server, settings, "hosted_vllm/m", timeout_s=0.3, max_retries=0)
    with pytest.raises(ModelTimeout):
        reranker.score_passages("q", ["a"])


def write_cross_encoder(folder: Path, outputs: int = 1) -> None:
    """A model whose score is the number of tokens "volts", after a class that is always 0."""
    onnx = pytest.importorskip("onnx", reason="building the test model needs the package onnx")
    from onnx import TensorProto, helper, numpy_helper

    table = np.zeros((len(WORDS), outputs), dtype=np.float32)
    table[WORDS.index("volts"), -1] = 1
    shape = ["batch", "length"]
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["states"]),
            helper.make_node("ReduceSum", ["states", "axis"], ["logits"], keepdims=0),
        ],
        "tiny",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, shape)],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", outputs])],
        [
            numpy_helper.from_array(table, "table"),
            numpy_helper.from_array(np.array([1], dtype=np.int64), "axis"),
        ],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(made, str(folder / "model.onnx"))
    write_tokenizer(folder)


@pytest.mark.parametrize("outputs", [1, 2])
def test_a_cross_encoder_in_a_directory_scores_pairs(tmp_path: Path, outputs: int) -> None:
    write_cross_encoder(tmp_path, outputs)
    reranker = get_reranker(f"onnx:{tmp_path}", ModelSettings())
    scores = reranker.score_passages("five volts", ["nine", "volts volts", "five"])
    assert list(scores) == [1, 3, 1]


def test_a_directory_with_an_embedding_model_is_no_reranker(tmp_path: Path) -> None:
    write_cross_encoder(tmp_path, 4)
    with pytest.raises(ConfigError, match="one finite score"):
        get_reranker(f"onnx:{tmp_path}", ModelSettings()).score_passages("five", ["nine"])


@pytest.mark.parametrize("model", ["builtin/other", "onnx:/nowhere"])
def test_a_reranker_that_cannot_be_used_is_reported(model: str) -> None:
    (problem,) = check_models({"retrieval.reranker": model}, "offline", ModelSettings())
    assert problem.key == "retrieval.reranker"
    assert problem.fix
