"""Files of questions → rows: JSON, CSV, workbooks and BEIR folders, with the lines that were refused.

A broken line costs only that line. A file that is empty, binary or of another kind is an error.
A BEIR folder has ``queries.jsonl`` and ``qrels.tsv`` or ``qrels/*.tsv``, with or without a header,
in TREC's four columns or BEIR's three; titles in ``corpus.jsonl`` help to find the sources.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from foundry.errors import FoundryError, ReadError, UsageError
from foundry.evaluation.lines import (
    RefusedLine,
    UnusableLine,
    first_few,
    list_judgement_files,
    parse_judgements,
)
from foundry.evaluation.questions.rows import (
    NamedPlace,
    QuestionRow,
    field_of,
    read_row,
)
from foundry.messages import Message
from foundry.readers.archive import Archive
from foundry.readers.decoding import decode

WORKBOOKS = frozenset({".xlsx", ".xlsm", ".xls", ".ods"})
_ZIPPED = frozenset({".xlsx", ".xlsm", ".ods"})
_HEADER_ROWS = 20
"""Rows in which the names of the columns are looked for, below a title or notes."""


def read_tables(path: Path, name: str) -> Iterator[tuple[str, int, list[list[str]]]]:
    """Each sheet's name, the number of the row with the names of its columns, and the rows from there.

    Sheets without questions are left out. Raises ``UsageError``.
    """
    try:
        sheets = list(_read_sheets(path))
    except FileNotFoundError as error:
        raise UsageError("eval-file-missing", where=str(path.parent), file=name) from error
    except FoundryError as error:
        raise UsageError("eval-file-unreadable", where=name, reason=error.problem) from error
    # The library raises errors of its own for each of its formats.
    except Exception as error:
        raise UsageError("eval-file-unreadable", where=name, reason=str(error)) from error
    for sheet, rows in sheets:
        known = (any(field_of(cell) == "text" for cell in row) for row in rows[:_HEADER_ROWS])
        number = next((number for number, found in enumerate(known) if found), None)
        if number is not None:
            yield sheet, number + 1, rows[number:]


def _read_sheets(path: Path) -> Iterator[tuple[str, list[list[str]]]]:
    # Imported here: only workbooks need this compiled library.
    from python_calamine import CalamineWorkbook

    if path.suffix.lower() in _ZIPPED:
        with Archive(path, Message("readers-kind-workbook")) as archive:
            archive.refuse_bombs()
    with CalamineWorkbook.from_path(path) as workbook:
        for name in workbook.sheet_names:
            sheet = workbook.get_sheet_by_name(name)
            rows = sheet.to_python(skip_empty_area=False)
            yield name, [[_write_cell(cell) for cell in row] for row in rows]


def _write_cell(value: object) -> str:
    """A cell as a person reads it: a whole number without a fraction, a day without a time."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    return str(value).strip()


QuestionFormat = Literal["jsonl", "csv", "beir"]

_LISTS = frozenset({"sources", "also", "answers", "tags", "spans"})
_SEPARATORS = ",;\t"
_MAX_CELL = 10_000_000


Entry = tuple[int, Mapping[str, Any] | RefusedLine]
"""A row by the names of its fields, or why it is refused, with its number."""


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """The rows of a file, and the lines that could not be read."""

    rows: tuple[QuestionRow, ...]
    refused: tuple[RefusedLine, ...] = ()
    notices: tuple[Message | str, ...] = ()


def read_lines(path: Path, form: Literal["jsonl", "csv"], name: str) -> QuestionFile:
    """The questions of a file; messages call it ``name``. Raises ``UsageError``."""
    text, notices = read_text(path, name)
    entries = _csv_rows(text, name) if form == "csv" else json_rows(text, name)
    return _read_entries(entries, name, notices)


def read_workbook(path: Path, name: str) -> QuestionFile:
    """The questions of a workbook's sheets. Raises ``UsageError`` if no sheet has a column of them."""
    files = []
    for sheet, number, (header, *cells) in read_tables(path, name):
        shown = f"{name}[{sheet}]"
        filled = [(line, row) for line, row in enumerate(cells, number + 1) if any(row)]
        entries = ((line, _read_cells(header, row, shown, line)) for line, row in filled)
        files.append(_read_entries(list(entries), shown))
    if not files:
        raise UsageError("eval-file-no-text-column", where=name, header="")
    return QuestionFile(
        tuple(row for file in files for row in file.rows),
        tuple(line for file in files for line in file.refused),
        tuple(notice for file in files for notice in file.notices),
    )


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
            refused.append(RefusedLine(name, line, error.reason, _find_id(entry)))
    if not rows and not refused:
        raise UsageError("eval-file-no-questions", where=name)
    return QuestionFile(tuple(rows), tuple(refused), (*notices, *_describe_ignored(rows, name)))


