"""Questions into the project: from files, from readers' feedback, or one by hand.

Each call is one transaction, and nothing is lost silently: the report names every line that was not
imported, with the reason, and everything that was only partly understood. Importing the same file
again changes nothing. Of a question added by hand, every source, page, section and quote must exist.
From feedback, correct answers are expected again and wrong ones wait; the log keeps the quotes that
were shown with an answer: they are its places. Where passages were shown, the place waits for a person.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Final

from foundry.analysis import detect_query_language
from foundry.doc import Doc
from foundry.errors import UsageError
from foundry.evaluation.questions.files import QuestionFormat, read_questions
from foundry.evaluation.questions.places import KnownSources, find_quote
from foundry.evaluation.questions.rows import (
    DEFAULT_SET,
    NamedPlace,
    QuestionRow,
    RefusedLine,
    UnusableLine,
    check_id,
    find_language,
    first_few,
    id_of_text,
    require_set,
)
from foundry.journeys.query_log import REDACTED
from foundry.journeys.question import require_query
from foundry.messages import Message
from foundry.ports import Progress, Step
from foundry.records import EvalQuestion, Expectation, Feedback, QueryRecord
from foundry.workspace import Workspace

_PROGRESS_EVERY = 1_000


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did; ``refused`` lines changed nothing."""

    added: Annotated[tuple[str, ...], Doc("set/id")] = ()
    updated: Annotated[tuple[str, ...], Doc("set/id")] = ()
    unchanged: Annotated[tuple[str, ...], Doc("set/id")] = ()
    refused: tuple[RefusedLine, ...] = ()
    notices: Annotated[tuple[Message | str, ...], Doc("what was skipped or is incomplete")] = ()

    @property
    def kept(self) -> int:
        """How many questions of the files are now in the project."""
        return len(self.added) + len(self.updated) + len(self.unchanged)


@dataclass
class _Change:
    """A question to store, and how it differs from the stored one."""

    question: EvalQuestion
    kind: str
    where: str


@dataclass
class _Batch:
    """Compares questions with what is stored, and saves everything new in one transaction."""

    workspace: Workspace
    changes: dict[str, _Change] = field(default_factory=dict)
    refused: list[RefusedLine] = field(default_factory=list)
    notices: list[Message | str] = field(default_factory=list)
    problems: dict[str, list[Message | str]] = field(default_factory=dict)
    """By the code of the notice that a file or folder gets, once for each kind."""

    def __post_init__(self) -> None:
        self.evaluation = self.workspace.maintenance().evaluation
        self.stored = {question.key: question for question in self.evaluation.list_questions()}

    def add(self, question: EvalQuestion, where: str, replaces: Callable[[], bool]) -> bool:
        """Take a question; False where another one is stored under its id and stays."""
        before = self.stored.get(question.key)
        kind = "added" if before is None else "unchanged" if before == question else "updated"
        if kind == "updated" and not replaces():
            return False
        self.changes[question.key] = _Change(question, kind, where)
        return True

    def note(self, code: str, name: Message | str) -> None:
        """Name something in the notice with this code."""
        self.problems.setdefault(code, []).append(name)

    def close_file(self) -> None:
        """Turn the problems so far into notices."""
        for code, found in self.problems.items():
            names = list(dict.fromkeys(found))
            self.notices.append(
                Message(code, n=len(names), times=len(found), names=first_few(names))
            )
        self.problems = {}

    def save(self) -> ImportReport:
        """Store the changes, all or nothing, and report them."""
        self.close_file()
        changes = self.changes.items()
        changed = [change.question for _, change in changes if change.kind != "unchanged"]
        if changed:
            self.evaluation.save_questions(changed)
        keys = {
            kind: tuple(key for key, change in changes if change.kind == kind)
            for kind in ("added", "updated", "unchanged")
        }
        notices = tuple(dict.fromkeys(self.notices))
        return ImportReport(**keys, refused=tuple(self.refused), notices=notices)


