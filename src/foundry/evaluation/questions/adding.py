"""One question by hand: what is named must be there, and is looked up as an import does."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from foundry.analysis import detect_query_language
from foundry.errors import UsageError
from foundry.evaluation.questions.languages import require_language
from foundry.evaluation.questions.matching import KnownSources
from foundry.evaluation.questions.naming import DEFAULT_SET, check_id, id_of_text, require_set
from foundry.evaluation.questions.rows import NamedPlace
from foundry.evaluation.questions.values import Unusable
from foundry.journeys.search import require_query
from foundry.records import EvalQuestion, Expectation
from foundry.workspace import Workspace

_SPAN: Final = re.compile(r"(.+):(\d{1,12})-(\d{1,12})")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Where the answer stands, as it was typed. ``spans`` are ``PATH:START-END``.

    Page, section and quotes narrow the one source; quotes alone are looked for in all of them.
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
    wanted: Wanted | None = None,
    set_name: str = DEFAULT_SET,
    identity: str | None = None,
    answers: Sequence[str] = (),
    answerable: bool | None = None,
    tags: Sequence[str] = (),
    language: str | None = None,
    note: str = "",
) -> EvalQuestion:
    """Keep a question. Who names a place or an answer says by it that there is one.

    Raises ``UsageError`` for an id that another question has, an unknown source, page, section,
    language, or words that the source does not hold.
    """
    text = require_query(text)
    expected = _expected(KnownSources(workspace), wanted or Wanted())
    said = tuple(dict.fromkeys(answer.strip() for answer in answers if answer.strip()))
    if answerable is False and (expected or said):
        raise UsageError(
            "The question is marked as not answerable, and yet has a place or an answer.",
            where="--unanswerable",
            fix="Leave out --unanswerable, or the sources and answers.",
        )
    question = EvalQuestion(
        id=_identity(identity) if identity is not None else id_of_text(text),
        set=require_set(set_name),
        text=text,
        answerable=True if answerable is None and (expected or said) else answerable,
        language=require_language(language) if language else detect_query_language(text),
        expected=expected,
        answers=said,
        tags=tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip())),
        note=note.strip(),
    )
    _require_free(workspace, question)
    workspace.store.evaluation.save_questions([question])
    return question


def _identity(name: str) -> str:
    try:
        return check_id(name.strip())
    except Unusable as error:
        raise UsageError(error.reason, where="--id", fix=error.fix) from error


def _require_free(workspace: Workspace, question: EvalQuestion) -> None:
    stored = workspace.store.evaluation.list_questions(question.set)
    for one in stored:
        if one.key == question.key and one != replace(question, origin=one.origin):
            raise UsageError(
                f"There is a question {one.key} already: {one.text}",
                where="--id",
                fix=f"Give another --id, or remove it first: foundry eval remove {one.key}",
            )


def _expected(places: KnownSources, wanted: Wanted) -> tuple[Expectation, ...]:
    spans = [_span(one) for one in wanted.spans]
    names = list(dict.fromkeys([*wanted.sources, *(name for name, _ in spans)]))
    narrow = wanted.page is not None or wanted.section is not None
    if (narrow or (wanted.quotes and names)) and len(names) != 1:
        option = "--quote" if not narrow else "--page" if wanted.page is not None else "--section"
        raise UsageError(
            f"{option} needs one --source to belong to, and there are {len(names)}.",
            where=option,
            fix="Name one source; `foundry eval import` takes several places with pages.",
        )
    if wanted.quotes and not names:
        return _found_anywhere(places, wanted.quotes)
    return tuple(
        _place(places, NamedPlace(
            name, tuple(pair for of, pair in spans if of == name), wanted.quotes, wanted.page,
            wanted.section,
        ))
        for name in names
    )  # fmt: skip


def _span(text: str) -> tuple[str, tuple[int, int]]:
    match = _SPAN.fullmatch(text.strip())
    if match is None or int(match[2]) >= int(match[3]):
        raise UsageError(
            f"This span is not understood: {text!r}.",
            where="--span",
            fix="Write PATH:START-END in letters of the source's text, such as a.md:120-180.",
        )
    return match[1], (int(match[2]), int(match[3]))


def _place(places: KnownSources, named: NamedPlace) -> Expectation:
    match = places.match(named)
    if not match.known:
        raise UsageError(
            f"The source {named.source!r} is not in this project: {match.how}.",
            where="--source",
            fix=_nearest(places, named.source),
        )
    if match.problems:
        raise UsageError(
            f"The place is not there: {match.problems[0]}.",
            where=named.source,
            fix=f"See its pages, sections and words: foundry sources show {match.expected.source}",
        )
    return match.expected


def _nearest(places: KnownSources, name: str) -> str:
    paths = [source.path for source in places.sources]
    near = difflib.get_close_matches(name, paths, n=3, cutoff=0.5)
    meant = f"Did you mean {' or '.join(near)}? " if near else ""
    return f"{meant}`foundry sources list` shows them all."


def _found_anywhere(places: KnownSources, quotes: Sequence[str]) -> tuple[Expectation, ...]:
    """The places of quotes whose source was not named."""
    found: dict[str, Expectation] = {}
    for quote in quotes:
        holding = [one for one in places.sources if places.holds(one, quote)]
        if not holding:
            raise UsageError(
                f"No source holds the words {quote!r}.",
                where="--quote",
                fix="Copy them from the source's text; `foundry search` shows passages of it.",
            )
        for source in holding:
            match = places.match(NamedPlace(source.path, quotes=(quote,))).expected
            before = found.get(source.path)
            spans = (*before.spans, *match.spans) if before else match.spans
            found[source.path] = replace(match, spans=tuple(sorted(set(spans))))
    return tuple(found.values())
