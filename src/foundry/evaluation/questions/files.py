"""Files of questions → rows: JSON Lines, CSV and BEIR folders, with the lines that were refused.

A broken line costs only that line. A file that is empty, binary or of another kind is an error.
A BEIR folder has ``queries.jsonl`` and ``qrels.tsv`` or ``qrels/*.tsv``, with or without a header,
in TREC's four columns or BEIR's three; titles in ``corpus.jsonl`` help to find the sources.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from foundry.errors import ReadError, UsageError
from foundry.evaluation.lines import first_few
from foundry.evaluation.questions.fields import UnusableRow
from foundry.evaluation.questions.rows import NamedPlace, QuestionRow, field_of, read_row
from foundry.readers.decoding import decode

QuestionFormat = Literal["jsonl", "csv", "beir"]

_LISTS = frozenset({"sources", "also", "answers", "tags", "spans"})
_SEPARATORS = ",;\t"
_MAX_CELL = 10_000_000
_QRELS_COLUMNS = (3, 4)


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """A line that was not imported, with the reason and a fix. ``line`` starts at 1."""

    file: str
    line: int | None
    reason: str
    fix: str
    id: str | None = None

    @property
    def where(self) -> str:
        """``questions.jsonl:7``."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """The rows of a file, and the lines that could not be read."""

    rows: tuple[QuestionRow, ...]
    refused: tuple[RefusedLine, ...] = ()
    notices: tuple[str, ...] = ()


def read_lines(path: Path, form: Literal["jsonl", "csv"], name: str) -> QuestionFile:
    """The questions of a file; messages call it ``name``. Raises ``UsageError``."""
    text, notices = read_text(path, name)
    rows: list[QuestionRow] = []
    refused: list[RefusedLine] = []
    entries = _csv_rows(text, name) if form == "csv" else json_rows(text, name)
    for line, entry in entries:
        if isinstance(entry, RefusedLine):
            refused.append(entry)
            continue
        try:
            rows.append(read_row(entry, name, line))
        except UnusableRow as error:
            refused.append(RefusedLine(name, line, error.reason, error.fix, _find_id(entry)))
    if not rows and not refused:
        raise UsageError(
            "The file has no questions.",
            where=name,
            fix="Put one question on each line: JSON objects, or CSV with a header.",
        )
    return QuestionFile(tuple(rows), tuple(refused), (*notices, *_describe_ignored(rows, name)))


def read_text(path: Path, name: str) -> tuple[str, tuple[str, ...]]:
    """A file's text, with notices about its encoding. Raises ``UsageError``."""
    try:
        decoded = decode(path.read_bytes())
    except FileNotFoundError as error:
        raise UsageError(
            f"The file {name} does not exist.",
            where=str(path.parent),
            fix="Check the name and its folder.",
        ) from error
    except OSError as error:
        raise UsageError(
            f"The file cannot be read: {error.strerror or error}.", where=name,
            fix="Check the name and the permissions.",
        ) from error  # fmt: skip
    except ReadError as error:
        raise UsageError(
            error.message, where=name,
            fix="Give a JSON Lines file, a CSV file or a BEIR folder; save a workbook as CSV.",
        ) from error  # fmt: skip
    notices = [f"{name}: {decoded.warning}"] if decoded.warning else []
    if not notices and not decoded.encoding.startswith("utf"):
        notices.append(f"{name} is not UTF-8; it was read as {decoded.encoding}.")
    return decoded.text, tuple(notices)


Entry = tuple[int, "Mapping[str, Any] | RefusedLine"]


def json_rows(text: str, name: str) -> Iterator[Entry]:
    """Each line's object with its line number from 1; blank lines are skipped."""
    if text.lstrip()[:1] == "[":
        raise UsageError(
            "The file is one JSON list, not JSON Lines.",
            where=name,
            fix="Write one object on each line: jq -c '.[]' FILE > questions.jsonl",
        )
    # Not splitlines: text in JSON may contain U+2028 and the like.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, _parse_object(line, name, number)


