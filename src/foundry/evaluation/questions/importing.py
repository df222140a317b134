"""Questions from files into the project: all of a call in one transaction, nothing silently lost.

The report names every line that was not taken, with the reason, and everything that could only
be taken in part. Importing the same file again changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from foundry.analysis import detect_query_language
from foundry.errors import UsageError
from foundry.evaluation.lines import first_few
from foundry.evaluation.questions.judged import read_judged
from foundry.evaluation.questions.languages import find_language
from foundry.evaluation.questions.matching import KnownSources
from foundry.evaluation.questions.naming import DEFAULT_SET, id_of_text, require_set
from foundry.evaluation.questions.reading import Form, Read, Refused, read_lines
from foundry.evaluation.questions.rows import NamedPlace, Row
from foundry.ports import Progress, Step
from foundry.records import EvalQuestion, Expectation
from foundry.workspace import Workspace

_CSV = frozenset({".csv", ".tsv"})
_TICK = 1_000


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did, by question key; ``refused`` lines changed nothing."""

    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def kept(self) -> int:
        """How many questions of the files the project now holds."""
        return len(self.added) + len(self.updated) + len(self.unchanged)


def import_questions(
    workspace: Workspace,
    paths: Sequence[Path],
    *,
    set_name: str | None = None,
    replace_changed: bool = False,
    form: Form | None = None,
    progress: Progress = lambda _step: None,
) -> ImportReport:
    """Keep the questions of files and of folders in BEIR form.

    ``set_name`` stands above what rows say; rows that say nothing go to "questions". A question
    that is stored with other content is refused without ``replace_changed``. ``form`` None goes
    by the name. Raises ``UsageError`` for a file that is missing, empty or something else.
    """
    if set_name is not None:
        require_set(set_name)
    keeper = Keeper(workspace, replace_changed=replace_changed)
    for path in paths:
        read, titles = _read(path, form)
        places = KnownSources(workspace, titles)
        keeper.take(read, places, set_name, progress)
    return keeper.finish()


def read_questions(path: Path, form: Form | None = None) -> Read:
    """The rows of a file or folder as they stand there, matched to no project."""
    return _read(path, form)[0]


def _read(path: Path, form: Form | None) -> tuple[Read, Callable[[], Mapping[str, str]]]:
    name = str(path)
    if form == "beir" or (form is None and path.is_dir()):
        judged = read_judged(path, name)
        return judged.read, judged.titles
    if path.is_dir():
        raise UsageError(
            "This is a folder.", where=name, fix="Name a file in it, or give --format beir."
        )
    kind: Form = form or ("csv" if path.suffix.lower() in _CSV else "jsonl")
    return read_lines(path, "csv" if kind == "csv" else "jsonl", name), dict


@dataclass
class _Change:
    """A question that will be put, and what that is of the one that is stored."""

    question: EvalQuestion
    kind: str
    where: str


@dataclass
class Keeper:
    """Holds rows against what is stored, and puts what is new in one transaction at the end."""

    workspace: Workspace
    replace_changed: bool = False
    changes: dict[str, _Change] = field(default_factory=dict)
    refused: list[Refused] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        stored = self.workspace.store.evaluation.list_questions()
        self.stored = {one.key: one for one in stored}

    def take(
        self,
        read: Read,
        places: KnownSources,
        set_name: str | None,
        progress: Progress | None = None,
    ) -> None:
        """Take the rows of one file."""
        self.refused += read.refused
        self.notices += read.notices
        told = _Told()
        for number, row in enumerate(read.rows, start=1):
            question = _question(row, places, set_name, told)
            self._hold(question, row, places)
            if progress and number % _TICK == 0:
                progress(Step("import", number, len(read.rows), "questions"))
        self.notices += told.notices()

    def finish(self) -> ImportReport:
        """Write what changes, all or nothing, and say what happened."""
        written = [one.question for one in self.changes.values() if one.kind != "unchanged"]
        if written:
            self.workspace.store.evaluation.save_questions(written)
        keys = {
            kind: tuple(key for key, one in self.changes.items() if one.kind == kind)
            for kind in ("added", "updated", "unchanged")
        }
        return ImportReport(**keys, refused=tuple(self.refused), notices=tuple(self.notices))

    def _hold(self, question: EvalQuestion, row: Row, places: KnownSources) -> None:
        """Decide what a row does, by what the project holds and what came before it."""
        where = row.file if row.line is None else f"{row.file}:{row.line}"
        earlier = self.changes.get(question.key)
        stored = self.stored.get(question.key)
        if earlier is not None:
            self._hold_again(question, row, earlier, where)
        elif stored is None:
            self.changes[question.key] = _Change(question, "added", where)
        else:
            question = _with_unsaid(question, row, stored)
            if question == stored:
                self.changes[question.key] = _Change(stored, "unchanged", where)
            elif self.replace_changed or question == _matched_anew(stored, places):
                self.changes[question.key] = _Change(question, "updated", where)
            else:
                self._refuse(row, question, "the project holds it with other content")

    def _hold_again(self, question: EvalQuestion, row: Row, earlier: _Change, where: str) -> None:
        question = _with_unsaid(question, row, earlier.question)
        if question == earlier.question:
            self.notices.append(f"{where}: {question.key} stands at {earlier.where} already.")
        elif self.replace_changed:
            self.notices.append(
                f"{where}: {question.key} stands at {earlier.where} too; this counts."
            )
            earlier.question, earlier.where = question, where
            if earlier.kind == "unchanged":
                earlier.kind = "updated"
        else:
            self._refuse(row, question, f"it stands at {earlier.where} with other content")

    def _refuse(self, row: Row, question: EvalQuestion, why: str) -> None:
        fix = "Give it another id, import into another --set, or give --replace to put this one."
        reason = f"There are two questions {question.key}: {why}."
        self.refused.append(Refused(row.file, row.line, reason, fix, question.id))


