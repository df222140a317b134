"""How large a chunk should be, and whether small ones should be searched and large ones handed over.

Every size searches the same share of the text and hands over what fits in the same budget of
tokens, without a limit on the number of chunks. Windows are the product's at every size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from bench.chunks.corpora import Asked, Corpus, load
from bench.chunks.embedded import Vectored, vectors_of, windows_of
from bench.chunks.measured import Arm, Figures, Passage, as_passage, measure, passages, placed
from bench.chunks.projects import Project, opened
from bench.chunks.ranked import bm25, dense, dense_scores, depths, fused, lifted, parents
from bench.chunks.tables import halves, table
from foundry.craft.windows import cut_windows
from foundry.evaluation.measuring.metrics import measure_gate
from foundry.indexing import embed_pending
from foundry.models.builtin import DIMENSION
from foundry.records import ChannelHit, Filters
from foundry.search import retrieve

Hits = Sequence[ChannelHit]
COMPARED = ("850", "850, no overlap", "400", "200")
PIECES = "100"
BASE = "850 hybrid"
SPANS = ("chars@1", "chars@5", "chars@10", "recall 2000", "iou 2000", "recall 8192")
SETS = ("spans", "spans whole", "example")
EMBEDDED: Mapping[str, Sequence[str]] = {
    "spans": ("850", "400", "200"),
    "example": ("850", "400", "200"),
}
"""Sizes whose windows are embedded; ``spans whole`` is too long for any, the rest searches words."""


def measure_sizes(data: Path | None, names: Sequence[str] = SETS) -> Iterator[str]:
    for name in names:
        corpus = load(name, data)
        if corpus is None:
            yield f"{name}: left out, give --data DIR.\n"
            continue
        with ExitStack() as stack:
            projects = {
                size: stack.enter_context(opened(corpus, size)) for size in (*COMPARED, PIECES)
            }
            yield from _report(corpus, projects)


def _report(corpus: Corpus, projects: Mapping[str, Project]) -> Iterator[str]:
    asked = placed(corpus, projects["850"])
    yield f"### {corpus.name}: {len(asked)} questions\n"
    yield from _costs(projects)
    if corpus.name in EMBEDDED:
        arms, base = _arms(asked, projects, EMBEDDED[corpus.name]), BASE
    else:
        arms, base = _words_alone(asked, projects), "850 BM25"
    yield from table(arms, base, SPANS, [q.id for q in asked])
    yield from halves(arms, base, ("recall 2000", "recall 8192"), asked)
    if corpus.name == "example":
        yield "| chunks of | gate AUROC | false refusals | refused of the unanswerable |"
        yield "|---|---|---|---|"
        for size in EMBEDDED[corpus.name]:
            yield f"| {size} | {_gate(corpus, projects[size])} |"
        yield ""


def _costs(projects: Mapping[str, Project]) -> Iterator[str]:
    yield "| chunks of | chunks | tokens embedded | windows | kB of vectors |"
    yield "|---|---|---|---|---|"
    for size in COMPARED:
        chunks = projects[size].chunks
        windows = sum(len(cut_windows(chunk)) for chunk in chunks)
        tokens = sum(chunk.tokens for chunk in chunks)
        kept = (4 * len(chunks) + 2 * windows) * DIMENSION / 1000
        yield f"| {size} | {len(chunks)} | {tokens:,} | {windows:,} | {kept:,.0f} |"
    yield ""


def _gate(corpus: Corpus, project: Project) -> str:
    """What the product's own gate makes of the questions, as it was fitted to chunks of 850."""
    workspace = project.workspace
    embed_pending(workspace)
    mode, top_k = workspace.config.retrieval.mode, workspace.config.retrieval.top_k
    gates = [retrieve(workspace, q.text, Filters(), mode, top_k).gate for q in corpus.questions]
    figures = measure_gate(
        [gate.score for gate in gates],
        [bool(q.places) for q in corpus.questions],
        [gate.decision == "no_evidence" for gate in gates],
        workspace.config.retrieval.min_score,
    )
    values = (figures.auroc, figures.false_refusal_rate, figures.refusal_recall)
    return " | ".join("undefined" if value is None else f"{value:.3f}" for value in values)


