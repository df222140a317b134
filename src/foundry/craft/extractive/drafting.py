"""A document of source sentences: an introduction, then sections by the sources' own headings.

Sentences are gathered under the heading that they stand under in their source;
headings of the same words in several sources are one section. Nothing is said
twice. It is a draft to edit: it does not tie sentences together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from foundry.analysis import analyse
from foundry.craft.extractive.answering import alike, disagree, overlaps
from foundry.craft.extractive.candidates import Candidate, find_candidates
from foundry.craft.extractive.ranking import Question, Scored, Similar, rank, read_question
from foundry.records import CitedSource, Evidence, Quote, Section, Sentence
from foundry.wording.headings import is_generic, without_number

_INTRODUCTION = {"nl": "Inleiding", "en": "Introduction"}
_INTRO_SENTENCES = 3
_LEAST_SHARE = 0.3


@dataclass(slots=True)
class _Group:
    """The sentences of one section-to-be, under the title of its best source."""

    title: str
    terms: frozenset[str]
    members: list[Scored] = field(default_factory=list)

    @property
    def score(self) -> float:
        best = sorted((one.score for one in self.members), reverse=True)[:3]
        return sum(best) / 3


def compose_draft(
    topic: str,
    language: str,
    evidence: Sequence[Evidence],
    *,
    weights: Mapping[str, float] | None = None,
    max_sections: int = 6,
    max_sentences: int = 8,
    similar: Similar | None = None,
) -> tuple[Section, ...]:
    """The sections of a document on a topic, an introduction first; empty if nothing can be shown.

    ``max_sentences`` is per section. Each section carries its cited sources.
    """
    candidates = find_candidates(evidence)
    if not candidates:
        return ()
    asked = read_question(topic, language, candidates, weights)
    ranked = rank(asked, candidates, similar)
    told: list[Candidate] = []
    opening = _introduction(asked, ranked, told)
    groups = sorted(_groups(_worthy(ranked)), key=lambda group: -group.score)[:max_sections]
    sections = [_section(_INTRODUCTION.get(language, _INTRODUCTION["en"]), opening, evidence)]
    for group in _as_read(groups):
        chosen = _pick(group.members, max_sentences, told)
        if chosen:
            sections.append(_section(group.title, chosen, evidence))
    return tuple(section for section in sections if section.sentences)


def _worthy(ranked: Sequence[Scored]) -> list[Scored]:
    """What speaks of the topic by its own words, or stands under a heading or title that does."""
    floor = _LEAST_SHARE * ranked[0].score
    return [one for one in ranked if one.touches or one.score >= floor]


def _introduction(
    question: Question, ranked: Sequence[Scored], told: list[Candidate]
) -> list[Candidate]:
    """The sentences that say most about the topic, of running text rather than lists and tables."""
    prose = [
        one
        for one in ranked
        if one.candidate.kind in {"paragraph", "cue"} and len(one.candidate.text) > 40
    ]
    covering = [one for one in prose if one.covers or not question.terms]
    return _pick((covering or prose or list(ranked))[:8], _INTRO_SENTENCES, told)


def _groups(ranked: Sequence[Scored]) -> list[_Group]:
    groups: list[_Group] = []
    for one in ranked:
        title = _title(one.candidate)
        terms = frozenset(analyse(title, one.candidate.language)) or frozenset({title.lower()})
        group = next((g for g in groups if _same_heading(g.terms, terms)), None)
        if group is None:
            group = _Group(title, terms)
            groups.append(group)
        group.members.append(one)
    return groups


def _same_heading(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= 0.75 * max(len(one), len(other))


def _title(candidate: Candidate) -> str:
    """The heading it stands under, without its number; the source's title where that says more."""
    source = candidate.evidence.hit.source.title
    heading = without_number(candidate.section[-1]) if candidate.section else ""
    return source if not heading or is_generic(heading) else heading


def _as_read(groups: Sequence[_Group]) -> list[_Group]:
    """Sections of one source in its own order; sources by their best section."""
    first: dict[str, int] = {}
    keys: dict[int, tuple[int, int]] = {}
    for at, group in enumerate(groups):
        lead = max(group.members, key=lambda one: one.score).candidate
        source = lead.evidence.hit.chunk.source_id
        first.setdefault(source, at)
        keys[id(group)] = (first[source], lead.quotes[0].start)
    return sorted(groups, key=lambda group: keys[id(group)])


def _pick(members: Sequence[Scored], limit: int, told: list[Candidate]) -> list[Candidate]:
    """The best members that say something new, in reading order."""
    chosen: list[Candidate] = []
    for one in sorted(members, key=lambda scored: -scored.score):
        if len(chosen) >= limit:
            break
        if not any(_said(one.candidate, other) for other in told):
            chosen.append(one.candidate)
            told.append(one.candidate)
    return sorted(chosen, key=lambda candidate: (candidate.order[0], candidate.quotes[-1].start))


def _said(one: Candidate, other: Candidate) -> bool:
    return overlaps(one, other) or (alike(one, other) and not disagree(one, other))


def _section(title: str, chosen: Sequence[Candidate], evidence: Sequence[Evidence]) -> Section:
    sentences = tuple(candidate.sentence for candidate in chosen)
    return Section(title, sentences, _cited(sentences, evidence), attribution_coverage=1.0)


def _cited(sentences: Sequence[Sentence], evidence: Sequence[Evidence]) -> tuple[CitedSource, ...]:
    quotes: dict[str, list[Quote]] = {}
    for sentence in sentences:
        for quote in sentence.quotes:
            quotes.setdefault(quote.evidence_id, []).append(quote)
    return tuple(
        CitedSource(item, tuple(quotes[item.id])) for item in evidence if item.id in quotes
    )
