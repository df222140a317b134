"""Between sources and what is asked of them: questions that sources suggest, answers that cite them.

Both are as the caller sees the project: visible sources, and log rows and drafts of the caller's role
and lower ones.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, zip_longest
from pathlib import PurePosixPath

from foundry.analysis.lexer import FOOTNOTE_MARK, has_digit, strip_number
from foundry.craft.footnotes import DraftParts, split_draft
from foundry.errors import IndexMissing
from foundry.journeys.passages.texts import TextSelector, find_selector, find_words
from foundry.journeys.search import search
from foundry.messages import Language, Message, format_message
from foundry.records import DraftRecord, QueryRecord, Quote, Source
from foundry.text.headings import is_administrative, is_generic
from foundry.workspace import Workspace

MAX_ROWS = 500
"""Latest rows of the log that are searched for citations."""
_VERSION = 1
"""Increase it when the same sources suggest other questions."""
_MAX_SOURCES = 12
"""Sources that are asked about, those with most text first. A guess: a page shows three."""
_MAX_TRIED = 15
"""Questions that are searched, some 50 ms each, before there are fewer than asked for."""
_MAX_TITLE, _MAX_WORDS, _MIN_LETTERS = 60, 8, 4
"""Longer titles and headings are sentences, shorter ones codes (as in ``evaluation.questions``)."""
_SUBTITLE = re.compile(r"\s[-–—|]\s")
"""What separates a title from its subtitle or its version."""

_LANGUAGES: dict[str, Language] = {"nl": "nl", "en": "en"}


@dataclass(frozen=True, slots=True)
class SuggestedQuestion:
    """A question that the project answers, from a heading of a source, in its language."""

    text: str
    language: str
    source_id: str


def suggest_questions(workspace: Workspace, number: int = 3) -> tuple[SuggestedQuestion, ...]:
    """At most ``number`` questions whose answer passes the gate; the same for the same sources.

    Empty without an index, and where no heading reads like one.
    """
    sources = workspace.store.list_sources()
    key = _build_key(workspace, sources, number)
    known = workspace.store.find_section(key)
    if known is not None:
        return tuple(SuggestedQuestion(**row) for row in json.loads(known))
    found: list[SuggestedQuestion] = []
    try:
        for question in _draft_questions(workspace, sources):
            if search(workspace, question.text).gate.decision == "answer":
                found.append(question)
            if len(found) == number:
                break
    except IndexMissing:
        return ()
    rows = [{"text": q.text, "language": q.language, "source_id": q.source_id} for q in found]
    workspace.store.save_section(key, json.dumps(rows))
    return tuple(found)


def _build_key(workspace: Workspace, sources: Sequence[Source], number: int) -> str:
    """A hash of all that the questions depend on, but for the wording of the search."""
    facts = [_VERSION, number, workspace.fingerprint(), workspace.config.retrieval.mode]
    facts += sorted(f"{source.id}:{source.content_hash}:{source.recipe}" for source in sources)
    return f"questions-{hashlib.sha256(json.dumps(facts).encode()).hexdigest()}"


def _draft_questions(
    workspace: Workspace, sources: Sequence[Source]
) -> Iterator[SuggestedQuestion]:
    """One question of each source in turn, then the second ones."""
    titled = [source for source in sources if 0 < len(source.title) <= _MAX_TITLE]
    titled.sort(key=lambda source: (-source.chunks, source.path))
    drafts = [_ask_headings(workspace, source) for source in titled[:_MAX_SOURCES]]
    turns = chain.from_iterable(zip_longest(*drafts))
    # Two revisions of a document suggest the same.
    questions = {question.text: question for question in turns if question}
    return iter([*questions.values()][:_MAX_TRIED])


def _ask_headings(workspace: Workspace, source: Source) -> Iterator[SuggestedQuestion]:
    language = _LANGUAGES.get(source.language, "en")
    title = _SUBTITLE.split(source.title)[0]
    seen: set[str] = set()
    for chunk in workspace.store.source_chunks(source.id):
        for heading in map(strip_number, chunk.headings):
            known = heading.casefold() in seen or heading.casefold() in source.title.casefold()
            if not known and _is_askable(heading):
                seen.add(heading.casefold())
                message = Message("page-question", title=title, heading=heading)
                text = format_message(message, language)
                yield SuggestedQuestion(text, language, source.id)


def _is_askable(heading: str) -> bool:
    return (
        len(heading.split()) <= _MAX_WORDS
        and sum(char.isalpha() for char in heading) >= _MIN_LETTERS
        and heading[0].isupper()
        and not has_digit(heading)
        and set("?!:|{}<>[]").isdisjoint(heading)
        and not is_generic(heading)
        and not is_administrative(heading)
    )


@dataclass(frozen=True, slots=True)
class CitingStatement:
    """A sentence of an answer or a draft that cites the source's text from ``start`` to ``end``.

    Of shown passages it is the line nearest to the question.

    ``id`` is that of the log row, or the draft's path; ``title`` is the question or the topic.
    """

    id: str
    time: datetime
    title: str
    sentence: str
    start: int
    end: int
    is_draft: bool = False


def find_citing(workspace: Workspace, source: Source) -> tuple[CitingStatement, ...]:
    """What cites a source among the latest answers and all drafts, the latest first.

    A quote whose words are no longer in the source, or there several times, is left out.
    """
    text = workspace.store.source_text(source.id)
    found = [
        *_list_answers(workspace.store.list_queries(MAX_ROWS), source, text),
        *_list_drafts(workspace, source, text),
    ]
    return tuple(sorted(found, key=lambda item: item.time, reverse=True))


def _list_answers(
    records: Sequence[QueryRecord], source: Source, text: str
) -> Iterator[CitingStatement]:
    for record in records:
        if record.shown is None or record.kind == "eval":
            continue
        cited = {item.id: item for item in record.shown.sources if item.source_id == source.id}
        shown = [(one.text, one.quotes) for one in record.shown.sentences]
        lines = (line for one in record.shown.passages for line in one.lines if line.nearest)
        shown += [(line.text, line.quotes) for line in lines]
        for words, quotes in shown:
            for quote in quotes:
                if quote.evidence_id in cited:
                    same = cited[quote.evidence_id].content_hash == source.content_hash
                    span = (quote.start, quote.end) if same else _find_quote(text, quote)
                    if span:
                        title = record.rewritten or record.query
                        yield CitingStatement(record.id, record.time, title, words, *span)


def _find_quote(text: str, quote: Quote) -> tuple[int, int] | None:
    span = find_selector(text, TextSelector(quote.text))
    return None if isinstance(span, Message) else span


def _list_drafts(workspace: Workspace, source: Source, text: str) -> Iterator[CitingStatement]:
    for record in workspace.store.list_drafts():
        if any(used.path == source.path for used in record.sources):
            try:
                parts = split_draft((workspace.root / record.path).read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError):
                continue
            yield from _list_notes(record, parts, source, text)


def _list_notes(
    record: DraftRecord, parts: DraftParts, source: Source, text: str
) -> Iterator[CitingStatement]:
    """The statements of a draft whose notes quote words of the source."""
    name = PurePosixPath(source.path).name
    for note in parts.definitions:
        if name not in note.place.replace("\\", ""):
            continue
        sentence = _find_statement(parts.body, f"[^{note.label}]")
        for quote in note.quotes:
            spans = find_words(text, quote.replace("\\", "").strip('“”" '), exact=True, limit=2)
            if len(spans) == 1 and sentence:
                yield CitingStatement(
                    record.path, record.created, record.topic, sentence, *spans[0], True
                )


def _find_statement(body: str, mark: str) -> str:
    """The words before a mark, from the mark before it or the start of their line; "" without one."""
    before, found, _ = body.partition(mark)
    pieces = FOOTNOTE_MARK.split(before.rpartition("\n")[2])[::2] if found else []
    return next((words for piece in reversed(pieces) if (words := piece.strip(" -*>"))), "")
