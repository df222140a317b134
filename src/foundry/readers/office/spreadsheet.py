"""Reads spreadsheets (XLSX, XLSM, XLS, ODS through calamine) and CSV, TSV files.

Each sheet is a section. A row under a header becomes one line, "Part: R12 | Value:
10 kΩ", so that every row can be understood, found and quoted without the rows above
it; that costs repeated column names, and is worth it. Formulas count as their stored
values; hidden sheets, formats, charts and comments are left out. Numbers have the
digits that a spreadsheet shows, but not its formats: 25% is 0.25.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.readers.archive import Archive, build_encryption_error, name_kind
from foundry.readers.decoding import decode
from foundry.readers.document_builder import DocumentBuilder
from foundry.readers.metadata import choose_title, find_revision
from foundry.readers.office.openxml import find_property_title
from foundry.readers.office.sheet_rows import SheetRow, SheetWriter
from foundry.readers.symbols import format_number
from foundry.records import Document

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

MAX_CHARACTERS = 60_000_000
"""Most text that is made of one file: about ten thousand full pages of rows."""
_DELIMITED = {".csv", ".tsv", ".tab"}
_DELIMITERS = ",;\t|"
_NUMERIC = re.compile(r"[€$£%+\-( ]*\d[\d.,:/\- ]*(?:[eE][+-]?\d+)?[€$£%) ]*")
_SAMPLE_ROWS = 200
_SAMPLE_CHARACTERS = 200_000
_MAX_MERGED_ROWS = 10_000


def read_spreadsheet(path: Path, options: ReadOptions) -> Document:
    """Read a workbook or a CSV; raises ``ReadError`` when it is locked, damaged or empty."""
    name = Path(options.name)
    if name.suffix.lower() in _DELIMITED:
        return _read_delimited(path, name)
    return _read_workbook(path, name)


def _read_workbook(path: Path, name: Path) -> Document:
    # Imported here: a compiled library that only spreadsheets need.
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError

    builder = DocumentBuilder(name.suffix.lstrip(".").lower() or "xlsx")
    property_title = None
    if name.suffix.lower() != ".xls":
        with Archive(path, "a workbook") as archive:
            archive.refuse_bombs()
            property_title = find_property_title(archive)
    try:
        with CalamineWorkbook.from_path(path) as workbook:
            title, head = _add_sheets(builder, workbook)
    except PasswordError as error:
        raise build_encryption_error() from error
    except (CalamineError, OSError) as error:
        raise _build_unreadable_error(path, error) from error
    return builder.build(
        choose_title((property_title, title), name),
        None,
        *find_revision(head),
        reason="There are no filled cells in this workbook.",
        fix="If it holds formulas only, open and save it once, so that their values are stored.",
    )


def _add_sheets(builder: DocumentBuilder, workbook: CalamineWorkbook) -> tuple[str | None, str]:
    """Add every visible sheet; returns the first one's title and first words."""
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    hidden = [
        sheet.name
        for sheet in workbook.sheets_metadata
        if sheet.visible != SheetVisibleEnum.Visible
    ]
    if hidden:
        builder.warn(f"Hidden sheets were left out: {', '.join(hidden)}.")
    title, head = None, ""
    room = MAX_CHARACTERS
    for facts in workbook.sheets_metadata:
        if facts.name in hidden or facts.typ != SheetTypeEnum.WorkSheet:
            continue
        sheet = workbook.get_sheet_by_name(facts.name)
        writer = SheetWriter(builder, facts.name, room, _find_header_spans(sheet))
        writer.write(_sheet_rows(sheet))
        room -= writer.written
        title = title if head else writer.title
        head = head or writer.head
    return title, head


def _sheet_rows(sheet: CalamineSheet) -> Iterator[SheetRow]:
    down = _find_merged_down(sheet)
    kept: dict[int, str] = {}
    for place, values in enumerate(sheet.iter_rows()):
        cells = [_format_value(value) for value in values]
        for column in down.get(place, ()):
            if column < len(cells) and not cells[column]:
                cells[column] = kept.get(column, "")
        kept = dict(enumerate(cells)) if down else kept
        numeric = frozenset(
            column for column, value in enumerate(values) if not isinstance(value, str)
        )
        yield SheetRow(cells, numeric)


def _find_merged_down(sheet: CalamineSheet) -> dict[int, set[int]]:
    """Row → columns whose value stands in a merged cell that began above it."""
    down: dict[int, set[int]] = {}
    left = _find_first_column(sheet)
    for (row, column), (last, _) in sheet.merged_cell_ranges or []:
        for place in range(row + 1, min(last, row + _MAX_MERGED_ROWS) + 1):
            down.setdefault(place, set()).add(column - left)
    return down


