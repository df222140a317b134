"""The outcome of one question, from an answer, a search result or an error, with its figures.

Ranking figures use the expected places that the index contains; with none of them they are
undefined. What a refused or failed question leaves open is None, never 0. Where no model writes
there is no answer to measure: what the shown passages hold is measured instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from foundry.config import BUILTIN_GENERATOR
from foundry.errors import FoundryError
from foundry.evaluation.metrics.answers import (
    answer_figures,
    list_shown,
    measure_passages,
    plain_text,
)
from foundry.evaluation.metrics.measures import MEANS, RANKING
from foundry.evaluation.metrics.ranking import figures_by_query, span_figures
from foundry.evaluation.questions.places import (
    Item,
    Places,
    SourceRange,
    find_covered_items,
    is_whole_source,
    items_of,
    locate_quote,
)
from foundry.records import (
    Answer,
    CitedSpan,
    EvalQuestion,
    EvalResult,
    Expectation,
    RankedChunk,
    SearchResult,
)

DEPTH = 100
"""Ranks that are kept and measured: the deepest that a measure names. Below it nothing counts as
found, for ``mrr`` and ``map`` too."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """The expected places that the index contains, with their relevance, and those it lacks."""

    items: Mapping[Item, int]
    unknown: tuple[str, ...]


def outcome_of_answer(
    places: Places, question: EvalQuestion, answer: Answer, elapsed_ms: float
) -> EvalResult:
    """The outcome of ``ask``; ``elapsed_ms`` is the time of the whole journey."""
    judged = _collect_judged(places, question.expected)
    ranking, ranked = _rank_chunks(places, question, answer.search, judged)
    refused = answer.verdict == "no_evidence"
    figures = {**ranked, "coverage": answer.attribution_coverage}
    if answer.verdict == "passages" or (refused and answer.model == BUILTIN_GENERATOR):
        citations = tuple(list_shown(question, answer.passages))
        indexed = [question.expected[index] for index in _indexes(judged.items)]
        figures |= measure_passages(places, question, indexed, answer.passages)
    else:
        citations, touched = _collect_citations(question, answer)
        figures |= _citation_figures(citations, touched, judged)
        if question.answers and question.answerable is not False:
            text = "" if refused else plain_text(answer.sentences)
            figures |= answer_figures(text, question.answers)
    return EvalResult(
        question=question,
        ranking=ranking,
        verdict=answer.verdict,
        gate_verdict=answer.search.gate.decision,
        score=answer.search.gate.score,
        answer=answer.text,
        citations=citations,
        coverage=answer.attribution_coverage,
        figures=_complete(figures),
        timings_ms={**answer.timings_ms, "question": round(elapsed_ms, 2)},
        usage=answer.usage,
        notices=answer.notices,
        unknown=judged.unknown,
    )


def outcome_of_search(
    places: Places, question: EvalQuestion, result: SearchResult, elapsed_ms: float
) -> EvalResult:
    """The outcome of ``search``: a ranking and the gate's decision, no answer."""
    judged = _collect_judged(places, question.expected)
    ranking, figures = _rank_chunks(places, question, result, judged)
    total = result.timings_ms["total"]
    return EvalResult(
        question=question,
        ranking=ranking,
        gate_verdict=result.gate.decision,
        score=result.gate.score,
        figures=_complete(figures),
        timings_ms={"retrieval": total, "total": total, "question": round(elapsed_ms, 2)},
        notices=result.notices,
        unknown=judged.unknown,
    )


def outcome_of_error(question: EvalQuestion, error: Exception, elapsed_ms: float) -> EvalResult:
    """The outcome of a question that failed: counted, and without figures."""
    if isinstance(error, FoundryError):
        message = f"{error.code}: {error.message}"
    else:
        message = f"unexpected: {type(error).__name__}: {error}"
    return EvalResult(
        question=question,
        figures=_complete({}),
        timings_ms={"question": round(elapsed_ms, 2)},
        error=message,
    )


def _complete(figures: Mapping[str, float | None]) -> dict[str, float | None]:
    return {name: figures.get(name) for name in MEANS}


def _collect_judged(places: Places, expected: Sequence[Expectation]) -> _Judged:
    missing = {
        index: places.find_missing(expectation)
        for index, expectation in enumerate(expected)
        if expectation.relevance > 0
    }
    items = {
        item: relevance
        for item, relevance in items_of(expected).items()
        if missing[item[0]] is None
    }
    return _Judged(items, tuple(dict.fromkeys(name for name in missing.values() if name)))


