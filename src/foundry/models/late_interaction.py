"""Question and passage compared token by token with the built-in model: late interaction.

One vector of a passage says what it is about; its tokens' vectors say which word of the question
it has something for. Each token of the question finds its nearest token of the passage, and the
cosines are averaged, rare tokens more (MaxSim of ColBERT, Khattab and Zaharia, SIGIR 2020). No
training: the vectors are those of the last layer, whose mean is the built-in embedding.

- The mean vector of all tokens is taken away first, because all of them share it.
- A token weighs its negative log probability in the tokenizer's own model of language, which
  needs no statistics of the project.

Figures and what a text costs: docs/decisions/0034.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib import resources
from pathlib import Path
from threading import Lock
from typing import cast

import numpy as np

from foundry.config import BUILTIN_RERANKER, get_cache_folder
from foundry.models.builtin_embedder import count_threads, load_builtin
from foundry.models.deadlines import run_interruptibly
from foundry.models.e5.engines import BuiltinModel
from foundry.models.e5.weights import END, HIDDEN, START, WINDOW, Floats
from foundry.models.tokens import sanitize

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
