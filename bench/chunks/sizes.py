"""How large a chunk should be, and whether small ones should be searched and large ones handed over.

Every size searches the same share of the text and hands over what fits in the same budget of
tokens, without a limit on the number of chunks. Windows are the product's at every size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from bench.chunks.corpora import Asked, Corpus, load
from bench.chunks.embedded import Vectored, vectors_of, whole, windows_of
from bench.chunks.measured import Arm, Passage, as_passage, measure, passages, placed
from bench.chunks.projects import Project, opened
from bench.chunks.ranked import (
    bm25,
    dense,
    dense_scores,
    depths,
    fused,
    lifted,
    parents,
)
from bench.chunks.tables import halves, table
from foundry.records import ChannelHit

COMPARED = ("850", "850, no overlap", "400", "200")
PIECES = ("200", "100")
COLUMNS = ("chars@1", "chars@5", "chars@10", "recall 2000", "iou 2000", "recall 8192", "iou 8192", "ndcg@10")
DOCUMENTS = ("recall@1", "recall@10", "ndcg@10", "recall 2000", "recall 8192")


def measure_sizes(data: Path | None) -> Iterator[str]:
    for name in ("spans", "dutch", "example"):
        corpus = load(name, data)
        if corpus is None:
            yield f"{name}: left out, give --data DIR.\n"
            continue
        with ExitStack() as stack:
            projects = {size: stack.enter_context(opened(corpus, size)) for size in (*COMPARED, "100")}
            yield from _report(corpus, projects)


def _report(corpus: Corpus, projects: Mapping[str, Project]) -> Iterator[str]:
    asked = placed(corpus, projects["850"])
    yield f"### {corpus.name}: {len(asked)} questions\n"
    yield from _costs(projects)
    arms = _arms(asked, projects)
    columns = DOCUMENTS if corpus.name == "dutch" else COLUMNS
    yield from table(arms, "850 hybrid", columns, [q.id for q in asked])
    yield from halves(arms, "850 hybrid", ("recall 2000", "recall 8192"), asked)


def _costs(projects: Mapping[str, Project]) -> Iterator[str]:
    yield "| chunks of | chunks | tokens embedded | windows | kB of vectors |"
    yield "|---|---|---|---|---|"
    for size in COMPARED:
        project = projects[size]
        windows = sum(len(windows_of(45)(chunk)) for chunk in project.chunks)
        tokens = sum(chunk.tokens for chunk in project.chunks)
        size_kb = (1536 * len(project.chunks) + 768 * windows) / 1000
        yield f"| {size} | {len(project.chunks)} | {tokens:,} | {windows} | {size_kb:,.0f} |"
    yield ""


class Channels:
    """What both channels of one project find for a question; each is searched once."""

    def __init__(self, project: Project, vectors: Vectored | None) -> None:
        self.project = project
        self._vectors = vectors
        self._depths = depths(project)

    def bm25(self, asked: Asked, depth: int | None = None) -> list[ChannelHit]:
        return bm25(self.project, asked.text, depth or self._depths[1])

    def dense(self, asked: Asked, depth: int | None = None) -> list[ChannelHit]:
        if self._vectors is None:
            raise ValueError("this project has no vectors")
        query = self.project.embedder.embed_query(asked.text)
        return dense(self.project, dense_scores(self._vectors, query), depth or self._depths[0])

    def hybrid(self, asked: Asked) -> list[ChannelHit]:
        return fused(self.dense(asked), self.bm25(asked))


def _arms(asked: Sequence[Asked], projects: Mapping[str, Project]) -> dict[str, Arm]:
    channels = {size: Channels(projects[size], vectors_of(projects[size], windows_of(45))) for size in COMPARED}
    pieces = Channels(projects["100"], None)
    arms: dict[str, Arm] = {}
    for size in COMPARED:
        own = channels[size]
        found = {q.id: (own.bm25(q), own.dense(q), own.hybrid(q)) for q in asked}
        for place, way in enumerate(("BM25", "dense", "hybrid")):
            arms[f"{size} {way}"] = {
                q.id: measure(q, _passages(own, found[q.id][place])) for q in asked
            }
    pooled = Channels(projects["200"], vectors_of(projects["200"], whole))
    arms["200 hybrid, one vector"] = {q.id: measure(q, _passages(pooled, pooled.hybrid(q))) for q in asked}
    arms |= _small_to_large(asked, channels, pieces)
    return arms


def _small_to_large(
    asked: Sequence[Asked], channels: Mapping[str, Channels], pieces: Channels
) -> dict[str, Arm]:
    """Search of pieces, hand-over of what surrounds them."""
    small, large = channels["200"], channels["850"]
    up, from_100 = parents(small.project, large.project), parents(pieces.project, large.project)
    arms: dict[str, dict[str, object]] = {}

    def note(name: str, q: Asked, ranked: Sequence[Passage]) -> None:
        arms.setdefault(name, {})[q.id] = measure(q, ranked)

    for q in asked:
        words, near = small.bm25(q, 400), small.dense(q, 400)
        by_hit = lifted(fused(near[:160], words[:80]), up, 60)
        note("200 searched, 850 handed over", q, _passages(large, by_hit))
        apart = fused(lifted(near, up, 40), lifted(words, up, 20))
        note("200 searched, 850 fused and handed over", q, _passages(large, apart))
        by_200 = fused(large.dense(q), lifted(words, up, 20))
        note("850; BM25 over pieces of 200", q, _passages(large, by_200))
        tiny = lifted(pieces.bm25(q, 800), from_100, 20)
        note("850; BM25 over pieces of 100", q, _passages(large, fused(large.dense(q), tiny)))
        note("BM25 over pieces of 200 alone", q, _passages(large, lifted(words, up, 20)))
        both = fused(large.dense(q), fused(large.bm25(q), lifted(words, up, 20)))
        note("850; BM25 over both", q, _passages(large, both))
        note("200 with its neighbours", q, _neighbours(small, small.hybrid(q)))
    return arms  # type: ignore[return-value]


def _passages(channels: Channels, hits: Sequence[ChannelHit]) -> list[Passage]:
    return passages(channels.project, [hit.chunk_id for hit in hits])


def _neighbours(channels: Channels, hits: Sequence[ChannelHit]) -> list[Passage]:
    """Each hit after the chunks around it in its source, none of them twice."""
    project = channels.project
    places = {chunk.id: n for n, chunk in enumerate(project.chunks)}
    order: dict[int, None] = {}
    for hit in hits:
        place = places[hit.chunk_id]
        for other in (place, place - 1, place + 1):
            inside = 0 <= other < len(project.chunks)
            if inside and project.chunks[other].source_id == project.chunks[place].source_id:
                order.setdefault(other)
    return [as_passage(project, project.chunks[n]) for n in order]


__all__ = ["Channels", "measure_sizes", "np"]
