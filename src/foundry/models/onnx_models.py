"""Models from a local directory: ``onnx:DIR``, without any network.

The directory is as sentence-transformers, Optimum or fastembed write it:
``model.onnx`` (also ``onnx/model.onnx`` and quantised versions), ``tokenizer.json``,
and optional files that define pooling, maximum length and prefixes.
``foundry.json`` overrides them all::

    {"query_prefix": "query: ", "passage_prefix": "passage: ",
     "pooling": "mean", "max_tokens": 512}

A text longer than the model's limit is embedded in windows, whose vectors are
averaged by their tokens; nothing is cut off. Vectors have length 1. Needs the extra
``onnx``.

Some read two texts together. A cross-encoder scores how well a passage answers a question; it is in
``rerankers``. Here is the judge: a model of natural language inference, which says how probably a
passage entails a statement. Where such a model has more than two classes, ``config.json`` has their
names (``id2label``).
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from foundry.config import show_value
from foundry.errors import ConfigError, require_extra
from foundry.models.deadlines import run_interruptibly
from foundry.models.tokens import sanitize
from foundry.ports import Vectors

Pooling = Literal["mean", "cls", "max", "last"]

_MODEL_FILES = (
    "model.onnx", "onnx/model.onnx", "model_optimized.onnx",
    "model_quantized.onnx", "onnx/model_quantized.onnx", "model_int8.onnx", "onnx/model_int8.onnx",
)  # fmt: skip
_BATCH_WINDOWS = 16
_MOST_TOKENS = 100_000
_Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class OnnxSettings:
    """How to run the model of a directory."""

    model_file: Path
    tokenizer_file: Path
    pooling: Pooling
    max_tokens: int
    query_prefix: str
    passage_prefix: str


@dataclass
class OnnxEmbedder:
    """A model in a directory, as an ``Embedder``; loaded at the first text."""

    model: str
    folder: Path
    settings: OnnxSettings
    local: bool = True
    lanes: int = 1
    _parts: tuple[Any, Any] | None = field(default=None, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def dimension(self) -> int:
        """Length of a vector; embeds one word to find out."""
        return int(self._embed(["dimension"]).shape[1])

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (len(texts), dimension), rows of length 1."""
        if not texts:
            return np.zeros((0, self.dimension()), dtype=np.float32)
        return self._embed([self.settings.passage_prefix + sanitize(text) for text in texts])

    def embed_query(self, text: str) -> Vectors:
        """The vector of one query, shape (dimension,), length 1."""
        return cast("Vectors", self._embed([self.settings.query_prefix + sanitize(text)])[0])

    def fingerprint(self) -> str:
        """A hash of the model file's bytes and its settings."""
        digest = hashlib.sha256()
        with self.settings.model_file.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
        used = self.settings
        parts = (used.pooling, used.max_tokens, used.query_prefix)
        digest.update(repr((*parts, used.passage_prefix)).encode())
        return digest.hexdigest()[:16]

    def _embed(self, texts: Sequence[str]) -> Vectors:
        tokenizer, session = self._load()
        windows: list[tuple[int, list[int]]] = []
        for index, text in enumerate(texts):
            windows += [
                (index, ids) for ids in _split_windows(tokenizer, text, self.settings.max_tokens)
            ]
        sums: dict[int, npt.NDArray[np.float64]] = {}
        # Sorted by length, so that batches need little padding.
        windows.sort(key=lambda window: len(window[1]))
        for start in range(0, len(windows), _BATCH_WINDOWS):
            batch = windows[start : start + _BATCH_WINDOWS]
            run = partial(_run_model, session, [ids for _, ids in batch], self.settings)
            pooled = run_interruptibly(run)
            for (index, ids), vector in zip(batch, pooled, strict=True):
                sums[index] = sums.get(index, np.zeros(len(vector))) + vector * len(ids)
        return _normalize_rows(np.stack([sums[index] for index in range(len(texts))]), self.folder)

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._parts is None:
                self._parts = load_parts(self.settings)
            return self._parts


def open_onnx(model: str) -> OnnxEmbedder:
    """The embedder for ``onnx:DIR``; raises ``ConfigError`` for a missing extra or file."""
    folder = find_onnx_folder(model, "embedding.model")
    return OnnxEmbedder(model, folder, read_settings(folder))


def find_onnx_folder(model: str, key: str) -> Path:
    """The folder of ``onnx:DIR`` in a configuration key; raises ``ConfigError`` without the extra."""
    require_extra("onnx", where=key)
    return Path(model.removeprefix("onnx:")).expanduser()


def read_settings(folder: Path) -> OnnxSettings:
    """The settings in a model directory; raises ``ConfigError`` for a missing file."""
    if not folder.is_dir():
        raise ConfigError("models-onnx-no-directory", where=str(folder))
    own = read_json(folder / "foundry.json")
    prompts = read_json(folder / "config_sentence_transformers.json").get("prompts") or {}
    return OnnxSettings(
        model_file=_find_file(folder, _MODEL_FILES, "model"),
        tokenizer_file=_find_file(folder, ("tokenizer.json", "onnx/tokenizer.json"), "tokenizer"),
        pooling=_find_pooling(folder, own),
        max_tokens=_find_max_tokens(folder, own),
        query_prefix=str(own.get("query_prefix", prompts.get("query", ""))),
        passage_prefix=str(
            own.get("passage_prefix", prompts.get("passage", prompts.get("document", "")))
        ),
    )


