"""Reads spreadsheets (XLSX, XLSM, XLS, ODS through calamine) and CSV and TSV files.

Each sheet is a section, and its tables keep their labels with every value. The notes of cells follow
the rows of their sheet. Formulas are read as their stored values. Hidden sheets, charts and comment
threads are left out, and so are number formats: 25% is read as 0.25.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
import struct
import sys
import zipfile
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.archive import (
    Archive,
    build_encryption_error,
    build_wrong_kind_error,
    name_kind,
)
from foundry.readers.decoding import decode
from foundry.readers.document_builder import DocumentBuilder
from foundry.readers.front.clues import Clues
from foundry.readers.office.openxml import PREFIXES, note_pictures, read_properties
from foundry.readers.office.sheet_rows import SheetRow, SheetWriter
from foundry.readers.symbols import format_number
from foundry.records import Document

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

MAX_CHARACTERS = 60_000_000
"""Most text read from one file: about ten thousand pages of rows, a guess at the useful limit."""
_DELIMITED = {".csv", ".tsv", ".tab"}
_DELIMITERS = ",;\t|"
# Enough rows to tell the delimiter from a character in the text.
_SAMPLE_ROWS = 200
_SAMPLE_CHARACTERS = 200_000
_MAX_GRID = 20_000_000
"""Cells of a sheet, empty ones included, from which gaps are closed first: calamine takes some 30
bytes for each cell between the outermost ones."""
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
_DIMENSION = re.compile(rb'<(?:\w+:)?dimension\s[^>]*?ref="(?:[A-Z]+\d+:)?([A-Z]+)(\d+)"')
# Enough for the start of a sheet up to its dimension.
_SHEET_HEAD = 4096
_CELL = re.compile(r'(<(?:\w+:)?(?:c|row)\s(?:[^>]*?\s)?r=")([A-Z]*)(\d+)(?=")')
_MERGED = re.compile(r'(<(?:\w+:)?mergeCell\s[^>]*?ref=")([A-Z]+)(\d+):([A-Z]+)(\d+)(?=")')
_NOTE = 0x001C  # MS-XLS 2.4.179
_PICTURES = ("xl/media/", "Pictures/")
_THREADS = ("xl/threadedComments/", "xl/comments1.bin")
"""Parts with comments of the kind that is left out, and with those of an XLSB."""
_THREAD = "[Threaded comment]"
_MAX_MERGED_ROWS = 10_000
"""Most rows that one merged cell may fill, so that a small file cannot fill the memory."""


def read_spreadsheet(path: Path, options: ReadOptions) -> Document:
    """Read a workbook or CSV file. Raises ``ReadError`` if it is protected, damaged or empty."""
    name = Path(options.name)
    if name.suffix.lower() in _DELIMITED:
        return _read_delimited(path, name)
    return _read_workbook(path, name)


def _read_workbook(path: Path, name: Path) -> Document:
    # Imported here: only spreadsheets need this compiled library.
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError

    builder = DocumentBuilder(name.suffix.lstrip(".").lower() or "xlsx")
    source = None
    properties: dict[str, str] = {}
    notes: dict[str, list[str]] = {}
    if name.suffix.lower() != ".xls":
        with Archive(path, Message("readers-kind-workbook")) as archive:
            archive.refuse_bombs()
            properties = read_properties(archive)
            source = _close_gaps(archive)
            notes = _find_notes(archive)
            pictures = [name for name in archive.names if name.startswith(_PICTURES)]
            builder.warn(note_pictures(len(pictures)))
            if _has_comments(archive):
                builder.warn(Message("readers-comments-left-out"))
    elif _has_old_notes(path):
        builder.warn(Message("readers-comments-left-out"))
    try:
        with CalamineWorkbook.from_object(source or path) as workbook:
            title, head = _add_sheets(builder, workbook, notes)
    except PasswordError as error:
        raise build_encryption_error() from error
    except (CalamineError, OSError) as error:
        raise _build_unreadable_error(path, error) from error
    return builder.build(
        str(name),
        Clues(properties, printed=title, cover=head),
        reason=Message("readers-workbook-empty"),
    )


def _find_notes(archive: Archive) -> dict[str, list[str]]:
    """Sheet name → the notes of its cells: "B4 (note): without VAT"."""
    main = archive.find_related("", "officeDocument")
    root = archive.find_xml(main, PREFIXES) if main and main.endswith(".xml") else None
    if main is None or root is None:
        return {}
    parts = archive.read_relations(main)
    return {
        sheet.get("name", ""): list(_read_notes(archive, parts[sheet.get("r.id", "")][1]))
        for sheet in root.iterfind("x.sheets/x.sheet")
        if sheet.get("r.id") in parts
    }


def _read_notes(archive: Archive, sheet: str) -> Iterator[str]:
    part = archive.find_related(sheet, "comments")
    root = archive.find_xml(part, PREFIXES) if part else None
    for note in [] if root is None else root.iterfind("x.commentList/x.comment"):
        # Without phonetic guides (x.rPh) of Japanese and Chinese.
        runs = (*note.iterfind("x.text/x.t"), *note.iterfind("x.text/x.r/x.t"))
        text = " ".join("".join(run.text or "" for run in runs).split())
        # A thread has a placeholder as its note, which says that Excel is too old.
        if text and not text.startswith(_THREAD):
            yield f"{note.get('ref', '')} (note): {text}"


def _has_comments(archive: Archive) -> bool:
    if any(name.startswith(_THREADS) for name in archive.names):
        return True
    return archive.find_bytes("content.xml", b"<office:annotation")


def _has_old_notes(path: Path) -> bool:
    """Whether cells of an XLS have notes, which calamine does not read."""
    # Imported here: only XLS files need it.
    import olefile

    if not olefile.isOleFile(path):
        return False
    with contextlib.suppress(OSError, ValueError, IndexError), olefile.OleFileIO(path) as file:
        if file.exists("Workbook"):
            with file.openstream("Workbook") as stream:
                return _has_record(stream.read(), _NOTE)
    return False


def _has_record(data: bytes, wanted: int) -> bool:
    """Whether records, each a kind and a length before its content, have one of a kind."""
    at = 0
    while at + 4 <= len(data):
        kind, length = struct.unpack_from("<HH", data, at)
        if kind == wanted:
            return True
        at += 4 + length
    return False


def _close_gaps(archive: Archive) -> io.BytesIO | None:
    """Return a copy in which empty rows and columns between distant cells are two; mostly None.

    One forgotten cell in the last row and column would make the sheet billions of cells large.
    """
    sheets = {name: text for name in archive.names if (text := _find_large_sheet(archive, name))}
    if not sheets:
        return None
    copy = io.BytesIO()
    with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name in archive.names:
            if name in sheets:
                file.writestr(name, _move_cells(sheets[name]))
            elif name.endswith((".xml", ".rels")):
                file.writestr(name, archive.get(name))
    copy.seek(0)
    return copy


def _find_large_sheet(archive: Archive, name: str) -> str | None:
    if not _SHEET.fullmatch(name):
        return None
    stated = _DIMENSION.search(archive.peek(name, _SHEET_HEAD))
    if stated and _read_column(stated[1].decode()) * int(stated[2]) <= _MAX_GRID:
        return None
    text = archive.get(name).decode("utf-8", "replace")
    rows = columns = 0
    for _, letters, digits in _CELL.findall(text):
        rows, columns = max(rows, int(digits)), max(columns, _read_column(letters))
    return text if rows * columns > _MAX_GRID else None


def _move_cells(text: str) -> str:
    cells = _CELL.findall(text)
    place_row = _place_without_gaps(int(digits) for _, letters, digits in cells if letters)
    place_column = _place_without_gaps(_read_column(letters) for _, letters, _ in cells if letters)

    def move(letters: str, digits: str) -> str:
        column = _write_column(place_column(_read_column(letters))) if letters else ""
        return f"{column}{place_row(int(digits))}"

    text = _CELL.sub(lambda cell: cell[1] + move(cell[2], cell[3]), text)
    return _MERGED.sub(
        lambda cell: f"{cell[1]}{move(cell[2], cell[3])}:{move(cell[4], cell[5])}", text
    )


def _place_without_gaps(used: Iterable[int]) -> Callable[[int], int]:
    """Map row or column numbers, from 1, so that at most two unused ones are between used ones."""
    old = [0, *sorted(set(used))]
    new = [0, *accumulate(min(after - before, 3) for before, after in pairwise(old))]

    def place(number: int) -> int:
        at = bisect_right(old, number) - 1
        return new[at] + min(number - old[at], 3)

    return place


@lru_cache(maxsize=1 << 15)
def _read_column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _write_column(number: int) -> str:
    letters = ""
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(65 + letter) + letters
    return letters


def _add_sheets(
    builder: DocumentBuilder, workbook: CalamineWorkbook, notes: dict[str, list[str]]
) -> tuple[str | None, str]:
    """Add all visible sheets; return the title and the first words of the first one."""
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    hidden = [
        sheet.name
        for sheet in workbook.sheets_metadata
        if sheet.visible != SheetVisibleEnum.Visible
    ]
    if hidden:
        builder.warn(Message("readers-sheets-hidden", names=hidden))
    title, head = None, ""
    room, labelled = MAX_CHARACTERS, 0
    for entry in workbook.sheets_metadata:
        if entry.name in hidden or entry.typ != SheetTypeEnum.WorkSheet:
            continue
        sheet = workbook.get_sheet_by_name(entry.name)
        writer = SheetWriter(builder, entry.name, room, labelled)
        writer.write(_read_sheet_rows(sheet))
        for note in notes.get(entry.name, ()):
            builder.add("paragraph", note)
        room -= writer.written
        labelled = writer.labelled
        title = title if head else writer.title
        head = head or writer.head
    return title, head


def _read_sheet_rows(sheet: CalamineSheet) -> Iterator[SheetRow]:
    spans = _find_spans(sheet)
    for row, values in enumerate(sheet.iter_rows()):
        yield SheetRow(
            [_FORMS.get(type(value), str)(value) for value in values], spans.get(row, {})
        )


def _find_spans(sheet: CalamineSheet) -> dict[int, dict[int, tuple[int, int]]]:
    """The merged cells by row and column: how many rows and columns each covers."""
    spans: dict[int, dict[int, tuple[int, int]]] = {}
    # calamine keeps empty rows at the top, but drops empty columns at the left.
    left = sheet.start[1] if sheet.start else 0
    for (row, column), (last_row, last) in sheet.merged_cell_ranges or []:
        down = min(last_row - row, _MAX_MERGED_ROWS) + 1
        spans.setdefault(row, {})[column - left] = (down, last - column + 1)
    return spans


def _format_datetime(value: datetime) -> str:
    # Spreadsheets store a date as midnight.
    midnight = value.time() == time.min
    return value.date().isoformat() if midnight else value.isoformat(" ", "seconds")


_FORMS: dict[type, Callable[[Any], str]] = {
    # Leading spaces are an indentation.
    str: lambda value: " " * (len(value) - len(value.lstrip(" "))) + " ".join(value.split()),
    bool: lambda value: "TRUE" if value else "FALSE",
    int: format_number,
    float: format_number,
    datetime: _format_datetime,
    date: date.isoformat,
    time: lambda value: value.isoformat("seconds"),
}


def _build_unreadable_error(path: Path, error: Exception) -> ReadError:
    with path.open("rb") as stream:
        head = stream.read(2048)
    kind = name_kind(head)
    if kind and not head.startswith((b"PK", b"\xd0\xcf\x11\xe0")):
        return build_wrong_kind_error(kind, Message("readers-kind-workbook"))
    reason = " ".join(str(error).split()).rstrip(".")
    return ReadError("readers-workbook-damaged", cause=reason)


def _read_delimited(path: Path, name: Path) -> Document:
    decoded = decode(path.read_bytes())
    text = decoded.text
    builder = DocumentBuilder(name.suffix.lstrip(".").lower())
    builder.warn(decoded.warning)
    delimiter, start = _find_delimiter(text, name.suffix.lower())
    writer = SheetWriter(builder, None, MAX_CHARACTERS)
    writer.write(_read_rows(builder, text[start:], delimiter))
    return builder.build(str(name), Clues(cover=writer.head), reason=Message("readers-table-empty"))


def _find_delimiter(text: str, suffix: str) -> tuple[str, int]:
    """Return the delimiter and the offset of the rows, which is after Excel's ``sep=;`` line."""
    first = text[:20].split("\n", 1)[0].strip()
    if first.lower().startswith("sep=") and len(first) == 5:
        return first[4], text.index("\n") + 1 if "\n" in text else len(text)
    if suffix in {".tsv", ".tab"}:
        return "\t", 0
    return max(_DELIMITERS, key=lambda mark: _measure_regularity(text, mark)), 0


