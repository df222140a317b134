"""Questions in a workbook: a sheet with a column of questions is a table of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from pathlib import Path

from foundry.errors import FoundryError, UsageError
from foundry.evaluation.questions.rows import field_of
from foundry.messages import Message
from foundry.readers.archive import Archive

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
        number = _find_header(rows)
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


def _find_header(rows: Sequence[Sequence[str]]) -> int | None:
    known = (any(field_of(cell) == "text" for cell in row) for row in rows[:_HEADER_ROWS])
    return next((number for number, found in enumerate(known) if found), None)


def _write_cell(value: object) -> str:
    """A cell as a person reads it: a whole number without a fraction, a day without a time."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    return str(value).strip()
