"""One topic, one draft: search, gate, evidence, writing, grounding, log.

Returns a ``Draft``; rendering it and writing the file are the caller's. A topic that
the sources do not cover gives a draft without sections and the verdict
``no_evidence``; no model is called for it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from foundry.craft.extractive import compose_draft
from foundry.craft.prompting import SectionTask
from foundry.errors import FoundryError
from foundry.journal import log_draft, log_failure
from foundry.ports import Generator, Progress, Step
from foundry.records import (
    Draft,
    Evidence,
    Filters,
    SearchMode,
    SearchResult,
    Section,
    Usage,
    Verdict,
)
from foundry.search import search
from foundry.workspace import Workspace
from foundry.writing import (
    Written,
    answer_language,
    choose_evidence,
    cited_sources,
    compare_sentences,
    composed,
    drain,
    listed,
    model_name,
    removed,
    term_weights,
    write_with_model,
)


def generate(
    workspace: Workspace,
    topic: str,
    *,
    filters: Filters | None = None,
    mode: SearchMode | None = None,
    progress: Progress = lambda _step: None,
) -> Draft:
    """Write a draft about a topic from the project's sources, every sentence cited.

    Raises like ``ask``. ``verdict`` is ``low_confidence`` where the evidence is thin
    or the text's coverage is below ``validation.min_attribution``.
    """
    generator = workspace.generator
    started = time.perf_counter()
    depth = max(workspace.config.retrieval.top_k, workspace.config.retrieval.max_context_chunks)
    try:
        progress(Step("search", 0, 2, "steps"))
        result = search(workspace, topic, filters=filters, mode=mode, top_k=depth)
        progress(Step("write", 1, 2, "steps"))
        draft = _draft(workspace, generator, result)
    except FoundryError as error:
        log_failure(workspace, "generate", topic, filters, error)
        raise
    total = round((time.perf_counter() - started) * 1000, 2)
    draft = replace(draft, timings_ms={"retrieval": result.timings_ms["total"], "total": total})
    log_draft(workspace, draft, result, filters)
    progress(Step("write", 2, 2, "steps"))
    return draft


def _draft(workspace: Workspace, generator: Generator | None, result: SearchResult) -> Draft:
    if result.gate.decision == "no_evidence":
        return _empty(workspace, generator, result, result.gate.reasons)
    selection = choose_evidence(workspace, result)
    if not selection.evidence:
        reasons = ("No passage fits generation.token_budget.", *listed(selection.dropped))
        return _empty(workspace, generator, result, reasons)
    language = answer_language(workspace, result)
    if generator is None:
        sections, written = _compose(workspace, result, selection.evidence, language)
    else:
        task = SectionTask(topic=result.query, section=result.query)
        written = drain(write_with_model(workspace, generator, task, selection.evidence, language))
        sections = _sections(result, selection.evidence, written)
    written = replace(written, notices=(*listed(selection.dropped), *written.notices))
    if not any(section.sentences for section in sections):
        reason = "No sentence could be supported by the evidence."
        return _empty(workspace, generator, result, (*result.gate.reasons, reason), written)
    return _finished(workspace, result, sections, written, language)


def _compose(
    workspace: Workspace, result: SearchResult, evidence: Sequence[Evidence], language: str
) -> tuple[tuple[Section, ...], Written]:
    """The built-in writer's sections, of whole sentences of the sources."""
    similar = compare_sentences(workspace)
    sections = compose_draft(
        result.query,
        language,
        evidence,
        weights=term_weights(workspace, result),
        similar=lambda others: similar(result.query, others),
    )
    sentences = [sentence for section in sections for sentence in section.sentences]
    return sections, composed(sentences)


def _sections(
    result: SearchResult, evidence: Sequence[Evidence], written: Written
) -> tuple[Section, ...]:
    """A model's text as one section, with only the evidence that it cites."""
    grounding = written.grounding
    section = Section(
        title=result.query,
        sentences=grounding.sentences,
        sources=cited_sources(grounding.sentences, evidence),
        search=result,
        attribution_coverage=grounding.attribution_coverage,
    )
    return (section,)


def _finished(
    workspace: Workspace,
    result: SearchResult,
    sections: tuple[Section, ...],
    written: Written,
    language: str,
) -> Draft:
    coverage = written.grounding.attribution_coverage
    least = workspace.config.validation.min_attribution
    thin = coverage is not None and coverage < least
    verdict: Verdict = "low_confidence" if thin else result.gate.decision
    low = (f"Only {coverage:.0%} of the text is supported, below {least:.0%}.",) if thin else ()
    return Draft(
        topic=result.query,
        language=language,
        verdict=verdict,
        sections=sections,
        model=written.model,
        mode=workspace.config.mode,
        attribution_coverage=coverage,
        shown_coverage=written.grounding.shown_coverage,
        timings_ms={},
        usage=written.usage,
        created=datetime.now(UTC),
        checks=written.grounding.checks,
        changes=written.grounding.changes,
        notices=(
            *result.notices,
            *written.notices,
            *low,
            *removed(written.grounding.changes),
        ),
    )


def _empty(
    workspace: Workspace,
    generator: Generator | None,
    result: SearchResult,
    reasons: tuple[str, ...],
    written: Written | None = None,
) -> Draft:
    """A draft with nothing in it, and why."""
    return Draft(
        topic=result.query,
        language=answer_language(workspace, result),
        verdict="no_evidence",
        sections=(),
        model=written.model if written else model_name(generator),
        mode=workspace.config.mode,
        attribution_coverage=written.grounding.attribution_coverage if written else None,
        shown_coverage=None,
        timings_ms={},
        usage=written.usage if written else Usage(),
        created=datetime.now(UTC),
        checks=written.grounding.checks if written else (),
        changes=written.grounding.changes if written else (),
        notices=(*reasons, *result.notices),
    )