def import_questions(
    workspace: Workspace,
    paths: Sequence[Path],
    *,
    set_name: str | None = None,
    replace_changed: bool = False,
    form: QuestionFormat | None = None,
    progress: Progress = lambda _step: None,
) -> ImportReport:
    """Store the questions of files and BEIR folders.

    ``set_name`` overrides the set in the rows; rows without a set go to "questions". A question
    stored with other content is refused unless ``replace_changed``. ``form`` None goes by the
    file name. Raises ``UsageError`` for a file that is missing, empty or of another kind.
    """
    if set_name is not None:
        require_set(set_name)
    batch = _Batch(workspace)
    for path in paths:
        file = read_questions(path, form)
        places = KnownSources(workspace, file.titles)
        batch.refused += file.refused
        batch.notices += file.notices
        for number, row in enumerate(file.rows, start=1):
            question = _build_question(row, places, set_name, batch)
            _add_row(batch, question, row, places, replace_changed=replace_changed)
            if number % _PROGRESS_EVERY == 0:
                progress(Step("import", number, len(file.rows), "questions"))
        batch.close_file()
    return batch.save()


def _add_row(
    batch: _Batch,
    question: EvalQuestion,
    row: QuestionRow,
    places: KnownSources,
    *,
    replace_changed: bool,
) -> None:
    where = row.file if row.line is None else f"{row.file}:{row.line}"
    earlier = batch.changes.get(question.key)
    before = earlier.question if earlier else batch.stored.get(question.key)
    if before is not None:
        # Origin and review stay as stored where the row does not state them.
        reviewed = before.reviewed if row.reviewed is None else row.reviewed
        question = replace(question, origin=row.origin or before.origin, reviewed=reviewed)
    if earlier and question != earlier.question and not replace_changed:
        taken = Message("eval-id-repeated", key=question.key, earlier=earlier.where)
        batch.refused.append(RefusedLine(row.file, row.line, taken, question.id))
        return
    if earlier:
        batch.note("eval-questions-repeated", where)
        where = where if question != earlier.question else earlier.where

    def replaces() -> bool:
        return replace_changed or before is None or question == _match_again(before, places)

    if not batch.add(question, where, replaces):
        taken = Message("eval-id-taken", key=question.key)
        batch.refused.append(RefusedLine(row.file, row.line, taken, question.id))


def _build_question(
    row: QuestionRow, places: KnownSources, set_name: str | None, batch: _Batch
) -> EvalQuestion:
    identity = row.id or id_of_text(row.text)
    language = find_language(row.language) if row.language else detect_query_language(row.text)
    if language is None:
        batch.note("eval-languages-unknown", f"{identity} ({row.language})")
    expected = [_match_place(place, places, identity, batch) for place in row.places]
    return EvalQuestion(
        id=identity,
        set=set_name or row.set or DEFAULT_SET,
        text=row.text,
        answerable=row.answerable,
        language=language or "und",
        expected=tuple(dict.fromkeys(expected)),
        answers=row.answers,
        tags=row.tags,
        origin=row.origin or "imported",
        reviewed=True if row.reviewed is None else row.reviewed,
        note=row.note,
    )


def _match_place(
    place: NamedPlace, places: KnownSources, identity: str, batch: _Batch
) -> Expectation:
    match = places.match(place)
    if not match.known:
        several = match.how is not None and match.how.code == "eval-several-match"
        named = Message("eval-place-named", name=place.source, why=match.how)
        batch.note("eval-sources-unknown", named if several else place.source)
    elif match.how:
        batch.note("eval-sources-guessed", f"{place.source} → {match.expected.source}")
    for problem in match.problems:
        batch.note(
            "eval-places-not-found", Message("eval-place-problem", id=identity, problem=problem)
        )
    return match.expected


