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
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from foundry.analysis import detect_query_language
from foundry.errors import UsageError
from foundry.evaluation.lines import NAMED, RefusedLine, UnusableLine, first_few
from foundry.evaluation.questions.files import (
    WORKBOOKS,
    QuestionFile,
    QuestionFormat,
    read_beir,
    read_lines,
    read_workbook,
)
from foundry.evaluation.questions.places import KnownSources, find_quote
from foundry.evaluation.questions.rows import (
    DEFAULT_SET,
    NamedPlace,
    QuestionRow,
    check_id,
    find_language,
    id_of_text,
    require_set,
)
from foundry.journeys.query_log import REDACTED
from foundry.journeys.question import require_query
from foundry.messages import Message
from foundry.ports import Progress, Step
from foundry.records import EvalQuestion, Expectation, Feedback, QueryRecord
from foundry.workspace import Workspace

_CSV = frozenset({".csv", ".tsv"})
_PROGRESS_EVERY = 1_000


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did, by question key; ``refused`` lines changed nothing."""

    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    refused: tuple[RefusedLine, ...] = ()
    notices: tuple[Message | str, ...] = ()

    @property
    def kept(self) -> int:
        """How many questions of the files are now in the project."""
        return len(self.added) + len(self.updated) + len(self.unchanged)


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
    batch = _ImportBatch(workspace, replace_changed=replace_changed)
    for path in paths:
        file, titles = _read_path(path, form)
        batch.add_file(file, KnownSources(workspace, titles), set_name, progress)
    return batch.save()


def read_questions(path: Path, form: QuestionFormat | None = None) -> QuestionFile:
    """The rows of a file or folder as written, not yet matched to a project."""
    return _read_path(path, form)[0]


def _read_path(
    path: Path, form: QuestionFormat | None
) -> tuple[QuestionFile, Callable[[], Mapping[str, str]]]:
    name = str(path)
    if form == "beir" or (form is None and path.is_dir()):
        beir = read_beir(path, name)
        return beir.file, beir.titles
    if path.is_dir():
        raise UsageError("eval-path-is-folder", where=name)
    if form is None and path.suffix.lower() in WORKBOOKS:
        return read_workbook(path, name), dict
    is_csv = form == "csv" or (form is None and path.suffix.lower() in _CSV)
    return read_lines(path, "csv" if is_csv else "jsonl", name), dict


@dataclass
class _Change:
    """A question to store, and how it differs from the stored one."""

    question: EvalQuestion
    kind: str
    where: str


@dataclass
class _ImportBatch:
    """Compares rows with what is stored, and saves everything new in one transaction."""

    workspace: Workspace
    replace_changed: bool = False
    changes: dict[str, _Change] = field(default_factory=dict)
    refused: list[RefusedLine] = field(default_factory=list)
    notices: list[Message | str] = field(default_factory=list)
    duplicates: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.evaluation = self.workspace.maintenance().evaluation
        stored = self.evaluation.list_questions()
        self.stored = {question.key: question for question in stored}

    def add_file(
        self, file: QuestionFile, places: KnownSources, set_name: str | None, progress: Progress
    ) -> None:
        """Add the rows of one file."""
        self.refused += file.refused
        self.notices += file.notices
        problems = _FileProblems()
        for number, row in enumerate(file.rows, start=1):
            self._add(_build_question(row, places, set_name, problems), row, places)
            if number % _PROGRESS_EVERY == 0:
                progress(Step("import", number, len(file.rows), "questions"))
        self.notices += problems.notices()

    def save(self) -> ImportReport:
        """Store the changes, all or nothing, and report them."""
        changed = [
            change.question for change in self.changes.values() if change.kind != "unchanged"
        ]
        if changed:
            self.evaluation.save_questions(changed)
        keys = {
            kind: tuple(key for key, change in self.changes.items() if change.kind == kind)
            for kind in ("added", "updated", "unchanged")
        }
        more = sum(count - min(count, NAMED) for count in self.duplicates.values())
        if more:
            self.notices.append(Message("eval-duplicates-more", number=more))
        return ImportReport(**keys, refused=tuple(self.refused), notices=tuple(self.notices))

    def _add(self, question: EvalQuestion, row: QuestionRow, places: KnownSources) -> None:
        where = row.file if row.line is None else f"{row.file}:{row.line}"
        earlier = self.changes.get(question.key)
        stored = self.stored.get(question.key)
        if earlier is not None:
            self._add_duplicate(question, row, earlier, where)
        elif stored is None:
            self.changes[question.key] = _Change(question, "added", where)
        else:
            question = _fill_unstated(question, row, stored)
            if question == stored:
                self.changes[question.key] = _Change(stored, "unchanged", where)
            elif self.replace_changed or question == _match_again(stored, places):
                self.changes[question.key] = _Change(question, "updated", where)
            else:
                self._refuse(row, question, Message("eval-id-taken", key=question.key))

    def _add_duplicate(
        self, question: EvalQuestion, row: QuestionRow, earlier: _Change, where: str
    ) -> None:
        question = _fill_unstated(question, row, earlier.question)
        if question == earlier.question:
            self._note_duplicate("eval-question-repeats", question, where, earlier)
        elif self.replace_changed:
            self._note_duplicate("eval-question-replaces", question, where, earlier)
            earlier.question, earlier.where = question, where
            if earlier.kind == "unchanged":
                earlier.kind = "updated"
        else:
            taken = Message("eval-id-repeated", key=question.key, earlier=earlier.where)
            self._refuse(row, question, taken)

    def _note_duplicate(
        self, code: str, question: EvalQuestion, where: str, earlier: _Change
    ) -> None:
        """Name the first of a kind; ``save`` counts the others."""
        self.duplicates[code] += 1
        if self.duplicates[code] <= NAMED:
            self.notices.append(Message(code, where=where, key=question.key, earlier=earlier.where))

    def _refuse(self, row: QuestionRow, question: EvalQuestion, reason: Message) -> None:
        self.refused.append(RefusedLine(row.file, row.line, reason, question.id))


@dataclass
class _FileProblems:
    """Problems of a whole file, collected so that each kind gives one notice."""

    unknown: Counter[Message | str] = field(default_factory=Counter)
    guessed: dict[str, str] = field(default_factory=dict)
    places: list[Message | str] = field(default_factory=list)
    languages: list[str] = field(default_factory=list)

    def notices(self) -> Iterator[Message]:
        if self.unknown:
            yield Message(
                "eval-sources-unknown",
                n=len(self.unknown),
                times=self.unknown.total(),
                names=first_few(list(self.unknown)),
            )
        if self.guessed:
            pairs = [f"{name} → {path}" for name, path in self.guessed.items()]
            yield Message("eval-sources-guessed", names=first_few(pairs))
        for code, found in (
            ("eval-places-not-found", self.places),
            ("eval-languages-unknown", self.languages),
        ):
            if found:
                yield Message(code, n=len(found), names=first_few(found))


def _build_question(
    row: QuestionRow, places: KnownSources, set_name: str | None, problems: _FileProblems
) -> EvalQuestion:
    identity = row.id or id_of_text(row.text)
    language = find_language(row.language) if row.language else detect_query_language(row.text)
    if language is None:
        problems.languages.append(f"{identity} ({row.language})")
    return EvalQuestion(
        id=identity,
        set=set_name or row.set or DEFAULT_SET,
        text=row.text,
        answerable=row.answerable,
        language=language or "und",
        expected=_match_places(row.places, places, problems, identity),
        answers=row.answers,
        tags=row.tags,
        origin=row.origin or "imported",
        reviewed=True if row.reviewed is None else row.reviewed,
        note=row.note,
    )


def _match_places(
    wanted: Iterable[NamedPlace], places: KnownSources, problems: _FileProblems, identity: str
) -> tuple[Expectation, ...]:
    expected = []
    for place in wanted:
        match = places.match(place)
        expected.append(match.expected)
        if not match.known:
            several = match.how is not None and match.how.code == "eval-several-match"
            named = Message("eval-place-named", name=place.source, why=match.how)
            problems.unknown[named if several else place.source] += 1
        elif match.how:
            problems.guessed[place.source] = match.expected.source
        problems.places += (
            Message("eval-place-problem", id=identity, problem=problem)
            for problem in match.problems
        )
    return tuple(dict.fromkeys(expected))


def _fill_unstated(question: EvalQuestion, row: QuestionRow, before: EvalQuestion) -> EvalQuestion:
    """Origin and review stay as stored where the row does not state them."""
    return replace(
        question,
        origin=row.origin or before.origin,
        reviewed=before.reviewed if row.reviewed is None else row.reviewed,
    )


def _match_again(question: EvalQuestion, places: KnownSources) -> EvalQuestion:
    """A stored question matched again: its sources may have been ingested since."""
    expected = (
        places.match(
            NamedPlace(
                expectation.source,
                expectation.spans,
                (),
                expectation.page,
                expectation.section,
                None,
                expectation.relevance,
            )
        ).expected
        for expectation in question.expected
    )
    return replace(question, expected=tuple(dict.fromkeys(expected)))


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
    except UnusableLine as error:
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
        paths = [source.path for source in places.sources]
        near = difflib.get_close_matches(named.source, paths, n=3, cutoff=0.5)
        raise UsageError(
            "eval-source-unknown",
            where="--source",
            name=named.source,
            why=match.how,
            hint=Message("eval-did-you-mean", names=near) if near else None,
        )
    if match.problems:
        raise UsageError(
            "eval-place-unknown",
            where=named.source,
            problem=match.problems[0],
            source=match.expected.source,
        )
    return match.expected


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
    batch = _FeedbackBatch(workspace, set_name)
    for query_id, history in by_query.items():
        batch.add(query_id, history)
    return batch.save()


@dataclass
class _FeedbackBatch:
    workspace: Workspace
    set_name: str
    added: list[EvalQuestion] = field(default_factory=list)
    updated: list[EvalQuestion] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    refused: list[RefusedLine] = field(default_factory=list)
    notices: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.evaluation = self.workspace.maintenance().evaluation
        stored = self.evaluation.list_questions(self.set_name)
        self.stored = {question.key: question for question in stored}
        self.sources = {source.id: source for source in self.workspace.store.list_sources()}

    def add(self, query_id: str, history: Sequence[Feedback]) -> None:
        """Add the question of one answer; ``history`` is its feedback, the latest last."""
        record = self.workspace.store.find_query(query_id)
        problem = _find_problem(record)
        if record is None or problem:
            gone = Message("eval-feedback-gone")
            self.refused.append(RefusedLine("feedback", None, problem or gone, query_id))
            return
        question = self._build_question(record, history[-1])
        stored = self.stored.get(question.key)
        if stored is None:
            self.added.append(question)
        elif stored != question and stored in (
            self._build_question(record, feedback) for feedback in history[:-1]
        ):
            self.updated.append(question)
        else:
            self.unchanged.append(question.key)
            if stored != question:
                self.notices.append(Message("eval-feedback-changed", key=question.key))

    def save(self) -> ImportReport:
        """Store the new and changed questions, and report them."""
        changed = [*self.added, *self.updated]
        if changed:
            self.evaluation.save_questions(changed)
        return ImportReport(
            added=tuple(question.key for question in self.added),
            updated=tuple(question.key for question in self.updated),
            unchanged=tuple(self.unchanged),
            refused=tuple(self.refused),
            notices=tuple(dict.fromkeys(self.notices)),
        )

    def _build_question(self, record: QueryRecord, feedback: Feedback) -> EvalQuestion:
        text = record.rewritten or record.query
        refused, answered = record.verdict == "no_evidence", record.verdict != "passages"
        places = self._find_places(record) if feedback.correct and not refused else ()
        answer = " ".join(_MARKS.sub("", record.answer or "").split())
        return EvalQuestion(
            id=record.id,
            set=self.set_name,
            text=" ".join(text.split()),
            answerable=not refused if feedback.correct else None,
            language=detect_query_language(text),
            expected=places,
            answers=(answer,) if feedback.correct and answer and not refused else (),
            origin="feedback",
            reviewed=feedback.correct and answered,
            note=feedback.note,
        )

    def _find_places(self, record: QueryRecord) -> tuple[Expectation, ...]:
        """The quotes that were shown with the answer, else the first source it came from."""
        key = f"{self.set_name}/{record.id}"
        if places := self._find_quoted(record):
            return places
        chunks = self.workspace.store.get_chunks([chunk for chunk, _ in record.chunks])
        if not chunks:
            self.notices.append(Message("eval-feedback-sources-gone", key=key))
            return ()
        shown = record.verdict == "passages"
        code = "eval-feedback-passages" if shown else "eval-feedback-words-gone"
        self.notices.append(Message(code, key=key))
        return (Expectation(self.sources[chunks[0].source_id].path),)

    def _find_quoted(self, record: QueryRecord) -> tuple[Expectation, ...]:
        """Where the sources of now have the words that were shown with the answer's sentences."""
        shown = record.shown
        if shown is None:
            return ()
        named = {source.id: source.source_id for source in shown.sources}
        spans: dict[str, set[tuple[int, int]]] = {}
        for quote in (quote for sentence in shown.sentences for quote in sentence.quotes):
            source = self.sources.get(named.get(quote.evidence_id, ""))
            found = (
                find_quote(self.workspace.store.source_text(source.id), quote.text)
                if source
                else []
            )
            if source and found:
                # Text before it may have changed since: of several places the nearest one.
                nearest = min(found, key=lambda span: abs(span[0] - quote.start))
                spans.setdefault(source.path, set()).add(nearest)
        return tuple(Expectation(path, tuple(sorted(pairs))) for path, pairs in spans.items())


def _find_problem(record: QueryRecord | None) -> Message | None:
    """Why a log row cannot become a question; None if it can."""
    if record is None:
        return Message("eval-feedback-gone")
    if record.kind not in _ANSWERS:
        return Message("eval-feedback-other-kind", kind=record.kind)
    if record.query == REDACTED:
        return Message("eval-feedback-redacted")
    return None
