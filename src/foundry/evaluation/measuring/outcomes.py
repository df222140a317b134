"""One answer, search or failure as the outcome of one question, with its figures.

Ranking figures are undefined where no expected place is known to the index, else judged on
those that are. What a refused or failed question leaves open is None, never 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from foundry.errors import FoundryError
from foundry.evaluation.measuring.answers import answer_figures, plain_text
from foundry.evaluation.measuring.measures import MEANS, RANKING
from foundry.evaluation.measuring.metrics import figures_by_query
from foundry.evaluation.measuring.places import (
    Item,
    Piece,
    Places,
    covered,
    is_whole_source,
    items_of,
    piece_of_quote,
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


@dataclass(frozen=True, slots=True)
class _Judged:
    """The expected places that the index holds, with their relevance, and what it does not."""

    items: Mapping[Item, int]
    unknown: tuple[str, ...]


def outcome_of_answer(
    places: Places, question: EvalQuestion, answer: Answer, elapsed_ms: float
) -> EvalResult:
    """The outcome of ``ask``; ``elapsed_ms`` is the whole journey's time."""
    judged = _judged(places, question.expected)
    ranking, ranked = _ranked(places, question, answer.search, judged)
    citations, touched = _cited(question, answer)
    figures = {**ranked, **_citation_figures(citations, touched, judged)}
    figures["coverage"] = answer.attribution_coverage
    if question.answers and question.answerable is not False:
        refused = answer.verdict == "no_evidence"
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
    """The outcome of ``search``: rankings and the gate, no final verdict."""
    judged = _judged(places, question.expected)
    ranking, figures = _ranked(places, question, result, judged)
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
    """A question that ended in an error: it is counted, and has no figure."""
    if isinstance(error, FoundryError):
        said = f"{error.code}: {error.message}"
    else:
        said = f"unexpected: {type(error).__name__}: {error}"
    return EvalResult(
        question=question,
        figures=_complete({}),
        timings_ms={"question": round(elapsed_ms, 2)},
        error=said,
    )


def _complete(figures: Mapping[str, float | None]) -> dict[str, float | None]:
    return {name: figures.get(name) for name in MEANS}


def _judged(places: Places, expected: Sequence[Expectation]) -> _Judged:
    missing = {at: places.unknown(one) for at, one in enumerate(expected) if one.relevance > 0}
    items = {
        item: relevance
        for item, relevance in items_of(expected).items()
        if missing[item[0]] is None
    }
    return _Judged(items, tuple(dict.fromkeys(name for name in missing.values() if name)))


def _ranked(
    places: Places, question: EvalQuestion, result: SearchResult, judged: _Judged
) -> tuple[tuple[RankedChunk, ...], dict[str, float | None]]:
    pieces = places.pieces(result.ranking)
    found = [covered(piece, question.expected) for piece in pieces]
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
        for piece, items in zip(pieces, found, strict=True)
    )
    return ranking, ranking_figures(
        pieces,
        found,
        judged.items,
        whole_sources=all(is_whole_source(one) for one in question.expected),
    )


def ranking_figures(
    pieces: Sequence[Piece],
    found: Sequence[Sequence[Item]],
    items: Mapping[Item, int],
    *,
    whole_sources: bool,
) -> dict[str, float | None]:
    """The measures of one ranking of pieces against the places ``items``; None without places.

    Each piece counts for the places that it is the first to cover; one that covers only places
    found before is left out; one that covers none counts once, or with ``whole_sources`` once
    for its source: a ranking of sources, each at its best chunk.
    """
    if not items:
        return dict.fromkeys(RANKING)
    ids: dict[str, None] = {}
    for piece, covers in zip(pieces, found, strict=True):
        new = [_name(item) for item in covers if item in items]
        if not covers:
            new = [f"other {piece.source if whole_sources else piece.id}"]
        ids |= dict.fromkeys(new)
    qrels = {_name(item): relevance for item, relevance in items.items()}
    return {**figures_by_query({"question": list(ids)}, {"question": qrels})["question"]}


def _name(item: Item) -> str:
    return f"place {item[0]}.{item[1]}"


def _indexes(items: Iterable[Item]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(at for at, _ in items))


def _cited(question: EvalQuestion, answer: Answer) -> tuple[tuple[CitedSpan, ...], set[Item]]:
    """Every quote that the answer shows, once, and the places that they cover together."""
    hits = {cited.evidence.id: cited.evidence.hit for cited in answer.sources}
    spans: dict[tuple[str, int, int], CitedSpan] = {}
    touched: set[Item] = set()
    for sentence in answer.sentences:
        for quote in sentence.quotes:
            hit = hits[quote.evidence_id]
            path = hit.source.path
            items = covered(piece_of_quote(quote, hit.chunk, path), question.expected)
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
    right = sum(bool(one.covers) for one in citations)
    return {
        "citation_precision": right / len(citations) if citations else None,
        "citation_recall": len(touched & judged.items.keys()) / len(judged.items),
    }
