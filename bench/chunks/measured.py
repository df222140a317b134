"""What a ranking of chunks is worth to the writer: expected characters handed over, at equal cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bench.chunks.corpora import Asked, Corpus, Place, Span
from bench.chunks.projects import Project
from foundry.evaluation.measuring.intervals import Interval, interval_of_difference
from foundry.evaluation.measuring.metrics import figures_by_query
from foundry.records import Block, Chunk

BUDGETS = (2_000, 8_192)
DEPTHS = (1, 5, 10)

Figures = Mapping[str, float]
Arm = Mapping[str, Figures]
"""Question id → its figures."""


@dataclass(frozen=True)
class Passage:
    """A stretch of a source that is handed over, at its price in tokens."""

    path: str
    start: int
    end: int
    tokens: int


def passages(project: Project, chunk_ids: Sequence[str]) -> list[Passage]:
    """The chunks with these ids as passages, in the same order."""
    known = {chunk.id: chunk for chunk in project.chunks}
    return [as_passage(project, known[chunk]) for chunk in chunk_ids]


def as_passage(project: Project, chunk: Chunk) -> Passage:
    return Passage(project.sources[chunk.source_id].path, chunk.start, chunk.end, chunk.tokens)


def within(ranked: Sequence[Passage], budget: int) -> list[Passage]:
    """Those that are handed over: best first, one that does not fit leaves room for a smaller one."""
    used, taken = 0, []
    for passage in ranked:
        if used + passage.tokens <= budget:
            used += passage.tokens
            taken.append(passage)
    return taken


def measure(asked: Asked, ranked: Sequence[Passage]) -> Figures:
    """Recall of the expected characters in the first chunks and in the budgets, and the rest."""
    figures = {f"chars@{k}": _recall(asked, ranked[:k]) for k in DEPTHS}
    for budget in BUDGETS:
        taken = within(ranked, budget)
        figures[f"recall {budget}"] = _recall(asked, taken)
        figures[f"iou {budget}"] = _iou(asked, taken)
    documents = list(dict.fromkeys(passage.path for passage in ranked))
    gold = {place.path: 1 for place in asked.places}
    found = figures_by_query({asked.id: documents}, {asked.id: gold}, cuts=(10,))[asked.id]
    first = {"source first": float(bool(documents) and documents[0] in gold)}
    return figures | first | {name: found[name] for name in ("ndcg@10", "recall@10")}


def _recall(asked: Asked, taken: Sequence[Passage]) -> float:
    return max(_covered(place, taken) for place in asked.places)


def _covered(place: Place, taken: Sequence[Passage]) -> float:
    """The share of the place's characters that was taken; of a whole source, whether any of it was."""
    own = _merged([(p.start, p.end) for p in taken if p.path == place.path])
    if not place.spans:
        return float(bool(own))
    gold = _merged(place.spans)
    return _common(gold, own) / _length(gold)


def _iou(asked: Asked, taken: Sequence[Passage]) -> float:
    """Expected characters taken, of all that were expected or taken; the first place counts."""
    place = asked.places[0]
    by_path: dict[str, list[Span]] = {}
    for passage in taken:
        by_path.setdefault(passage.path, []).append((passage.start, passage.end))
    merged = {path: _merged(spans) for path, spans in by_path.items()}
    gold = _merged(place.spans)
    common = _common(gold, merged.get(place.path, []))
    union = sum(_length(spans) for spans in merged.values()) + _length(gold) - common
    return common / union if union else 0.0


def _merged(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _length(spans: Sequence[Span]) -> int:
    return sum(end - start for start, end in spans)


def _common(first: Sequence[Span], second: Sequence[Span]) -> int:
    return sum(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a in first for b in second)


def placed(corpus: Corpus, project: Project) -> list[Asked]:
    """The questions with an answer; places given by page, section and words as spans of blocks."""
    ids = {source.path: source.id for source in project.sources.values()}
    store = project.workspace.store
    named = {ids[place.path] for q in corpus.questions for place in q.places if place.words}
    read = {source: (store.source_blocks(source), store.source_text(source)) for source in named}
    found = []
    for asked in corpus.questions:
        own = [
            Place(place.path, _spans_of(place, *read[ids[place.path]])) if place.words else place
            for place in asked.places
        ]
        places = tuple(new for new, old in zip(own, asked.places, strict=True) if _known(new, old))
        if places:
            found.append(Asked(asked.id, asked.text, asked.kind, places))
    return found


def _known(place: Place, as_asked: Place) -> bool:
    return bool(place.spans) or not as_asked.words


def _spans_of(place: Place, blocks: Sequence[Block], text: str) -> tuple[Span, ...]:
    """The named section's block with the most of the expected words; the section where none has."""
    inside = [
        block
        for block in blocks
        if block.kind != "heading"
        and (place.page is None or block.page == place.page)
        and (not place.section or place.section in block.heading_path)
    ]
    wanted = set(place.words.casefold().split())
    shares = [len(wanted & set(text[b.start : b.end].casefold().split())) for b in inside]
    best = max(shares, default=0)
    chosen = [b for b, share in zip(inside, shares, strict=True) if share == best]
    if best == 0 and not place.section:
        return ()
    return tuple((b.start, b.end) for b in (chosen[:1] if best else inside))


@dataclass(frozen=True)
class Row:
    """A mean over questions, and what differs from the arm that is compared with."""

    mean: float
    difference: float
    interval: Interval | None


def compare(arm: Arm, base: Arm, name: str, among: Sequence[str]) -> Row:
    """A figure's mean over the questions ``among``, with the paired interval against ``base``."""
    own = [arm[question][name] for question in among]
    other = [base[question][name] for question in among]
    interval = None if arm is base else interval_of_difference(other, own)
    return Row(float(np.mean(own)), float(np.mean(own) - np.mean(other)), interval)
