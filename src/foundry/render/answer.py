"""Answers, search results and turns of a conversation as text and as the documented JSON.

The wording is fixed and English; the answer itself is in its own language. Shows what the
records say and computes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from foundry.records import (
    Answer,
    CitedSource,
    ClaimCheck,
    GateDecision,
    Hit,
    Quote,
    SearchResult,
    Sentence,
    Verdict,
)
from foundry.render.conflicts import conflict_as_dict, render_conflicts
from foundry.render.places import (
    describe_place,
    format_location,
    format_revision,
    format_time,
    hit_reason_as_dict,
    quote_as_dict,
    revision_as_dict,
    round_score,
    shorten_paths,
)

NO_EVIDENCE = "No supporting documentation found in indexed sources."
ANSWER = "Answer:"
LOW_CONFIDENCE = "Answer (LOW CONFIDENCE — limited source coverage):"
_MAX_EXCERPT = 240
"""Characters: three lines of a terminal."""
_ACTIONS = {
    "reattributed": "citation corrected",
    "recited": "citation dropped",
    "regenerated": "rewritten",
    "removed": "removed",
}
_MAX_PLACES = 3
"""Places listed per source: more would hide the other sources; --json has them all."""


def render_answer(answer: Answer) -> str:
    """The answer with its sources, or what is missing and what to do about it."""
    if answer.verdict == "no_evidence":
        return "\n".join([NO_EVIDENCE, *_suggest_actions(answer), *_render_changes(answer)])
    return "\n".join(
        [render_answer_head(answer.verdict), answer.text, "", render_answer_end(answer)]
    )


def render_answer_head(verdict: Verdict) -> str:
    """The line above an answer."""
    return LOW_CONFIDENCE if verdict == "low_confidence" else ANSWER


def render_answer_end(answer: Answer) -> str:
    """What follows the text of an answer: sources, conflicts, and what verification changed."""
    names = shorten_paths(source.evidence.hit.source.path for source in answer.sources)
    lines = ["Sources:", *(_render_source(source, names) for source in answer.sources)]
    if answer.verdict == "low_confidence":
        lines += ["", f"Why low confidence: {' '.join(answer.reasons)}"]
    if answer.conflicts:
        lines += ["", render_conflicts(answer.conflicts)]
    return "\n".join([*lines, *_render_changes(answer)])


def _render_changes(answer: Answer) -> list[str]:
    """Every sentence that verification changed, with what was done and why."""
    if not answer.changes:
        return []
    lines = [
        f"- {_ACTIONS[change.action]}: {change.sentence} ({change.reason})"
        for change in answer.changes
    ]
    return ["", "Changed by verification:", *lines]


def answer_as_dict(answer: Answer) -> dict[str, Any]:
    """The JSON of ``foundry ask``. Offsets count code points in the stored source text."""
    empty = answer.verdict == "no_evidence"
    return {
        "question": answer.question,
        "language": answer.language,
        "verdict": answer.verdict,
        "confidence": round(answer.confidence, 4),
        "reasons": list(answer.reasons),
        "answer": NO_EVIDENCE if empty else answer.text,
        "sentences": [_sentence_as_dict(sentence) for sentence in answer.sentences],
        "sources": [_source_as_dict(source, answer.sentences) for source in answer.sources],
        "model": answer.model,
        "mode": answer.mode,
        "attribution_coverage": round_score(answer.attribution_coverage),
        "shown_coverage": round_score(answer.shown_coverage),
        "timings_ms": _round_timings(answer.timings_ms),
        "usage": asdict(answer.usage),
        "gate": _gate_as_dict(answer.search.gate),
        "conflicts": [conflict_as_dict(conflict) for conflict in answer.conflicts],
        "dropped": [hit_reason_as_dict(hit) for hit in answer.dropped],
        "models": dict(answer.models),
        "checks": [_check_as_dict(check) for check in answer.checks],
        "changes": [asdict(change) for change in answer.changes],
        "notices": list(answer.notices),
    }


def render_search(result: SearchResult) -> str:
    """The hits, best first, each with its place and an excerpt, and the verdict of the gate."""
    names = shorten_paths(hit.source.path for hit in result.hits)
    lines: list[str] = []
    for number, hit in enumerate(result.hits, 1):
        ranks = ", ".join(
            f"{retriever} #{match.rank}"
            for retriever, match in (("dense", hit.dense), ("bm25", hit.bm25))
            if match is not None
        )
        where = format_location(names[hit.source.path], hit.focus)
        lines += [f"{number}. {where} (score: {hit.relevance:.2f}; {ranks})"]
        lines += [f"   {_cut_excerpt(hit)}", ""]
    if not result.hits:
        lines += ["No hits.", ""]
    gate = result.gate
    lines.append(
        f"Gate: {gate.decision} (score: {gate.score:.2f}, min_score: {gate.threshold:.2f})"
    )
    lines += [f"  {reason}" for reason in gate.reasons]
    return "\n".join(lines)


def search_as_dict(result: SearchResult) -> dict[str, Any]:
    """The JSON of ``foundry search``."""
    return {
        "query": result.query,
        "language": result.language,
        "mode": result.mode,
        "hits": [_hit_as_dict(hit) for hit in result.hits],
        "gate": _gate_as_dict(result.gate),
        "timings_ms": _round_timings(result.timings_ms),
        "notices": list(result.notices),
    }


def find_passage(source: CitedSource) -> Quote | None:
    """The passage from the first quote of a cited source to its last, if they share a page.

    Otherwise the first quote; None for a source without quotes.
    """
    quotes = sorted(source.quotes, key=lambda quote: quote.start)
    if not quotes:
        return None
    first, end = quotes[0], max(quote.end for quote in quotes)
    if any(quote.page != first.page for quote in quotes):
        return first
    chunk = source.evidence.hit.chunk
    return replace(first, text=chunk.text[first.start - chunk.start : end - chunk.start], end=end)


def _suggest_actions(answer: Answer) -> list[str]:
    missing = answer.search.gate.uncovered
    lines = [*answer.reasons]
    if missing:
        lines.append(f"No source covers: {', '.join(missing)}.")
    what = "about that" if missing else "with the answer"
    lines.append(f"Add a document {what} to the sources, then run `foundry ingest`.")
    # The gate may have given the uncovered words as a reason already.
    return list(dict.fromkeys(lines))


def _render_source(source: CitedSource, names: dict[str, str]) -> str:
    hit = source.evidence.hit
    quotes = sorted(source.quotes, key=lambda quote: quote.start)
    places = list(dict.fromkeys(filter(None, map(describe_place, quotes))))
    name = names[hit.source.path]
    printed = format_revision(hit.source)
    parts = [name, "; ".join(places[:_MAX_PLACES]), printed]
    where = ", ".join(part for part in parts if part)
    return f"- {source.evidence.id} {where} (score: {hit.relevance:.2f})"


def _sentence_as_dict(sentence: Sentence) -> dict[str, Any]:
    return {
        "text": sentence.text,
        "citations": list(sentence.citations),
        "quotes": [_quote_with_id_as_dict(quote) for quote in sentence.quotes],
    }


def _check_as_dict(check: ClaimCheck) -> dict[str, Any]:
    return {
        "sentence": check.sentence,
        "verdict": check.verdict,
        "score": round(check.score, 4),
        "reason": check.reason,
        "differs": check.differs,
        "citations": list(check.citations),
        "carried_by": list(check.carried_by),
    }


def _source_as_dict(source: CitedSource, sentences: Sequence[Sentence]) -> dict[str, Any]:
    hit = source.evidence.hit
    shown = find_passage(source)
    place: Any = shown or hit.focus
    return {
        "id": source.evidence.id,
        "chunk_id": hit.chunk.id,
        "source": hit.source.path,
        "title": hit.source.title,
        **revision_as_dict(hit.source),
        "section": place.section,
        "page": place.page,
        "page_label": place.page_label,
        "time": format_time(place.time),
        "score": round(hit.relevance, 4),
        "quote": shown.text if shown else None,
        "char_start": shown.start if shown else None,
        "char_end": shown.end if shown else None,
        "quotes": [
            {**_quote_with_id_as_dict(quote), "sentence": _find_sentence(quote, sentences)}
            for quote in source.quotes
        ],
    }


def _quote_with_id_as_dict(quote: Quote) -> dict[str, Any]:
    return {"id": quote.evidence_id, **quote_as_dict(quote)}


def _find_sentence(quote: Quote, sentences: Sequence[Sentence]) -> int | None:
    """The index of the first sentence that the quote supports."""
    return next(
        (index for index, sentence in enumerate(sentences) if quote in sentence.quotes), None
    )


def _hit_as_dict(hit: Hit) -> dict[str, Any]:
    return {
        "chunk_id": hit.chunk.id,
        "source": hit.source.path,
        "title": hit.source.title,
        **revision_as_dict(hit.source),
        "section": hit.focus.section,
        "heading_path": list(hit.focus.heading_path),
        "page": hit.focus.page,
        "page_label": hit.focus.page_label,
        "time": format_time(hit.focus.time),
        "score": round(hit.relevance, 4),
        "dense": _rank_as_dict(hit.dense),
        "bm25": _rank_as_dict(hit.bm25),
        "text": hit.chunk.text,
        "char_start": hit.chunk.start,
        "char_end": hit.chunk.end,
    }


def _rank_as_dict(match: Any) -> dict[str, Any] | None:
    return None if match is None else {"rank": match.rank, "score": round(match.score, 4)}


def _gate_as_dict(gate: GateDecision) -> dict[str, Any]:
    return {
        "decision": gate.decision,
        "score": round(gate.score, 4),
        "threshold": gate.threshold,
        "reasons": list(gate.reasons),
        "signals": {name: round(value, 4) for name, value in gate.signals.items()},
        "uncovered": list(gate.uncovered),
        "calibrated": gate.calibrated,
        "constants": gate.constants,
    }


def _cut_excerpt(hit: Hit) -> str:
    chunk, focus = hit.chunk, hit.focus
    words = " ".join(chunk.text[focus.start - chunk.start : focus.end - chunk.start].split())
    return words if len(words) <= _MAX_EXCERPT else f"{words[:_MAX_EXCERPT].rsplit(' ', 1)[0]} …"


def _round_timings(timings: Any) -> dict[str, float]:
    return {name: round(value, 2) for name, value in timings.items()}


def turn_as_dict(
    number: int, typed: str, how: str, carried: tuple[str, ...], answer: Answer
) -> dict[str, Any]:
    """One line of ``foundry chat --json``; ``answer`` is that of ``foundry ask``."""
    return {
        "turn": number,
        "typed": typed,
        "question": answer.question,
        "how": how,
        "carried": list(carried),
        "answer": answer_as_dict(answer),
    }
