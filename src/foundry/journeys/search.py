"""Retrieval: from a question to hits with a gate decision. No language model is called here.

Both channels run under the caller's filters, are fused, and every hit
gets its calibrated relevance from the same signals that the gate judges. A
hypothetical answer, written elsewhere, may search the vectors again (HyDE).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from foundry.analysis import analyse_query, detect_query_language
from foundry.craft.fusion import FusedHit
from foundry.craft.gate import (
    MAX_JUDGED,
    Candidate,
    Question,
    is_same_language,
    make_decision,
    score_candidates,
)
from foundry.craft.windows import cut_windows, find_focus, locate_focus
from foundry.errors import IndexMissing, UsageError
from foundry.journeys.calibration import choose_gate_calibration, format_stale_notice
from foundry.journeys.retrievers import run_retrievers
from foundry.ports import Vectors
from foundry.records import Chunk, Filters, Focus, GateDecision, Hit, SearchMode, SearchResult
from foundry.workspace import Workspace

MAX_QUERY_LENGTH = 10_000
"""Characters. A question is a question; longer texts are a mistake worth naming."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What both channels found: the whole fused ranking, and the judged candidates with text."""

    question: Question
    ranking: tuple[FusedHit, ...]
    candidates: tuple[Candidate, ...]
    relevances: tuple[float, ...]
    gate: GateDecision
    vector: Vectors | None
    timings_ms: Mapping[str, float]


def search(
    workspace: Workspace,
    query: str,
    *,
    filters: Filters | None = None,
    mode: SearchMode | None = None,
    top_k: int | None = None,
) -> SearchResult:
    """The hits for a query, best first, and whether they are enough to answer from.

    ``mode`` and ``top_k`` default to the configuration's. Raises ``UsageError`` for
    an empty or overlong query and ``IndexMissing`` when the configured embedding
    model has no vectors (the hard stop of specification §8).
    """
    query = require_query(query)
    mode = mode or workspace.config.retrieval.mode
    top_k = top_k or workspace.config.retrieval.top_k
    notices = require_index(workspace, mode)
    found = retrieve(workspace, query, workspace.allowed(filters), mode, top_k)
    return SearchResult(
        query=query,
        language=found.question.language,
        mode=mode,
        hits=_build_hits(workspace, found, top_k),
        gate=found.gate,
        timings_ms=found.timings_ms,
        notices=notices,
        ranking=_list_ids(found),
    )


def search_by_answer(
    workspace: Workspace,
    found: SearchResult,
    hypothetical: str,
    *,
    filters: Filters | None = None,
    top_k: int | None = None,
) -> SearchResult:
    """The search again with a hypothetical answer in the vector channel (HyDE, decision D0006).

    The text channel and the scores keep the question itself, and so does the gate: its
    decision is taken over unchanged. Gao et al., "Precise Zero-Shot Dense Retrieval
    without Relevance Labels", 2022, arXiv:2212.10496.
    """
    limit = top_k or workspace.config.retrieval.top_k
    allowed = workspace.allowed(filters)
    again = retrieve(workspace, found.query, allowed, found.mode, limit, hypothetical=hypothetical)
    known = {hit.chunk.id: hit.relevance for hit in found.hits}
    timings = {**found.timings_ms, "hyde": again.timings_ms["total"]}
    timings["total"] = round(found.timings_ms["total"] + again.timings_ms["total"], 2)
    hits = tuple(
        replace(hit, relevance=max(hit.relevance, known.get(hit.chunk.id, 0.0)))
        for hit in _build_hits(workspace, again, limit)
    )
    return replace(found, hits=hits, timings_ms=timings, ranking=_list_ids(again))


def retrieve(
    workspace: Workspace,
    query: str,
    filters: Filters,
    mode: SearchMode,
    top_k: int,
    *,
    hypothetical: str | None = None,
) -> Retrieval:
    """Search both channels, fuse, and judge; ``top_k`` candidates (at least the judged) get text.

    ``hypothetical`` stands in for the query in the vector channel, and nowhere else.
    """
    clock = _Clock()
    question = _analyse_question(workspace, query)
    clock.lap("analyse")
    vector = None if mode == "bm25" else workspace.embedder.embed_query(query)
    wanted = vector
    if hypothetical is not None and vector is not None:
        # A hypothetical answer is a passage, and is embedded like one.
        wanted = workspace.embedder.embed_passages([hypothetical])[0]
    clock.lap("embed")
    ranking = run_retrievers(workspace, question, wanted, filters, mode)
    clock.lap("channels")
    candidates = _load_candidates(workspace, ranking, max(top_k, MAX_JUDGED), vector)
    scored = score_candidates(question, candidates, choose_gate_calibration(workspace, mode))
    settings = workspace.config.retrieval
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
        vector,
        clock.timings(),
    )


