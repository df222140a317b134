"""Drafts composed of source sentences, and when two sentences say the same.

A draft is an introduction, then sections under
the sources' own headings; headings of the same words in several sources become one section.
Nothing is said twice, and sentences are not tied together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from foundry.analysis import analyse, fold
from foundry.craft.quoting.candidates import QuoteCandidate, find_candidates
from foundry.craft.quoting.ranking import (
    QuestionSimilarity,
    RankedQuote,
    WeightedQuestion,
    rank_candidates,
    weigh_question,
)
from foundry.records import CitedSource, Evidence, Question, Quote, Section, Sentence
from foundry.text.headings import is_generic, strip_number
from foundry.text.quantities import is_same_quantity

# The shares are guesses; `python -m bench own_questions` reports the answers they lead to.
_MIN_ALIKE = 0.75
"""Two sentences are alike if they share this much of the shorter one's words."""

_MIN_ALIKE_LONGER = 0.6
"""… and this much of the longer one's."""


def has_overlap(one: QuoteCandidate, other: QuoteCandidate) -> bool:
    """Whether both show some of the same words of a source, such as a list and its item."""
    if one.evidence.hit.chunk.source_id != other.evidence.hit.chunk.source_id:
        return False
    return any(
        start < last and first < end for start, end in one.spans for first, last in other.spans
    )


def is_alike(one: QuoteCandidate, other: QuoteCandidate) -> bool:
    """Whether two sentences have nearly the same words, apart from numbers; rows have one name."""
    if _get_row_name(one) != _get_row_name(other):
        return False
    a, b = _get_words(one), _get_words(other)
    return (
        bool(a)
        and bool(b)
        and len(a & b) >= _MIN_ALIKE * min(len(a), len(b))
        and (len(a & b) >= _MIN_ALIKE_LONGER * max(len(a), len(b)))
    )


def has_conflicting_values(one: QuoteCandidate, other: QuoteCandidate) -> bool:
    """Whether each sentence has a number that the other lacks."""
    return _has_own_value(one, other) and _has_own_value(other, one)


def is_repetition(one: QuoteCandidate, other: QuoteCandidate) -> bool:
    """Whether one candidate says what the other says, by the same or nearly the same words."""
    if fold(one.text) == fold(other.text) or has_overlap(one, other):
        return True
    return is_alike(one, other) and not has_conflicting_values(one, other)


def _has_own_value(one: QuoteCandidate, other: QuoteCandidate) -> bool:
    return any(
        not any(is_same_quantity(quantity, known) for known in other.quantities)
        for quantity in one.quantities
    )


def _get_row_name(candidate: QuoteCandidate) -> str:
    return fold(candidate.columns[0][1]) if candidate.columns else ""


def _get_words(candidate: QuoteCandidate) -> frozenset[str]:
    return frozenset(term for term in candidate.terms if not term[0].isdigit())


def sort_for_reading(chosen: Sequence[QuoteCandidate]) -> list[QuoteCandidate]:
    """The section of the best sentence first; within a section in reading order."""
    places = [(c.evidence.hit.chunk.source_id, c.section) for c in chosen]
    pairs = zip(places, chosen, strict=True)
    ordered = sorted(pairs, key=lambda pair: (places.index(pair[0]), pair[1].quotes[-1].start))
    return [candidate for _, candidate in ordered]


_INTRODUCTION_TITLES = {"nl": "Inleiding", "en": "Introduction"}
_INTRO_SENTENCES = 3
_MIN_SHARE = 0.3
"""A sentence that does not mention the topic needs this share of the best score. A guess."""


@dataclass(slots=True)
class _Group:
    """The sentences of a section, under the title from its best source."""

    title: str
    terms: frozenset[str]
    members: list[RankedQuote] = field(default_factory=list)

    @property
    def score(self) -> float:
        best = sorted((member.score for member in self.members), reverse=True)[:3]
        return sum(best) / 3


