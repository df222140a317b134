"""In which language a writer writes, which evidence it then cited, and what it was not given."""

from __future__ import annotations

from collections.abc import Sequence

from foundry.records import CitedSource, DroppedHit, Evidence, Quote, SearchResult, Sentence
from foundry.workspace import Workspace


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
