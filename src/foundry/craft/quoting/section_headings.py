"""The sections of a document as they are composed, and those that are read for their meaning.

An ask of one or two words that any source may have ("requirements") is compared with sentences by a
model that reads both, not by words. A heading of a source that speaks of it throughout comes whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from foundry.craft.quoting.candidates import QuoteCandidate
from foundry.craft.quoting.composition import is_repetition
from foundry.craft.quoting.ranking import (
    QuestionSimilarity,
    RankedQuote,
    WeightedQuestion,
    add_heading,
    is_question,
)
from foundry.records import Evidence, Quote

MIN_NAMED = 0.5
"""A heading names the section if it has this share of the section's title."""

MIN_NEAR_BEST = 0.5
"""A heading or sentence beside the subject needs this share of the best score."""

_LEAST_READ, _NEAR_READ = 0.45, 0.8
"""A heading needs a sentence with this score, and this share of the best. Guesses: for forty asks of
one or two words about the example, what is about them scores above, and most of the rest below."""

_NEAR_IN_HEADING = 0.65
"""A sentence below the same heading needs this share of its best. A guess."""

_MIN_SHARE_NEAR = 0.5
"""A heading of which so many sentences are near comes whole, otherwise those alone. A guess."""

_READ_ABROAD = 0.75
"""The score of a sentence in another language counts so much. A guess: it must mean the same."""


@dataclass(frozen=True, slots=True)
class SectionRequest:
    """A section to compose: its title, what it must contain, and the evidence.

    ``rivals`` are pairs of contradicting quotes: the second was decided to prevail, and is shown in
    place of the first, whatever its language. ``read`` compares texts with what is asked by meaning,
    for an ask in words that any source may have ("requirements"). ``newer`` are the ids of sources
    with that of their latest revision, whose headings replace theirs.
    """

    title: str
    wants: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    rivals: tuple[tuple[Quote, Quote], ...] = ()
    max_sentences: int = 12
    read: QuestionSimilarity | None = None
    newer: Mapping[str, str] = field(default_factory=dict)


HeadingKey = tuple[str, tuple[str, ...]]


@dataclass(slots=True)
class SectionHeading:
    """The candidates under a heading of a source, and how well it names the section (0–1)."""

    named: float
    members: list[RankedQuote] = field(default_factory=list)

    @property
    def key(self) -> HeadingKey:
        """The heading's source and path."""
        candidate = self.members[0].candidate
        return candidate.evidence.hit.chunk.source_id, candidate.section

    @property
    def covers(self) -> frozenset[int]:
        return frozenset().union(*(member.covers for member in self.members))

    @property
    def quality(self) -> float:
        best = sorted((member.score for member in self.members), reverse=True)[:2]
        return sum(best) / len(best)


@dataclass(frozen=True, slots=True)
class RankedSection:
    """A section's candidates, ranked and grouped by heading."""

    wanted: SectionRequest
    question: WeightedQuestion | None = None
    headings: tuple[SectionHeading, ...] = ()


def read_candidates(
    quotes: Sequence[RankedQuote], language: str, read: QuestionSimilarity
) -> list[RankedQuote]:
    """The candidates with how well they mean what is asked as their score, best first."""
    texts = [_describe_candidate(quote.candidate) for quote in quotes]
    scored = [
        replace(quote, score=score * _READ_ABROAD if _is_foreign(quote, language) else score)
        for quote, score in zip(quotes, read(texts) if texts else (), strict=True)
        if not is_question(quote.candidate) and not quote.candidate.heading_like
    ]
    return sorted(scored, key=lambda quote: -quote.score)


def _describe_candidate(candidate: QuoteCandidate) -> str:
    return candidate.text if _is_loose(candidate) else add_heading(candidate)


def _is_loose(candidate: QuoteCandidate) -> bool:
    """Whether it has no heading but the document's own, which names the topic of everything in it."""
    return not candidate.section or candidate.section[-1] == candidate.evidence.hit.source.title


