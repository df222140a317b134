"""The sections of a specified document, composed of source sentences heading by heading.

If a heading of a source names the section, its content becomes the section. Otherwise headings are
added one by one while each adds something that the specification asks for. Nothing is said twice:
a sentence goes to the section it fits best. Sentences in another language are used only if the
document's language has nothing as relevant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from foundry.analysis import fold
from foundry.craft.quoting.candidates import QuoteCandidate, find_candidates
from foundry.craft.quoting.ranking import (
    RankedQuote,
    WeightedQuestion,
    compute_term_weights,
    is_question,
    rank_candidates,
    weigh_text,
)
from foundry.craft.quoting.section_headings import (
    MIN_NAMED,
    MIN_NEAR_BEST,
    HeadingKey,
    RankedSection,
    SectionHeading,
    SectionRequest,
    SentenceKey,
    choose_asked,
    get_key,
    keep_asked,
    keep_on_topic,
    pick_new,
)
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.ports import Similarity
from foundry.records import Question, Quote, Sentence
from foundry.text.headings import is_administrative, strip_number
from foundry.text.lines import find_shared_terms

# The shares below are guesses; `python -m bench documents` reports the sections they lead to.

_WITHIN_TITLE = 0.75
"""How well a heading names a section if it is only a part of the title."""

_MAX_NAME_WORDS = 5
"""A line of the specification with more words, or that is a list, is not compared with headings."""

_MIN_GAIN = 0.08
"""Share of what is asked that the first heading must cover, if it does not name the section."""

_MIN_GAIN_BESIDE = 0.12
"""The same for further headings."""

_FOREIGN_DISCOUNT = 0.5
"""A hit in another language counts only if half its relevance still beats the own language's."""
# Sentences that only make sense in their own document.
_WORDS = load_shared_lexicon().answers
_SELF_REFERENCE = re.compile(
    rf"\b{build_alternation(_WORDS.self_determiners)} {build_alternation(_WORDS.document_parts)}\b"
)
_MAX_FROM_NAMED = 9
"""Sentences from a heading that names the section, so that one does not fill it."""

_MAX_FROM_OTHER = 4
"""Sentences from any other heading."""


def compose_sections(
    sections: Sequence[SectionRequest],
    language: str,
    *,
    questions: Sequence[Question] = (),
    similar: Similarity | None = None,
) -> tuple[tuple[Sentence, ...], ...]:
    """The sentences of each section in reading order; empty if its evidence shows nothing.

    ``questions`` are those the evidence was searched with; they say which words are rare.
    """
    weights = compute_term_weights(questions)
    ranked = [_rank_section(section, language, weights, similar) for section in sections]
    claims = _assign_sentences(ranked)
    used: list[QuoteCandidate] = []
    composed = []
    for index, section in enumerate(ranked):
        chosen = _choose_candidates(section, index, claims, used)
        composed.append(tuple(candidate.sentence for candidate in chosen))
    return tuple(composed)


def _rank_section(
    wanted: SectionRequest,
    language: str,
    weights: Mapping[str, float],
    similar: Similarity | None,
) -> RankedSection:
    found = [
        candidate
        for candidate in find_candidates(wanted.evidence)
        if not _SELF_REFERENCE.search(fold(candidate.text))
    ]
    spoken = found if wanted.ask else _select_language(found, language)
    candidates = _apply_resolutions(spoken, found, wanted.rivals)
    if not candidates:
        return RankedSection(wanted)
    text = " ".join(wanted.wants if wanted.ask else (wanted.title, *wanted.wants))
    question = weigh_text(text, language, candidates, weights)
    compare = (lambda others: similar(text, others)) if similar and not wanted.ask else None
    quotes = rank_candidates(question, candidates, compare)
    if wanted.ask is not None:
        quotes = [
            quote
            for quote in quotes
            if _says_more(quote.candidate, question) and not is_question(quote.candidate)
        ]
    # In the language of the heading alone: another one's stems would match parts of its words.
    names = {
        candidate.language: [
            weigh_text(name, language, [candidate], weights) for name in _list_names(wanted)
        ]
        for candidate in candidates
    }
    headings = _group_by_heading(quotes, {} if wanted.ask else names)
    if wanted.on_topic is not None:
        headings = keep_on_topic(headings, wanted.on_topic)
    if wanted.ask is not None:
        headings = keep_asked(headings, wanted.ask, question, names)
    return RankedSection(wanted, question, tuple(_drop_headings(headings, wanted.newer)))


