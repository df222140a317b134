"""What runs the encoder on one window of tokens: onnxruntime, or numpy where it is missing.

``OnnxEngine`` has 8-bit weights; a window takes 25 ms of one core for 128 tokens. What it
needs takes a second to prepare and is kept in the cache folder; a damaged file is written again.
``NumpyEngine`` has the exact weights, no further package, and a fifth of the speed; it is also
what the quantisation is fitted and tested with.

Both run a window on the calling thread, alone: a vector depends on nothing but its text.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np

from foundry.errors import ConfigError
from foundry.models.e5.graph import EPSILON, TOKENS, read_factors_file, write_graph
from foundry.models.e5.tokenizer import Keys, Order, PieceTokenizer, index_pieces
from foundry.models.e5.weights import (
    HEADS,
    HIDDEN,
    LAYERS,
    RELEASE,
    E5Weights,
    Floats,
    read_weights,
)

RECIPE = 3
"""Changes with what is written into the prepared file, other than the fitted factors."""

_WIDTH = HIDDEN // HEADS
_PREPARED = "e5-small-"
_KEPT_S = 86_400.0
"""So long another version's prepared file stays: two versions in use must not remove each other's
again and again. A guess."""

# Abramowitz and Stegun, 7.1.26: the error function to 1.5e-7.
_ERF = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


class Engine(Protocol):
    """Runs the encoder."""

    def encode(self, rows: Floats) -> Floats:
        """Mean of the last layer over the tokens, shape (384,); ``rows`` is (tokens, 384)."""

    def encode_tokens(self, rows: Floats) -> Floats:
        """The last layer, shape (tokens, 384)."""


@dataclass(frozen=True, slots=True)
class BuiltinModel:
    """The loaded model; read-only, so threads may share it."""

    weights: E5Weights
    tokenizer: PieceTokenizer
    engine: Engine


def load_model(cache: Path) -> BuiltinModel:
    """The model with the fastest engine that is installed; raises ``ConfigError``."""
    weights = read_weights(cache)
    if importlib.util.find_spec("onnxruntime") is None:
        return BuiltinModel(
            weights, PieceTokenizer(weights, *index_pieces(weights)), NumpyEngine(weights)
        )
    path = get_prepared_path(cache)
    try:
        graph, keys, order = _read_prepared(path)
        engine = OnnxEngine(graph)
    except Exception:  # noqa: BLE001  (missing, damaged in any way, or of another onnxruntime)
        graph, (keys, order) = write_graph(weights), index_pieces(weights)
        _save_prepared(path, graph, keys, order)
        engine = _open_graph(graph)
    return BuiltinModel(weights, PieceTokenizer(weights, keys, order), engine)


def get_prepared_path(cache: Path) -> Path:
    """Where the graph and the index of the pieces are kept."""
    recipe = hashlib.sha256(repr((RELEASE, RECIPE)).encode() + read_factors_file()).hexdigest()
    return cache / f"{_PREPARED}{recipe[:12]}.npz"


class OnnxEngine:
    """The 8-bit graph in onnxruntime, one thread for each call."""

    def __init__(self, graph: bytes) -> None:
        # Imported here: it takes 50 ms, and not every process embeds.
        import onnxruntime

        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Otherwise it keeps the largest window's memory for each thread that ever ran one.
        options.enable_cpu_mem_arena = False
        self._session = onnxruntime.InferenceSession(
            graph, options, providers=["CPUExecutionProvider"]
        )
        # It keeps the file's 19 MB for other providers, of which there are none.
        self._session._model_bytes = None  # noqa: SLF001

    def encode(self, rows: Floats) -> Floats:
        """See ``Engine``."""
        return cast("Floats", self._session.run(["mean"], {"rows": rows[None]})[0][0])

    def encode_tokens(self, rows: Floats) -> Floats:
        """See ``Engine``."""
        return cast("Floats", self._session.run([TOKENS], {"rows": rows[None]})[0][0])


class NumpyEngine:
    """The exact weights in numpy."""

    def __init__(self, weights: E5Weights) -> None:
        self._norms = {"emb.ln": _read_norm(weights, "emb.ln")}
        self._matrices: dict[str, tuple[Floats, Floats]] = {}
        for layer in (f"l{number}." for number in range(LAYERS)):
            for names in (("q", "k", "v"), ("ao",), ("fi",), ("fo",)):
                matrix = weights.read_matrix(*(f"{layer}{name}.w" for name in names))
                bias = weights.read_vector(*(f"{layer}{name}.b" for name in names))
                self._matrices[layer + names[0]] = np.ascontiguousarray(matrix.T), bias
            for name in ("aln", "oln"):
                self._norms[layer + name] = _read_norm(weights, layer + name)

    def encode(self, rows: Floats) -> Floats:
        """See ``Engine``."""
        mean: Floats = self.encode_tokens(rows).mean(axis=0)
        return mean

    def encode_tokens(self, rows: Floats) -> Floats:
        """See ``Engine``."""
        return self.run(rows)[-1]

    def run(self, rows: Floats) -> list[Floats]:
        """What each matrix of each layer is multiplied by, in order; at the end the result."""
        states = self._normalize(rows, "emb.ln")
        seen = []
        for layer in (f"l{number}." for number in range(LAYERS)):
            attended = _attend(self._multiply(states, layer + "q"))
            middle = self._normalize(states + self._multiply(attended, layer + "ao"), layer + "aln")
            inner = _apply_gelu(self._multiply(middle, layer + "fi"))
            seen += [states, attended, middle, inner]
            states = self._normalize(middle + self._multiply(inner, layer + "fo"), layer + "oln")
        return [*seen, states]

    def _multiply(self, states: Floats, name: str) -> Floats:
        matrix, bias = self._matrices[name]
        product: Floats = states @ matrix + bias
        return product

    def _normalize(self, states: Floats, name: str) -> Floats:
        scale, shift = self._norms[name]
        centred = states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(EPSILON))
        normal: Floats = centred / spread * scale + shift
        return normal


def _read_norm(weights: E5Weights, name: str) -> tuple[Floats, Floats]:
    return weights.read_vector(f"{name}.w"), weights.read_vector(f"{name}.b")


def _attend(states: Floats) -> Floats:
    heads = states.reshape(len(states), 3, HEADS, _WIDTH).transpose(1, 2, 0, 3)
    query, key, value = heads
    scores = query @ key.transpose(0, 2, 1) * np.float32(_WIDTH**-0.5)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    scores /= scores.sum(axis=-1, keepdims=True)
    return cast("Floats", (scores @ value).transpose(1, 0, 2).reshape(len(states), HIDDEN))


def _apply_gelu(states: Floats) -> Floats:
    scaled = states * np.float32(0.5**0.5)
    steps = 1 / (1 + np.float32(0.3275911) * np.abs(scaled))
    tail = np.zeros_like(steps)
    for factor in _ERF:
        tail = (tail + np.float32(factor)) * steps
    erf = np.copysign(1 - tail * np.exp(-scaled * scaled), scaled)
    return cast("Floats", states * (erf + 1) * np.float32(0.5))


def _open_graph(graph: bytes) -> OnnxEngine:
    try:
        return OnnxEngine(graph)
    except Exception as error:  # the library raises bare exceptions
        raise ConfigError("models-builtin-unloadable", where=f"onnxruntime: {error}") from error


def _read_prepared(path: Path) -> tuple[bytes, Keys, Order]:
    # Each part of the archive has a checksum, which is compared while it is read.
    with path.open("rb") as file, np.load(file, allow_pickle=False) as parts:
        return parts["graph"].tobytes(), parts["keys"], parts["order"]


def _save_prepared(path: Path, graph: bytes, keys: Keys, order: Order) -> None:
    # Without a place to write, every process prepares it again.
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=_PREPARED, suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                parts: dict[str, Any] = {"graph": np.frombuffer(graph, np.uint8)}
                np.savez(file, keys=keys, order=order, **parts)
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)
        _remove_older(path)


def _remove_older(path: Path) -> None:
    """Remove what other versions prepared, and what killed processes left half written."""
    for other in path.parent.glob(f"{_PREPARED}*"):
        # Another process may remove it at the same time, or hold it open on Windows.
        with contextlib.suppress(OSError):
            if other != path and time.time() - other.stat().st_mtime > _KEPT_S:
                other.unlink()
