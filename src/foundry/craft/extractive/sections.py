"""The sections of a specified document, of source sentences: what each heading of the sources gives.

Where a heading of a source says what a section is called, its content is the section.
Else headings are taken one by one, as long as each adds something that the
specification asks for. Nothing is said twice: a sentence goes to the section that it
fits best. Sentences in another language come in only where the own language has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from foundry.analysis import fold
from foundry.craft.extractive.answering import alike, disagree, overlaps
from foundry.craft.extractive.candidates import Candidate, find_candidates
from foundry.craft.extractive.ranking import Question, Scored, rank, read_question
from foundry.records import Evidence, Quote, Sentence
from foundry.wording.headings import is_administrative, without_number
from foundry.wording.lines import shared_terms

Compare = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosines of one text to others, from an embedder."""

_NAMED = 0.5
"""Share of a section's title in a heading from which the heading's content is the section."""

_WITHIN = 0.75
_SHORT = 5
_LEAST_GAIN = 0.08
_LEAST_GAIN_BESIDE = 0.12
_FOREIGN = 0.5
# What only makes sense in the document that it is taken from.
_OF_ITSELF = re.compile(
    r"\b(?:this (?:chapter|section|manual|guide|document|data ?sheet|revision|report)"
    r"|(?:dit|deze) (?:hoofdstuk|paragraaf|handleiding|document|gegevensblad|rapport|uitgave))\b"
)
_MOST_OF_A_HEADING = 9
_MOST_BESIDE = 4
_NEAR_BEST = 0.5


@dataclass(frozen=True, slots=True)
class SectionWanted:
    """A section to compose: its title, what it shall hold, and from what.

    ``rivals`` are quotes that do not hold, each with the one that was decided to hold: what the
    first would have said, the second says in its place, in whatever language.
    """

    title: str
    wants: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    rivals: tuple[tuple[Quote, Quote], ...] = ()


@dataclass(slots=True)
class _Heading:
    """What stands under one heading of one source, and how well the heading names the section."""

    named: float
    members: list[Scored] = field(default_factory=list)

    @property
    def covers(self) -> frozenset[int]:
        return frozenset().union(*(one.covers for one in self.members))

    @property
    def quality(self) -> float:
        best = sorted((one.score for one in self.members), reverse=True)[:2]
        return sum(best) / len(best)


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A section's candidates, ranked and gathered under their headings."""

    wanted: SectionWanted
    question: Question | None = None
    headings: tuple[_Heading, ...] = ()


def compose_sections(
    sections: Sequence[SectionWanted],
    language: str,
    *,
    weights: Mapping[str, float] | None = None,
    similar: Compare | None = None,
    max_sentences: int = 12,
) -> tuple[tuple[Sentence, ...], ...]:
    """The sentences of each section in reading order; none where its evidence shows nothing.

    ``weights`` are inverse document frequencies of analysed terms; ``max_sentences`` is per
    section.
    """
    ranked = [_ranked(section, language, weights, similar) for section in sections]
    claims = _claims(ranked)
    told: list[Candidate] = []
    composed = []
    for at, one in enumerate(ranked):
        chosen = _chosen(one, at, claims, told, max_sentences)
        composed.append(tuple(candidate.sentence for candidate in chosen))
    return tuple(composed)


def _ranked(
    wanted: SectionWanted,
    language: str,
    weights: Mapping[str, float] | None,
    similar: Compare | None,
) -> _Ranked:
    found = [
        one for one in find_candidates(wanted.evidence) if not _OF_ITSELF.search(fold(one.text))
    ]
    candidates = _settled(_in_own_language(found, language), found, wanted.rivals)
    if not candidates:
        return _Ranked(wanted)
    text = " ".join((wanted.title, *wanted.wants))
    question = read_question(text, language, candidates, weights)
    compare = (lambda others: similar(text, others)) if similar else None
    headings: dict[tuple[str, tuple[str, ...]], _Heading] = {}
    # What it asks for in a few words may be a heading too: "Intended use: purpose of the device".
    names = [wanted.title, *(one for one in wanted.wants if len(one.split()) <= _SHORT)]
    titles = [read_question(name, language, candidates, weights) for name in names]
    for one in rank(question, candidates, compare):
        key = (one.candidate.evidence.hit.chunk.source_id, one.candidate.section)
        heading = headings.get(key)
        if heading is None:
            heading = headings[key] = _Heading(
                max(_named(title, one.candidate) for title in titles)
            )
        heading.members.append(one)
    kept = (h for h in headings.values() if h.named >= _NAMED or not _speaks_of_itself(h))
    return _Ranked(wanted, question, tuple(kept))


def _speaks_of_itself(heading: _Heading) -> bool:
    section = heading.members[0].candidate.section
    return bool(section) and is_administrative(section[-1])