def _find_file(folder: Path, names: Sequence[str], what: str) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise ConfigError("models-onnx-no-file", where=str(folder), kind=what, names=list(names))


def _find_pooling(folder: Path, own: Mapping[str, Any]) -> Pooling:
    if "pooling" in own:
        if own["pooling"] not in ("mean", "cls", "max", "last"):
            raise ConfigError(
                "models-onnx-pooling",
                where=str(folder / "foundry.json"),
                name=show_value(own["pooling"]),
            )
        return cast("Pooling", own["pooling"])
    modes = read_json(folder / _find_pooling_folder(folder) / "config.json")
    for key, pooling in (
        ("pooling_mode_cls_token", "cls"),
        ("pooling_mode_max_tokens", "max"),
        ("pooling_mode_lasttoken", "last"),
    ):
        if modes.get(key):
            return cast("Pooling", pooling)
    return "mean"


def _find_pooling_folder(folder: Path) -> str:
    modules = read_json(folder / "modules.json", default=[])
    paths = [str(m.get("path")) for m in modules if str(m.get("type", "")).endswith("Pooling")]
    return paths[0] if paths else "1_Pooling"


def _find_max_tokens(folder: Path, own: Mapping[str, Any]) -> int:
    limits = (
        own.get("max_tokens"),
        read_json(folder / "sentence_bert_config.json").get("max_seq_length"),
        read_json(folder / "tokenizer_config.json").get("model_max_length"),
    )
    # Some tokenizers write 10**30 for "no limit".
    usable = [
        int(value) for value in limits if isinstance(value, int) and 8 <= value <= _MOST_TOKENS
    ]
    return usable[0] if usable else 512


def read_json(path: Path, default: Any = None) -> Any:
    """The JSON of a file, ``default`` (an empty object) without one; raises ``ConfigError``."""
    if not path.is_file():
        return {} if default is None else default
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError("models-onnx-json", where=str(path), cause=str(error)) from error


