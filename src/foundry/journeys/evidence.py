"""From a search to evidence: HyDE, relevance scoring, the token budget, contradictions.

Runs after the gate and never opens a closed one; it may leave nothing. A step whose model is
missing or fails is skipped with a notice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from foundry.craft.conflicts import find_conflicts, merge_conflicts, resolve_conflicts
from foundry.craft.context import select_evidence
from foundry.craft.prompting import LANGUAGE_NAMES, render_evidence
from foundry.errors import ModelError
from foundry.journeys.contradictions import ConflictScan, scan_for_conflicts
from foundry.journeys.relevance import RelevanceScores, order_hits, score_hits
from foundry.journeys.search import search_by_answer
from foundry.ports import CountTokens, Message
from foundry.prompts import fill
from foundry.records import (
    Conflict,
    DroppedHit,
    Evidence,
    Filters,
    Hit,
    SearchMode,
    SearchResult,
    Sentence,
    Usage,
)
from foundry.workspace import Workspace

_MAX_HYDE_REPLY = 160
_MAX_HYDE_TOKENS = 120
"""Tokens. Fewer than 100 are asked for; a model that writes on is cut at a sentence's end."""


@dataclass(frozen=True, slots=True)
class HydeText:
    """The text to search with; empty where the step was skipped, with the reason in ``notices``."""

    text: str = ""
    usage: Usage = field(default_factory=Usage)
    notices: tuple[str, ...] = ()


def write_hyde_text(
    workspace: Workspace, question: str, language: str, mode: SearchMode
) -> HydeText:
    """What a manual might say in answer to the question, as ``retrieval.hyde_model`` imagines it.

    Only after the gate has opened. A mode without vectors has no use for it.
    """
    if not workspace.config.retrieval.hyde or mode == "bm25":
        return HydeText()
    model = workspace.hyde_model
    if model is None:
        named = workspace.config.retrieval.hyde_model
        return _skip_hyde(f"retrieval.hyde_model is {named}")
    values = {
        "question": question,
        "language": LANGUAGE_NAMES.get(language, "the question's language"),
    }
    asked = Message("user", fill(workspace.templates.hyde, values))
    try:
        reply = model.generate([asked], max_tokens=_MAX_HYDE_REPLY)
    except ModelError as error:
        return _skip_hyde(error.message)
    text = _shorten(" ".join(reply.text.split()), workspace.count_tokens)
    if not text:
        return HydeText("", reply.usage, _skip_hyde("the model wrote nothing").notices)
    # That a reply was cut off at its limit is no loss here.
    return HydeText(text, reply.usage)


def _skip_hyde(reason: str) -> HydeText:
    return HydeText(notices=(f"HyDE was skipped: {reason.rstrip('.')}.",))


