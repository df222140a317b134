"""A section of a draft as a record: its sentences, verdict and notices, and what it leaves out.

Attribution says that what is written is supported, not that everything asked for is written.
``add_scopes`` compares each section with the lines of the specification, item by item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from foundry.analysis import analyse, analyse_query, detect_language
from foundry.config import BUILTIN_GENERATOR
from foundry.craft.conflicts import find_preferred_revisions, merge_conflicts
from foundry.craft.gate import is_covered, select_subject_words
from foundry.craft.outline import split_items, split_phrases
from foundry.craft.quoting import Ask, QuoteCandidate, SectionRequest
from foundry.journeys.contradictions import (
    find_section_conflicts,
    find_touched_conflicts,
    resolve_by_hierarchy,
)
from foundry.journeys.evidence import GatheredEvidence
from foundry.journeys.generate.plan import DraftPlan, PlannedSection
from foundry.journeys.question import analyse_question, list_project_terms
from foundry.journeys.writing import (
    Written,
    collect_cited_sources,
    explain_unverified,
    removal_reason,
)
from foundry.messages import Message
from foundry.records import (
    Conflict,
    QueryTerm,
    Question,
    Quote,
    ScopeItem,
    ScopeState,
    SearchResult,
    Section,
    Sentence,
    Verdict,
)
from foundry.text.lines import find_shared_terms
from foundry.workspace import Workspace

_MIN_SHARE = 0.5
"""An item is covered if a sentence, with the heading of its source, has this share of its words,
weighed by rarity. A guess: half is enough for "the value of fuse F1" and too little for "F1"."""


def list_requests(
    workspace: Workspace, plan: DraftPlan, planned: PlannedSection
) -> list[SectionRequest]:
    """What the built-in writer composes a section of: one part, or a part for each line of an agent.

    The lines of an agent ask for different things, in words that any source may have, so each gets
    the passages that it found itself. A line that found nothing adds nothing.
    """
    outline, gathered = planned.outline, planned.gathered
    rivals = list_rivals(gathered.conflicts)
    if plan.agent is None:
        limit = outline.max_sentences
        return [SectionRequest(outline.title, outline.wants, gathered.evidence, rivals, limit)]
    least = workspace.config.retrieval.min_score
    found = [
        (split_phrases(line), {hit.chunk.id: hit for hit in result.hits if hit.relevance >= least})
        for line, result in zip(outline.wants, planned.searched, strict=True)
        if result.gate.decision != "no_evidence"
    ]
    read = {item.hit.source.id: item.hit.source for item in gathered.evidence}
    preferred = find_preferred_revisions(plan.topic, read.values())
    newer = {old: new.id for old, new in preferred.items()}
    compare = workspace.late_interaction.compare_sentences
    on_topic = _build_topic_check(workspace, plan)
    return [
        SectionRequest(
            outline.title,
            tuple(item for phrase in phrases for item in split_items(phrase)),
            tuple(
                replace(item, hit=hits[item.hit.chunk.id])
                for item in gathered.evidence
                if item.hit.chunk.id in hits
            ),
            rivals,
            outline.max_sentences,
            Ask(phrases, compare),
            on_topic,
            newer,
        )
        for phrases, hits in found
    ]


def _build_topic_check(
    workspace: Workspace, plan: DraftPlan
) -> Callable[[QuoteCandidate], bool] | None:
    """Whether a quote or a heading above it has the words of the topic; None if that says nothing.

    Any passage of the project is about what the whole project is about, so words of its name or brief
    count as there. The lines of a specification say themselves what they are about.
    """
    question = analyse_question(workspace, plan.topic)
    known = [word for word in select_subject_words(question) if is_covered(question, word)]
    if plan.own or plan.feature is not None or not known:
        return None
    translate = workspace.glossary.translate
    words = [replace(word, terms=(*word.terms, *translate(word.terms))) for word in known]
    project = frozenset(list_project_terms(workspace, question.language))

    def is_on_topic(candidate: QuoteCandidate) -> bool:
        terms = candidate.above.union(candidate.terms, project)
        return _has_words(words, terms | translate(terms), question)

    return is_on_topic


def build_empty_section(planned: PlannedSection, model: str) -> Section:
    """A section without sentences, with the reason; no writer was asked."""
    gathered = planned.gathered
    return Section(
        title=planned.outline.title,
        sentences=(),
        search=gathered.result,
        reason=_join_reasons(gathered.reasons),
        needs=planned.outline.needs,
        verdict="no_evidence",
        dropped=gathered.dropped,
        notices=gathered.notices,
        model=model,
        usage=gathered.usage,
    )


def _join_reasons(reasons: Sequence[Message]) -> Message:
    first, *others = [Message.from_dict(reason) for reason in reasons]
    return Message("generate-reasons", reasons=[first, *others]) if others else first


def build_section(
    workspace: Workspace, plan: DraftPlan, planned: PlannedSection, written: Written
) -> Section:
    gathered, grounding = planned.gathered, written.grounding
    verdict = _decide_section_verdict(workspace, gathered.result, grounding.attribution_coverage)
    shown, unverified = grounding.sentences, explain_unverified(grounding)
    if unverified:
        verdict = "low_confidence"
    reason = None
    if not shown:
        verdict, reason = "no_evidence", _explain_nothing(plan, planned, written)
    return Section(
        title=planned.outline.title,
        sentences=shown,
        sources=collect_cited_sources(shown, gathered.evidence),
        search=gathered.result,
        reason=reason,
        needs="" if shown else planned.outline.needs,
        attribution_coverage=grounding.attribution_coverage,
        shown_coverage=grounding.shown_coverage,
        verdict=verdict,
        conflicts=_find_conflicts(workspace, plan, gathered, shown),
        dropped=gathered.dropped,
        checks=grounding.checks,
        changes=grounding.changes,
        notices=(
            *gathered.notices,
            *written.notices,
            *unverified,
            *removal_reason(grounding.changes),
            *_find_overruled(shown, gathered.conflicts),
        ),
        model=written.model,
        usage=gathered.usage + written.usage,
    )


def _explain_nothing(plan: DraftPlan, planned: PlannedSection, written: Written) -> Message:
    if plan.agent is None or written.model != BUILTIN_GENERATOR:
        found = written.grounding.refused
        return Message("generate-found-nothing" if found else "generate-no-sentence")
    asked = planned.outline.said
    if plan.own:
        return Message("generate-names-nothing", asked=asked)
    return Message("generate-names-nothing-on-topic", asked=asked, topic=plan.topic)


def _find_conflicts(
    workspace: Workspace,
    plan: DraftPlan,
    gathered: GatheredEvidence,
    sentences: Sequence[Sentence],
) -> tuple[Conflict, ...]:
    """The conflicts that the sentences touch, in the evidence and then in other passages."""
    question, evidence = gathered.result.question, gathered.evidence
    beside = find_section_conflicts(workspace, question, evidence, sentences, plan.filters)
    hierarchy = plan.feature.source_hierarchy if plan.feature else ()
    resolved = resolve_by_hierarchy(workspace, beside, hierarchy)
    return merge_conflicts(find_touched_conflicts(gathered.conflicts, sentences), resolved)


def _decide_section_verdict(
    workspace: Workspace, result: SearchResult, coverage: float | None
) -> Verdict:
    least = workspace.config.validation.min_attribution
    if coverage is not None and coverage < least:
        return "low_confidence"
    return result.gate.decision


def _find_overruled(
    sentences: Sequence[Sentence], conflicts: Sequence[Conflict]
) -> tuple[Message, ...]:
    """A notice for each sentence whose quotes all come from an overruled passage."""
    overruled = [quote for quote, _ in list_rivals(conflicts)]

    def is_overruled(quote: Quote) -> bool:
        return any(
            quote.evidence_id == other.evidence_id
            and quote.start < other.end
            and other.start < quote.end
            for other in overruled
        )

    return tuple(
        Message("generate-overruled", sentence=sentence.text)
        for sentence in sentences
        if sentence.quotes and all(is_overruled(quote) for quote in sentence.quotes)
    )


def list_rivals(conflicts: Sequence[Conflict]) -> tuple[tuple[Quote, Quote], ...]:
    """The overruled quote of each resolved conflict, with the one that prevails."""
    return tuple(
        (conflict.b.quote, conflict.a.quote)
        if conflict.holds == "a"
        else (conflict.a.quote, conflict.b.quote)
        for conflict in conflicts
        if conflict.holds
    )


def add_scopes(
    workspace: Workspace, plan: DraftPlan, sections: Sequence[Section]
) -> tuple[Section, ...]:
    """The sections, each with what its specification or agent asks and whether the draft says it.

    An item of a specification counts as covered wherever the draft says it: one line often spans
    two sections. A line of an agent is no promise of words, so it counts if a passage that it found
    is cited in its section.
    """
    least = workspace.config.retrieval.min_score
    if plan.refused:
        return tuple(sections)
    if plan.agent is not None:
        return tuple(
            replace(section, scope=_list_asked(planned, section, least))
            for planned, section in zip(plan.sections, sections, strict=True)
        )
    if plan.feature is None or len(sections) != len(plan.sections):
        return tuple(sections)
    check = _ScopeCheck(
        detect_language(plan.feature.text),
        tuple(text for section in sections for text in _list_shown(section, plan.language)),
        least,
    )
    return tuple(
        replace(section, scope=check.list_items(planned))
        for planned, section in zip(plan.sections, sections, strict=True)
    )


def _list_asked(planned: PlannedSection, section: Section, least: float) -> tuple[ScopeItem, ...]:
    cited = {source.evidence.hit.chunk.id for source in section.sources}

    def check(result: SearchResult) -> ScopeState:
        if result.gate.decision == "no_evidence":
            return "not_found"
        found = {hit.chunk.id for hit in result.hits if hit.relevance >= least}
        return "covered" if found & cited else "missing"

    asked = zip(planned.outline.said, planned.searched, strict=True)
    return tuple(ScopeItem(line, check(result)) for line, result in asked)


@dataclass(frozen=True, slots=True)
class _ShownText:
    """A sentence of the draft: its words with those of its quotes, their chunks and languages."""

    terms: frozenset[str]
    chunks: frozenset[str]
    languages: frozenset[str]


def _list_shown(section: Section, language: str) -> Iterator[_ShownText]:
    evidence = {entry.evidence.id: entry.evidence for entry in section.sources}
    for sentence in section.sentences:
        quotes = [quote for quote in sentence.quotes if quote.evidence_id in evidence]
        chunks = [evidence[quote.evidence_id].hit.chunk for quote in quotes]
        terms = set(analyse(sentence.text, language))
        for quote, chunk in zip(quotes, chunks, strict=True):
            terms.update(analyse(f"{quote.section or ''} {quote.text}", chunk.language))
        yield _ShownText(
            frozenset(terms),
            frozenset(chunk.id for chunk in chunks),
            frozenset(chunk.language for chunk in chunks),
        )


@dataclass(frozen=True, slots=True)
class _ScopeCheck:
    """What a draft says, to compare the items of its specification with.

    ``language`` is the specification's; hits below ``least`` relevance do not count.
    """

    language: str
    shown: tuple[_ShownText, ...]
    least: float

    def list_items(self, planned: PlannedSection) -> tuple[ScopeItem, ...]:
        """Each item of the section's lines, or its title if the specification says no more."""
        title, *wants = zip(
            (planned.outline.title, *planned.outline.wants), planned.searched, strict=True
        )
        return tuple(
            ScopeItem(item, self._check(item, result))
            for line, result in wants or [title]
            for item in split_items(line)
        )

    def _check(self, item: str, result: SearchResult) -> ScopeState:
        languages = {language for text in self.shown for language in text.languages}
        words = analyse_query(item, languages | {self.language}, self.language)
        # Across languages there are no words to compare, only what the line itself found first.
        first = frozenset(hit.chunk.id for hit in result.hits[:1] if hit.relevance >= self.least)
        for text in self.shown:
            foreign = self.language not in text.languages
            if (foreign and text.chunks & first) or _has_words(words, text.terms, result.question):
                return "covered"
        return "not_found" if result.gate.decision == "no_evidence" else "missing"


def _has_words(words: Sequence[QueryTerm], terms: frozenset[str], question: Question) -> bool:
    """Whether the terms hold enough of the words; one that no source has weighs like the others."""
    known = [word for word in words if any(map(question.frequencies.get, word.terms))]
    if not known:
        return False
    weights = {word: question.compute_rarity(*word.terms) for word in known}
    mean = sum(weights.values()) / len(known)
    found = sum(weights[word] for word in known if find_shared_terms(word.terms, terms))
    total = sum(weights.values()) + mean * (len(words) - len(known))
    return found >= _MIN_SHARE * total
