"""The encoder as an ONNX graph with 8-bit and 4-bit weights, written byte by byte.

The graph is small and fixed, so it is written straight in the format of protocol buffers; the
package ``onnx`` (31 MB) would do nothing else here. Input: ``rows`` (1, tokens, 384), what
``E5Weights.read_rows`` gives for one window. Outputs: ``mean`` (1, 384) and
``TOKENS`` (1, tokens, 384), the last layer.

The last matrix of each layer keeps its 4-bit blocks, because its input has the widest range.
The others are rounded to 8 bits with one scale for each output, and onnxruntime rounds their
inputs to 8 bits while it runs, with one scale for a whole window. Two rules keep the vectors
close to those of the exact weights (cosine .9998 on average, ``python -m bench embedding``):

- A few channels are tens of times larger than the rest and would take all the 8 bits. They are
  divided by a factor before rounding and their weights multiplied by it (SmoothQuant, Xiao et
  al., 2023). The factors were fitted by ``bench/fit_quantization.py`` of commit 126aacb8.
- Two neighbouring weights of an output sum to at most 128. Processors without VNNI add two
  products in 16 bits, and 255 × 128 is the most that fits: all machines give the same vectors.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from importlib import resources

import numpy as np
import numpy.typing as npt

from foundry.models.e5.weights import HEADS, HIDDEN, LAYERS, E5Weights, Floats

EPSILON = 1e-12
"""Of the layer normalisations."""
TOKENS = f"x{LAYERS}"
"""The output with a vector for each token."""
SMOOTHED = {"qkv": HIDDEN, "fi": HIDDEN}
"""Inputs that are smoothed → their channels, in the order of the file of factors.

``qkv`` is the input of query, key and value, ``fi`` that of the inner layer. Smoothing the
attention's output would gain nothing: rounding it costs .00002 of cosine."""

_STEPS_PER_OCTAVE = 4
_TYPES = {"f": 1, "B": 2, "b": 3, "l": 7, "q": 7}
"""Of numpy → of ONNX; the letter for 64 bits depends on the system."""
_MICROSOFT = "com.microsoft"


