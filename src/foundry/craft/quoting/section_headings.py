"""The sections of a document as they are composed, and those that are read for their meaning.

An ask of one or two words that any source may have ("requirements") says nothing of its own, so a
word of it in a sentence proves nothing. What it names is quoted: all that is below a heading of that
meaning, rows of a table with such a name or column, and sentences with such a label ("Decision: …").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from foundry.craft.quoting.candidates import QuoteCandidate, list_terms
from foundry.craft.quoting.composition import is_repetition
from foundry.craft.quoting.ranking import RankedQuote, WeightedQuestion, is_foreign
from foundry.ports import CompareSentences
from foundry.records import Evidence, Quote
from foundry.text.headings import is_generic, strip_number

MIN_NAMED = 0.5
"""A heading names the section if it has this share of the section's title."""

MIN_NEAR_BEST = 0.5
"""A heading or sentence beside the subject needs this share of the best score."""

_LEAST_NEAR = 0.55
"""A heading so near to an ask names it: of 53 asks and the 131 headings of the example, all that were
nearer than this did, and of those that did four in five were."""

_ABOVE = 0.9
"""A heading one level up names so much less of what is below. A guess."""

_LEAST_LABEL, _LEAST_COLUMN = 0.65, 0.7
"""A label says less of what is beside it, and the head of a column less still. Guesses."""

_MAX_LABEL_WORDS = 4
"""Words before a colon that may be a label: "Action for Daan". A guess."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a line of an agent asks, and the same in other languages; compared by meaning.

    The mean over the languages counts: words that only look alike do so in one of them.
    """

    phrases: tuple[str, ...]
    compare: CompareSentences

    def name(self, labels: Sequence[str]) -> list[float]:
        """How much each heading or label means what is asked, and no more than that; 0–1."""
        found = [self.compare(phrase, labels) for phrase in self.phrases]
        return [fmean(one.mutual for one in alike) for alike in zip(*found, strict=True)]


@dataclass(frozen=True, slots=True)
class SectionRequest:
    """A section to compose: its title, what it must contain, and the evidence.

    ``rivals`` are pairs of contradicting quotes: the second was decided to prevail, and is shown in
    place of the first, whatever its language. ``ask`` compares with what is asked by meaning, for
    words that any source may have ("requirements"). ``on_topic`` says what may be quoted in a draft
    on a part of what the project is about. ``newer`` has the id of the latest revision for each
    older source: the headings of the latest replace those of the older.
    """

    title: str
    wants: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    rivals: tuple[tuple[Quote, Quote], ...] = ()
    max_sentences: int = 12
    ask: Ask | None = None
    on_topic: Callable[[QuoteCandidate], bool] | None = None
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


def keep_on_topic(
    headings: Mapping[HeadingKey, SectionHeading], on_topic: Callable[[QuoteCandidate], bool]
) -> dict[HeadingKey, SectionHeading]:
    """What is about the topic: of a heading most of which is, everything."""
    kept = {}
    for key, heading in headings.items():
        about = [member for member in heading.members if on_topic(member.candidate)]
        if about:
            most = 2 * len(about) > len(heading.members)
            kept[key] = heading if most else replace(heading, members=about)
    return kept


def keep_asked(
    headings: Mapping[HeadingKey, SectionHeading],
    ask: Ask,
    question: WeightedQuestion,
    names: Mapping[str, Sequence[WeightedQuestion]],
) -> dict[HeadingKey, SectionHeading]:
    """What each heading has that is asked for; ``names`` are the words of the ask in each language.

    Everything below a heading that names the ask, otherwise what is named by a label of its own or
    has every word of the ask. In another language only if there is nothing in the document's.
    """
    titles = list(dict.fromkeys(title for one in headings.values() for title in _list_titles(one)))
    near = dict(zip(titles, ask.name([strip_number(title) for title in titles]), strict=True))
    kept: dict[HeadingKey, SectionHeading] = {}
    for key, heading in headings.items():
        named = _rate_titles(heading, near, names)
        if named >= _LEAST_NEAR:
            kept[key] = replace(heading, named=named)
        elif alone := _keep_alone(heading.members, ask, names):
            kept[key] = SectionHeading(0.0, alone)
    own = {
        key: one for key, one in kept.items() if not is_foreign(question, one.members[0].candidate)
    }
    # A label is no reason to leave out what another language has a heading for.
    headed = {key: one for key, one in kept.items() if one.named}
    return own if any(one.named for one in own.values()) else headed or own or kept


