"""A section of a draft as a record: its sentences, verdict and notices, and what it leaves out.

Attribution says that what is shown is in the sources, not that everything asked for is there.
``add_scopes`` says of each thing that a specification or agent asks whether its section has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from foundry.analysis import analyse, analyse_query
from foundry.config import BUILTIN_GENERATOR
from foundry.craft.conflicts import merge_conflicts
from foundry.craft.forms import shape
from foundry.craft.outline import AskedItem, ShownText, judge_item, split_items, split_phrases
from foundry.craft.quotations import Quotation
from foundry.journeys.contradictions import (
    find_quoted_conflicts,
    find_touched_conflicts,
    resolve_by_hierarchy,
)
from foundry.journeys.evidence import GatheredEvidence
from foundry.journeys.generate.plan import TOPIC, DraftPlan, PlannedSection
from foundry.journeys.generate.section_search import list_phrases
from foundry.journeys.writing import (
    Written,
    collect_cited_sources,
    explain_unverified,
    quote_only,
    removal_reason,
)
from foundry.messages import Message
from foundry.records import (
    Conflict,
    Evidence,
    Quote,
    ScopeItem,
    SearchResult,
    Section,
    Sentence,
    Verdict,
)
from foundry.workspace import Workspace


def build_empty_section(planned: PlannedSection, model: str) -> Section:
    """A section without sentences, with the reason; no writer was asked."""
    gathered = planned.gathered
    return Section(
        title=planned.outline.title,
        sentences=(),
        search=gathered.result,
        reason=_join_reasons(gathered.reasons),
        needs=planned.outline.needs,
        form=planned.outline.form,
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
    gathered, form = planned.gathered, planned.outline.form
    # Passages that nobody wrote are shown as they are.
    shaped = form if written.model != BUILTIN_GENERATOR else None
    grounding, moved = shape(written.grounding, shaped, gathered.evidence)
    verdict = _decide_section_verdict(workspace, gathered.result, grounding.attribution_coverage)
    shown, unverified = grounding.sentences, explain_unverified(grounding)
    if unverified:
        verdict = "low_confidence"
    elif grounding.complete:
        verdict = "answer"
    reason = None
    if not shown:
        by_name = planned.outline.subject is None
        verdict, reason = "no_evidence", _explain_nothing(written, by_name=by_name)
    return Section(
        title=planned.outline.title,
        sentences=shown,
        sources=collect_cited_sources(shown, gathered.evidence),
        search=gathered.result,
        reason=reason,
        needs="" if shown else planned.outline.needs,
        form=form,
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
            *moved,
            *_find_overruled(shown, gathered.conflicts),
        ),
        model=written.model,
        usage=gathered.usage + written.usage,
    )


def build_quoted_section(
    workspace: Workspace, plan: DraftPlan, planned: PlannedSection, quoted: Quotation
) -> Section:
    """A section of quotations: nothing in it was written, so it has no verdict on its text.

    Where nothing is named as it is asked, the reason says so above the nearest passages.
    """
    sentences = [
        Sentence(line.text, _list_cited(line.quotes), line.quotes)
        for excerpt in quoted.excerpts
        for line in excerpt.lines
    ]
    written = quote_only(sentences)
    section = build_section(workspace, plan, planned, written)
    verdict: Verdict = "passages" if section.sentences else "no_evidence"
    if section.sentences and not quoted.named:
        section = replace(section, reason=Message("generate-nearest-only"))
    return replace(section, excerpts=quoted.excerpts, verdict=verdict)


def _list_cited(quotes: Sequence[Quote]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(quote.evidence_id for quote in quotes))


def _explain_nothing(written: Written, *, by_name: bool) -> Message:
    if written.model == BUILTIN_GENERATOR:
        return Message("generate-nothing-named" if by_name else "generate-nothing-near")
    if written.grounding.beside:
        return Message("generate-beside")
    found = written.grounding.refused
    return Message("generate-found-nothing" if found else "generate-no-sentence")


def _find_conflicts(
    workspace: Workspace,
    plan: DraftPlan,
    gathered: GatheredEvidence,
    sentences: Sequence[Sentence],
) -> tuple[Conflict, ...]:
    """The conflicts that the sentences touch, in the evidence and then in other passages."""
    question, evidence = gathered.result.question, gathered.evidence
    beside = find_quoted_conflicts(workspace, question, evidence, sentences, plan.filters)
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
    """The sections, each with what its specification or agent asks and whether it has that.

    A line counts as covered by what its own section cites of the passages that were found for that
    line, and only if it has the line's rare words. The lines of an agent are words to search with: where
    a model wrote the section from what they found, nothing is said of them.
    """
    if plan.refused or not plan.outlined or len(sections) != len(plan.sections):
        return tuple(sections)
    return tuple(
        replace(section, scope=tuple(_judge_scope(workspace, plan, planned, section)))
        for planned, section in zip(plan.sections, sections, strict=True)
    )


def _judge_scope(
    workspace: Workspace, plan: DraftPlan, planned: PlannedSection, section: Section
) -> Iterator[ScopeItem]:
    shown = tuple(_list_shown(section, plan.language))
    written = workspace.generator is not None and bool(section.sentences)
    searched = _list_searched(plan) if written else frozenset()
    for one in list_asked(workspace, plan, planned):
        if one.said not in searched:
            yield ScopeItem(one.said, judge_item(one, shown))


def _list_searched(plan: DraftPlan) -> frozenset[str]:
    """The lines of the agent, without those of a specification."""
    sections = plan.agent.sections if plan.agent else ()
    lines = (line.replace(TOPIC, plan.topic) for section in sections for line in section.ask)
    return frozenset(split_phrases(line)[0] for line in lines)


def list_asked(workspace: Workspace, plan: DraftPlan, planned: PlannedSection) -> list[AskedItem]:
    """Each thing that a section asks, with what was found for it above the gate."""
    outline = planned.outline
    results = planned.searched
    if workspace.generator is not None and outline.subject is not None:
        # A model reads what each whole line found; the first result is the title's.
        per_line = results[1:] or results[:1]
        counts = [len(split_items(line)) for line in outline.wants] or [len(outline.items)]
        results = tuple(r for r, n in zip(per_line, counts, strict=True) for _ in range(n))
    least = workspace.config.retrieval.min_score
    asked = [
        _build_asked(
            list_phrases(outline, item), item, result, least, agent=outline.subject is None
        )
        for item, result in zip(outline.items, results, strict=True)
    ]
    return [
        replace(one, is_name=outline.subject is None and one.said != plan.topic) for one in asked
    ]


def _build_asked(
    phrases: tuple[str, ...], item: str, result: SearchResult, least: float, *, agent: bool
) -> AskedItem:
    question = result.question
    found = tuple(hit for hit in result.hits if hit.relevance >= least)
    texts = phrases if agent else (item,)
    languages = question.languages or frozenset({question.language})
    return AskedItem(
        said=phrases[0] if agent else item,
        queries=texts,
        words=tuple(tuple(analyse_query(text, languages, question.language)) for text in texts),
        question=question,
        found=() if result.gate.decision == "no_evidence" else found,
    )


def _list_shown(section: Section, language: str) -> Iterator[ShownText]:
    """What a section shows: its excerpts, or the quotes of each sentence that a model wrote.

    Passages that only come nearest are for a reader to judge, and cover nothing.
    """
    if section.excerpts and section.reason:
        return
    evidence = {source.evidence.id: source.evidence for source in section.sources}
    for excerpt in section.excerpts:
        said = " ".join((*excerpt.headings, excerpt.table))
        for cited in _list_cited(excerpt.quotes):
            quotes = [quote for quote in excerpt.quotes if quote.evidence_id == cited]
            yield _build_shown(evidence[cited], quotes, said, language)
    for sentence in section.sentences if not section.excerpts else ():
        for cited in sentence.citations:
            quotes = [quote for quote in sentence.quotes if quote.evidence_id == cited]
            if cited in evidence:
                said = " ".join((sentence.text, *(quote.section or "" for quote in quotes)))
                yield _build_shown(evidence[cited], quotes, said, language)


def _build_shown(
    evidence: Evidence, quotes: Sequence[Quote], said: str, language: str
) -> ShownText:
    chunk = evidence.hit.chunk
    text = " ".join((said, *(quote.text for quote in quotes)))
    terms = {*analyse(text, chunk.language), *analyse(said, language)}
    spans = tuple((quote.start, quote.end) for quote in quotes)
    return ShownText(chunk.id, spans, frozenset(terms), chunk.language)
