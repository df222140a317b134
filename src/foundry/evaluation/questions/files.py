"""Files of questions → rows, and the stored questions that a name, set, tag or label means.

Rows are read as written, liberal in names and strict in meaning; ``places`` finds which source of the
project a name refers to. A row that cannot be understood costs only itself, with the reason; a file
that is empty, binary or of another kind is an error. A BEIR folder has ``queries.jsonl`` and
``qrels.tsv`` or ``qrels/*.tsv``, with or without a header, in TREC's four columns or BEIR's three;
titles in ``corpus.jsonl`` help to find the sources.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from foundry.doc import Doc
from foundry.errors import FoundryError, ReadError, UsageError
from foundry.evaluation.questions.places import KnownSources
from foundry.evaluation.questions.rows import (
    NamedPlace,
    QuestionRow,
    RefusedLine,
    UnusableLine,
    find_field,
    first_few,
    read_row,
)
from foundry.messages import Message
from foundry.readers.archive import Archive
from foundry.readers.decoding import decode
from foundry.records import CitedSpan, EvalQuestion, Expectation
from foundry.workspace import Workspace

QuestionFormat = Literal["jsonl", "csv", "beir"]
WORKBOOKS = frozenset({".xlsx", ".xlsm", ".xls", ".ods"})
_HEADER_ROWS = 20
"""Rows in which the names of the columns are looked for, below a title or notes."""
_SEPARATORS = ",;\t"
_MAX_CELL = 10_000_000
_LISTS = frozenset({"sources", "also", "answers", "tags", "spans"})


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """The rows of a file, and the lines that could not be read.

    Of a BEIR folder ``unknown`` are the queries that are judged and not there; ``titles`` reads those
    of its corpus, which may be large, only when called.
    """

    rows: tuple[QuestionRow, ...]
    refused: tuple[RefusedLine, ...] = ()
    notices: tuple[Message | str, ...] = ()
    unknown: tuple[str, ...] = ()
    titles: Callable[[], Mapping[str, str]] = dict


Entry = tuple[int, Mapping[str, Any] | RefusedLine]
"""A row by the names of its fields, or why it is refused, with its number."""


def read_questions(path: Path, form: QuestionFormat | None = None) -> QuestionFile:
    """The rows of a file or folder as written; ``form`` None goes by its name. Raises ``UsageError``."""
    name, ending = str(path), path.suffix.lower()
    if form == "beir" or (form is None and path.is_dir()):
        return _read_beir(path, name)
    if path.is_dir():
        raise UsageError("eval-path-is-folder", where=name)
    if form is None and ending in WORKBOOKS:
        return _read_workbook(path, name)
    text, notices = read_text(path, name)
    is_csv = form == "csv" or (form is None and ending in (".csv", ".tsv"))
    return _read_entries(_csv_rows(text, name) if is_csv else _json_rows(text, name), name, notices)


def _read_entries(
    entries: Iterable[Entry], name: str, notices: Sequence[Message] = ()
) -> QuestionFile:
    rows: list[QuestionRow] = []
    refused: list[RefusedLine] = []
    for line, entry in entries:
        if isinstance(entry, RefusedLine):
            refused.append(entry)
            continue
        try:
            rows.append(read_row(entry, name, line))
        except UnusableLine as error:
            known = (entry[key] for key in ("id", "_id") if isinstance(entry.get(key), str | int))
            identity = next((str(value)[:200] for value in known), None)
            refused.append(RefusedLine(name, line, error.reason, identity))
    if not rows and not refused:
        raise UsageError("eval-file-no-questions", where=name)
    ignored = list(dict.fromkeys(field for row in rows for field in row.ignored))
    if ignored:
        notices = [*notices, Message("eval-fields-ignored", file=name, names=first_few(ignored))]
    return QuestionFile(tuple(rows), tuple(refused), tuple(notices))


def read_text(path: Path, name: str) -> tuple[str, tuple[Message, ...]]:
    """A file's text, with notices about its encoding. Raises ``UsageError``."""
    try:
        decoded = decode(path.read_bytes())
    except FileNotFoundError as error:
        raise UsageError("eval-file-missing", where=str(path.parent), file=name) from error
    except OSError as error:
        reason = str(error.strerror or error)
        raise UsageError("eval-file-unreadable", where=name, reason=reason) from error
    except ReadError as error:
        raise UsageError("eval-file-not-text", where=name, reason=error.problem) from error
    if decoded.warning:
        return decoded.text, (Message("eval-file-warning", file=name, warning=decoded.warning),)
    if not decoded.encoding.startswith("utf"):
        encoding = Message("eval-file-encoding", file=name, encoding=decoded.encoding)
        return decoded.text, (encoding,)
    return decoded.text, ()


