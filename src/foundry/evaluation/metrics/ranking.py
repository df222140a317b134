"""Figures of one ranking: trec_eval's measures, and how well chunks fit exact spans.

Every figure is 0–1. Rankings are measured with ``pytrec_eval``; judgements may be graded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from foundry.evaluation import require

CUTS = (1, 3, 5, 10, 20, 50, 100)
"""The depths at which rankings are measured: what a reader, a prompt and a reranker see."""

SPAN_CUTS = (1, 3, 5, 10)
"""Depths in chunks for span measures: a model is rarely given more than ten."""

SPAN_MEASURES = tuple(
    f"span_{name}@{k}" for name in ("recall", "precision", "iou") for k in SPAN_CUTS
)

_NAMES = {"ndcg_cut": "ndcg", "recall": "recall", "P": "precision"}

PlacedSpan = tuple[str, int, int]
"""A source, and [start, end) in code points of its text."""


def figures_by_query(
    rankings: Mapping[str, Sequence[str]],
    qrels: Mapping[str, Mapping[str, int]],
) -> dict[str, dict[str, float]]:
    """Measure each ranking (ids, best first) of a query with a relevant document.

    Per query: ``recall@k``, ``precision@k``, ``ndcg@k``, ``mrr`` (reciprocal rank of the first
    relevant document), ``mrr@10`` and ``map`` (average precision). An empty ranking has 0 for all.
    """
    judged = {
        query: dict(qrels[query])
        for query in rankings
        if any(relevance > 0 for relevance in qrels.get(query, {}).values())
    }
    if not judged:
        return {}
    # trec_eval sorts by score and breaks ties by document id; falling scores keep our order.
    run = {
        query: {document: -float(rank) for rank, document in enumerate(rankings[query])}
        for query in judged
        if rankings[query]
    }
    depths = ",".join(str(cut) for cut in CUTS)
    measures = {f"{name}.{depths}" for name in _NAMES} | {"recip_rank", "map"}
    scores = require("pytrec_eval").RelevanceEvaluator(judged, measures).evaluate(run)
    names = {f"{theirs}_{cut}": f"{ours}@{cut}" for theirs, ours in _NAMES.items() for cut in CUTS}
    names |= {"recip_rank": "mrr", "map": "map"}
    figures = {}
    for query in judged:
        own = {ours: scores.get(query, {}).get(theirs, 0.0) for theirs, ours in names.items()}
        figures[query] = own | {"mrr@10": own["mrr"] if own["mrr"] > 1 / 10.5 else 0.0}
    return figures


def span_figures(
    expected: Sequence[PlacedSpan], chunks: Sequence[PlacedSpan]
) -> dict[str, float | None]:
    """Compute ``SPAN_MEASURES`` of ranked chunks, character by character.

    Recall, precision and intersection over union of Smith and Troynikov, "Evaluating Chunking
    Strategies for Retrieval", Chroma technical report, 2024, on characters instead of tokens. An
    expected character counts once, however many chunks contain it; a retrieved one counts each
    time, so overlap costs precision. None without expected spans, 0 where nothing was retrieved.
    """
    if not expected:
        return dict.fromkeys(SPAN_MEASURES)
    wanted = _merge_spans(expected)
    total = sum(end - start for _, start, end in wanted)
    figures: dict[str, float | None] = {}
    for k in SPAN_CUTS:
        retrieved = sum(end - start for _, start, end in chunks[:k])
        merged = _merge_spans(chunks[:k])
        shared = sum(_count_shared(span, other) for span in wanted for other in merged)
        figures[f"span_recall@{k}"] = shared / total
        figures[f"span_precision@{k}"] = shared / retrieved if retrieved else 0.0
        figures[f"span_iou@{k}"] = shared / (total + retrieved - shared)
    return figures


def _count_shared(one: PlacedSpan, other: PlacedSpan) -> int:
    if one[0] != other[0]:
        return 0
    return max(0, min(one[2], other[2]) - max(one[1], other[1]))


def _merge_spans(spans: Iterable[PlacedSpan]) -> list[PlacedSpan]:
    """The same characters in spans that do not touch."""
    merged: list[PlacedSpan] = []
    for source, start, end in sorted(spans):
        if merged and merged[-1][0] == source and start <= merged[-1][2]:
            merged[-1] = (source, merged[-1][1], max(merged[-1][2], end))
        else:
            merged.append((source, start, end))
    return merged
