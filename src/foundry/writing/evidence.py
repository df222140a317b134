"""Which hits a writer gets, in which language it writes, and which of them it then cited."""

from __future__ import annotations

from collections.abc import Sequence

from foundry.craft.context import Selection, select_evidence
from foundry.craft.prompting import render_evidence
from foundry.records import CitedSource, DroppedHit, Evidence, Quote, SearchResult, Sentence
from foundry.workspace import Workspace


def choose_evidence(workspace: Workspace, result: SearchResult) -> Selection:
    """The hits that a writer may use, within ``max_context_chunks`` and ``token_budget``.

    What lies below the gate's threshold is left out without a word; what else is
    left out is in ``dropped``.
    """
    retrieval, count = workspace.config.retrieval, workspace.count_tokens
    selection = select_evidence(
        result.hits,
        min_relevance=retrieval.min_score,
        max_chunks=retrieval.max_context_chunks,
        token_budget=workspace.config.generation.token_budget,
        cost=lambda hit: count(render_evidence(Evidence("S1", hit))),
    )
    dropped = [d for d in selection.dropped if d.hit.relevance >= retrieval.min_score]
    return Selection(selection.evidence, tuple(dropped), selection.tokens)


def answer_language(workspace: Workspace, result: SearchResult) -> str:
    """The question's language, unless the configuration fixes one or it is unknown."""
    configured = workspace.config.generation.language
    if configured != "question":
        return configured
    if result.language != "und" or not result.hits:
        return result.language
    return result.hits[0].source.language


def cited_sources(
    sentences: Sequence[Sentence], evidence: Sequence[Evidence]
) -> tuple[CitedSource, ...]:
    """The evidence that is cited, in its own order, each with the quotes taken from it."""
    quotes: dict[str, list[Quote]] = {}
    for sentence in sentences:
        for quote in sentence.quotes:
            known = quotes.setdefault(quote.evidence_id, [])
            if quote not in known:
                known.append(quote)
    return tuple(
        CitedSource(item, tuple(quotes[item.id])) for item in evidence if item.id in quotes
    )


def listed(dropped: Sequence[DroppedHit]) -> tuple[str, ...]:
    """What was left out of the evidence, as sentences for the reader."""
    return tuple(f"A passage of {d.hit.source.path} was left out: {d.reason}." for d in dropped)
