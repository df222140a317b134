"""The evidence for a question or a section, from a search whose gate is open.

HyDE, then relevance scoring, then what is relevant, new and fits the budget, then the
contradictions among it. What was left out stands beside it, each with its reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from foundry.craft.conflicts import decide, find_conflicts, merge_conflicts
from foundry.craft.context import select_evidence
from foundry.craft.prompting import render_evidence
from foundry.evidence.contradictions import Scan, scan_for_conflicts
from foundry.evidence.hypothetical import Hypothetical, write_hypothetical
from foundry.evidence.scoring import Scores, ordered, score_hits
from foundry.records import (
    Conflict,
    DroppedHit,
    Evidence,
    Filters,
    Hit,
    SearchResult,
    Sentence,
    Usage,
)
from foundry.search import search_by_answer
from foundry.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Gathered:
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
) -> Gathered:
    """What a writer may use for the query of ``result``; a closed gate ends here without a call.

    ``hierarchy`` are patterns of source paths, the most trusted first: it decides conflicts.
    """
    if result.gate.decision == "no_evidence":
        return Gathered(result, reasons=result.gate.reasons)
    imagined = write_hypothetical(workspace, result.query, language, result.mode)
    if imagined.text:
        depth = len(result.hits)
        result = search_by_answer(
            workspace, result, imagined.text, filters=filters, top_k=max(depth, 1)
        )
    hits = _candidates(workspace, result, imagined)
    scores = score_hits(workspace, result.query, hits)
    selected = _select(workspace, result, hits, imagined, scores)
    return selected if not selected.evidence else _with_conflicts(workspace, selected, hierarchy)


def _candidates(
    workspace: Workspace, result: SearchResult, imagined: Hypothetical
) -> Sequence[Hit]:
    """The hits that the gate's threshold leaves.

    What a hypothetical answer found may share no word with the question: where a scorer
    follows, it decides about those, and not the threshold.
    """
    if imagined.text and workspace.scorer is not None:
        return result.hits
    least = workspace.config.retrieval.min_score
    return [hit for hit in result.hits if hit.relevance >= least]


def _select(
    workspace: Workspace,
    result: SearchResult,
    hits: Sequence[Hit],
    imagined: Hypothetical,
    scores: Scores,
) -> Gathered:
    retrieval, count = workspace.config.retrieval, workspace.count_tokens
    poor = _poor(hits, scores, retrieval.relevance_threshold)
    below = {one.hit.chunk.id for one in poor}
    selection = select_evidence(
        [hit for hit in ordered(hits, scores.values) if hit.chunk.id not in below],
        max_chunks=retrieval.max_context_chunks,
        token_budget=workspace.config.generation.token_budget,
        cost=lambda hit: count(render_evidence(Evidence("S1", hit))),
    )
    others = (replace(one, score=scores.values.get(one.hit.chunk.id)) for one in selection.dropped)
    return Gathered(
        result=result,
        evidence=selection.evidence,
        dropped=(*poor, *others),
        scores=scores.values,
        reasons=() if selection.evidence else _nothing_left(poor, selection.dropped),
        usage=imagined.usage + scores.usage,
        models=_asked(workspace, imagined, scores),
        notices=(*imagined.notices, *scores.notices),
    )


def _poor(hits: Sequence[Hit], scores: Scores, threshold: float) -> list[DroppedHit]:
    """What the scorer finds below ``retrieval.relevance_threshold``."""
    found = []
    for hit in hits:
        score = scores.values.get(hit.chunk.id)
        if score is not None and score < threshold:
            reason = f"it was scored {score:g} of 10, below {threshold:g}"
            found.append(DroppedHit(hit, f"{reason} (retrieval.relevance_threshold)", score))
    return found


def _nothing_left(poor: Sequence[DroppedHit], rest: Sequence[DroppedHit]) -> tuple[str, ...]:
    if poor and not rest:
        return (f"Relevance scoring left nothing: all {len(poor)} passages are below it.",)
    if rest:
        return ("No passage fits generation.token_budget.",)
    return ("No passage reaches retrieval.min_score.",)


def _asked(workspace: Workspace, imagined: Hypothetical, scores: Scores) -> dict[str, str]:
    retrieval = workspace.config.retrieval
    models = {"hyde": retrieval.hyde_model} if imagined.text else {}
    return {**models, "scorer": retrieval.scorer_model} if scores.asked else models


def _with_conflicts(workspace: Workspace, gathered: Gathered, hierarchy: Sequence[str]) -> Gathered:
    """What contradicts among the evidence: by rule first, then what a model sees besides."""
    found = find_conflicts(gathered.evidence)
    scan = Scan()
    if workspace.scorer is not None:
        template, query = workspace.templates.conflicts, gathered.result.query
        scan = scan_for_conflicts(workspace.scorer, template, query, gathered.evidence)
    paths = [source.path for source in workspace.store.list_sources()] if hierarchy else []
    return replace(
        gathered,
        conflicts=decide(merge_conflicts(found, scan.conflicts), hierarchy, paths),
        usage=gathered.usage + scan.usage,
        notices=(*gathered.notices, *scan.notices),
    )


def conflicts_beside(
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