def require_query(query: str, what: str = "question") -> str:
    """The query without surrounding white space. Raises ``UsageError`` if empty or overlong."""
    text = " ".join(query.split())
    if not text:
        fix = "Ask something." if what == "question" else "Say what the document is about."
        raise UsageError(f"The {what} is empty.", where=what, fix=fix)
    if len(text) > MAX_QUERY_LENGTH:
        raise UsageError(
            f"The {what} has {len(text):,} characters; {MAX_QUERY_LENGTH:,} is the most.",
            where=what,
            fix=f"Give one short {what}; put documents into sources/ and ingest them.",
        )
    return text


def require_index(workspace: Workspace, mode: SearchMode) -> tuple[str, ...]:
    """The hard stop for a missing index; a partly filled one, or a skipped step, is a notice."""
    notices: list[str] = []
    if mode != "bm25":
        notices += _check_vector_index(workspace)
    stale = format_stale_notice(workspace, mode)
    notices += [stale] if stale else []
    return tuple(notices)


def _check_vector_index(workspace: Workspace) -> list[str]:
    model = workspace.config.embedding.model
    fingerprint = workspace.store.find_index(model)
    if fingerprint is None:
        raise IndexMissing(
            f"No embeddings found for model {model}. Run foundry ingest first.",
            where="embedding.model",
            fix="Run `foundry ingest`, or `foundry index rebuild --embeddings` after a model change.",
        )
    if fingerprint != workspace.fingerprint():
        raise IndexMissing(
            f"The embeddings stored for {model} were made by another version of it.",
            where="embedding.model",
            fix="Run `foundry index rebuild --embeddings`.",
        )
    status = workspace.store.index_status(model)
    if status.pending:
        partial = f"The vector index holds {status.vectors} of {status.chunks} chunks"
        return [f"{partial}: an ingest is running or was cut short; `foundry ingest` completes it."]
    return []


def _analyse_question(workspace: Workspace, query: str) -> Question:
    languages = workspace.store.languages()
    language = detect_query_language(query)
    words = analyse_query(query, sorted(languages))
    terms = [term for word in words for term in word.terms]
    return Question(
        text=query,
        language=language,
        words=words,
        frequencies=workspace.store.document_frequencies(terms),
        chunks=sum(languages.values()),
        languages=frozenset(languages),
    )


def _load_candidates(
    workspace: Workspace, ranking: Sequence[FusedHit], limit: int, vector: Vectors | None
) -> list[Candidate]:
    """The first candidates with their text and their cosine."""
    wanted = ranking[:limit]
    chunks = {chunk.id: chunk for chunk in workspace.store.get_chunks([f.chunk_id for f in wanted])}
    identities = {chunk.source_id for chunk in chunks.values()}
    sources = {identity: workspace.store.find_source(identity) for identity in identities}
    cosines = {} if vector is None else _compute_cosines(workspace, wanted, vector)
    candidates = []
    for found in wanted:
        chunk = chunks.get(found.chunk_id)
        source = sources[chunk.source_id] if chunk else None
        # A source may be removed by another process between two reads: its hits go with it.
        if chunk and source:
            candidates.append(
                Candidate(
                    chunk,
                    source,
                    found.score,
                    found.dense,
                    found.bm25,
                    cosines.get(found.chunk_id),
                )
            )
    return candidates


def _compute_cosines(
    workspace: Workspace, wanted: Sequence[FusedHit], vector: Vectors
) -> dict[str, float]:
    """How near each candidate's nearest window is to the question, whoever found it."""
    model = workspace.config.embedding.model
    vectors = workspace.store.get_vectors(model, [found.chunk_id for found in wanted])
    return {chunk_id: float((found.windows @ vector).max()) for chunk_id, found in vectors.items()}


def _locate_focus(
    workspace: Workspace, question: Question, chunk: Chunk, vector: Vectors | None
) -> Focus:
    """Where in a chunk to look: at shared words, or where languages differ at its nearest window."""
    if vector is not None and not is_same_language(question, chunk):
        model = workspace.config.embedding.model
        found = workspace.store.get_vectors(model, [chunk.id]).get(chunk.id)
        windows = cut_windows(chunk)
        if found is not None and len(found.windows) == len(windows):
            nearest = windows[int((found.windows @ vector).argmax())]
            return locate_focus(chunk, nearest.start, nearest.end)
    terms = {term for word in question.words for term in word.terms}
    return find_focus(chunk, terms)


def _build_hits(workspace: Workspace, found: Retrieval, top_k: int) -> tuple[Hit, ...]:
    pairs = list(zip(found.candidates, found.relevances, strict=True))[:top_k]
    return tuple(
        Hit(
            chunk=candidate.chunk,
            source=candidate.source,
            focus=_locate_focus(workspace, found.question, candidate.chunk, found.vector),
            relevance=relevance,
            fused=candidate.fused,
            dense=candidate.dense,
            bm25=candidate.bm25,
        )
        for candidate, relevance in pairs
    )


def _list_ids(found: Retrieval) -> tuple[str, ...]:
    return tuple(fused.chunk_id for fused in found.ranking)


class _Clock:
    """Laps of one operation, in milliseconds."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self._laps[name] = round((now - self._last) * 1000, 2)
        self._last = now

    def timings(self) -> dict[str, float]:
        return {**self._laps, "total": round((self._last - self._start) * 1000, 2)}
