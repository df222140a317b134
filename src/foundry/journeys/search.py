"""Retrieval: from a question to hits with a gate decision. No language model is called here.

The dense and the BM25 retriever run under the caller's filters and are fused into one ranking.
Every hit gets its calibrated relevance from the signals that the gate decides on. A hypothetical
answer (HyDE) may search the vectors again.

A retriever's blind spots do not count against a chunk: BM25 cannot find a chunk in another
language than the question's.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from foundry.analysis import UNKNOWN, analyse_query, detect_query_language, split_compounds
from foundry.craft.fusion import FusedHit, fuse, fuse_by_scores
from foundry.craft.gate import (
    MAX_JUDGED,
    Candidate,
    compute_coverage,
    is_covered,
    is_same_language,
    make_decision,
    score_candidates,
)
from foundry.craft.windows import cut_windows, find_focus, locate_focus
from foundry.errors import IndexMissing, UsageError
from foundry.journeys.calibration import choose_gate_calibration, format_stale_notice
from foundry.journeys.reranker import rerank
from foundry.messages import Message
from foundry.models import list_key_hosts
from foundry.ports import StoreView, Vectors
from foundry.records import (
    Chunk,
    Filters,
    Focus,
    GateDecision,
    Hit,
    Question,
    RetrieverHit,
    SearchMode,
    SearchResult,
    Source,
)
from foundry.workspace import Workspace

MAX_QUERY_LENGTH = 10_000
"""Characters. Longer texts are pasted documents, not questions."""

MIN_SCORES = 100
"""Candidates per retriever in z-score fusion: fewer make mean and spread unreliable (a guess)."""

COVERAGE_HITS = 5
"""Best BM25 hits of which one should cover the question: what a reader would look at (a guess)."""

MAX_SPLIT_WORDS = 20
"""Unknown words that are split into parts; a question with more is a pasted text."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The fused ranking, its first candidates with text and relevance, and the gate's decision.

    ``cosines`` are those of the question and each window of a candidate, by chunk id.
    """

    question: Question
    ranking: tuple[FusedHit, ...]
    candidates: tuple[Candidate, ...]
    relevances: tuple[float, ...]
    gate: GateDecision
    cosines: Mapping[str, Vectors]
    timings_ms: Mapping[str, float]
    notices: tuple[Message, ...] = ()


def search(
    workspace: Workspace,
    query: str,
    *,
    filters: Filters | None = None,
    mode: SearchMode | None = None,
    top_k: int | None = None,
) -> SearchResult:
    """The hits for a query, best first, and whether they are enough to answer from.

    ``mode`` and ``top_k`` default to the configuration. Raises ``UsageError`` for an empty or
    overlong query and ``IndexMissing`` if the embedding model has no vectors.
    """
    query = require_query(query)
    mode = mode or workspace.config.retrieval.mode
    top_k = top_k or workspace.config.retrieval.top_k
    notices = require_index(workspace, mode)
    retrieval = retrieve(workspace, query, filters or Filters(), mode, top_k)
    return SearchResult(
        question=retrieval.question,
        mode=mode,
        hits=_build_hits(workspace, retrieval, mode, top_k),
        gate=_explain_filters(retrieval, filters or Filters(), mode),
        timings_ms=retrieval.timings_ms,
        notices=(*notices, *retrieval.notices),
        ranking=_list_ids(retrieval),
    )


def _explain_filters(retrieval: Retrieval, filters: Filters, mode: SearchMode) -> GateDecision:
    """The gate's decision; if filters left nothing to judge, that is its reason."""
    if retrieval.ranking or filters == Filters():
        return retrieval.gate
    code = "search-filters-and-words" if mode == "bm25" else "search-filters"
    return replace(retrieval.gate, reasons=(Message(code),))


def search_by_answer(
    workspace: Workspace,
    result: SearchResult,
    hypothetical: str,
    *,
    filters: Filters | None = None,
    top_k: int | None = None,
) -> SearchResult:
    """Search again with the vector of a hypothetical answer (HyDE, decision 23).

    BM25 and the scores keep the question itself, and the gate's decision is unchanged. Gao et
    al., "Precise Zero-Shot Dense Retrieval without Relevance Labels", 2022, arXiv:2212.10496.
    """
    limit = top_k or workspace.config.retrieval.top_k
    retrieval = retrieve(
        workspace,
        result.query,
        filters or Filters(),
        result.mode,
        limit,
        hypothetical=hypothetical,
    )
    known = {hit.chunk.id: hit.relevance for hit in result.hits}
    timings = {**result.timings_ms, "hyde": retrieval.timings_ms["total"]}
    timings["total"] = round(result.timings_ms["total"] + timings["hyde"], 2)
    hits = tuple(
        replace(hit, relevance=max(hit.relevance, known.get(hit.chunk.id, 0.0)))
        for hit in _build_hits(workspace, retrieval, result.mode, limit)
    )
    return replace(result, hits=hits, timings_ms=timings, ranking=_list_ids(retrieval))