def _measure_regularity(text: str, mark: str) -> tuple[float, int]:
    """Return the share of rows with the most common number of cells, and that number."""
    sample = _parse_rows(text[:_SAMPLE_CHARACTERS], mark)
    widths = [len(row) for _, row in zip(range(_SAMPLE_ROWS), sample, strict=False) if row]
    if not widths:
        return 0.0, 0
    common = max(set(widths), key=widths.count)
    return (widths.count(common) / len(widths) if common > 1 else 0.0), common


def _parse_rows(text: str, mark: str) -> Iterator[list[str]]:
    # The default limit of 131,072 characters per cell would fail real files.
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    return csv.reader(io.StringIO(text, newline=""), delimiter=mark)


def _read_rows(builder: DocumentBuilder, text: str, mark: str) -> Iterator[SheetRow]:
    rows: Iterable[list[str]] = _parse_rows(text, mark)
    if _has_open_quote(text, mark):
        builder.warn(Message("readers-open-quote"))
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark, quoting=csv.QUOTE_NONE)
    for values in rows:
        yield SheetRow([" ".join(value.split()) for value in values])


def _has_open_quote(text: str, mark: str) -> bool:
    try:
        for _ in csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True):
            pass
    except csv.Error as error:
        return "unexpected end" in str(error)
    return False