def _parse_object(line: str, name: str, number: int) -> Mapping[str, Any] | RefusedLine:
    fix = 'Correct the line: one object, such as {"text": "…", "source": "…"}.'
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        return RefusedLine(
            name, number, f"It is not JSON: {error.msg} at column {error.colno}.", fix
        )
    except (ValueError, RecursionError):
        return RefusedLine(name, number, "The JSON is too large or too deeply nested.", fix)
    if not isinstance(value, dict):
        return RefusedLine(name, number, "It is JSON, but not an object.", fix)
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
            fix = "Close every double quote; double it inside a cell."
            yield number, RefusedLine(name, number, f"It is not CSV: {error}.", fix)
            continue
        if not any(cell.strip() for cell in cells):
            continue
        over = [cell for cell in cells[len(header) :] if cell.strip()]
        if over:
            yield number, RefusedLine(
                name, number, f"It has {len(cells)} cells under {len(header)} columns.",
                "Put double quotes around cells that contain separators.",
            )  # fmt: skip
            continue
        pairs = zip(header, cells, strict=False)
        yield number, {column: _read_cell(column, cell) for column, cell in pairs if column}


def _find_separator(text: str, name: str) -> str:
    """The separator that gives the header the most known columns."""

    def count_known(separator: str) -> tuple[bool, int]:
        header = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
        names = [field_of(cell) for cell in header]
        return "text" in names, sum(name is not None for name in names)

    if not text.strip():
        raise UsageError(
            "The file is empty.", where=name, fix="Add a header and one row per question."
        )
    separator = max(_SEPARATORS, key=count_known)
    if not count_known(separator)[0]:
        header = text.strip().split("\n", 1)[0][:80].strip()
        raise UsageError(
            f"The file has no column called text, question or query: {header}",
            where=name,
            fix="Name the columns in the first line: id, text, source, page, answer, answerable …",
        )
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


def _describe_ignored(rows: Iterable[QuestionRow], name: str) -> list[str]:
    counted = Counter(field for row in rows for field in row.ignored)
    if not counted:
        return []
    return [f"{name}: unknown fields were ignored: {first_few(list(counted))}."]


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
        raise UsageError(
            "The folder has no queries.jsonl.",
            where=name,
            fix="Give a folder with queries.jsonl and qrels.tsv (or qrels/*.tsv), or a file.",
        )
    read = read_lines(queries, "jsonl", f"{name}/queries.jsonl")
    judgements, refused, notices = _read_judgements(directory, name)
    named = {row.id or "": judgements.pop(row.id or "", {}) for row in read.rows}
    rows = [_add_places(row, named[row.id or ""]) for row in read.rows]
    unanswerable = [row.id or "" for row in rows if row.answerable is False]
    contradicted = [key for key in unanswerable if any(grade > 0 for grade in named[key].values())]
    if contradicted:
        notices.append(
            f"{name}: judgements for queries marked unanswerable were left out "
            f"({len(contradicted):,}): {first_few(contradicted)}."
        )
    if judgements:
        names = first_few(list(judgements))
        notices.append(
            f"{name}: judgements for queries that are missing from queries.jsonl "
            f"({len(judgements):,}): {names}."
        )
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
) -> tuple[dict[str, dict[str, int]], list[RefusedLine], list[str]]:
    files = [directory / "qrels.tsv", *sorted((directory / "qrels").glob("*.tsv"))]
    present = [path for path in files if path.is_file()]
    if not present:
        return (
            {},
            [],
            [f"{name}: without qrels.tsv or qrels/*.tsv no question has an expected source."],
        )
    judged: dict[str, dict[str, int]] = {}
    refused: list[RefusedLine] = []
    notices: list[str] = []
    for path in present:
        shown = f"{name}/{path.relative_to(directory).as_posix()}"
        text, read_notices = read_text(path, shown)
        notices += read_notices
        for judgement in _read_qrels(text, shown):
            if isinstance(judgement, RefusedLine):
                refused.append(judgement)
            else:
                query, document, grade = judgement
                judged.setdefault(query, {})[document] = grade
    return judged, refused, notices


def _read_qrels(text: str, name: str) -> Iterator[tuple[str, str, int] | RefusedLine]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE)
    for number, cells in enumerate(reader, start=1):
        if not any(cell.strip() for cell in cells):
            continue
        # TREC's own format has an unused second column.
        fields = [cells[0], *cells[2:]] if len(cells) == _QRELS_COLUMNS[1] else cells
        try:
            query, document, grade = fields
            yield query.strip(), document.strip(), int(grade)
        except ValueError:
            if number == 1:
                continue  # a header
            yield RefusedLine(
                name, number, "It is not query id, document id, relevance.",
                "Separate the three columns with tabs; relevance is a whole number.",
            )  # fmt: skip


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