def retrieve(
    workspace: Workspace,
    query: str,
    filters: Filters,
    mode: SearchMode,
    top_k: int,
    *,
    hypothetical: str | None = None,
) -> Retrieval:
    """Run the retrievers and the gate; the first ``top_k`` candidates get text, at least the judged.

    ``hypothetical`` replaces the query in the vector search only.
    """
    clock = _Clock()
    question = _analyse_question(workspace, query)
    clock.lap("analyse")
    vector = None if mode == "bm25" else workspace.embedder.embed_query(query)
    searched = vector
    if hypothetical is not None and vector is not None:
        # A hypothetical answer is embedded like the passages it should resemble.
        searched = workspace.embedder.embed_passages([hypothetical])[0]
    clock.lap("embed")
    passages = _Passages(workspace.store)
    ranking = _run_retrievers(workspace, question, searched, filters, mode, passages)
    clock.lap("channels")
    settings = workspace.config.retrieval
    depth = max(top_k, MAX_JUDGED)
    read = ranking[: max(depth, settings.rerank_candidates)]
    cosines = _compare_windows(workspace, read, vector)
    chunks = [chunk for chunk, _ in passages.load([hit.chunk_id for hit in read])]
    ranking, notices = rerank(workspace, question, ranking, chunks, cosines)
    clock.lap("rerank")
    candidates = _list_candidates(ranking[:depth], passages, cosines)
    scored = score_candidates(question, candidates, choose_gate_calibration(workspace, mode))
    gate = make_decision(
        question, scored, min_score=settings.min_score, min_chunks=settings.min_chunks
    )
    clock.lap("judge")
    return Retrieval(
        question,
        tuple(ranking),
        tuple(candidates),
        scored.relevances,
        gate,
        cosines,
        clock.list_timings(),
        notices,
    )


_EMPTY = {"question": "search-question-empty", "topic": "search-topic-empty"}
_LONG = {"question": "search-question-long", "topic": "search-topic-long"}


def require_query(query: str, what: Literal["question", "topic"] = "question") -> str:
    """The query with single spaces. Raises ``UsageError`` if it is empty or too long."""
    text = " ".join(query.split())
    if not text:
        raise UsageError(_EMPTY[what], where=what)
    if len(text) > MAX_QUERY_LENGTH:
        length, limit = len(text), MAX_QUERY_LENGTH
        raise UsageError(_LONG[what], where=what, length=length, limit=limit)
    return text


def require_index(workspace: Workspace, mode: SearchMode) -> tuple[Message, ...]:
    """Notices on a partial index or skipped step. Raises ``IndexMissing`` without an index."""
    notices: list[Message] = []
    if mode != "bm25":
        notices += _check_vector_index(workspace)
    stale = format_stale_notice(workspace, mode)
    notices += [stale] if stale else []
    return tuple(notices)


def _check_vector_index(workspace: Workspace) -> list[Message]:
    model = workspace.config.embedding.model
    status = workspace.store.index_status(model)
    if status.fingerprint is None:
        raise IndexMissing("search-no-embeddings", where="embedding.model", model=model)
    if status.fingerprint != workspace.fingerprint():
        raise IndexMissing("search-embeddings-differ", where="embedding.model", model=model)
    notices = list_key_hosts({"embedding.model": model}, workspace.settings)
    if status.pending:
        partial = Message("search-partial-index", vectors=status.vectors, chunks=status.chunks)
        notices.append(partial)
    return notices


def _analyse_question(workspace: Workspace, query: str) -> Question:
    languages = workspace.store.languages()
    language = detect_query_language(query)
    words = analyse_query(query, languages, language)
    terms = [term for word in words for term in word.terms]
    return Question(
        text=query,
        language=language,
        words=words,
        frequencies=workspace.store.document_frequencies(terms),
        chunks=sum(languages.values()),
        languages=frozenset(languages),
    )


