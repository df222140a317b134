"""What titles and headings are worth: in front of the text that is embedded, and as words.

``docs`` are sections of a manual, each with its own heading as title; ``dutch`` are whole pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from bench.chunks import embedded
from bench.chunks.corpora import Asked, Corpus, load
from bench.chunks.embedded import Vectored, vectors_of
from bench.chunks.measured import Arm, Figures, measure, passages, placed
from bench.chunks.projects import Bare, Project, opened
from bench.chunks.ranked import (
    DEPTH_BM25,
    DEPTH_DENSE,
    MEAN,
    bm25,
    dense,
    dense_scores,
    depths,
    fused,
    means,
)
from bench.chunks.tables import halves, table
from foundry.records import RetrieverHit

TODAY = "prefix in the mean that finds candidates"
SHARES = (0.1, 0.2, 0.3)
BARE: Mapping[str, Bare] = {
    "titles and headings": Bare(),
    "headings": Bare(title=True),
    "titles": Bare(headings=True),
    "neither": Bare(title=True, headings=True),
}
UNPREFIXED = {"docs", "dutch"}
"""Sets of which windows behind their prefix are not embedded: it costs as much as all else."""

SETS = ("example", "dutch", "docs")
COLUMNS = ("source first", "ndcg@10", "recall@10", "chars@1", "chars@5")


def measure_prefixes(data: Path | None, names: Sequence[str] = SETS) -> Iterator[str]:
    for name in names:
        corpus = load(name, data)
        if corpus is None:
            yield f"{name}: left out, give --data DIR.\n"
            continue
        yield from _report(corpus)


def _report(corpus: Corpus) -> Iterator[str]:
    words: dict[str, dict[str, list[RetrieverHit]]] = {}
    near: dict[str, dict[str, list[RetrieverHit]]] = {}
    for name, bare in BARE.items():
        with opened(corpus, bare=bare) as project:
            words[name] = {q.id: bm25(project, q.text, DEPTH_BM25) for q in corpus.questions}
    yield from _small(corpus)
    with opened(corpus) as project:
        asked = placed(corpus, project)
        for name, scores in _scored(corpus, project).items():
            near[name] = {q: dense(project, found, DEPTH_DENSE) for q, found in scores.items()}
        yield f"### {corpus.name}: {len(asked)} questions\n"
        base = words["titles and headings"]
        yield from _tables(project, asked, "BM25", words, "titles and headings")
        yield from _tables(project, asked, "Dense", near, TODAY)
        both = {
            name: {q.id: fused(found[q.id], base[q.id]) for q in asked}
            for name, found in near.items()
        }
        yield from _tables(project, asked, "Hybrid, prefix by vectors", both, TODAY)
        of_words = {
            name: {q.id: fused(near[TODAY][q.id], found[q.id]) for q in asked}
            for name, found in words.items()
        }
        yield from _tables(project, asked, "Hybrid, by words", of_words, "titles and headings")


def _small(corpus: Corpus) -> Iterator[str]:
    """The same words in chunks of 200 tokens, most of which do not hold their own heading."""
    arms: dict[str, Arm] = {}
    for name, bare in BARE.items():
        with opened(corpus, "200", bare=bare) as project:
            asked = placed(corpus, project)
            depth = depths(project)[1]
            arms[name] = {q.id: _figures(project, q, bm25(project, q.text, depth)) for q in asked}
    yield f"### {corpus.name}, BM25 over chunks of 200\n"
    yield from table(arms, "titles and headings", COLUMNS, [q.id for q in asked])
    yield from halves(arms, "titles and headings", ("ndcg@10", "chars@5"), asked)


def _scored(corpus: Corpus, project: Project) -> dict[str, dict[str, np.ndarray]]:
    """Way → question → the chunks' scores."""
    windows = vectors_of(project, embedded.windows_of(45))
    prefixes = vectors_of(project, embedded.prefix)
    together = _together(windows, prefixes)
    fronted = None
    if corpus.name not in UNPREFIXED:
        fronted = vectors_of(project, embedded.prefixed(45))
    found: dict[str, dict[str, np.ndarray]] = {}
    for q in corpus.questions:
        query = project.embedder.embed_query(q.text)
        plain = dense_scores(windows, query)
        ways = {TODAY: plain, "prefix as one more window": dense_scores(together, query)}
        ways |= {
            f"{share} of the score from the prefix": (1 - share) * plain
            + share * (prefixes.rows @ query)
            for share in SHARES
        }
        ways["mean of the windows"] = dense_scores(windows, query, MEAN)
        ways["mean of prefix and windows"] = means(together) @ query
        if fronted is not None:
            ways["prefix before every window"] = dense_scores(fronted, query)
        for name, scores in ways.items():
            found.setdefault(name, {})[q.id] = scores
    return found


def _together(windows: Vectored, prefixes: Vectored) -> Vectored:
    """Each chunk's prefix in front of its windows."""
    rows = np.insert(windows.rows, windows.starts[:-1], prefixes.rows, axis=0)
    return Vectored(rows, windows.starts + np.arange(len(windows.starts)))


def _tables(
    project: Project,
    asked: Sequence[Asked],
    title: str,
    found: Mapping[str, Mapping[str, Sequence[RetrieverHit]]],
    base: str,
) -> Iterator[str]:
    arms: dict[str, Arm] = {
        name: {q.id: _figures(project, q, hits[q.id]) for q in asked}
        for name, hits in found.items()
    }
    yield f"{title}:\n"
    yield from table(arms, base, COLUMNS, [q.id for q in asked])
    yield from halves(arms, base, ("ndcg@10",), asked)


def _figures(project: Project, asked: Asked, hits: Sequence[RetrieverHit]) -> Figures:
    return measure(asked, passages(project, [hit.chunk_id for hit in hits]))
