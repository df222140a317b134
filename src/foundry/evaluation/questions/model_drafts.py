"""Questions drafted by a language model, several passages at a time.

A question is kept only with a quote that occurs exactly in its passage. The passage reaches the
prompt as data, marked line by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from foundry.craft.prefixes import truncate_to_tokens
from foundry.craft.prompting import LANGUAGE_NAMES
from foundry.evaluation.questions.places import find_quote
from foundry.journeys.enrichment.budgeted_model import BudgetedModel
from foundry.messages import Message
from foundry.models import build_schema_instruction, map_calls
from foundry.ports import Progress, Step
from foundry.prompts import fill
from foundry.prompts.schemas import TEXT, build_list, build_object
from foundry.records import Block, Chunk, Source
from foundry.text.spotlight import clean_line, mark_lines, unescape
from foundry.workspace import Workspace

TOKENS_PER_QUESTION = 160
"""Reply tokens for a question with answer and quote; large enough for a quote of two sentences."""

MAX_PER_PASSAGE = 3
"""Questions requested for one passage; a guess, so that they ask for different facts."""

_OVERHEAD_TOKENS = 64
_MIN_PASSAGE_TOKENS = 200
_MARK_FACTOR = 1.25
"""How much longer a passage becomes by the marks on its lines; a guess on the safe side."""

_MAX_QUESTION, _MAX_QUOTE = 400, 1_200
_SPEAKS_OF_TEXT = re.compile(
    r"\b(?:(?:this|the) (?:passage|text|document|excerpt|paragraph|section above)"
    r"|(?:deze|de|dit|het) (?:passage|tekst|fragment|document|alinea))\b",
    re.IGNORECASE,
)

SCHEMA = build_object(questions=build_list(build_object(question=TEXT, answer=TEXT, quote=TEXT)))

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class DraftedQuestion:
    """A question drafted from a source; one without ``spans`` has no answer in the project.

    ``kind`` becomes its tag. ``also`` are other sources with the same answer.
    """

    source: Source
    text: str
    answer: str
    spans: tuple[Span, ...]
    language: str
    kind: str
    page: int | None = None
    section: str | None = None
    also: tuple[DraftedQuestion, ...] = ()


@dataclass(frozen=True, slots=True)
class SkippedDraft:
    """Something that gave no question: in which source, what, and why."""

    source: str
    what: Message | str
    reason: Message


@dataclass(frozen=True, slots=True)
class DraftPassage:
    """A chunk to ask about, and how many questions to request."""

    source: Source
    chunk: Chunk
    number: int


def draft_by_model(
    workspace: Workspace, asker: BudgetedModel, passages: Sequence[DraftPassage], progress: Progress
) -> tuple[list[DraftedQuestion], list[SkippedDraft]]:
    """The questions of all passages in order, and the replies that were dropped."""
    questions: list[DraftedQuestion] = []
    skipped: list[SkippedDraft] = []
    most = workspace.config.models.max_concurrency

    def ask(passage: DraftPassage) -> tuple[list[DraftedQuestion], list[SkippedDraft]]:
        return _ask(workspace, asker, passage)

    waiting = (passage for passage in passages if asker.stopped is None)
    for done, (asked, dropped) in enumerate(map_calls(ask, waiting, most), 1):
        questions += asked
        skipped += dropped
        progress(Step("draft", done, len(passages), "passages"))
    return questions, skipped


def drafting_prompt(
    template: str, text: str, *, title: str, heading: str, language: str, number: int
) -> str:
    """The prompt for questions about a passage; its text, title and heading are marked as data."""
    document = mark_lines(f"Title: {title}\nSection: {heading}\n{text}", "D")
    named = LANGUAGE_NAMES.get(language, "the language of the passage")
    return fill(template, {"document": document, "number": str(number), "language": named})


def _ask(
    workspace: Workspace, asker: BudgetedModel, passage: DraftPassage
) -> tuple[list[DraftedQuestion], list[SkippedDraft]]:
    count, chunk = workspace.count_tokens, passage.chunk
    template = workspace.templates.questions
    reply_tokens = TOKENS_PER_QUESTION * passage.number + _OVERHEAD_TOKENS
    fixed = (
        count(template) + count(build_schema_instruction(SCHEMA)) + reply_tokens + _OVERHEAD_TOKENS
    )
    room = int((asker.room - fixed) / _MARK_FACTOR)
    if room < _MIN_PASSAGE_TOKENS:
        asker.note(Message("eval-draft-window-too-small"))
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
        asker.note(Message("eval-draft-reply-not-json"))
        return [], []
    items = list(_read_reply(reply.data, passage))
    questions = [item for item in items if isinstance(item, DraftedQuestion)]
    skipped = [item for item in items if isinstance(item, SkippedDraft)]
    return questions[: passage.number], skipped


def _read_reply(
    data: Mapping[str, Any], passage: DraftPassage
) -> Iterator[DraftedQuestion | SkippedDraft]:
    entries = data.get("questions")
    for entry in entries if isinstance(entries, list) else ():
        if not isinstance(entry, Mapping):
            continue
        question, answer, quote = (
            clean_line(unescape(str(entry.get(name) or "")))
            for name in ("question", "answer", "quote")
        )
        spans = _find_spans(quote, passage.chunk)
        reason = _find_flaw(question, answer, quote, spans)
        if reason is not None or spans is None:
            reason = reason or Message("eval-draft-no-quote")
            yield SkippedDraft(
                passage.source.path,
                question[:_MAX_QUESTION] or Message("eval-draft-a-question"),
                reason,
            )
            continue
        block = _find_block(passage.chunk, spans[0])
        section = block.heading_path[-1] if block and block.heading_path else None
        yield DraftedQuestion(
            passage.source, question, answer, spans, passage.chunk.language, "model",
            block.page if block else None, section,
        )  # fmt: skip


def _find_flaw(
    question: str, answer: str, quote: str, spans: tuple[Span, ...] | None
) -> Message | None:
    """Why a question is dropped; None if it is kept."""
    if not len(question.split()) >= 3 or len(question) > _MAX_QUESTION:
        return Message("eval-draft-length")
    if _SPEAKS_OF_TEXT.search(question):
        return Message("eval-draft-speaks-of-text")
    if not answer:
        return Message("eval-draft-no-answer")
    if not quote or len(quote) > _MAX_QUOTE:
        return Message("eval-draft-no-quote")
    if spans is None:
        return Message("eval-draft-quote-elsewhere", quote=quote[:120])
    return None


def _find_spans(quote: str, chunk: Chunk) -> tuple[Span, ...] | None:
    """Where the quote first occurs in the source; None if it does not."""
    matches = find_quote(chunk.text, quote)
    if not matches:
        return None
    start, end = matches[0]
    return ((chunk.start + start, chunk.start + end),)


def _find_block(chunk: Chunk, span: Span) -> Block | None:
    return next((b for b in chunk.blocks if b.start < span[1] and span[0] < b.end), None)
