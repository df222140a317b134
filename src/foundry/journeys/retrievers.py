"""The dense and the BM25 retriever under the caller's filters, fused into one ranking.

A retriever's blind spots do not count against a chunk: BM25 cannot find a chunk in another
language than the question's. Whether the hits are good enough is left to the gate.
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
"""Candidates per retriever in z-score fusion: fewer make mean and spread unreliable (a guess)."""

COVERAGE_HITS = 5
"""Best BM25 hits of which one should cover the question: what a reader would look at (a guess)."""

MAX_SPLIT_WORDS = 20
"""Unknown words that are split into parts; a question with more is a pasted text."""


def run_retrievers(
    workspace: Workspace,
    question: Question,
    vector: Vectors | None,
    filters: Filters,
    mode: SearchMode,
) -> list[FusedHit]:
    """The fused ranking, best first; ``vector`` None or mode "dense" leaves one retriever out."""
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
    cross_lingual = _find_cross_lingual(workspace, question, dense)
    if settings.fusion == "zscore":
        share = compute_found_share(store, question, text)
        return fuse_by_scores(dense, text, share, cross_lingual)
    return fuse(dense, text, settings.rrf_k, cross_lingual)


def _expand_terms(workspace: Workspace, question: Question) -> list[str]:
    """The question's terms, and the parts of compounds that no chunk contains."""
    terms = [term for word in question.words for term in word.terms]
    unknown = [word.word for word in question.words if not is_covered(question, word)]
    languages, frequencies = sorted(question.languages), workspace.store.document_frequencies
    for word in unknown[:MAX_SPLIT_WORDS]:
        terms += split_compound(word, languages, frequencies)
    return list(dict.fromkeys(terms))


def _find_cross_lingual(
    workspace: Workspace, question: Question, dense: Sequence[RetrieverHit]
) -> frozenset[str]:
    """The dense hits in another language than the question."""
    same = {UNKNOWN, question.language}
    if question.language == UNKNOWN or same.issuperset(question.languages):
        return frozenset()
    languages = workspace.store.chunk_languages([hit.chunk_id for hit in dense])
    return frozenset(chunk for chunk, language in languages.items() if language not in same)


def compute_found_share(store: Store, question: Question, text: Sequence[RetrieverHit]) -> float:
    """The largest share of the question, 0-1, that one of the best BM25 hits covers."""
    best = store.get_chunks([hit.chunk_id for hit in text[:COVERAGE_HITS]])
    sources = {chunk.source_id: store.find_source(chunk.source_id) for chunk in best}
    pairs = ((sources[chunk.source_id], chunk) for chunk in best)
    shares = (compute_coverage(question, source.title, chunk) for source, chunk in pairs if source)

    return max(shares, default=0.0)
