"""Questions drafted by a language model: several passages asked about at the same time.

What a model writes is held against the passage: without a quote that stands in it exactly, a
question is dropped. The passage stands in the prompt as data, marked line by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from foundry.craft.prefixes import truncate_to_tokens
from foundry.craft.prompting import LANGUAGE_NAMES
from foundry.evaluation.questions.drafting.proposals import Proposal, Skipped, Span
from foundry.evaluation.questions.matching import find_quote
from foundry.journeys.enrichment.budgeted_model import BudgetedModel
from foundry.models import build_schema_instruction, map_calls
from foundry.ports import Progress, Step
from foundry.prompts import fill
from foundry.prompts.schemas import TEXT, build_list, build_object
from foundry.records import Block, Chunk, Source
from foundry.text.spotlight import clean_line, mark_lines, unescape
from foundry.workspace import Workspace

PER_QUESTION = 160
"""Tokens that a reply may have for a question with its answer and quote."""

MOST_AT_ONCE = 3
"""Questions asked for of one passage."""

_FRAME = 64
_LEAST = 200
_MARKED = 1.25
_LONGEST, _LONGEST_QUOTE = 400, 1_200
_SPEAKS_OF_TEXT = re.compile(
    r"\b(?:(?:this|the) (?:passage|text|document|excerpt|paragraph|section above)"
    r"|(?:deze|de|dit|het) (?:passage|tekst|fragment|document|alinea))\b",
    re.IGNORECASE,
)

SCHEMA = build_object(questions=build_list(build_object(question=TEXT, answer=TEXT, quote=TEXT)))


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk to ask about, and for how many questions."""

    source: Source
    chunk: Chunk
    number: int


def draft_by_model(
    workspace: Workspace, asker: BudgetedModel, passages: Sequence[Passage], progress: Progress
) -> tuple[list[Proposal], list[Skipped]]:
    """The questions of all passages, in their order, and what was dropped of the replies."""
    proposals: list[Proposal] = []
    skipped: list[Skipped] = []
    most = workspace.config.models.max_concurrency

    def ask(passage: Passage) -> tuple[list[Proposal], list[Skipped]]:
        return _ask(workspace, asker, passage)

    waiting = (passage for passage in passages if asker.stopped is None)
    for done, (found, dropped) in enumerate(map_calls(ask, waiting, most), 1):
        proposals += found
        skipped += dropped
        progress(Step("draft", done, len(passages), "passages"))
    return proposals, skipped


def drafting_prompt(
    template: str, text: str, *, title: str, heading: str, language: str, number: int
) -> str:
    """The request for questions about a passage; its words, title and heading are marked."""
    document = mark_lines(f"Title: {title}\nSection: {heading}\n{text}", "D")
    named = LANGUAGE_NAMES.get(language, "the language of the passage")
    return fill(template, {"document": document, "number": str(number), "language": named})


def _ask(
    workspace: Workspace, asker: BudgetedModel, passage: Passage
) -> tuple[list[Proposal], list[Skipped]]:
    count, chunk = workspace.count_tokens, passage.chunk
    template = workspace.templates.questions
    reply_tokens = PER_QUESTION * passage.number + _FRAME
    fixed = count(template) + count(build_schema_instruction(SCHEMA)) + reply_tokens + _FRAME
    room = int((asker.room - fixed) / _MARKED)
    if room < _LEAST:
        asker.note("Its window is too small for a passage of the sources.")
        return [], []
    prompt = drafting_prompt(
        template,
        truncate_to_tokens(chunk.content, room, count),
        title=passage.source.title,
        heading=chunk.heading_path[-1] if chunk.heading_path else "",
        language=chunk.language,
        number=passage.number,
    )
    reply = asker.ask(prompt, max_tokens=reply_tokens, schema=SCHEMA)
    if reply is None:
        return [], []
    if reply.data is None:
        asker.note("Its reply was no JSON object of the kind that was asked for.")
        return [], []
    proposals: list[Proposal] = []
    skipped: list[Skipped] = []
    for one in _read(reply.data, passage):
        (proposals if isinstance(one, Proposal) else skipped).append(one)  # type: ignore[arg-type]
    return proposals[: passage.number], skipped


def _read(data: Mapping[str, Any], passage: Passage) -> Iterator[Proposal | Skipped]:
    entries = data.get("questions")
    for entry in entries if isinstance(entries, list) else ():
        if not isinstance(entry, Mapping):
            continue
        question, answer, quote = (
            clean_line(unescape(str(entry.get(name) or "")))
            for name in ("question", "answer", "quote")
        )
        spans = _place(quote, passage.chunk)
        reason = _objection(question, answer, quote, spans)
        if reason or spans is None:
            yield Skipped(passage.source.path, question[:_LONGEST] or "a question", reason)
            continue
        block = _block_at(passage.chunk, spans[0])
        section = block.heading_path[-1] if block and block.heading_path else None
        yield Proposal(
            passage.source, question, answer, spans, passage.chunk.language, "model", 1.0,
            block.page if block else None, section,
        )  # fmt: skip


def _objection(question: str, answer: str, quote: str, spans: tuple[Span, ...] | None) -> str:
    """Why a question is not kept; empty where it is."""
    if not len(question.split()) >= 3 or len(question) > _LONGEST:
        return "it is no question of a usable length"
    if _SPEAKS_OF_TEXT.search(question):
        return "it speaks of the passage, which who asks has not seen"
    if not answer:
        return "it came without an answer"
    if not quote or len(quote) > _LONGEST_QUOTE:
        return "it came without a quote of usable length"
    if spans is None:
        return f"its quote does not stand in the passage: {quote[:120]}"
    return ""


def _place(quote: str, chunk: Chunk) -> tuple[Span, ...] | None:
    """Where the quote stands in the source, by the passage's own letters; the first place counts."""
    found = find_quote(chunk.text, quote)
    if not found:
        return None
    start, end = found[0]
    return ((chunk.start + start, chunk.start + end),)


def _block_at(chunk: Chunk, span: Span) -> Block | None:
    return next((b for b in chunk.blocks if b.start < span[1] and span[0] < b.end), None)
