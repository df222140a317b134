"""Prefixes by a language model: several chunks of one source in a request, many requests at once."""

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
from foundry.models import build_schema_instruction, map_calls
from foundry.ports import Progress, Step
from foundry.records import Chunk, Estimate, Source
from foundry.workspace import Workspace

MAX_CHUNKS = 8
"""Chunks in one request."""

REPLY_TOKENS = 100
"""Tokens that a reply may have for a chunk: a prefix of 60 with its id, and room."""

EXPECTED_TOKENS = 60
"""Tokens that a prefix has in an estimate."""

_FRAME_TOKENS = 64
# Marks, line ends and blank lines, as a part of a chunk's tokens, and a number for each.
_MARKED, _EACH = 1.25, 16
# Of what the window has room for, the chunks themselves may take so much.
_CHUNKS_SHARE = 0.6
_MIN_CHUNK_TOKENS = 300


@dataclass(frozen=True, slots=True)
class PrefixBatch:
    """Chunks of one source that are asked about together.

    Each may have ``longest`` tokens, and ``room`` is for all and what surrounds them.
    ``prompt_tokens`` is what the whole request takes, by estimate.
    """

    source: Source
    chunks: tuple[str, ...]
    longest: int
    room: int
    prompt_tokens: int


@dataclass(frozen=True, slots=True)
class _RequestBudget:
    """What a request may hold: ``fixed`` is template, schema and frame; all in tokens."""

    whole: int
    fixed: int

    @property
    def chunks(self) -> int:
        return int((self.whole - self.fixed) * _CHUNKS_SHARE)


def find_request_budget(workspace: Workspace, asker: BudgetedModel) -> _RequestBudget | None:
    """The room that the model's window leaves; None where not even one chunk can be asked about."""
    count = workspace.count_tokens
    schema = count(build_schema_instruction(build_prefix_schema(MAX_CHUNKS)))
    room = _RequestBudget(asker.room, count(workspace.templates.prefixes) + schema + _FRAME_TOKENS)
    return room if room.chunks >= _MIN_CHUNK_TOKENS else None


def cut_batches(
    source: Source, chunks: Sequence[Chunk], missing: set[str], room: _RequestBudget
) -> Iterator[PrefixBatch]:
    """The chunks that have no prefix yet, in reading order, in batches that fit."""
    whole = sum(chunk.tokens for chunk in chunks)
    batch: list[Chunk] = []
    used = 0
    for chunk in (chunk for chunk in chunks if chunk.id in missing):
        takes = int(chunk.tokens * _MARKED) + _EACH + REPLY_TOKENS
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
    rest = int((whole - sum(chunk.tokens for chunk in chunks)) * _MARKED) + _EACH
    around = max(0, min(MAX_SURROUNDING_TOKENS, left, rest))
    return PrefixBatch(
        source,
        tuple(chunk.id for chunk in chunks),
        longest=int(room.chunks / _MARKED) - REPLY_TOKENS,
        room=room.whole - room.fixed - replies,
        prompt_tokens=room.fixed + used - replies + around,
    )


def estimate_prefixes(batches: Sequence[PrefixBatch]) -> Estimate:
    """What the batches would take; its cost is not known here."""
    chunks = sum(len(batch.chunks) for batch in batches)
    return Estimate(
        len(batches), sum(batch.prompt_tokens for batch in batches), EXPECTED_TOKENS * chunks
    )


def write_prefixes(
    workspace: Workspace, asker: BudgetedModel, batches: Sequence[PrefixBatch], progress: Progress
) -> int:
    """Ask for every batch and keep what comes, at once; returns how many prefixes were written."""
    total = sum(len(batch.chunks) for batch in batches)
    written = done = 0

    def ask(batch: PrefixBatch) -> tuple[int, PrefixBatch]:
        return _request_prefixes(workspace, asker, batch), batch

    # Nothing is kept here: what a request brought is in the database before the next begins.
    waiting = (batch for batch in batches if asker.stopped is None)
    for found, batch in map_calls(ask, waiting, workspace.config.models.max_concurrency):
        written += found
        done += len(batch.chunks)
        progress(Step("prefixes", done, total, "chunks", batch.source.path))
    return written


def _request_prefixes(workspace: Workspace, asker: BudgetedModel, batch: PrefixBatch) -> int:
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
    reply = asker.ask(
        prompt,
        schema=build_prefix_schema(len(chunks)),
        max_tokens=REPLY_TOKENS * len(chunks) + _FRAME_TOKENS,
    )
    if reply is None:
        return 0
    found = parse_prefixes(reply.data, chunks, count)
    for chunk in chunks:
        if chunk.id in found:
            save_prefix(workspace, batch.source, chunk, found[chunk.id])
    if len(found) < len(chunks):
        asker.note(_explain_missing(len(found), len(chunks), usable=reply.data is not None))
    return len(found)


def _explain_missing(found: int, asked: int, *, usable: bool) -> str:
    if not usable:
        return "Its reply was no JSON object of the kind that was asked for."
    return f"Its reply held {found} of the {asked} prefixes that were asked for."
