"""The ways to turn a chunk into vectors that the experiments compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from bench.chunks.projects import Project
from foundry.craft.windows import MIN_WINDOW_CHARS, WINDOW_CHARS, cut_windows
from foundry.ports import Vectors
from foundry.records import Chunk

Texts = Callable[[Chunk], Sequence[str]]
WORDS = WINDOW_CHARS / 45
"""Characters a word of a window."""


def windows_of(words: int) -> Texts:
    """The product's cut at about so many words a window."""
    length = round(words * WORDS)
    return lambda chunk: [
        w.text for w in cut_windows(chunk, length, MIN_WINDOW_CHARS * length // WINDOW_CHARS)
    ]


def overlapping(words: int) -> Texts:
    """Windows of about so many words that share half with the next one."""
    half = windows_of(words // 2)

    def texts(chunk: Chunk) -> Sequence[str]:
        parts = half(chunk)
        return [f"{one} {next_}" for one, next_ in pairwise(parts)] or parts

    return texts


def prefixed(words: int) -> Texts:
    """Every window behind the chunk's prefix."""
    plain = windows_of(words)
    return lambda chunk: [
        f"{chunk.prefix}\n\n{text}" if chunk.prefix else text for text in plain(chunk)
    ]


def whole(chunk: Chunk) -> Sequence[str]:
    """Prefix and chunk as one text, pooled by the model."""
    return [chunk.embedded_text]


def prefix(chunk: Chunk) -> Sequence[str]:
    return [chunk.prefix or chunk.content]


@dataclass(frozen=True)
class Vectored:
    """Rows of vectors; those of chunk n are ``starts[n]`` to ``starts[n + 1]``."""

    rows: Vectors
    starts: np.ndarray


def vectors_of(project: Project, texts: Texts) -> Vectored:
    """The vectors of every chunk of a project, windows in half precision as the product keeps them."""
    parts = [list(texts(chunk)) for chunk in project.chunks]
    starts = np.cumsum([0, *(len(part) for part in parts)])
    rows = project.embedder.embed_passages([text for part in parts for text in part])
    return Vectored(rows.astype(np.float16).astype(np.float32), starts)