def _json_rows(text: str, name: str) -> Iterator[Entry]:
    """Each line's object with its line number from 1; blank lines are skipped.

    Of one JSON list, or of an object with a list of questions, each item with its number from 1.
    """
    listed = _parse_list(text)
    if listed is None:
        if text.lstrip()[:1] == "[":
            raise UsageError("eval-file-json-list", where=name)
        # Not splitlines: text in JSON may contain U+2028 and the like.
        yield from parse_lines(text.split("\n"), name)
        return
    reason = Message("eval-refused-not-object")
    for number, item in enumerate(listed, start=1):
        yield number, item if isinstance(item, dict) else RefusedLine(name, number, reason)


def _parse_list(text: str) -> list[Any] | None:
    """The items of a file that is one JSON value; None for JSON Lines, also for a single one."""
    if text.lstrip()[:1] not in ("[", "{"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    lists = value.values() if isinstance(value, dict) and len(value) == 1 else [value]
    return next((found for found in lists if isinstance(found, list)), None)


def parse_lines(lines: Iterable[str], name: str) -> Iterator[Entry]:
    """The object on each line with its number from 1, or why there is none; blank lines are skipped."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        reason = Message("eval-refused-not-object")
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            value, column = None, str(error.colno)
            reason = Message("eval-refused-not-json", reason=error.msg, column=column)
        except (ValueError, RecursionError):
            value, reason = None, Message("eval-refused-too-large")
        yield number, value if isinstance(value, dict) else RefusedLine(name, number, reason)


def _csv_rows(text: str, name: str) -> Iterator[Entry]:
    """Each record with the number of the line it starts on."""
    first, _, rest = text.partition("\n")
    skipped = 0
    if first.strip().lower().startswith("sep="):  # what Excel writes and reads
        text, skipped = rest, 1
    separator = _find_separator(text, name)
    csv.field_size_limit(_MAX_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    header = [cell.strip() for cell in next(reader)]
    while True:
        number = reader.line_num + 1 + skipped
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            reason = Message("eval-refused-not-csv", reason=str(error))
            yield number, RefusedLine(name, number, reason)
            continue
        if any(cell.strip() for cell in cells):
            yield number, _read_cells(header, cells, name, number)


def _find_separator(text: str, name: str) -> str:
    """The separator that gives the header the most known columns."""

    def count_known(separator: str) -> tuple[bool, int]:
        header = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
        names = [find_field(cell) for cell in header]
        return "text" in names, sum(name is not None for name in names)

    if not text.strip():
        raise UsageError("eval-file-empty", where=name)
    separator = max(_SEPARATORS, key=count_known)
    if not count_known(separator)[0]:
        header = text.strip().split("\n", 1)[0][:80].strip()
        raise UsageError("eval-file-no-text-column", where=name, header=header)
    return separator


def _read_cells(
    header: Sequence[str], cells: Sequence[str], name: str, number: int
) -> Mapping[str, Any] | RefusedLine:
    """The cells of a row by the names of their columns."""
    if any(cell.strip() for cell in cells[len(header) :]):
        reason = Message("eval-refused-cells", cells=len(cells), columns=len(header))
        return RefusedLine(name, number, reason)
    pairs = zip(header, cells, strict=False)
    return {column: _read_cell(column, cell) for column, cell in pairs if column}


def _read_cell(column: str, cell: str) -> Any:
    """A cell's value; columns with several values split at ``|`` or line ends, or as JSON."""
    text, ours = cell.strip(), find_field(column)
    if text.startswith(("[", "{")) and ours in _LISTS | {"quotes"}:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    if ours in _LISTS - {"spans"}:
        return [part.strip() for part in text.replace("\n", "|").split("|") if part.strip()] or ""
    return text


def _read_workbook(path: Path, name: str) -> QuestionFile:
    """The questions of a workbook's sheets. Raises ``UsageError`` if no sheet has a column of them."""
    files = []
    for sheet, rows in open_workbook(path, name):
        known = (any(find_field(cell) == "text" for cell in row) for row in rows[:_HEADER_ROWS])
        at = next((number for number, found in enumerate(known) if found), None)
        if at is None:
            continue
        shown, header = f"{name}[{sheet}]", rows[at]
        entries = [
            (line, _read_cells(header, row, shown, line))
            for line, row in enumerate(rows[at + 1 :], at + 2)
            if any(row)
        ]
        files.append(_read_entries(entries, shown))
    if not files:
        raise UsageError("eval-file-no-text-column", where=name, header="")
    return QuestionFile(
        tuple(row for file in files for row in file.rows),
        tuple(line for file in files for line in file.refused),
        tuple(notice for file in files for notice in file.notices),
    )


def open_workbook(path: Path, name: str) -> list[tuple[str, list[list[str]]]]:
    """The sheets of a workbook with their rows as texts. Raises ``UsageError``."""
    try:
        return list(_read_sheets(path))
    except FileNotFoundError as error:
        raise UsageError("eval-file-missing", where=str(path.parent), file=name) from error
    # The library raises errors of its own for each of its formats.
    except Exception as error:
        reason = error.problem if isinstance(error, FoundryError) else str(error)
        raise UsageError("eval-file-unreadable", where=name, reason=reason) from error


def _read_sheets(path: Path) -> Iterator[tuple[str, list[list[str]]]]:
    # Imported here: only workbooks need this compiled library.
    from python_calamine import CalamineWorkbook

    if path.suffix.lower() != ".xls":
        with Archive(path, Message("readers-kind-workbook")) as archive:
            archive.refuse_bombs()
    with CalamineWorkbook.from_path(path) as workbook:
        for name in workbook.sheet_names:
            rows = workbook.get_sheet_by_name(name).to_python(skip_empty_area=False)
            yield name, [[_write_cell(cell) for cell in row] for row in rows]


def _write_cell(value: object) -> str:
    """A cell as a person reads it: a whole number without a fraction, a day without a time."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    return str(value).strip()


def _read_beir(directory: Path, name: str) -> QuestionFile:
    """The questions of a BEIR folder, each with a place for every relevant document."""
    queries = directory / "queries.jsonl"
    if not queries.is_file():
        raise UsageError("eval-folder-no-queries", where=name)
    shown = f"{name}/queries.jsonl"
    text, encoding = read_text(queries, shown)
    read = _read_entries(parse_lines(text.split("\n"), shown), shown, encoding)
    refused, notices = list(read.refused), list(read.notices)
    judged = _read_judgements(directory, name, refused, notices)
    rows = [_add_places(row, judged.get(row.id or "", {})) for row in read.rows]
    if not any(row.places for row in rows):
        notices.append(Message("eval-folder-no-qrels", file=name))
    contradicted = [row.id for row in read.rows if row.id in judged and row.answerable is False]
    unknown = [key for key in judged if key not in {row.id for row in read.rows}]
    for code, keys in (
        ("eval-judgements-unanswerable", contradicted),
        ("eval-judgements-unknown", unknown),
    ):
        if keys:
            named = first_few([str(key) for key in keys])
            notices.append(Message(code, file=name, n=len(keys), names=named))

    def read_titles() -> dict[str, str]:
        return {
            str(entry.get("_id", entry.get("id"))): str(entry["title"])
            for _, entry in read_corpus(directory)
            if isinstance(entry, Mapping) and entry.get("title")
        }

    return QuestionFile(tuple(rows), tuple(refused), tuple(notices), tuple(unknown), read_titles)


def read_corpus(directory: Path) -> Iterator[Entry]:
    """The documents of ``corpus.jsonl``, line by line: there may be millions; none without it."""
    path = directory / "corpus.jsonl"
    if path.is_file():
        with path.open(encoding="utf-8-sig", errors="replace", newline="\n") as lines:
            yield from parse_lines(lines, path.name)


def _add_places(row: QuestionRow, judged: Mapping[str, int]) -> QuestionRow:
    """The row with a place for every relevant document; places it names itself get the grade."""
    if row.answerable is False:
        return row
    named = {place.source for place in row.places}
    own = [replace(one, relevance=judged.get(one.source) or one.relevance) for one in row.places]
    more = [
        NamedPlace(document, relevance=grade)
        for document, grade in judged.items()
        if document not in named
    ]
    return replace(row, places=(*own, *more))


def _read_judgements(
    directory: Path, name: str, refused: list[RefusedLine], notices: list[Message | str]
) -> dict[str, dict[str, int]]:
    """The relevant documents of each query with their grades; the first line of a pair counts."""
    paths = [directory / "qrels.tsv", *sorted((directory / "qrels").glob("*.tsv"))]
    files = [path for path in paths if path.is_file()]
    grades: dict[tuple[str, str], int] = {}
    for path in files:
        shown = f"{name}/{path.relative_to(directory).as_posix()}"
        text, read_notices = read_text(path, shown)
        notices += read_notices
        for number, line in enumerate(text.split("\n"), start=1):
            cells = [cell.strip() for cell in line.split("\t")]
            # TREC's own form has an unused column in the middle.
            fields = [cells[0], *cells[2:]] if len(cells) == 4 else cells
            if len(fields) == 3 and re.fullmatch(r"-?\d+(\.0*)?", fields[2]):
                grades.setdefault((fields[0], fields[1]), int(float(fields[2])))
            elif any(cells) and (number > 1 or len(fields) != 3):
                refused.append(RefusedLine(shown, number, Message("eval-refused-not-judgement")))
    judged: dict[str, dict[str, int]] = {}
    for (query, document), grade in grades.items():
        if grade > 0:
            judged.setdefault(query, {})[document] = grade
    return judged


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


def count_sets(questions: Sequence[EvalQuestion]) -> dict[str, dict[str, int]]:
    """The questions of each set, counted by label and review."""
    names = sorted({question.set for question in questions})
    return {name: _count_labels(one for one in questions if one.set == name) for name in names}


def _count_labels(questions: Iterable[EvalQuestion]) -> dict[str, int]:
    listed = list(questions)
    return {
        "questions": len(listed),
        "answerable": sum(one.answerable is True for one in listed),
        "unanswerable": sum(one.answerable is False for one in listed),
        "unlabelled": sum(one.answerable is None for one in listed),
        "unreviewed": sum(not one.reviewed for one in listed),
    }


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