def _settled(
    candidates: Sequence[Candidate],
    found: Sequence[Candidate],
    rivals: Sequence[tuple[Quote, Quote]],
) -> list[Candidate]:
    """The candidates, what does not hold replaced by what holds, in the very same place."""
    # What holds against one may itself yield to a third.
    sound = [c for c in found if not any(_shows(c, yields) for yields, _ in rivals)]
    settled = []
    for one in candidates:
        holding = [holds for yields, holds in rivals if _shows(one, yields)]
        if not holding:
            settled.append(one)
            continue
        other = next((c for c in sound if any(_shows(c, quote) for quote in holding)), None)
        if other is not None:
            settled.append(
                replace(
                    other,
                    terms=one.terms,
                    above=one.above,
                    before=one.before,
                    section=one.section,
                    language=one.language,
                    order=one.order,
                )
            )
    return settled


def _shows(candidate: Candidate, quote: Quote) -> bool:
    return quote.evidence_id == candidate.evidence.id and any(
        start < quote.end and quote.start < end for start, end in candidate.spans
    )


def _in_own_language(candidates: Sequence[Candidate], language: str) -> list[Candidate]:
    """Without those in another language, unless a hit in it is by far the most relevant."""
    own = [one for one in candidates if one.language in (language, "und")]
    best = max((one.evidence.hit.relevance for one in own), default=0.0)
    return [
        one
        for one in candidates
        if one.language in (language, "und") or _FOREIGN * one.evidence.hit.relevance > best
    ]


def _named(title: Question, candidate: Candidate) -> float:
    """How much of the title stands in the heading right above a candidate, compounds included.

    A heading that says nothing else than a part of the title names the section too: "Shield"
    in "Termination and shield".
    """
    if not candidate.section:
        return 0.0
    heading = read_question(
        without_number(candidate.section[-1]), candidate.language, [candidate], None
    )
    known = frozenset(form for term in heading.terms for form in term.terms)
    wanted = frozenset(form for term in title.terms for form in term.terms)
    found = (
        weight
        for term, weight in zip(title.terms, title.weights, strict=True)
        if shared_terms(term.terms, known)
    )
    within = bool(heading.terms) and all(shared_terms(term.terms, wanted) for term in heading.terms)
    return max(sum(found) / title.total, _WITHIN if within else 0.0)


_Key = tuple[str, int, int]


def _key(candidate: Candidate) -> _Key:
    start, end = candidate.spans[-1]
    return candidate.evidence.hit.chunk.source_id, start, end


def _claims(ranked: Sequence[_Ranked]) -> dict[_Key, int]:
    """Which section each sentence belongs to: where its heading names one, that section."""
    best: dict[_Key, tuple[float, int]] = {}
    for at, section in enumerate(ranked):
        for heading in section.headings:
            if heading.named < _NAMED:
                continue
            for one in heading.members:
                key = _key(one.candidate)
                if key not in best or heading.named > best[key][0]:
                    best[key] = (heading.named, at)
    return {key: at for key, (_, at) in best.items()}


def _chosen(
    ranked: _Ranked, at: int, claims: Mapping[_Key, int], told: list[Candidate], limit: int
) -> list[Candidate]:
    """Sentences heading by heading; the headings that name the section come first."""
    if ranked.question is None:
        return []
    chosen: list[list[Candidate]] = []
    covered: set[int] = set()
    left = [heading for heading in ranked.headings if heading.members]
    best = max((heading.quality for heading in left), default=0.0)
    while left and sum(map(len, chosen)) < limit:
        value = {id(h): _value(h, covered, ranked.question) for h in left}
        heading = max(left, key=lambda h: value[id(h)])
        left.remove(heading)
        named = heading.named >= _NAMED
        least = _LEAST_GAIN_BESIDE if chosen else _LEAST_GAIN
        adds = _gain(heading, covered, ranked.question) >= least
        if not named and not (adds and heading.quality >= _NEAR_BEST * best):
            continue
        members = [one for one in heading.members if claims.get(_key(one.candidate), at) == at]
        room = limit - sum(map(len, chosen))
        most = _MOST_OF_A_HEADING if named else _MOST_BESIDE
        picked = _picked(members, min(room, most), told, whole=named)
        if picked:
            chosen.append(sorted((one.candidate for one in picked), key=lambda one: one.order))
            covered.update(*(one.covers for one in picked))
    return [candidate for group in chosen for candidate in group]


def _value(heading: _Heading, covered: set[int], question: Question) -> float:
    return heading.named + 0.5 * heading.quality + _gain(heading, covered, question)


def _gain(heading: _Heading, covered: set[int], question: Question) -> float:
    """The share of what is wanted that this heading's content speaks of, and nothing so far did."""
    return sum(question.weights[at] for at in heading.covers - covered) / question.total


def _picked(
    members: Sequence[Scored], limit: int, told: list[Candidate], *, whole: bool
) -> list[Scored]:
    """The best members that say something new; of a heading that only helps, those on the subject."""
    best = max((one.score for one in members), default=0.0)
    picked: list[Scored] = []
    for one in sorted(members, key=lambda scored: -scored.score):
        if len(picked) >= limit:
            break
        if not whole and (not one.covers or one.score < _NEAR_BEST * best):
            continue
        if not any(_said(one.candidate, other) for other in told):
            picked.append(one)
            told.append(one.candidate)
    return picked


def _said(one: Candidate, other: Candidate) -> bool:
    if fold(one.text) == fold(other.text) or overlaps(one, other):
        return True
    return alike(one, other) and not disagree(one, other)