def _find_header_spans(sheet: CalamineSheet) -> dict[int, list[tuple[int, int]]]:
    """Row → (first, last column) of cells merged across: group names above column names."""
    spans: dict[int, list[tuple[int, int]]] = {}
    left = _find_first_column(sheet)
    for (row, column), (last_row, last) in sheet.merged_cell_ranges or []:
        if last > column and last_row == row:
            spans.setdefault(row, []).append((column - left, last - left))
    return spans


def _find_first_column(sheet: CalamineSheet) -> int:
    # Rows come with the empty ones above them, but without the empty columns before them.
    return sheet.start[1] if sheet.start else 0


def _format_value(value: object) -> str:
    return _FORMS.get(type(value), str)(value)


def _format_moment(value: datetime) -> str:
    # Spreadsheets keep a plain date as midnight.
    midnight = value.time() == time.min
    return value.date().isoformat() if midnight else value.isoformat(" ", "seconds")


_FORMS: dict[type, Callable[[Any], str]] = {
    str: lambda value: " ".join(value.split()),
    bool: lambda value: "TRUE" if value else "FALSE",
    int: format_number,
    float: format_number,
    datetime: _format_moment,
    date: date.isoformat,
    time: lambda value: value.isoformat("seconds"),
}


def _build_unreadable_error(path: Path, error: Exception) -> ReadError:
    with path.open("rb") as stream:
        head = stream.read(2048)
    kind = name_kind(head)
    if kind and not head.startswith((b"PK", b"\xd0\xcf\x11\xe0")):
        return ReadError(
            f"This is {kind}, not a workbook.", fix="Give the file the extension of what it is."
        )
    reason = " ".join(str(error).split()).rstrip(".")
    return ReadError(
        f"The workbook is damaged or not complete: {reason}.",
        fix="Open it in a spreadsheet program and save it again.",
    )


def _read_delimited(path: Path, name: Path) -> Document:
    decoded = decode(path.read_bytes())
    text = decoded.text
    builder = DocumentBuilder(name.suffix.lstrip(".").lower())
    if decoded.warning:
        builder.warn(decoded.warning)
    delimiter, start = _find_delimiter(text, name.suffix.lower())
    writer = SheetWriter(builder, None, MAX_CHARACTERS, {})
    writer.write(_read_rows(builder, text[start:], delimiter))
    return builder.build(
        choose_title((), name),
        None,
        *find_revision(writer.head),
        reason="There are no filled cells in this file.",
        fix="Export it again from the program that made it.",
    )


def _find_delimiter(text: str, suffix: str) -> tuple[str, int]:
    """The mark between cells, and where the rows begin (after Excel's ``sep=;`` line)."""
    first = text[:20].split("\n", 1)[0].strip()
    if first.lower().startswith("sep=") and len(first) == 5:
        return first[4], text.index("\n") + 1 if "\n" in text else len(text)
    if suffix in {".tsv", ".tab"}:
        return "\t", 0
    return max(_DELIMITERS, key=lambda mark: _measure_regularity(text, mark)), 0


def _measure_regularity(text: str, mark: str) -> tuple[float, int]:
    """How many rows have the most common number of cells, and that number."""
    sample = _parse_rows(text[:_SAMPLE_CHARACTERS], mark)
    widths = [len(row) for _, row in zip(range(_SAMPLE_ROWS), sample, strict=False) if row]
    if not widths:
        return 0.0, 0
    common = max(set(widths), key=widths.count)
    return (widths.count(common) / len(widths) if common > 1 else 0.0), common


def _parse_rows(text: str, mark: str) -> Iterator[list[str]]:
    # The module's own limit of 131,072 characters a cell would fail honest files.
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    return csv.reader(io.StringIO(text, newline=""), delimiter=mark)


def _read_rows(builder: DocumentBuilder, text: str, mark: str) -> Iterator[SheetRow]:
    rows: Iterable[list[str]] = _parse_rows(text, mark)
    if _has_open_quote(text, mark):
        builder.warn("A quotation mark is never closed: all of them were read as plain characters.")
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark, quoting=csv.QUOTE_NONE)
    for values in rows:
        cells = [" ".join(value.split()) for value in values]
        yield SheetRow(cells, frozenset(at for at, cell in enumerate(cells) if is_numeric(cell)))


def _has_open_quote(text: str, mark: str) -> bool:
    try:
        for _ in csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True):
            pass
    except csv.Error as error:
        return "unexpected end" in str(error)
    return False


def is_numeric(text: str) -> bool:
    """Whether a cell's text is a number, an amount or a date rather than a word."""
    return bool(_NUMERIC.fullmatch(text))