def read_text(path: Path, name: str) -> tuple[str, tuple[Message, ...]]:
    """A file's text, with notices about its encoding. Raises ``UsageError``."""
    try:
        decoded = decode(path.read_bytes())
    except FileNotFoundError as error:
        raise UsageError("eval-file-missing", where=str(path.parent), file=name) from error
    except OSError as error:
        raise UsageError(
            "eval-file-unreadable", where=name, reason=str(error.strerror or error)
        ) from error
    except ReadError as error:
        raise UsageError("eval-file-not-text", where=name, reason=error.problem) from error
    notices: list[Message] = []
    if decoded.warning:
        notices.append(Message("eval-file-warning", file=name, warning=decoded.warning))
    elif not decoded.encoding.startswith("utf"):
        notices.append(Message("eval-file-encoding", file=name, encoding=decoded.encoding))
    return decoded.text, tuple(notices)


def json_rows(text: str, name: str) -> Iterator[Entry]:
    """Each line's object with its line number from 1; blank lines are skipped.

    Of one JSON list, or of an object with a list of questions, each item with its number from 1.
    """
    listed = _parse_list(text)
    if listed is not None:
        reason = Message("eval-refused-not-object")
        for number, item in enumerate(listed, start=1):
            yield number, item if isinstance(item, dict) else RefusedLine(name, number, reason)
        return
    if text.lstrip()[:1] == "[":
        raise UsageError("eval-file-json-list", where=name)
    # Not splitlines: text in JSON may contain U+2028 and the like.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, _parse_object(line, name, number)


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


def _parse_object(line: str, name: str, number: int) -> Mapping[str, Any] | RefusedLine:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        column = str(error.colno)
        reason = Message("eval-refused-not-json", reason=error.msg, column=column)
        return RefusedLine(name, number, reason)
    except (ValueError, RecursionError):
        return RefusedLine(name, number, Message("eval-refused-too-large"))
    if not isinstance(value, dict):
        return RefusedLine(name, number, Message("eval-refused-not-object"))
    return value


