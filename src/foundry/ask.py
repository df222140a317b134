"""One question, one answer: search, gate, evidence, writing, grounding, log.

The raw question is retrieved and judged first; a closed gate ends here with a
value and no model call. What a model writes is only shown where it stands in the
evidence; what is left out is listed with its reason.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from foundry.craft.extractive import compose_answer
from foundry.errors import FoundryError
from foundry.journal import log_answer, log_failure
from foundry.ports import Generator
from foundry.records import (
    Answer,
    Evidence,
    Filters,
    Grounding,
    SearchMode,
    SearchResult,
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
    listed,
    model_name,
    removed,
    term_weights,
    write_with_model,
)

MAX_SENTENCES = 4
"""Sentences of a built-in answer: a reader wants the fact, not the chapter."""


def ask(
    workspace: Workspace,
    question: str,
    *,
    filters: Filters | None = None,
    mode: SearchMode | None = None,
) -> Answer:
    """Answer a question from the project's sources, or say that they do not hold the answer.

    Raises ``UsageError`` for an empty or overlong question, ``IndexMissing`` for
    the hard stop, and ``ModelError`` when the configured model fails; a failure is
    logged like an answer.
    """
    generator = workspace.generator
    started = time.perf_counter()
    try:
        result = search(workspace, question, filters=filters, mode=mode)
        answer = _answer(workspace, generator, result)
    except FoundryError as error:
        log_failure(workspace, "ask", question, filters, error)
        raise
    total = round((time.perf_counter() - started) * 1000, 2)
    search_ms = answer.timings_ms["total"]
    timings = {
        "retrieval": search_ms,
        "generation": round(total - search_ms, 2),
        "total": total,
    }
    answer = replace(answer, timings_ms=timings)
    log_answer(workspace, answer, filters)
    return answer


def _answer(workspace: Workspace, generator: Generator | None, result: SearchResult) -> Answer:
    if result.gate.decision == "no_evidence":
        return _empty(workspace, generator, result, result.gate.reasons)
    selection = choose_evidence(workspace, result)
    if not selection.evidence:
        reasons = ("No passage fits generation.token_budget.", *listed(selection.dropped))
        return _empty(workspace, generator, result, reasons)
    language = answer_language(workspace, result)
    if generator is None:
        written = _write_extractive(workspace, result, selection.evidence)
    else:
        written = write_with_model(workspace, generator, result.query, selection.evidence, language)
    written = replace(written, notices=(*listed(selection.dropped), *written.notices))
    return _judged(workspace, result, selection.evidence, written, language)


def _write_extractive(
    workspace: Workspace, result: SearchResult, evidence: Sequence[Evidence]
) -> Written:
    similar = compare_sentences(workspace)
    return composed(
        compose_answer(
            result.query,
            result.language,
            evidence,
            weights=term_weights(workspace, result),
            max_sentences=MAX_SENTENCES,
            similar=lambda others: similar(result.query, others),
        )
    )


def _judged(
    workspace: Workspace,
    result: SearchResult,
    evidence: Sequence[Evidence],
    written: Written,
    language: str,
) -> Answer:
    """The verdict after grounding: a model may close the gate, never open it."""
    grounding = written.grounding
    verdict, reasons = _verdict(workspace, result, grounding)
    shown = grounding.sentences if verdict != "no_evidence" else ()
    return Answer(
        question=result.query,
        language=language,
        verdict=verdict,
        confidence=result.gate.score,
        reasons=reasons,
        sentences=shown,
        sources=cited_sources(shown, evidence),
        model=written.model,
        mode=workspace.config.mode,
        attribution_coverage=grounding.attribution_coverage,
        shown_coverage=grounding.shown_coverage,
        timings_ms=result.timings_ms,
        usage=written.usage,
        search=result,
        changes=grounding.changes,
        notices=(*result.notices, *written.notices),
    )


def _verdict(
    workspace: Workspace, result: SearchResult, grounding: Grounding
) -> tuple[Verdict, tuple[str, ...]]:
    reasons = result.gate.reasons
    if grounding.refused:
        return "no_evidence", (*reasons, "The model found no answer in the evidence.")
    if not grounding.sentences:
        return "no_evidence", (*reasons, "No sentence could be supported by the evidence.")
    coverage = grounding.attribution_coverage
    least = workspace.config.validation.min_attribution
    if coverage is not None and coverage < least:
        low = f"Only {coverage:.0%} of the text is supported, below {least:.0%}."
        return "low_confidence", (*reasons, low, *removed(grounding.changes))
    return result.gate.decision, (*reasons, *removed(grounding.changes))


def _empty(
    workspace: Workspace,
    generator: Generator | None,
    result: SearchResult,
    reasons: tuple[str, ...],
) -> Answer:
    """The answer without evidence: nothing was asked of any model."""
    nothing = Written(Grounding(()), model_name(generator))
    language = answer_language(workspace, result)
    answer = _judged(workspace, result, (), nothing, language)
    return replace(answer, verdict="no_evidence", reasons=reasons)