def _match_again(question: EvalQuestion, places: KnownSources) -> EvalQuestion:
    """A stored question matched again: its sources may have been ingested since."""
    named = (
        NamedPlace(one.source, one.spans, (), one.page, one.section, None, one.relevance)
        for one in question.expected
    )
    expected = dict.fromkeys(places.match(place).expected for place in named)
    return replace(question, expected=tuple(expected))


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
    text = require_query(text)
    expected = tuple(_resolve(KnownSources(workspace), place or AnswerPlace()))
    stated = tuple(dict.fromkeys(answer.strip() for answer in answers if answer.strip()))
    if answerable is False and (expected or stated):
        raise UsageError("eval-row-unanswerable-with-place", where="--unanswerable")
    code = find_language(language) if language else detect_query_language(text)
    if code is None:
        raise UsageError("eval-language-unknown", where="--language", name=language)
    question = EvalQuestion(
        id=_check_id(identity) if identity is not None else id_of_text(text),
        set=require_set(set_name),
        text=text,
        answerable=True if answerable is None and (expected or stated) else answerable,
        language=code,
        expected=expected,
        answers=stated,
        tags=tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip())),
        note=note.strip(),
    )
    batch = _Batch(workspace)
    before = batch.stored.get(question.key, question)
    if not batch.add(question, "", lambda: before == replace(question, origin=before.origin)):
        raise UsageError("eval-id-of-another", where="--id", key=before.key, text=before.text)
    batch.save()
    return question


def _check_id(name: str) -> str:
    try:
        return check_id(name.strip())
    except UnusableLine as error:
        raise UsageError(error.reason, where="--id") from error


def _resolve(places: KnownSources, wanted: AnswerPlace) -> Iterator[Expectation]:
    spans = [_parse_span(text) for text in wanted.spans]
    names = list(dict.fromkeys([*wanted.sources, *(name for name, _ in spans)]))
    narrow = wanted.page is not None or wanted.section is not None
    if (narrow or (wanted.quotes and names)) and len(names) != 1:
        option = "--quote" if not narrow else "--page" if wanted.page is not None else "--section"
        raise UsageError("eval-one-source-needed", where=option, option=option, n=len(names))
    if wanted.quotes and not names:
        yield from _find_anywhere(places, wanted.quotes)
    for name in names:
        own = tuple(pair for path, pair in spans if path == name)
        named = NamedPlace(name, own, wanted.quotes, wanted.page, wanted.section)
        match = places.match(named)
        if not match.known:
            paths = [source.path for source in places.sources]
            near = difflib.get_close_matches(name, paths, n=3, cutoff=0.5)
            hint = Message("eval-did-you-mean", names=near) if near else None
            raise UsageError(
                "eval-source-unknown", where="--source", name=name, why=match.how, hint=hint
            )
        if match.problems:
            problem, source = match.problems[0], match.expected.source
            raise UsageError("eval-place-unknown", where=name, problem=problem, source=source)
        yield match.expected


def _parse_span(text: str) -> tuple[str, tuple[int, int]]:
    match = _SPAN.fullmatch(text.strip())
    if match is None or int(match[2]) >= int(match[3]):
        raise UsageError("eval-span-invalid", where="--span", text=text)
    return match[1], (int(match[2]), int(match[3]))


def _find_anywhere(places: KnownSources, quotes: Sequence[str]) -> Iterator[Expectation]:
    """The places of quotes whose source was not named, one per source."""
    found: dict[str, list[str]] = {}
    for quote in quotes:
        sources = [one for one in places.sources if find_quote(places.text(one), quote)]
        if not sources:
            raise UsageError("eval-quote-nowhere", where="--quote", words=quote)
        for source in sources:
            found.setdefault(source.path, []).append(quote)
    for path, own in found.items():
        yield places.match(NamedPlace(path, quotes=tuple(own))).expected


FEEDBACK_SET = "feedback"
_ANSWERS = frozenset({"ask", "chat"})
_MARKS = re.compile(r"\s*\[S\d+\]")


