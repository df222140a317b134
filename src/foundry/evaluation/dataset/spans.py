"""How well chunks fit the exact places that answer a question, character by character.

Recall, precision and intersection over union of Smith and Troynikov, "Evaluating Chunking
Strategies for Retrieval", Chroma technical report, 2024, on characters in place of tokens: an
expected character counts once however many chunks hold it, a retrieved one as often as it is
retrieved, so that overlap has its price.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from foundry.evaluation.dataset.beir import Span
from foundry.evaluation.measuring.places import covers_span

CUTS = (1, 3, 5, 10)
"""Chunks: more are rarely given to a model."""

NAMES = tuple(f"span_{name}@{k}" for name in ("recall", "precision", "iou") for k in CUTS)


def measure_spans(expected: Sequence[Span], chunks: Sequence[Span]) -> dict[str, float]:
    """``span_recall@k``, ``span_precision@k`` and ``span_iou@k`` of a ranking of chunks, 0–1.

    Nothing retrieved gives 0 for all three. ``expected`` must not be empty.
    """
    wanted = _joined(expected)
    total = sum(span.end - span.start for span in wanted)
    figures = {}
    for k in CUTS:
        retrieved = sum(chunk.end - chunk.start for chunk in chunks[:k])
        held = sum(_shared(a, b) for a in wanted for b in _joined(chunks[:k]))
        figures[f"span_recall@{k}"] = held / total
        figures[f"span_precision@{k}"] = held / retrieved if retrieved else 0.0
        figures[f"span_iou@{k}"] = held / (total + retrieved - held)
    return {name: figures[name] for name in NAMES}


def rank_spans(expected: Sequence[Span], chunks: Sequence[Span]) -> list[str]:
    """The ranking of chunks as one of spans: each span at the first chunk that covers it.

    As in a run over questions: a chunk that covers none keeps its place under a name of its own,
    one that covers only spans found before is left out, and several get places in a row.
    """
    ranking: list[str] = []
    found: set[int] = set()
    for place, chunk in enumerate(chunks):
        held = [at for at, span in enumerate(expected) if covers(chunk, span)]
        ranking += [str(at) for at in held if at not in found] if held else [f"chunk {place}"]
        found.update(held)
    return ranking


def covers(chunk: Span, span: Span) -> bool:
    """Whether a chunk counts as having found a span."""
    same = chunk.document == span.document
    return same and covers_span((chunk.start, chunk.end), (span.start, span.end))


def _shared(one: Span, other: Span) -> int:
    if one.document != other.document:
        return 0
    return max(0, min(one.end, other.end) - max(one.start, other.start))


def _joined(spans: Iterable[Span]) -> list[Span]:
    """The same characters in spans that do not touch."""
    ordered = sorted(spans, key=lambda span: (span.document, span.start))
    joined: list[Span] = []
    for span in ordered:
        last = joined[-1] if joined else None
        if last and last.document == span.document and span.start <= last.end:
            joined[-1] = Span(last.document, last.start, max(last.end, span.end))
        else:
            joined.append(span)
    return joined
