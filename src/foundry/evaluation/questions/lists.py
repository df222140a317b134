"""A plain list of questions from a file: one on each line, or a column of a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from foundry.errors import UsageError
from foundry.evaluation.questions.files import WORKBOOKS, open_workbook, read_text
from foundry.evaluation.questions.rows import find_field
from foundry.messages import Message

_SHEETS = frozenset({".csv", ".tsv"})
_SEPARATORS = ",;\t"


def read_list(path: Path) -> tuple[tuple[str, ...], tuple[Message, ...]]:
    """The questions as written, without empty ones, and notices on how the file was read.

    Of a spreadsheet those of the column that is named as one of questions, else those of its only
    column. Raises ``UsageError`` for a file that is empty, cannot be read or has several columns and
    no such name.
    """
    name, ending = str(path), path.suffix.lower()
    notices: tuple[Message, ...] = ()
    if ending in WORKBOOKS:
        questions = _read_column(open_workbook(path, name)[0][1], name)
    else:
        text, notices = read_text(path, name)
        if ending in _SHEETS:
            questions = _read_column(_split_rows(text), name)
        else:
            questions = [line.strip() for line in text.splitlines()]
    found = tuple(question for question in questions if question)
    if not found:
        raise UsageError("eval-file-no-questions", where=name)
    return found, notices


def _split_rows(text: str) -> list[list[str]]:
    """The rows by the separator whose header names a column of questions, else by commas."""
    first, _, rest = text.partition("\n")
    text = rest if first.strip().lower().startswith("sep=") else text
    tables = [
        list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
        for separator in _SEPARATORS
    ]
    return next((rows for rows in tables if rows and _find_column(rows[0]) is not None), tables[0])


def _find_column(row: Sequence[str]) -> int | None:
    return next((place for place, cell in enumerate(row) if find_field(cell) == "text"), None)


def _read_column(rows: Sequence[Sequence[str]], name: str) -> list[str]:
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    column = _find_column(filled[0]) if filled else None
    if column is not None:
        return [row[column].strip() for row in filled[1:] if len(row) > column]
    # A question with a comma looks like two cells: cutting it would ask another question.
    if any(cell.strip() for row in filled for cell in row[1:]):
        header = " ".join(filled[0])[:80]
        raise UsageError("eval-file-no-text-column", where=name, header=header)
    return [row[0].strip() for row in filled]