def _is_foreign(quote: RankedQuote, language: str) -> bool:
    return quote.candidate.language not in (language, "und")


def settle_headings(ranked: Sequence[RankedSection]) -> list[RankedSection]:
    """The sections, of which those that read leave a heading to the one that it is nearest to.

    That one takes it whole. Of other headings each takes the sentences that it needs.
    """
    nearest: dict[HeadingKey, float] = {}
    for section in (one for one in ranked if one.wanted.read):
        least = _find_least(section)
        for heading in section.headings:
            if _is_taken_whole(heading, least):
                rate = _rate_nearness(heading)
                nearest[heading.key] = max(nearest.get(heading.key, 0.0), rate)
    return [_leave_headings(section, nearest) for section in ranked]


def _leave_headings(section: RankedSection, nearest: Mapping[HeadingKey, float]) -> RankedSection:
    if section.wanted.read is None:
        return section
    least = _find_least(section)
    kept = (
        heading
        for heading in section.headings
        if not _is_taken_whole(heading, least) or _rate_nearness(heading) >= nearest[heading.key]
    )
    return replace(section, headings=tuple(kept))


def _find_least(section: RankedSection) -> float:
    """The score that a sentence needs."""
    return max(_LEAST_READ, _NEAR_READ * max(map(_get_best, section.headings), default=0.0))


def _is_taken_whole(heading: SectionHeading, least: float) -> bool:
    near = sum(member.score >= least for member in heading.members)
    coherent = heading.named >= MIN_NAMED or near >= _MIN_SHARE_NEAR * len(heading.members)
    return near > 0 and coherent and not _is_loose(heading.members[0].candidate)


def choose_read(
    ranked: RankedSection,
    index: int,
    claims: Mapping[SentenceKey, int],
    used: list[QuoteCandidate],
    limit: int,
) -> list[QuoteCandidate]:
    """What is nearest to the ask in meaning: all that is under its heading, if there is room."""
    least = _find_least(ranked)
    chosen: list[QuoteCandidate] = []
    for heading in sorted(ranked.headings, key=lambda heading: -_get_best(heading)):
        if _get_best(heading) < least:
            break
        members = [m for m in heading.members if claims.get(get_key(m.candidate), index) == index]
        room = limit - len(chosen)
        if not _is_taken_whole(heading, least) or len(members) > room:
            near = max(_LEAST_READ, _NEAR_IN_HEADING * _get_best(heading))
            members = [member for member in members if member.score >= near]
        picked = pick_new(members, room, used, whole=True)
        chosen += sorted((one.candidate for one in picked), key=lambda candidate: candidate.order)
    return chosen


def _rate_nearness(heading: SectionHeading) -> float:
    """How near a heading is to an ask: one that it names comes before all that it only speaks of."""
    return (heading.named >= MIN_NAMED) + _get_best(heading)


def _get_best(heading: SectionHeading) -> float:
    return max(member.score for member in heading.members)


SentenceKey = tuple[str, int, int]


def get_key(candidate: QuoteCandidate) -> SentenceKey:
    start, end = candidate.spans[-1]
    return candidate.evidence.hit.chunk.source_id, start, end


def pick_new(
    members: Sequence[RankedQuote], limit: int, used: list[QuoteCandidate], *, whole: bool
) -> list[RankedQuote]:
    """The best members that say something new; without ``whole``, only those on the subject."""
    best = max((member.score for member in members), default=0.0)
    picked: list[RankedQuote] = []
    for member in sorted(members, key=lambda scored: -scored.score):
        if len(picked) >= limit:
            break
        if not whole and (not member.covers or member.score < MIN_NEAR_BEST * best):
            continue
        if not any(is_repetition(member.candidate, other) for other in used):
            picked.append(member)
            used.append(member.candidate)
    return picked