def _list_names(wanted: SectionRequest) -> list[str]:
    """What a heading may name: the section's title and its short lines; of an agent, what it asks."""
    lines = [line for line in wanted.wants if "," not in line and ";" not in line]
    if wanted.ask is not None:
        return lines
    # A short line may be a heading too: "Intended use: purpose of the device".
    return [wanted.title, *(line for line in lines if len(line.split()) <= _MAX_NAME_WORDS)]


def _group_by_heading(
    quotes: Sequence[RankedQuote], names: Mapping[str, Sequence[WeightedQuestion]]
) -> dict[HeadingKey, SectionHeading]:
    headings: dict[HeadingKey, SectionHeading] = {}
    for quote in quotes:
        candidate = quote.candidate
        key = (candidate.evidence.hit.chunk.source_id, candidate.section)
        if key not in headings:
            known = names.get(candidate.language, ())
            named = (_score_heading(name, candidate) for name in known)
            headings[key] = SectionHeading(max(named, default=0.0))
        headings[key].members.append(quote)
    return headings


def _drop_headings(
    headings: Mapping[HeadingKey, SectionHeading], newer: Mapping[str, str]
) -> Iterator[SectionHeading]:
    """The headings without those of form, and those that a later revision has too."""
    latest = {(source, _fold_heading(path)) for source, path in headings}
    for (source, path), heading in headings.items():
        formal = heading.named < MIN_NAMED and _is_administrative_heading(heading)
        if not formal and (newer.get(source), _fold_heading(path)) not in latest:
            yield heading


def _fold_heading(path: Sequence[str]) -> str:
    """The heading without its number, which a revision may change."""
    return fold(strip_number(path[-1])) if path else ""


def _says_more(candidate: QuoteCandidate, question: WeightedQuestion) -> bool:
    """Whether it has a word beside those of the ask: "1 | LC-512" says nothing of the LC-512."""
    asked = {form for term in question.terms for form in term.terms}
    return any(term not in asked and not term.isdigit() for term in candidate.terms)


def _is_administrative_heading(heading: SectionHeading) -> bool:
    section = heading.members[0].candidate.section
    return bool(section) and is_administrative(section[-1])


def _apply_resolutions(
    candidates: Sequence[QuoteCandidate],
    found: Sequence[QuoteCandidate],
    rivals: Sequence[tuple[Quote, Quote]],
) -> list[QuoteCandidate]:
    """The candidates, with each overruled one replaced by the one that prevails over it."""
    # What prevails over one candidate may itself yield to a third.
    sound = [c for c in found if not any(_has_quote(c, yields) for yields, _ in rivals)]
    settled = []
    for candidate in candidates:
        holding = [holds for yields, holds in rivals if _has_quote(candidate, yields)]
        if not holding:
            settled.append(candidate)
            continue
        other = next((c for c in sound if any(_has_quote(c, quote) for quote in holding)), None)
        if other is not None:
            settled.append(
                replace(
                    other,
                    terms=candidate.terms,
                    above=candidate.above,
                    before=candidate.before,
                    section=candidate.section,
                    language=candidate.language,
                    order=candidate.order,
                )
            )
    return settled


def _has_quote(candidate: QuoteCandidate, quote: Quote) -> bool:
    return quote.evidence_id == candidate.evidence.id and any(
        start < quote.end and quote.start < end for start, end in candidate.spans
    )


