"""Relevance scoring: a language model scores every passage from 0 to 10, in batches (decision D0007).

It only takes away and orders: a passage that retrieval did not find cannot come in.
What a model does not score, keeps its place in the order of retrieval, and that is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from foundry.craft.prompting import render_evidence
from foundry.errors import ModelError
from foundry.models import map_calls
from foundry.ports import CountTokens, Generator, Message, Reply
from foundry.prompts import fill
from foundry.prompts.schemas import NUMBER, build_choice, build_list, build_object
from foundry.records import Evidence, Hit, Usage
from foundry.text.spotlight import escape_line
from foundry.workspace import Workspace

MAX_BATCH = 8
"""Passages in one prompt at most: with more, models begin to leave some out."""

_TOKENS_PER_SCORE = 24
_PROMPT_ROOM = 400
_MAX_SCORE = 10.0


@dataclass(frozen=True, slots=True)
class RelevanceScores:
    """Chunk id → score (0–10) of what was scored; ``asked`` is False where no model is configured."""

    values: Mapping[str, float] = field(default_factory=dict)
    asked: bool = False
    usage: Usage = field(default_factory=Usage)
    notices: tuple[str, ...] = ()


def score_hits(workspace: Workspace, question: str, hits: Sequence[Hit]) -> RelevanceScores:
    """How useful ``retrieval.scorer_model`` finds each hit for the question.

    Batches go out side by side, as many as ``models.max_concurrency`` lets through.
    """
    scorer = workspace.scorer
    if scorer is None or not hits:
        return RelevanceScores()
    passages = [Evidence(f"S{number}", hit) for number, hit in enumerate(hits, 1)]
    batches = _split_batches(passages, workspace.count_tokens, scorer.window())
    work = _Scoring(scorer, workspace.templates.scorer, question)
    limit = workspace.config.models.max_concurrency
    return _merge_batches(list(map_calls(work.score, batches, limit)), len(hits))


def order_hits(hits: Sequence[Hit], scores: Mapping[str, float]) -> list[Hit]:
    """The hits by score; one without a score keeps its place, and equal ones their order."""
    ranked = iter(
        sorted((h for h in hits if h.chunk.id in scores), key=lambda h: -scores[h.chunk.id])
    )
    return [next(ranked) if hit.chunk.id in scores else hit for hit in hits]


@dataclass(frozen=True, slots=True)
class _Batch:
    values: dict[str, float]
    usage: Usage
    missing: int = 0
    trouble: str = ""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Scoring:
    """Scores one batch: asked once, and once more where scores are missing or out of bounds."""

    scorer: Generator
    template: str
    question: str

    def score(self, batch: Sequence[Evidence]) -> _Batch:
        ids = [item.id for item in batch]
        chunks = {item.id: item.hit.chunk.id for item in batch}
        passages = "\n\n".join(render_evidence(item) for item in batch)
        values = {"question": escape_line(self.question), "passages": passages}
        asked = [Message("user", fill(self.template, values))]
        usage, notices, trouble = Usage(), list[str](), "it gave no score for them"
        found: dict[str, float] = {}
        try:
            reply = self._ask(asked, ids)
            usage += reply.usage
            notices += reply.notices
            found |= _parse_scores(reply, ids)
            # A reply that was no object at all the gateway has asked for twice already.
            if reply.data is not None and len(found) < len(ids):
                reply = self._ask([*asked, *_build_retry(reply, ids, found)], ids)
                usage += reply.usage
                notices += reply.notices
                found |= _parse_scores(reply, ids)
        except ModelError as error:
            trouble = error.message
        scored = {chunks[key]: value for key, value in found.items()}
        missing = len(ids) - len(found)
        return _Batch(scored, usage, missing, trouble if missing else "", tuple(notices))

    def _ask(self, messages: Sequence[Message], ids: Sequence[str]) -> Reply:
        limit = _TOKENS_PER_SCORE * len(ids) + 100
        return self.scorer.generate(messages, schema=build_score_schema(ids), max_tokens=limit)


def build_score_schema(ids: Sequence[str]) -> dict[str, Any]:
    """The JSON Schema of the scores of these passages."""
    entry = build_object(id=build_choice(ids), score=NUMBER)
    return build_object(scores=build_list(entry))


def _build_retry(
    reply: Reply, ids: Sequence[str], found: Mapping[str, float]
) -> tuple[Message, ...]:
    wanted = ", ".join(key for key in ids if key not in found)
    said = f"Scores from 0 to 10 are missing for: {wanted}. Reply again, with all of them."
    return Message("assistant", reply.text), Message("user", said)


def _parse_scores(reply: Reply, ids: Sequence[str]) -> dict[str, float]:
    """The scores that are what was asked for: of a passage in the batch, within bounds, once."""
    found: dict[str, float] = {}
    for entry in (reply.data or {}).get("scores", ()):
        score = float(entry["score"])
        if entry["id"] in ids and 0 <= score <= _MAX_SCORE:
            found.setdefault(entry["id"], score)
    return found


def _split_batches(
    passages: Sequence[Evidence], count: CountTokens, window: int
) -> list[Sequence[Evidence]]:
    """Passages in their order, ``MAX_BATCH`` at most together and within half of the model's window."""
    room = max(window // 2 - _PROMPT_ROOM, 1)
    batches: list[list[Evidence]] = []
    used = 0
    for item in passages:
        tokens = count(render_evidence(item))
        if not batches or len(batches[-1]) >= MAX_BATCH or used + tokens > room:
            batches.append([])
            used = 0
        batches[-1].append(item)
        used += tokens
    return list(batches)


def _merge_batches(results: Sequence[_Batch], total: int) -> RelevanceScores:
    values = {key: value for result in results for key, value in result.values.items()}
    usage = sum((result.usage for result in results), Usage())
    missing = sum(result.missing for result in results)
    said = dict.fromkeys(notice for result in results for notice in result.notices)
    notices = tuple(f"Relevance scoring: {notice}" for notice in said)
    if not missing:
        return RelevanceScores(values, asked=True, usage=usage, notices=notices)
    why = next(result.trouble for result in results if result.trouble).rstrip(".")
    left = f"{missing} of {total} passages were not scored and keep their place in the ranking"
    return RelevanceScores(values, asked=True, usage=usage, notices=(f"{left}: {why}.", *notices))