def _run_retrievers(
    workspace: Workspace,
    question: Question,
    vector: Vectors | None,
    filters: Filters,
    mode: SearchMode,
    passages: _Passages,
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
    cross_lingual = _find_cross_lingual(question, dense)
    if settings.fusion == "zscore":
        first = (*text[:MAX_JUDGED], *dense[:MAX_JUDGED])
        passages.load([hit.chunk_id for hit in first])  # most candidates, in one go
        best = passages.load([hit.chunk_id for hit in text[:COVERAGE_HITS]])
        share = compute_found_share(question, best)
        return fuse_by_scores(dense, text, share, cross_lingual)
    return fuse(dense, text, settings.rrf_k, cross_lingual)


def _expand_terms(workspace: Workspace, question: Question) -> list[str]:
    """The question's terms, and the parts of compounds that no chunk contains."""
    terms = [term for word in question.words for term in word.terms]
    unknown = [word.word for word in question.words if not is_covered(question, word)]
    if unknown:
        languages, count = sorted(question.languages), workspace.store.document_frequencies
        terms += split_compounds(unknown[:MAX_SPLIT_WORDS], languages, count)
    return list(dict.fromkeys(terms))


def _find_cross_lingual(question: Question, dense: Sequence[RetrieverHit]) -> frozenset[str]:
    """The dense hits in another language than the question."""
    same = {UNKNOWN, question.language}
    if question.language == UNKNOWN or same.issuperset(question.languages):
        return frozenset()
    return frozenset(hit.chunk_id for hit in dense if hit.language not in same)


def compute_found_share(question: Question, best: Iterable[tuple[Chunk, Source]]) -> float:
    """The largest share of the question, 0–1, that one of the best BM25 hits covers."""
    return max((compute_coverage(question, of.title, chunk) for chunk, of in best), default=0.0)


class _Passages:
    """Chunks with their sources, each read once."""

    def __init__(self, store: StoreView) -> None:
        self._store = store
        self._chunks: dict[str, Chunk] = {}
        self._sources: dict[str, Source | None] = {}

    def load(self, ids: Sequence[str]) -> list[tuple[Chunk, Source]]:
        """In the order of the ids, without those that another process removed meanwhile."""
        missing = [i for i in dict.fromkeys(ids) if i not in self._chunks]
        if missing:
            new = self._store.get_chunks(missing)
            self._chunks |= {chunk.id: chunk for chunk in new}
            unknown = {chunk.source_id for chunk in new} - self._sources.keys()
            self._sources |= self._store.get_sources(unknown) if unknown else {}
        found = [self._chunks[i] for i in ids if i in self._chunks]
        pairs = ((chunk, self._sources.get(chunk.source_id)) for chunk in found)
        return [(chunk, source) for chunk, source in pairs if source]


def _list_candidates(
    ranking: Sequence[FusedHit], passages: _Passages, cosines: Mapping[str, Vectors]
) -> list[Candidate]:
    """The candidates of a ranking with their text and the cosine of their nearest window."""
    hits = {hit.chunk_id: hit for hit in ranking}
    candidates = []
    for chunk, source in passages.load(list(hits)):
        hit = hits[chunk.id]
        cosine = float(cosines[chunk.id].max()) if chunk.id in cosines else None
        candidates.append(Candidate(chunk, source, hit.score, hit.dense, hit.bm25, cosine))
    return candidates


def _compare_windows(
    workspace: Workspace, ranking: Sequence[FusedHit], vector: Vectors | None
) -> dict[str, Vectors]:
    """Chunk id → the cosines of the question and each of its windows, whichever retriever found it."""
    if vector is None:
        return {}
    model = workspace.config.embedding.model
    windows = workspace.store.get_windows(model, [hit.chunk_id for hit in ranking])
    return {chunk_id: own @ vector for chunk_id, own in windows.items()}


def _locate_focus(retrieval: Retrieval, chunk: Chunk) -> Focus:
    """Where to look in a chunk: at shared words, or at its nearest window across languages."""
    cosines = retrieval.cosines.get(chunk.id)
    if cosines is not None and not is_same_language(retrieval.question, chunk):
        windows = cut_windows(chunk)
        if len(cosines) == len(windows):
            nearest = windows[int(cosines.argmax())]
            return locate_focus(chunk, nearest.start, nearest.end)
    return find_focus(chunk, {term for word in retrieval.question.words for term in word.terms})


def _build_hits(
    workspace: Workspace, retrieval: Retrieval, mode: SearchMode, top_k: int
) -> tuple[Hit, ...]:
    pairs = list(zip(retrieval.candidates, retrieval.relevances, strict=True))[:top_k]
    gone = workspace.find_missing_files(candidate.source.path for candidate, _ in pairs)
    return tuple(
        Hit(
            chunk=candidate.chunk,
            source=candidate.source,
            focus=_locate_focus(retrieval, candidate.chunk),
            relevance=relevance,
            fused=candidate.fused,
            dense=candidate.dense,
            bm25=candidate.bm25,
            rated=mode == "bm25" or candidate.cosine is not None,
            notices=(Message("source-file-gone"),) if candidate.source.path in gone else (),
        )
        for candidate, relevance in pairs
    )


def _list_ids(retrieval: Retrieval) -> tuple[str, ...]:
    return tuple(hit.chunk_id for hit in retrieval.ranking)


class _Clock:
    """Lap times of one operation in milliseconds."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self._laps[name] = round((now - self._last) * 1000, 2)
        self._last = now

    def list_timings(self) -> dict[str, float]:
        return {**self._laps, "total": round((self._last - self._start) * 1000, 2)}
