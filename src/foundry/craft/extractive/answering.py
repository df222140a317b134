"""An answer of one to a few source sentences: the best, and what adds to it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from foundry.craft.extractive.candidates import Candidate, find_candidates
from foundry.craft.extractive.ranking import Question, Scored, Similar, rank, read_question
from foundry.records import Evidence, Sentence
from foundry.wording.quantities import same_quantity

_POINTS_BACK = re.compile(
    r"(?:it|this|that|these|those|they|he|she|its|their|het|dit|deze|die|hij|zij|ze|hierdoor|daarom"
    r"|daarvoor|hiervoor|therefore)\b(?! is (?:not )?(?:possible|important|belangrijk|mogelijk))",
    re.IGNORECASE,
)
_ALIKE = 0.75
_NEAR_BEST = 0.85
_ADDS = 0.65
_NEW_WEIGHT = 0.12


def compose_answer(
    question: str,
    question_language: str,
    evidence: Sequence[Evidence],
    *,
    weights: Mapping[str, float] | None = None,
    max_sentences: int = 4,
    similar: Similar | None = None,
) -> list[Sentence]:
    """The sentences of the evidence that answer, each with its citation and exact quotes.

    ``weights`` are inverse document frequencies of analysed terms. ``similar``
    ranks by meaning where question and leading sources differ in language (called
    once, at most 40 sentences) and settles close races (at most 8). In reading order within a source, the
    source of the best sentence first. Empty when nothing in the evidence can be shown.
    """
    candidates = find_candidates(evidence)
    if not candidates:
        return []
    asked = read_question(question, question_language, candidates, weights)
    ranked = rank(asked, candidates, similar)
    chosen = _choose(asked, ranked, max_sentences)
    chosen = _with_antecedent(chosen, candidates, max_sentences)
    return [candidate.sentence for candidate in _in_order(chosen)]


def _choose(question: Question, ranked: Sequence[Scored], limit: int) -> list[Candidate]:
    best = ranked[0]
    chosen = [best]
    covered = set(best.covers)
    for one in ranked[1:]:
        if len(chosen) >= limit or one.score < _ADDS * best.score:
            break
        if any(overlaps(one.candidate, other.candidate) for other in chosen):
            continue
        twin = next((c for c in chosen if alike(one.candidate, c.candidate)), None)
        if twin is not None:
            if disagree(one.candidate, twin.candidate):
                chosen.append(one)
            continue
        new = sum(question.weights[at] for at in one.covers - covered) / question.total
        seconds = len(chosen) == 1 and one.score >= _NEAR_BEST * best.score
        if new >= _NEW_WEIGHT or seconds:
            chosen.append(one)
            covered |= one.covers
    return [one.candidate for one in chosen]


def _with_antecedent(
    chosen: list[Candidate], candidates: Sequence[Candidate], limit: int
) -> list[Candidate]:
    """A best sentence that opens with "it" or "this" is read after the one before it."""
    best = chosen[0]
    if len(chosen) >= limit or not _POINTS_BACK.match(best.text):
        return chosen
    at, position = best.order
    before = next((c for c in candidates if c.order == (at, position - 1)), None)
    if before is None or before.section != best.section or before.text.endswith("?"):
        return chosen
    if any(overlaps(before, one) for one in chosen):
        return chosen
    return [*chosen, before]


def overlaps(one: Candidate, other: Candidate) -> bool:
    """True when both show some of the same words of one source (a list and its item)."""
    if one.evidence.hit.chunk.source_id != other.evidence.hit.chunk.source_id:
        return False
    return any(
        start < last and first < end for start, end in one.spans for first, last in other.spans
    )


def alike(one: Candidate, other: Candidate) -> bool:
    """True for sentences of nearly the same words, numbers left out."""
    a, b = _words(one), _words(other)
    return (
        bool(a)
        and bool(b)
        and len(a & b) >= _ALIKE * min(len(a), len(b))
        and (len(a & b) >= 0.6 * max(len(a), len(b)))
    )


def disagree(one: Candidate, other: Candidate) -> bool:
    """True when a number of one does not stand in the other, either way."""
    return _has_own(one, other) and _has_own(other, one)


def _has_own(one: Candidate, other: Candidate) -> bool:
    return any(
        not any(same_quantity(quantity, known) for known in other.quantities)
        for quantity in one.quantities
    )


def _words(candidate: Candidate) -> frozenset[str]:
    return frozenset(term for term in candidate.terms if not term[0].isdigit())


def _in_order(chosen: Sequence[Candidate]) -> list[Candidate]:
    """The best sentence's source first; within a source as it reads."""
    first: dict[str, int] = {}
    for at, candidate in enumerate(chosen):
        first.setdefault(candidate.evidence.hit.chunk.source_id, at)
    return sorted(
        chosen,
        key=lambda one: (first[one.evidence.hit.chunk.source_id], one.quotes[-1].start),
    )