def _csv_rows(text: str, name: str) -> Iterator[Entry]:
    first, _, rest = text.partition("\n")
    skipped = 0
    if first.strip().lower().startswith("sep="):  # what Excel writes and reads
        text, skipped = rest, 1
    separator = _find_separator(text, name)
    csv.field_size_limit(_MAX_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    header = [cell.strip() for cell in next(reader)]
    return _records(reader, header, name, skipped)


def _records(reader: Any, header: Sequence[str], name: str, skipped: int) -> Iterator[Entry]:
    """Each record with the number of the line it starts on."""
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
        if not any(cell.strip() for cell in cells):
            continue
        yield number, _read_cells(header, cells, name, number)


def _read_cells(
    header: Sequence[str], cells: Sequence[str], name: str, number: int
) -> Mapping[str, Any] | RefusedLine:
    """The cells of a row by the names of their columns."""
    if any(cell.strip() for cell in cells[len(header) :]):
        reason = Message("eval-refused-cells", cells=len(cells), columns=len(header))
        return RefusedLine(name, number, reason)
    pairs = zip(header, cells, strict=False)
    return {column: _read_cell(column, cell) for column, cell in pairs if column}


def _find_separator(text: str, name: str) -> str:
    """The separator that gives the header the most known columns."""

    def count_known(separator: str) -> tuple[bool, int]:
        header = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
        names = [field_of(cell) for cell in header]
        return "text" in names, sum(name is not None for name in names)

    if not text.strip():
        raise UsageError("eval-file-empty", where=name)
    separator = max(_SEPARATORS, key=count_known)
    if not count_known(separator)[0]:
        header = text.strip().split("\n", 1)[0][:80].strip()
        raise UsageError("eval-file-no-text-column", where=name, header=header)
    return separator


def _read_cell(column: str, cell: str) -> Any:
    """A cell's value; columns with several values split at ``|`` or line ends, or as JSON."""
    text = cell.strip()
    ours = field_of(column)
    if text.startswith(("[", "{")) and ours in _LISTS | {"quotes"}:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    if ours in _LISTS - {"spans"}:
        return [part.strip() for part in text.replace("\n", "|").split("|") if part.strip()] or ""
    return text


def _describe_ignored(rows: Iterable[QuestionRow], name: str) -> list[Message]:
    counted = Counter(field for row in rows for field in row.ignored)
    if not counted:
        return []
    return [Message("eval-fields-ignored", file=name, names=first_few(list(counted)))]


def _find_id(entry: Mapping[str, Any]) -> str | None:
    for field in ("id", "_id"):
        value = entry.get(field)
        if isinstance(value, str | int):
            return str(value)[:200]
    return None


@dataclass(frozen=True, slots=True)
class BeirQuestions:
    """A BEIR folder; ``titles`` reads the corpus, which may be large, only when called."""

    file: QuestionFile
    titles: Callable[[], Mapping[str, str]]


def read_beir(directory: Path, name: str) -> BeirQuestions:
    """The questions of a BEIR folder. Raises ``UsageError`` without ``queries.jsonl``."""
    queries = directory / "queries.jsonl"
    if not queries.is_file():
        raise UsageError("eval-folder-no-queries", where=name)
    read = read_lines(queries, "jsonl", f"{name}/queries.jsonl")
    judgements, refused, notices = _read_judgements(directory, name)
    judged = {row.id or "": judgements.pop(row.id or "", {}) for row in read.rows}
    rows = [_add_places(row, judged[row.id or ""]) for row in read.rows]
    unanswerable = [row.id or "" for row in rows if row.answerable is False]
    contradicted = [key for key in unanswerable if any(grade > 0 for grade in judged[key].values())]
    if contradicted:
        n, named = len(contradicted), first_few(contradicted)
        notices.append(Message("eval-judgements-unanswerable", file=name, n=n, names=named))
    if judgements:
        n, named = len(judgements), first_few(list(judgements))
        notices.append(Message("eval-judgements-unknown", file=name, n=n, names=named))
    whole = QuestionFile(tuple(rows), (*read.refused, *refused), (*read.notices, *notices))
    return BeirQuestions(whole, partial(_read_titles, directory))


def _add_places(row: QuestionRow, judged: Mapping[str, int]) -> QuestionRow:
    """The row with a place for every relevant document; places it names itself get the grade."""
    if row.answerable is False:
        return row
    named = {place.source for place in row.places}
    own = tuple(
        replace(place, relevance=judged.get(place.source, place.relevance) or place.relevance)
        for place in row.places
    )
    more = tuple(
        NamedPlace(document, relevance=grade)
        for document, grade in judged.items()
        if grade > 0 and document not in named
    )
    return replace(row, places=(*own, *more))


def _read_judgements(
    directory: Path, name: str
) -> tuple[dict[str, dict[str, int]], list[RefusedLine], list[Message]]:
    files = list_judgement_files(directory)
    if not files:
        return {}, [], [Message("eval-folder-no-qrels", file=name)]
    judged: dict[str, dict[str, int]] = {}
    refused: list[RefusedLine] = []
    notices: list[Message] = []
    for path in files:
        shown = f"{name}/{path.relative_to(directory).as_posix()}"
        text, read_notices = read_text(path, shown)
        notices += read_notices
        for number, judgement in parse_judgements(io.StringIO(text, newline=None)):
            if judgement is None:
                reason = Message("eval-refused-not-judgement")
                refused.append(RefusedLine(shown, number, reason))
            else:
                query, document, grade = judgement
                judged.setdefault(query, {})[document] = grade
    return judged, refused, notices


def _read_titles(directory: Path) -> dict[str, str]:
    corpus = directory / "corpus.jsonl"
    if not corpus.is_file():
        return {}
    text, _ = read_text(corpus, corpus.name)
    entries = (
        entry for _, entry in json_rows(text, corpus.name) if not isinstance(entry, RefusedLine)
    )
    return {
        str(entry.get("_id", entry.get("id"))): str(entry["title"])
        for entry in entries
        if entry.get("title")
    }
