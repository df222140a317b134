"""One planned section → its verified sentences, whoever writes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from foundry.craft.extractive import SectionWanted, compose_draft, compose_sections
from foundry.evidence import conflicts_beside
from foundry.generate.planning import Plan, PlannedSection, section_task
from foundry.ports import Generator
from foundry.records import Conflict, Quote, SearchResult, Section, Sentence, Usage, Verdict
from foundry.workspace import Workspace
from foundry.writing import (
    Written,
    cited_sources,
    compare_sentences,
    composed,
    drain,
    model_name,
    other_language,
    removed,
    term_weights,
    write_with_model,
)

NO_SENTENCE = "No sentence could be supported by the evidence."
_REFUSED = "The model found nothing on it in the evidence."


def write_section(
    workspace: Workspace, generator: Generator, plan: Plan, planned: PlannedSection
) -> Section:
    """A model's section, every sentence verified and repaired as in an answer."""
    if planned.earlier is not None:
        return replace(planned.earlier, search=planned.gathered.result)
    if not planned.gathered.evidence:
        return without_evidence(planned, generator.model)
    task = section_task(plan.topic, planned.outline, plan.feature, planned.gathered)
    evidence = planned.gathered.evidence
    written = drain(write_with_model(workspace, generator, task, evidence, plan.language))
    return _section(workspace, planned, written)


def compose_all(workspace: Workspace, plan: Plan) -> tuple[Section, ...]:
    """All sections by the built-in writer, together: what one says, no other repeats."""
    if plan.feature is None:
        return _composed_topic(workspace, plan)
    if all(one.earlier is not None for one in plan.sections):
        return tuple(
            replace(one.earlier, search=one.gathered.result)
            for one in plan.sections
            if one.earlier is not None
        )
    written = compose_sections(
        [
            SectionWanted(
                one.outline.title,
                one.outline.wants,
                one.gathered.evidence,
                rivals(one.gathered.conflicts),
            )
            for one in plan.sections
        ],
        plan.language,
        weights=_weights(workspace, plan),
        similar=compare_sentences(workspace),
    )
    return tuple(
        _section(workspace, planned, _quoted(sentences, plan.language))
        if planned.gathered.evidence
        else without_evidence(planned, model_name(None))
        for planned, sentences in zip(plan.sections, written, strict=True)
    )


def _quoted(sentences: Sequence[Sentence], language: str) -> Written:
    written = composed(sentences)
    return replace(written, notices=other_language(language, written.grounding, quoted=True))


def rivals(conflicts: Sequence[Conflict]) -> tuple[tuple[Quote, Quote], ...]:
    """The quotes of the sides that do not hold, each with the one that does."""
    return tuple(
        (conflict.b.quote, conflict.a.quote)
        if conflict.holds == "a"
        else (conflict.a.quote, conflict.b.quote)
        for conflict in conflicts
        if conflict.holds
    )


def without_evidence(planned: PlannedSection, model: str) -> Section:
    """A section in which nothing stands, and why: nothing was asked of the one who writes."""
    gathered = planned.gathered
    return Section(
        title=planned.outline.title,
        sentences=(),
        search=gathered.result,
        reason=" ".join(gathered.reasons),
        verdict="no_evidence",
        dropped=gathered.dropped,
        notices=gathered.notices,
        model=model,
        usage=gathered.usage,
    )


def _composed_topic(workspace: Workspace, plan: Plan) -> tuple[Section, ...]:
    """A topic without a specification: sections by the headings of the sources."""
    (planned,) = plan.sections
    evidence = planned.gathered.evidence
    if not evidence:
        return (without_evidence(planned, model_name(None)),)
    similar = compare_sentences(workspace)
    sections = compose_draft(
        plan.topic,
        plan.language,
        evidence,
        weights=term_weights(workspace, planned.gathered.result),
        similar=lambda others: similar(plan.topic, others),
    )
    if not sections:
        return (_section(workspace, planned, composed(())),)
    whole = [
        _section(
            workspace,
            replace(planned, outline=replace(planned.outline, title=section.title)),
            composed(section.sentences),
        )
        for section in sections
    ]
    # What was found and left out belongs to the topic: it is told once.
    return (whole[0], *(replace(one, dropped=(), notices=(), usage=Usage()) for one in whole[1:]))


def _weights(workspace: Workspace, plan: Plan) -> dict[str, float]:
    weights: dict[str, float] = {}
    for one in plan.sections:
        weights |= term_weights(workspace, one.gathered.result)
    return weights


def _section(workspace: Workspace, planned: PlannedSection, written: Written) -> Section:
    gathered, grounding = planned.gathered, written.grounding
    verdict = _verdict(workspace, gathered.result, grounding.attribution_coverage)
    shown = grounding.sentences
    reason = None
    if not shown:
        verdict, reason = "no_evidence", _REFUSED if grounding.refused else NO_SENTENCE
    return Section(
        title=planned.outline.title,
        sentences=shown,
        sources=cited_sources(shown, gathered.evidence),
        search=gathered.result,
        reason=reason,
        attribution_coverage=grounding.attribution_coverage,
        shown_coverage=grounding.shown_coverage,
        verdict=verdict,
        conflicts=conflicts_beside(gathered.conflicts, shown),
        dropped=gathered.dropped,
        checks=grounding.checks,
        changes=grounding.changes,
        notices=(
            *gathered.notices,
            *written.notices,
            *removed(grounding.changes),
            *_on_the_wrong_side(shown, gathered.conflicts),
        ),
        model=written.model,
        usage=gathered.usage + written.usage,
    )


def _verdict(workspace: Workspace, result: SearchResult, coverage: float | None) -> Verdict:
    least = workspace.config.validation.min_attribution
    if coverage is not None and coverage < least:
        return "low_confidence"
    return result.gate.decision


def _on_the_wrong_side(
    sentences: Sequence[Sentence], conflicts: Sequence[Conflict]
) -> tuple[str, ...]:
    """Sentences that rest on a passage which the source hierarchy sets aside."""
    aside = [yields for yields, _ in rivals(conflicts)]

    def rests(quote: Quote) -> bool:
        return any(
            quote.evidence_id == other.evidence_id
            and quote.start < other.end
            and other.start < quote.end
            for other in aside
        )

    return tuple(
        f"A sentence rests on a passage that does not hold: {sentence.text}"
        for sentence in sentences
        if sentence.quotes and all(rests(quote) for quote in sentence.quotes)
    )
