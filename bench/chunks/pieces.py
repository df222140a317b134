"""Words searched over small pieces, each chunk at the rank of its best one; vectors as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from bench.chunks.corpora import Asked, Corpus, load
from bench.chunks.embedded import vectors_of, windows_of
from bench.chunks.measured import Arm, Figures, placed
from bench.chunks.projects import opened
from bench.chunks.ranked import fused, lifted, parents
from bench.chunks.sizes import Channels
from bench.chunks.tables import halves, table

SETS = ("docs", "example", "spans")
PIECES = ("400", "200", "100")
BASE = "chunks of 850"
COLUMNS = ("source first", "ndcg@10", "recall@10", "chars@1", "chars@5", "recall 2000")


def measure_pieces(data: Path | None, names: Sequence[str] = SETS) -> Iterator[str]:
    for name in names:
        corpus = load(name, data)
        if corpus is None:
            yield f"{name}: left out, give --data DIR.\n"
            continue
        yield from _report(corpus)


def _report(corpus: Corpus) -> Iterator[str]:
    with ExitStack() as stack:
        project = stack.enter_context(opened(corpus))
        large = Channels(project, vectors_of(project, windows_of(45)))
        small = {size: Channels(stack.enter_context(opened(corpus, size)), None) for size in PIECES}
        asked = placed(corpus, project)
        words, both = _arms(asked, large, small)
    yield f"### {corpus.name}: {len(asked)} questions\n"
    for title, arms in (("BM25 over", words), ("Hybrid with BM25 over", both)):
        yield f"{title}:\n"
        yield from table(arms, BASE, COLUMNS, [q.id for q in asked])
        yield from halves(arms, BASE, ("ndcg@10", "chars@5"), asked)


def _arms(
    asked: Sequence[Asked], large: Channels, small: Mapping[str, Channels]
) -> tuple[dict[str, Arm], dict[str, Arm]]:
    up = {size: parents(own.project, large.project) for size, own in small.items()}
    words: dict[str, dict[str, Figures]] = {}
    both: dict[str, dict[str, Figures]] = {}
    for q in asked:
        near, own = large.dense(q), large.bm25(q)
        found = {BASE: own}
        for size, pieces in small.items():
            raised = lifted(pieces.bm25(q), up[size], large.depth_bm25)
            found[f"pieces of {size}"] = raised
            found[f"chunks, and pieces of {size}"] = fused(own, raised)[: large.depth_bm25]
        for name, hits in found.items():
            words.setdefault(name, {})[q.id] = large.measured(q, hits)
            both.setdefault(name, {})[q.id] = large.measured(q, fused(near, hits))
    return dict(words), dict(both)