class Channels:
    """What both channels of one project find for a question."""

    def __init__(self, project: Project, vectors: Vectored | None) -> None:
        self.project = project
        self._vectors = vectors
        self.depth_dense, self.depth_bm25 = depths(project)

    def bm25(self, asked: Asked, depth: int | None = None) -> Hits:
        return bm25(self.project, asked.text, depth or self.depth_bm25)

    def dense(self, asked: Asked, depth: int | None = None) -> Hits:
        if self._vectors is None:
            raise ValueError("this project has no vectors")
        query = self.project.embedder.embed_query(asked.text)
        return dense(self.project, dense_scores(self._vectors, query), depth or self.depth_dense)

    def hybrid(self, asked: Asked) -> Hits:
        return fused(self.dense(asked), self.bm25(asked))

    def measured(self, asked: Asked, hits: Hits) -> Figures:
        return measure(asked, passages(self.project, [hit.chunk_id for hit in hits]))


def _arms(
    asked: Sequence[Asked], projects: Mapping[str, Project], sizes: Sequence[str]
) -> dict[str, Arm]:
    channels = {
        size: Channels(projects[size], vectors_of(projects[size], windows_of(45))) for size in sizes
    }
    arms: dict[str, dict[str, Figures]] = {}
    for q in asked:
        for size, own in channels.items():
            near, words = own.dense(q), own.bm25(q)
            for way, hits in (("BM25", words), ("dense", near), ("hybrid", fused(near, words))):
                arms.setdefault(f"{size} {way}", {})[q.id] = own.measured(q, hits)
    return {**arms, **_small_to_large(asked, channels["200"], channels["850"])}


def _small_to_large(asked: Sequence[Asked], small: Channels, large: Channels) -> dict[str, Arm]:
    """Search of chunks of 200, hand-over of what surrounds them."""
    up = parents(small.project, large.project)
    arms: dict[str, dict[str, Figures]] = {}
    for q in asked:
        words, near = small.bm25(q), small.dense(q)
        apart = lifted(near, up, large.depth_dense), lifted(words, up, large.depth_bm25)
        ways = {
            "200 searched and fused, 850 handed over": lifted(fused(near, words), up, 60),
            "200 searched, 850 fused and handed over": fused(*apart),
        }
        for name, hits in ways.items():
            arms.setdefault(name, {})[q.id] = large.measured(q, hits)
        around = measure(q, _neighbours(small, fused(near, words)))
        arms.setdefault("200, each with its neighbours", {})[q.id] = around
    return dict(arms)


def _words_alone(asked: Sequence[Asked], projects: Mapping[str, Project]) -> dict[str, Arm]:
    """What needs no vectors, on a set that is too long to embed."""
    channels = {size: Channels(project, None) for size, project in projects.items()}
    large = channels["850"]
    up = {size: parents(projects[size], large.project) for size in ("200", PIECES)}
    arms: dict[str, dict[str, Figures]] = {}
    for q in asked:
        hits = {size: own.bm25(q) for size, own in channels.items()}
        for size, own in channels.items():
            arms.setdefault(f"{size} BM25", {})[q.id] = own.measured(q, hits[size])
        for size, parent in up.items():
            raised = lifted(hits[size], parent, large.depth_bm25)
            name = f"{size} searched, 850 handed over"
            arms.setdefault(name, {})[q.id] = large.measured(q, raised)
            both = fused(hits["850"], raised)
            arms.setdefault(f"850 and {size} searched", {})[q.id] = large.measured(q, both)
    return dict(arms)


def _neighbours(channels: Channels, hits: Hits) -> list[Passage]:
    """Each hit, then the chunks around it in its source, none of them twice."""
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
