"""Stored questions: which are meant by a name, set, tag or label; review, display and export."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from foundry.doc import Doc
from foundry.errors import UsageError
from foundry.evaluation.questions.places import KnownSources
from foundry.messages import Message
from foundry.records import CitedSpan, EvalQuestion, Expectation
from foundry.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """Keys of the questions accepted or rejected now, and of those accepted earlier."""

    accepted: Annotated[tuple[str, ...], Doc("set/id")] = ()
    rejected: Annotated[tuple[str, ...], Doc("set/id")] = ()
    before: Annotated[tuple[str, ...], Doc("set/id of a question accepted before")] = ()
    notices: Annotated[tuple[Message, ...], Doc("what was skipped or is incomplete")] = ()


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question with the current words of its spans; ``unknown`` are sources not in the project."""

    question: EvalQuestion
    quotes: tuple[CitedSpan, ...] = ()
    unknown: tuple[str, ...] = ()


def select_questions(
    workspace: Workspace,
    sets: Sequence[str] = (),
    tags: Sequence[str] = (),
    *,
    reviewed_only: bool = True,
    answerable: bool | None = None,
) -> list[EvalQuestion]:
    """The questions of these sets (default all) with any of these tags, ordered by key.

    ``answerable`` keeps those with that label. Drafts that nobody accepted are left out unless
    ``reviewed_only`` is False; ``count_unreviewed`` counts them. Raises ``UsageError`` for an
    unknown set.
    """
    stored = workspace.store.evaluation.list_questions()
    _require_known(stored, sets)
    return [
        question
        for question in stored
        if (not sets or question.set in sets)
        and (not tags or any(tag in question.tags for tag in tags))
        and (question.reviewed or not reviewed_only)
        and (answerable is None or question.answerable is answerable)
    ]


def count_unreviewed(
    workspace: Workspace, sets: Sequence[str] = (), tags: Sequence[str] = ()
) -> int:
    """How many questions of the same selection nobody has accepted yet."""
    chosen = select_questions(workspace, sets, tags, reviewed_only=False)
    return sum(not question.reviewed for question in chosen)


def choose_questions(
    workspace: Workspace, names: Sequence[str] = (), set_name: str | None = None
) -> list[EvalQuestion]:
    """The questions with these names (``set/id`` or id), else of the set, else all.

    Raises ``UsageError`` for an unknown name or set.
    """
    if names:
        return _find_named(workspace.store.evaluation.list_questions(), names)
    return select_questions(workspace, [set_name] if set_name else (), reviewed_only=False)


def get_question(workspace: Workspace, name: str) -> EvalQuestion:
    """The question with this ``set/id``, or with this id if only one set has it.

    Raises ``UsageError`` if there is none, or several.
    """
    return _find_named(workspace.store.evaluation.list_questions(), [name])[0]


def show_question(workspace: Workspace, name: str) -> QuestionView:
    """The question with this name and the words at its places. Raises ``UsageError``."""
    question = get_question(workspace, name)
    places = KnownSources(workspace)
    quotes, unknown = [], []
    for place in question.expected:
        source, _ = places.find(place.source)
        if source is None:
            unknown.append(place.source)
            continue
        text = places.text(source)
        quotes += [CitedSpan(place.source, *span, text=text[slice(*span)]) for span in place.spans]
    return QuestionView(question, tuple(quotes), tuple(unknown))


def accept_questions(
    workspace: Workspace,
    names: Sequence[str] = (),
    *,
    set_name: str | None = None,
    everything: bool = False,
    reject: bool = False,
) -> ReviewResult:
    """Mark questions as reviewed, by name, of a set, or all; ``reject`` removes them.

    For a set, or all, only unreviewed questions are touched. Raises ``UsageError`` for an unknown
    name, when nothing is named, and for rejecting a question that was accepted before.
    """
    if sum((bool(names), set_name is not None, everything)) != 1:
        raise UsageError("eval-which-questions", where="questions")
    stored = workspace.maintenance().evaluation
    chosen = choose_questions(workspace, names, set_name)
    waiting = [question for question in chosen if not question.reviewed]
    before = tuple(question.key for question in chosen if question.reviewed) if names else ()
    keys = tuple(question.key for question in waiting)
    if reject:
        if before:
            raise UsageError("eval-accepted-before", where="--reject", key=before[0])
        stored.remove_questions(keys)
        return ReviewResult(rejected=keys)
    if waiting:
        accepted = [replace(question, reviewed=True) for question in waiting]
        stored.save_questions(accepted)
    return ReviewResult(accepted=keys, before=before, notices=_warn_unlabelled(waiting))


def questions_as_lines(workspace: Workspace, questions: Iterable[EvalQuestion]) -> str:
    """The questions as JSON Lines; importing them into the same project changes nothing.

    Places carry their words beside their spans, so another revision of the source can be matched.
    """
    places = KnownSources(workspace)
    rows = (_as_row(question, places) for question in questions)
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def _as_row(question: EvalQuestion, places: KnownSources) -> dict[str, Any]:
    return {
        "id": question.id,
        "set": question.set,
        "text": question.text,
        "language": question.language,
        "answerable": question.answerable,
        "expected": [dict(_list_fields(place, places)) for place in question.expected],
        "answers": list(question.answers),
        "tags": list(question.tags),
        "origin": question.origin,
        "reviewed": question.reviewed,
        "note": question.note,
    }


def _list_fields(expected: Expectation, places: KnownSources) -> Iterator[tuple[str, Any]]:
    yield "source", expected.source
    if expected.page is not None:
        yield "page", expected.page
    if expected.section is not None:
        yield "section", expected.section
    if expected.spans:
        yield "spans", [list(span) for span in expected.spans]
        source, _ = places.find(expected.source)
        if source is not None:
            text = places.text(source)
            yield "quotes", [text[start:end] for start, end in expected.spans]
    if expected.relevance != 1:
        yield "relevance", expected.relevance


def _find_named(stored: Sequence[EvalQuestion], names: Sequence[str]) -> list[EvalQuestion]:
    """The questions with these names, each once. Raises ``UsageError`` for the first that fails."""
    by_key = {question.key: question for question in stored}
    by_id: dict[str, list[EvalQuestion]] = {}
    for question in stored:
        by_id.setdefault(question.id, []).append(question)
    named = {}
    for name in names:
        matches = [by_key[name]] if name in by_key else by_id.get(name, [])
        if not matches:
            raise UsageError("eval-question-unknown", where="questions", name=name)
        if len(matches) > 1:
            keys = [question.key for question in matches]
            raise UsageError("eval-question-several", where="questions", name=name, keys=keys)
        named[matches[0].key] = matches[0]
    return list(named.values())


def _require_known(stored: Iterable[EvalQuestion], sets: Sequence[str]) -> None:
    known = sorted({question.set for question in stored})
    for name in sets:
        if name not in known:
            code = "eval-set-unknown" if known else "eval-no-sets"
            raise UsageError(code, where="--set", name=name, known=known)


def _warn_unlabelled(accepted: Sequence[EvalQuestion]) -> tuple[Message, ...]:
    bare = [
        question.key
        for question in accepted
        if question.answerable is None and not question.expected
    ]
    if not bare:
        return ()
    return (Message("eval-unlabelled", n=len(bare), first=bare[0]),)
