"""Retrieval: from a question to hits with a gate decision. No language model is called here.

The dense and the BM25 retriever run under the caller's filters and are fused into one ranking.
Every hit gets its calibrated relevance from the signals that the gate decides on. A hypothetical
answer (HyDE) may search the vectors again.

A retriever's blind spots do not count against a chunk: BM25 cannot find a chunk in another
language than the question's.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from foundry.analysis import UNKNOWN
from foundry.craft.fusion import (
    KEPT_FIRST,
    FusedHit,
    fuse,
    fuse_by_scores,
    fuse_hypothetical,
    join_rankings,
)
from foundry.craft.gate import (
    MAX_JUDGED,
    Candidate,
    compute_coverage,
    make_decision,
    score_candidates,
)
from foundry.craft.question import is_same_language
from foundry.craft.windows import cut_windows, find_focus, locate_focus
from foundry.errors import IndexMissing
from foundry.journeys.calibration import choose_gate_calibration, format_stale_notice
from foundry.journeys.question import (
    LoadedPassages,
    RankedPassage,
    analyse_question,
    choose_revisions,
    expand_terms,
    filter_sources,
    list_rare_identifiers,
    narrow_question,
    prefer_subject,
    require_query,
    spell_out_readings,
)
from foundry.journeys.relevance import rerank
from foundry.messages import Message
from foundry.models import list_key_hosts
from foundry.ports import Vectors
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

MIN_SCORES = 100
"""Candidates per retriever in z-score fusion: fewer make mean and spread unreliable (a guess)."""

COVERAGE_HITS = 5
"""Best BM25 hits of which one should cover the question: what a reader would look at (a guess)."""


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
    filters = choose_revisions(workspace, query, filters or Filters())
    # The gate judges all revisions, as it was fitted; the hits are those of the current ones.
    asked = replace(filters, without=())
    depth = 2 * top_k if filters.without else top_k
    found = retrieve(workspace, query, asked, mode, depth)
    retrieval = _drop_superseded(found, filters)
    return SearchResult(
        question=retrieval.question,
        mode=mode,
        hits=_build_hits(workspace, retrieval, mode, top_k),
        gate=_explain_filters(found, asked, mode),
        timings_ms=retrieval.timings_ms,
        notices=(
            *notices,
            *_list_readings(retrieval.question),
            *retrieval.notices,
            *_note_older(workspace, found, filters),
        ),
        ranking=_list_ids(retrieval),
        filters=filters,
    )


def _keep_section(
    ranking: Sequence[FusedHit], filters: Filters, passages: LoadedPassages
) -> list[FusedHit]:
    """Return the hits that have a part of the section that the filters name."""
    if not filters.section:
        return list(ranking)
    loaded = passages.load([hit.chunk_id for hit in ranking])
    kept = {
        chunk.id
        for chunk, _ in loaded
        if any(block.heading_path == filters.section for block in chunk.blocks)
    }
    return [hit for hit in ranking if hit.chunk_id in kept]


def _drop_superseded(found: Retrieval, filters: Filters) -> Retrieval:
    """Return what was found without passages of superseded sources."""
    pairs = list(zip(found.candidates, found.relevances, strict=True))
    kept = [pair for pair in pairs if pair[0].source.path not in filters.without]
    if len(kept) == len(pairs):
        return found
    gone = {one.chunk.id for one, _ in pairs} - {one.chunk.id for one, _ in kept}
    return replace(
        found,
        ranking=tuple(hit for hit in found.ranking if hit.chunk_id not in gone),
        candidates=tuple(one for one, _ in kept),
        relevances=tuple(relevance for _, relevance in kept),
    )


def _note_older(workspace: Workspace, found: Retrieval, filters: Filters) -> list[Message]:
    """Return a notice if the best passage is in an older revision and the latest one lacks it."""
    pairs = zip(found.relevances, found.candidates, strict=True)
    _, best = max(pairs, key=lambda pair: pair[0], default=(0.0, None))
    if best is None or best.source.path not in filters.without:
        return []
    if found.gate.decision == "no_evidence":
        return []
    # An ingest may have changed the chain since the search began.
    latest = workspace.store.list_superseded().get(best.source.path)
    newer = workspace.store.find_source(latest) if latest else None
    focus = _locate_focus(found, best.chunk)
    if newer is None or _still_says(workspace, newer, best.chunk.cut(focus.start, focus.end)):
        return []
    return [Message("search-older-says-more", path=best.source.path, newer=newer.path)]


def _still_says(workspace: Workspace, source: Source, quote: str) -> bool:
    """Whether a source still contains the words of another revision, possibly changed."""
    # Imported here: only what is superseded is compared.
    from foundry.craft.revisions import QuoteTracer
    from foundry.text.passages import find_passages

    chunks = workspace.store.source_chunks(source.id)
    passages = [passage for chunk in chunks for passage in find_passages(chunk)]
    return QuoteTracer(workspace.store.source_text(source.id), passages).trace(quote).kind != "lost"


def _list_readings(question: Question) -> list[Message]:
    """Notices on words that were searched as others too."""
    pairs = question.readings.items()
    return [Message("search-read-as", word=word, other=other) for word, other in pairs]


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
    top_k: int | None = None,
) -> SearchResult:
    """Search again, also with the vector of a hypothetical answer (HyDE, decision 23).

    It only adds: every hit of ``result`` stays, the first of them first. The scores are those of
    the question itself, and the gate's decision is unchanged. Gao et al., "Precise Zero-Shot Dense Retrieval without Relevance Labels", 2022, arXiv:2212.10496.
    """
    limit = top_k or workspace.config.retrieval.top_k
    retrieval = retrieve(
        workspace,
        result.query,
        result.filters,
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
    found = {hit.chunk.id for hit in hits}
    hits += tuple(hit for hit in result.hits if hit.chunk.id not in found)
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

    The vectors are searched with ``hypothetical``, an answer, too.
    """
    clock = _Clock()
    question = analyse_question(workspace, query)
    clock.lap("analyse")
    vector = _embed_question(workspace, question, mode)
    clock.lap("embed")
    passages = LoadedPassages(workspace.store)
    ranking = _run_retrievers(workspace, question, vector, filters, mode, passages=passages)
    narrow = narrow_question(workspace, question, filters)
    if narrow:
        ranking = join_rankings(ranking, _search_again(workspace, *narrow, mode, passages))
    ranking = _keep_section(ranking, filters, passages)
    clock.lap("channels")
    settings, limit = workspace.config.retrieval, max(top_k, MAX_JUDGED)
    read = ranking[: max(limit, settings.rerank_candidates)]
    cosines = _compare_windows(workspace, read, vector)
    chunks = [chunk for chunk, _ in passages.load([hit.chunk_id for hit in read])]
    ranking, notices = rerank(workspace, question, ranking, chunks, cosines)
    if hypothetical is not None and vector is not None:
        ranking = fuse_hypothetical(ranking, _search_hypothetical(workspace, hypothetical, filters))
    ranking = _add_parts(workspace, question, ranking, filters, mode, passages=passages)
    ranking = _keep_section(ranking, filters, passages)
    clock.lap("rerank")
    ranking, found = prefer_subject(question, ranking, limit, passages)
    new = [passage.hit for passage in found if passage.chunk.id not in cosines]
    cosines |= _compare_windows(workspace, new, vector)
    candidates = [_build_candidate(passage, cosines) for passage in found]
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
        (*notices, *workspace.store.take_notices()),
    )


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