def _shorten(text: str, count: CountTokens) -> str:
    """The text within ``_KEPT`` tokens, cut after a sentence where there is one, else after a word."""
    words = text.split(" ")
    while words and count(" ".join(words)) > _MAX_HYDE_TOKENS:
        words = words[: max(len(words) * 9 // 10, 1)] if len(words) > 1 else []
    kept = " ".join(words)
    if kept == text:
        return text
    stop = max(kept.rfind(mark) for mark in (". ", "! ", "? "))
    return kept[: stop + 1] if stop > 0 else kept


@dataclass(frozen=True, slots=True)
class GatheredEvidence:
    """Evidence with what it took to find it; without evidence ``reasons`` say why.

    ``result`` is the search, with the hits as HyDE left them and the gate as it decided
    on the raw question. ``scores`` are the scorer's by chunk id; ``models`` those that
    were asked, by step. ``notices`` are this step's; the search has its own.
    """

    result: SearchResult
    evidence: tuple[Evidence, ...] = ()
    dropped: tuple[DroppedHit, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    models: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


def gather_evidence(
    workspace: Workspace,
    result: SearchResult,
    *,
    language: str,
    filters: Filters | None = None,
    hierarchy: Sequence[str] = (),
) -> GatheredEvidence:
    """What a writer may use for the query of ``result``; a closed gate ends here without a call.

    ``hierarchy`` are patterns of source paths, the most trusted first: it decides conflicts.
    """
    if result.gate.decision == "no_evidence":
        return GatheredEvidence(result, reasons=result.gate.reasons)
    imagined = write_hyde_text(workspace, result.query, language, result.mode)
    if imagined.text:
        depth = len(result.hits)
        result = search_by_answer(
            workspace, result, imagined.text, filters=filters, top_k=max(depth, 1)
        )
    hits = _filter_hits(workspace, result, imagined)
    scores = score_hits(workspace, result.query, hits)
    selected = _select_within_budget(workspace, result, hits, imagined, scores)
    return selected if not selected.evidence else _add_conflicts(workspace, selected, hierarchy)


def _filter_hits(workspace: Workspace, result: SearchResult, imagined: HydeText) -> Sequence[Hit]:
    """The hits that the gate's threshold leaves.

    What a hypothetical answer found may share no word with the question: where a scorer
    follows, it decides about those, and not the threshold.
    """
    if imagined.text and workspace.scorer is not None:
        return result.hits
    least = workspace.config.retrieval.min_score
    return [hit for hit in result.hits if hit.relevance >= least]


def _select_within_budget(
    workspace: Workspace,
    result: SearchResult,
    hits: Sequence[Hit],
    imagined: HydeText,
    scores: RelevanceScores,
) -> GatheredEvidence:
    retrieval, count = workspace.config.retrieval, workspace.count_tokens
    poor = _find_low_scores(hits, scores, retrieval.relevance_threshold)
    below = {one.hit.chunk.id for one in poor}
    selection = select_evidence(
        [hit for hit in order_hits(hits, scores.values) if hit.chunk.id not in below],
        max_chunks=retrieval.max_context_chunks,
        token_budget=workspace.config.generation.token_budget,
        cost=lambda hit: count(render_evidence(Evidence("S1", hit))),
    )
    others = (replace(one, score=scores.values.get(one.hit.chunk.id)) for one in selection.dropped)
    return GatheredEvidence(
        result=result,
        evidence=selection.evidence,
        dropped=(*poor, *others),
        scores=scores.values,
        reasons=() if selection.evidence else _explain_empty(poor, selection.dropped),
        usage=imagined.usage + scores.usage,
        models=_list_models(workspace, imagined, scores),
        notices=(*imagined.notices, *scores.notices),
    )


def _find_low_scores(
    hits: Sequence[Hit], scores: RelevanceScores, threshold: float
) -> list[DroppedHit]:
    """What the scorer finds below ``retrieval.relevance_threshold``."""
    found = []
    for hit in hits:
        score = scores.values.get(hit.chunk.id)
        if score is not None and score < threshold:
            reason = f"it was scored {score:g} of 10, below {threshold:g}"
            found.append(DroppedHit(hit, f"{reason} (retrieval.relevance_threshold)", score))
    return found


def _explain_empty(poor: Sequence[DroppedHit], rest: Sequence[DroppedHit]) -> tuple[str, ...]:
    if poor and not rest:
        return (f"Relevance scoring left nothing: all {len(poor)} passages are below it.",)
    if rest:
        return ("No passage fits generation.token_budget.",)
    return ("No passage reaches retrieval.min_score.",)


def _list_models(
    workspace: Workspace, imagined: HydeText, scores: RelevanceScores
) -> dict[str, str]:
    retrieval = workspace.config.retrieval
    models = {"hyde": retrieval.hyde_model} if imagined.text else {}
    return {**models, "scorer": retrieval.scorer_model} if scores.asked else models


def _add_conflicts(
    workspace: Workspace, gathered: GatheredEvidence, hierarchy: Sequence[str]
) -> GatheredEvidence:
    """What contradicts among the evidence: by rule first, then what a model sees besides."""
    found = find_conflicts(gathered.evidence)
    scan = ConflictScan()
    if workspace.scorer is not None:
        template, query = workspace.templates.conflicts, gathered.result.query
        scan = scan_for_conflicts(workspace.scorer, template, query, gathered.evidence)
    paths = [source.path for source in workspace.store.list_sources()] if hierarchy else []
    return replace(
        gathered,
        conflicts=resolve_conflicts(merge_conflicts(found, scan.conflicts), hierarchy, paths),
        usage=gathered.usage + scan.usage,
        notices=(*gathered.notices, *scan.notices),
    )


def find_touched_conflicts(
    conflicts: Sequence[Conflict], sentences: Sequence[Sentence]
) -> tuple[Conflict, ...]:
    """The conflicts that touch what was written: one of their places is quoted there."""
    spans = [(quote.evidence_id, quote.start, quote.end) for s in sentences for quote in s.quotes]

    def touched(conflict: Conflict) -> bool:
        sides = (conflict.a.quote, conflict.b.quote)
        return any(
            side.evidence_id == identity and side.start < end and start < side.end
            for side in sides
            for identity, start, end in spans
        )

    return tuple(conflict for conflict in conflicts if touched(conflict))
