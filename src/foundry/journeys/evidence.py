"""From a search to evidence: HyDE, relevance scoring, the token budget, contradictions.

Runs after the gate and never opens a closed one; it may leave nothing. A step whose model is
missing or fails is skipped with a notice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from foundry.analysis import fold
from foundry.analysis.lexer import has_digit
from foundry.analysis.sketches import is_nearly_identical
from foundry.craft.conflicts import find_leading_paths
from foundry.craft.conflicts.resolution import SourceOrder, is_later, order_sources
from foundry.craft.context import select_evidence
from foundry.craft.fusion import KEPT_FIRST
from foundry.craft.prompting import LANGUAGE_NAMES, render_evidence
from foundry.errors import ModelError
from foundry.journeys.question import filter_sources
from foundry.journeys.relevance import RelevanceScores, order_hits, score_hits
from foundry.journeys.search import search, search_by_answer
from foundry.messages import Message
from foundry.ports import ChatMessage
from foundry.prompts import fill, truncate_to_sentence
from foundry.records import (
    Conflict,
    DroppedHit,
    Evidence,
    Hit,
    SearchResult,
    Source,
    Usage,
)
from foundry.text.names import find_names
from foundry.workspace import Workspace

_PUNCTUATION = "\"'“”‘’«»()[]*_.,;:!?"

_MAX_HYDE_REPLY = 160
_MAX_HYDE_TOKENS = 120
"""In each language; the prompt asks for fewer than 100, and a longer text is cut after a sentence."""

_HYDE_LANGUAGES = 2

NEARLY_BEST = 0.5
"""Share of the best relevance below which a model reads no further passage. Of 480 written questions in
six groups of documents, the gold passage is in the prompt for .927 with all that fits (7,627 tokens) and
with this (5,729). Three quarters, chosen on 260 of them (.935), lost it for .023 of the other 220."""


@dataclass(frozen=True, slots=True)
class HydeText:
    """The text to search with; empty if the step was skipped, with the reason in ``notices``."""

    text: str = ""
    usage: Usage = field(default_factory=Usage)
    notices: tuple[Message, ...] = ()


def _write_hyde_text(workspace: Workspace, question: str, result: SearchResult) -> HydeText:
    """What a manual might answer, written by ``retrieval.hyde_model`` (decision 23).

    In the languages of what was found, as its vector is compared with those passages. Called after
    the gate has opened; skipped in a mode without vectors.
    """
    mode = result.mode
    if not workspace.config.retrieval.hyde or mode == "bm25":
        return HydeText()
    model = workspace.hyde_model
    if model is None:
        configured = workspace.config.retrieval.hyde_model
        return _skip_hyde(Message("evidence-hyde-model", model=configured))
    found = Counter(hit.chunk.language for hit in result.hits).most_common(_HYDE_LANGUAGES)
    names = [LANGUAGE_NAMES[code] for code, _ in found if code in LANGUAGE_NAMES]
    language = ", and once more in ".join(names) or "the question's language"
    values = {"question": question, "language": language}
    message = ChatMessage("user", fill(workspace.templates.hyde, values))
    try:
        reply = model.generate([message], max_tokens=_MAX_HYDE_REPLY * max(len(names), 1))
    except ModelError as error:
        return _skip_hyde(error.problem)
    most = _MAX_HYDE_TOKENS * max(len(names), 1)
    text = truncate_to_sentence(drop_inventions(reply.text, question), most, workspace.count_tokens)
    if not text:
        return HydeText("", reply.usage, _skip_hyde(Message("evidence-hyde-empty")).notices)
    # A reply that was cut off at its limit is as good as any.
    return HydeText(text, reply.usage)


def drop_inventions(text: str, question: str) -> str:
    """The text on one line, without the numbers and names that the question does not mention.

    They are guesses of the model, and would find the passages of another value or product.
    """
    asked = fold(question)
    invented = {name.text for name in find_names(text) if name.key not in asked}
    words = (word for word in text.split() if word.strip(_PUNCTUATION) not in invented)
    return " ".join(
        word for word in words if not has_digit(word) or fold(word.strip(_PUNCTUATION)) in asked
    )


def _skip_hyde(reason: Message) -> HydeText:
    return HydeText(notices=(Message("evidence-hyde-skipped", reason=reason),))


@dataclass(frozen=True, slots=True)
class GatheredEvidence:
    """Evidence and how it was found; without evidence, ``reasons`` say why.

    ``result`` is the search with the hits of HyDE and the gate's decision on the raw question, ``hyde``
    the text that it searched with.
    ``scores`` are by chunk id, ``models`` by step. ``notices`` are those of this step alone.
    """

    result: SearchResult
    evidence: tuple[Evidence, ...] = ()
    dropped: tuple[DroppedHit, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    reasons: tuple[Message, ...] = ()
    usage: Usage = field(default_factory=Usage)
    models: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[Message, ...] = ()
    hyde: str = ""


def gather_evidence(
    workspace: Workspace,
    result: SearchResult,
    *,
    asked: str = "",
    hierarchy: Sequence[str] = (),
    conflicts: bool = True,
    max_chunks: int | None = None,
) -> GatheredEvidence:
    """What a writer may use for the query of ``result``; a closed gate costs no model call.

    ``asked`` replaces the query in prompts, where the query is not a full question.
    ``hierarchy`` lists patterns of source paths, the most trusted first, to resolve conflicts.
    Of passages with the same words the source is cited that it names first, else the newest.
    Without ``conflicts`` they are left to ``add_conflicts``, for a writer that needs none.
    ``max_chunks`` is by default ``retrieval.max_context_chunks``.
    """
    if result.gate.decision == "no_evidence":
        return GatheredEvidence(result, reasons=result.gate.reasons)
    asked = asked or result.query
    hyde = _write_hyde_text(workspace, asked, result)
    if hyde.text:
        depth = max(len(result.hits), 1)
        result = search_by_answer(workspace, result, hyde.text, top_k=depth)
    hits, unlikely = _split_hits(workspace, result)
    leading = _find_leading_hit(workspace, result, hits, hierarchy)
    order = order_sources(asked, (hit.source for hit in hits), hierarchy)
    gathered = _select_within_budget(
        workspace,
        result,
        hits,
        leading,
        hyde=hyde,
        asked=asked,
        order=order,
        max_chunks=max_chunks or workspace.config.retrieval.max_context_chunks,
    )
    gathered = replace(gathered, dropped=(*gathered.dropped, *unlikely))
    if not (gathered.evidence and conflicts):
        return gathered
    return add_conflicts(workspace, gathered, asked=asked, hierarchy=hierarchy)


def _split_hits(
    workspace: Workspace, result: SearchResult
) -> tuple[Sequence[Hit], list[DroppedHit]]:
    """The hits to choose from by rank, and those that are dropped for their relevance.

    A model reads the first and what is nearly as relevant as the best: more costs tokens, and
    gives it more to get wrong. Without a model, the best by rank and what reaches the gate's threshold
    may be shown, and nothing about another thing than the question names where there is something
    about that.
    """
    best = max((hit.relevance for hit in result.hits), default=0.0)
    writes = workspace.generator is not None
    least = NEARLY_BEST * best if writes else workspace.config.retrieval.min_score
    kept, dropped = list[Hit](), list[DroppedHit]()
    fitting = not writes and any(hit.fit.verdict == "fits" for hit in result.hits)
    for rank, hit in enumerate(result.hits, start=1):
        if hit.fit.verdict == "other" and hit.fit.reason and fitting:
            dropped.append(DroppedHit(hit, hit.fit.reason))
        elif rank <= KEPT_FIRST or hit.relevance >= least:
            kept.append(hit)
        else:
            shown, limit = _round_apart(hit.relevance, least)
            reason = Message("passage-unlikely", relevance=shown, threshold=limit)
            dropped.append(DroppedHit(hit, reason))
    return kept, dropped


def _round_apart(relevance: float, least: float) -> tuple[float, float]:
    """Both with two decimals, or as many as it takes to tell them apart, at most six."""
    pairs = [(round(relevance, digits), round(least, digits)) for digits in range(2, 7)]
    return next((pair for pair in pairs if pair[0] < pair[1]), pairs[-1])


def _find_leading_hit(
    workspace: Workspace,
    result: SearchResult,
    hits: Sequence[Hit],
    hierarchy: Sequence[str],
) -> Hit | None:
    """The best likely hit of the sources first in the hierarchy, searched for if none was found."""
    paths = [source.path for source in workspace.store.outline_sources()] if hierarchy else []
    leading = find_leading_paths(hierarchy, paths)
    if not leading:
        return None
    found = [hit for hit in hits if hit.source.path in leading]
    narrowed = filter_sources(result.filters, leading)
    if not found and narrowed is not None:
        only = search(workspace, result.query, filters=narrowed, mode=result.mode, top_k=1)
        found = list(only.hits)
    least = workspace.config.retrieval.min_score
    return next((hit for hit in found if hit.relevance >= least), None)


def _place_leading(hits: Sequence[Hit], leading: Hit | None) -> Sequence[Hit]:
    """The hits with the leading one no later than third, where every budget reaches it."""
    if leading is None:
        return hits
    others = [hit for hit in hits if hit.chunk.id != leading.chunk.id]
    first = KEPT_FIRST - 1
    if leading in hits[:first]:
        return hits
    return [*others[:first], leading, *others[first:]]


def _select_within_budget(
    workspace: Workspace,
    result: SearchResult,
    hits: Sequence[Hit],
    leading: Hit | None,
    *,
    hyde: HydeText,
    asked: str,
    order: SourceOrder,
    max_chunks: int,
) -> GatheredEvidence:
    retrieval = workspace.config.retrieval
    hits = _place_leading(hits, leading)
    scores = score_hits(workspace, asked, hits)
    parts = len(result.question.parts)
    low = _find_low_scores(hits, scores, retrieval.relevance_threshold, keep=parts)
    low_ids = {item.hit.chunk.id for item in low}
    ranked = [hit for hit in order_hits(hits, scores.values) if hit.chunk.id not in low_ids]
    selection = select_evidence(
        _place_leading(ranked, leading) if leading in ranked else ranked,
        max_chunks=max_chunks,
        token_budget=workspace.config.generation.token_budget,
        cost=_choose_cost(workspace),
        rank=order.rank,
        doubles=_group_doubles(workspace, [hit.source for hit in ranked]),
    )
    others = (
        replace(item, score=scores.values.get(item.hit.chunk.id)) for item in selection.dropped
    )
    return GatheredEvidence(
        result=result,
        evidence=selection.evidence,
        dropped=(*low, *others),
        scores=scores.values,
        reasons=() if selection.evidence else _explain_empty(low, selection.dropped),
        usage=hyde.usage + scores.usage,
        models=_list_models(workspace, hyde, scores),
        notices=(*hyde.notices, *scores.notices),
        hyde=hyde.text,
    )


def _group_doubles(workspace: Workspace, sources: Sequence[Source]) -> dict[str, str]:
    """Source id → the first of the sources that it is nearly identical to; not its other revisions."""
    known = {source.id: source for source in sources}
    sketches = workspace.store.list_sketches(known) if len(known) > 1 else {}
    groups: dict[str, str] = {}
    for one, other in combinations(filter(sketches.get, known), 2):
        revised = is_later(known[one], known[other]) is not None
        if not revised and is_nearly_identical(sketches[one], sketches[other]):
            groups[other] = groups.setdefault(one, one)
    return groups


def _choose_cost(workspace: Workspace) -> Callable[[Hit], int]:
    """The tokens of a hit in a prompt; 0 for the built-in writer, which reads no prompt."""
    if workspace.generator is None:
        return lambda _: 0
    count = workspace.count_tokens
    return lambda hit: count(render_evidence(Evidence("S1", hit)))


def _find_low_scores(
    hits: Sequence[Hit], scores: RelevanceScores, threshold: float, *, keep: int
) -> list[DroppedHit]:
    """The hits that the scorer puts below ``retrieval.relevance_threshold``.

    Of a question in parts as many of the best stay, as each part may rest on a source of its own, and
    the scorer judged them against the whole; none if it finds none of any use.
    """
    best = sorted(hits, key=lambda hit: -scores.values.get(hit.chunk.id, 0.0))[:keep]
    useful = any(score >= threshold for score in scores.values.values())
    kept = {hit.chunk.id for hit in best} if useful else set()
    dropped = []
    for hit in hits:
        score = scores.values.get(hit.chunk.id)
        if score is not None and score < threshold and hit.chunk.id not in kept:
            reason = Message("passage-low-score", score=score, threshold=threshold)
            dropped.append(DroppedHit(hit, reason, score))
    return dropped


def _explain_empty(low: Sequence[DroppedHit], rest: Sequence[DroppedHit]) -> tuple[Message, ...]:
    if low and not rest:
        return (Message("evidence-all-low", number=len(low)),)
    return (Message("evidence-over-budget"),)


def _list_models(workspace: Workspace, hyde: HydeText, scores: RelevanceScores) -> dict[str, str]:
    retrieval = workspace.config.retrieval
    models = {"hyde": retrieval.hyde_model} if hyde.text else {}
    return {**models, "scorer": retrieval.scorer_model} if scores.asked else models


def add_conflicts(
    workspace: Workspace,
    gathered: GatheredEvidence,
    *,
    asked: str = "",
    hierarchy: Sequence[str] = (),
) -> GatheredEvidence:
    """Add the contradictions in the evidence, found by rules and by the scorer's model."""
    # Imported here: a search compares no passages.
    from foundry.craft.conflicts import find_conflicts, merge_conflicts
    from foundry.journeys.contradictions import (
        ConflictScan,
        resolve_by_hierarchy,
        scan_for_conflicts,
    )

    conflicts = find_conflicts(gathered.evidence, workspace.glossary)
    scan = ConflictScan()
    if workspace.scorer is not None:
        template, query = workspace.templates.conflicts, asked or gathered.result.query
        scan = scan_for_conflicts(
            workspace.scorer, template, query, gathered.evidence, workspace.glossary
        )
    merged = merge_conflicts(conflicts, scan.conflicts)
    return replace(
        gathered,
        conflicts=resolve_by_hierarchy(workspace, merged, hierarchy),
        usage=gathered.usage + scan.usage,
        notices=(*gathered.notices, *scan.notices),
    )
