"""Rankings of a project's chunks, by vectors scored in several ways, by words, and by both fused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.chunks.embedded import Vectored
from bench.chunks.projects import Project
from foundry.analysis import analyse_query
from foundry.craft.fusion import fuse
from foundry.ports import Vectors
from foundry.records import Chunk, Filters, RetrieverHit

Ranking = list[Chunk]

DEPTH_DENSE = 40
DEPTH_BM25 = 20
"""Candidates a channel, as configured by default, for chunks of 850 tokens; smaller ones get as
many more as they are smaller, so that every size sees as much text."""
RRF_K = 60


@dataclass(frozen=True)
class Scored:
    """How a chunk's windows make its score: ``alpha`` times their mean, the rest by the nearest.

    ``best`` nearest windows are averaged for that rest. ``alpha`` 0 and ``best`` 1 is the product.
    """

    alpha: float = 0.0
    best: int = 1


NEAREST = Scored()
MEAN = Scored(alpha=1.0)


def dense_scores(vectors: Vectored, query: Vectors, how: Scored = NEAREST) -> np.ndarray:
    """Each chunk's score."""
    cosines = vectors.rows @ query
    starts = vectors.starts[:-1]
    if how.best == 1:
        near = np.maximum.reduceat(cosines, starts)
    else:
        parts = np.split(cosines, starts[1:])
        near = np.array([np.sort(part)[-how.best :].mean() for part in parts])
    return near if how.alpha == 0 else (1 - how.alpha) * near + how.alpha * (means(vectors) @ query)


def means(vectors: Vectored) -> Vectors:
    """One row a chunk: the mean of its windows at length 1."""
    sums = np.add.reduceat(vectors.rows, vectors.starts[:-1], axis=0)
    return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True), dtype=np.float32)


def dense(project: Project, scores: np.ndarray, depth: int) -> list[RetrieverHit]:
    """The first ``depth`` chunks by score."""
    order = np.argsort(-scores, kind="stable")[:depth]
    return [RetrieverHit(project.chunks[i].id, n, float(scores[i])) for n, i in enumerate(order, 1)]


def bm25(project: Project, text: str, depth: int) -> list[RetrieverHit]:
    """What the product's text channel finds."""
    store = project.workspace.store
    words = analyse_query(text, sorted(store.languages()))
    terms = list(dict.fromkeys(term for word in words for term in word.terms))
    return store.search_text(terms, depth, Filters())


def fused(first: Sequence[RetrieverHit], second: Sequence[RetrieverHit]) -> list[RetrieverHit]:
    """Both by reciprocal rank fusion, as one channel's hits again."""
    both = fuse(first, second, RRF_K)
    return [RetrieverHit(hit.chunk_id, n, hit.score) for n, hit in enumerate(both, 1)]


def depths(project: Project) -> tuple[int, int]:
    """Candidates of the vector and of the text channel for this project's size of chunk."""
    tokens = sorted(chunk.tokens for chunk in project.chunks)
    factor = max(1.0, 850 / tokens[len(tokens) // 2])
    return round(DEPTH_DENSE * factor), round(DEPTH_BM25 * factor)


def parents(small: Project, large: Project) -> dict[str, str]:
    """Small chunk's id → id of the large chunk that shares the most characters with it."""
    paths = {source.path: source.id for source in large.sources.values()}
    by_source: dict[str, list[Chunk]] = {}
    for chunk in large.chunks:
        by_source.setdefault(chunk.source_id, []).append(chunk)
    found = {}
    for chunk in small.chunks:
        others = by_source[paths[small.sources[chunk.source_id].path]]
        found[chunk.id] = max(others, key=lambda other: _shared(chunk, other)).id
    return found


def _shared(one: Chunk, other: Chunk) -> int:
    return min(one.end, other.end) - max(one.start, other.start)


def lifted(hits: Sequence[RetrieverHit], parent: dict[str, str], depth: int) -> list[RetrieverHit]:
    """Hits of small chunks as hits of their parents, each at the rank of its best piece."""
    order = list(dict.fromkeys(parent[hit.chunk_id] for hit in hits))[:depth]
    best = {parent[hit.chunk_id]: hit.score for hit in reversed(hits)}
    return [RetrieverHit(chunk, n, best[chunk]) for n, chunk in enumerate(order, 1)]