class EncoderGraph:
    """Collects nodes and tensors; ``to_bytes`` is the model file."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._tensors: list[bytes] = []

    def add_tensor(self, name: str, values: npt.NDArray[np.generic]) -> str:
        """Add a constant of 32-bit floats, 8-bit or 64-bit integers; return its name."""
        kind = _TYPES[values.dtype.char]
        dims = b"".join(_number(1, size) for size in values.shape)
        data = np.ascontiguousarray(values).tobytes()
        self._tensors.append(dims + _number(2, kind) + _text(8, name) + _field(9, data))
        return name

    def add_node(
        self,
        operator: str,
        inputs: Sequence[str],
        *outputs: str,
        domain: str = "",
        **options: float,
    ) -> None:
        """Add an operator; an option that is an int or a float becomes an attribute."""
        parts = [*(_text(1, name) for name in inputs), *(_text(2, name) for name in outputs)]
        parts += [_text(4, operator), _text(7, domain)]
        for name, value in options.items():
            exact = isinstance(value, int)
            content = _number(3, value) if isinstance(value, int) else _float(2, value)
            parts.append(_field(5, _text(1, name) + content + _number(20, 2 if exact else 1)))
        self._nodes.append(b"".join(parts))

    def to_bytes(self, given: str, mean: str, tokens: str) -> bytes:
        """The file, with one input (1, tokens, 384), its mean (1, 384) and its last layer."""
        graph = b"".join(
            (
                b"".join(_field(1, node) for node in self._nodes),
                _text(2, "e5"),
                b"".join(_field(5, tensor) for tensor in self._tensors),
                _field(11, _describe_value(given, (1, "tokens", HIDDEN))),
                _field(12, _describe_value(mean, (1, HIDDEN))),
                _field(12, _describe_value(tokens, (1, "tokens", HIDDEN))),
            )
        )
        operators = (_number(2, 18), _text(1, _MICROSOFT) + _number(2, 1))
        used = b"".join(_field(8, operator) for operator in operators)
        return _number(1, 9) + used + _field(7, graph)


def write_graph(weights: E5Weights) -> bytes:
    """The encoder of these weights as an ONNX file (18 MB); takes half a second."""
    graph, factors = EncoderGraph(), read_factors()
    graph.add_tensor("axis", np.array([1], dtype=np.int64))
    _add_norm_tensors(graph, weights, "emb.ln")
    graph.add_node(
        "LayerNormalization", ("rows", "emb.ln.w", "emb.ln.b"), "x0", axis=-1, epsilon=EPSILON
    )
    for layer in range(LAYERS):
        _add_layer(graph, weights, layer, {part: rows[layer] for part, rows in factors.items()})
    graph.add_node("ReduceMean", (TOKENS, "axis"), "mean", keepdims=0)
    return graph.to_bytes("rows", "mean", TOKENS)


def read_factors() -> dict[str, Floats]:
    """By which each channel of a smoothed input is divided: part → (layers, channels)."""
    steps = np.frombuffer(read_factors_file(), dtype=np.int8).reshape(
        LAYERS, sum(SMOOTHED.values())
    )
    ends = np.cumsum(list(SMOOTHED.values()))[:-1]
    parts = np.split(np.exp2(steps.astype(np.float32) / _STEPS_PER_OCTAVE), ends, axis=1)
    return dict(zip(SMOOTHED, parts, strict=True))


def read_factors_file() -> bytes:
    """The packed factors, as ``pack_factors`` writes them."""
    return resources.files("foundry.models.e5").joinpath("smoothing.bin").read_bytes()


def pack_factors(factors: dict[str, Floats]) -> bytes:
    """What ``read_factors`` reads: factors rounded to quarters of an octave."""
    whole = np.concatenate([factors[part] for part in SMOOTHED], axis=1)
    return bytes(np.rint(np.log2(whole) * _STEPS_PER_OCTAVE).astype(np.int8))


def _add_layer(
    graph: EncoderGraph, weights: E5Weights, layer: int, factors: dict[str, Floats]
) -> None:
    def name(part: str) -> str:
        return f"l{layer}.{part}"

    def multiply(given: str, part: str, *matrices: str) -> str:
        given = _smooth(graph, given, name(part), factors.get(part))
        _add_matrix(graph, weights, name(part), [name(m) for m in matrices], factors.get(part))
        inputs = (given, name(part), name(f"{part}.scale"), "", name(f"{part}.bias"))
        graph.add_node("DynamicQuantizeMatMul", inputs, name(f"{part}.out"), domain=_MICROSOFT)
        return name(f"{part}.out")

    def add_and_normalize(one: str, other: str, norm: str, result: str) -> None:
        _add_norm_tensors(graph, weights, name(norm))
        inputs = (one, other, name(f"{norm}.w"), name(f"{norm}.b"))
        graph.add_node("SkipLayerNormalization", inputs, result, domain=_MICROSOFT, epsilon=EPSILON)

    start, middle = f"x{layer}", name("middle")
    heads = [name(part) for part in ("query", "key", "value")]
    graph.add_node("Split", (multiply(start, "qkv", "q", "k", "v"),), *heads, axis=2, num_outputs=3)
    graph.add_node("MultiHeadAttention", heads, name("seen"), domain=_MICROSOFT, num_heads=HEADS)
    add_and_normalize(start, multiply(name("seen"), "ao", "ao"), "aln", middle)
    graph.add_node("Gelu", (multiply(middle, "fi", "fi"),), name("inner"), domain=_MICROSOFT)
    _add_blocks(graph, weights, name("inner"), name("fo"))
    add_and_normalize(middle, name("fo.out"), "oln", f"x{layer + 1}")


def _smooth(graph: EncoderGraph, given: str, part: str, factors: Floats | None) -> str:
    if factors is None:
        return given
    inputs = (given, graph.add_tensor(f"{part}.factors", 1 / factors))
    graph.add_node("Mul", inputs, f"{part}.smooth")
    return f"{part}.smooth"


def _add_matrix(
    graph: EncoderGraph, weights: E5Weights, part: str, names: Iterable[str], factors: Floats | None
) -> None:
    names = list(names)
    matrix = weights.read_matrix(*(f"{name}.w" for name in names))
    if factors is not None:
        matrix *= factors
    pairs = np.abs(matrix[:, 0::2] + matrix[:, 1::2]).max(axis=1)
    scales = np.maximum(np.abs(matrix).max(axis=1) / 127, pairs / 127.5)
    graph.add_tensor(part, np.rint(matrix / scales[:, None]).astype(np.int8).T)
    graph.add_tensor(f"{part}.scale", scales)
    graph.add_tensor(f"{part}.bias", weights.read_vector(*(f"{name}.b" for name in names)))


def _add_blocks(graph: EncoderGraph, weights: E5Weights, given: str, part: str) -> None:
    """Multiply by a matrix as it is packed; inputs are rounded to 8 bits in blocks of 32."""
    pairs, scales = weights.read_blocks(f"{part}.w")
    inputs = (given, graph.add_tensor(part, pairs), graph.add_tensor(f"{part}.scale", scales))
    outputs, blocks, half = pairs.shape
    sizes = {"N": outputs, "K": 2 * half * blocks, "block_size": 2 * half}
    product = f"{part}.product"
    graph.add_node(
        "MatMulNBits", inputs, product, domain=_MICROSOFT, bits=4, accuracy_level=4, **sizes
    )
    bias = graph.add_tensor(f"{part}.bias", weights.read_vector(f"{part}.b"))
    graph.add_node("Add", (product, bias), f"{part}.out")


def _add_norm_tensors(graph: EncoderGraph, weights: E5Weights, name: str) -> None:
    for part in ("w", "b"):
        graph.add_tensor(f"{name}.{part}", weights.read_vector(f"{name}.{part}"))


def _describe_value(name: str, shape: Sequence[int | str]) -> bytes:
    sizes = (_text(2, s) if isinstance(s, str) else _number(1, s) for s in shape)
    dims = b"".join(_field(1, size) for size in sizes)
    return _text(1, name) + _field(2, _field(1, _number(1, _TYPES["f"]) + _field(2, dims)))


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    parts = bytearray()
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes((*parts, number))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _float(field: int, value: float) -> bytes:
    return _varint(field << 3 | 5) + struct.pack("<f", value)


def _field(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _text(field: int, text: str) -> bytes:
    return _field(field, text.encode("utf-8"))
