"""A deterministic embedder for tests: no model, no network, meaning by shared words.

Each word has a fixed pseudo-random direction, drawn from its hash; a text is the
sum of its words' directions. The same text always gets the same vector, texts
that share words lie close, texts that share none are nearly orthogonal. Use it
where a test needs vectors and not their quality.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from foundry.ports import Vectors

_WORD = re.compile(r"\w+")


@lru_cache(maxsize=50_000)
def word_vector(word: str, dimension: int) -> Vectors:
    """The fixed direction of a word: components of +1 and -1 from its hash."""
    digest = hashlib.shake_128(word.encode("utf-8", "replace")).digest((dimension + 7) // 8)
    bits = np.unpackbits(np.frombuffer(digest, dtype=np.uint8))[:dimension]
    return (bits.astype(np.float32) * 2 - 1).astype(np.float32)


def text_vector(text: str, dimension: int = 256, same: Mapping[str, str] | None = None) -> Vectors:
    """The vector of a text, shape (dimension,), length 1.

    ``same`` maps words to the word they stand for, e.g. ``{"spanning": "voltage"}``,
    where a test wants two languages to meet.
    """
    words = [(same or {}).get(word, word) for word in _WORD.findall(text.casefold())]
    total = np.zeros(dimension, dtype=np.float32)
    for word in words or ["(nothing)"]:
        total = total + word_vector(word, dimension)
    if not total.any():  # two opposite words can cancel out; length 0 is never right
        total = word_vector("(zero)", dimension)
    return (total / np.linalg.norm(total)).astype(np.float32)


@dataclass
class HashEmbedder:
    """Fits the ``Embedder`` port. ``texts`` counts what was embedded, ``queries`` likewise."""

    model: str = "test/hash"
    size: int = 256
    local: bool = True
    lanes: int = 1
    same: Mapping[str, str] = field(default_factory=dict)
    texts: int = 0
    queries: int = 0

    def dimension(self) -> int:
        return self.size

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.texts += len(texts)
        rows = [text_vector(text, self.size, self.same) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.size), dtype=np.float32)

    def embed_query(self, text: str) -> Vectors:
        self.queries += 1
        return text_vector(text, self.size, self.same)

    def fingerprint(self) -> str:
        return hashlib.sha256(f"{self.model}:{self.size}".encode()).hexdigest()[:16]
