"""Fit by how much each channel is divided before it is rounded to 8 bits, and write the factors.

    python -m bench.fit_quantization --data DIR [--write]

A channel's factor is its greatest value over the texts to the power STRENGTH, over its greatest
weight to the power 1 - STRENGTH (SmoothQuant, Xiao et al., 2023), scaled so that the factors of a
layer have a geometric mean of 1. Vectors are compared on sets that are not fitted on.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.tables import read_rows
from foundry.config import get_cache_folder
from foundry.models.e5.engines import BuiltinModel, NumpyEngine, OnnxEngine
from foundry.models.e5.graph import pack_factors, write_graph
from foundry.models.e5.tokenizer import PieceTokenizer, index_pieces
from foundry.models.e5.weights import END, LAYERS, START, WINDOW, E5Weights, read_weights

FACTORS = Path(__file__).parents[1] / "src/foundry/models/e5/smoothing.bin"
FITTED = ("scifact_train", "cosqa_dev", "anthropic_docs", "nl_algoritmekader", "squad2_half")
HELD_BACK = ("nl_coronamelder", "clapnq", "conflict_nq_val")
TEXTS, QUERIES = 60, 15
"""Of each set."""
CHARACTERS = 1500
STRENGTH = 0.8
"""Of .7, .75, .8 and .85 the best on the sets held back."""
LEAST = 1e-2
"""Below this a channel is not worth raising (a guess)."""
PLACES = {"qkv": (0, "qkv"), "fi": (2, ("fi",))}
"""Part → its place among a layer's inputs in ``NumpyEngine.run``, and its matrices."""

Array = npt.NDArray[np.float32]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="write smoothing.bin")
    arguments = parser.parse_args()
    weights = read_weights(get_cache_folder({}))
    exact = NumpyEngine(weights)
    model = BuiltinModel(weights, PieceTokenizer(weights, *index_pieces(weights)), exact)
    factors = fit_factors(weights, _find_greatest(model, exact, arguments.data))
    if arguments.write:
        FACTORS.write_bytes(pack_factors(factors))
    quantized = OnnxEngine(write_graph(weights))
    found = [
        _cosine(exact.encode(rows), quantized.encode(rows))
        for rows in _read_inputs(model, arguments.data, HELD_BACK)
    ]
    print(f"cosine on {len(found)} texts: mean {np.mean(found):.5f}, least {min(found):.5f}")


def fit_factors(weights: E5Weights, greatest: Mapping[tuple[str, int], Array]) -> dict[str, Array]:
    factors: dict[str, Array] = {}
    for part, (_, names) in PLACES.items():
        rows = []
        for layer in range(LAYERS):
            matrix = weights.read_matrix(*(f"l{layer}.{name}.w" for name in names))
            channels = np.maximum(greatest[part, layer], LEAST) ** STRENGTH
            row = channels / np.maximum(np.abs(matrix).max(axis=0), 1e-4) ** (1 - STRENGTH)
            rows.append(row / np.exp(np.log(row).mean()))
        factors[part] = np.stack(rows)
    return factors


def _find_greatest(
    model: BuiltinModel, exact: NumpyEngine, data: Path
) -> dict[tuple[str, int], Array]:
    greatest: dict[tuple[str, int], Array] = {}
    for rows in _read_inputs(model, data, FITTED):
        seen = exact.run(rows)
        for layer in range(LAYERS):
            for part, (place, _) in PLACES.items():
                most = np.abs(seen[4 * layer + place]).max(axis=0)
                known = greatest.get((part, layer), most)
                greatest[part, layer] = np.maximum(known, most)
    return greatest


def _read_inputs(model: BuiltinModel, data: Path, sets: tuple[str, ...]) -> list[Array]:
    draw, texts = random.Random(5), []
    for name in sets:
        for file, most in (("corpus", TEXTS), ("queries", QUERIES)):
            rows = read_rows(data / name / f"{file}.jsonl")
            texts += [str(row["text"])[:CHARACTERS] for row in draw.sample(rows, most)]
    tokens = [model.tokenizer.split_text(f"passage: {text}")[:WINDOW] for text in texts]
    return [model.weights.read_rows([START, *row, END]) for row in tokens]


def _cosine(one: Array, other: Array) -> float:
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


if __name__ == "__main__":
    main()
