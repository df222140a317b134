"""One question added by hand: every source, page, section and quote must exist."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from foundry.analysis import detect_query_language
from foundry.errors import UsageError
from foundry.evaluation.questions.fields import (
    DEFAULT_SET,
    UnusableRow,
    check_id,
    find_language,
    id_of_text,
    require_set,
)
from foundry.evaluation.questions.places import KnownSources
from foundry.evaluation.questions.rows import NamedPlace
from foundry.journeys.question import require_query
from foundry.messages import Message
from foundry.records import EvalQuestion, Expectation
from foundry.workspace import Workspace

_SPAN: Final = re.compile(r"(.+):(\d{1,12})-(\d{1,12})")


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """Where the answer is, as typed. ``spans`` are ``PATH:START-END``.

    Page, section and quotes narrow the one source; quotes alone are searched for in all sources.
    """

    sources: tuple[str, ...] = ()
    page: int | None = None
    section: str | None = None
    spans: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()


def add_question(
    workspace: Workspace,
    text: str,
    *,
    place: AnswerPlace | None = None,
    set_name: str = DEFAULT_SET,
    identity: str | None = None,
    answers: Sequence[str] = (),
    answerable: bool | None = None,
    tags: Sequence[str] = (),
    language: str | None = None,
    note: str = "",
) -> EvalQuestion:
    """Store a question; a place or an answer makes it answerable.

    Raises ``UsageError`` for an id of another question, an unknown source, page, section or
    language, and for words that the source does not contain.
    """
    stored = workspace.maintenance().evaluation
    text = require_query(text)
    expected = _resolve(KnownSources(workspace), place or AnswerPlace())
    stated = tuple(dict.fromkeys(answer.strip() for answer in answers if answer.strip()))
    if answerable is False and (expected or stated):
        raise UsageError("eval-unanswerable-with-answer", where="--unanswerable")
    question = EvalQuestion(
        id=_check_id(identity) if identity is not None else id_of_text(text),
        set=require_set(set_name),
        text=text,
        answerable=True if answerable is None and (expected or stated) else answerable,
        language=_require_language(language) if language else detect_query_language(text),
        expected=expected,
        answers=stated,
        tags=tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip())),
        note=note.strip(),
    )
    _require_free(workspace, question)
    stored.save_questions([question])
    return question


def _check_id(name: str) -> str:
    try:
        return check_id(name.strip())
    except UnusableRow as error:
        raise UsageError(error.reason, where="--id") from error


def _require_language(name: str) -> str:
    code = find_language(name)
    if code is None:
        raise UsageError("eval-language-unknown", where="--language", name=name)
    return code


def _require_free(workspace: Workspace, question: EvalQuestion) -> None:
    stored = workspace.store.evaluation.list_questions(question.set)
    for other in stored:
        if other.key == question.key and other != replace(question, origin=other.origin):
            raise UsageError("eval-id-of-another", where="--id", key=other.key, text=other.text)


def _resolve(places: KnownSources, wanted: AnswerPlace) -> tuple[Expectation, ...]:
    spans = [_parse_span(text) for text in wanted.spans]
    names = list(dict.fromkeys([*wanted.sources, *(name for name, _ in spans)]))
    narrow = wanted.page is not None or wanted.section is not None
    if (narrow or (wanted.quotes and names)) and len(names) != 1:
        option = "--quote" if not narrow else "--page" if wanted.page is not None else "--section"
        raise UsageError("eval-one-source-needed", where=option, option=option, n=len(names))
    if wanted.quotes and not names:
        return _find_anywhere(places, wanted.quotes)
    return tuple(
        _match(places, NamedPlace(
            name, tuple(pair for path, pair in spans if path == name), wanted.quotes, wanted.page,
            wanted.section,
        ))
        for name in names
    )  # fmt: skip


def _parse_span(text: str) -> tuple[str, tuple[int, int]]:
    match = _SPAN.fullmatch(text.strip())
    if match is None or int(match[2]) >= int(match[3]):
        raise UsageError("eval-span-invalid", where="--span", text=text)
    return match[1], (int(match[2]), int(match[3]))


def _match(places: KnownSources, named: NamedPlace) -> Expectation:
    match = places.match(named)
    if not match.known:
        raise UsageError(
            "eval-source-unknown",
            where="--source",
            name=named.source,
            why=match.how,
            hint=_suggest(places, named.source),
        )
    if match.problems:
        raise UsageError(
            "eval-place-unknown",
            where=named.source,
            problem=match.problems[0],
            source=match.expected.source,
        )
    return match.expected


def _suggest(places: KnownSources, name: str) -> Message | None:
    paths = [source.path for source in places.sources]
    near = difflib.get_close_matches(name, paths, n=3, cutoff=0.5)
    return Message("eval-did-you-mean", names=near) if near else None


def _find_anywhere(places: KnownSources, quotes: Sequence[str]) -> tuple[Expectation, ...]:
    """The places of quotes whose source was not named, one per source."""
    expected: dict[str, Expectation] = {}
    for quote in quotes:
        sources = [source for source in places.sources if places.contains(source, quote)]
        if not sources:
            raise UsageError("eval-quote-nowhere", where="--quote", words=quote)
        for source in sources:
            match = places.match(NamedPlace(source.path, quotes=(quote,))).expected
            before = expected.get(source.path)
            spans = (*before.spans, *match.spans) if before else match.spans
            expected[source.path] = replace(match, spans=tuple(sorted(set(spans))))
    return tuple(expected.values())
