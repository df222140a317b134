"""Prefixes by a language model: several chunks of a source per request, several requests at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foundry.craft.prefixes import (
    MAX_SURROUNDING_TOKENS,
    build_prefix_prompt,
    build_prefix_schema,
    parse_prefixes,
)
from foundry.craft.prompting import LANGUAGE_NAMES
from foundry.journeys.enrichment.budgeted_model import BudgetedModel
from foundry.journeys.enrichment.cache import save_prefix
from foundry.messages import Message
from foundry.models import build_schema_instruction, map_calls
from foundry.ports import Progress, Step
from foundry.records import Chunk, Estimate, Source
from foundry.workspace import Workspace

MAX_CHUNKS = 8
"""Chunks per request (a guess): few enough that one failed reply loses little."""

REPLY_TOKENS = 100
"""Tokens of reply per chunk: a prefix of 60 and its id, with a margin."""

EXPECTED_TOKENS = 60
"""Tokens of a prefix in a cost estimate: the length that the prompt asks for."""

_FRAME_TOKENS = 64
_MARK_SHARE = 1.25
"""Line marks make a chunk this much longer in the prompt (a guess)."""
_TOKENS_PER_CHUNK = 16
"""Marks, number and blank lines around each chunk."""
_CHUNKS_SHARE = 0.6
"""Share of the window for the chunks (a guess); the rest is for the text around them."""
_MIN_CHUNK_TOKENS = 300
"""Space for one ordinary chunk (a guess)."""


@dataclass(frozen=True, slots=True)
class PrefixBatch:
    """Chunks of one source for one request.

    ``longest`` limits each chunk, ``room`` all of them with the surrounding text, in tokens;
    ``prompt_tokens`` estimates the whole request.
    """

    source: Source
    chunks: tuple[str, ...]
    longest: int
    room: int
    prompt_tokens: int


@dataclass(frozen=True, slots=True)
class _RequestBudget:
    """Tokens of a request; ``fixed`` is the part of template, schema and frame."""

    whole: int
    fixed: int

    @property
    def chunks(self) -> int:
        return int((self.whole - self.fixed) * _CHUNKS_SHARE)


def find_request_budget(workspace: Workspace, model: BudgetedModel) -> _RequestBudget | None:
    """The budget within the model's window; None if not even one chunk fits."""
    count = workspace.count_tokens
    schema = count(build_schema_instruction(build_prefix_schema(MAX_CHUNKS)))
    room = _RequestBudget(model.room, count(workspace.templates.prefixes) + schema + _FRAME_TOKENS)
    return room if room.chunks >= _MIN_CHUNK_TOKENS else None


def cut_batches(
    source: Source, chunks: Sequence[Chunk], missing: set[str], room: _RequestBudget
) -> Iterator[PrefixBatch]:
    """The chunks without a prefix in batches that fit, in reading order."""
    whole = sum(chunk.tokens for chunk in chunks)
    batch: list[Chunk] = []
    used = 0
    for chunk in (chunk for chunk in chunks if chunk.id in missing):
        takes = int(chunk.tokens * _MARK_SHARE) + _TOKENS_PER_CHUNK + REPLY_TOKENS
        if batch and (used + takes > room.chunks or len(batch) == MAX_CHUNKS):
            yield _build_batch(source, batch, used, whole, room)
            batch, used = [], 0
        batch.append(chunk)
        used += min(takes, room.chunks)
    if batch:
        yield _build_batch(source, batch, used, whole, room)


def _build_batch(
    source: Source, chunks: Sequence[Chunk], used: int, whole: int, room: _RequestBudget
) -> PrefixBatch:
    replies = REPLY_TOKENS * len(chunks)
    left = room.whole - room.fixed - used
    rest = int((whole - sum(chunk.tokens for chunk in chunks)) * _MARK_SHARE) + _TOKENS_PER_CHUNK
    around = max(0, min(MAX_SURROUNDING_TOKENS, left, rest))
    return PrefixBatch(
        source,
        tuple(chunk.id for chunk in chunks),
        longest=int(room.chunks / _MARK_SHARE) - REPLY_TOKENS,
        room=room.whole - room.fixed - replies,
        prompt_tokens=room.fixed + used - replies + around,
    )


def estimate_prefixes(batches: Sequence[PrefixBatch]) -> Estimate:
    """Calls and tokens of the batches, without their cost."""
    prompts = sum(batch.prompt_tokens for batch in batches)
    chunks = sum(len(batch.chunks) for batch in batches)
    return Estimate(len(batches), prompts, EXPECTED_TOKENS * chunks)


def write_prefixes(
    workspace: Workspace, model: BudgetedModel, batches: Sequence[PrefixBatch], progress: Progress
) -> int:
    """Ask for every batch and cache each reply at once; returns the number of new prefixes."""
    total = sum(len(batch.chunks) for batch in batches)
    written = done = 0

    def ask(batch: PrefixBatch) -> tuple[int, PrefixBatch]:
        return _request_prefixes(workspace, model, batch), batch

    # Replies are not collected: each is in the database before the next request begins.
    waiting = (batch for batch in batches if model.stopped is None)
    for count, batch in map_calls(ask, waiting, workspace.config.models.max_concurrency):
        written += count
        done += len(batch.chunks)
        progress(Step("prefixes", done, total, "chunks", batch.source.path))
    return written


def _request_prefixes(workspace: Workspace, model: BudgetedModel, batch: PrefixBatch) -> int:
    store, count = workspace.store, workspace.count_tokens
    chunks = store.get_chunks(batch.chunks)
    if not chunks:
        return 0
    prompt = build_prefix_prompt(
        workspace.templates.prefixes,
        chunks,
        text=store.source_text(batch.source.id),
        title=batch.source.title,
        language=LANGUAGE_NAMES.get(batch.source.language, "the language of the document"),
        count=count,
        longest=batch.longest,
        room=batch.room,
    )
    reply = model.ask(
        prompt,
        schema=build_prefix_schema(len(chunks)),
        max_tokens=REPLY_TOKENS * len(chunks) + _FRAME_TOKENS,
    )
    if reply is None:
        return 0
    prefixes = parse_prefixes(reply.data, chunks, count)
    for chunk in chunks:
        if chunk.id in prefixes:
            save_prefix(workspace, batch.source, chunk, prefixes[chunk.id])
    if reply.data is None:
        model.note(Message("enrich-not-json"))
    elif len(prefixes) < len(chunks):
        model.note(Message("enrich-incomplete", number=len(prefixes), total=len(chunks)))
    return len(prefixes)