def _embed_question(workspace: Workspace, question: Question, mode: SearchMode) -> Vectors | None:
    """The question's vector with its names as they were read; None in a search by words alone."""
    if mode == "bm25":
        return None
    return workspace.embedder.embed_query(spell_out_readings(question))


def _run_retrievers(
    workspace: Workspace,
    question: Question,
    vector: Vectors | None,
    filters: Filters,
    mode: SearchMode,
    *,
    passages: LoadedPassages,
) -> list[FusedHit]:
    """The fused ranking, best first; ``vector`` None or mode "dense" leaves one retriever out."""
    settings, store = workspace.config.retrieval, workspace.store
    least = MIN_SCORES if settings.fusion == "zscore" else 0
    if filters.section:
        # The section may be anywhere in the ranking of its source.
        least = max(least, sum(source.chunks for source in store.select_sources(filters)))
    dense: list[RetrieverHit] = []
    text: list[RetrieverHit] = []
    if vector is not None:
        model = workspace.config.embedding.model
        dense = store.search_vectors(model, vector, max(settings.top_k_dense, least), filters)
    if mode != "dense":
        terms = expand_terms(workspace, question)
        text = store.search_text(terms, max(settings.top_k_bm25, least), filters)
    cross_lingual = _find_cross_lingual(question, dense)
    if settings.fusion == "zscore":
        named = [] if mode == "dense" else _search_identifiers(workspace, question, filters, least)
        best = passages.load([hit.chunk_id for hit in named[:COVERAGE_HITS]])
        foreign = {chunk.id for chunk, _ in best if not is_same_language(question, chunk)}
        first = (*text[:MAX_JUDGED], *dense[:MAX_JUDGED])
        passages.load([hit.chunk_id for hit in first])  # most candidates, in one go
        best = passages.load([hit.chunk_id for hit in text[:COVERAGE_HITS]])
        share = compute_found_share(question, best)
        return fuse_by_scores(dense, text, share, cross_lingual | foreign, named)
    return fuse(dense, text, settings.rrf_k, cross_lingual)


