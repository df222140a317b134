"""Both channels searched under the caller's filters, and merged into one ranking.

What a channel cannot know is not held against a chunk: words cannot find a chunk in another
language than the question's. It never judges what was found: that is the gate's.
"""

from __future__ import annotations

from collections.abc import Sequence

from foundry.analysis import UNKNOWN, split_compound
from foundry.craft.fusion import FusedHit, fuse, fuse_by_scores
from foundry.craft.gate import Question, compute_coverage, is_covered
from foundry.ports import Store, Vectors
from foundry.records import Filters, RetrieverHit, SearchMode
from foundry.workspace import Workspace

MIN_SCORES = 100
"""Candidates a channel gives where scores are added up: of fewer, mean and spread say too little."""

COVERAGE_HITS = 5
"""Best hits by words among which one should cover the question."""

MAX_SPLIT_WORDS = 20
"""Unknown words of a question that are looked for in parts; more come from a text pasted in."""


def run_retrievers(
    workspace: Workspace,
    question: Question,
    vector: Vectors | None,
    filters: Filters,
    mode: SearchMode,
) -> list[FusedHit]:
    """The merged ranking, best first; ``vector`` None or mode "dense" leaves one channel out."""
    settings, store = workspace.config.retrieval, workspace.store
    least = MIN_SCORES if settings.fusion == "zscore" else 0
    dense: list[RetrieverHit] = []
    text: list[RetrieverHit] = []
    if vector is not None:
        model = workspace.config.embedding.model
        dense = store.search_vectors(model, vector, max(settings.top_k_dense, least), filters)
    if mode != "dense":
        terms = _expand_terms(workspace, question)
        text = store.search_text(terms, max(settings.top_k_bm25, least), filters)
    apart = _find_cross_lingual(workspace, question, dense)
    if settings.fusion == "zscore":
        return fuse_by_scores(dense, text, compute_found_share(store, question, text), apart)
    return fuse(dense, text, settings.rrf_k, apart)


def _expand_terms(workspace: Workspace, question: Question) -> list[str]:
    """The question's terms, and for a word that stands in no chunk those of its parts."""
    terms = [term for word in question.words for term in word.terms]
    strange = [word.word for word in question.words if not is_covered(question, word)]
    for word in strange[:MAX_SPLIT_WORDS]:
        terms += split_compound(
            word, sorted(question.languages), workspace.store.document_frequencies
        )
    return list(dict.fromkeys(terms))


def _find_cross_lingual(
    workspace: Workspace, question: Question, dense: Sequence[RetrieverHit]
) -> frozenset[str]:
    """The chunks found by vector that are in another language than the question."""
    alike = {UNKNOWN, question.language}
    if question.language == UNKNOWN or alike.issuperset(question.languages):
        return frozenset()
    languages = workspace.store.chunk_languages([hit.chunk_id for hit in dense])
    return frozenset(chunk for chunk, language in languages.items() if language not in alike)


def compute_found_share(store: Store, question: Question, text: Sequence[RetrieverHit]) -> float:
    """How much of the question one of the best hits by words covers, 0–1; 0 without any."""
    best = store.get_chunks([hit.chunk_id for hit in text[:COVERAGE_HITS]])
    titles = {chunk.source_id: store.find_source(chunk.source_id) for chunk in best}
    sources = ((titles[chunk.source_id], chunk) for chunk in best)
    shares = (compute_coverage(question, found.title, chunk) for found, chunk in sources if found)
    return max(shares, default=0.0)
