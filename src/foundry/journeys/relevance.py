"""Models that read the found passages with the question: a reranker, and a scorer.

The reranker orders the first hits before the gate decides, and removes none. If it fails, the fused
order stays, with a notice. ``auto`` asks the built-in one where one of the best hits is in another
language than the question: words cannot order those, and within a language it gains too little for
what it costs (decision 34).

The scorer is a language model that scores hits from 0 to 10, in batches, after the gate (decision
24). It only removes and reorders passages, never adds one. A passage that it does not score keeps
its rank, with a notice.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from foundry.config import BUILTIN_RERANKER
from foundry.craft.fusion import FusedHit, fuse_reranked
from foundry.craft.prompting import render_evidence
from foundry.craft.question import is_same_language
from foundry.craft.windows import cut_windows, find_focus
from foundry.errors import ConfigError, ModelError
from foundry.messages import Message
from foundry.ports import ChatMessage, CountTokens, Generator, Reply, Vectors
from foundry.prompts import NUMBER, build_choice, build_list, build_object, fill
from foundry.records import Chunk, Evidence, Hit, Question, Usage
from foundry.text.spotlight import escape_line
from foundry.workspace import Workspace

MAX_BATCH = 20
"""Passages per prompt, as many as are found: the scores of one call can be compared with each other.
What a small model leaves out is asked for again."""

_WINDOWS, _MORE_WINDOWS = 1, 4
"""The nearest windows that the built-in reranker and others read: it takes 40 ms for each, and a
second one gained nothing. A cross-encoder gets a passage of about 300 tokens (a guess)."""

_BEST = 5
"""Of the fused hits: with the first ten it ran for 77 % of the example's questions instead of 54 %, and
gained as much (decision 34)."""

_TOKENS_PER_SCORE = 24
_PROMPT_ROOM = 400
"""Tokens of a prompt besides its passages."""
_MAX_SCORE = 10.0


@dataclass(frozen=True, slots=True)
class RelevanceScores:
    """Chunk id → score (0-10) of the scored hits; ``asked`` is False if no model is configured."""

    values: Mapping[str, float] = field(default_factory=dict)
    asked: bool = False
    usage: Usage = field(default_factory=Usage)
    notices: tuple[Message, ...] = ()


def score_hits(workspace: Workspace, question: str, hits: Sequence[Hit]) -> RelevanceScores:
    """Score each hit's use for the question with ``retrieval.scorer_model``, batches in parallel."""
    scorer = workspace.scorer
    if scorer is None or not hits:
        return RelevanceScores()
    # Imported here: the built-in model needs no calls.
    from foundry.models import map_calls

    # Evidence is numbered S1, S2, … when it is chosen.
    passages = [Evidence(f"H{number}", hit) for number, hit in enumerate(hits, 1)]
    batches = split_batches(passages, workspace.count_tokens, scorer.window())
    scoring = _Scoring(scorer, workspace.templates.scorer, question)
    limit = workspace.config.models.max_concurrency
    return _merge_batches(list(map_calls(scoring.score, batches, limit)), len(hits))


def order_hits(hits: Sequence[Hit], scores: Mapping[str, float]) -> list[Hit]:
    """The hits by score; unscored ones keep their places, equal ones their order."""
    ranked = iter(
        sorted((h for h in hits if h.chunk.id in scores), key=lambda h: -scores[h.chunk.id])
    )
    return [next(ranked) if hit.chunk.id in scores else hit for hit in hits]


@dataclass(frozen=True, slots=True)
class _Batch:
    values: dict[str, float]
    usage: Usage
    missing: int = 0
    problem: Message | None = None
    notices: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class _Scoring:
    """Scores a batch; asks again once if scores are missing or out of range."""

    scorer: Generator
    template: str
    question: str

    def score(self, batch: Sequence[Evidence]) -> _Batch:
        ids = [item.id for item in batch]
        chunks = {item.id: item.hit.chunk.id for item in batch}
        passages = "\n\n".join(render_evidence(item) for item in batch)
        values = {"question": escape_line(self.question), "passages": passages}
        messages = [ChatMessage("user", fill(self.template, values))]
        usage, notices = Usage(), list[Message]()
        problem = Message("relevance-no-score")
        scores: dict[str, float] = {}
        try:
            reply = self._ask(messages, ids)
            usage += reply.usage
            notices += reply.notices
            scores |= _parse_scores(reply, ids)
            # The gateway has already retried a reply that was not an object.
            if reply.data is not None and len(scores) < len(ids):
                reply = self._ask([*messages, *_build_retry(reply, ids, scores)], ids)
                usage += reply.usage
                notices += reply.notices
                scores |= _parse_scores(reply, ids)
        except ModelError as error:
            problem = error.problem
        missing = len(ids) - len(scores)
        values_by_chunk = {chunks[key]: value for key, value in scores.items()}
        return _Batch(values_by_chunk, usage, missing, problem if missing else None, tuple(notices))

    def _ask(self, messages: Sequence[ChatMessage], ids: Sequence[str]) -> Reply:
        limit = _TOKENS_PER_SCORE * len(ids) + 100
        return self.scorer.generate(messages, schema=build_score_schema(ids), max_tokens=limit)