def _select_language(candidates: Sequence[QuoteCandidate], language: str) -> list[QuoteCandidate]:
    """The candidates in the document's language, and others whose hit is far more relevant."""
    own = [candidate for candidate in candidates if candidate.language in (language, "und")]
    best = max((candidate.evidence.hit.relevance for candidate in own), default=0.0)
    return [
        candidate
        for candidate in candidates
        if candidate.language in (language, "und")
        or _FOREIGN_DISCOUNT * candidate.evidence.hit.relevance > best
    ]


def _score_heading(title: WeightedQuestion, candidate: QuoteCandidate) -> float:
    """The share of the title in the heading right above a candidate, compounds included; 0–1.

    A heading that is only a part of the title names the section too: "Shield" in "Termination and
    shield".
    """
    if not candidate.section:
        return 0.0
    heading = weigh_text(strip_number(candidate.section[-1]), candidate.language, [candidate], {})
    known = frozenset(form for term in heading.terms for form in term.terms)
    wanted = frozenset(form for term in title.terms for form in term.terms)
    matched = (
        weight
        for term, weight in zip(title.terms, title.weights, strict=True)
        if find_shared_terms(term.terms, known)
    )
    within = bool(heading.terms) and all(
        find_shared_terms(term.terms, wanted) for term in heading.terms
    )
    return max(sum(matched) / title.total, _WITHIN_TITLE if within else 0.0)


def _assign_sentences(ranked: Sequence[RankedSection]) -> dict[SentenceKey, int]:
    """Sentence → the section that its heading names best; absent if it names none."""
    best: dict[SentenceKey, tuple[float, int]] = {}
    for index, section in enumerate(ranked):
        for heading in section.headings:
            if heading.named < MIN_NAMED:
                continue
            for member in heading.members:
                key = get_key(member.candidate)
                if key not in best or heading.named > best[key][0]:
                    best[key] = (heading.named, index)
    return {key: index for key, (_, index) in best.items()}


def _choose_candidates(
    ranked: RankedSection,
    index: int,
    claims: Mapping[SentenceKey, int],
    used: list[QuoteCandidate],
) -> list[QuoteCandidate]:
    """The section's sentences, heading by heading; headings that name the section come first."""
    if ranked.question is None:
        return []
    limit = ranked.wanted.max_sentences
    if ranked.wanted.ask is not None:
        return choose_asked(ranked, index, claims, used, limit)
    chosen: list[list[QuoteCandidate]] = []
    covered: set[int] = set()
    left = [heading for heading in ranked.headings if heading.members]
    best = max((heading.quality for heading in left), default=0.0)
    while left and sum(map(len, chosen)) < limit:
        value = {id(h): _rate_heading(h, covered, ranked.question) for h in left}
        heading = max(left, key=lambda h: value[id(h)])
        left.remove(heading)
        named = heading.named >= MIN_NAMED
        least = _MIN_GAIN_BESIDE if chosen else _MIN_GAIN
        adds = _compute_gain(heading, covered, ranked.question) >= least
        if not named and not (adds and heading.quality >= MIN_NEAR_BEST * best):
            continue
        members = [
            member
            for member in heading.members
            if claims.get(get_key(member.candidate), index) == index
        ]
        room = limit - sum(map(len, chosen))
        most = _MAX_FROM_NAMED if named else _MAX_FROM_OTHER
        picked = pick_new(members, min(room, most), used, whole=named)
        if picked:
            chosen.append(
                sorted((member.candidate for member in picked), key=lambda member: member.order)
            )
            covered.update(*(member.covers for member in picked))
    return [candidate for group in chosen for candidate in group]


def _rate_heading(heading: SectionHeading, covered: set[int], question: WeightedQuestion) -> float:
    return heading.named + 0.5 * heading.quality + _compute_gain(heading, covered, question)


def _compute_gain(heading: SectionHeading, covered: set[int], question: WeightedQuestion) -> float:
    """The share of what is asked that this heading's content covers for the first time; 0–1."""
    return sum(question.weights[index] for index in heading.covers - covered) / question.total