def load_parts(settings: OnnxSettings) -> tuple[Any, Any]:
    """Tokenizer and session; raises ``ConfigError`` if a file is damaged."""
    # Imported here: they belong to an extra and take 0.2 s.
    import onnxruntime
    import tokenizers

    onnxruntime.disable_telemetry_events()
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(settings.tokenizer_file))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        session = onnxruntime.InferenceSession(
            str(settings.model_file), providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # both libraries raise bare exceptions
        raise ConfigError(
            "models-onnx-unloadable", where=str(settings.model_file), cause=str(error)[:300]
        ) from error
    return tokenizer, session


def _split_windows(tokenizer: Any, text: str, longest: int) -> Iterator[list[int]]:
    """Token ids of a text in windows of at most ``longest``, each with its special tokens."""
    ids = tokenizer.encode(text).ids
    if len(ids) <= longest:
        yield ids
        return
    plain = tokenizer.encode(text, add_special_tokens=False).ids
    before, after = _find_special_tokens(tokenizer)
    room = max(1, longest - len(before) - len(after))
    for start in range(0, len(plain), room):
        yield [*before, *plain[start : start + room], *after]


def _find_special_tokens(tokenizer: Any) -> tuple[list[int], list[int]]:
    encoded = tokenizer.encode("a")
    marks = encoded.special_tokens_mask
    first = marks.index(0) if 0 in marks else len(marks)
    last = len(marks) - marks[::-1].index(0) if 0 in marks else len(marks)
    return encoded.ids[:first], encoded.ids[last:]


def _run_model(session: Any, windows: Sequence[Sequence[int]], settings: OnnxSettings) -> Vectors:
    width = max(1, *(len(ids) for ids in windows)) if len(windows) > 1 else max(1, len(windows[0]))
    ids: _Ints = np.zeros((len(windows), width), dtype=np.int64)
    mask: _Ints = np.zeros_like(ids)
    for row, window in enumerate(windows):
        ids[row, : len(window)] = window
        mask[row, : len(window)] = 1
    offered = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    wanted = {
        entry.name: offered[entry.name] for entry in session.get_inputs() if entry.name in offered
    }
    output = np.asarray(session.run(None, wanted)[0], dtype=np.float32)
    return output if output.ndim == 2 else _pool(output, mask, settings.pooling)


def _pool(states: Vectors, mask: _Ints, pooling: Pooling) -> Vectors:
    weights = mask[:, :, None].astype(np.float32)
    pooled: Vectors
    if pooling == "cls":
        pooled = states[:, 0]
    elif pooling == "max":
        pooled = np.where(weights > 0, states, -np.inf).max(axis=1)
    elif pooling == "last":
        pooled = states[np.arange(len(states)), np.maximum(mask.sum(axis=1) - 1, 0)]
    else:
        pooled = (states * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
    return pooled


def _normalize_rows(vectors: npt.NDArray[np.float64], folder: Path) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise ConfigError("models-onnx-zero", where=str(folder))
    unit: Vectors = (vectors / lengths).astype(np.float32)
    return unit


_BATCH_PAIRS = 8
_OVERLAP = 8
"""The part of the limit that two windows share: some 60 of 512 tokens, two sentences (a guess)."""
_Outputs = npt.NDArray[np.float64]


@dataclass
class OnnxPairs:
    """A model of pairs, loaded at the first one.

    ``cut`` is the text that is cut into windows if a pair is too long; two of them share
    ``overlap`` tokens.
    """

    settings: OnnxSettings
    cut: Literal["only_first", "only_second"]
    overlap: int = 0
    _parts: tuple[Any, Any] | None = field(default=None, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def encode(self, first: str, second: str) -> Any:
        """The pair's tokens; ``overflowing`` has the further windows of what was cut."""
        return self._load()[0].encode(sanitize(first), sanitize(second))

    def count(self, text: str) -> int:
        """The tokens of a text by itself, up to the model's limit."""
        return len(self._load()[0].encode(sanitize(text)).ids)

    def run(self, pairs: Sequence[Any]) -> _Outputs:
        """What the model says of each encoded pair, shape (pairs, outputs)."""
        session = self._load()[1]
        batches = (pairs[at : at + _BATCH_PAIRS] for at in range(0, len(pairs), _BATCH_PAIRS))
        rows = [run_interruptibly(partial(_run_batch, session, batch)) for batch in batches]
        if len({row.shape[1] for row in rows}) > 1:
            # States of tokens, and so no model of pairs.
            return np.full((len(pairs), 1), np.nan)
        return np.concatenate(rows) if rows else np.zeros((0, 1))

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._parts is None:
                tokenizer, session = load_parts(self.settings)
                tokenizer.enable_truncation(
                    self.settings.max_tokens, stride=self.overlap, strategy=self.cut
                )
                self._parts = tokenizer, session
            return self._parts


@dataclass
class OnnxClassifier:
    """A model of inference in a directory, as a ``Classifier``."""

    model: str
    folder: Path
    pairs: OnnxPairs
    entailment: int | None
    local: bool = True

    def entails(self, passage: str, statement: str) -> float:
        """The probability that the passage entails the statement, 0 to 1.

        A passage longer than the model's limit is read in windows, of which the most probable one
        counts; a statement that leaves no room for one is not entailed. Raises ``ConfigError`` if
        the model cannot be loaded or gives no such probability.
        """
        room = self.pairs.settings.max_tokens - self.pairs.count(statement) - self.pairs.overlap
        # Of the room a pair takes up to two more tokens for itself.
        if room < max(self.pairs.overlap, 4):
            return 0.0
        whole = self.pairs.encode(passage, statement)
        found = self._read_probabilities(self.pairs.run([whole, *whole.overflowing]))
        if not np.isfinite(found).all():
            raise ConfigError("models-onnx-no-entailment", where=str(self.folder))
        return float(found.max())

    def _read_probabilities(self, outputs: _Outputs) -> _Outputs:
        count = outputs.shape[1]
        if count == 1:
            return np.asarray(1 / (1 + np.exp(-outputs[:, 0])))
        # Of two classes without names the second is "true", as for rerankers.
        wanted = self.entailment if self.entailment is not None else (1 if count == 2 else count)
        if wanted >= count:
            raise ConfigError("models-onnx-no-entailment", where=str(self.folder))
        powers = np.exp(outputs - outputs.max(axis=1, keepdims=True))
        return np.asarray(powers[:, wanted] / powers.sum(axis=1))


def _run_batch(session: Any, pairs: Sequence[Any]) -> _Outputs:
    shape = (len(pairs), max(len(one.ids) for one in pairs))
    offered = {
        name: np.zeros(shape, dtype=np.int64)
        for name in ("input_ids", "attention_mask", "token_type_ids")
    }
    for row, one in enumerate(pairs):
        for name, values in zip(offered, (one.ids, one.attention_mask, one.type_ids), strict=True):
            offered[name][row, : len(values)] = values
    wanted = {one.name: offered[one.name] for one in session.get_inputs() if one.name in offered}
    output = np.asarray(session.run(None, wanted)[0], dtype=np.float64)
    return output.reshape(len(pairs), -1)


def open_onnx_classifier(model: str) -> OnnxClassifier:
    """The judge for ``onnx:DIR``; raises ``ConfigError`` for a missing package or file."""
    folder = find_onnx_folder(model, "validation.verifier")
    settings = read_settings(folder)
    pairs = OnnxPairs(settings, "only_first", overlap=settings.max_tokens // _OVERLAP)
    return OnnxClassifier(model, folder, pairs, _find_entailment(folder))


def _find_entailment(folder: Path) -> int | None:
    """The number of the class that ``config.json`` calls entailment, or None."""
    names = read_json(folder / "config.json").get("id2label")
    for number, name in names.items() if isinstance(names, dict) else ():
        if str(name).lower() == "entailment" and str(number).isdecimal():
            return int(number)
    return None
