"""From evidence to verified sentences: the model's text, grounded, or the built-in writer's.

Shared by answers and documents. Both ways end in a ``Grounding``, so that the same
rules count whoever wrote. No model is called here before the gate has opened.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from foundry.analysis import query_terms
from foundry.config import BUILTIN_GENERATOR
from foundry.craft.context import Dropped, Selection, select_evidence
from foundry.craft.grounding import ground, parse_reply
from foundry.craft.prompting import Prompt, SectionTask, build_messages, render_evidence
from foundry.errors import ConfigError
from foundry.ports import Generator
from foundry.records import (
    Change,
    CitedSource,
    Evidence,
    Grounding,
    Quote,
    SearchResult,
    Sentence,
    Usage,
)
from foundry.workspace import Workspace

MOST_SIMILAR = 40
"""Sentences embedded for one comparison across languages; each costs some 20 ms."""


@dataclass(frozen=True, slots=True)
class Written:
    """Verified sentences with who wrote them, at what cost, and what had to be said about it."""

    grounding: Grounding
    model: str
    usage: Usage = field(default_factory=Usage)
    notices: tuple[str, ...] = ()


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


def write_with_model(
    workspace: Workspace,
    generator: Generator,
    task: str | SectionTask,
    evidence: Sequence[Evidence],
    language: str,
) -> Written:
    """One model call over the evidence, then every sentence verified against it."""
    prompt, left_out = fit_prompt(workspace, generator, task, evidence, language)
    kept = evidence[: len(evidence) - len(left_out)]
    reply = generator.generate(
        prompt.messages,
        schema=prompt.schema,
        max_tokens=workspace.config.generation.max_tokens,
    )
    topic = task if isinstance(task, str) else f"{task.topic} {task.section}"
    parsed = parse_reply(reply.text, reply.data, [item.id for item in kept], language)
    grounding = ground(
        parsed,
        kept,
        language,
        known_words=topic,
        similar=compare_sentences(workspace) if _crosses(kept, language) else None,
    )
    notices = (
        *_brief_cut(workspace),
        *_left_out(left_out),
        *reply.notices,
        *_not_regenerated(workspace, grounding),
    )
    return Written(grounding, reply.model, reply.usage, notices)


def fit_prompt(
    workspace: Workspace,
    generator: Generator,
    task: str | SectionTask,
    evidence: Sequence[Evidence],
    language: str,
) -> tuple[Prompt, tuple[Evidence, ...]]:
    """The prompt within the model's window, and the lowest-ranked evidence left out for it.

    Raises ``ConfigError`` where not even the best passage fits.
    """
    settings = workspace.config.generation
    room = generator.window() - settings.max_tokens
    summaries = workspace.store.summaries(list({item.hit.source.id for item in evidence}))
    kept = list(evidence)
    while True:
        prompt = build_messages(
            task,
            kept,
            templates=workspace.templates,
            language=language,
            count=workspace.count_tokens,
            brief=cut_brief(workspace)[0],
            summaries=summaries,
            max_summaries=settings.max_source_summaries,
        )
        if prompt.tokens.total <= room:
            return prompt, tuple(evidence[len(kept) :])
        if len(kept) <= 1:
            raise ConfigError(
                f"The prompt takes {prompt.tokens.total:,} tokens even with one passage, and "
                f"{generator.model} has room for {max(room, 0):,}.",
                where="generation.max_tokens, project.brief_max_tokens",
                fix="Shorten the brief, lower generation.max_tokens, or choose a larger model.",
            )
        kept.pop()


def cut_brief(workspace: Workspace) -> tuple[str, str | None]:
    """The project's brief within ``brief_max_tokens``, and a notice where it was cut."""
    brief, limit = workspace.brief(), workspace.config.project.brief_max_tokens
    tokens = workspace.count_tokens(brief) if brief else 0
    if tokens <= limit:
        return brief, None
    low, high = 0, len(brief)
    while low < high:
        middle = (low + high + 1) // 2
        if workspace.count_tokens(brief[:middle]) <= limit:
            low = middle
        else:
            high = middle - 1
    return brief[:low], f"The brief has {tokens} tokens and was cut to {limit}."


def compare_sentences(workspace: Workspace) -> Callable[[str, Sequence[str]], Sequence[float]]:
    """Cosines of one sentence to others, by the project's embedding model."""

    def similar(sentence: str, others: Sequence[str]) -> Sequence[float]:
        if not others:
            return []
        compared = list(others)[:MOST_SIMILAR]
        query = workspace.embedder.embed_query(sentence)
        vectors = workspace.embedder.embed_passages(compared)
        cosines = [float(value) for value in vectors @ query]
        return [*cosines, *([0.0] * (len(others) - len(compared)))]

    return similar


def term_weights(workspace: Workspace, result: SearchResult) -> dict[str, float]:
    """How rare each analysed term of the question is in the project: BM25's idf."""
    languages = workspace.store.languages()
    words = query_terms(result.query, sorted(languages))
    terms = [term for word in words for term in word.terms]
    frequencies = workspace.store.document_frequencies(terms)
    count = sum(languages.values())
    return {
        term: math.log(1 + (count - found + 0.5) / (found + 0.5))
        for term, found in ((term, frequencies.get(term, 0)) for term in terms)
    }


def composed(sentences: Sequence[Sentence]) -> Written:
    """Sentences of the built-in writer: each is a quote, so all are supported."""
    coverage = 1.0 if sentences else None
    grounding = Grounding(tuple(sentences), attribution_coverage=coverage, shown_coverage=coverage)
    return Written(grounding, BUILTIN_GENERATOR)


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


def listed(dropped: Sequence[Dropped]) -> tuple[str, ...]:
    """What was left out of the evidence, as sentences for the reader."""
    return tuple(f"A passage of {d.hit.source.path} was left out: {d.reason}." for d in dropped)


def model_name(generator: Generator | None) -> str:
    """Who writes, as the result names it."""
    return generator.model if generator else BUILTIN_GENERATOR


def removed(changes: Sequence[Change]) -> tuple[str, ...]:
    """A reason for the verdict where sentences were removed."""
    count = sum(1 for change in changes if change.action == "removed")
    return (f"{count} sentence(s) were removed: no source carries them.",) if count else ()


def _crosses(evidence: Sequence[Evidence], language: str) -> bool:
    return any(item.hit.chunk.language not in (language, "und") for item in evidence)


def _not_regenerated(workspace: Workspace, grounding: Grounding) -> tuple[str, ...]:
    asked = workspace.config.validation.on_unsupported == "regenerate"
    if not asked or not removed(grounding.changes):
        return ()
    return ("validation.on_unsupported is regenerate, but this version only removes.",)


def _brief_cut(workspace: Workspace) -> tuple[str, ...]:
    notice = cut_brief(workspace)[1]
    return (notice,) if notice else ()


def _left_out(evidence: Sequence[Evidence]) -> tuple[str, ...]:
    return tuple(
        f"{item.id} ({item.hit.source.path}) was left out: the model's window is full."
        for item in evidence
    )
