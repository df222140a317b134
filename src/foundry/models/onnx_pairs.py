"""Models in a local directory that read two texts together: ``onnx:DIR``, without any network.

A cross-encoder scores how well a passage answers a question; it is in ``rerankers``. Here is the
judge: a model of natural language inference, which says how probably a passage entails a statement.
The directory is as sentence-transformers or Optimum write it: ``model.onnx``, ``tokenizer.json``
and, where the model has more than two classes, ``config.json`` with their names (``id2label``).
Needs the extra ``onnx``.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from foundry.errors import ConfigError
from foundry.models.deadlines import run_interruptibly
from foundry.models.onnx_embedder import (
    OnnxSettings,
    find_onnx_folder,
    load_parts,
    read_json,
    read_settings,
)
from foundry.models.tokens import sanitize

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