def compose_draft(
    topic: Question,
    language: str,
    evidence: Sequence[Evidence],
    *,
    max_sections: int = 6,
    max_sentences: int = 8,
    similar: QuestionSimilarity | None = None,
) -> tuple[Section, ...]:
    """The sections of a document on a topic, an introduction first; empty if nothing can be shown.

    ``max_sentences`` is per section. Each section lists its cited sources.
    """
    candidates = find_candidates(evidence)
    if not candidates:
        return ()
    asked = replace(weigh_question(topic, candidates), language=language)
    ranked = rank_candidates(asked, candidates, similar)
    if not ranked:
        return ()
    used: list[QuoteCandidate] = []
    opening = _choose_introduction(asked, ranked, used)
    groups = sorted(_group_by_heading(_select_relevant(ranked)), key=lambda group: -group.score)[
        :max_sections
    ]
    sections = [
        _build_section(
            _INTRODUCTION_TITLES.get(language, _INTRODUCTION_TITLES["en"]), opening, evidence
        )
    ]
    for group in _sort_groups(groups):
        chosen = _pick_new(group.members, max_sentences, used)
        if chosen:
            sections.append(_build_section(group.title, chosen, evidence))
    return tuple(section for section in sections if section.sentences)


def _select_relevant(ranked: Sequence[RankedQuote]) -> list[RankedQuote]:
    """The sentences that mention the topic, themselves or in their headings, or score well enough."""
    floor = _MIN_SHARE * ranked[0].score
    return [quote for quote in ranked if quote.touches or quote.score >= floor]


def _choose_introduction(
    question: WeightedQuestion, ranked: Sequence[RankedQuote], used: list[QuoteCandidate]
) -> list[QuoteCandidate]:
    """The sentences that say most about the topic, from prose rather than lists and tables."""
    prose = [
        quote
        for quote in ranked
        if quote.candidate.kind in {"paragraph", "cue"} and len(quote.candidate.text) > 40
    ]
    covering = [quote for quote in prose if quote.covers or not question.terms]
    return _pick_new((covering or prose or list(ranked))[:8], _INTRO_SENTENCES, used)


def _group_by_heading(ranked: Sequence[RankedQuote]) -> list[_Group]:
    groups: list[_Group] = []
    for quote in ranked:
        title = _choose_title(quote.candidate)
        terms = frozenset(analyse(title, quote.candidate.language)) or frozenset({title.lower()})
        group = next((g for g in groups if _is_same_heading(g.terms, terms)), None)
        if group is None:
            group = _Group(title, terms)
            groups.append(group)
        group.members.append(quote)
    return groups


def _is_same_heading(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= 0.75 * max(len(one), len(other))


def _choose_title(candidate: QuoteCandidate) -> str:
    """The heading above the sentence without its number; the source's title if that is generic."""
    source = candidate.evidence.hit.source.title
    heading = strip_number(candidate.section[-1]) if candidate.section else ""
    return source if not heading or is_generic(heading) else heading


def _sort_groups(groups: Sequence[_Group]) -> list[_Group]:
    """Sections of one source in its order; sources by their best section."""
    first: dict[str, int] = {}
    keys: dict[int, tuple[int, int]] = {}
    for index, group in enumerate(groups):
        lead = max(group.members, key=lambda member: member.score).candidate
        source = lead.evidence.hit.chunk.source_id
        first.setdefault(source, index)
        keys[id(group)] = (first[source], lead.quotes[0].start)
    return sorted(groups, key=lambda group: keys[id(group)])


def _pick_new(
    members: Sequence[RankedQuote], limit: int, used: list[QuoteCandidate]
) -> list[QuoteCandidate]:
    """The best members that say something new, in reading order."""
    chosen: list[QuoteCandidate] = []
    for member in sorted(members, key=lambda scored: -scored.score):
        if len(chosen) >= limit:
            break
        if not any(is_repetition(member.candidate, other) for other in used):
            chosen.append(member.candidate)
            used.append(member.candidate)
    return sorted(chosen, key=lambda candidate: (candidate.order[0], candidate.quotes[-1].start))


def _build_section(
    title: str, chosen: Sequence[QuoteCandidate], evidence: Sequence[Evidence]
) -> Section:
    sentences = tuple(candidate.sentence for candidate in chosen)
    return Section(
        title, sentences, _collect_sources(sentences, evidence), attribution_coverage=1.0
    )


def _collect_sources(
    sentences: Sequence[Sentence], evidence: Sequence[Evidence]
) -> tuple[CitedSource, ...]:
    quotes: dict[str, list[Quote]] = {}
    for sentence in sentences:
        for quote in sentence.quotes:
            quotes.setdefault(quote.evidence_id, []).append(quote)
    return tuple(
        CitedSource(item, tuple(quotes[item.id])) for item in evidence if item.id in quotes
    )