@dataclass
class _Told:
    """What is told of a whole file at once: by kind, the names that it is true of."""

    unknown: Counter[str] = field(default_factory=Counter)
    guessed: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    languages: list[str] = field(default_factory=list)

    def notices(self) -> list[str]:
        told = []
        if self.unknown:
            told.append(
                f"Expected sources that are not in the project ({len(self.unknown):,}, named "
                f"{self.unknown.total():,} times): {first_few(list(self.unknown))}. "
                "The questions are kept; ingest those sources and import again."
            )
        if self.guessed:
            pairs = [f"{name} → {path}" for name, path in self.guessed.items()]
            told.append(f"Sources were matched by name or title alone: {first_few(pairs)}.")
        if self.problems:
            listed = first_few(self.problems)
            told.append(
                f"KnownSources that are not as they were named ({len(self.problems):,}): {listed}."
            )
        if self.languages:
            told.append(
                "Questions in a language that is not known here, kept as und "
                f"({len(self.languages):,}): {first_few(self.languages)}."
            )
        return told


def _question(row: Row, places: KnownSources, set_name: str | None, told: _Told) -> EvalQuestion:
    identity = row.id or id_of_text(row.text)
    language = find_language(row.language) if row.language else detect_query_language(row.text)
    if language is None:
        told.languages.append(f"{identity} ({row.language})")
    return EvalQuestion(
        id=identity,
        set=set_name or row.set or DEFAULT_SET,
        text=row.text,
        answerable=row.answerable,
        language=language or "und",
        expected=_expected(row.places, places, told, identity),
        answers=row.answers,
        tags=row.tags,
        origin=row.origin or "imported",
        reviewed=True if row.reviewed is None else row.reviewed,
        note=row.note,
    )


def _expected(
    named: Iterable[NamedPlace], places: KnownSources, told: _Told, identity: str
) -> tuple[Expectation, ...]:
    found = []
    for place in named:
        match = places.match(place)
        found.append(match.expected)
        if not match.known:
            told.unknown[
                f"{place.source} ({match.how})" if "fit" in match.how else place.source
            ] += 1
        elif match.how:
            told.guessed[place.source] = match.expected.source
        told.problems += (f"{identity}: {problem}" for problem in match.problems)
    return tuple(dict.fromkeys(found))


def _with_unsaid(question: EvalQuestion, row: Row, before: EvalQuestion) -> EvalQuestion:
    """What the row leaves open stays as it is: where it came from, and who accepted it."""
    return replace(
        question,
        origin=row.origin or before.origin,
        reviewed=before.reviewed if row.reviewed is None else row.reviewed,
    )


def _matched_anew(question: EvalQuestion, places: KnownSources) -> EvalQuestion:
    """A stored question whose sources came into the project after it."""
    expected = (
        places.match(
            NamedPlace(one.source, one.spans, (), one.page, one.section, None, one.relevance)
        ).expected
        for one in question.expected
    )
    return replace(question, expected=tuple(dict.fromkeys(expected)))
