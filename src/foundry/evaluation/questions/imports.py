"""Questions from files into the project: each call is one transaction, and nothing is lost silently.

The report names every line that was not imported, with the reason, and everything that was only
partly understood. Importing the same file again changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from foundry.analysis import detect_query_language
from foundry.errors import UsageError
from foundry.evaluation.lines import NAMED, first_few
from foundry.evaluation.questions.fields import DEFAULT_SET, find_language, id_of_text, require_set
from foundry.evaluation.questions.files import (
    QuestionFile,
    QuestionFormat,
    RefusedLine,
    read_beir,
    read_lines,
    read_workbook,
)
from foundry.evaluation.questions.places import KnownSources
from foundry.evaluation.questions.rows import NamedPlace, QuestionRow
from foundry.evaluation.questions.workbooks import WORKBOOKS
from foundry.messages import Message
from foundry.ports import Progress, Step
from foundry.records import EvalQuestion, Expectation
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