def _rate_titles(
    heading: SectionHeading,
    near: Mapping[str, float],
    names: Mapping[str, Sequence[WeightedQuestion]],
) -> float:
    """How well the headings above name an ask; that of the document as little as counts.

    One further up must mean no more: "What the installation must do" is not about installing it.
    """
    titles = _list_titles(heading)
    if not titles:
        return 0.0
    candidate = heading.members[0].candidate
    known, document = names[candidate.language], candidate.evidence.hit.source.title
    rates = [
        _ABOVE**level * max(near[title], float(_is_named(title, known, candidate, whole=level > 0)))
        for level, title in enumerate(titles)
    ]
    return max(*rates, _LEAST_NEAR * _is_named(document, known, candidate))


def _is_named(
    title: str,
    names: Sequence[WeightedQuestion],
    candidate: QuoteCandidate,
    *,
    whole: bool = False,
) -> bool:
    """Whether a title has the words of the ask, and with ``whole`` no others."""
    size = len(list_terms(strip_number(title), candidate.language))
    return any(
        _has_words(name, title, candidate.language) and not (whole and size > len(name.terms))
        for name in names
    )


def _keep_alone(
    members: Sequence[RankedQuote], ask: Ask, names: Mapping[str, Sequence[WeightedQuestion]]
) -> list[RankedQuote]:
    """The members that answer the ask by themselves."""
    labels = [_list_labels(member.candidate) for member in members]
    distinct = list(dict.fromkeys(label for found in labels for label, _ in found))
    rates = dict(zip(distinct, ask.name(distinct), strict=True))
    return [
        member
        for member, found in zip(members, labels, strict=True)
        if any(rates[label] >= least for label, least in found)
        or any(_says(member.candidate, name) for name in names[member.candidate.language])
    ]


def _says(candidate: QuoteCandidate, name: WeightedQuestion) -> bool:
    """Whether its own label starts with the word of the ask, or it has all words of several."""
    if len(name.terms) > 1:
        return all(set(candidate.terms).intersection(term.terms) for term in name.terms)
    # Nothing but its columns says what a table without a heading is about.
    columns = () if candidate.section else tuple(label for label, _ in candidate.columns)
    labels = (_find_label(candidate).partition(" ")[0], *columns)
    return any(_has_words(name, label, candidate.language) for label in labels)


def _has_words(name: WeightedQuestion, text: str, language: str) -> bool:
    terms = list_terms(strip_number(text), language)
    return bool(name.terms) and all(not terms.isdisjoint(term.terms) for term in name.terms)


def _list_labels(candidate: QuoteCandidate) -> list[tuple[str, float]]:
    """Its own label, the first word of it ("Action for Daan") and the heads of its columns.

    Each with how near it must be.
    """
    own = _find_label(candidate)
    labels = [(label, _LEAST_LABEL) for label in (own, *own.split()[:1])]
    labels += [(label, _LEAST_COLUMN) for label, _ in candidate.columns]
    return [(label, least) for label, least in labels if any(map(str.isalpha, label))]


def _find_label(candidate: QuoteCandidate) -> str:
    """The name of a row, or what is before the colon of a sentence; "" without."""
    if candidate.columns:
        return candidate.columns[0][1]
    label, colon, _ = candidate.text.partition(": ")
    return label if colon and len(label.split()) <= _MAX_LABEL_WORDS else ""


def _list_titles(heading: SectionHeading) -> list[str]:
    """The headings above, nearest first, without those that say nothing of what is below.

    Those are the document's own and, further up, "Introduction" and the like.
    """
    candidate = heading.members[0].candidate
    own = candidate.evidence.hit.source.title
    return [
        title
        for level, title in enumerate(reversed(candidate.section))
        if not (own.startswith(title) and 2 * len(title) > len(own))
        and not (level and is_generic(title))
    ]


def choose_asked(
    ranked: RankedSection,
    index: int,
    claims: Mapping[SentenceKey, int],
    used: list[QuoteCandidate],
    limit: int,
) -> list[QuoteCandidate]:
    """What is asked for, as much as there is room for, in the order of its source."""
    chosen: list[QuoteCandidate] = []
    for heading in sorted(ranked.headings, key=lambda heading: -heading.named):
        for member in sorted(heading.members, key=lambda member: member.candidate.order):
            candidate = member.candidate
            own = claims.get(get_key(candidate), index) == index
            if (
                own
                and len(chosen) < limit
                and not any(is_repetition(candidate, one) for one in used)
            ):
                chosen.append(candidate)
                used.append(candidate)
    return chosen


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