def _search_identifiers(
    workspace: Workspace, question: Question, filters: Filters, limit: int
) -> list[RetrieverHit]:
    """The chunks with the question's rare identifiers, which are written alike in every language."""
    terms = list_rare_identifiers(question)
    across = bool(terms) and not {UNKNOWN, question.language}.issuperset(question.languages)
    return workspace.store.search_text(terms, limit, filters) if across else []


def _search_again(
    workspace: Workspace,
    question: Question,
    filters: Filters,
    mode: SearchMode,
    passages: LoadedPassages,
) -> list[FusedHit]:
    """The fused ranking of another question: a part, or without the names that ``filters`` stand for."""
    vector = _embed_question(workspace, question, mode)
    return _run_retrievers(workspace, question, vector, filters, mode, passages=passages)


def _add_parts(
    workspace: Workspace,
    question: Question,
    ranking: list[FusedHit],
    filters: Filters,
    mode: SearchMode,
    *,
    passages: LoadedPassages,
) -> list[FusedHit]:
    """The ranking with the best hit of each part of the question among the first, none left out."""
    found = []
    for part in question.parts:
        only = filter_sources(filters, part.sources) if part.sources else filters
        if only is not None:
            found.append(_search_again(workspace, part.question, only, mode, passages)[:1])
    first = {hit.chunk_id for hit in ranking[:KEPT_FIRST]}
    known = {hit.chunk_id: hit for hit in ranking}
    best = [known.get(hit.chunk_id, hit) for hits in found for hit in hits]
    moved = {hit.chunk_id: hit for hit in best if hit.chunk_id not in first}
    rest = [hit for hit in ranking[KEPT_FIRST:] if hit.chunk_id not in moved]
    return [*ranking[:KEPT_FIRST], *moved.values(), *rest]


def _search_hypothetical(
    workspace: Workspace, hypothetical: str, filters: Filters
) -> list[RetrieverHit]:
    """The chunks nearest to a hypothetical answer, embedded like the passages it resembles."""
    vector = workspace.embedder.embed_passages([hypothetical])[0]
    model, limit = workspace.config.embedding.model, workspace.config.retrieval.top_k_dense
    return workspace.store.search_vectors(model, vector, limit, filters)


def _find_cross_lingual(question: Question, dense: Sequence[RetrieverHit]) -> frozenset[str]:
    """The dense hits in another language than the question."""
    same = {UNKNOWN, question.language}
    if question.language == UNKNOWN or same.issuperset(question.languages):
        return frozenset()
    return frozenset(hit.chunk_id for hit in dense if hit.language not in same)


def compute_found_share(question: Question, best: Iterable[tuple[Chunk, Source]]) -> float:
    """The largest share of the question, 0–1, that one of the best BM25 hits covers."""
    return max((compute_coverage(question, of.title, chunk) for chunk, of in best), default=0.0)


def _build_candidate(passage: RankedPassage, cosines: Mapping[str, Vectors]) -> Candidate:
    """A candidate with the cosine of its nearest window."""
    hit, chunk = passage.hit, passage.chunk
    cosine = float(cosines[chunk.id].max()) if chunk.id in cosines else None
    return Candidate(chunk, passage.source, hit.score, hit.dense, hit.bm25, cosine, passage.fit)


def _compare_windows(
    workspace: Workspace, ranking: Sequence[FusedHit], vector: Vectors | None
) -> dict[str, Vectors]:
    """Chunk id → the cosines of the question and each of its windows, whichever retriever found it."""
    if vector is None or not ranking:
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
            nearness=_list_nearness(retrieval, candidate.chunk),
            fit=candidate.fit,
            notices=_describe_file(candidate.source, gone),
        )
        for candidate, relevance in pairs
    )


def _describe_file(source: Source, gone: Collection[str]) -> tuple[Message, ...]:
    """Return a notice of the other paths of a source, or that its file is gone."""
    if source.copies:
        return (Message("passage-also-in", paths=list(source.copies)),)
    return (Message("source-file-gone"),) if source.path in gone else ()


def _list_nearness(retrieval: Retrieval, chunk: Chunk) -> tuple[tuple[int, int, float], ...]:
    """The windows of a chunk with their cosines; none if they were embedded with a prefix."""
    cosines = retrieval.cosines.get(chunk.id)
    if cosines is None:
        return ()
    windows = cut_windows(chunk)
    if len(cosines) != len(windows):
        return ()
    return tuple(
        (window.start, window.end, float(cosine))
        for window, cosine in zip(windows, cosines, strict=True)
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