def import_feedback(workspace: Workspace, set_name: str = FEEDBACK_SET) -> ImportReport:
    """Store a question for each answer with feedback; the latest feedback on an answer counts.

    A question that a person has changed or accepted since is left alone. Raises ``UsageError``
    if there is no feedback.
    """
    require_set(set_name)
    by_query: dict[str, list[Feedback]] = {}
    for feedback in workspace.maintenance().evaluation.list_feedback():
        by_query.setdefault(feedback.query_id, []).append(feedback)
    if not by_query:
        raise UsageError("eval-no-feedback", where="feedback")
    batch = _Batch(workspace)
    for query_id, history in by_query.items():
        record = workspace.store.find_query(query_id)
        problem = _find_problem(record)
        if record is None or problem:
            reason = problem or Message("eval-feedback-gone")
            batch.refused.append(RefusedLine("feedback", None, reason, query_id))
            continue
        question = _build_from_feedback(batch, record, history[-1], set_name)
        stored = batch.stored.get(question.key)
        # One that equals an earlier word on the answer was left as it was.
        earlier = [] if stored in (None, question) else history[:-1]
        versions = [_build_from_feedback(batch, record, one, set_name) for one in earlier]
        if not batch.add(question, "feedback", partial(versions.__contains__, stored)):
            batch.add(stored or question, "feedback", lambda: False)
            batch.notices.append(Message("eval-feedback-changed", key=question.key))
    return batch.save()


def _find_problem(record: QueryRecord | None) -> Message | None:
    """Why a log row cannot become a question; None if it can."""
    if record is None:
        return Message("eval-feedback-gone")
    if record.kind not in _ANSWERS:
        return Message("eval-feedback-other-kind", kind=record.kind)
    if record.query == REDACTED:
        return Message("eval-feedback-redacted")
    return None


def _build_from_feedback(
    batch: _Batch, record: QueryRecord, feedback: Feedback, set_name: str
) -> EvalQuestion:
    text = record.rewritten or record.query
    refused, answered = record.verdict == "no_evidence", record.verdict != "passages"
    expected = feedback.correct and not refused
    answer = " ".join(_MARKS.sub("", record.answer or "").split())
    return EvalQuestion(
        id=record.id,
        set=set_name,
        text=" ".join(text.split()),
        answerable=not refused if feedback.correct else None,
        language=detect_query_language(text),
        expected=_find_shown(batch, record, f"{set_name}/{record.id}") if expected else (),
        answers=(answer,) if expected and answer else (),
        origin="feedback",
        reviewed=feedback.correct and answered,
        note=feedback.note,
    )


def _find_shown(batch: _Batch, record: QueryRecord, key: str) -> tuple[Expectation, ...]:
    """The quotes that were shown with the answer, else the first source it came from."""
    store = batch.workspace.store
    sources = {source.id: source for source in store.list_sources()}
    shown = record.shown
    named = {source.id: source.source_id for source in shown.sources} if shown else {}
    spans: dict[str, set[tuple[int, int]]] = {}
    for quote in (
        one for sentence in (shown.sentences if shown else ()) for one in sentence.quotes
    ):
        source = sources.get(named.get(quote.evidence_id, ""))
        found = find_quote(store.source_text(source.id), quote.text) if source else []
        if source and found:
            # Text before it may have changed since: of several places the nearest one.
            _, nearest = min((abs(span[0] - quote.start), span) for span in found)
            spans.setdefault(source.path, set()).add(nearest)
    if spans:
        return tuple(Expectation(path, tuple(sorted(pairs))) for path, pairs in spans.items())
    chunks = store.get_chunks([chunk for chunk, _ in record.chunks])
    if not chunks:
        batch.notices.append(Message("eval-feedback-sources-gone", key=key))
        return ()
    passages = record.verdict == "passages"
    code = "eval-feedback-passages" if passages else "eval-feedback-words-gone"
    batch.notices.append(Message(code, key=key))
    return (Expectation(sources[chunks[0].source_id].path),)
