"""A model of inference for tests: a passage entails a statement if it has all its tokens."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

LABELS = {"0": "contradiction", "1": "neutral", "2": "ENTAILMENT"}


def write_overlap_model(
    folder: Path, *texts: str, labels: Mapping[str, str] | None = LABELS, **files: Any
) -> str:
    """Write it into a folder, with a tokenizer of these texts' words; its configured name."""
    onnx = pytest.importorskip("onnx", reason="building the test model needs the package onnx")
    pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
    tokenizers = pytest.importorskip("tokenizers", reason="the extra onnx is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    splitter = tokenizers.pre_tokenizers.Whitespace()
    words = sorted({word for text in texts for word, _ in splitter.pre_tokenize_str(text)})
    vocabulary = {word: place for place, word in enumerate(["[UNK]", *words])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = splitter
    tokenizer.save(str(folder / "tokenizer.json"))
    onnx.save(_build_graph(), str(folder / "model.onnx"))
    if labels is not None:
        files = {"config": {"id2label": labels}, **files}
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return f"onnx:{folder}"


def _build_graph() -> Any:
    """Classes -x, 0 and x; x is 2, less 4 for each token of the statement that is missing."""
    from onnx import TensorProto, helper, numpy_helper

    def node(kind: str, *names: str, **attributes: Any) -> Any:
        return helper.make_node(kind, list(names[:-1]), [names[-1]], **attributes)

    nodes = [
        node("Unsqueeze", "input_ids", "two", "mine"),
        node("Unsqueeze", "input_ids", "one", "others"),
        node("Equal", "mine", "others", "equal"),
        node("Cast", "equal", "same", to=TensorProto.FLOAT),
        node("Cast", "token_type_ids", "second", to=TensorProto.FLOAT),
        node("Cast", "attention_mask", "used", to=TensorProto.FLOAT),
        node("Mul", "second", "used", "statement"),
        node("Sub", "used", "statement", "passage"),
        node("Unsqueeze", "passage", "one", "beside"),
        node("Mul", "same", "beside", "shared"),
        node("ReduceMax", "shared", "present", axes=[2], keepdims=0),
        node("Sub", "unit", "present", "absent"),
        node("Mul", "statement", "absent", "missing"),
        node("ReduceSum", "missing", "one", "count", keepdims=1),
        node("Mul", "count", "four", "loss"),
        node("Sub", "double", "loss", "yes"),
        node("Neg", "yes", "no"),
        node("Sub", "yes", "yes", "neither"),
        node("Concat", "no", "neither", "yes", "logits", axis=1),
    ]
    constants = {
        "one": np.array([1], dtype=np.int64),
        "two": np.array([2], dtype=np.int64),
        "unit": np.array(1, dtype=np.float32),
        "double": np.array(2, dtype=np.float32),
        "four": np.array(4, dtype=np.float32),
    }
    names = ("input_ids", "attention_mask", "token_type_ids")
    graph = helper.make_graph(
        nodes,
        "overlap",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "length"]) for name in names],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", 3])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
