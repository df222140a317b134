"""Prefixes and summaries by a language model that is asked many times in a run, and when to stop asking.

Several chunks of a source go into one request for prefixes. A summary is of a whole document, or of
its parts and then of their summaries; those of parts are cached too, so a long document resumes where
it was interrupted. A failing server is not asked again in this run (the gateway has retried by then).
A rejected request costs only itself; a second rejection in a row stops all others.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from foundry.analysis.lexer import THINKING
from foundry.craft.prefixes import (
    MARK_SHARE,
    MAX_SURROUNDING_TOKENS,
    build_prefix_prompt,
    build_prefix_schema,
    parse_prefixes,
)
from foundry.craft.prompting import LANGUAGE_NAMES
from foundry.errors import ModelError, ModelRejected, ModelReplyInvalid
from foundry.journeys.enrichment.cache import find_cached_summary, save_cached_summary, save_prefix
from foundry.messages import Message
from foundry.models import build_schema_instruction, map_calls
from foundry.ports import ChatMessage, CountTokens, Generator, Progress, Reply, Step
from foundry.prompts import fill, truncate_to_sentence
from foundry.records import Chunk, Estimate, Source, Usage
from foundry.text.spotlight import clean_lines, mark_lines
from foundry.workspace import Workspace

TOKENIZER_MARGIN = 1.25
"""Safety factor on a model's window: its own tokenizer may count this much more than ours (a guess)."""

_MAX_REFUSALS = 2
"""Rejections in a row: one may be the fault of its prompt, two are the fault of the setup."""


@dataclass
class BudgetedModel:
    """A model with its usage and its reasons for stopping. Thread-safe."""

    generator: Generator
    usage: Usage = field(default_factory=Usage)
    stopped: Message | None = None
    _reasons: Counter[Message] = field(default_factory=Counter)
    _refusals: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def room(self) -> int:
        """Tokens of the shared tokenizer for prompt and reply together."""
        return int(self.generator.window() / TOKENIZER_MARGIN)

    def ask(
        self, prompt: str, *, max_tokens: int, schema: Mapping[str, Any] | None = None
    ) -> Reply | None:
        """The model's reply; None if there is none, with the reason noted."""
        if self.stopped is not None:
            return None
        try:
            message = ChatMessage("user", prompt)
            reply = self.generator.generate([message], schema=schema, max_tokens=max_tokens)
        except (ModelRejected, ModelReplyInvalid) as error:
            self._count_refusal(error)
            return None
        except ModelError as error:
            self._stop(error)
            return None
        with self._lock:
            self.usage += reply.usage
            self._refusals = 0
        return reply

    def note(self, reason: Message) -> None:
        """Count a reason why something was not written."""
        with self._lock:
            self._reasons[reason] += 1

    @property
    def reasons(self) -> tuple[Message, ...]:
        """Each reason once, the most frequent first."""
        with self._lock:
            counted = [
                Message("enrich-times", reason=reason, times=times) if times > 1 else reason
                for reason, times in self._reasons.most_common()
            ]
            return (*counted, *((self.stopped,) if self.stopped else ()))

    def _count_refusal(self, error: ModelError) -> None:
        with self._lock:
            self._refusals += 1
            if self._refusals >= _MAX_REFUSALS and self.stopped is None:
                self.stopped = _explain(error)
        if self.stopped is None:
            self.note(_explain(error))

    def _stop(self, error: ModelError) -> None:
        with self._lock:
            if self.stopped is None:
                self.stopped = Message("enrich-stopped", reason=_explain(error))


def _explain(error: ModelError) -> Message:
    return Message("enrich-failed", problem=error.problem)


MAX_CHUNKS = 8
"""Chunks per request (a guess): few enough that one failed reply loses little."""

REPLY_TOKENS = 100
"""Tokens of reply per chunk: a prefix of 60 and its id, with a margin."""

EXPECTED_TOKENS = 60
"""Tokens of a prefix in a cost estimate: the length that the prompt asks for."""

