"""The first hits in the order of a model that reads them with the question.

It looks at a few hits only and removes none. If it fails, the fused order stays, with a notice.
``auto`` asks the built-in reranker where one of the best hits is in another language than the
question: words cannot order those, and within a language it gains too little for what it costs
(decision 34).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from foundry.config import BUILTIN_RERANKER
from foundry.craft.fusion import FusedHit, fuse_reranked
from foundry.craft.gate import is_same_language
from foundry.craft.windows import cut_windows, find_focus
from foundry.errors import ConfigError, ModelError
from foundry.messages import Message
from foundry.ports import Vectors
from foundry.records import Chunk, Question
from foundry.workspace import Workspace

_WINDOWS, _MORE_WINDOWS = 1, 4
"""The nearest windows that the built-in reranker and others read: it took 30 ms for each, and a
second one gained nothing. A cross-encoder gets a passage of about 300 tokens (a guess)."""

_BEST = 5
"""Of the fused hits: with the first ten it ran for 77 % of the example's questions instead of 54 %, and
gained as much (decision 34)."""

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
