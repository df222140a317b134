"""Questions that the sources which the caller may see suggest."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from foundry.analysis.lexer import has_digit, strip_number
from foundry.errors import IndexMissing
from foundry.journeys.search import search
from foundry.messages import Language, Message, format_message
from foundry.records import Source
from foundry.text.headings import is_administrative, is_generic
from foundry.workspace import Workspace

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
