"""Files of questions → rows: JSON Lines, CSV, and what could not be read of them, by line.

A broken line costs that line. A file that is empty, is no text, or is something else than it
should be, is an error: then nothing of it was meant.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from foundry.errors import ReadError, UsageError
from foundry.evaluation.lines import first_few
from foundry.evaluation.questions.rows import Row, field_of, read_row
from foundry.evaluation.questions.values import Unusable
from foundry.readers.decoding import decode

Form = Literal["jsonl", "csv", "beir"]

_LISTS = frozenset({"sources", "also", "answers", "tags", "spans"})
_SEPARATORS = ",;\t"
_LONGEST_CELL = 10_000_000


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that was not taken: where it stands, why, and the way out. ``line`` is from 1."""

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
class Read:
    """What a file holds, and what of it could not be read."""

    rows: tuple[Row, ...]
    refused: tuple[Refused, ...] = ()
    notices: tuple[str, ...] = ()


def read_lines(path: Path, form: Literal["jsonl", "csv"], name: str) -> Read:
    """The questions of a file; ``name`` stands in messages. Raises ``UsageError``."""
    text, notices = read_text(path, name)
    rows: list[Row] = []
    refused: list[Refused] = []
    entries = _csv_rows(text, name) if form == "csv" else json_rows(text, name)
    for line, entry in entries:
        if isinstance(entry, Refused):
            refused.append(entry)
            continue
        try:
            rows.append(read_row(entry, name, line))
        except Unusable as error:
            refused.append(Refused(name, line, error.reason, error.fix, _stated_id(entry)))
    if not rows and not refused:
        raise UsageError(
            "There are no questions in this file.",
            where=name,
            fix="Put one question on each line: JSON objects, or CSV with a header.",
        )
    return Read(tuple(rows), tuple(refused), (*notices, *_ignored_fields(rows, name)))


def read_text(path: Path, name: str) -> tuple[str, tuple[str, ...]]:
    """A file's text and how it had to be read. Raises ``UsageError``."""
    try:
        decoded = decode(path.read_bytes())
    except FileNotFoundError as error:
        raise UsageError(
            f"There is no file {name}.",
            where=str(path.parent),
            fix="Check the name and its folder.",
        ) from error
    except OSError as error:
        raise UsageError(
            f"The file cannot be read: {error.strerror or error}.", where=name,
            fix="Check the name, and whether you may read it.",
        ) from error  # fmt: skip
    except ReadError as error:
        raise UsageError(
            error.message, where=name,
            fix="Name a JSON Lines file, a CSV file or a folder in BEIR form; save a workbook as CSV.",
        ) from error  # fmt: skip
    notices = [f"{name}: {decoded.warning}"] if decoded.warning else []
    if not notices and not decoded.encoding.startswith("utf"):
        notices.append(f"{name} is not UTF-8; it was read as {decoded.encoding}.")
    return decoded.text, tuple(notices)


Entry = tuple[int, "Mapping[str, Any] | Refused"]


def json_rows(text: str, name: str) -> Iterator[Entry]:
    """The object of each line with its number from 1; blank lines are passed over."""
    if text.lstrip()[:1] == "[":
        raise UsageError(
            "This file is one JSON list, not JSON Lines.",
            where=name,
            fix="Write one object on each line: jq -c '.[]' FILE > questions.jsonl",
        )
    # Not splitlines: a text in JSON may hold U+2028 and the like.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, _object(line, name, number)


def _object(line: str, name: str, number: int) -> Mapping[str, Any] | Refused:
    fix = 'Mend that line: one object, such as {"text": "…", "source": "…"}.'
    try:
        found = json.loads(line)
    except json.JSONDecodeError as error:
        return Refused(name, number, f"It is not JSON: {error.msg} at letter {error.colno}.", fix)
    except (ValueError, RecursionError):
        return Refused(name, number, "It is JSON that is too large or too deep to read.", fix)
    if not isinstance(found, dict):
        return Refused(name, number, "It is JSON but no object.", fix)
    return found


def _csv_rows(text: str, name: str) -> Iterator[Entry]:
    first, _, rest = text.partition("\n")
    skipped = 0
    if first.strip().lower().startswith("sep="):  # what Excel writes and reads
        text, skipped = rest, 1
    separator = _separator(text, name)
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    header = [cell.strip() for cell in next(reader)]
    return _records(reader, header, name, skipped)


def _records(reader: Any, header: Sequence[str], name: str, skipped: int) -> Iterator[Entry]:
    """Each record with the number of the line that it begins on."""
    while True:
        number = reader.line_num + 1 + skipped
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            fix = "Close every double quote, and write one inside a cell twice."
            yield number, Refused(name, number, f"It is no CSV: {error}.", fix)
            continue
        if not any(cell.strip() for cell in cells):
            continue
        over = [cell for cell in cells[len(header) :] if cell.strip()]
        if over:
            yield number, Refused(
                name, number, f"It has {len(cells)} cells under {len(header)} columns.",
                "Put cells with separators in them between double quotes.",
            )  # fmt: skip
            continue
        pairs = zip(header, cells, strict=False)
        yield number, {column: _cell(column, cell) for column, cell in pairs if column}


def _separator(text: str, name: str) -> str:
    """The separator under which the header has most columns that are ours."""

    def known(separator: str) -> tuple[bool, int]:
        header = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
        names = [field_of(cell) for cell in header]
        return "text" in names, sum(name is not None for name in names)

    if not text.strip():
        raise UsageError("The file is empty.", where=name, fix="Add a header and one row each.")
    found = max(_SEPARATORS, key=known)
    if not known(found)[0]:
        header = text.strip().split("\n", 1)[0][:80].strip()
        raise UsageError(
            f"No column of this file is called text, question or query: {header}",
            where=name,
            fix="Name the columns in the first line: id, text, source, page, answer, answerable …",
        )
    return found


def _cell(column: str, cell: str) -> Any:
    """A cell; in columns that may hold several, parts between ``|`` or line ends, or JSON."""
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


def _ignored_fields(rows: Iterable[Row], name: str) -> list[str]:
    counted = Counter(field for row in rows for field in row.ignored)
    if not counted:
        return []
    return [f"{name}: fields that have no meaning here were left out: {first_few(list(counted))}."]


def _stated_id(entry: Mapping[str, Any]) -> str | None:
    for field in ("id", "_id"):
        value = entry.get(field)
        if isinstance(value, str | int):
            return str(value)[:200]
    return None
