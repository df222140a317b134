"""Embedding models from a directory, with a tiny ONNX model built by the tests."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foundry.errors import ConfigError
from foundry.models import ModelSettings, get_embedder
from foundry.ports import Embedder

onnx = pytest.importorskip("onnx", reason="building the test model needs the package onnx")
pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
tokenizers = pytest.importorskip("tokenizers", reason="the extra onnx is not installed")

WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "five", "volts", "nine", "amperes", "query", ":"]
WIDTH = 4


def token_vectors() -> np.ndarray:
    return np.random.default_rng(7).normal(size=(len(WORDS), WIDTH)).astype(np.float32)


def write_model(folder: Path, name: str = "model.onnx") -> None:
    """A model that looks up a vector per token: its hidden states."""
    from onnx import TensorProto, helper, numpy_helper

    shape = ["batch", "length"]
    inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, shape)]
    outputs = [helper.make_tensor_value_info("states", TensorProto.FLOAT, [*shape, WIDTH])]
    table = numpy_helper.from_array(token_vectors(), "table")
    node = helper.make_node("Gather", ["table", "input_ids"], ["states"])
    graph = helper.make_graph([node], "tiny", inputs, outputs, [table])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    onnx.save(made, str(folder / name))


def write_tokenizer(folder: Path) -> None:
    vocabulary = {word: place for place, word in enumerate(WORDS)}
    model = tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))


def make(folder: Path, model_file: str = "model.onnx", **files: Any) -> Embedder:
    """A directory with a model; keywords are JSON files, ``__`` for a dash-free path."""
    write_model(folder, model_file)
    write_tokenizer(folder)
    for name, content in files.items():
        path = folder / (name.replace("__", "/") + ".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
    return get_embedder(f"onnx:{folder}", ModelSettings())


def expected(*words: str) -> np.ndarray:
    mean = np.mean([token_vectors()[WORDS.index(word)] for word in words], axis=0)
    return mean / np.linalg.norm(mean)


@pytest.mark.parametrize("name", ["model.onnx", "onnx/model.onnx", "model_quantized.onnx"])
def test_tokens_are_averaged_by_default(tmp_path: Path, name: str) -> None:
    vectors = make(tmp_path, name).embed_passages(["five volts", "nine"])
    assert np.allclose(vectors[0], expected("[CLS]", "five", "volts", "[SEP]"), atol=1e-5)
    assert np.allclose(vectors[1], expected("[CLS]", "nine", "[SEP]"), atol=1e-5)


def test_cls_pooling_uses_the_first_token(tmp_path: Path) -> None:
    modules = [{"type": "sentence_transformers.models.Pooling", "path": "pool"}]
    embedder = make(tmp_path, modules=modules, pool__config={"pooling_mode_cls_token": True})
    assert np.allclose(embedder.embed_query("five volts"), expected("[CLS]"), atol=1e-5)


def test_prompts_are_prepended_to_texts(tmp_path: Path) -> None:
    embedder = make(tmp_path, config_sentence_transformers={"prompts": {"query": "query: "}})
    asked, found = embedder.embed_query("five"), embedder.embed_passages(["five"])[0]
    assert np.allclose(asked, expected("[CLS]", "query", ":", "five", "[SEP]"), atol=1e-5)
    assert np.allclose(found, expected("[CLS]", "five", "[SEP]"), atol=1e-5)


def test_a_long_text_is_embedded_in_windows_to_its_end(tmp_path: Path) -> None:
    embedder = make(tmp_path, foundry={"max_tokens": 8})
    short = embedder.embed_query("five " * 30)
    assert not np.allclose(short, embedder.embed_query("five " * 30 + "amperes " * 5))


def test_a_vector_does_not_depend_on_the_batch(tmp_path: Path) -> None:
    embedder = make(tmp_path)
    texts = ["five " * n + "volts" for n in range(1, 40)]
    together = embedder.embed_passages(texts)
    assert np.allclose(together[20], embedder.embed_passages([texts[20]])[0], atol=1e-5)


def test_odd_texts_have_vectors(tmp_path: Path) -> None:
    vectors = make(tmp_path).embed_passages(["", "\0", "\ud800", "漢字"])
    assert np.isfinite(vectors).all()


def test_the_fingerprint_depends_on_the_settings(tmp_path: Path) -> None:
    plain = make(tmp_path).fingerprint()
    assert make(tmp_path).fingerprint() == plain
    assert make(tmp_path, foundry={"pooling": "cls"}).fingerprint() != plain


def test_the_dimension_is_known_and_the_model_local(tmp_path: Path) -> None:
    embedder = make(tmp_path)
    assert (embedder.dimension(), embedder.local) == (WIDTH, True)
    assert embedder.embed_passages([]).shape == (0, WIDTH)


@pytest.mark.parametrize(
    ("missing", "words"), [("model.onnx", "model"), ("tokenizer.json", "tokenizer")]
)
def test_a_missing_file_is_named(tmp_path: Path, missing: str, words: str) -> None:
    make(tmp_path)
    (tmp_path / missing).unlink()
    with pytest.raises(ConfigError, match=f"no {words} file") as caught:
        get_embedder(f"onnx:{tmp_path}", ModelSettings())
    assert missing in caught.value.fix


def test_a_broken_model_is_an_error(tmp_path: Path) -> None:
    embedder = make(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"no model")
    with pytest.raises(ConfigError, match="cannot be loaded"):
        embedder.embed_query("five")


def test_a_broken_settings_file_is_an_error(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "foundry.json").write_text("{")
    with pytest.raises(ConfigError, match="cannot be read as JSON"):
        get_embedder(f"onnx:{tmp_path}", ModelSettings())


def test_an_unknown_pooling_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Unknown pooling"):
        make(tmp_path, foundry={"pooling": "magic"})


def test_a_missing_extra_is_an_error_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigError) as caught:
        get_embedder(f"onnx:{tmp_path}", ModelSettings())
    assert "[onnx" in caught.value.fix