def build_score_schema(ids: Sequence[str]) -> dict[str, Any]:
    """The JSON Schema of a reply with scores of these passages."""
    entry = build_object(id=build_choice(ids), score=NUMBER)
    return build_object(scores=build_list(entry))


def _build_retry(
    reply: Reply, ids: Sequence[str], scores: Mapping[str, float]
) -> tuple[ChatMessage, ...]:
    missing = ", ".join(key for key in ids if key not in scores)
    request = f"Scores from 0 to 10 are missing for: {missing}. Reply again, with all of them."
    return ChatMessage("assistant", reply.text), ChatMessage("user", request)


def _parse_scores(reply: Reply, ids: Sequence[str]) -> dict[str, float]:
    """The valid scores: of a passage in the batch, in range, the first of each."""
    scores: dict[str, float] = {}
    for entry in (reply.data or {}).get("scores", ()):
        score = float(entry["score"])
        if entry["id"] in ids and 0 <= score <= _MAX_SCORE:
            scores.setdefault(entry["id"], score)
    return scores


def split_batches(
    passages: Sequence[Evidence], count: CountTokens, window: int
) -> list[Sequence[Evidence]]:
    """As few batches as possible, of equal size, that fit into half of the model's window.

    A model scores ten passages more alike as five and five than as eight and two.
    """
    room = max(window // 2 - _PROMPT_ROOM, 1)
    tokens = [count(render_evidence(item)) for item in passages]
    fewest = max(math.ceil(len(passages) / MAX_BATCH), math.ceil(sum(tokens) / room))
    size = math.ceil(len(passages) / fewest)
    batches: list[list[Evidence]] = []
    used = 0
    for item, own in zip(passages, tokens, strict=True):
        if not batches or len(batches[-1]) >= size or used + own > room:
            batches.append([])
            used = 0
        batches[-1].append(item)
        used += own
    return list(batches)


def _merge_batches(results: Sequence[_Batch], total: int) -> RelevanceScores:
    values = {key: value for result in results for key, value in result.values.items()}
    usage = sum((result.usage for result in results), Usage())
    missing = sum(result.missing for result in results)
    seen = dict.fromkeys(notice for result in results for notice in result.notices)
    notices = tuple(Message("relevance-notice", notice=notice) for notice in seen)
    if missing:
        problem = next(result.problem for result in results if result.problem)
        unscored = Message("relevance-unscored", missing=missing, total=total, problem=problem)
        notices = (unscored, *notices)
    return RelevanceScores(values, asked=True, usage=usage, notices=notices)


Reranked = tuple[list[FusedHit], tuple[Message, ...]]


def rerank(
    workspace: Workspace,
    question: Question,
    ranking: list[FusedHit],
    chunks: Sequence[Chunk],
    cosines: Mapping[str, Vectors],
) -> Reranked:
    """The ranking with its first hits in a new order, and a notice if the reranker failed.

    ``chunks`` are its first ones and ``cosines`` those of the question and each window, by chunk
    id; without cosines, ``auto`` leaves the ranking as it is.
    """
    settings = workspace.config.retrieval
    automatic = settings.reranker == "auto"
    if workspace.reranker is None or (automatic and not cosines):
        return ranking, ()
    first = [hit.chunk_id for hit in ranking[: settings.rerank_candidates]]
    chunks = [chunk for chunk in chunks if chunk.id in first]
    apart = {chunk.id for chunk in chunks if not is_same_language(question, chunk)}
    if len(chunks) < 2 or (automatic and apart.isdisjoint(first[:_BEST])):
        return ranking, ()
    model = workspace.config.reranker()
    most = _WINDOWS if model == BUILTIN_RERANKER else _MORE_WINDOWS
    passages = [_cut_passage(question, chunk, cosines.get(chunk.id), most) for chunk in chunks]
    try:
        scores = workspace.reranker.score_passages(question.text, passages)
    except (ModelError, ConfigError) as error:
        return ranking, (Message("search-not-reranked", model=model, reason=error.problem),)
    by_chunk = {chunk.id: score for chunk, score in zip(chunks, scores, strict=True)}
    return fuse_reranked(ranking, by_chunk, apart), ()


def _cut_passage(question: Question, chunk: Chunk, cosines: Vectors | None, most: int) -> str:
    """The chunk's prefix and its windows nearest to the question, in reading order."""
    windows = cut_windows(chunk)
    if cosines is not None and len(cosines) == len(windows):
        nearest: Sequence[int] = cosines.argsort()[::-1][:most].tolist()
    else:
        terms = {term for word in question.words for term in word.terms}
        start = find_focus(chunk, terms).start
        place = next((i for i, w in enumerate(windows) if w.end > start), 0)
        nearest = range(place, min(place + most, len(windows)))
    return " ".join([chunk.prefix, *(windows[place].text for place in sorted(nearest))]).strip()