_FRAME_TOKENS = 64
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
        takes = int(chunk.tokens * MARK_SHARE) + _TOKENS_PER_CHUNK + REPLY_TOKENS
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
    rest = int((whole - sum(chunk.tokens for chunk in chunks)) * MARK_SHARE) + _TOKENS_PER_CHUNK
    around = max(0, min(MAX_SURROUNDING_TOKENS, left, rest))
    return PrefixBatch(
        source,
        tuple(chunk.id for chunk in chunks),
        longest=int(room.chunks / MARK_SHARE) - REPLY_TOKENS,
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


MAX_TEXT_TOKENS = 24_000
"""Tokens of text per request; longer documents go in parts even if the window is larger (a guess)."""

_REPLY_SHARE = 4
"""A summary may take 1/4 of the window, so summaries of parts are shorter than the parts."""
_MAX_DEPTH = 40
_LONGEST_TOKEN = 16
"""Characters for each token of a part, of which a longer line takes several."""


@dataclass(frozen=True, slots=True)
class SummaryLimits:
    """Tokens of a summary, of the text in one request, and of the rest of the prompt."""

    summary: int
    text: int
    fixed: int


def find_limits(workspace: Workspace, model: BudgetedModel) -> SummaryLimits | None:
    """The limits within the model's window; None if it is too small."""
    fixed = workspace.count_tokens(workspace.templates.summary) + _FRAME_TOKENS
    summary = min(workspace.config.ingest.summary_max_tokens, model.room // _REPLY_SHARE)
    text = min(model.room - fixed - _compute_reply_limit(summary), MAX_TEXT_TOKENS)
    limits = SummaryLimits(summary, text, fixed)
    # Were two summaries longer than a request, there would always be two, and never a whole one.
    least = max(_MIN_CHUNK_TOKENS, int(2 * summary * MARK_SHARE))
    return limits if limits.text >= least else None


def estimate_summaries(tokens: Iterable[int], limits: SummaryLimits) -> Estimate:
    """Calls and tokens for texts of so many marked tokens each, without their cost."""
    calls = prompt = reply = 0
    for whole in tokens:
        left = whole
        # Ends, as a request holds two summaries with their marks.
        while True:
            parts = max(1, -(-left // limits.text))
            calls, reply = calls + parts, reply + parts * limits.summary
            prompt += left + parts * limits.fixed
            if parts == 1:
                break
            left = int(parts * limits.summary * MARK_SHARE)
    return Estimate(calls, prompt, reply)


def write_summaries(
    workspace: Workspace,
    model: BudgetedModel,
    sources: Sequence[Source],
    limits: SummaryLimits,
    progress: Progress,
) -> int:
    """Ask for every source's summary and cache the replies; returns the number written."""
    most = workspace.config.models.max_concurrency
    writer = _SummaryWriter(workspace, model, limits)
    # All parts of long documents first, in parallel; then each source as a whole.
    for _ in map_calls(writer.write_part, writer.list_parts(sources), most):
        progress(Step("summaries", 0, len(sources), "sources"))
    written = 0
    waiting = (source for source in sources if model.stopped is None)
    for done, success in enumerate(map_calls(writer.write, waiting, most), 1):
        written += success
        progress(Step("summaries", done, len(sources), "sources"))
    return written


@dataclass(frozen=True)
class _SummaryWriter:
    workspace: Workspace
    model: BudgetedModel
    limits: SummaryLimits

    def list_parts(self, sources: Sequence[Source]) -> Iterator[tuple[str, str]]:
        """The parts of sources that do not fit into one request, with their language."""
        for source in sources:
            parts = self._cut(self.workspace.store.source_text(source.id))
            for part in parts if len(parts) > 1 else ():
                if self.model.stopped is not None:
                    return
                yield part, source.language

    def write_part(self, part: tuple[str, str]) -> bool:
        return self._summarise(*part) is not None

    def write(self, source: Source) -> bool:
        text = self.workspace.store.source_text(source.id)
        return self._summarise(text, source.language) is not None

    def _summarise(self, text: str, language: str, depth: int = 0) -> str | None:
        """The summary of a text, from the cache if possible."""
        summary = find_cached_summary(self.workspace, text, language)
        if summary is not None:
            return summary
        parts = self._cut(text)
        if depth > _MAX_DEPTH:
            self.model.note(Message("enrich-document-too-long"))
            return None
        if len(parts) == 1:
            summary = self._ask(parts[0], language)
        else:
            summary = self._combine(parts, language, depth)
        if summary is not None:
            save_cached_summary(self.workspace, text, language, summary)
        return summary

    def _combine(self, parts: Sequence[str], language: str, depth: int) -> str | None:
        """The summary of the parts' summaries; None as soon as one is missing."""
        summaries = []
        for part in parts:
            summary = self._summarise(part, language, depth + 1)
            if summary is None:
                return None
            summaries.append(summary)
        return self._summarise("\n\n".join(summaries), language, depth + 1)

    def _ask(self, text: str, language: str) -> str | None:
        template = self.workspace.templates.summary
        prompt = build_summary_prompt(
            template, text, language=language, max_tokens=self.limits.summary
        )
        reply = self.model.ask(prompt, max_tokens=_compute_reply_limit(self.limits.summary))
        if reply is None:
            return None
        summary = parse_summary(reply.text, self.limits.summary, self.workspace.count_tokens)
        if not summary:
            self.model.note(Message("enrich-empty"))
        return summary or None

    def _cut(self, text: str) -> list[str]:
        return cut_parts(text, self.limits.text, self.workspace.count_tokens)


def build_summary_prompt(template: str, text: str, *, language: str, max_tokens: int) -> str:
    """The request for a summary; each line of the text is marked as data."""
    values = {
        "document": mark_lines(text, "D"),
        "max_tokens": str(max_tokens),
        "language": LANGUAGE_NAMES.get(language, "the language of the document"),
    }
    return fill(template, values)


def parse_summary(reply: str, most: int, count: CountTokens) -> str:
    """The reply without reasoning, cleaned, cut after a whole sentence to ``most`` tokens."""
    return truncate_to_sentence(clean_lines(THINKING.sub("", reply)), most, count)


def count_marked_tokens(text: str, count: CountTokens) -> int:
    """Tokens of a text in a prompt, counted as ``cut_parts`` does."""
    return sum(_count_marked(line, count) for line in text.splitlines() if line.strip())


def cut_parts(text: str, most: int, count: CountTokens) -> list[str]:
    """Parts of at most ``most`` tokens each once marked, cut between lines where possible.

    Returns at least one part; only empty lines are dropped.
    """
    parts: list[list[str]] = [[]]
    used = 0
    for line in _split_lines(text, most, count):
        takes = _count_marked(line, count)
        if parts[-1] and used + takes > most:
            parts.append([])
            used = 0
        parts[-1].append(line)
        used += takes
    return ["\n".join(lines) for lines in parts]


def _split_lines(text: str, most: int, count: CountTokens) -> Iterator[str]:
    """The non-empty lines; a line longer than a part is split."""
    for line in text.splitlines():
        start = 0
        while start < len(line):
            # Counting all that is left each time would take the square of a long line's length.
            rest = line[start : start + most * _LONGEST_TOKEN]
            if (takes := _count_marked(rest, count)) > most:
                rest = rest[: len(rest) * most // (2 * takes) or 1]
            if rest.strip():
                yield rest
            start += len(rest)


def _count_marked(line: str, count: CountTokens) -> int:
    return count(mark_lines(line, "D")) + 1


def _compute_reply_limit(summary: int) -> int:
    """Tokens of a reply: a quarter more than asked for, as models do not count exactly."""
    return int(summary * 1.25) + _FRAME_TOKENS
