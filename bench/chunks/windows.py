"""How long a window should be, and how the windows of a chunk make its score.

Chunks are those of the default configuration. The vector channel alone, and fused with BM25.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from bench.chunks import embedded
from bench.chunks.corpora import Asked, Corpus, load
from bench.chunks.embedded import Texts, Vectored, vectors_of
from bench.chunks.measured import Arm, measure, passages, placed
from bench.chunks.projects import Project, opened
from bench.chunks.ranked import (
    DEPTH_BM25,
    DEPTH_DENSE,
    MEAN,
    NEAREST,
    Scored,
    bm25,
    dense,
    dense_scores,
    fused,
)
from bench.chunks.tables import halves, table
from foundry.evaluation.measuring.metrics import auroc

TODAY = "windows of 45, nearest"
WAYS: Mapping[str, tuple[Texts, Scored]] = {
    "chunk with prefix, as the model pools it": (embedded.whole, NEAREST),
    "windows of 30, nearest": (embedded.windows_of(30), NEAREST),
    TODAY: (embedded.windows_of(45), NEAREST),
    "windows of 60, nearest": (embedded.windows_of(60), NEAREST),
    "windows of 100, nearest": (embedded.windows_of(100), NEAREST),
    "windows of 45, half overlapping, nearest": (embedded.overlapping(45), NEAREST),
    "windows of 45, their mean": (embedded.windows_of(45), MEAN),
    "windows of 45, .25 mean": (embedded.windows_of(45), Scored(alpha=0.25)),
    "windows of 45, .5 mean": (embedded.windows_of(45), Scored(alpha=0.5)),
    "windows of 45, two nearest": (embedded.windows_of(45), Scored(best=2)),
    "windows of 45, three nearest": (embedded.windows_of(45), Scored(best=3)),
}
NEEDS_45_ONLY = ("windows of 45, nearest", "mean", "two nearest", "three nearest")
LEFT_OUT = {
    "spans": {"windows of 45, half overlapping, nearest"},
    "docs": {name for name in WAYS if not any(part in name for part in NEEDS_45_ONLY)},
}
"""Cuts that cost as many embeddings again as all else of these sets."""

SETS = ("example", "spans", "docs")
COLUMNS = ("chars@1", "chars@5", "chars@10", "recall 2000", "ndcg@10")


def measure_windows(data: Path | None, names: Sequence[str] = SETS) -> Iterator[str]:
    for name in names:
        corpus = load(name, data)
        if corpus is None:
            yield f"{name}: left out, give --data DIR.\n"
            continue
        with opened(corpus) as project:
            yield from _report(corpus, project)


def _report(corpus: Corpus, project: Project) -> Iterator[str]:
    asked = placed(corpus, project)
    ways = {n: way for n, way in WAYS.items() if n not in LEFT_OUT.get(corpus.name, ())}
    vectors = {texts: vectors_of(project, texts) for texts, _ in ways.values()}
    scores = {
        name: {q.id: _scores(project, vectors[texts], q, how) for q in corpus.questions}
        for name, (texts, how) in ways.items()
    }
    kinds = (
        {"one language": False, "across languages": True}
        if corpus.name == "example"
        else {"": None}
    )
    for kind, across in kinds.items():
        part = [q for q in asked if across is None or (q.kind == "cross_language") == across]
        yield f"### {corpus.name} {kind}: {len(part)} questions\n"
        yield from _tables(project, part, scores)
    if corpus.name == "example":
        yield from _separation(corpus, scores)


def _scores(project: Project, vectors: Vectored, asked: Asked, how: Scored) -> np.ndarray:
    return dense_scores(vectors, project.embedder.embed_query(asked.text), how)


def _tables(
    project: Project, asked: Sequence[Asked], scores: Mapping[str, Mapping[str, np.ndarray]]
) -> Iterator[str]:
    near: dict[str, Arm] = {}
    both: dict[str, Arm] = {}
    words = {q.id: bm25(project, q.text, DEPTH_BM25) for q in asked}
    for name, found in scores.items():
        hits = {q.id: dense(project, found[q.id], DEPTH_DENSE) for q in asked}
        near[name] = {q.id: _measured(project, q, hits[q.id]) for q in asked}
        both[name] = {q.id: _measured(project, q, fused(hits[q.id], words[q.id])) for q in asked}
    for title, arms in (("Dense alone", near), ("Hybrid", both)):
        yield f"{title}:\n"
        columns = ("source first", *COLUMNS)
        yield from table(arms, TODAY, columns, [q.id for q in asked])
        yield from halves(arms, TODAY, ("chars@1", "chars@5"), asked)


def _measured(project: Project, asked: Asked, hits: Sequence[object]) -> Mapping[str, float]:
    return measure(asked, passages(project, [hit.chunk_id for hit in hits]))  # type: ignore[attr-defined]


def _separation(corpus: Corpus, scores: Mapping[str, Mapping[str, np.ndarray]]) -> Iterator[str]:
    """The best chunk's score alone: does it tell a question with an answer from one without?"""
    yield "| AUROC of the best score | one language / off topic | one language / near miss | across / off topic |"
    yield "|---|---|---|---|"
    off, near = (
        {q.id for q in corpus.questions if q.kind == k} for k in ("off_topic", "near_miss")
    )
    across = {q.id for q in corpus.questions if q.kind == "cross_language"}
    same = {q.id for q in corpus.questions if q.places} - across
    for name, found in scores.items():
        best = {question: float(values.max()) for question, values in found.items()}
        cells = [
            _auroc(best, good, bad) for good, bad in ((same, off), (same, near), (across, off))
        ]
        yield f"| {name} | {' | '.join(cells)} |"
    yield ""


def _auroc(best: Mapping[str, float], good: set[str], bad: set[str]) -> str:
    among = sorted(good | bad)
    value = auroc([best[q] for q in among], [q in good for q in among])
    return "undefined" if value is None else f"{value:.3f}"