def judge_by_source(result: EvalResult, expected: tuple[Expectation, ...]) -> EvalResult:
    """The same outcome judged by other expectations, all of them whole sources."""
    pieces = [
        SourceRange(hit.chunk_id, hit.source, hit.start, hit.end, ()) for hit in result.ranking
    ]
    covers = [find_covered_items(piece, expected) for piece in pieces]
    figures = ranking_figures(pieces, covers, items_of(expected), whole_sources=True)
    return replace(
        result,
        question=replace(result.question, expected=expected),
        ranking=tuple(
            replace(hit, covers=_indexes(items))
            for hit, items in zip(result.ranking, covers, strict=True)
        ),
        figures={**result.figures, **(figures if result.error is None else {})},
    )


def _rank_chunks(
    places: Places, question: EvalQuestion, result: SearchResult, judged: _Judged
) -> tuple[tuple[RankedChunk, ...], dict[str, float | None]]:
    pieces = places.get_ranges(result.ranking)
    covers = [find_covered_items(piece, question.expected) for piece in pieces]
    relevances = {hit.chunk.id: round(hit.relevance, 4) for hit in result.hits}
    ranking = tuple(
        RankedChunk(
            chunk_id=piece.id,
            source=piece.source,
            start=piece.start,
            end=piece.end,
            page=piece.page,
            section=piece.section,
            relevance=relevances.get(piece.id),
            covers=_indexes(items),
        )
        for piece, items in zip(pieces[:DEPTH], covers, strict=False)
    )
    whole = all(is_whole_source(expectation) for expectation in question.expected)
    figures = ranking_figures(pieces, covers, judged.items, whole_sources=whole)
    spans = [
        (question.expected[index].source, *question.expected[index].spans[span])
        for index, span in judged.items
        if question.expected[index].spans
    ]
    chunks = [(piece.source, piece.start, piece.end) for piece in pieces]
    return ranking, figures | span_figures(spans, chunks)


def ranking_figures(
    pieces: Sequence[SourceRange],
    covers: Sequence[Sequence[Item]],
    items: Mapping[Item, int],
    *,
    whole_sources: bool,
) -> dict[str, float | None]:
    """Measure a ranking of pieces against the places ``items``; None without places.

    Each piece counts for the places that it is the first to cover. A piece that covers only places
    found before is left out. A piece that covers none counts once, or with ``whole_sources`` once
    for its source: the ranking is then one of sources, each at its best chunk.
    """
    if not items:
        return dict.fromkeys(RANKING)
    ids: dict[str, None] = {}
    for piece, covered in zip(pieces, covers, strict=True):
        new = [_name(item) for item in covered if item in items]
        if not covered:
            new = [f"other {piece.source if whole_sources else piece.id}"]
        ids |= dict.fromkeys(new)
    qrels = {_name(item): relevance for item, relevance in items.items()}
    return {**figures_by_query({"question": list(ids)[:DEPTH]}, {"question": qrels})["question"]}


def _name(item: Item) -> str:
    return f"place {item[0]}.{item[1]}"


def _indexes(items: Iterable[Item]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(index for index, _ in items))


def _collect_citations(
    question: EvalQuestion, answer: Answer
) -> tuple[tuple[CitedSpan, ...], set[Item]]:
    """Each quote that the answer shows, and the places that the quotes cover together."""
    hits = {cited.evidence.id: cited.evidence.hit for cited in answer.sources}
    spans: dict[tuple[str, int, int], CitedSpan] = {}
    touched: set[Item] = set()
    for sentence in answer.sentences:
        for quote in sentence.quotes:
            hit = hits[quote.evidence_id]
            path = hit.source.path
            items = find_covered_items(locate_quote(quote, hit.chunk, path), question.expected)
            touched.update(items)
            spans[path, quote.start, quote.end] = CitedSpan(
                path, quote.start, quote.end, quote.text, quote.page, _indexes(items)
            )
    return tuple(spans.values()), touched


def _citation_figures(
    citations: Sequence[CitedSpan], touched: set[Item], judged: _Judged
) -> dict[str, float | None]:
    """Precision: quotes in an expected place; recall: expected places with a quote."""
    if not judged.items:
        return {}
    right = sum(bool(citation.covers) for citation in citations)
    return {
        "citation_precision": right / len(citations) if citations else None,
        "citation_recall": len(touched & judged.items.keys()) / len(judged.items),
    }
